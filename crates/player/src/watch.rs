//! What a thinking player sees of the outside: the stop flag, the clock, and listeners.

use std::time::Duration;

use crate::choice::{Candidate, Counters, Iteration};

/// The outside of a search. Shared by all its threads.
pub trait Watch: Sync {
    /// Whether to stop now; asked every few thousand nodes.
    fn stopped(&self) -> bool;

    /// Time since the task was handed over. Zero where there is no clock: then timed limits never
    /// end a search, only the stop flag does.
    fn elapsed(&self) -> Duration;

    /// Takes news. Called at most a few hundred times a second; must return at once.
    fn progress(&self, progress: &Progress) {
        let _ = progress;
    }
}

/// News from a running search.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Plies searched so far.
    pub depth: u32,
    /// The deepest line looked at.
    pub depth_max: u32,
    /// What it has cost.
    pub counters: Counters,
    /// The best moves so far, best first, each with its line.
    pub candidates: Vec<Candidate>,
    /// Set when an iteration has just been finished.
    pub finished: Option<Iteration>,
}

/// Never stops and has no clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn stopped(&self) -> bool {
        false
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A watch with the machine's clock and a stop flag that others can hold: the one programs use.
///
/// Not there on `wasm32`, where the host supplies the clock.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Debug)]
pub struct Stopwatch {
    started: std::time::Instant,
    stop: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

#[cfg(not(target_arch = "wasm32"))]
impl Stopwatch {
    /// Starts now, with a flag of its own.
    pub fn start() -> Stopwatch {
        Stopwatch::with_flag(std::sync::Arc::default())
    }

    /// Starts now; the search stops when the flag turns true.
    #[allow(clippy::disallowed_methods, reason = "this is the one that knows the time")]
    pub fn with_flag(stop: std::sync::Arc<std::sync::atomic::AtomicBool>) -> Stopwatch {
        Stopwatch { started: std::time::Instant::now(), stop }
    }

    /// Asks the search to stop.
    pub fn stop(&self) {
        self.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Watch for Stopwatch {
    fn stopped(&self) -> bool {
        self.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
