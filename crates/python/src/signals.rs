//! Ctrl-C during a search: the search is asked to stop, and Python hears of it.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread::{self, ThreadId},
    time::Duration,
};

use player::{Stopwatch, Watch};
use pyo3::prelude::*;

/// Time between two looks at Python's signals, in milliseconds.
pub(crate) const LOOK_EVERY: u64 = 50;

/// A watch for searches that run without the interpreter's lock on the caller's thread.
#[derive(Debug)]
pub(crate) struct Signals {
    caller: ThreadId,
    watch: Stopwatch,
    stop: Arc<AtomicBool>,
    looked: AtomicU64,
    error: Mutex<Option<PyErr>>,
}

impl Signals {
    pub(crate) fn start() -> Signals {
        let stop = Arc::new(AtomicBool::new(false));
        let watch = Stopwatch::with_flag(stop.clone());
        let (caller, looked) = (thread::current().id(), AtomicU64::new(0));
        Signals { caller, watch, stop, looked, error: Mutex::new(None) }
    }

    /// Stops the search if a signal has come, and it is time to look. Python handles signals on its
    /// main thread alone, so only the caller's thread looks.
    pub(crate) fn look_if_due(&self) {
        let now = self.elapsed().as_millis() as u64;
        let looked = self.looked.load(Relaxed);
        if now >= looked + LOOK_EVERY && thread::current().id() == self.caller {
            self.looked.store(now, Relaxed);
            self.call(|py| py.check_signals());
        }
    }

    /// Calls into Python; an error stops the search.
    pub(crate) fn call(&self, call: impl FnOnce(Python<'_>) -> PyResult<()>) {
        if let Some(Err(error)) = Python::try_attach(call) {
            self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            self.stop.store(true, Relaxed);
        }
    }

    /// The result of the search, or what stopped it.
    pub(crate) fn end<T>(self, result: T) -> PyResult<T> {
        match self.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(result),
            Some(error) => Err(error),
        }
    }
}

impl Watch for Signals {
    fn stopped(&self) -> bool {
        self.look_if_due();
        self.watch.stopped()
    }

    fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }
}

/// What a helping thread sees: the flag of the search and a clock of its own, but not Python.
#[derive(Debug)]
pub(crate) struct Helper(Stopwatch);

impl Helper {
    pub(crate) fn start(signals: &Signals) -> Helper {
        Helper(Stopwatch::with_flag(signals.stop.clone()))
    }
}

impl Watch for Helper {
    fn stopped(&self) -> bool {
        self.0.stopped()
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
