//! Solving jobs: a question about a position, asked with growing limits until it is settled,
//! stopped, or out of time. A job belongs to the server and outlives the page; a question that was
//! open when the server ended is asked again when it starts.

use std::{
    collections::BTreeMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use gomoku::{Color, Field, Point, Position, Rules, with_rule};
use player::{Limits, Watch};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use solve::{Finding, Kind, Prover, Solver, Win, efforts};

use crate::{
    proofs::{self, Proofs},
    questions::{Question, Questions},
    wire::WirePosition,
};

/// Jobs at the same time.
const MAX_RUNNING: usize = 2;
/// Jobs remembered after their end.
const MAX_KEPT: usize = 50;
/// Memory of a solver's table, in megabytes.
const MEGABYTES: usize = 128;
/// Nodes of the first try; each further one has three times as many.
const FIRST_STEP: u64 = 20_000;
/// A try is no longer than this, so that there is something to tell every few seconds.
const MAX_STEP: u64 = 10_000_000;
/// Nobody waits longer than this.
const MAX_TIME: Duration = Duration::from_secs(24 * 3600);

/// The question.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Form {
    position: WirePosition,
    /// `vcf`, `vct` or `any`.
    mode: String,
    /// Quiet moves allowed in a line.
    #[serde(default)]
    quiet: u32,
    /// Whether the shortest win is wanted.
    #[serde(default)]
    shortest: bool,
    /// The side that is to win, if it is not the side to move: 0 Black, 1 White.
    attacker: Option<u8>,
    nodes: Option<u64>,
    ms: Option<u64>,
}

/// What may be played, and how the question is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Kind(Kind),
    Any,
    Quiet(u32),
}

/// All jobs.
pub(crate) struct Solving {
    proofs: Proofs,
    open: Questions,
    is_closing: AtomicBool,
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
    next: AtomicU64,
    tell: Box<dyn Fn(String, Value) + Send + Sync>,
}

struct Job {
    id: u64,
    form: Form,
    position: Position,
    asked: Value,
    attacker: Color,
    mode: Mode,
    shortest: bool,
    nodes: Option<u64>,
    time: Duration,
    stop: AtomicBool,
    started: Instant,
    /// Time spent before the server was started again.
    spent: Duration,
    now: Mutex<Now>,
}

/// Where a job stands.
struct Now {
    state: &'static str,
    nodes: u64,
    /// What is being tried, in a word.
    step: String,
    ms: Option<f64>,
    /// Name of the proof, once there is one.
    proof: Option<String>,
    about: Value,
    line: Vec<String>,
    is_shortest: bool,
    error: Option<String>,
}

impl Watch for Job {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.elapsed() >= self.time
    }

    fn elapsed(&self) -> Duration {
        self.spent + self.started.elapsed()
    }
}

impl Solving {
    /// Opens the data folder and asks again what was not answered.
    pub(crate) fn open(
        data: &Path,
        tell: Box<dyn Fn(String, Value) + Send + Sync>,
    ) -> Arc<Solving> {
        let open = Questions::new(data);
        let questions = open.all();
        let next = AtomicU64::new(1 + questions.last().map_or(0, |(id, _)| *id));
        let (jobs, is_closing) = (Mutex::default(), AtomicBool::new(false));
        let proofs = Proofs::new(data);
        let solving = Arc::new(Solving { proofs, open, is_closing, jobs, next, tell });
        for (id, question) in questions {
            if solving.begin(id, question.form, Duration::from_millis(question.spent)).is_err() {
                solving.open.drop(id);
            }
        }
        solving
    }

    pub(crate) fn proofs(&self) -> &Proofs {
        &self.proofs
    }

