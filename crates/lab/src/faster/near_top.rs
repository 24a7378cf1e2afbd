//! The candidates `near|probability|top` made at once instead of in three stages.

use gomoku::{Point, Rule};

use super::MoveList;
use crate::{
    moves::{Probability, Stage, View},
    state::State,
};

/// Picks points near a stone and sorts them by completion probability in one go.
#[derive(Debug)]
pub(crate) struct NearTop {
    pub(crate) probability: Probability,
    /// At most so many king's steps from a stone.
    pub(crate) range: u32,
    /// No more of them count.
    pub(crate) n: usize,
}

impl Stage for NearTop {
    fn start(&mut self, state: &State) {
        self.probability.start(state);
    }

    fn place(&mut self, state: &State, point: Point) {
        self.probability.place(state, point);
    }

    fn undo(&mut self, state: &State, point: Point) {
        self.probability.undo(state, point);
    }

    fn apply(&mut self, view: &mut View<'_>, moves: &mut MoveList) {
        // Points beside a stone stand before all others, which are needless if there are enough,
        // as long as none of them is forbidden.
        let is_renju = view.state.rule() == Rule::Renju;
        for range in [if is_renju { self.range } else { 1 }, self.range] {
            moves.clear();
            view.state.for_each_near(range, |point| {
                moves.push_ranked(point, self.probability.key(point));
            });
            if range == self.range || moves.len() >= self.n {
                break;
            }
        }
    }

    fn probability(&self, point: Point) -> Option<f64> {
        self.probability.probability(point)
    }
}
