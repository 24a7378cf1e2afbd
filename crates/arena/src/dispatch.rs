//! Who plays the pairs: threads of this process, or anything else that can take a job.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread::{self, JoinHandle},
    time::Duration,
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use thiserror::Error;

use crate::{
    control::RunControl,
    pair::{Moved, PairError, PairJob},
    record::PairRecord,
    seat::{Seats, message},
};

/// News from those who play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A pair has been begun.
    Started {
        /// Which.
        index: u64,
        /// By whom.
        worker: String,
    },
    /// A move was played. A dispatcher may leave these out.
    Moved(Moved),
    /// A pair is finished. It may be told twice when a message is sent again.
    Finished(Box<PairRecord>),
    /// A pair could not be played.
    Failed {
        /// Which.
        index: u64,
        /// Why.
        error: PairError,
    },
    /// Something to tell people, such as a machine that went away.
    Note(String),
    /// A pair was played differently here and there, so nothing that this worker sent is to be
    /// believed.
    Disputed {
        /// Which.
        index: u64,
        /// Who sent it.
        worker: String,
    },
}

/// Why pairs cannot be handed out any more.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct DispatchError(pub String);

/// Plays pairs, in any order and on any machine. What is played depends on the job alone.
pub trait Dispatcher {
    /// How many pairs are worth handing out before results come in.
    fn capacity(&self) -> usize;

    /// Hands out a pair.
    ///
    /// # Errors
    /// When nobody can take it.
    fn submit(&mut self, job: PairJob) -> Result<(), DispatchError>;

    /// The next news; `None` when there is none for this long.
    ///
    /// # Errors
    /// When no more news can come.
    fn next(&mut self, wait: Duration) -> Result<Option<News>, DispatchError>;

    /// Takes back the pairs that nobody has begun, because the run is ending, and says which.
    fn withdraw(&mut self) -> Vec<u64>;
}

/// Threads of this process.
#[derive(Debug)]
pub struct Threads {
    jobs: Option<Sender<PairJob>>,
    waiting: Receiver<PairJob>,
    news: Receiver<News>,
    workers: Vec<JoinHandle<()>>,
}

impl Threads {
    /// Starts `count` threads (at least one) that make their players with a factory, or their seats.
    pub fn start(count: usize, seats: impl Into<Seats>, control: &RunControl) -> Threads {
        let seats = seats.into();
        let (jobs, waiting) = unbounded();
        let (report, news) = unbounded();
        let workers = (1..=count.max(1))
            .map(|number| {
                let worker = Worker {
                    name: format!("thread {number}"),
                    jobs: waiting.clone(),
                    news: report.clone(),
                    seats: seats.clone(),
                    control: control.clone(),
                };
                thread::spawn(move || worker.run())
            })
            .collect();
        Threads { jobs: Some(jobs), waiting, news, workers }
    }
}

impl Dispatcher for Threads {
    fn capacity(&self) -> usize {
        // One in hand and one waiting, so that no thread waits for the journal.
        2 * self.workers.len()
    }

    fn submit(&mut self, job: PairJob) -> Result<(), DispatchError> {
        let gone = || DispatchError("The playing threads have ended.".to_owned());
        self.jobs.as_ref().ok_or_else(gone)?.send(job).map_err(|_| gone())
    }

    fn next(&mut self, wait: Duration) -> Result<Option<News>, DispatchError> {
        match self.news.recv_timeout(wait) {
            Ok(news) => Ok(Some(news)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(DispatchError("The playing threads have ended.".to_owned()))
            }
        }
    }

    fn withdraw(&mut self) -> Vec<u64> {
        self.waiting.try_iter().map(|job| job.index).collect()
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.jobs = None;
        self.withdraw();
        for worker in self.workers.drain(..) {
            // A panic of a worker has been reported as news already.
            let _ = worker.join();
        }
    }
}

struct Worker {
    name: String,
    jobs: Receiver<PairJob>,
    news: Sender<News>,
    seats: Seats,
    control: RunControl,
}

impl Worker {
    fn run(&self) {
        for job in &self.jobs {
            let index = job.index;
            self.tell(News::Started { index, worker: self.name.clone() });
            let mut moved = |moved| self.tell(News::Moved(moved));
            let played = catch_unwind(AssertUnwindSafe(|| {
                job.play(&self.seats, &self.control, &self.name, &mut moved)
            }))
            .unwrap_or_else(|panic| Err(PairError::Job(message(&*panic))));
            self.tell(match played {
                Ok(pair) => News::Finished(Box::new(pair)),
                Err(error) => News::Failed { index, error },
            });
        }
    }

    fn tell(&self, news: News) {
        // Nobody listens any more when the run was dropped; there is nothing left to do then.
        let _ = self.news.send(news);
    }
}
