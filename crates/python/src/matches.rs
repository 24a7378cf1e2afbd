//! `tengen.match`: who is stronger, with the arena's statistics.

use std::{
    fs,
    path::{Path, PathBuf},
    process,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use arena::{
    Budget, COMMAND_PREFIX, Contender, DispatchError, Dispatcher, Event, Factory, Journal, News,
    Openings, PairJob, PairRecord, Plan, Report, RunControl, Schedule, Threads,
};
use gomoku::Position;
use player::Watch as _;
use pyo3::{
    prelude::*,
    types::{PyAny, PyString},
};
use stats::{Estimate, Sprt, Trinomial};

use crate::{
    arguments::{self, limits, refuse, threads},
    game::PyGame,
    players::registry,
    position::PyPosition,
    signals::Signals,
};

/// What results say about the difference between two players, at 95 %.
#[pyclass(name = "Estimate", module = "tengen", frozen, get_all)]
pub(crate) struct PyEstimate {
    /// Games counted.
    games: u64,
    /// Points a game, 0 to 1.
    score: f64,
    /// Elo difference; infinite after a perfect score.
    elo: f64,
    /// Lower end of its interval.
    elo_low: f64,
    /// Upper end of its interval.
    elo_high: f64,
    /// Likelihood of superiority: the probability that the first player is the stronger one.
    los: f64,
    /// The difference in units of noise, or None if all results are the same.
    normalized_elo: Option<f64>,
    /// The difference as people read it.
    text: String,
}

#[pymethods]
impl PyEstimate {
    fn __repr__(&self) -> String {
        format!("<Estimate {} Elo from {} games>", self.text, self.games)
    }
}

impl From<&Estimate> for PyEstimate {
    fn from(estimate: &Estimate) -> PyEstimate {
        PyEstimate {
            games: estimate.games,
            score: estimate.score,
            elo: estimate.elo,
            elo_low: estimate.elo_low,
            elo_high: estimate.elo_high,
            los: estimate.los,
            normalized_elo: estimate.nelo,
            text: estimate.elo_text(1),
        }
    }
}

/// What so many games won, drawn and lost say about the difference between two players.
///
/// >>> tengen.elo(42, 0, 18)
/// <Estimate +147.2 ± 99.9 Elo from 60 games>
#[pyfunction]
pub(crate) fn elo(wins: u64, draws: u64, losses: u64) -> PyEstimate {
    PyEstimate::from(&Estimate::of(&Trinomial::new(wins, draws, losses)))
}

/// What a match or a tournament has shown.
#[pyclass(name = "Report", module = "tengen", frozen)]
pub(crate) struct PyReport {
    plan: Plan,
    pairs: Vec<PairRecord>,
    report: Report,
}

#[pymethods]
impl PyReport {
    /// Games won by the first player, in a match of two.
    #[getter]
    fn wins(&self) -> PyResult<u64> {
        Ok(self.games_of_two()?.wins())
    }

    /// Games drawn, in a match of two.
    #[getter]
    fn draws(&self) -> PyResult<u64> {
        Ok(self.games_of_two()?.draws())
    }

    /// Games lost by the first player, in a match of two.
    #[getter]
    fn losses(&self) -> PyResult<u64> {
        Ok(self.games_of_two()?.losses())
    }

    /// Color-swapped pairs of games by what the first player scored: 0, 1/2, 1, 3/2 and 2 points.
    #[getter]
    fn pairs(&self) -> PyResult<[u64; 5]> {
        Ok(self.meeting()?.pairs.0)
    }

    /// The difference in strength, in a match of two, from the pairs.
    #[getter]
    fn estimate(&self) -> PyResult<PyEstimate> {
        Ok(PyEstimate::from(&self.meeting()?.estimate))
    }

    /// What the sequential test says: "accepted", "rejected", "undecided", or None without a test.
    #[getter]
    fn verdict(&self) -> Option<&'static str> {
        self.report.test.as_ref().map(|line| match line.verdict {
            stats::Verdict::AcceptH1 => "accepted",
            stats::Verdict::AcceptH0 => "rejected",
            stats::Verdict::Undecided => "undecided",
        })
    }

    /// Why no more games were played, as a sentence.
    #[getter]
    fn stop(&self) -> &'static str {
        self.report.stop.sentence()
    }

    /// SHA-256 of the games, or None if they depend on the clock or the machine.
    #[getter]
    fn digest(&self) -> Option<&str> {
        self.report.digest.as_deref()
    }

    /// The games, in the order of the schedule.
    fn games(&self) -> PyResult<Vec<PyGame>> {
        let numbered = self.pairs.iter().flat_map(|pair| [(pair, 0), (pair, 1)]);
        let played = numbered.map(|(pair, number)| arena::played_game(&self.plan, pair, number));
        played.map(|game| game.map(PyGame).map_err(refuse)).collect()
    }

    /// Everything as a dictionary: players with their ratings, meetings, endings and more.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = serde_json::to_string(&self.report).map_err(refuse)?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// The report as Markdown.
    fn to_markdown(&self) -> String {
        self.report.to_markdown()
    }

    /// Writes the report as HTML, Markdown, JSON and CSV, and the games as SGF, into a folder.
    fn write(&self, folder: PathBuf) -> PyResult<()> {
        Ok(self.report.write(&self.plan, &self.pairs, &folder)?)
    }

    /// Number of games.
    fn __len__(&self) -> usize {
        2 * self.pairs.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        match self.report.meetings.as_slice() {
            [meeting] => {
                let [losses, draws, wins] = meeting.games.0;
                let (first, second) = (&meeting.first, &meeting.second);
                let elo = meeting.estimate.elo_text(0);
                format!("<Report {first} {wins} - {draws} - {losses} {second}, {elo} Elo>")
            }
            _ => {
                let (players, games) = (self.report.players.len(), self.report.games);
                format!("<Report of {players} players in {games} games>")
            }
        }
    }
}

