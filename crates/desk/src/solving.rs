//! Solving: a question about a position, asked with growing limits until it is settled, stopped, or
//! out of time. An open question is kept, so that it is asked again when the program was killed.

mod errand;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use gomoku::{Color, Position};
use player::{Limits, Watch};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use solve::{Finding, Kind, Prover, Solver, Win, efforts};

pub use self::errand::do_errand;
use self::errand::{Errand, Said, cut_line};
use crate::{
    End, Ended, Host, Job, Jobs, Store, Work,
    host::HostWatch,
    jobs::STOPPING,
    lock,
    proofs::{self, Proofs},
    wire::WirePosition,
};

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

/// A question that is kept, and the milliseconds already spent on it.
#[derive(Debug, Deserialize, Serialize)]
struct Question {
    form: Form,
    spent: u64,
}

/// The open questions.
#[derive(Debug)]
pub(crate) struct Solving {
    store: Arc<dyn Store>,
    host: Arc<dyn Host>,
    proofs: Arc<Proofs>,
    next: AtomicU64,
}

/// A question that is being asked or was answered.
pub(crate) struct Asked {
    number: u64,
    form: Form,
    position: Position,
    attacker: Color,
    mode: Mode,
    time: Duration,
    watch: HostWatch,
    /// Time spent before the program was started again.
    spent: Duration,
    now: Mutex<Now>,
}

/// How far it has come.
#[derive(Default)]
struct Now {
    nodes: u64,
    /// What is being tried, in a word.
    step: String,
    ms: Option<f64>,
    /// Name of the proof, once there is one.
    proof: Option<String>,
    about: Value,
    line: Vec<String>,
    is_shortest: bool,
    /// The errand, if it is asked elsewhere.
    errand: Option<u64>,
}

impl Watch for Asked {
    fn stopped(&self) -> bool {
        self.watch.stopped() || self.elapsed() >= self.time
    }

    fn elapsed(&self) -> Duration {
        self.spent + self.watch.elapsed()
    }
}

impl Work for Solving {
    type Form = Form;
    type Task = Asked;
    type Opened = ();

    const KIND: &'static str = "solve";
    const MAX_RUNNING: usize = 2;
    const BUSY: &'static str = "Too many positions are being solved.";
    const NOT_GOING: &'static str = "It is not being solved.\n";
    const ACTIONS: &'static [&'static str] = &["stop"];

    fn create(&self, form: Form) -> Result<(String, Asked, ()), String> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        Ok((number.to_string(), self.asked(number, form, Duration::ZERO)?, ()))
    }

    fn resume(&self, id: &str) -> Result<(Asked, ()), String> {
        let read = || {
            let bytes = self.store.read(&path(id)).ok_or("There is no such question.")?;
            let number = id.parse().map_err(|_| format!("'{id}' is no number."))?;
            let Question { form, spent } =
                serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
            self.asked(number, form, Duration::from_millis(spent))
        };
        // What cannot be asked again is thrown away.
        let asked = read().inspect_err(|_: &String| self.unmark(id))?;
        Ok((asked, ()))
    }

    fn run(jobs: &Arc<Jobs<Solving>>, job: &Arc<Job<Solving>>, (): ()) -> Option<Ended> {
        let asked = &job.task;
        let (all, one) = (Arc::clone(jobs), Arc::clone(job));
        let hear = Box::new(move |said: &[u8]| all.work.hear(&all, &one, said));
        let errand = Errand::Solve(asked.question()).text();
        if let Some(errand) = errand.and_then(|errand| jobs.work.host.send_out(errand, hear)) {
            lock(&asked.now).errand = Some(errand);
            return None;
        }
        let found = ask(asked, &|| jobs.work.on_the_way(jobs, job));
        Some(jobs.work.settle(asked, Answer::new(asked, found)))
    }

    fn end(task: &Asked, _how: End) {
        task.watch.stop.store(true, Ordering::Relaxed);
        let errand = lock(&task.now).errand;
        if let Some(errand) = errand {
            task.watch.host.call_back(errand);
        }
    }

    fn mark(&self, job: &Job<Solving>) -> Result<(), String> {
        if let Ok(text) = serde_json::to_vec(&job.task.question()) {
            // Whether it is kept or not, the question is worked on.
            let _ = self.store.write(&path(&job.id), &text);
        }
        Ok(())
    }

    fn unmark(&self, id: &str) {
        self.store.remove(&path(id));
    }

    fn marked(&self) -> Vec<String> {
        let entries = self.store.list("questions").into_iter();
        entries.filter_map(|entry| Some(entry.name.strip_suffix(".json")?.to_owned())).collect()
    }

    fn tell(task: &Asked, news: &mut Value) {
        let now = lock(&task.now);
        if news["state"] == STOPPING {
            news["state"] = json!("running"); // it takes a moment only
        }
        news["id"] = json!(task.number);
        news["nodes"] = json!(now.nodes);
        news["step"] = json!(now.step);
        news["ms"] = json!(now.ms.unwrap_or_else(|| task.elapsed().as_secs_f64() * 1e3));
        news["asked"] = task.shown();
        news["attacker"] = json!(task.attacker as u8);
        news["proof"] = json!(now.proof);
        news["about"] = now.about.clone();
        news["line"] = json!(now.line);
        news["isShortest"] = json!(now.is_shortest);
        news["limit"] = json!({ "nodes": task.form.nodes, "ms": task.time.as_millis() as u64 });
    }

    fn list(jobs: &Jobs<Solving>) -> Vec<Value> {
        let mut live = jobs.live();
        live.sort_by_key(|job| std::cmp::Reverse(job.task.number));
        live.iter().map(|job| job.news()).collect()
    }

    fn show(jobs: &Jobs<Solving>, id: &str) -> Option<Value> {
        Some(jobs.find(id)?.news())
    }
}

