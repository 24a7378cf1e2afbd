//! Match runs of the lab: started from a form, watched live, finished, stopped and gone on with.
//!
//! A run belongs to the server, not to a page: it goes on when the page is closed. Its journal is
//! the truth; a run that was going when the server died is taken up again at the next start.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use arena::{
    Budget, COMMAND_PREFIX, Contender, Control, Event, Factory, Filter, Index, Journal, Openings,
    Outcome, PairRecord, Plan, Recorded, Report, Schedule, Standing, Threads,
};
use gomoku::Rule;
use player::Registry;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{figures, wire::WireLimits};

/// Runs at the same time.
const MAX_RUNNING: usize = 4;
/// The file that says a run was going; it is taken away when the run ends.
pub(crate) const MARK: &str = "going";
/// News of a run are told at most this often.
const NEWS_INTERVAL: Duration = Duration::from_millis(250);
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
    /// The two players, Black first in the first game of each pair.
    players: [FormPlayer; 2],
    games: u64,
    /// A shipped set, `none` for the empty board, or empty for the set made for this game.
    #[serde(default)]
    openings: String,
    #[serde(default)]
    seed: String,
    #[serde(default)]
    jobs: usize,
    /// Normalised Elo bounds of a sequential test.
    sprt: Option<(f64, f64)>,
    /// Stones at which a game is drawn.
    max_stones: Option<u32>,
}

#[derive(Debug, Deserialize)]
struct FormPlayer {
    spec: String,
    #[serde(default)]
    limit: WireLimits,
}

/// All runs of the server.
pub(crate) struct Runs {
    folder: PathBuf,
    registry: Arc<Registry>,
    build: String,
    live: Mutex<BTreeMap<String, Arc<Run>>>,
    is_closing: AtomicBool,
    tell: Box<dyn Fn(String, Value) + Send + Sync>,
}

/// A run that this server plays or has played.
struct Run {
    id: String,
    plan: Plan,
    jobs: usize,
    control: Control,
    now: Mutex<Now>,
}

/// Where a run stands, as told to pages.
struct Now {
    state: &'static str,
    error: Option<String>,
    standing: Option<Standing>,
    pairs: Vec<PairRecord>,
    /// Played and Elo with its interval, after each counted pair.
    history: Vec<figures::Step>,
    watched: Watched,
    told: Option<Instant>,
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

impl Runs {
    /// The runs in a data folder; those that were going are taken up again.
    pub(crate) fn open(
        data: &Path,
        registry: Arc<Registry>,
        build: String,
        tell: Box<dyn Fn(String, Value) + Send + Sync>,
    ) -> Arc<Runs> {
        let runs = Arc::new(Runs {
            folder: data.join("runs"),
            registry,
            build,
            live: Mutex::default(),
            is_closing: AtomicBool::new(false),
            tell,
        });
        let Ok(entries) = fs::read_dir(&runs.folder) else { return runs };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Ok(mark) = fs::read_to_string(entry.path().join(MARK)) {
                // A run that cannot be taken up stays in the list with its journal.
                let _ = runs.resume(&name, mark.trim().parse().unwrap_or(1));
            }
        }
        runs
    }

    /// Starts a run from the form and gives its name.
    pub(crate) fn start(self: &Arc<Self>, form: &Form) -> Result<String, String> {
        let id = run_id(&form.name);
        let plan = self.plan(form, &id)?;
        self.check_room()?;
        let path = self.folder.join(&id).join("journal.jsonl");
        let journal = Journal::create(&path, &plan).map_err(|error| error.to_string())?;
        self.go(&id, plan, journal, Vec::new(), form.jobs)?;
        Ok(id)
    }

    /// Goes on with a run.
    pub(crate) fn resume(self: &Arc<Self>, id: &str, jobs: usize) -> Result<(), String> {
        if self.find(id).is_some_and(|run| run.is_going()) {
            return Err("The run is going already.".to_owned());
        }
        self.check_room()?;
        let path = self.journal(id).ok_or("There is no such run.")?;
        let (journal, recorded) = Journal::resume(&path).map_err(|error| error.to_string())?;
        self.check_players(&recorded.plan)?;
        self.go(id, recorded.plan, journal, recorded.pairs, jobs)
    }

    /// Ends a run: what is in flight is finished, or (`now`) broken off.
    pub(crate) fn end(&self, id: &str, now: bool) -> Result<(), String> {
        let run = self.find(id).filter(|run| run.is_going()).ok_or("The run is not going.")?;
        if now {
            run.control.stop();
        } else if !run.control.is_finishing() {
            run.control.interrupt();
        }
        run.lock().state = "stopping";
        (self.tell)(id.to_owned(), run.news());
        Ok(())
    }

