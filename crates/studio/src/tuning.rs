//! Tuning runs: started from a form, watched live, stopped and gone on with, kept over a crash.
//!
//! The log that `tune` writes is the truth; what pages see is read from it. A run that was going
//! when the server died is taken up again at the next start.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use arena::{Contender, Control, Factory, Openings, Plan, Threads, seed};
use gomoku::Rule;
use player::{Registry, Spec};
use serde::Deserialize;
use serde_json::{Value, json};
use tune::{
    CmaEs, Evolution, Genome, Hall, Line, Log, Method, News, Optimizer as _, Report, Search,
    Settings, Setup, Space, Spsa, Starts, TuneError,
};

use crate::{
    runs::{MARK, budget, check_spec, file_of_run, run_id},
    wire::WireLimits,
};

/// Runs at the same time.
const MAX_RUNNING: usize = 1;
const NEWS_INTERVAL: Duration = Duration::from_millis(250);
const LOG: &str = "tune.jsonl";
/// Points of a curve that are sent.
const MAX_STEPS: usize = 400;
const REPORT_FILES: [&str; 3] = ["report.md", "report.json", "report.html"];

/// What the form holds.
#[derive(Debug, Deserialize)]
pub(crate) struct Form {
    #[serde(default)]
    name: String,
    rule: String,
    size: u8,
    player: String,
    #[serde(default)]
    limit: WireLimits,
    /// What is varied, and between which values.
    params: Vec<FormParam>,
    /// `de-published`, `de`, `spsa`, `cma` or `regression`.
    method: String,
    generations: u64,
    games: u32,
    #[serde(default)]
    snapshot_games: u32,
    #[serde(default)]
    test_games: u64,
    #[serde(default)]
    seed: String,
    #[serde(default)]
    jobs: usize,
}

#[derive(Debug, Deserialize)]
struct FormParam {
    name: String,
    low: Option<f64>,
    high: Option<f64>,
}

/// All tuning runs of the server.
pub(crate) struct Tuning {
    folder: PathBuf,
    registry: Arc<Registry>,
    build: String,
    live: Mutex<BTreeMap<String, Arc<Run>>>,
    is_closing: AtomicBool,
    tell: Box<dyn Fn(String, Value) + Send + Sync>,
}

struct Run {
    id: String,
    control: Control,
    now: Mutex<Now>,
}

struct Now {
    state: &'static str,
    phase: String,
    done: u64,
    total: u64,
    error: Option<String>,
    told: Option<Instant>,
}

