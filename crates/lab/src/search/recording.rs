//! The tree of a search, written down for people.

use gomoku::Point;
use player::{Trace, TraceNode};

/// A tree that is being recorded, if it is.
#[derive(Debug, Default)]
pub(crate) struct Recording(Option<Trace>);

impl Recording {
    pub(crate) fn new(is_wanted: bool) -> Recording {
        Recording(is_wanted.then(Trace::default))
    }

    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Adds a node and gives its number, as long as there is room.
    pub(crate) fn enter(
        &mut self,
        parent: Option<u32>,
        point: Option<Point>,
        is_maximizing: bool,
        window: Option<(i64, i64)>,
    ) -> Option<u32> {
        let node = TraceNode { parent, point, is_maximizing, window, value: None, n_cut: 0 };
        self.0.as_mut()?.enter(node)
    }

    /// The value of a node, for the side that moves at the root.
    pub(crate) fn value(&mut self, node: Option<u32>, value: Option<i64>) {
        if let (Some(trace), Some(node)) = (&mut self.0, node) {
            trace.nodes[node as usize].value = value;
        }
    }

    /// So many candidates of a node are not looked at.
    pub(crate) fn cut(&mut self, node: Option<u32>, n: usize) {
        if let (Some(trace), Some(node)) = (&mut self.0, node) {
            trace.nodes[node as usize].n_cut = n as u32;
        }
    }

    pub(crate) fn take(&mut self) -> Option<Trace> {
        self.0.take()
    }
}
