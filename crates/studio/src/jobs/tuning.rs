//! Tuning runs: the parameters of a player, improved by games. The log that `tune` writes is the
//! truth; what pages see is read from it.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
    time::Instant,
};

use arena::{Contender, Factory, Openings, Plan, RunControl, Threads, short_spec};
use desk::{End, Ended, Job, Jobs, Route, WireLimits, Work, lock};
use gomoku::Rule;
use player::{Limits, Registry, Spec};
use serde::Deserialize;
use serde_json::{Value, json};
use tune::{
    Algorithm, Genome, Log, Optimizer as _, Options, Record, Report, Setup, Space, TuneError,
    TuningContext, TuningProgress,
};

use super::folder::{RunFolder, check_spec, file, route, threads};

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
    /// Members of the population, where the method has one.
    population: Option<usize>,
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

/// The tuning runs of a data folder.
#[derive(Debug)]
pub(crate) struct Tuning {
    runs: RunFolder,
    registry: Arc<Registry>,
    /// The program and version, which runs record.
    build: String,
}

/// A tuning run that is going or has ended.
pub(crate) struct Tune {
    threads: usize,
    control: RunControl,
    /// How many generations there will be.
    generations: u64,
    now: Mutex<Now>,
}

/// Where a tuning run stands.
struct Now {
    progress: TuningProgress,
    /// How much of the present stage was done when it was first heard of, and when that was.
    begun: Option<(f64, Instant)>,
}

impl Now {
    /// The generations are one stage, and whatever comes after them another: done and in all.
    fn stage(progress: &TuningProgress, generations: u64) -> (f64, f64) {
        let part = progress.done as f64 / progress.total.max(1) as f64;
        if progress.generation < generations {
            (progress.generation as f64 + part, generations as f64)
        } else {
            (part, 1.0)
        }
    }

    fn take(&mut self, news: &TuningProgress, generations: u64) {
        let (done, _) = Now::stage(news, generations);
        // A new stage begins at its beginning.
        if self.begun.is_none_or(|(begun, _)| done < begun) {
            self.begun = Some((done, Instant::now()));
        }
        self.progress.clone_from(news);
    }

    /// Seconds that the rest of the stage will take, if all goes on as it went.
    fn left(&self, generations: u64) -> Option<f64> {
        let (begun, at) = self.begun?;
        let (done, total) = Now::stage(&self.progress, generations);
        (done > begun).then(|| at.elapsed().as_secs_f64() / (done - begun) * (total - done))
    }
}

impl Work for Tuning {
    type Form = Form;
    type Task = Tune;
    type Opened = Log;