impl Tuning {
    /// The runs of a data folder; those that were going are taken up again.
    pub(crate) fn open(
        data: &Path,
        registry: Arc<Registry>,
        build: String,
        tell: Box<dyn Fn(String, Value) + Send + Sync>,
    ) -> Arc<Tuning> {
        let tuning = Arc::new(Tuning {
            folder: data.join("runs"),
            registry,
            build,
            live: Mutex::default(),
            is_closing: AtomicBool::new(false),
            tell,
        });
        let entries = fs::read_dir(&tuning.folder).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.path().join(LOG).is_file()) {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Ok(mark) = fs::read_to_string(entry.path().join(MARK)) {
                // A run that cannot be taken up stays in the list with its log.
                let _ = tuning.resume(&name, mark.trim().parse().unwrap_or(1));
            }
        }
        tuning
    }

    /// Starts a run from the form and gives its name.
    pub(crate) fn start(self: &Arc<Self>, form: &Form) -> Result<String, String> {
        let id = run_id(if form.name.is_empty() { "tune" } else { &form.name });
        let setup = self.setup(form, &id)?;
        self.check_room()?;
        let path = self.folder.join(&id).join(LOG);
        let log = Log::create(&path, &setup).map_err(|error| error.to_string())?;
        self.go(&id, log, form.jobs)?;
        Ok(id)
    }

    /// Goes on with a run.
    pub(crate) fn resume(self: &Arc<Self>, id: &str, jobs: usize) -> Result<(), String> {
        if self.find(id).is_some_and(|run| run.is_going()) {
            return Err("The run is going already.".to_owned());
        }
        self.check_room()?;
        let path = self.log(id).ok_or("There is no such run.")?;
        let log = Log::resume(&path).map_err(|error| error.to_string())?;
        let start = log.setup().game.players.first().ok_or("The run names no player.")?;
        check_spec(&self.registry, &start.spec)?;
        self.go(id, log, jobs)
    }

    pub(crate) fn stop(&self, id: &str) -> Result<(), String> {
        let run = self.find(id).filter(|run| run.is_going()).ok_or("The run is not going.")?;
        run.control.stop();
        run.lock().state = "stopping";
        (self.tell)(id.to_owned(), run.news());
        Ok(())
    }

    /// Breaks off every run without taking the marks away: they go on at the next start.
    pub(crate) fn shut_down(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        let going: Vec<_> = self.lock().values().filter(|run| run.is_going()).cloned().collect();
        going.iter().for_each(|run| run.control.stop());
        for _ in 0..200 {
            if going.iter().all(|run| Arc::strong_count(run) <= 2) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Every run, the latest first.
    pub(crate) fn list(&self) -> Vec<Value> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut all: Vec<_> = entries
            .filter_map(|entry| {
                let id = entry.file_name().to_string_lossy().into_owned();
                let path = self.log(&id)?;
                let changed = fs::metadata(&path).ok()?.modified().ok()?;
                let (setup, lines) = read_log(&path)?;
                Some((changed, self.brief(&id, &path, &setup, &lines)))
            })
            .collect();
        all.sort_by_key(|(changed, _)| std::cmp::Reverse(*changed));
        all.into_iter().map(|(_, brief)| brief).collect()
    }

    fn brief(&self, id: &str, path: &Path, setup: &Setup, lines: &[Line]) -> Value {
        let report = path.with_file_name("report").join("report.json");
        let is_done = report.is_file();
        let mut value = match self.find(id) {
            Some(run) => run.news(),
            None => json!({ "t": "tune", "id": id, "phase": "", "done": 0, "total": 0,
                "state": if is_done { "done" } else { "stopped" } }),
        };
        let done = lines.iter().filter(|line| matches!(line, Line::Generation(_))).count();
        let player = setup.game.players.first();
        value["player"] = json!(player.map(|player| &player.spec));
        value["method"] = json!(method_name(&setup.search));
        value["generation"] = json!(done);
        value["generations"] = json!(setup.generations);
        value
    }

    /// Everything there is to show of a run.
    pub(crate) fn show(&self, id: &str) -> Option<Value> {
        let path = self.log(id)?;
        let (setup, lines) = read_log(&path)?;
        let mut value = self.brief(id, &path, &setup, &lines);
        figures(&mut value, &setup, &lines);
        let report = path.with_file_name("report").join("report.json");
        value["report"] =
            fs::read(report).ok().and_then(|b| serde_json::from_slice(&b).ok()).unwrap_or_default();
        Some(value)
    }

    pub(crate) fn report(&self, id: &str, file: &str) -> Option<Vec<u8>> {
        let path = self.log(id).filter(|_| REPORT_FILES.contains(&file) || file == "best.toml")?;
        let folder = path.with_file_name("report");
        fs::read(if file == "best.toml" { path.with_file_name(file) } else { folder.join(file) })
            .ok()
    }

    fn setup(&self, form: &Form, id: &str) -> Result<Setup, String> {
        let rule: Rule = form.rule.parse().map_err(|error| format!("{error}"))?;
        check_spec(&self.registry, &form.player)?;
        let chosen: Vec<_> =
            form.params.iter().map(|one| (one.name.clone(), one.low.zip(one.high))).collect();
        let space =
            Space::new(&self.registry, &form.player, &chosen).map_err(|error| error.to_string())?;
        let seed = if form.seed.is_empty() { "1".to_owned() } else { form.seed.clone() };
        let generations = form.generations.clamp(1, 100_000);
        let (tuning, validation) = halves(rule, form.size)?;
        let published = form.method == "de-published";
        // The test is read from JSON, which is also how logs keep it.
        let schedule = serde_json::from_value(json!({
            "kind": "sprt", "max_pairs": form.test_games.min(1_000_000).div_ceil(2),
            "test": {
                "elo0": 0.0, "elo1": 20.0, "alpha": 0.05, "beta": 0.05,
                "model": "normalized", "min_pairs": 16, "overshoot": true,
            },
        }))
        .map_err(|error| format!("The test cannot be read: {error}."))?;
        let start = Contender {
            name: "start".to_owned(),
            spec: form.player.clone(),
            budget: budget(form.limit),
        };
        Ok(Setup {
            search: search(form, &space, generations, &seed)?,
            game: Plan {
                run: id.to_owned(),
                seed,
                rule,
                size: form.size,
                players: vec![start],
                schedule,
                openings: validation,
                adjudication: arena::Adjudication::default(),
                patience: arena::Patience::default(),
                deterministic: true,
                build: self.build.clone(),
            },
            space,
            starts: if published { Starts::Random } else { Starts::Openings(tuning) },
            generations,
            every: generations.div_ceil(6).max(1),
            snapshot_games: form.snapshot_games.min(10_000),
            tournament_games: published.then_some(20),
        })
    }

    fn check_room(&self) -> Result<(), String> {
        let going = self.lock().values().filter(|run| run.is_going()).count();
        if going < MAX_RUNNING { Ok(()) } else { Err("Another tuning run is going.".to_owned()) }
    }

    fn go(self: &Arc<Self>, id: &str, log: Log, jobs: usize) -> Result<(), String> {
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = if jobs == 0 { most.saturating_sub(1).max(1) } else { jobs.min(most) };
        let now = Now {
            state: "running",
            phase: String::new(),
            done: 0,
            total: 0,
            error: None,
            told: None,
        };
        let run =
            Arc::new(Run { id: id.to_owned(), control: Control::default(), now: Mutex::new(now) });
        let mark = log.path().with_file_name(MARK);
        fs::write(&mark, jobs.to_string()).map_err(|error| error.to_string())?;
        self.lock().insert(id.to_owned(), Arc::clone(&run));
        let tuning = Arc::clone(self);
        std::thread::Builder::new()
            .name("tune".to_owned())
            .spawn(move || tuning.run(&run, log, jobs, &mark))
            .map(drop)
            .map_err(|error| error.to_string())
    }

    fn run(&self, run: &Run, mut log: Log, jobs: usize, mark: &Path) {
        let ended = self.tune(run, &mut log, jobs);
        // Whoever sees the end may go on at once: the log is closed and the mark gone before.
        drop(log);
        if ended.is_ok() || !self.is_closing.load(Ordering::Relaxed) {
            // A mark that stays only makes the run go on at the next start.
            let _ = fs::remove_file(mark);
        }
        {
            let mut now = run.lock();
            match ended {
                Ok(()) => now.state = "done",
                Err(TuneError::Interrupted) => now.state = "stopped",
                Err(_) if run.control.is_stopped() => now.state = "stopped",
                Err(error) => {
                    now.state = "failed";
                    now.error = Some(error.to_string());
                }
            }
        }
        (self.tell)(run.id.clone(), run.news());
    }

    fn tune(&self, run: &Run, log: &mut Log, jobs: usize) -> Result<(), TuneError> {
        let registry = Arc::clone(&self.registry);
        let factory: Factory =
            Arc::new(move |spec| registry.build(spec).map_err(|error| error.to_string()));
        let folder = log.path().parent().unwrap_or(Path::new(".")).to_owned();
        let mut threads = Threads::start(jobs, &factory, &run.control);
        let mut hall = Hall { dispatcher: &mut threads, control: &run.control };
        let outcome = tune::tune(log, &folder, &self.registry, &mut hall, &mut |news| {
            if run.take(news) {
                (self.tell)(run.id.clone(), run.news());
            }
        })?;
        Ok(Report::new(log, &outcome).write(&folder.join("report"))?)
    }

    fn log(&self, id: &str) -> Option<PathBuf> {
        file_of_run(&self.folder, id, LOG)
    }

    fn find(&self, id: &str) -> Option<Arc<Run>> {
        self.lock().get(id).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Run>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Run {
    fn is_going(&self) -> bool {
        matches!(self.lock().state, "running" | "stopping")
    }

    /// Takes news; says whether pages should be told now.
    fn take(&self, news: &News) -> bool {
        let mut now = self.lock();
        now.phase.clone_from(&news.phase);
        (now.done, now.total) = (news.done, news.total);
        let due = now.told.is_none_or(|told| told.elapsed() >= NEWS_INTERVAL);
        if due {
            now.told = Some(Instant::now());
        }
        due
    }

    fn news(&self) -> Value {
        let now = self.lock();
        json!({
            "t": "tune", "id": self.id, "state": now.state, "phase": now.phase,
            "done": now.done, "total": now.total, "error": now.error,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn search(form: &Form, space: &Space, generations: u64, seed: &str) -> Result<Search, String> {
    let seed = seed::derive(&[seed::Part::Text("tune/v1/method"), seed::Part::Text(seed)]);
    let games = form.games.clamp(1, 100_000);
    let evolution =
        |settings| Method::De(Evolution::new(space, Settings { games, ..settings }, seed));
    Ok(Search::Duels(match form.method.as_str() {
        "regression" => return Ok(Search::Regression { games }),
        "de-published" => evolution(Settings::published()),
        "de" => evolution(Settings::for_noise()),
        "spsa" => Method::Spsa(Spsa::new(space, generations, games, seed)),
        "cma" => Method::Cma(CmaEs::new(space, 0.15, None, games, seed)),
        other => return Err(format!("There is no method '{other}'.")),
    }))
}

/// Openings to tune on and openings to test on; they share none.
fn halves(rule: Rule, size: u8) -> Result<(Openings, Openings), String> {
    let set = book::shipped_for(rule, size)
        .ok_or_else(|| format!("There are no openings to tune on for {rule} {size}x{size}."))?;
    let half = |half| Openings::from_set(&set.half(half));
    Ok((half(book::Half::Tuning), half(book::Half::Validation)))
}

fn method_name(search: &Search) -> &'static str {
    match search {
        Search::Regression { .. } => "regression",
        Search::Duels(Method::De(_)) => "de",
        Search::Duels(Method::Spsa(_)) => "spsa",
        Search::Duels(Method::Cma(_)) => "cma",
    }
}

/// The setup and every whole line after it. The run may be writing at this moment.
fn read_log(path: &Path) -> Option<(Setup, Vec<Line>)> {
    let bytes = fs::read(path).ok()?;
    let mut lines = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .filter(|line| line.ends_with(b"\n"))
        .map_while(|line| serde_json::from_slice::<Line>(line).ok());
    let Some(Line::Header { setup, .. }) = lines.next() else { return None };
    Some((*setup, lines.collect()))
}

/// Adds everything that is drawn.
fn figures(value: &mut Value, setup: &Setup, lines: &[Line]) {
    let game = &setup.game;
    let genes = setup.space.genes.iter().map(|gene| {
        json!({ "name": gene.name, "low": gene.low, "high": gene.high, "start": gene.start })
    });
    value["rule"] = json!(game.rule.name());
    value["size"] = json!(game.size);
    value["seed"] = json!(game.seed);
    value["genes"] = json!(genes.collect::<Vec<_>>());
    value["startAt"] = json!(setup.space.start().0);
    let generations: Vec<_> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Generation(generation) => Some(generation),
            _ => None,
        })
        .collect();
    let stride = generations.len().div_ceil(MAX_STEPS).max(1);
    let last = generations.len().saturating_sub(1);
    let steps = generations.iter().enumerate().filter(|(i, _)| i % stride == 0 || *i == last);
    value["steps"] = json!(
        steps
            .map(|(_, one)| {
                let (best, mean, worst, games) = scores(&one.duels);
                json!({
                    "generation": one.generation, "best": best, "mean": mean, "worst": worst,
                    "games": games, "answer": one.answer.0, "spread": spread(&one.state.population()),
                })
            })
            .collect::<Vec<_>>()
    );
    let now = generations.last();
    let population = now.map(|one| one.state.population()).unwrap_or_default();
    value["population"] = json!(population.iter().take(64).map(|one| &one.0).collect::<Vec<_>>());
    let fit = lines.iter().find_map(|line| match line {
        Line::Fit(fit) => Some(&fit.answer),
        _ => None,
    });
    let typed: Option<Spec> = game.players.first().and_then(|player| player.spec.parse().ok());
    if let (Some(answer), Some(typed)) = (fit.or(now.map(|one| &one.answer)), typed) {
        let values = setup.space.decode(answer).into_iter().map(|(_, value)| value.to_string());
        value["best"] = json!(setup.space.spec(&typed, answer).to_string());
        value["values"] = json!(values.collect::<Vec<_>>());
    }
    let snapshots = lines.iter().filter_map(|line| match line {
        Line::Snapshot(one) => Some(json!([one.generation, one.score(), one.games()])),
        _ => None,
    });
    value["snapshots"] = json!(snapshots.collect::<Vec<_>>());
}

/// The best, mean and worst score of the tried against the kept, and all games together.
fn scores(duels: &[Vec<u8>]) -> (f64, f64, f64, usize) {
    let score = |points: &Vec<u8>| {
        let sum: u32 = points.iter().map(|&p| u32::from(p)).sum();
        f64::from(sum) / (2.0 * points.len().max(1) as f64)
    };
    let all: Vec<f64> = duels.iter().map(score).collect();
    let games: usize = duels.iter().map(Vec::len).sum();
    let points: u32 = duels.iter().flatten().map(|&p| u32::from(p)).sum();
    let best = all.iter().copied().fold(0.0, f64::max);
    let worst = all.iter().copied().fold(1.0, f64::min);
    (best, f64::from(points) / (2.0 * games.max(1) as f64), worst, games)
}

/// How far a population lies apart: the mean of the genes' standard deviations.
fn spread(population: &[Genome]) -> f64 {
    let Some(first) = population.first() else { return 0.0 };
    let n = population.len() as f64;
    let deviation = |gene: usize| {
        let mean = population.iter().map(|one| one.0[gene]).sum::<f64>() / n;
        (population.iter().map(|one| (one.0[gene] - mean).powi(2)).sum::<f64>() / n).sqrt()
    };
    (0..first.0.len()).map(deviation).sum::<f64>() / first.0.len().max(1) as f64
}

impl fmt::Debug for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tuning").field("folder", &self.folder).finish_non_exhaustive()
    }
}
