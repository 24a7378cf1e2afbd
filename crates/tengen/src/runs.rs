//! What `match` and `tournament` share: from arguments to a plan, to a journal, to the result.

use std::{
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use arena::{
    Budget, COMMAND_PREFIX, Contender, DEFAULT_SEED, Dispatcher, Event, Journal, Openings,
    OpeningsError, Plan, Report, ReservedName, RunControl, Schedule, Standing, Threads,
    check_run_name, short_spec,
};
use player::Limits;
use stats::{Verdict, rating_text};

use crate::{
    args::{GameArgs, LimitArgs, NatsArgs},
    cmd, data,
    players::{factory, registry, resolve},
    show::{self, outln},
};

/// Arguments of every command that plays games.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Limits for the first player only, such as "nodes=2000" or "time=1s,depth=6"
    #[arg(long, value_name = "LIMITS")]
    limits_a: Option<String>,
    /// A built-in set (see 'tengen openings list'), a file of openings, or "none"
    #[arg(long, value_name = "SET|FILE")]
    pub(crate) openings: Option<String>,
    /// Random seed, any text: the same seed gives the same games
    #[arg(long, default_value = DEFAULT_SEED)]
    pub(crate) seed: String,
    /// Games played at the same time (default: one per core)
    #[arg(long, value_name = "J")]
    pub(crate) jobs: Option<usize>,
    /// Have the games played by 'tengen worker' on other machines, through this NATS server
    #[arg(long, value_name = "URL", conflicts_with = "jobs")]
    dispatch: Option<String>,
    #[command(flatten)]
    nats: NatsArgs,
    /// Resume an interrupted run, given its name or folder
    #[arg(long, value_name = "RUN")]
    pub(crate) resume: Option<String>,
    /// Name of the run (default: the date and time in UTC and who plays)
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Write the report (HTML, Markdown, JSON, CSV, SGF) to this folder too
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl RunArgs {
    /// The openings that were named, or those made for the game.
    pub(crate) fn openings(&self) -> Result<Openings> {
        let (rule, size) = (self.game.rule, self.game.size);
        let Some(name) = &self.openings else { return Ok(Openings::default_for(rule, size)) };
        match Openings::named(name, rule, size) {
            Err(OpeningsError::Unknown(..)) if Path::new(name).is_file() => {
                let bytes = std::fs::read(name).with_context(|| format!("Cannot read {name}"))?;
                Ok(Openings::read(name, &bytes, rule, size)?)
            }
            found => Ok(found?),
        }
    }

    /// The name of a new run: the one that was given, or one of its own.
    pub(crate) fn new_name(&self, runs: &Path, about: &str) -> Result<RunName> {
        if let Some(name) = &self.name {
            check_run_name(name)?;
            return Ok(RunName::Given(name.clone()));
        }
        let reserved = ReservedName::take(runs, about);
        let failed = || format!("No folder can be made in {}", runs.display());
        Ok(RunName::Reserved(reserved.with_context(failed)?))
    }

    /// The plan of a run under this name.
    pub(crate) fn plan(
        &self,
        name: &RunName,
        players: Vec<Contender>,
        schedule: Schedule,
    ) -> Result<Plan> {
        let (rule, size) = (self.game.rule, self.game.size);
        let deterministic = players.iter().all(Contender::is_deterministic);
        let plan = Plan::new(name.text(), rule, size, players, schedule, self.openings()?);
        let (seed, build) = (self.seed.clone(), crate::BUILD.to_owned());
        let title = self.name.clone().unwrap_or_default();
        Ok(Plan { title, seed, build, deterministic, ..plan })
    }

    /// Who plays the pairs of the run with this plan and journal.
    pub(crate) fn dispatcher(
        &self,
        plan: &Plan,
        journal: &Path,
        control: &RunControl,
    ) -> Result<Box<dyn Dispatcher>> {
        let fleet = self.dispatch.as_deref().map(|url| self.nats.access(url)).transpose()?;
        dispatcher(fleet, self.jobs, journal, plan.is_reproducible(), control)
    }
}

/// The name of a new run.
#[derive(Debug)]
pub(crate) enum RunName {
    Given(String),
    /// Its folder is there; it goes away again if nothing is put into it.
    Reserved(ReservedName),
}

impl RunName {
    pub(crate) fn text(&self) -> &str {
        match self {
            RunName::Given(name) => name,
            RunName::Reserved(reserved) => reserved.name(),
        }
    }
}

/// Who plays, in a few words for a name.
fn about(kind: &str, players: &[String]) -> String {
    match players {
        [a, b] => format!("{} vs {}", short_spec(a), short_spec(b)),
        _ => format!("{kind} of {}", players.len()),
    }
}

/// Plays a new run or resumes an old one, and prints the result.
pub(crate) fn run(
    args: &RunArgs,
    kind: &str,
    players: &[String],
    schedule: Schedule,
) -> Result<()> {
    let folder = data::folder()?.join("runs");
    let control = RunControl::default();
    interrupt_on_ctrl_c(&control)?;
    let (plan, mut journal, recorded, mut dispatcher) = match &args.resume {
        Some(name) => {
            let path = journal_path(&folder, name);
            let (journal, recorded) = Journal::resume(&path)?;
            let dispatcher = args.dispatcher(&recorded.plan, &path, &control)?;
            (recorded.plan, journal, recorded.pairs, dispatcher)
        }
        None => {
            let contenders = contenders(args, players)?;
            let name = args.new_name(&folder, &about(kind, players))?;
            let plan = args.plan(&name, contenders, schedule)?;
            plan.check()?;
            let path = folder.join(&plan.run).join("journal.jsonl");
            // A fleet that cannot be reached leaves no empty run behind.
            let dispatcher = args.dispatcher(&plan, &path, &control)?;
            (plan.clone(), Journal::create(&path, &plan)?, Vec::new(), dispatcher)
        }
    };
    let mut progress = ProgressLine::new(args.json);
    let outcome =
        arena::run(&plan, recorded, &mut journal, &mut *dispatcher, &control, &mut |event| {
            match event {
                Event::Note(text) => eprintln!("{text}"),
                Event::Finished { standing, .. } => progress.show(|| headline(&plan, standing)),
                _ => {}
            }
        })?;
    progress.clear();
    let report = Report::new(&plan, &outcome);
    let beside = journal.path().with_file_name("report");
    for folder in [Some(&beside), args.report.as_ref()].into_iter().flatten() {
        report
            .write(&plan, &outcome.pairs, folder)
            .with_context(|| format!("The report cannot be written to {}", folder.display()))?;
    }
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report, outcome.standing.elapsed.as_secs_f64());
        outln!(
            "Journal {}\nReport  {}",
            journal.path().display(),
            beside.join("report.html").display()
        );
    }
    Ok(())
}

