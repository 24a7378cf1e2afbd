//! What a tree can tell a search in a hurry.

use gomoku::{Point, Rule};

use super::MoveList;
use crate::tree::{Play, SearchTree};

/// Answers that save a search from placing stones or listing moves. Those given here are true of any
/// tree, and save nothing.
pub trait Shortcuts: SearchTree {
    /// A cheap test that is true whenever some move wins at once.
    fn may_win(&self) -> bool {
        true
    }

    /// The static value, for the side that moves now, after its move and a reply.
    fn value_after_two(&mut self, point: Point, reply: Point) -> i64 {
        self.play(point);
        let value = -self.value_after(reply);
        self.undo(point);
        value
    }

    /// Lists the moves, best first, that the opponent has as candidates too, after every other move
    /// but for as many at the end as [`Shortcuts::n_raised_by`] says, and that end no game there.
    /// `moves` is the list just made, whose first move was put there from `first_from`.
    fn lasting_candidates(
        &self,
        moves: &mut MoveList,
        first_from: usize,
        lasting: &mut Vec<Point>,
    ) {
        let _ = (moves, first_from, lasting);
    }

    /// How many points a move can make better candidates than they were.
    fn n_raised_by(&self, point: Point) -> usize {
        let _ = point;
        usize::MAX
    }
}

impl Shortcuts for Play {
    #[inline]
    fn may_win(&self) -> bool {
        self.state.may_win()
    }

    #[inline]
    fn value_after_two(&mut self, point: Point, reply: Point) -> i64 {
        let value = self.eval.value_after_two(&mut self.state, point, reply, self.me);
        if self.is_maximizing() { value } else { -value }
    }

    fn lasting_candidates(
        &self,
        moves: &mut MoveList,
        first_from: usize,
        lasting: &mut Vec<Point>,
    ) {
        // The reply may neither win nor fill the board, and under renju candidates depend on color.
        let state = &self.state;
        let is_quiet = !state.opponent_may_win() && state.n_empty() > 2;
        if is_quiet && state.rule() != Rule::Renju && self.candidates.is_sorted_by_runs() {
            lasting.extend(moves.settled());
            lasting[..=first_from].rotate_left(1);
            let beside_none = lasting.iter().position(|&point| !state.has_neighbor(point));
            lasting.truncate(beside_none.unwrap_or(lasting.len()));
        }
    }

    #[inline]
    fn n_raised_by(&self, point: Point) -> usize {
        self.state.open_sides(point) as usize
    }
}
