//! What is tried first at a node, and in which order the others follow.

use gomoku::Point;

use super::{MoveList, Shortcuts};
use crate::{
    search::{AlphaBeta, Ask},
    tree::Over,
};

/// A move that is tried before the candidates are listed, which often makes the list unnecessary.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Early {
    /// The best of an earlier search.
    Remembered(Point),
    /// One that is certain to be a candidate.
    Hint(Point),
}

impl Early {
    pub(crate) fn point(self) -> Point {
        let (Early::Remembered(point) | Early::Hint(point)) = self;
        point
    }
}

/// How far the candidates of a node have been looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    /// Number of the next candidate.
    pub(crate) number: usize,
    /// Where the first of them stood before it was put there.
    first_from: usize,
}

impl AlphaBeta {
    /// What to try before the candidates are listed. A recorded search shows them all in turn.
    pub(crate) fn early(&self, key: u64, ask: &Ask) -> Option<Early> {
        let remembered = self.memory.best_move(key).filter(|_| !self.recording.is_on());
        remembered.map(Early::Remembered).or(ask.hint.map(Early::Hint))
    }

    /// Puts the candidate first that has been tried already, or else one that promises most.
    pub(crate) fn put_first(
        &self,
        tree: &impl Shortcuts,
        (key, at): (u64, usize),
        early: Option<Early>,
        moves: &mut MoveList,
    ) -> Next {
        let place = match early {
            Some(Early::Hint(hint)) => {
                let place = moves.promote(hint);
                debug_assert!(place.is_some(), "{hint} is no candidate");
                place
            }
            _ => self.memory.arrange(tree, key, moves),
        };
        let number = usize::from(place.is_some() && early.is_some());
        let place = place.or_else(|| self.most_promising(tree, at, moves));
        Next { number, first_from: place.unwrap_or(0) }
    }

    /// In a position of which no best move is remembered: a winning candidate first, or else what
    /// refuted a neighbor.
    fn most_promising(
        &self,
        tree: &impl Shortcuts,
        at: usize,
        moves: &mut MoveList,
    ) -> Option<usize> {
        if self.switches.win_first && tree.may_win() {
            let mut candidates = (0..moves.len()).map_while(|i| moves.get(i));
            if let Some(win) = candidates.find(|&point| tree.over(point) == Some(Over::Win)) {
                return moves.promote(win);
            }
        }
        let refutation = self.plies[at].refutation;
        refutation
            .filter(|_| self.switches.best_path.borrows())
            .and_then(|point| moves.promote(point))
    }

    /// The next candidate. Before the second one, which most nodes never get to, the rest is put in
    /// order and replies to it are looked for.
    #[inline]
    pub(crate) fn next(
        &mut self,
        tree: &impl Shortcuts,
        ask: &Ask,
        moves: &mut MoveList,
        next: &mut Next,
    ) -> Option<Point> {
        if next.number == 1 && ask.depth > 1 {
            if self.gives_hints() {
                let lasting = &mut self.plies[ask.ply as usize].lasting;
                tree.lasting_candidates(moves, next.first_from, lasting);
            }
            if self.switches.history {
                moves.reorder(1, |point| self.memory.refuted(ask.ply, point));
            }
        }
        next.number += 1;
        moves.get(next.number - 1)
    }
}
