//! A forced win at the root, asked of the solver: a win that is announced comes with its proof.
//!
//! The solver gets a small share of the budget before the search begins, and what the search has
//! left over if it claims a win. Under a node limit both are counted in nodes, so the answer is the
//! same on every machine.

use std::time::Duration;

use player::{Counters, Limits, Task, Watch};
use solve::{Finding, Win, solve_position};

use crate::time::Budget;

/// Megabytes of the solver's table; it lives for one move.
const MEGABYTES: usize = 1;
/// Where only the clock limits a search.
const MOST_NODES: u64 = 2_000_000;

/// What the solver may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    nodes: u64,
    time: Option<Duration>,
}

impl Allowance {
    /// A share of a budget, in hundredths. Searches limited by depth or evaluations have none to
    /// give: they are asked for exactly that.
    pub(crate) fn share(budget: &Budget, hundredths: i32) -> Option<Allowance> {
        let is_exact = budget.depth.is_some() || budget.evaluations.is_some();
        let time = budget.soft.or(budget.hard);
        let time = time.map(|time| time * hundredths as u32 / 100);
        let nodes = budget.nodes.map(|nodes| nodes.saturating_mul(hundredths as u64) / 100);
        let nodes = nodes.unwrap_or(MOST_NODES).min(MOST_NODES);
        (!is_exact && nodes > 0).then_some(Allowance { nodes, time })
    }

    /// What is left of a budget.
    pub(crate) fn rest(budget: &Budget, spent: Counters) -> Option<Allowance> {
        let nodes = budget.nodes.map_or(MOST_NODES, |nodes| nodes.saturating_sub(spent.nodes));
        let time = budget.hard.map(|time| time.saturating_sub(spent.time));
        let has_time = time.is_none_or(|time| !time.is_zero());
        let rest = Allowance { nodes: nodes.min(MOST_NODES), time };
        (budget.depth.is_none() && nodes > 0 && has_time).then_some(rest)
    }

    /// Looks for a win of the side to move with a move that the task allows. Also says how many
    /// nodes it took.
    pub(crate) fn prove(self, task: &Task, watch: &dyn Watch) -> (Option<Win>, u64) {
        let limits = Limits { nodes: Some(self.nodes), turn: self.time, ..Limits::default() };
        let answer = solve_position(&task.position, None, MEGABYTES, &limits, watch);
        let win = match answer.finding {
            Finding::Win(win) => Some(*win),
            Finding::NoWin | Finding::Unknown => None,
        };
        (win.filter(|win| win.point().is_some_and(|point| task.allows(point))), answer.nodes)
    }
}
