//! Matches and tournaments: players from a form, pair by pair, to a report. The journal that `arena`
//! writes is the truth.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

use arena::{
    COMMAND_PREFIX, Contender, Event, Factory, GameFilter, Journal, JournalContent, Openings,
    PairRecord, Plan, Report, RunControl, Schedule, Seats, Standing, Threads, WireLogs, short_spec,
};
use desk::{Answer, End, Ended, Job, Jobs, Refusal, Route, Why, WireLimits, Work, lock};
use gomoku::Rule;
use player::{Limits, Registry};
use serde::Deserialize;
use serde_json::{Value, json};
use stats::Sprt;

use super::{
    figures,
    folder::{Engines, RunFolder, check_spec, file, route, threads},
};

/// The files of a report that can be asked for.
const REPORT_FILES: [&str; 8] = [
    "report.md",
    "report.json",
    "report.html",
    "players.csv",
    "meetings.csv",
    "games.csv",
    "games.sgf",
    "games.log",
];

/// What the simulator form holds.
#[derive(Debug, Deserialize)]
pub(crate) struct Form {
    #[serde(default)]
    name: String,
    rule: String,
    size: u8,
    /// Two players, Black first in the first game of each pair; more in a tournament.
    players: Vec<FormPlayer>,
    #[serde(default)]
    schedule: FormSchedule,
    /// Games, of each two players that meet.
    games: u64,
    /// A shipped set, `none` for the empty board, or empty for the set made for this game.
    #[serde(default)]
    openings: String,
    #[serde(default)]
    seed: String,
    #[serde(default)]
    jobs: usize,
    /// Normalized Elo bounds of a sequential test.
    sprt: Option<(f64, f64)>,
    /// Stones at which a game is drawn.
    max_stones: Option<u32>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FormSchedule {
    /// The first player and the second.
    #[default]
    Match,
    /// Everyone and everyone.
    RoundRobin,
    /// The first player and each of the others.
    Gauntlet,
}

#[derive(Debug, Deserialize)]
struct FormPlayer {
    spec: String,
    #[serde(default)]
    limit: WireLimits,
}

/// The matches of a data folder.
#[derive(Debug)]
pub(crate) struct Matches {
    runs: RunFolder,
    registry: Arc<Registry>,
    engines: Engines,
    /// The program and version, which runs record.
    build: String,
}

/// Players of a tournament: with more, nobody would see its end.
const MAX_PLAYERS: usize = 32;

/// A match that is played or has been played.
pub(crate) struct Match {
    plan: Plan,
    threads: usize,
    control: RunControl,
    now: Mutex<Now>,
}

/// Where a match stands.
#[derive(Default)]
struct Now {
    standing: Option<Standing>,
    pairs: Vec<PairRecord>,
    /// Played and Elo with its interval, after each counted pair.
    history: Vec<figures::Step>,
    watched: Watched,
}

/// The game that pages look at: the one begun first of those in play.
#[derive(Default)]
struct Watched {
    pair: Option<u64>,
    game: usize,
    opening: String,
    players: [usize; 2],
    moves: Vec<String>,
    openings: BTreeMap<u64, (String, [usize; 2])>,
}

impl Work for Matches {
    type Form = Form;
    type Task = Match;
    type Opened = (Journal, Vec<PairRecord>);

    const KIND: &'static str = "run";
    const MAX_RUNNING: usize = 4;
    const BUSY: &'static str = "Too many runs are going.";
    const ACTIONS: &'static [&'static str] = &["finish", "stop", "resume"];

    fn create(&self, form: Form) -> Result<(String, Match, Self::Opened), String> {
        let names: Vec<_> = form.players.iter().map(|player| short_spec(&player.spec)).collect();
        let about = match names[..] {
            [a, b] => format!("{a} vs {b}"),
            _ => format!("tournament of {}", names.len()),
        };
        let reserved = self.runs.new_name(&form.name, &about)?;
        let id = reserved.name().to_owned();
        let plan = self.plan(&form, &id)?;
        let journal = Journal::create(&self.runs.new_record(&id), &plan);
        let journal = journal.map_err(|error| error.to_string())?;
        Ok((id, Match::new(plan, threads(form.jobs), &[]), (journal, Vec::new())))
    }

