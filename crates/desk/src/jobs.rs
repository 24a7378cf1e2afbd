//! Long jobs: started from a form, watched live, ended, resumed, and kept over a crash.
//!
//! A job belongs to the program, not to a page: it goes on when the page is closed. [`Jobs`] is the one
//! machine for them; what is worked on, and how it is kept, is a kind of [`Work`]. A job that was going
//! when the program ended is resumed at the next start.

use std::{
    collections::BTreeMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};

use crate::{Host, lock, outbox::Clients};

/// Progress of a job is told at most this often.
const NEWS_INTERVAL: Duration = Duration::from_millis(250);
/// Jobs remembered after their end.
const MAX_KEPT: usize = 50;
const RUNNING: &str = "running";
pub(crate) const STOPPING: &str = "stopping";

/// A kind of job.
pub trait Work: Send + Sync + Sized + 'static {
    /// What the page's form holds.
    type Form;
    /// What one job is about, and how far it has come.
    type Task: Send + Sync;
    /// What only the thread that works on a job holds, such as its open journal.
    type Opened: Send;

    /// The type of its news.
    const KIND: &'static str;
    /// Jobs at the same time.
    const MAX_RUNNING: usize;
    /// What is said to one too many.
    const BUSY: &'static str;
    /// What is said to whoever wants to end one that is not going.
    const NOT_GOING: &'static str = "The run is not going.";
    /// What can be asked of a job: `finish`, `stop` or `resume`.
    const ACTIONS: &'static [&'static str];

    /// A new job, with its name.
    ///
    /// # Errors
    /// A sentence, when the form asks for what cannot be.
    fn create(&self, form: Self::Form) -> Result<(String, Self::Task, Self::Opened), String>;

    /// A job that was kept.
    ///
    /// # Errors
    /// A sentence, when it is not there or cannot be gone on with.
    fn resume(&self, id: &str) -> Result<(Self::Task, Self::Opened), String>;

    /// Works until it is done or asked to end. Whoever sees the end may resume at once, so what was
    /// opened is closed on return. Returns nothing if the work goes on elsewhere, and whoever hears of
    /// its end [says so](Jobs::ended).
    fn run(jobs: &Arc<Jobs<Self>>, job: &Arc<Job<Self>>, opened: Self::Opened) -> Option<Ended>;

    /// Asks for the end; nothing is waited for.
    fn end(task: &Self::Task, how: End);

    /// Notes that a job is going, for the next start.
    ///
    /// # Errors
    /// A sentence, when that is not possible.
    fn mark(&self, job: &Job<Self>) -> Result<(), String>;

    /// Takes the note away.
    fn unmark(&self, id: &str);

    /// The jobs that are noted as going.
    fn marked(&self) -> Vec<String>;

    /// Adds to a job's news what this kind has to tell.
    fn tell(task: &Self::Task, news: &mut Value);

    /// Every job of this kind, the latest first.
    fn list(jobs: &Jobs<Self>) -> Vec<Value>;

    /// Everything there is to show of a job.
    fn show(jobs: &Jobs<Self>, id: &str) -> Option<Value>;
}

/// How a job is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// What is in flight is finished.
    Finish,
    /// What is in flight is broken off.
    Stop,
}

/// How a job has ended.
#[derive(Debug)]
pub struct Ended {
    /// One word.
    pub state: &'static str,
    /// A sentence, if something went wrong.
    pub error: Option<String>,
}

impl Ended {
    /// An end because of being asked to.
    pub const STOPPED: Ended = Ended { state: "stopped", error: None };

    /// An end because of an error.
    pub fn failed(error: impl ToString) -> Ended {
        Ended { state: "failed", error: Some(error.to_string()) }
    }
}

/// A job of this server.
pub struct Job<W: Work> {
    /// Its name.
    pub id: String,
    /// What it is about.
    pub task: W::Task,
    status: Mutex<Status>,
}

struct Status {
    now: Ended,
    told: Option<Duration>,
}

impl<W: Work> Job<W> {
    /// A job as it is shown from its record.
    pub fn in_state(id: String, task: W::Task, state: &'static str) -> Job<W> {
        let now = Ended { state, error: None };
        Job { id, task, status: Mutex::new(Status { now, told: None }) }
    }

    /// Where it stands, in one word.
    pub fn state(&self) -> &'static str {
        lock(&self.status).now.state
    }

    /// Whether it is being worked on.
    pub fn is_going(&self) -> bool {
        matches!(self.state(), RUNNING | STOPPING)
    }

    /// Where it stands, as told to pages.
    pub fn news(&self) -> Value {
        let mut news = {
            let now = &lock(&self.status).now;
            json!({ "t": W::KIND, "id": self.id, "state": now.state, "error": now.error })
        };
        W::tell(&self.task, &mut news);
        news
    }
}

type ById<W> = BTreeMap<String, Arc<Job<W>>>;

/// All jobs of one kind.
pub struct Jobs<W: Work> {
    /// What is common to them.
    pub work: W,
    live: Mutex<ById<W>>,
    is_closing: AtomicBool,
    host: Arc<dyn Host>,
    clients: Arc<Clients>,
}