    const KIND: &'static str = "tune";
    const MAX_RUNNING: usize = 1;
    const BUSY: &'static str = "Another tuning run is going.";
    const ACTIONS: &'static [&'static str] = &["stop", "resume"];

    fn create(&self, form: Form) -> Result<(String, Tune, Log), String> {
        let about = format!("tune {}", short_spec(&form.player));
        let reserved = self.runs.new_name(&form.name, &about)?;
        let id = reserved.name().to_owned();
        let setup = self.setup(&form, &id)?;
        let log = Log::create(&self.runs.new_record(&id), &setup);
        let task = Tune::new(form.jobs, setup.generations);
        Ok((id, task, log.map_err(|error| error.to_string())?))
    }

    fn resume(&self, id: &str) -> Result<(Tune, Log), String> {
        let path = self.runs.record(id).ok_or("There is no such run.")?;
        let log = Log::resume(&path).map_err(|error| error.to_string())?;
        let start = log.setup().game.players.first().ok_or("The run names no player.")?;
        check_spec(&self.registry, &start.spec)?;
        Ok((Tune::new(self.runs.threads(id), log.setup().generations), log))
    }

    fn run(jobs: &Arc<Jobs<Tuning>>, job: &Arc<Job<Tuning>>, mut log: Log) -> Option<Ended> {
        let mut listen = |news: &TuningProgress| {
            lock(&job.task.now).take(news, job.task.generations);
            jobs.tell_sometimes(job);
        };
        Some(match jobs.work.tune(&job.task, &mut log, &mut listen) {
            Ok(()) => Ended { state: "done", error: None },
            Err(TuneError::Interrupted) => Ended::STOPPED,
            Err(_) if job.task.control.is_stopped() => Ended::STOPPED,
            Err(error) => Ended::failed(error),
        })
    }

    fn end(task: &Tune, _how: End) {
        task.control.stop();
    }

    fn mark(&self, job: &Job<Tuning>) -> Result<(), String> {
        self.runs.mark(&job.id, job.task.threads)
    }

    fn unmark(&self, id: &str) {
        self.runs.unmark(id);
    }

    fn marked(&self) -> Vec<String> {
        self.runs.marked()
    }

    fn tell(task: &Tune, news: &mut Value) {
        let now = lock(&task.now);
        news["phase"] = json!(now.progress.phase);
        news["done"] = json!(now.progress.done);
        news["total"] = json!(now.progress.total);
        if now.begun.is_some() {
            news["generation"] = json!(now.progress.generation);
        }
        news["eta"] = json!(now.left(task.generations));
    }

    fn list(jobs: &Jobs<Tuning>) -> Vec<Value> {
        let runs = jobs.work.runs.all().filter_map(|(id, path)| {
            let changed = fs::metadata(&path).ok()?.modified().ok()?;
            Some((changed, brief(jobs, &id, &Record::read(&path).ok()?)))
        });
        let mut all: Vec<_> = runs.collect();
        all.sort_by_key(|(changed, _)| std::cmp::Reverse(*changed));
        all.into_iter().map(|(_, brief)| brief).collect()
    }

    fn show(jobs: &Jobs<Tuning>, id: &str) -> Option<Value> {
        let record = Record::read(&jobs.work.runs.record(id)?).ok()?;
        let mut value = brief(jobs, id, &record);
        figures(&mut value, &record);
        let report = report(&jobs.work.runs, id, "report.json");
        let report = report.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        value["report"] = report.unwrap_or_default();
        Some(value)
    }
}

/// A line of the list.
fn brief(jobs: &Jobs<Tuning>, id: &str, record: &Record) -> Value {
    let work = &jobs.work;
    let is_done = || work.runs.report(id, "report.json").is_some_and(|path| path.is_file());
    let mut value = match jobs.find(id) {
        Some(job) => job.news(),
        None => {
            let state = if is_done() { "done" } else { Ended::STOPPED.state };
            let task = Tune::new(1, record.setup().generations);
            Job::<Tuning>::in_state(id.to_owned(), task, state).news()
        }
    };
    let setup = record.setup();
    value["name"] = json!(setup.game.title);
    value["player"] = json!(setup.game.players.first().map(|player| &player.spec));
    value["method"] = json!(setup.search.name());
    value["generation"] = json!(record.generations().count());
    value["generations"] = json!(setup.generations);
    if let tune::SpaceSearch::Duels(method) = &setup.search {
        value["members"] = json!(method.population().len());
    }
    value
}

/// A file of a run's report, or its result as a file for the command line.
fn report(runs: &RunFolder, id: &str, file: &str) -> Option<Vec<u8>> {
    let path = match file {
        "best.toml" => runs.record(id)?.with_file_name(file),
        _ => runs.report(id, file).filter(|_| REPORT_FILES.contains(&file))?,
    };
    fs::read(path).ok()
}

impl Tune {
    fn new(wanted: usize, generations: u64) -> Tune {
        let progress = TuningProgress { phase: String::new(), done: 0, total: 0, generation: 0 };
        let now = Mutex::new(Now { progress, begun: None });
        Tune { threads: threads(wanted), control: RunControl::default(), generations, now }
    }
}

impl Tuning {
    /// The reports of the runs.
    pub(crate) fn routes(jobs: &Arc<Jobs<Tuning>>) -> Vec<Route> {
        vec![route(jobs, "/api/tunes/{id}/report/{file}", |jobs, call| {
            file(call, report(&jobs.work.runs, call.name(0), call.name(1)))
        })]
    }

