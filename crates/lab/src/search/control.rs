//! Limits while searching: counts, clock and the stop flag.

use std::time::Duration;

use player::{Counters, Iteration, Limits, Progress, Watch};

/// Counts what a search spends and says when it must stop.
pub struct Control<'a> {
    watch: &'a dyn Watch,
    /// Spent so far; the time is filled in at the end.
    pub counters: Counters,
    max_nodes: u64,
    max_evaluations: u64,
    is_counted: bool,
    deadline: Option<Duration>,
    poll_at: u64,
    stopped: bool,
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("counters", &self.counters).finish_non_exhaustive()
    }
}

impl<'a> Control<'a> {
    /// The clock is looked at whenever so many nodes have gone by.
    const POLL_NODES: u64 = 256;
    /// Kept in hand for what happens after the search.
    const RESERVE: Duration = Duration::from_millis(10);

    /// With a player's own time goes a number of nodes, so that it ends without a clock too.
    const NODES_PER_SECOND: f64 = 2e7;

    /// Watches over a search. `own_time` is the player's own limit, used when the task sets none.
    pub fn new(limits: &Limits, own_time: Option<Duration>, watch: &'a dyn Watch) -> Control<'a> {
        let own_time = own_time.filter(|_| *limits == Limits::default());
        let own_nodes = own_time.map(|t| (t.as_secs_f64() * Control::NODES_PER_SECOND) as u64);
        let deadline = own_time.or_else(|| time_for_move(limits));
        Control {
            watch,
            counters: Counters::default(),
            max_nodes: limits.nodes.or(own_nodes).unwrap_or(u64::MAX),
            max_evaluations: limits.evaluations.unwrap_or(u64::MAX),
            is_counted: limits.nodes.is_some() || limits.evaluations.is_some(),
            deadline: deadline.map(|time| time.saturating_sub(Control::RESERVE.min(time / 4))),
            poll_at: 0,
            stopped: watch.stopped(),
        }
    }

    /// Whether a limit may end the search before it is complete.
    pub fn is_limited(&self) -> bool {
        self.max_nodes != u64::MAX || self.max_evaluations != u64::MAX || self.deadline.is_some()
    }

    /// Whether the task limits nodes or evaluations.
    pub fn is_counted(&self) -> bool {
        self.is_counted
    }

    /// Whether the search must stop.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a node.
    #[inline(always)]
    pub fn node(&mut self) {
        self.nodes(1);
    }

    /// Counts several nodes at once.
    #[inline(always)]
    pub fn nodes(&mut self, n: u64) {
        self.counters.nodes += n;
        if self.counters.nodes >= self.poll_at {
            self.poll();
        }
    }

    /// Counts a static evaluation.
    #[inline(always)]
    pub fn evaluation(&mut self) {
        self.evaluations(1);
    }

    /// Counts several static evaluations at once.
    #[inline(always)]
    pub fn evaluations(&mut self, n: u64) {
        self.counters.evaluations += n;
        if self.counters.evaluations >= self.max_evaluations {
            self.stopped = true;
        }
    }

    /// Counts a cut-off.
    #[inline(always)]
    pub fn cutoff(&mut self) {
        self.counters.cutoffs += 1;
    }

    #[cold]
    fn poll(&mut self) {
        let nodes = self.counters.nodes;
        self.poll_at = (nodes + Control::POLL_NODES).min(self.max_nodes.max(nodes + 1));
        let late = self.deadline.is_some_and(|deadline| self.watch.elapsed() >= deadline);
        if nodes >= self.max_nodes || late || self.watch.stopped() {
            self.stopped = true;
        }
    }

    /// Tells the watch that a depth is complete.
    pub fn finished(&mut self, iteration: Iteration, candidates: Vec<player::Candidate>) {
        self.watch.progress(&Progress {
            depth: iteration.depth,
            depth_max: iteration.depth,
            counters: iteration.counters,
            candidates,
            finished: Some(iteration),
        });
    }

    /// What has been spent, time included.
    pub fn spent(&self) -> Counters {
        Counters { time: self.watch.elapsed(), ..self.counters }
    }
}

/// The turn limit, or a fair share of the clock.
fn time_for_move(limits: &Limits) -> Option<Duration> {
    let share = limits.clock.map(|clock| {
        (clock.left / 20 + clock.increment / 2).min(clock.left.saturating_sub(clock.left / 10))
    });
    match (limits.turn, share) {
        (Some(turn), Some(share)) => Some(turn.min(share)),
        (turn, share) => turn.or(share),
    }
}