/// Threads of this process, or the machines behind a server.
pub(crate) fn dispatcher(
    fleet: Option<fleet::Access>,
    jobs: Option<usize>,
    journal: &Path,
    reproducible: bool,
    control: &RunControl,
) -> Result<Box<dyn Dispatcher>> {
    if let Some(access) = fleet {
        let options = fleet::Options {
            access,
            // The journal is what a resumed run has in common with its beginning.
            run: std::path::absolute(journal)
                .unwrap_or_else(|_| journal.to_owned())
                .display()
                .to_string(),
            signature: cmd::worker::signature(),
            timing: fleet::Timing::default(),
            reproducible,
        };
        return Ok(Box::new(fleet::Fleet::connect(&options, &factory(), control)?));
    }
    let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    Ok(Box::new(Threads::start(jobs, &factory(), control)))
}

fn journal_path(folder: &Path, name: &str) -> PathBuf {
    let direct = Path::new(name);
    match () {
        () if direct.is_file() => direct.to_owned(),
        () if direct.is_dir() => direct.join("journal.jsonl"),
        () => folder.join(name).join("journal.jsonl"),
    }
}

fn contenders(args: &RunArgs, players: &[String]) -> Result<Vec<Contender>> {
    let common = Budget::from(args.limits.limits());
    let first = args.limits_a.as_deref().map_or(Ok(common), parse_budget)?;
    let mut named = Vec::new();
    for text in players {
        let spec = resolve(text)?;
        if !spec.starts_with(COMMAND_PREFIX) {
            registry().params(&spec)?;
        }
        let budget = if named.is_empty() { first } else { common };
        named.push((text.clone(), spec, budget));
    }
    Ok(Contender::numbered(named))
}

/// Reads `nodes=2000,time=1s`.
fn parse_budget(text: &str) -> Result<Budget> {
    let mut limits = Limits::default();
    for part in text.split(',') {
        let (key, value) = part.split_once('=').with_context(|| {
            format!("'{part}' is not a limit: expected depth=, nodes=, evals= or time=")
        })?;
        match key.trim() {
            "depth" => limits.depth = Some(value.trim().parse().context("depth is a number")?),
            "nodes" => limits.nodes = Some(crate::args::parse_count(value.trim())?),
            "evals" => limits.evaluations = Some(crate::args::parse_count(value.trim())?),
            "time" => limits.turn = Some(crate::args::parse_duration(value.trim())?),
            other => bail!("'{other}' is not a limit: expected depth, nodes, evals or time."),
        }
    }
    Ok(Budget::from(limits))
}

/// Once finishes what is in flight, twice stops.
pub(crate) fn interrupt_on_ctrl_c(control: &RunControl) -> Result<()> {
    let control = control.clone();
    ctrlc::set_handler(move || {
        if !control.is_finishing() {
            eprintln!("\nFinishing the games in progress; press Ctrl-C again to stop at once.");
        }
        control.interrupt();
    })
    .context("Cannot listen for Ctrl-C")
}

