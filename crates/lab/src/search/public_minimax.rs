//! The public program that Liao's tables call Minimax (chapter 4), move by move and count by count.
//!
//! It is alpha-beta with a quotient for a value, own sum over the other's, and four habits of its own,
//! all kept because its moves follow from them. It looks for a win at once and never for the
//! opponent's. Inside the tree nothing ends the game: play goes on after a five, and a five on both
//! sides is worth about 1. Candidates are not sorted. A node that is cut answers with its child's move,
//! so that a root that is sure to win plays what the opponent would have answered.

use gomoku::{Color, Point, Rule};
use player::Reason;

use super::{
    Control, Found, Order, RootMove, Search,
    deepen::{deepen, with_rest},
};
use crate::{
    eval::quotient_value,
    faster::MoveList,
    tree::{Play, SearchTree},
};

/// A sum that holds a five.
const FIVE: i64 = 100_000_000;

/// The window at the root. No quotient is below the one, and what reaches the other is cut.
const WINDOW: (f64, f64) = (-1.0, FIVE as f64);

/// What a node answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublicAnswer {
    /// The sum of the side that moves at the root over that of the other.
    pub quotient: f64,
    /// The move that goes with it: on a cut, the child's.
    pub reported: Option<Point>,
    /// The node's own move that led there.
    pub tried: Option<Point>,
}

/// The search of the public program.
#[derive(Debug, Default)]
pub struct PublicMinimax {
    /// It takes itself for White and its turn for White's, whichever color it really has: what comes
    /// of a program that only plays White when nobody swaps the colors for it.
    always_white: bool,
    lists: Vec<MoveList>,
}

impl PublicMinimax {
    /// The search, with the colors swapped for it when it plays Black or not.
    pub fn new(always_white: bool) -> PublicMinimax {
        PublicMinimax { always_white, lists: Vec::new() }
    }

    /// The answer at the root, once no move wins at once.
    pub fn solve(
        &mut self,
        play: &mut Play,
        moves: &[Point],
        depth: u32,
        control: &mut Control<'_>,
    ) -> PublicAnswer {
        self.node(play, &mut MoveList::of(moves), depth, WINDOW, control)
    }

    /// The first move after which the own sum holds a five.
    pub fn win_at_once(
        play: &mut Play,
        moves: &[Point],
        control: &mut Control<'_>,
    ) -> Option<Point> {
        for &point in moves {
            control.node();
            control.evaluation();
            play.play(point);
            let sum = play.eval.score(&play.state, play.me);
            play.undo(point);
            if sum >= FIVE {
                return Some(point);
            }
            if control.stopped() {
                break;
            }
        }
        None
    }

    /// Does something in the seat that the program believes to have.
    fn seated<T>(
        &mut self,
        play: &mut Play,
        act: impl FnOnce(&mut PublicMinimax, &mut Play) -> T,
    ) -> T {
        let mine = play.me;
        let seat = if self.always_white { Color::White } else { mine };
        play.me = seat;
        play.state.set_to_move(seat);
        let done = act(self, play);
        play.me = mine;
        play.state.set_to_move(mine);
        done
    }

    fn node(
        &mut self,
        play: &mut Play,
        moves: &mut MoveList,
        depth: u32,
        (mut alpha, mut beta): (f64, f64),
        control: &mut Control<'_>,
    ) -> PublicAnswer {
        let is_max = play.is_maximizing();
        let mut best = if is_max {
            PublicAnswer { quotient: WINDOW.0, reported: None, tried: None }
        } else {
            let first = moves.get(0);
            PublicAnswer { quotient: WINDOW.1, reported: first, tried: first }
        };
        for number in 0..moves.len() {
            let Some(point) = moves.get(number) else { break };
            let child = self.child(play, point, depth, (alpha, beta), control);
            if control.stopped() {
                break;
            }
            let quotient = child.quotient;
            let cuts = if is_max { quotient >= beta } else { quotient <= alpha };
            if cuts {
                control.cutoff();
                return PublicAnswer { tried: Some(point), ..child };
            }
            let is_better =
                if is_max { quotient > best.quotient } else { quotient < best.quotient };
            if is_better {
                best = PublicAnswer { quotient, reported: Some(point), tried: Some(point) };
            }
            if is_max {
                alpha = alpha.max(quotient);
            } else {
                beta = beta.min(quotient);
            }
        }
        best
    }

    /// What the position after a move answers; judged as it stands when the depth is used up or no
    /// candidate is left.
    fn child(
        &mut self,
        play: &mut Play,
        point: Point,
        depth: u32,
        window: (f64, f64),
        control: &mut Control<'_>,
    ) -> PublicAnswer {
        control.node();
        play.play(point);
        let mut moves = self.lists.pop().unwrap_or_default();
        moves.clear();
        if depth > 1 {
            play.moves(&mut moves);
            control.evaluations(play.evaluations_for_moves());
        }
        let answer = if moves.is_empty() {
            control.evaluation();
            PublicAnswer { quotient: quotient(play), reported: None, tried: None }
        } else {
            self.node(play, &mut moves, depth - 1, window, control)
        };
        self.lists.push(moves);
        play.undo(point);
        answer
    }
}

/// The root's side over the other, whose sum counts as 1 when it has none.
fn quotient(play: &mut Play) -> f64 {
    let own = play.eval.score(&play.state, play.me);
    let other = play.eval.score(&play.state, !play.me);
    own as f64 / if other == 0 { 1.0 } else { other as f64 }
}

impl Search for PublicMinimax {
    fn forget(&mut self, _seed: u64) {}

    fn search(&mut self, play: &mut Play, order: &Order, control: &mut Control<'_>) -> Found {
        let win =
            self.seated(play, |_, play| PublicMinimax::win_at_once(play, &order.moves, control));
        if let Some(win) = win {
            // What wins for the color that it takes for its own may only stop the other's win.
            let reason = if play.state.wins(win) { Reason::Win } else { Reason::Block };
            let moves = vec![RootMove::new(win)];
            return Found { moves, reason: Some(reason), ..Found::default() };
        }
        // Where a limit may stop it, it deepens as all searches here do.
        let stride = order.may_stop.then_some(1);
        deepen(play, order, stride, control, |play, depth, control| {
            let before = control.counters.nodes;
            let answer =
                self.seated(play, |this, play| this.solve(play, &order.moves, depth, control));
            let reported = answer.reported.filter(|&point| may_play(play, order, point));
            let best = reported.or(answer.tried).map(|point| RootMove {
                value: Some(quotient_value(answer.quotient)),
                nodes: control.counters.nodes - before,
                ..RootMove::new(point)
            });
            with_rest(best.into_iter().collect(), order)
        })
    }
}

/// Whether the root may play a move that its child reported, which need not be a candidate.
fn may_play(play: &Play, order: &Order, point: Point) -> bool {
    let state = &play.state;
    let may_be_forbidden = state.rule() == Rule::Renju && state.to_move() == Color::Black;
    let is_legal = state.is_empty_at(point) && !(may_be_forbidden && state.is_forbidden(point));
    order.moves.contains(&point) || order.is_whole && is_legal
}
