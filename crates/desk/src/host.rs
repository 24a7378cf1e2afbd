//! What the desk is handed by whoever runs it, a server or a browser: a place to keep things, a way to
//! run work, and the time.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use player::Watch;

/// Hears what is said on the way of an errand, and once nothing when it is over, however it ended.
pub type Hear = Box<dyn FnMut(&[u8]) + Send>;

/// Runs work and knows the time.
pub trait Host: Send + Sync + fmt::Debug {
    /// Runs work beside everything else, from now on. It may take days, and recurse deeply.
    ///
    /// # Errors
    /// A sentence, when no more can be run.
    fn spawn(&self, name: &'static str, work: Box<dyn FnOnce() + Send>) -> Result<(), String>;

    /// Time that only goes forward, from some moment that stays the same.
    fn clock(&self) -> Duration;

    /// Time since 1970.
    fn date(&self) -> Duration;

    /// How much can be worked on at once.
    fn cores(&self) -> usize;

    /// Called often by whatever takes long, so that a host with one thread can send what waits in the
    /// boxes. Says whether everything that takes long is to stop.
    fn breathe(&self) -> bool {
        false
    }

    /// Has an errand done by another instance of the program, and says its number; nothing where there is
    /// none and work is spawned. What an errand is, only those know who send it out and do it.
    fn send_out(&self, errand: String, hear: Hear) -> Option<u64> {
        let _ = (errand, hear);
        None
    }

    /// Breaks an errand off: it is over soon.
    fn call_back(&self, errand: u64) {
        let _ = errand;
    }
}

/// Keeps bytes under names such as `games/abc.json`: folders and names of letters, digits, dashes and
/// dots.
pub trait Store: Send + Sync + fmt::Debug {
    /// What is kept under a name.
    fn read(&self, name: &str) -> Option<Vec<u8>>;

    /// Keeps bytes in place of what was there; a crash leaves the old or the new.
    ///
    /// # Errors
    /// A sentence, when they cannot be kept.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String>;

    /// Deletes what is kept under a name, and says whether there was anything.
    fn remove(&self, name: &str) -> bool;

    /// What is in a folder, in no particular order.
    fn list(&self, folder: &str) -> Vec<StoredFile>;
}

/// Something that is kept: as long as it looks the same, it is the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredFile {
    /// Its name within the folder.
    pub name: String,
    /// How many bytes.
    pub len: u64,
    /// When it was written, since 1970.
    pub changed: Duration,
}

/// The watch of a search, on the host's clock.
#[derive(Clone, Debug)]
pub(crate) struct HostWatch {
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) host: Arc<dyn Host>,
    started: Duration,
}

impl HostWatch {
    /// Starts now; the search stops when the flag turns true.
    pub(crate) fn start(host: &Arc<dyn Host>, stop: &Arc<AtomicBool>) -> HostWatch {
        HostWatch { stop: Arc::clone(stop), host: Arc::clone(host), started: host.clock() }
    }
}

impl Watch for HostWatch {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.host.breathe()
    }

    fn elapsed(&self) -> Duration {
        self.host.clock().saturating_sub(self.started)
    }
}
