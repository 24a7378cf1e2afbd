//! A game tree to search: the board with an evaluation and candidates, or a drawing in a paper.

use gomoku::{Color, Point};

use crate::{eval::Evaluation, faster::MoveList, moves::Candidates, state::State};

/// How a move ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The side that moved has won.
    Win,
    /// The board is full.
    Draw,
}

/// What a search needs to know about a game.
pub trait SearchTree {
    /// Lists the moves of the side to move, best first.
    fn moves(&mut self, moves: &mut MoveList);

    /// Static evaluations that the last list of moves has cost.
    fn evaluations_for_moves(&self) -> u64 {
        0
    }

    /// Whether a move of the side to move ends the game.
    fn over(&self, point: Point) -> Option<Over>;

    /// Plays a move.
    fn play(&mut self, point: Point);

    /// Takes back a move.
    fn undo(&mut self, point: Point);

    /// The static value for the side to move.
    fn value(&mut self) -> i64;

    /// The static value, for the side that moves now, of the position after its move.
    fn value_after(&mut self, point: Point) -> i64;

    /// A key of the position, side to move included.
    fn key(&self) -> u64;

    /// The key after a move.
    fn key_after(&self, point: Point) -> u64;

    /// Whether the side that moves at the root is to move.
    fn is_maximizing(&self) -> bool;

    /// The belief that a point will be played, if the candidates have one.
    fn probability(&self, point: Point) -> Option<f64> {
        let _ = point;
        None
    }
}

/// A board being searched.
#[derive(Debug)]
pub struct Play {
    /// The position.
    pub state: State,
    /// Its evaluation.
    pub eval: Box<dyn Evaluation>,
    /// Its candidates.
    pub candidates: Candidates,
    /// The side that moves at the root.
    pub me: Color,
    /// Whether a five or a full board ends the game inside the tree. If not, play goes on and all is
    /// judged as it stands.
    pub has_end: bool,
}

impl Play {
    /// Goes to another position.
    pub fn start(&mut self, state: State) {
        self.me = state.to_move();
        self.eval.start(&state);
        self.candidates.start(&state);
        self.state = state;
    }

    /// The moves of the side to move, best first.
    pub fn list(&mut self) -> Vec<Point> {
        let mut moves = MoveList::default();
        self.moves(&mut moves);
        moves.to_vec()
    }
}

impl SearchTree for Play {
    #[inline]
    fn moves(&mut self, moves: &mut MoveList) {
        self.candidates.list(&mut self.state, &mut *self.eval, self.me, moves);
    }

    #[inline]
    fn evaluations_for_moves(&self) -> u64 {
        self.candidates.evaluations()
    }

    #[inline]
    fn over(&self, point: Point) -> Option<Over> {
        if !self.has_end {
            None
        } else if self.state.wins(point) {
            Some(Over::Win)
        } else if self.state.n_empty() == 1 {
            Some(Over::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn play(&mut self, point: Point) {
        self.state.place(point);
        self.eval.place(&self.state, point);
        self.candidates.place(&self.state, point);
    }

    #[inline]
    fn undo(&mut self, point: Point) {
        self.state.undo(point);
        self.eval.undo(&self.state, point);
        self.candidates.undo(&self.state, point);
    }

    fn value(&mut self) -> i64 {
        let value = self.eval.value(&self.state, self.me);
        if self.is_maximizing() { value } else { -value }
    }

    #[inline]
    fn value_after(&mut self, point: Point) -> i64 {
        let value = self.eval.value_after(&mut self.state, point, self.me);
        if self.is_maximizing() { value } else { -value }
    }

    fn key(&self) -> u64 {
        self.state.key()
    }

    fn key_after(&self, point: Point) -> u64 {
        self.state.key_after(point)
    }

    fn is_maximizing(&self) -> bool {
        self.state.to_move() == self.me
    }

    fn probability(&self, point: Point) -> Option<f64> {
        self.candidates.probability(point)
    }
}