    pub(crate) fn new(data: &Path, registry: &Arc<Registry>, build: &str) -> Tuning {
        let (registry, build) = (Arc::clone(registry), build.to_owned());
        Tuning { runs: RunFolder::new(data, "tune.jsonl"), registry, build }
    }

    fn tune(
        &self,
        task: &Tune,
        log: &mut Log,
        listen: &mut dyn FnMut(&TuningProgress),
    ) -> Result<(), TuneError> {
        let registry = Arc::clone(&self.registry);
        let factory: Factory =
            Arc::new(move |spec| registry.build(spec).map_err(|error| error.to_string()));
        let folder = log.path().parent().unwrap_or(Path::new(".")).to_owned();
        let mut threads = Threads::start(task.threads, &factory, &task.control);
        let mut context = TuningContext { dispatcher: &mut threads, control: &task.control };
        let outcome = tune::tune(log, &folder, &self.registry, &mut context, listen)?;
        Ok(Report::new(log, &outcome).write(&folder.join("report"))?)
    }

    fn setup(&self, form: &Form, id: &str) -> Result<Setup, String> {
        let rule: Rule = form.rule.parse().map_err(|error| format!("{error}"))?;
        check_spec(&self.registry, &form.player)?;
        let chosen: Vec<_> =
            form.params.iter().map(|one| (one.name.clone(), one.low.zip(one.high))).collect();
        let space =
            Space::new(&self.registry, &form.player, &chosen).map_err(|error| error.to_string())?;
        let algorithm: Algorithm = form.method.parse().map_err(|error| format!("{error}"))?;
        let openings = book::shipped_for(rule, form.size).ok_or_else(|| {
            format!("There are no openings to tune on for {rule} {0}x{0}.", form.size)
        })?;
        let start = Contender {
            name: "start".to_owned(),
            spec: form.player.clone(),
            budget: Limits::from(form.limit).into(),
        };
        let test = tune::final_test(None, Some(form.test_games.min(1_000_000)));
        let openings = Openings::from_set(&openings);
        let mut game = Plan::new(id, rule, form.size, vec![start], test, openings);
        game.build.clone_from(&self.build);
        form.name.trim().clone_into(&mut game.title);
        if !form.seed.is_empty() {
            game.seed.clone_from(&form.seed);
        }
        let options = Options {
            generations: Some(form.generations.clamp(1, 100_000)),
            games: Some(form.games.clamp(1, 100_000)),
            population: form.population.map(|n| n.clamp(4, 1000)),
            snapshot_games: form.snapshot_games.min(10_000),
            ..Options::new(algorithm)
        };
        Setup::new(game, space, &options).map_err(|error| error.to_string())
    }
}

/// Adds everything that is drawn.
fn figures(value: &mut Value, record: &Record) {
    let setup = record.setup();
    let game = &setup.game;
    let genes = setup.space.genes.iter().map(|gene| {
        json!({ "name": gene.name, "low": gene.low, "high": gene.high, "start": gene.start })
    });
    value["rule"] = json!(game.rule.name());
    value["size"] = json!(game.size);
    value["seed"] = json!(game.seed);
    value["genes"] = json!(genes.collect::<Vec<_>>());
    value["startAt"] = json!(setup.space.start().0);
    let generations: Vec<_> = record.generations().collect();
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
    let fit = record.fit().map(|fit| &fit.answer);
    let typed: Option<Spec> = game.players.first().and_then(|player| player.spec.parse().ok());
    if let (Some(answer), Some(typed)) = (fit.or(now.map(|one| &one.answer)), typed) {
        let values = setup.space.decode(answer).into_iter().map(|(_, value)| value.to_string());
        value["best"] = json!(setup.space.spec(&typed, answer).to_string());
        value["values"] = json!(values.collect::<Vec<_>>());
    }
    let snapshots = record.snapshots().map(|one| (one.generation, one.score(), one.games()));
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
