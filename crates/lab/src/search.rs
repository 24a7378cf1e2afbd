//! Searches: how a move is chosen from the candidates.

mod alpha_beta;
mod control;
mod deepen;
mod greedy;
mod mcts;
mod minimax;
mod public_minimax;
mod recording;

use std::fmt;

use gomoku::Point;
use player::{Iteration, Reason, Score, Trace};

pub use alpha_beta::AlphaBeta;
pub(crate) use alpha_beta::Ask;
pub use control::Control;
pub(crate) use deepen::{candidates, to_score};
pub use greedy::Greedy;
pub use mcts::{Mcts, Rollout};
pub use minimax::Minimax;
pub use public_minimax::{PublicAnswer, PublicMinimax};
pub(crate) use recording::Recording;

pub use crate::faster::{BestPath, MemoryStore, Switches};
use crate::tree::Play;

/// What a search is asked to do.
#[derive(Clone, Debug)]
pub struct Order {
    /// Root moves, in the order of the candidates.
    pub moves: Vec<Point>,
    /// Whether these are exactly the candidates, so that what is found may be remembered.
    pub is_whole: bool,
    /// Plies.
    pub depth: u32,
    /// How many best moves need exact values.
    pub multi_pv: usize,
    /// Whether the search may be cut short, so that it must have something to fall back on.
    pub may_stop: bool,
    /// Whether to record the tree.
    pub trace: bool,
}

/// A root move with what the search found out about it.
#[derive(Clone, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub point: Point,
    /// Its value for the side to move; `None` when it is only known not to be better.
    pub value: Option<i64>,
    /// The expected line, beginning with the move.
    pub line: Vec<Point>,
    /// Nodes spent on it.
    pub nodes: u64,
}

impl RootMove {
    /// A move about which nothing is known yet.
    pub fn new(point: Point) -> RootMove {
        RootMove { point, value: None, line: vec![point], nodes: 0 }
    }
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Root moves, best first; never empty if the order had moves.
    pub moves: Vec<RootMove>,
    /// Plies searched completely.
    pub depth: u32,
    /// The answer after each completed depth.
    pub iterations: Vec<Iteration>,
    /// Why, if not simply because of the search.
    pub reason: Option<Reason>,
    /// The recorded tree.
    pub trace: Option<Trace>,
}

/// A way to choose among the root moves.
pub trait Search: Send + fmt::Debug {
    /// Forgets everything learned.
    fn forget(&mut self, seed: u64);

    /// Searches; `play` stands at the root and does so again afterwards.
    fn search(&mut self, play: &mut Play, order: &Order, control: &mut Control<'_>) -> Found;
}

/// Above every value.
pub(crate) const INFINITE: i64 = Score::INFINITE.value();

/// The value of a win by the stone that is number `ply` from the root, for the side that plays it.
pub(crate) const fn win(ply: u32) -> i64 {
    Score::win_in(ply).value()
}

/// Whether a value claims a win or a loss.
pub(crate) const fn is_decisive(value: i64) -> bool {
    value.abs() > Score::win_in(1 << 16).value()
}