impl Solving {
    pub(crate) fn new(
        store: &Arc<dyn Store>,
        host: &Arc<dyn Host>,
        proofs: &Arc<Proofs>,
    ) -> Solving {
        let solving = Solving {
            store: Arc::clone(store),
            host: Arc::clone(host),
            proofs: Arc::clone(proofs),
            next: AtomicU64::new(1),
        };
        let last = solving.marked().iter().filter_map(|id| id.parse().ok()).max();
        solving.next.fetch_add(last.unwrap_or(0), Ordering::Relaxed);
        solving
    }

    /// Tells how far it has come, and keeps the question as it stands.
    fn on_the_way(&self, jobs: &Jobs<Solving>, job: &Job<Solving>) {
        if !jobs.is_closing() {
            let _ = self.mark(job); // never refused
        }
        jobs.tell(job);
    }

    /// Hears of a question that is asked elsewhere.
    fn hear(&self, jobs: &Jobs<Solving>, job: &Job<Solving>, said: &[u8]) {
        let asked = &job.task;
        let (line, proof) = cut_line(said);
        match serde_json::from_slice(line) {
            Ok(Said { nodes, step, answer: None }) => {
                {
                    let now = &mut *lock(&asked.now);
                    (now.nodes, now.step) = (nodes, step);
                }
                self.on_the_way(jobs, job);
            }
            Ok(Said { nodes, answer: Some(answer), .. }) => {
                lock(&asked.now).nodes = nodes;
                let proof = answer.state.is_win().then(|| proof.to_vec());
                jobs.ended(job, self.settle(asked, Answer { proof, ..answer }));
            }
            Err(_) if !job.is_going() => {}
            Err(_) if asked.watch.stopped() => jobs.ended(job, Ended::STOPPED),
            Err(_) => jobs.ended(job, Ended::failed("The search has failed.")),
        }
    }

    /// Keeps what was found.
    fn settle(&self, asked: &Asked, answer: Answer) -> Ended {
        let ms = asked.elapsed().as_secs_f64() * 1e3;
        lock(&asked.now).ms = Some(ms);
        let state = answer.state.name();
        let Some(proof) = answer.proof else { return Ended { state, error: None } };
        let id = self.proofs.new_id(asked.number);
        let mut about = answer.about;
        about["asked"] = asked.shown();
        let kept = self.proofs.keep(&id, &proof, &about);
        if kept.is_ok() {
            let now = &mut *lock(&asked.now);
            (now.line, now.is_shortest) = (answer.line, answer.is_shortest);
            (now.proof, now.about) = (Some(id), about);
        }
        Ended { state, error: kept.err() }
    }

    fn asked(&self, number: u64, form: Form, spent: Duration) -> Result<Asked, String> {
        asked(&self.host, number, form, spent)
    }
}

/// A question as it is worked on, from now on.
fn asked(host: &Arc<dyn Host>, number: u64, form: Form, spent: Duration) -> Result<Asked, String> {
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
    Ok(Asked {
        number,
        position,
        attacker,
        mode,
        time: form.ms.map_or(MAX_TIME, Duration::from_millis).min(MAX_TIME),
        watch: HostWatch::start(host, &Arc::default()),
        spent,
        now: Mutex::default(),
        form,
    })
}

/// Where a question is kept.
fn path(id: &str) -> String {
    format!("questions/{id}.json")
}

impl Asked {
    /// The question, to be asked again from here on.
    fn question(&self) -> Question {
        Question { form: self.form.clone(), spent: self.elapsed().as_millis() as u64 }
    }

    /// The question as pages show it.
    fn shown(&self) -> Value {
        let Form { position, mode, quiet, shortest, .. } = &self.form;
        json!({
            "rule": position.rule, "size": position.size, "setup": position.setup,
            "moves": position.moves, "mode": mode, "quiet": quiet, "shortest": shortest,
        })
    }
}

