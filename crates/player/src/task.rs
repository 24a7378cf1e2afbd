//! What a player is asked to do.

use gomoku::{Point, Position};

use crate::limits::Limits;

/// One question to a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The position; the side to move is the player's.
    pub position: Position,
    /// How much to spend.
    pub limits: Limits,
    /// What is wanted.
    pub goal: Goal,
    /// How many best moves to work out, at least 1.
    pub multi_pv: usize,
    /// Consider only these moves; all if empty.
    pub only: Vec<Point>,
    /// Never play these.
    pub exclude: Vec<Point>,
    /// Whether to record the search tree (small searches only, see [`Trace`](crate::Trace)).
    pub trace: bool,
}

/// What kind of answer is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The best move.
    #[default]
    Best,
    /// The next stones, one or two, after which the position is as near as possible to `bias` from
    /// the view of the side that moves then.
    Balance {
        /// One stone, or one of each side.
        stones: u8,
        /// The value wanted.
        bias: i64,
    },
}

impl Task {
    /// The best move within these limits.
    pub fn new(position: Position, limits: Limits) -> Task {
        Task {
            position,
            limits,
            goal: Goal::Best,
            multi_pv: 1,
            only: Vec::new(),
            exclude: Vec::new(),
            trace: false,
        }
    }

    /// Whether a root move may be considered: legal, and not ruled out by the task.
    pub fn allows(&self, point: Point) -> bool {
        self.position.is_legal(point)
            && (self.only.is_empty() || self.only.contains(&point))
            && !self.exclude.contains(&point)
    }
}