    fn resume(&self, id: &str) -> Result<(Match, Self::Opened), String> {
        let path = self.runs.record(id).ok_or("There is no such run.")?;
        let (journal, JournalContent { plan, pairs, .. }) =
            Journal::resume(&path).map_err(|error| error.to_string())?;
        self.check_players(&plan)?;
        Ok((Match::new(plan, threads(self.runs.threads(id)), &pairs), (journal, pairs)))
    }

    fn run(
        jobs: &Arc<Jobs<Matches>>,
        job: &Arc<Job<Matches>>,
        opened: Self::Opened,
    ) -> Option<Ended> {
        let (mut journal, recorded) = opened;
        let registry = Arc::clone(&jobs.work.registry);
        let factory: Factory =
            Arc::new(move |spec| registry.build(spec).map_err(|error| error.to_string()));
        let Match { plan, control, .. } = &job.task;
        let logs = WireLogs::new(jobs.work.runs.logs(&job.id));
        let seats = Seats::from(&factory).logged(logs);
        let mut dispatcher = Threads::start(job.task.threads, seats, control);
        let mut listen = |event: Event<'_>| match job.task.take(&event) {
            true => jobs.tell(job),
            false => jobs.tell_sometimes(job),
        };
        let ended = arena::run(plan, recorded, &mut journal, &mut dispatcher, control, &mut listen);
        let outcome = match ended {
            Ok(outcome) => outcome,
            Err(arena::RunError::Pair(arena::PairError::Stopped)) => return Some(Ended::STOPPED),
            Err(error) => return Some(Ended::failed(error)),
        };
        let folder = journal.path().with_file_name("report");
        let written = Report::new(plan, &outcome).write(plan, &outcome.pairs, &folder);
        lock(&job.task.now).standing = Some(outcome.standing);
        let interrupted = outcome.stop == arena::Stop::Interrupted;
        Some(Ended {
            state: if interrupted { Ended::STOPPED.state } else { "done" },
            error: written.err().map(|error| format!("The report cannot be written: {error}.")),
        })
    }

    fn end(task: &Match, how: End) {
        match how {
            End::Stop => task.control.stop(),
            End::Finish if task.control.is_finishing() => {}
            End::Finish => task.control.interrupt(),
        }
    }

    fn mark(&self, job: &Job<Matches>) -> Result<(), String> {
        self.runs.mark(&job.id, job.task.threads)
    }

    fn unmark(&self, id: &str) {
        self.runs.unmark(id);
    }

    fn marked(&self) -> Vec<String> {
        self.runs.marked()
    }

    fn tell(task: &Match, news: &mut Value) {
        let now = lock(&task.now);
        figures::standing(news, &task.plan, now.standing.as_ref());
        news["jobs"] = json!(task.threads);
        news["watched"] = json!({
            "pair": now.watched.pair, "game": now.watched.game, "opening": now.watched.opening,
            "players": now.watched.players, "moves": now.watched.moves,
        });
    }

    fn list(jobs: &Jobs<Matches>) -> Vec<Value> {
        let runs = jobs.work.runs.all();
        let mut list: Vec<_> = runs.filter_map(|(id, path)| brief(jobs, &id, &path)).collect();
        list.sort_by(|a, b| b["began"].as_u64().cmp(&a["began"].as_u64()));
        list
    }

    fn show(jobs: &Jobs<Matches>, id: &str) -> Option<Value> {
        let job = match jobs.find(id) {
            Some(job) => job,
            None => Arc::new(jobs.work.stored(id)?),
        };
        let mut value = job.news();
        let (pairs, history) = {
            let now = lock(&job.task.now);
            (now.pairs.clone(), now.history.clone())
        };
        figures::add(&mut value, &job.task.plan, &pairs, &history);
        let names = job.task.plan.players.iter().map(|player| &player.name);
        let logged = names.filter(|name| jobs.work.runs.log(id, name).is_some());
        value["logs"] = json!(logged.collect::<Vec<_>>());
        Some(value)
    }
}

/// A line of the list.
fn brief(jobs: &Jobs<Matches>, id: &str, path: &Path) -> Option<Value> {
    let JournalContent { plan, pairs, began, .. } = JournalContent::read(path).ok()?;
    let total = figures::total(&plan);
    let state = match jobs.find(id).filter(|job| job.is_going()) {
        Some(job) => job.state(),
        None if (pairs.len() as u64) < total => Ended::STOPPED.state,
        None => "done",
    };
    let names: Vec<_> = plan.players.iter().map(|player| &player.name).collect();
    Some(json!({
        "id": id, "name": plan.title, "state": state, "began": began, "players": names, "rule": plan.rule.name(),
        "size": plan.size, "played": pairs.len(), "total": total,
    }))
}

