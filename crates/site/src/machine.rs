//! The instance as the desk sees it: work waits in a queue until the browser calls for it.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use desk::{Hear, Host, SLOT_INTERVAL, lock};

use crate::{browser, exports};

type Work = Box<dyn FnOnce() + Send>;

/// Clock, queue, and the errands that others do.
#[derive(Default)]
pub(crate) struct Machine {
    cores: usize,
    queue: Mutex<VecDeque<Work>>,
    errands: Mutex<Errands>,
    /// Whether something waits for a page.
    pub(crate) has_news: AtomicBool,
    sent: Mutex<Duration>,
}

#[derive(Default)]
struct Errands {
    /// Whether others are there to do any.
    are_done: bool,
    latest: u64,
    out: BTreeMap<u64, Hear>,
}

impl Machine {
    /// An instance that keeps everything has others do what takes long.
    pub(crate) fn new(cores: usize, has_hands: bool) -> Machine {
        let errands = Errands { are_done: has_hands, ..Errands::default() };
        Machine { cores: cores.max(1), errands: Mutex::new(errands), ..Machine::default() }
    }

    /// Does the first thing in the queue, if there is one.
    pub(crate) fn work(&self) -> bool {
        let next = lock(&self.queue).pop_front();
        next.map(|work| work()).is_some()
    }

    /// Hands on what was said of an errand; nothing is said when it is over.
    pub(crate) fn heard(&self, number: u64, news: &[u8]) {
        // Whoever hears may send out another.
        let Some(mut hear) = lock(&self.errands).out.remove(&number) else { return };
        hear(news);
        if !news.is_empty() {
            lock(&self.errands).out.insert(number, hear);
        }
    }
}

impl Host for Machine {
    fn spawn(&self, _name: &'static str, work: Work) -> Result<(), String> {
        lock(&self.queue).push_back(work);
        Ok(())
    }

    fn clock(&self) -> Duration {
        browser::clock()
    }

    fn date(&self) -> Duration {
        browser::date()
    }

    fn cores(&self) -> usize {
        self.cores
    }

    fn breathe(&self) -> bool {
        if self.has_news.load(Ordering::Relaxed) {
            let (now, mut sent) = (self.clock(), lock(&self.sent));
            if now >= *sent + SLOT_INTERVAL {
                *sent = now;
                drop(sent);
                exports::send_news();
            }
        }
        browser::is_stopping()
    }

    fn send_out(&self, errand: String, hear: Hear) -> Option<u64> {
        let mut errands = lock(&self.errands);
        if !errands.are_done {
            return None;
        }
        errands.latest += 1;
        let number = errands.latest;
        errands.out.insert(number, hear);
        browser::send_out(number, &errand);
        Some(number)
    }

    fn call_back(&self, errand: u64) {
        browser::call_back(errand);
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").field("cores", &self.cores).finish_non_exhaustive()
    }
}

/// The machine of this instance as the desk holds it.
pub(crate) fn shared(machine: &Arc<Machine>) -> Arc<dyn Host> {
    Arc::clone(machine) as Arc<dyn Host>
}