/// One line on the terminal that says where the run stands.
pub(crate) struct ProgressLine {
    quiet: bool,
    shown: Option<Instant>,
    /// What was done when the first bar was shown, and when that was.
    begun: Option<(u64, Instant)>,
}

impl ProgressLine {
    pub(crate) fn new(quiet: bool) -> ProgressLine {
        ProgressLine { quiet: quiet || !std::io::stderr().is_terminal(), shown: None, begun: None }
    }

    /// Shows a bar after a few words.
    pub(crate) fn bar(&mut self, words: &str, done: u64, total: u64) {
        let (first, at) = *self.begun.get_or_insert_with(|| (done, Instant::now()));
        let rate = done.saturating_sub(first) as f64 / at.elapsed().as_secs_f64();
        self.show(|| format!("{words} {}", show::progress(done, total, rate)));
    }

    /// Shows the line if somebody watches and the last one is a little old.
    pub(crate) fn show(&mut self, line: impl FnOnce() -> String) {
        let is_due = self.shown.is_none_or(|at| at.elapsed() > Duration::from_millis(250));
        if !self.quiet && is_due {
            eprint!("\r\x1b[K{}", line());
            let _ = std::io::stderr().flush(); // a lost progress line is no loss
            self.shown = Some(Instant::now());
        }
    }

    pub(crate) fn clear(&mut self) {
        if self.shown.take().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

/// `A 61 – 12 – 27 B, +118 ± 41 Elo (95 %), games [#####...] 100/400, 2.1/s, 3 min left`.
fn headline(plan: &Plan, standing: &Standing) -> String {
    let mut text = String::new();
    if let (2, Some(tally)) = (plan.players.len(), standing.count.meetings.get(&(0, 1))) {
        let [losses, draws, wins] = tally.games.0;
        let estimate = tally.estimate();
        text += &format!(
            "{} {wins} – {draws} – {losses} {}, {} Elo (95 %), ",
            plan.players[0].name,
            plan.players[1].name,
            estimate.elo_text(0)
        );
    }
    if let Some(trial) = &standing.trial {
        let (low, high) = trial.bounds();
        text += &format!("LLR {:.2} [{low:.2}, {high:.2}], ", trial.llr());
    }
    let games = 2 * standing.played;
    match standing.total {
        Some(total) => {
            let rate = 2.0 * standing.played_now as f64 / standing.elapsed.as_secs_f64();
            text += &format!("games {}", show::progress(games, 2 * total, rate));
        }
        None => text += &format!("{games} games"),
    }
    text
}

fn print(report: &Report, seconds: f64) {
    for meeting in &report.meetings {
        let (games, estimate) = (&meeting.games, &meeting.estimate);
        outln!("{} against {}", meeting.first, meeting.second);
        outln!(
            "  games  {} won, {} drawn, {} lost; {:.1} %",
            games.wins(),
            games.draws(),
            games.losses(),
            100.0 * estimate.score
        );
        outln!("  pairs  {:?} with 0, ½, 1, 1½ and 2 points", meeting.pairs.0);
        let los = 100.0 * estimate.los;
        match estimate.elo_bound {
            Some(_) => outln!("  Elo    {} (95 %), LOS {los:.1} %", estimate.elo_text(1)),
            None => outln!(
                "  Elo    {} [{:+.1}, {:+.1}] (95 %), LOS {los:.1} %",
                estimate.elo_text(1),
                estimate.elo_low,
                estimate.elo_high
            ),
        }
    }
    if let Some(line) = &report.test {
        let verdict = match line.verdict {
            Verdict::AcceptH1 => "accepted",
            Verdict::AcceptH0 => "rejected",
            Verdict::Undecided => "undecided",
        };
        let (low, high) = (line.test.elo0, line.test.elo1);
        outln!(
            "SPRT   [{low}, {high}] {verdict}, LLR {:.3} [{:.3}, {:.3}]",
            line.llr,
            line.lower,
            line.upper
        );
    }
    if report.players.len() > 2 {
        outln!("Elo with 95 % intervals; the mean of the players is zero");
        for (rank, line) in report.players.iter().enumerate() {
            let rated = line.elo.zip(line.elo_error);
            let rating = rated.map(|(elo, error)| rating_text(line.score, elo, error, 1));
            outln!(
                "{:>3}. {:>16} {:5.1} %  {}",
                rank + 1,
                rating.unwrap_or_default(),
                100.0 * line.score,
                line.name
            );
        }
    }
    let [black, white, draws] = report.colors;
    outln!("Black {black}, White {white}, draws {draws}; {seconds:.1} s");
    let endings: Vec<_> =
        report.endings.iter().map(|(ending, n)| format!("{ending} {n}")).collect();
    outln!("Endings: {}", endings.join(", "));
    match &report.digest {
        Some(digest) => outln!("Digest {digest}"),
        None => outln!("Not reproducible: the clock or the machine affects the games."),
    }
    outln!("{}", report.stop.sentence());
}