/// Ratings of all players from every stored run, best first.
fn ratings(jobs: &Jobs<Matches>, filter: &GameFilter) -> Result<Value, String> {
    // A journal that cannot be read is left out.
    let (ratings, _) = arena::rate_runs(jobs.work.runs.path(), filter)
        .map_err(|error| format!("The runs cannot be read: {error}."))?;
    Ok(json!(ratings))
}

/// One game of a run as a document for the page.
fn game(jobs: &Jobs<Matches>, id: &str, pair: u64, game: usize) -> Option<Value> {
    let has_index = |one: &&PairRecord| one.index == pair;
    if let Some(job) = jobs.find(id) {
        let found = lock(&job.task.now).pairs.iter().find(has_index).cloned()?;
        return figures::game_document(&job.task.plan, &found, game);
    }
    let JournalContent { plan, pairs, .. } =
        JournalContent::read(&jobs.work.runs.record(id)?).ok()?;
    figures::game_document(&plan, pairs.iter().find(has_index)?, game)
}

/// A file of a run's report; written when it is first asked for.
fn report(jobs: &Jobs<Matches>, id: &str, file: &str) -> Option<Vec<u8>> {
    let known = REPORT_FILES.contains(&file);
    let path = jobs.work.runs.report(id, file).filter(|_| known)?;
    if !path.is_file() || jobs.find(id).is_some_and(|job| job.is_going()) {
        let recorded = JournalContent::read(&jobs.work.runs.record(id)?).ok()?;
        let outcome = arena::replay(&recorded.plan, recorded.pairs).ok()?;
        let report = Report::new(&recorded.plan, &outcome);
        report.write(&recorded.plan, &outcome.pairs, path.parent()?).ok()?;
    }
    fs::read(path).ok()
}

impl Matches {
    /// The games and reports of the matches.
    pub(crate) fn routes(jobs: &Arc<Jobs<Matches>>) -> Vec<Route> {
        vec![
            route(jobs, "/api/runs/{id}/games/{pair}/{game}", |jobs, call| {
                let (pair, number) = (call.name(1).parse().ok(), call.name(2).parse().ok());
                let found = pair
                    .zip(number)
                    .and_then(|(pair, number)| game(jobs, call.name(0), pair, number));
                Answer::found(found, "There is no such run.\n")
            }),
            route(jobs, "/api/runs/{id}/report/{file}", |jobs, call| {
                file(call, report(jobs, call.name(0), call.name(1)))
            }),
            route(jobs, "/api/runs/{id}/logs/{player}", |jobs, call| {
                let path = jobs.work.runs.log(call.name(0), call.name(1));
                let bytes = path.and_then(|path| fs::read(path).ok());
                let missing = || Refusal::new(Why::Missing, "There is no such log.\n");
                bytes.map(Answer::Text).ok_or_else(missing)
            }),
        ]
    }

    /// Ratings from all matches; of one rule and board size, if those are named.
    pub(crate) fn rating_route(jobs: &Arc<Jobs<Matches>>) -> Route {
        route(jobs, "/api/ratings", |jobs, call| {
            let rule = call.query::<String>("rule")?.and_then(|rule| rule.parse::<Rule>().ok());
            let filter = GameFilter { run: None, rule, size: call.query("size")? };
            Answer::json(&ratings(jobs, &filter)?)
        })
    }

    pub(crate) fn new(
        data: &Path,
        registry: &Arc<Registry>,
        engines: &Engines,
        build: &str,
    ) -> Matches {
        let (registry, build) = (Arc::clone(registry), build.to_owned());
        let engines = engines.clone();
        Matches { runs: RunFolder::new(data, "journal.jsonl"), registry, engines, build }
    }

    /// A match as its journal tells it.
    fn stored(&self, id: &str) -> Option<Job<Matches>> {
        let JournalContent { plan, pairs, .. } =
            JournalContent::read(&self.runs.record(id)?).ok()?;
        let outcome = arena::replay(&plan, pairs).ok()?;
        let complete = outcome.standing.total.is_some_and(|n| outcome.standing.counted >= n);
        let task = Match::new(plan, 1, &outcome.pairs);
        lock(&task.now).standing = Some(outcome.standing);
        let state = if complete { "done" } else { Ended::STOPPED.state };
        Some(Job::in_state(id.to_owned(), task, state))
    }

