//! From limits to budgets: how much of the clock a move may use.

use std::time::Duration;

use player::Limits;

/// Limits as the search applies them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) evaluations: Option<u64>,
    /// No new iteration is begun after this time, more or less.
    pub(crate) soft: Option<Duration>,
    /// The search ends at this time.
    pub(crate) hard: Option<Duration>,
}

/// Own moves a game may still last when the board does not say.
const MOVES_LEFT: u32 = 22;
/// No move takes more than this share of the clock.
const LARGEST_SHARE: u32 = 6;

impl Budget {
    /// The budget for one move, `overhead` being the time it takes to get the answer out.
    pub(crate) fn new(limits: &Limits, overhead: Duration, n_empty: usize) -> Budget {
        // What the machinery needs must not eat a short limit whole.
        let keep_back = |time: Duration| time.saturating_sub(overhead.min(time / 3));
        let mut budget = Budget {
            depth: limits.depth,
            nodes: limits.nodes,
            evaluations: limits.evaluations,
            soft: None,
            hard: limits.turn.map(keep_back),
        };
        if let Some(clock) = limits.clock {
            let left = keep_back(clock.left);
            let moves = MOVES_LEFT.min(n_empty as u32 / 2 + 1);
            let soft = left / moves + clock.increment * 3 / 4;
            let hard = (left / LARGEST_SHARE.min(moves) + clock.increment).min(left);
            budget.soft = Some(soft.min(hard));
            budget.hard = Some(budget.hard.map_or(hard, |turn| turn.min(hard)));
        }
        budget
    }

    /// Whether to begin another iteration. `unrest` says how unsettled the answer is, in
    /// hundredths: 100 is usual.
    pub(crate) fn has_time(&self, elapsed: Duration, unrest: u32) -> bool {
        self.soft.is_none_or(|soft| elapsed < soft * unrest / 100)
            && self.hard.is_none_or(|hard| elapsed < hard)
    }
}

#[cfg(test)]
mod tests {
    use player::Clock;

    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(30);

    fn with_clock(left: u64, increment: u64) -> Budget {
        let increment = Duration::from_millis(increment);
        let clock = Clock { left: Duration::from_millis(left), increment };
        Budget::new(&Limits { clock: Some(clock), ..Limits::default() }, OVERHEAD, 200)
    }

    #[test]
    fn a_turn_limit_is_used_up_but_not_exceeded() {
        let limits = Limits::turn(Duration::from_millis(1_000));
        let budget = Budget::new(&limits, OVERHEAD, 200);
        assert_eq!(budget.hard, Some(Duration::from_millis(970)));
        assert!(budget.has_time(Duration::from_millis(900), 100));
        let tiny = Budget::new(&Limits::turn(Duration::from_millis(12)), OVERHEAD, 200);
        assert_eq!(tiny.hard, Some(Duration::from_millis(8)));
    }

    #[test]
    fn a_clock_never_runs_out() {
        for left in [0, 1, 10, 100, 1_000, 60_000, 10_000_000] {
            for increment in [0, 100, 5_000] {
                let budget = with_clock(left, increment);
                let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                assert!(soft <= hard && hard <= Duration::from_millis(left));
            }
        }
        assert!(with_clock(60_000, 0).soft.unwrap() < Duration::from_secs(4));
    }

    #[test]
    fn no_time_limit_means_no_time_limit() {
        let budget = Budget::new(&Limits::nodes(7), OVERHEAD, 200);
        assert!(budget.has_time(Duration::from_secs(1 << 40), 1));
        assert_eq!(budget.nodes, Some(7));
    }
}
