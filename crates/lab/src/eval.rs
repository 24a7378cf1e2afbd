//! Evaluations: what a position is worth without search.

mod compositions;
mod liao;
mod line_sum;
mod network;
mod points;
mod runs;
mod xie;

use std::fmt;

use gomoku::{Color, Point};
use player::{ParamSpec, ParamValues, PointValue, Spec, SpecError, Term};

pub use compositions::{COMPOSITIONS, Composition};
pub use liao::{ALGORITHM_3, TWENTY_SHAPES};
pub use network::NetworkValue;
pub use points::{POINT_VALUES, PointValues};
pub use runs::{FIGUEIRA_TABLE, PUBLIC_TABLE, RunPoints};
pub use xie::TABLE_3;
pub(crate) use {
    points::value_params,
    runs::quotient_value,
    xie::{table_params, tenths},
};

use crate::{component::Component, state::State};

/// Judges positions, keeping up with the stones as they come and go.
///
/// `start` reads a whole board; `place` and `undo` follow one move of [`State::place`] and
/// [`State::undo`], after the state has made it. The value is the same whichever way a position was
/// reached.
pub trait Evaluation: Send + fmt::Debug {
    /// Reads the whole board.
    fn start(&mut self, state: &State) {
        let _ = state;
    }

    /// Follows a move just played.
    fn place(&mut self, state: &State, point: Point) {
        let _ = (state, point);
    }

    /// Follows a move just taken back.
    fn undo(&mut self, state: &State, point: Point) {
        let _ = (state, point);
    }

    /// The value for `me`, whoever is to move.
    fn value(&mut self, state: &State, me: Color) -> i64;

    /// One side's own score, before the other's is taken off.
    fn score(&mut self, state: &State, side: Color) -> i64;

    /// The value for `me` after the side to move plays on a point.
    fn value_after(&mut self, state: &mut State, point: Point, me: Color) -> i64 {
        state.place(point);
        self.place(state, point);
        let value = self.value(state, me);
        state.undo(point);
        self.undo(state, point);
        value
    }

    /// The value for `me` after the side to move plays on a point and the other side replies.
    fn value_after_two(&mut self, state: &mut State, point: Point, reply: Point, me: Color) -> i64 {
        state.place(point);
        self.place(state, point);
        let value = self.value_after(state, reply, me);
        state.undo(point);
        self.undo(state, point);
        value
    }

    /// How many units of [`Evaluation::value`] make one point of the paper's scale.
    fn scale(&self) -> i64 {
        1
    }

    /// The value taken apart.
    fn terms(&self, state: &State, me: Color) -> Vec<Term>;

    /// What empty points are worth, for evaluations that add up points.
    fn points(&self, state: &State) -> Vec<PointValue> {
        let _ = state;
        Vec::new()
    }
}

/// The evaluations that can be named in a spec.
pub fn components() -> Vec<Component> {
    vec![
        Component {
            name: "liao",
            help: "20 shapes in 7 categories scored by algorithm 3 (Liao 2.2.1)",
            params: liao::params(),
        },
        Component {
            name: "compositions",
            help: "weighted dominant compositions (Fan & Yuan 3.1)",
            params: compositions::params(),
        },
        Component {
            name: "points",
            help: "values of the promising empty points, summed or the best one (Gu 5.ii)",
            params: points::params(),
        },
        Component {
            name: "open-ends",
            help: "runs by open ends and whose turn it is, own minus other (Figueira)",
            params: Vec::new(),
        },
        Component {
            name: "ratio",
            help: "the same with the numbers of Liao's opponent, own over other (Liao ch. 4)",
            params: Vec::new(),
        },
        Component {
            name: "shapes",
            help: "live and sleeping shapes with own and opponent's weights (Xie 2.1, table 3)",
            params: xie::params(),
        },
        Component {
            name: "network",
            help: "the engine's network, from nothing for each position",
            params: Vec::new(),
        },
    ]
}

/// How an evaluation follows the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Following {
    /// Only the lines through the last stone, rather than the whole board, are judged anew.
    pub local: bool,
    /// Lines are words of bits looked up in a table, rather than cells walked one by one.
    pub bitboard: bool,
}

impl Following {
    /// As fast as it gets.
    pub const FAST: Following = Following { local: true, bitboard: true };
}

/// Makes the evaluation that a spec names, which may be the network that is handed over.
pub fn build(
    spec: &Spec,
    following: Following,
    network: Option<NetworkValue>,
) -> Result<Box<dyn Evaluation>, SpecError> {
    let all = components();
    let component = crate::component::find("evaluation", &all, spec)?;
    let params = ParamValues::resolve(component.name, &component.params, &spec.args)?;
    let bits = following.bitboard;
    let evaluation: Box<dyn Evaluation> = match component.name {
        "liao" => liao::build(&params, bits),
        "compositions" => compositions::build(&params, bits),
        "points" => points::build(&params),
        "open-ends" => runs::build(runs::Measure::Difference, bits),
        "ratio" => runs::build(runs::Measure::Ratio, bits),
        "network" => {
            let why = "There is no network here to evaluate with.";
            Box::new(network::Network(network.ok_or_else(|| SpecError::Other(why.to_owned()))?))
        }
        _ => xie::build(&params, bits),
    };
    Ok(if following.local { evaluation } else { Box::new(FullUpdate(evaluation)) })
}

/// Declares the parameter that takes an evaluation.
pub fn param(default: &str) -> ParamSpec {
    let names: Vec<_> = components().iter().map(|component| component.name).collect();
    ParamSpec::component("eval", default, "evaluation", &names, "what a position is worth")
}

/// Reads the whole board for every value: what programs do that have no local update.
#[derive(Debug)]
struct FullUpdate(Box<dyn Evaluation>);

impl Evaluation for FullUpdate {
    fn start(&mut self, state: &State) {
        self.0.start(state);
    }

    fn value(&mut self, state: &State, me: Color) -> i64 {
        self.0.start(state);
        self.0.value(state, me)
    }

    fn score(&mut self, state: &State, side: Color) -> i64 {
        self.0.start(state);
        self.0.score(state, side)
    }

    fn scale(&self) -> i64 {
        self.0.scale()
    }

    fn terms(&self, state: &State, me: Color) -> Vec<Term> {
        self.0.terms(state, me)
    }

    fn points(&self, state: &State) -> Vec<PointValue> {
        self.0.points(state)
    }
}

/// Judges nothing: for searches that play games to their end instead.
#[derive(Debug)]
pub(crate) struct Nothing;

impl Evaluation for Nothing {
    fn value(&mut self, _state: &State, _me: Color) -> i64 {
        0
    }

    fn score(&mut self, _state: &State, _side: Color) -> i64 {
        0
    }

    fn terms(&self, _state: &State, _me: Color) -> Vec<Term> {
        Vec::new()
    }
}
