//! How a run is asked to end, and what a thinking player sees of it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    time::{Duration, Instant},
};

use player::Watch;

const GO_ON: u8 = 0;
const FINISH: u8 = 1;
const STOP: u8 = 2;

/// A switch shared by everyone who takes part in a run.
#[derive(Clone, Debug, Default)]
pub struct RunControl(Arc<AtomicU8>);

impl RunControl {
    /// Asks for the end once: what is in flight is finished. Twice: it is broken off.
    pub fn interrupt(&self) {
        let next = if self.is_finishing() { STOP } else { FINISH };
        self.0.fetch_max(next, Ordering::Relaxed);
    }

    /// Breaks everything off.
    pub fn stop(&self) {
        self.0.store(STOP, Ordering::Relaxed);
    }

    /// Whether nothing new is to be begun.
    pub fn is_finishing(&self) -> bool {
        self.0.load(Ordering::Relaxed) != GO_ON
    }

    /// Whether what is in flight is to be broken off.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == STOP
    }
}

/// One turn of a player: the clock from the moment it was asked, and when to stop.
#[derive(Debug)]
pub struct Turn<'a> {
    /// When the question was handed over.
    pub started: Instant,
    /// When the player is told to stop.
    pub hard: Option<Duration>,
    /// The latest time for an answer; after it a program is killed.
    pub deadline: Duration,
    /// The switch of the run.
    pub control: &'a RunControl,
}

impl Watch for Turn<'_> {
    fn stopped(&self) -> bool {
        self.control.is_stopped() || self.hard.is_some_and(|hard| self.started.elapsed() >= hard)
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
