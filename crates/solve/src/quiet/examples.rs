//! Decisions as examples: what won in a position often wins in one that differs by a stone or two of
//! the defender's.

use std::{cmp::Reverse, collections::HashMap};

use gomoku::{Board, Color, Point, PointSet, Symmetry};

use super::Decision;

/// So many of the defender's stones may lie elsewhere.
const MAX_DIFFERENT: u32 = 2;
/// So many moves are suggested at most.
const MAX_SUGGESTED: usize = 3;

/// Decisions by the attacker's stones: the defender's stones, and the move that won.
#[derive(Debug, Default)]
pub(super) struct Examples {
    by_own: HashMap<PointSet, Vec<(PointSet, Point)>>,
}

impl Examples {
    pub(super) fn add(&mut self, decision: &Decision) {
        let (board, side) = (decision.position.board(), decision.position.to_move());
        let examples = self.by_own.entry(*board.stones(side)).or_default();
        examples.push((*board.stones(!side), decision.point));
    }

    /// Moves that won in positions like this one, from the most alike; of those that are equally
    /// alike, the move that won more often comes first.
    pub(super) fn suggest(&self, board: &Board, side: Color) -> Vec<Point> {
        let n_stones = board.stones(!side).len();
        let mut votes: HashMap<(u32, Point), u32> = HashMap::new();
        for symmetry in Symmetry::all() {
            let image = board.transformed(symmetry);
            let back = |point| symmetry.inverse().apply(point, board.size());
            for &(theirs, point) in self.by_own.get(image.stones(side)).into_iter().flatten() {
                let different = n_stones as u32 - (theirs & *image.stones(!side)).len() as u32;
                let point = back(point);
                if different <= MAX_DIFFERENT && board.is_empty_at(point) {
                    *votes.entry((different, point)).or_default() += 1;
                }
            }
        }
        let mut votes: Vec<_> = votes.into_iter().collect();
        votes.sort_by_key(|&((different, point), n)| (different, Reverse(n), point.index()));
        let mut points: Vec<Point> = Vec::new();
        for ((_, point), _) in votes {
            if points.len() < MAX_SUGGESTED && !points.contains(&point) {
                points.push(point);
            }
        }
        points
    }
}
