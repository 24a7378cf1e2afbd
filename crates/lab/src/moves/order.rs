//! Stages that sort by point values, by the evaluation after the move, or by place.

use gomoku::Point;
use player::{ParamSpec, ParamValues, PointValue};

use super::{Stage, View};
use crate::{
    eval::{PointValues, value_params},
    faster::MoveList,
    state::State,
};

/// Points by what Gu's evaluators say: A of a stone of the side to move, B of one of the other side.
#[derive(Debug)]
pub(super) struct PointValueOrder {
    values: PointValues,
    of: fn(i64, i64) -> i64,
}

/// Which of A and B a point is sorted by. The code takes `score2` if A says more than B, and does not
/// say which of them writes it: so it is the larger, or the smaller.
const EVALUATORS: [&str; 4] = ["larger", "smaller", "a", "b"];

/// Declares the choice between A and B.
pub(crate) fn evaluators(name: &'static str) -> ParamSpec {
    let help = "own (A) and the other side's (B) value of a point: the larger, the smaller, or one";
    ParamSpec::choice(name, &EVALUATORS, help)
}

impl PointValueOrder {
    pub(super) fn params() -> Vec<ParamSpec> {
        let mut params = value_params();
        params.push(evaluators("of"));
        params
    }

    pub(super) fn new(params: &ParamValues) -> PointValueOrder {
        let of = match params.choice("of") {
            "smaller" => Ord::min,
            "a" => |own, _| own,
            "b" => |_, other| other,
            _ => Ord::max,
        };
        PointValueOrder { values: PointValues::new(params), of }
    }
}

impl Stage for PointValueOrder {
    fn start(&mut self, state: &State) {
        self.values.start(state);
    }

    fn place(&mut self, state: &State, point: Point) {
        self.values.place(state, point);
    }

    fn undo(&mut self, state: &State, point: Point) {
        self.values.undo(state, point);
    }

    fn apply(&mut self, view: &mut View<'_>, moves: &mut MoveList) {
        let (values, me) = (&self.values, view.state.to_move());
        moves.rank(|point| (self.of)(values.value(point, me), values.value(point, !me)));
    }

    fn points(&self, state: &State) -> Vec<PointValue> {
        self.values.list(state)
    }
}

/// The best evaluation for the mover after the move first (Fan and Yuan).
#[derive(Debug)]
pub(super) struct Utility;

impl Stage for Utility {
    fn apply(&mut self, view: &mut View<'_>, moves: &mut MoveList) {
        let me = view.me;
        let sign = if view.state.to_move() == me { 1 } else { -1 };
        view.evaluations += moves.len() as u64;
        let View { state, eval, .. } = view;
        moves.rank(|point| sign * eval.value_after(state, point, me));
    }
}

/// Points beside a stone of the side to move first (Figueira).
#[derive(Debug)]
pub(super) struct NearOwn;

impl Stage for NearOwn {
    fn apply(&mut self, view: &mut View<'_>, moves: &mut MoveList) {
        let own = view.state.board().stones(view.state.to_move()).grow(view.state.size());
        moves.rank(|point| i64::from(own.contains(point)));
    }
}

/// Points near the center first.
#[derive(Debug)]
pub(super) struct Center;

impl Stage for Center {
    fn apply(&mut self, view: &mut View<'_>, moves: &mut MoveList) {
        let center = Point::center(view.state.size());
        moves.rank(|point| -i64::from(point.distance(center)));
    }
}

/// Row by row from the bottom left, which undoes any sorting.
#[derive(Debug)]
pub(super) struct BoardOrder;

impl Stage for BoardOrder {
    fn apply(&mut self, _view: &mut View<'_>, moves: &mut MoveList) {
        moves.rank(|point| -(point.index() as i64));
    }
}

/// Row by row from the top left, as the public program of Liao's tables reads the board.
#[derive(Debug)]
pub(super) struct RowsFromTop;

impl Stage for RowsFromTop {
    fn apply(&mut self, _view: &mut View<'_>, moves: &mut MoveList) {
        // Stable: within a row the columns stay in their order.
        moves.rank(|point| i64::from(point.row()));
    }
}

/// What came last first: behind a good order the worst one for pruning.
#[derive(Debug)]
pub(super) struct Reverse;

impl Stage for Reverse {
    fn apply(&mut self, _view: &mut View<'_>, moves: &mut MoveList) {
        let mut rank = 0;
        moves.rank(|_| {
            rank += 1;
            rank
        });
    }
}