impl PyReport {
    fn meeting(&self) -> PyResult<&arena::MeetingLine> {
        match self.report.meetings.as_slice() {
            [meeting] => Ok(meeting),
            _ => Err(refuse("More than two have played: ask to_dict() for the meetings.")),
        }
    }

    fn games_of_two(&self) -> PyResult<Trinomial> {
        Ok(self.meeting()?.games)
    }
}

/// Plays a match of two: color-swapped pairs of games from balanced openings, on all cores.
///
/// `openings` is the name of a set, "none", or a list of positions or texts; when all are used up the
/// match ends, because playing them again would only repeat games. `sprt=(0, 10)` stops as
/// soon as the test is decided. The same seed gives the same games at any number of threads, but for
/// limits in seconds. With a `folder` the games are kept there, and a run that was interrupted goes on
/// where it stopped. `progress` is called with the games played so far.
///
/// >>> report = tengen.match("greedy", "random", games=4, size=9, openings=["e5", "e5 d4"])
/// >>> report.wins, report.draws, report.losses, len(report.games())
/// (4, 0, 0, 4)
#[pyfunction(name = "match")]
#[pyo3(signature = (
    a, b, *, games = None, rule = "freestyle", size = 15, nodes = None, depth = None,
    evaluations = None, seconds = None, openings = None, seed = "1", sprt = None,
    threads = None, folder = None, progress = None
))]
pub(crate) fn play_match(
    py: Python<'_>,
    a: String,
    b: String,
    games: Option<u64>,
    rule: &str,
    size: i64,
    nodes: Option<u64>,
    depth: Option<u32>,
    evaluations: Option<u64>,
    seconds: Option<f64>,
    openings: Option<&Bound<'_, PyAny>>,
    seed: &str,
    sprt: Option<(f64, f64)>,
    threads: Option<usize>,
    folder: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyReport> {
    let test = sprt.map(|(low, high)| Sprt::new(low, high)).transpose().map_err(refuse)?;
    let game = (arguments::rule(rule)?, arguments::size(size)?);
    let plan = Plan {
        seed: seed.to_owned(),
        ..Plan::new(
            "match",
            game.0,
            game.1,
            contenders(&[a, b], Budget::from(limits(nodes, depth, evaluations, seconds)?))?,
            Schedule::match_of(games, test),
            self::openings(openings, game)?,
        )
    };
    run(py, plan, self::threads(threads)?, folder, progress)
}

/// Plays a tournament: "round-robin", or a "gauntlet" of the first player against the others, or a
/// "ladder". `games` is for each pairing; everything else is as in `match`.
///
/// >>> report = tengen.tournament(["greedy", "random", "alpha-beta(depth=1)"], games=2, size=9)
/// >>> len(report), len(report.to_dict()["players"])
/// (6, 3)
#[pyfunction]
#[pyo3(signature = (
    players, kind = "round-robin", *, games = 20, rule = "freestyle", size = 15, nodes = None,
    depth = None, evaluations = None, seconds = None, openings = None, seed = "1",
    threads = None, folder = None, progress = None
))]
pub(crate) fn tournament(
    py: Python<'_>,
    players: Vec<String>,
    kind: &str,
    games: u64,
    rule: &str,
    size: i64,
    nodes: Option<u64>,
    depth: Option<u32>,
    evaluations: Option<u64>,
    seconds: Option<f64>,
    openings: Option<&Bound<'_, PyAny>>,
    seed: &str,
    threads: Option<usize>,
    folder: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyReport> {
    let pairs = games.div_ceil(2);
    let schedule = match kind {
        "round-robin" => Schedule::RoundRobin { pairs },
        "gauntlet" => Schedule::Gauntlet { pairs },
        "ladder" => Schedule::Ladder { pairs },
        _ => {
            let expected = "expected round-robin, gauntlet or ladder";
            return Err(refuse(format!("There is no kind '{kind}': {expected}.")));
        }
    };
    let game = (arguments::rule(rule)?, arguments::size(size)?);
    let budget = Budget::from(limits(nodes, depth, evaluations, seconds)?);
    let (players, openings) = (contenders(&players, budget)?, self::openings(openings, game)?);
    let plan = Plan {
        seed: seed.to_owned(),
        ..Plan::new("tournament", game.0, game.1, players, schedule, openings)
    };
    run(py, plan, self::threads(threads)?, folder, progress)
}

fn contenders(specs: &[String], budget: Budget) -> PyResult<Vec<Contender>> {
    for spec in specs.iter().filter(|spec| !spec.starts_with(COMMAND_PREFIX)) {
        registry().params(spec).map_err(refuse)?;
    }
    Ok(Contender::numbered(specs.iter().map(|spec| (spec.clone(), spec.clone(), budget))))
}

fn openings(
    given: Option<&Bound<'_, PyAny>>,
    (rule, size): (gomoku::Rule, u8),
) -> PyResult<Openings> {
    let Some(given) = given else { return Ok(Openings::default_for(rule, size)) };
    if let Ok(name) = given.cast::<PyString>() {
        return Openings::named(name.to_str()?, rule, size).map_err(refuse);
    }
    let text = |one: Bound<'_, PyAny>| match one.cast::<PyPosition>() {
        Ok(position) => Ok(position.get().0.to_text()),
        Err(_) => Ok(Position::parse(one.extract()?, rule, size).map_err(refuse)?.to_text()),
    };
    let positions = given.try_iter()?.map(|one| text(one?)).collect::<PyResult<_>>()?;
    let name = "given".to_owned();
    Ok(Openings { name, positions, symmetries: false, repeat: false })
}