    fn plan(&self, form: &Form, id: &str) -> Result<Plan, String> {
        let rule: Rule = form.rule.parse().map_err(|error| format!("{error}"))?;
        let test = form.sprt.map(|(elo0, elo1)| Sprt::new(elo0, elo1)).transpose();
        let test = test.map_err(|error| error.to_string())?;
        if form.players.len() > MAX_PLAYERS {
            return Err(format!("At most {MAX_PLAYERS} players can meet."));
        }
        let games = form.games.clamp(1, 1_000_000);
        let pairs = games.div_ceil(2);
        let schedule = match form.schedule {
            FormSchedule::Match => Schedule::match_of(Some(games), test),
            _ if test.is_some() => return Err("A sequential test is of two players.".to_owned()),
            FormSchedule::RoundRobin => Schedule::RoundRobin { pairs },
            FormSchedule::Gauntlet => Schedule::Gauntlet { pairs },
        };
        let players = form.players.iter().map(|player| {
            let budget = Limits::from(player.limit).into();
            (player.spec.clone(), self.spec(&player.spec), budget)
        });
        let players = Contender::numbered(players);
        let openings = match form.openings.as_str() {
            "" => Openings::default_for(rule, form.size),
            name => Openings::named(name, rule, form.size).map_err(|error| error.to_string())?,
        };
        // Whoever asks for so many games of the empty board gets them.
        let openings = Openings { repeat: form.openings == "none", ..openings };
        let mut plan = Plan::new(id, rule, form.size, players, schedule, openings);
        plan.adjudication.max_stones = form.max_stones;
        plan.build.clone_from(&self.build);
        form.name.trim().clone_into(&mut plan.title);
        if !form.seed.is_empty() {
            plan.seed.clone_from(&form.seed);
        }
        self.check_players(&plan)?;
        plan.check().map_err(|error| error.to_string())?;
        Ok(plan)
    }

    /// What a player of the form is: a spec, or the command that was given for its name at the start.
    fn spec(&self, player: &str) -> String {
        let engine = self.engines.iter().find(|(name, _)| name == player);
        engine
            .map_or_else(|| player.to_owned(), |(_, command)| format!("{COMMAND_PREFIX}{command}"))
    }

    /// Players of the registry, and programs that were named at the start. A journal that names another
    /// is not gone on with.
    fn check_players(&self, plan: &Plan) -> Result<(), String> {
        plan.players.iter().try_for_each(|player| {
            let command = player.spec.strip_prefix(COMMAND_PREFIX);
            match command.is_some_and(|one| self.engines.iter().any(|(_, known)| known == one)) {
                true => Ok(()),
                false => check_spec(&self.registry, &player.spec),
            }
        })
    }
}

impl Match {
    fn new(plan: Plan, threads: usize, recorded: &[PairRecord]) -> Match {
        let (pairs, history) = (recorded.to_vec(), figures::history(recorded));
        let now = Mutex::new(Now { pairs, history, ..Now::default() });
        Match { plan, threads, control: RunControl::default(), now }
    }

    /// Takes an event; says whether pages should be told now.
    fn take(&self, event: &Event<'_>) -> bool {
        let mut now = lock(&self.now);
        match event {
            Event::Started { index, players, opening, .. } => {
                now.watched.openings.insert(*index, ((*opening).to_owned(), *players));
            }
            Event::Moved(moved) => now.watched.take(moved),
            Event::Finished { pair, standing } => {
                now.pairs.push((*pair).clone());
                now.history.extend(figures::step(standing));
                now.standing = Some((*standing).clone());
                now.watched.leave(pair.index);
                return now.pairs.len() == 1;
            }
            Event::Note(_) => {}
        }
        false
    }
}

impl Watched {
    fn take(&mut self, moved: &arena::Moved) {
        if self.pair.is_none() {
            let known = self.openings.get(&moved.index).cloned();
            (self.opening, self.players) = known.unwrap_or_default();
            self.pair = Some(moved.index);
            self.game = moved.game;
        }
        if self.pair != Some(moved.index) {
            return;
        }
        if self.game != moved.game {
            self.game = moved.game;
            self.moves.clear();
        }
        self.moves.push(moved.point.to_string());
    }

    fn leave(&mut self, pair: u64) {
        self.openings.remove(&pair);
        if self.pair == Some(pair) {
            let openings = std::mem::take(&mut self.openings);
            *self = Watched { openings, ..Watched::default() };
        }
    }
}