    /// Every run, the latest first.
    pub(crate) fn list(&self) -> Vec<Value> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut list: Vec<_> = names.filter_map(|id| self.brief(&id)).collect();
        list.sort_by(|a, b| b["began"].as_u64().cmp(&a["began"].as_u64()));
        list
    }

    fn brief(&self, id: &str) -> Option<Value> {
        let recorded = Recorded::read(&self.journal(id)?).ok()?;
        let going = self.find(id).filter(|run| run.is_going());
        let total = recorded.plan.schedule.pairs();
        let state = match &going {
            Some(run) => run.lock().state,
            None if (recorded.pairs.len() as u64) < total => "stopped",
            None => "done",
        };
        let names: Vec<_> = recorded.plan.players.iter().map(|player| &player.name).collect();
        Some(json!({
            "id": id, "state": state, "began": recorded.began, "players": names,
            "rule": recorded.plan.rule.name(), "size": recorded.plan.size,
            "played": recorded.pairs.len(), "total": total,
        }))
    }

    /// Everything there is to show of a run.
    pub(crate) fn show(&self, id: &str) -> Option<Value> {
        if let Some(run) = self.find(id) {
            let mut value = run.news();
            let (pairs, history) = {
                let now = run.lock();
                (now.pairs.clone(), now.history.clone())
            };
            figures::add(&mut value, &run.plan, &pairs, &history);
            return Some(value);
        }
        let recorded = Recorded::read(&self.journal(id)?).ok()?;
        let outcome = arena::replay(&recorded.plan, recorded.pairs).ok()?;
        let history = figures::history(&outcome.pairs);
        let run = Run::new(id, recorded.plan, 1);
        {
            let mut now = run.lock();
            let complete = outcome.standing.total.is_some_and(|n| outcome.standing.counted >= n);
            now.state = if complete { "done" } else { "stopped" };
            now.standing = Some(outcome.standing);
        }
        let mut value = run.news();
        figures::add(&mut value, &run.plan, &outcome.pairs, &history);
        Some(value)
    }

    /// Ratings of all players from every stored run, best first.
    pub(crate) fn ratings(&self, filter: &Filter) -> Result<Value, String> {
        let words = |error: arena::IndexError| error.to_string();
        if !self.folder.is_dir() {
            return Ok(json!([])); // nothing has been played yet
        }
        let mut index = Index::in_memory().map_err(words)?;
        // A journal that cannot be read is left out.
        index.rebuild(&self.folder).map_err(words)?;
        Ok(json!(index.ratings(filter).map_err(words)?))
    }

    /// One game of a run as a document for the page.
    pub(crate) fn game(&self, id: &str, pair: u64, game: usize) -> Option<Value> {
        let (plan, record) = match self.find(id) {
            Some(run) => {
                let found = run.lock().pairs.iter().find(|one| one.index == pair).cloned()?;
                (run.plan.clone(), found)
            }
            None => {
                let recorded = Recorded::read(&self.journal(id)?).ok()?;
                let found = recorded.pairs.iter().find(|one| one.index == pair).cloned()?;
                (recorded.plan, found)
            }
        };
        figures::game_document(&plan, &record, game)
    }

    /// A file of a run's report; written when it is first asked for.
    pub(crate) fn report(&self, id: &str, file: &str) -> Option<Vec<u8>> {
        let known = REPORT_FILES.contains(&file);
        let journal = self.journal(id).filter(|_| known)?;
        let folder = journal.with_file_name("report");
        let going = self.find(id).is_some_and(|run| run.is_going());
        if going || !folder.join(file).is_file() {
            let recorded = Recorded::read(&journal).ok()?;
            let outcome = arena::replay(&recorded.plan, recorded.pairs).ok()?;
            let report = Report::new(&recorded.plan, &outcome);
            report.write(&recorded.plan, &outcome.pairs, &folder).ok()?;
        }
        fs::read(folder.join(file)).ok()
    }

    fn plan(&self, form: &Form, id: &str) -> Result<Plan, String> {
        let rule: Rule = form.rule.parse().map_err(|error| format!("{error}"))?;
        let pairs = form.games.clamp(1, 1_000_000).div_ceil(2);
        let schedule = match form.sprt {
            // The test is read from JSON, which is also how journals keep it.
            Some((elo0, elo1)) => serde_json::from_value(json!({
                "kind": "sprt", "max_pairs": pairs,
                "test": {
                    "elo0": elo0, "elo1": elo1, "alpha": 0.05, "beta": 0.05,
                    "model": "normalized", "min_pairs": 16, "overshoot": true,
                },
            }))
            .map_err(|error| format!("The test cannot be read: {error}."))?,
            None => Schedule::Duel { pairs },
        };
        let plan = Plan {
            run: id.to_owned(),
            seed: if form.seed.is_empty() { "1".to_owned() } else { form.seed.clone() },
            rule,
            size: form.size,
            players: self.contenders(form),
            schedule,
            openings: openings(&form.openings, rule, form.size)?,
            adjudication: arena::Adjudication {
                max_stones: form.max_stones,
                win: None,
                draw: None,
            },
            patience: arena::Patience::default(),
            deterministic: true,
            build: self.build.clone(),
        };
        self.check_players(&plan)?;
        plan.check().map_err(|error| error.to_string())?;
        Ok(plan)
    }

    fn contenders(&self, form: &Form) -> Vec<Contender> {
        let [a, b] = &form.players;
        let same = a.spec == b.spec;
        form.players
            .iter()
            .enumerate()
            .map(|(place, player)| Contender {
                name: if same && place == 1 {
                    format!("{} #2", player.spec)
                } else {
                    player.spec.clone()
                },
                spec: player.spec.clone(),
                budget: budget(player.limit),
            })
            .collect()
    }

    /// Only players of the registry: no form and no journal can start a program.
    fn check_players(&self, plan: &Plan) -> Result<(), String> {
        plan.players.iter().try_for_each(|player| check_spec(&self.registry, &player.spec))
    }

    fn check_room(&self) -> Result<(), String> {
        let going = self.lock().values().filter(|run| run.is_going()).count();
        if going < MAX_RUNNING { Ok(()) } else { Err("Too many runs are going.".to_owned()) }
    }

    /// Plays on a thread of its own.
    fn go(
        self: &Arc<Self>,
        id: &str,
        plan: Plan,
        journal: Journal,
        recorded: Vec<PairRecord>,
        jobs: usize,
    ) -> Result<(), String> {
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = if jobs == 0 { most.saturating_sub(1).max(1) } else { jobs.min(most) };
        let run = Arc::new(Run::new(id, plan, jobs));
        {
            let mut now = run.lock();
            now.history = figures::history(&recorded);
            now.pairs.clone_from(&recorded);
        }
        let mark = journal.path().with_file_name(MARK);
        fs::write(&mark, jobs.to_string()).map_err(|error| error.to_string())?;
        self.lock().insert(id.to_owned(), Arc::clone(&run));
        let runs = Arc::clone(self);
        let spawned = std::thread::Builder::new()
            .name("run".to_owned())
            .spawn(move || runs.play(&run, journal, recorded, &mark));
        spawned.map(drop).map_err(|error| error.to_string())
    }

    fn play(&self, run: &Run, mut journal: Journal, recorded: Vec<PairRecord>, mark: &Path) {
        let registry = Arc::clone(&self.registry);
        let factory: Factory =
            Arc::new(move |spec| registry.build(spec).map_err(|error| error.to_string()));
        let mut threads = Threads::start(run.jobs, &factory, &run.control);
        let ended = arena::run(
            &run.plan,
            recorded,
            &mut journal,
            &mut threads,
            &run.control,
            &mut |event| {
                if run.take(&event) {
                    (self.tell)(run.id.clone(), run.news());
                }
            },
        );
        self.finish(run, ended, journal, mark);
        (self.tell)(run.id.clone(), run.news());
    }

    /// Writes the report and says how the run ended; whoever sees that may take it up again, so the
    /// journal and the mark are let go before.
    fn finish(
        &self,
        run: &Run,
        ended: Result<Outcome, arena::RunError>,
        journal: Journal,
        mark: &Path,
    ) {
        let mut now = run.lock();
        match ended {
            Ok(outcome) => {
                let folder = journal.path().with_file_name("report");
                let report = Report::new(&run.plan, &outcome);
                now.error = report
                    .write(&run.plan, &outcome.pairs, &folder)
                    .err()
                    .map(|error| format!("The report cannot be written: {error}."));
                let interrupted = outcome.stop == arena::Stop::Interrupted;
                now.state = if interrupted { "stopped" } else { "done" };
                now.standing = Some(outcome.standing);
            }
            Err(arena::RunError::Pair(arena::PairError::Stopped)) => now.state = "stopped",
            Err(error) => {
                now.state = "failed";
                now.error = Some(error.to_string());
            }
        }
        drop(journal);
        // A run that ends because the server does is taken up again at the next start.
        if !self.is_closing.load(Ordering::Relaxed) {
            let _ = fs::remove_file(mark);
        }
    }

    /// Breaks off every run without taking the marks away: they go on at the next start. Waits a
    /// moment, so that journals are closed before the program ends.
    pub(crate) fn shut_down(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        let going: Vec<_> = self.lock().values().filter(|run| run.is_going()).cloned().collect();
        for run in &going {
            run.control.stop();
        }
        for _ in 0..200 {
            if going.iter().all(|run| Arc::strong_count(run) <= 2) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn journal(&self, id: &str) -> Option<PathBuf> {
        file_of_run(&self.folder, id, "journal.jsonl")
    }

    fn find(&self, id: &str) -> Option<Arc<Run>> {
        self.lock().get(id).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Run>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file of the run with this name, if there is one. Names from outside never leave the folder.
pub(crate) fn file_of_run(folder: &Path, id: &str, file: &str) -> Option<PathBuf> {
    let is_plain = !id.is_empty()
        && id.len() <= 120
        && id.chars().all(|c| c.is_alphanumeric() || "-_ .".contains(c))
        && !id.starts_with('.');
    let path = folder.join(id).join(file);
    (is_plain && path.is_file()).then_some(path)
}

impl Run {
    fn new(id: &str, plan: Plan, jobs: usize) -> Run {
        let now = Now {
            state: "running",
            error: None,
            standing: None,
            pairs: Vec::new(),
            history: Vec::new(),
            watched: Watched::default(),
            told: None,
        };
        Run { id: id.to_owned(), plan, jobs, control: Control::default(), now: Mutex::new(now) }
    }

    fn is_going(&self) -> bool {
        matches!(self.lock().state, "running" | "stopping")
    }

    /// Takes an event; says whether pages should be told now.
    fn take(&self, event: &Event<'_>) -> bool {
        let mut now = self.lock();
        let mut always = false;
        match event {
            Event::Started { index, players, opening, .. } => {
                now.watched.openings.insert(*index, ((*opening).to_owned(), *players));
            }
            Event::Moved(moved) => now.watched.take(moved),
            Event::Finished { pair, standing } => {
                always = now.pairs.is_empty();
                now.pairs.push((*pair).clone());
                now.history.extend(figures::step(standing));
                now.standing = Some((*standing).clone());
                now.watched.leave(pair.index);
            }
            Event::Note(_) => {}
        }
        let due = now.told.is_none_or(|told| told.elapsed() >= NEWS_INTERVAL);
        if due || always {
            now.told = Some(Instant::now());
        }
        due || always
    }

    fn news(&self) -> Value {
        let now = self.lock();
        let mut value = figures::standing(&self.plan, now.standing.as_ref());
        value["t"] = json!("run");
        value["id"] = json!(self.id);
        value["state"] = json!(now.state);
        value["error"] = json!(now.error);
        value["jobs"] = json!(self.jobs);
        value["watched"] = json!({
            "pair": now.watched.pair, "game": now.watched.game, "opening": now.watched.opening,
            "players": now.watched.players, "moves": now.watched.moves,
        });
        value
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
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

fn openings(name: &str, rule: Rule, size: u8) -> Result<Openings, String> {
    let whole = || Openings { symmetries: true, ..Openings::empty_board() };
    match name {
        "none" => Ok(Openings { repeat: true, ..Openings::empty_board() }),
        "" => Ok(book::shipped_for(rule, size).map_or_else(whole, |set| Openings::from_set(&set))),
        name => {
            let set = book::shipped_named(name).ok_or("There is no such set of openings.")?;
            if (set.rule, set.size) != (rule, size) {
                return Err(format!("{name} is for {} {1}x{1}.", set.rule, set.size));
            }
            Ok(Openings::from_set(&set))
        }
    }
}

pub(crate) fn budget(limit: WireLimits) -> Budget {
    Budget {
        depth: limit.depth,
        nodes: limit.nodes,
        evaluations: limit.evals,
        turn_ms: limit.ms,
        ..Budget::default()
    }
}

/// Only players of the registry: a program cannot be named from here.
pub(crate) fn check_spec(registry: &Registry, spec: &str) -> Result<(), String> {
    if spec.starts_with(COMMAND_PREFIX) {
        return Err("Programs can only be named on the command line.".to_owned());
    }
    registry.params(spec).map(drop).map_err(|error| error.to_string())
}

/// The name of a new run: what people called it, and the time.
pub(crate) fn run_id(name: &str) -> String {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
    format!("{}-{time}", slug(name))
}

/// A name for a folder.
fn slug(name: &str) -> String {
    let kept: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(40)
        .collect();
    let trimmed = kept.trim_matches('-');
    if trimmed.is_empty() { "run".to_owned() } else { trimmed.to_owned() }
}

impl fmt::Debug for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runs").field("folder", &self.folder).finish_non_exhaustive()
    }
}
