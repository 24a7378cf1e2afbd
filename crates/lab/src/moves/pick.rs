//! Stages that pick points, and the one that cuts the list short.

use gomoku::Point;

use super::{Stage, View};
use crate::faster::MoveList;

/// Every empty point.
#[derive(Debug)]
pub(super) struct All;

impl Stage for All {
    fn apply(&mut self, view: &mut View<'_>, moves: &mut MoveList) {
        view.state.empty().into_iter().for_each(|point| moves.push(point));
    }
}

/// Points at most some king's steps from a stone.
#[derive(Debug)]
pub(super) struct Near {
    pub(super) range: u32,
}

impl Stage for Near {
    #[inline]
    fn apply(&mut self, view: &mut View<'_>, moves: &mut MoveList) {
        view.state.for_each_near(self.range, |point| moves.push(point));
    }
}

/// The smallest box around all stones, grown by some points on each side.
#[derive(Debug)]
pub(super) struct Box {
    pub(super) range: u8,
}

impl Stage for Box {
    fn apply(&mut self, view: &mut View<'_>, moves: &mut MoveList) {
        let size = view.state.size();
        let stones = view.state.board().occupied();
        let Some(first) = stones.first() else { return };
        let (mut west, mut east) = (first.col(), first.col());
        let (south, mut north) = (first.row(), first.row());
        for stone in stones {
            (west, east) = (west.min(stone.col()), east.max(stone.col()));
            north = stone.row();
        }
        let grown =
            |low: u8, high: u8| low.saturating_sub(self.range)..=(high + self.range).min(size - 1);
        for row in grown(south, north) {
            let points = grown(west, east).map(|col| Point::new(col, row));
            let empty = points.filter(|&point| view.state.is_empty_at(point));
            empty.for_each(|point| moves.push(point));
        }
    }
}

/// Only the first so many moves.
#[derive(Debug)]
pub(super) struct Top {
    pub(super) n: usize,
}

impl Stage for Top {
    fn apply(&mut self, _view: &mut View<'_>, moves: &mut MoveList) {
        moves.truncate(self.n);
    }
}
