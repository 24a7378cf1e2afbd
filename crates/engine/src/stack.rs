//! What the search remembers about the nodes between the root and where it is.

use gomoku::{Point, PointSet, Threat};

use crate::{judge::Kept, value::Value};

/// No line is searched further than this many plies from the root.
pub(crate) const MAX_PLY: usize = 200;
/// Moves of a principal variation that are kept.
const LINE_MAX: usize = 64;

/// One node of the current line.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// What is kept for the evaluation.
    pub(crate) kept: Kept,
    /// Points near a stone.
    pub(crate) near: PointSet,
    /// The evaluation, from the view of the side to move.
    pub(crate) eval: Value,
    /// The move being searched from this node, and what it threatens.
    pub(crate) point: Option<Point>,
    pub(crate) threat: Threat,
    /// A move left out, while the search asks whether it is the only good one.
    pub(crate) excluded: Option<Point>,
    /// The last moves that cut off at this distance from the root.
    pub(crate) killers: [Option<Point>; 2],
    /// Depth added on the way here beyond one ply a move, in 1/[`PLY`](crate::PLY).
    pub(crate) extended: i32,
    /// The best line from here.
    pub(crate) line: Line,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            kept: Kept::default(),
            near: PointSet::EMPTY,
            eval: Value::DRAW,
            point: None,
            threat: Threat::None,
            excluded: None,
            killers: [None; 2],
            extended: 0,
            line: Line::default(),
        }
    }
}

/// A principal variation.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    points: [Option<Point>; LINE_MAX],
    len: usize,
}

impl Default for Line {
    fn default() -> Line {
        Line { points: [None; LINE_MAX], len: 0 }
    }
}

impl Line {
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Becomes a move followed by the line after it.
    pub(crate) fn set(&mut self, first: Point, rest: &Line) {
        let n = rest.len.min(LINE_MAX - 1);
        self.points[0] = Some(first);
        self.points[1..=n].copy_from_slice(&rest.points[..n]);
        self.len = n + 1;
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.points[..self.len].iter().flatten().copied()
    }
}