impl<W: Work> Jobs<W> {
    /// Resumes the jobs that were going.
    pub(crate) fn open(work: W, host: &Arc<dyn Host>, clients: &Arc<Clients>) -> Arc<Jobs<W>> {
        let marked = work.marked();
        let jobs = Arc::new(Jobs {
            work,
            live: Mutex::default(),
            is_closing: AtomicBool::new(false),
            host: Arc::clone(host),
            clients: Arc::clone(clients),
        });
        for id in marked {
            // One that cannot be resumed stays in the list, if there is a record of it.
            let _ = jobs.resume(&id);
        }
        jobs
    }

    /// Starts a job from the form.
    pub(crate) fn start(self: &Arc<Self>, form: W::Form) -> Result<Arc<Job<W>>, String> {
        let mut live = self.room()?;
        let (id, task, opened) = self.work.create(form)?;
        self.go(&mut live, id, task, opened)
    }

    /// Goes on with a job.
    pub(crate) fn resume(self: &Arc<Self>, id: &str) -> Result<(), String> {
        if self.find(id).is_some_and(|job| job.is_going()) {
            return Err("The run is going already.".to_owned());
        }
        let mut live = self.room()?;
        let (task, opened) = self.work.resume(id)?;
        self.go(&mut live, id.to_owned(), task, opened).map(drop)
    }

    /// Asks a job to end.
    pub(crate) fn end(&self, id: &str, how: End) -> Result<(), String> {
        let job = self.find(id).filter(|job| job.is_going()).ok_or(W::NOT_GOING)?;
        W::end(&job.task, how);
        {
            let now = &mut lock(&job.status).now;
            if now.state == RUNNING {
                now.state = STOPPING;
            }
        }
        self.tell(&job);
        Ok(())
    }

    /// A job that is going or has lately ended.
    pub fn find(&self, id: &str) -> Option<Arc<Job<W>>> {
        lock(&self.live).get(id).cloned()
    }

    /// The jobs that are going and those that have lately ended.
    pub(crate) fn live(&self) -> Vec<Arc<Job<W>>> {
        lock(&self.live).values().cloned().collect()
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Breaks off every job; they are resumed at the next start. Journals are closed when it
    /// [is idle](Self::is_idle).
    pub fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
        for job in self.live().iter().filter(|job| job.is_going()) {
            W::end(&job.task, End::Stop);
        }
    }

    /// Whether no job is going.
    pub fn is_idle(&self) -> bool {
        !self.live().iter().any(|job| job.is_going())
    }

    /// Tells every page where a job stands.
    pub fn tell(&self, job: &Job<W>) {
        lock(&job.status).told = Some(self.host.clock());
        self.clients.put_all(&format!("{}-{}", W::KIND, job.id), &job.news());
    }

    /// The same, unless it was told a moment ago.
    pub fn tell_sometimes(&self, job: &Job<W>) {
        let told = lock(&job.status).told;
        if told.is_none_or(|told| self.host.clock() >= told + NEWS_INTERVAL) {
            self.tell(job);
        }
    }

    /// The jobs, if there is room for one more.
    fn room(&self) -> Result<MutexGuard<'_, ById<W>>, String> {
        let mut live = lock(&self.live);
        if live.values().filter(|job| job.is_going()).count() >= W::MAX_RUNNING {
            return Err(W::BUSY.to_owned());
        }
        while live.len() >= MAX_KEPT {
            let ended = live.values().find(|job| !job.is_going()).map(|job| job.id.clone());
            let Some(id) = ended else { break };
            live.remove(&id);
        }
        Ok(live)
    }

    /// Works on a job beside everything else.
    fn go(
        self: &Arc<Self>,
        live: &mut ById<W>,
        id: String,
        task: W::Task,
        opened: W::Opened,
    ) -> Result<Arc<Job<W>>, String> {
        let job = Arc::new(Job::in_state(id, task, RUNNING));
        self.work.mark(&job)?;
        let (jobs, worker) = (Arc::clone(self), Arc::clone(&job));
        self.host.spawn(W::KIND, Box::new(move || jobs.run(&worker, opened)))?;
        live.insert(job.id.clone(), Arc::clone(&job));
        Ok(job)
    }

    fn run(self: &Arc<Self>, job: &Arc<Job<W>>, opened: W::Opened) {
        self.tell(job);
        let ended = catch_unwind(AssertUnwindSafe(|| W::run(self, job, opened)));
        if let Some(ended) = ended.unwrap_or_else(|_| Some(Ended::failed("The job failed."))) {
            self.ended(job, ended);
        }
    }

    /// Notes the end of a job, and tells every page.
    pub fn ended(&self, job: &Job<W>, ended: Ended) {
        // A job that ends because the server does is resumed at the next start.
        if ended.state != Ended::STOPPED.state || !self.is_closing() {
            self.work.unmark(&job.id);
        }
        lock(&job.status).now = ended;
        self.tell(job);
    }
}

impl<W: Work> fmt::Debug for Jobs<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jobs").field("kind", &W::KIND).finish_non_exhaustive()
    }
}

impl<W: Work> fmt::Debug for Job<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("id", &self.id).finish_non_exhaustive()
    }
}