/// Plays a plan, or the rest of it.
fn run(
    py: Python<'_>,
    mut plan: Plan,
    n_threads: usize,
    folder: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyReport> {
    plan.deterministic = plan.players.iter().all(Contender::is_deterministic);
    plan.build = concat!("tengen for Python ", env!("CARGO_PKG_VERSION")).to_owned();
    plan.check().map_err(refuse)?;
    let folder = Folder::new(folder);
    let (mut journal, recorded) = open_journal(&folder.path.join("journal.jsonl"), &mut plan)?;
    let signals = Signals::start();
    let control = RunControl::default();
    let outcome = py.detach(|| {
        let factory: Factory =
            Arc::new(|spec| registry().build(spec).map_err(|error| error.to_string()));
        let threads = Threads::start(n_threads, &factory, &control);
        let mut watched = Watched { threads, signals: &signals, control: &control };
        arena::run(&plan, recorded, &mut journal, &mut watched, &control, &mut |event| {
            if let (Event::Finished { standing, .. }, Some(progress)) = (event, &progress) {
                let games = 2 * standing.counted;
                signals.call(|py| progress.call1(py, (games,)).map(drop));
            }
        })
    });
    let outcome = signals.end(outcome)?.map_err(refuse)?;
    let report = Report::new(&plan, &outcome);
    Ok(PyReport { plan, pairs: outcome.pairs, report })
}

/// The journal of a new run, or of one that goes on if it has the same plan.
fn open_journal(path: &Path, plan: &mut Plan) -> PyResult<(Journal, Vec<PairRecord>)> {
    if !path.is_file() {
        return Ok((Journal::create(path, plan).map_err(refuse)?, Vec::new()));
    }
    let (journal, recorded) = Journal::resume(path).map_err(refuse)?;
    plan.build.clone_from(&recorded.plan.build);
    if recorded.plan != *plan {
        return Err(refuse(format!("{} is the journal of another match.", path.display())));
    }
    Ok((journal, recorded.pairs))
}

/// Where the journal is; a folder that nobody named goes away again.
struct Folder {
    path: PathBuf,
    is_temporary: bool,
}

impl Folder {
    fn new(named: Option<PathBuf>) -> Folder {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = || format!("tengen-{}-{}", process::id(), COUNT.fetch_add(1, Relaxed));
        let is_temporary = named.is_none();
        Folder { path: named.unwrap_or_else(|| std::env::temp_dir().join(name())), is_temporary }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_temporary {
            // What cannot be removed now is the system's to remove.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Threads, and a look at Python's signals while they play.
struct Watched<'a> {
    threads: Threads,
    signals: &'a Signals,
    control: &'a RunControl,
}

impl Dispatcher for Watched<'_> {
    fn capacity(&self) -> usize {
        self.threads.capacity()
    }

    fn submit(&mut self, job: PairJob) -> Result<(), DispatchError> {
        self.threads.submit(job)
    }

    fn next(&mut self, wait: Duration) -> Result<Option<News>, DispatchError> {
        if self.signals.stopped() {
            self.control.stop();
        }
        self.threads.next(wait)
    }

    fn withdraw(&mut self) -> Vec<u64> {
        self.threads.withdraw()
    }
}
