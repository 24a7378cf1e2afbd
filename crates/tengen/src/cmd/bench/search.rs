//! The engine's node signature and speed: fixed positions over all rules, one thread, fixed depth.

use std::time::Duration;

use engine::bench;
use player::{Stopwatch, Watch};

/// What the engine did and how fast.
#[derive(Clone, Debug)]
pub(crate) struct SearchBench {
    /// Nodes of all positions: the signature, the same on every machine.
    pub(crate) nodes: u64,
    /// Time for all positions.
    pub(crate) time: Duration,
}

impl SearchBench {
    /// Stones placed in search, a second.
    pub(crate) fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Searches the bench positions, to the depth of the signature if none is given.
pub(crate) fn run(depth: Option<u32>) -> SearchBench {
    let watch = Stopwatch::start();
    let lines = bench::run(depth.unwrap_or(bench::DEPTH), &watch);
    SearchBench { nodes: lines.iter().map(|line| line.nodes).sum(), time: watch.elapsed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_same_every_time() {
        let lines = || bench::run(4, &Stopwatch::start());
        assert_eq!(lines(), lines());
        assert!(run(Some(4)).nodes > 1_000);
    }
}