/// What is kept of an answer.
#[derive(Debug, Deserialize, Serialize)]
struct Answer {
    state: Settled,
    line: Vec<String>,
    is_shortest: bool,
    /// What a list shows of the proof.
    about: Value,
    #[serde(skip)]
    proof: Option<Vec<u8>>,
}

/// How a question has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
enum Settled {
    Win,
    NoWin,
    Unknown,
    Stopped,
}

impl Settled {
    fn is_win(self) -> bool {
        self == Settled::Win
    }

    fn name(self) -> &'static str {
        match self {
            Settled::Win => "win",
            Settled::NoWin => "no-win",
            Settled::Unknown => "unknown",
            Settled::Stopped => Ended::STOPPED.state,
        }
    }
}

impl Answer {
    fn new(asked: &Asked, found: Found) -> Answer {
        let state = match &found.win {
            Some(_) => Settled::Win,
            None if found.is_no_win => Settled::NoWin,
            None if asked.watch.stopped() => Settled::Stopped,
            None => Settled::Unknown,
        };
        let line = found.win.iter().flat_map(Win::line).map(|point| point.to_string()).collect();
        let about = found.win.as_ref().map(|win| proofs::about(&win.tree, json!({})));
        let proof = found.win.map(|win| win.proof().bytes);
        let about = about.unwrap_or_default();
        Answer { state, line, is_shortest: found.is_shortest, about, proof }
    }
}

/// What came of a question.
struct Found {
    win: Option<Win>,
    is_no_win: bool,
    is_shortest: bool,
}

/// Asks with growing limits, so that there is something to tell on the way.
fn ask(asked: &Asked, tell: &dyn Fn()) -> Found {
    if let Mode::Quiet(quiet) = asked.mode {
        return prove(asked, quiet, tell);
    }
    let mut solver = Solver::new(MEGABYTES);
    let mut open = match asked.mode {
        Mode::Kind(kind) => vec![kind],
        _ => vec![Kind::Vcf, Kind::Vct],
    };
    let most = asked.form.nodes.unwrap_or(u64::MAX);
    let mut step = FIRST_STEP;
    loop {
        for kind in open.clone() {
            let nodes = step.min(most.saturating_sub(lock(&asked.now).nodes));
            lock(&asked.now).step = kind_name(kind).to_owned();
            let limits = Limits::nodes(nodes);
            let answer = solver.solve(&asked.position, asked.attacker, kind, &limits, asked);
            lock(&asked.now).nodes += answer.nodes;
            tell();
            match answer.finding {
                Finding::Win(win) => return shorten(asked, &mut solver, kind, *win),
                Finding::NoWin if kind == Kind::Vct || asked.mode == Mode::Kind(kind) => {
                    return Found { win: None, is_no_win: true, is_shortest: false };
                }
                Finding::NoWin => open.retain(|&other| other != kind),
                Finding::Unknown => {}
            }
            if asked.stopped() || lock(&asked.now).nodes >= most {
                return Found { win: None, is_no_win: false, is_shortest: false };
            }
        }
        step = (3 * step).min(MAX_STEP);
    }
}

/// The shortest win, if that was asked for and there is time.
fn shorten(asked: &Asked, solver: &mut Solver, kind: Kind, win: Win) -> Found {
    if !asked.form.shortest {
        return Found { win: Some(win), is_no_win: false, is_shortest: false };
    }
    lock(&asked.now).step = "shortest".to_owned();
    let most = asked.form.nodes.map(|most| most.saturating_sub(lock(&asked.now).nodes));
    let limits = Limits { nodes: most, ..Limits::default() };
    let better = solver.shortest(&asked.position, asked.attacker, kind, &limits, asked);
    lock(&asked.now).nodes += better.answer.nodes;
    let is_shortest = better.is_shortest;
    let found = match better.answer.finding {
        Finding::Win(shorter) if shorter.plies <= win.plies => *shorter,
        _ => win,
    };
    Found { win: Some(found), is_no_win: false, is_shortest }
}

/// Tries quiet moves too, ever harder. That there is no win cannot be found this way.
fn prove(asked: &Asked, quiet: u32, tell: &dyn Fn()) -> Found {
    let mut prover = Prover::new(MEGABYTES);
    let mut win = None;
    for effort in efforts(quiet) {
        lock(&asked.now).step = format!("quiet {}", effort.quiet);
        tell();
        win = prover.prove(&asked.position, effort, asked).map(Win::from);
        lock(&asked.now).nodes = prover.nodes();
        tell();
        if win.is_some()
            || asked.stopped()
            || asked.form.nodes.is_some_and(|most| prover.nodes() >= most)
        {
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
