//! Plays pairs again that others have played, to see whether they come out the same.

use std::{
    collections::BTreeSet,
    hash::{BuildHasher, RandomState},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use arena::{Factory, News, PairError, PairJob, PairRecord, RunControl};

/// One pair in so many is played again, as far as there is time for it.
const SAMPLE: u64 = 16;

/// Which results are to be seen again, and a thread that does it.
#[derive(Debug)]
pub(crate) struct Recheck {
    work: mpsc::Sender<(PairJob, PairRecord)>,
    /// Pairs that wait or are being played.
    pending: Arc<AtomicUsize>,
    /// Workers of whom one result was chosen.
    known: Mutex<BTreeSet<String>>,
    chance: RandomState,
}

impl Recheck {
    /// Starts the thread; news of what was played again goes to `news`.
    pub(crate) fn start(
        factory: &Factory,
        control: &RunControl,
        news: mpsc::Sender<News>,
    ) -> Recheck {
        let (work, jobs) = mpsc::channel::<(PairJob, PairRecord)>();
        let pending = Arc::new(AtomicUsize::new(0));
        let (left, factory, control) = (Arc::clone(&pending), Arc::clone(factory), control.clone());
        thread::spawn(move || {
            for (job, pair) in jobs {
                let told = again(&job, pair, &factory, &control);
                left.fetch_sub(1, Ordering::Relaxed);
                if news.send(told).is_err() {
                    break;
                }
            }
        });
        Recheck { work, pending, known: Mutex::default(), chance: RandomState::new() }
    }

    /// Takes a result to be seen again, or gives it back.
    pub(crate) fn take(&self, job: &PairJob, pair: PairRecord) -> Option<PairRecord> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = known.insert(pair.worker.clone());
        drop(known);
        let is_idle = self.pending.load(Ordering::Relaxed) == 0;
        // Nobody outside can tell which.
        let is_drawn = is_idle && self.chance.hash_one(job.index).is_multiple_of(SAMPLE);
        if !(is_first || is_drawn || pair.ends_off_board()) {
            return Some(pair);
        }
        self.pending.fetch_add(1, Ordering::Relaxed);
        self.work.send((job.clone(), pair)).err().map(|unsent| unsent.0.1)
    }
}

fn again(job: &PairJob, pair: PairRecord, factory: &Factory, control: &RunControl) -> News {
    let index = job.index;
    match job.play(&factory.into(), control, &pair.worker, &mut |_| {}) {
        Ok(here) if here.digest() == pair.digest() => News::Finished(Box::new(pair)),
        Err(PairError::Stopped) => News::Failed { index, error: PairError::Stopped },
        _ => News::Disputed { index, worker: pair.worker },
    }
}
