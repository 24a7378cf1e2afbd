//! A game tree to search: the board with an evaluation and candidates, or a drawing in a paper.

use gomoku::{Color, Point, Rule};

use crate::{
    eval::Evaluation,
    moves::{Candidates, MoveList},
    state::State,
};

/// How a move ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The side that moved has won.
    Win,
    /// The board is full.
    Draw,
}

/// What a search needs to know about a game.
pub trait Tree {
    /// Lists the moves of the side to move, best first.
    fn moves(&mut self, moves: &mut MoveList);

    /// Static evaluations that the last list of moves has cost.
    fn evaluations_for_moves(&self) -> u64 {
        0
    }

    /// Lists the moves, best first, that the opponent has as candidates too, after every other move
    /// but for as many at the end as [`Tree::n_stirred`] says, and that end no game there. `moves` is
    /// the list just made, whose first move was put there from `place`.
    fn steady(&mut self, moves: &mut MoveList, place: usize, steady: &mut Vec<Point>) {
        let _ = (moves, place, steady);
    }

    /// How many points a move can make better candidates than they were.
    fn n_stirred(&self, point: Point) -> usize {
        let _ = point;
        usize::MAX
    }

    /// Whether a move of the side to move ends the game.
    fn over(&mut self, point: Point) -> Option<Over>;

    /// A cheap test that is true whenever some move wins at once.
    fn may_win(&self) -> bool {
        true
    }

    /// Plays a move.
    fn play(&mut self, point: Point);

    /// Takes back a move.
    fn undo(&mut self, point: Point);

    /// The static value for the side to move.
    fn value(&mut self) -> i64;

    /// The static value, for the side that moves now, of the position after its move.
    fn value_after(&mut self, point: Point) -> i64;

    /// The static value, for the side that moves now, after its move and a reply.
    fn value_after_two(&mut self, point: Point, reply: Point) -> i64 {
        self.play(point);
        let value = -self.value_after(reply);
        self.undo(point);
        value
    }

    /// A key of the position, side to move included.
    fn key(&self) -> u64;

    /// The key after a move.
    fn key_after(&self, point: Point) -> u64;

    /// Whether the side that moves at the root is to move.
    fn is_maximizing(&self) -> bool;
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

impl Tree for Play {
    #[inline]
    fn moves(&mut self, moves: &mut MoveList) {
        self.candidates.list(&mut self.state, &mut *self.eval, self.me, moves);
    }

    #[inline]
    fn evaluations_for_moves(&self) -> u64 {
        self.candidates.evaluations()
    }

    fn steady(&mut self, moves: &mut MoveList, place: usize, steady: &mut Vec<Point>) {
        // The reply may neither win nor fill the board, and under renju candidates depend on color.
        let state = &self.state;
        if !state.opponent_may_win() && state.n_empty() > 2 && state.rule() != Rule::Renju {
            self.candidates.steady(state, moves, place, steady);
        }
    }

    #[inline]
    fn n_stirred(&self, point: Point) -> usize {
        self.state.open_sides(point) as usize
    }

    #[inline]
    fn over(&mut self, point: Point) -> Option<Over> {
        if self.state.wins(point) {
            Some(Over::Win)
        } else if self.state.n_empty() == 1 {
            Some(Over::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn may_win(&self) -> bool {
        self.state.may_win()
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

    #[inline]
    fn value_after_two(&mut self, point: Point, reply: Point) -> i64 {
        let value = self.eval.value_after_two(&mut self.state, point, reply, self.me);
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
}