    /// Starts a job and gives its number.
    pub(crate) fn start(self: &Arc<Self>, form: Form) -> Result<u64, String> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.begin(id, form, Duration::ZERO)?;
        Ok(id)
    }

    fn begin(self: &Arc<Self>, id: u64, form: Form, spent: Duration) -> Result<(), String> {
        let position = form.position.read().map_err(|bad| bad.text)?;
        if position.outcome().is_some() {
            return Err("The game is over in this position.".to_owned());
        }
        let mode = match form.mode.as_str() {
            "vcf" => Mode::Kind(Kind::Vcf),
            "vct" => Mode::Kind(Kind::Vct),
            "any" if form.quiet > 0 => Mode::Quiet(form.quiet.min(20)),
            "any" => Mode::Any,
            other => return Err(format!("There is no mode '{other}': vcf, vct and any are.")),
        };
        let attacker =
            form.attacker.map_or(position.to_move(), |side| Color::of_turn(usize::from(side)));
        if matches!(mode, Mode::Quiet(_)) && attacker != position.to_move() {
            return Err("With quiet moves the side to move must be the one that wins.".to_owned());
        }
        let mut jobs = self.lock();
        if jobs.values().filter(|job| job.is_going()).count() >= MAX_RUNNING {
            return Err("Too many positions are being solved.".to_owned());
        }
        while jobs.len() >= MAX_KEPT {
            let Some(old) = jobs.values().find(|job| !job.is_going()).map(|job| job.id) else {
                break;
            };
            jobs.remove(&old);
        }
        let asked = &form.position;
        let time = form.ms.map_or(MAX_TIME, Duration::from_millis).min(MAX_TIME);
        let job = Arc::new(Job {
            id,
            asked: json!({
                "rule": asked.rule, "size": asked.size, "setup": asked.setup, "moves": asked.moves,
                "mode": form.mode, "quiet": form.quiet, "shortest": form.shortest,
            }),
            position,
            attacker,
            mode,
            shortest: form.shortest,
            nodes: form.nodes,
            time,
            stop: AtomicBool::new(false),
            started: Instant::now(),
            spent,
            now: Mutex::new(Now::new()),
            form,
        });
        jobs.insert(id, Arc::clone(&job));
        drop(jobs);
        self.write_down(&job);
        let solving = Arc::clone(self);
        std::thread::Builder::new()
            .name("solve".to_owned())
            // Trees are walked by recursion, and a long win is a deep tree.
            .stack_size(64 << 20)
            .spawn(move || solving.run(&job))
            .map_err(|error| error.to_string())?;
        Ok(())
    }

    pub(crate) fn stop(&self, id: u64) -> bool {
        let job = self.lock().get(&id).cloned();
        job.is_some_and(|job| {
            job.stop.store(true, Ordering::Relaxed);
            job.is_going()
        })
    }

    /// Breaks off every job; the questions stay open and are asked again at the next start.
    pub(crate) fn shut_down(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        for job in self.lock().values() {
            job.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Every job, the latest first.
    pub(crate) fn list(&self) -> Vec<Value> {
        let jobs: Vec<_> = self.lock().values().rev().cloned().collect();
        jobs.iter().map(|job| job.news()).collect()
    }

    pub(crate) fn show(&self, id: u64) -> Option<Value> {
        let job = self.lock().get(&id).cloned()?;
        Some(job.news())
    }

    fn run(&self, job: &Job) {
        self.tell(job);
        let found = catch_unwind(AssertUnwindSafe(
            || with_rule!(job.position.rule(), R => ask::<R>(job, &|| self.step(job))),
        ));
        let mut kept = None;
        let state = match &found {
            Ok(Found { win: Some(win), .. }) => {
                kept = Some(self.keep(job, win));
                "win"
            }
            Ok(found) if found.is_no_win => "no-win",
            Ok(_) if job.stop.load(Ordering::Relaxed) => "stopped",
            Ok(_) => "unknown",
            Err(_) => "failed",
        };
        {
            let mut now = job.lock();
            now.state = state;
            now.ms = Some(job.elapsed().as_secs_f64() * 1e3);
            match (found, kept) {
                (Ok(found), Some(Ok((proof, about)))) => {
                    let line = found.win.iter().flat_map(|win| win.line());
                    now.line = line.map(|point| point.to_string()).collect();
                    now.is_shortest = found.is_shortest;
                    (now.proof, now.about) = (Some(proof), about);
                }
                (_, Some(Err(problem))) => now.error = Some(problem),
                (Err(_), _) => now.error = Some("The solver failed.".to_owned()),
                (Ok(_), None) => {}
            }
        }
        if state != "stopped" || !self.is_closing.load(Ordering::Relaxed) {
            self.open.drop(job.id);
        }
        self.tell(job);
    }

    /// A try has ended: what it has cost is written down and told.
    fn step(&self, job: &Job) {
        if !self.is_closing.load(Ordering::Relaxed) {
            self.write_down(job);
        }
        self.tell(job);
    }

    fn write_down(&self, job: &Job) {
        let spent = job.elapsed().as_millis() as u64;
        self.open.keep(job.id, &Question { form: job.form.clone(), spent });
    }

    fn keep(&self, job: &Job, win: &Win) -> Result<(String, Value), String> {
        let id = proof_id(job.id);
        let about = proofs::about(&win.tree, json!({ "asked": job.asked }));
        self.proofs.keep(&id, &win.proof().bytes, &about)?;
        Ok((id, about))
    }

    fn tell(&self, job: &Job) {
        (self.tell)(job.id.to_string(), job.news());
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name for a proof that no other has.
pub(crate) fn proof_id(salt: u64) -> String {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
    format!("p{time}-{salt}")
}

/// What came of a question.
struct Found {
    win: Option<Win>,
    is_no_win: bool,
    is_shortest: bool,
}

/// Asks with growing limits, so that there is something to tell on the way.
fn ask<R: Rules>(job: &Job, tell: &dyn Fn()) -> Found {
    let mut field = Field::<R>::from_position(&job.position);
    if let Mode::Quiet(quiet) = job.mode {
        return prove(job, &mut field, quiet, tell);
    }
    let mut solver = Solver::<R>::new(MEGABYTES);
    let mut open = match job.mode {
        Mode::Kind(kind) => vec![kind],
        _ => vec![Kind::Vcf, Kind::Vct],
    };
    let most = job.nodes.unwrap_or(u64::MAX);
    let mut step = FIRST_STEP;
    loop {
        for kind in open.clone() {
            let nodes = step.min(most.saturating_sub(job.lock().nodes));
            job.lock().step = kind_name(kind).to_owned();
            let limits = Limits::nodes(nodes);
            let answer = solver.solve(&mut field, job.attacker, kind, &limits, job);
            job.lock().nodes += answer.nodes;
            tell();
            match answer.finding {
                Finding::Win(win) => return shorten(job, &mut solver, &mut field, kind, *win),
                Finding::NoWin if kind == Kind::Vct || job.mode == Mode::Kind(kind) => {
                    return Found { win: None, is_no_win: true, is_shortest: false };
                }
                Finding::NoWin => open.retain(|&other| other != kind),
                Finding::Unknown => {}
            }
            if job.stopped() || job.lock().nodes >= most {
                return Found { win: None, is_no_win: false, is_shortest: false };
            }
        }
        step = (3 * step).min(MAX_STEP);
    }
}

/// The shortest win, if that was asked for and there is time.
fn shorten<R: Rules>(
    job: &Job,
    solver: &mut Solver<R>,
    field: &mut Field<R>,
    kind: Kind,
    win: Win,
) -> Found {
    if !job.shortest {
        return Found { win: Some(win), is_no_win: false, is_shortest: false };
    }
    job.lock().step = "shortest".to_owned();
    let most = job.nodes.map(|most| most.saturating_sub(job.lock().nodes));
    let limits = Limits { nodes: most, ..Limits::default() };
    let better = solver.shortest(field, job.attacker, kind, &limits, job);
    job.lock().nodes += better.answer.nodes;
    let is_shortest = better.is_shortest;
    let found = match better.answer.finding {
        Finding::Win(shorter) if shorter.plies <= win.plies => *shorter,
        _ => win,
    };
    Found { win: Some(found), is_no_win: false, is_shortest }
}

/// Tries quiet moves too, ever harder. That there is no win cannot be found this way.
fn prove<R: Rules>(job: &Job, field: &mut Field<R>, quiet: u32, tell: &dyn Fn()) -> Found {
    let mut prover = Prover::<R>::new(MEGABYTES);
    let mut win = None;
    for effort in efforts(quiet) {
        job.lock().step = format!("quiet {}", effort.quiet);
        tell();
        win = prover.prove(field, effort, job).map(Win::from);
        job.lock().nodes = prover.nodes();
        tell();
        if win.is_some() || job.stopped() || job.nodes.is_some_and(|most| prover.nodes() >= most) {
            break;
        }
    }
    Found { win, is_no_win: false, is_shortest: false }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Vcf => "vcf",
        Kind::Vct => "vct",
    }
}

impl Job {
    fn is_going(&self) -> bool {
        self.lock().state == "running"
    }

    fn news(&self) -> Value {
        let now = self.lock();
        json!({
            "t": "solve", "id": self.id, "state": now.state, "nodes": now.nodes, "step": now.step,
            "ms": now.ms.unwrap_or_else(|| self.elapsed().as_secs_f64() * 1e3),
            "asked": self.asked, "attacker": self.attacker as u8, "proof": now.proof,
            "about": now.about, "line": now.line, "isShortest": now.is_shortest,
            "error": now.error, "limit": { "nodes": self.nodes, "ms": self.time.as_millis() as u64 },
        })
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Now {
    fn new() -> Now {
        Now {
            state: "running",
            nodes: 0,
            step: String::new(),
            ms: None,
            proof: None,
            about: Value::Null,
            line: Vec::new(),
            is_shortest: false,
            error: None,
        }
    }
}

impl fmt::Debug for Solving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solving").field("proofs", &self.proofs).finish_non_exhaustive()
    }
}

/// Nodes for judging a move of a puzzle.
const TRY_NODES: u64 = 400_000;

/// Judges a move of the side to move: whether it still wins by force, and the reply that holds out
/// longest.
pub(crate) fn try_move(wanted: &WirePosition, point: &str) -> Result<Value, String> {
    let position = wanted.read().map_err(|bad| bad.text)?;
    let point: Point = point.parse().map_err(|error| format!("{error}"))?;
    let attacker = position.to_move();
    let mut after = position;
    after.play(point).map_err(|error| error.to_string())?;
    if let Some(outcome) = after.outcome() {
        let wins = outcome.winner() == Some(attacker);
        return Ok(json!({ "wins": wins, "over": true, "settled": true }));
    }
    with_rule!(after.rule(), R => {
        let mut field = Field::<R>::from_position(&after);
        let mut solver = Solver::<R>::new(16);
        let limits = Limits::nodes(TRY_NODES);
        let answer = solver.any(&mut field, attacker, &limits, &player::Unwatched);
        Ok(match &answer.finding {
            Finding::Win(win) => json!({
                "wins": true, "over": false, "settled": true, "plies": win.plies,
                "reply": win.line().first().map(|reply| reply.to_string()),
            }),
            finding => json!({
                "wins": false, "over": false, "settled": *finding == Finding::NoWin,
            }),
        })
    })
}

/// Reads `h8i9g9` as points.
pub(crate) fn points(text: &str) -> Result<Vec<Point>, String> {
    let mut all = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let (one, more) =
            rest.split_at_checked(1 + digits).ok_or_else(|| format!("'{text}' is no line."))?;
        all.push(one.parse::<Point>().map_err(|error| error.to_string())?);
        rest = more;
    }
    Ok(all)
}
