//! A recorded search tree, for looking at small searches.

use gomoku::Point;

/// The nodes of a search in the order they were entered. Recording stops quietly at
/// [`Trace::MAX_NODES`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The nodes; the first is the root.
    pub nodes: Vec<TraceNode>,
    /// Whether nodes are missing because there were too many.
    pub is_truncated: bool,
}

/// One node of a recorded search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceNode {
    /// The node it was reached from; `None` at the root.
    pub parent: Option<u32>,
    /// The move that led here; `None` at the root.
    pub point: Option<Point>,
    /// Whether the side that moves at the root is to move (a maximizing node).
    pub is_maximizing: bool,
    /// The window on entry, from the root side's view; `None` for a search without bounds.
    pub window: Option<(i64, i64)>,
    /// The value returned, from the root side's view.
    pub value: Option<i64>,
    /// How many moves were left unsearched because the value fell outside the window.
    pub n_cut: u32,
}

impl Trace {
    /// No more nodes than this are kept.
    pub const MAX_NODES: usize = 20_000;

    /// Records a node and returns its number, or `None` when the trace is full.
    pub fn enter(&mut self, node: TraceNode) -> Option<u32> {
        if self.nodes.len() >= Trace::MAX_NODES {
            self.is_truncated = true;
            return None;
        }
        self.nodes.push(node);
        Some(self.nodes.len() as u32 - 1)
    }
}
