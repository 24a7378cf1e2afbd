//! Candidates: which moves a search looks at, and in what order.
//!
//! A pipeline such as `near(1)|probability|top(15)` is a list of stages. The first picks points, the
//! others sort or shorten the list. What comes out depends on the position alone, never on the way
//! there, so that every search sees the same tree.

mod order;
mod pick;
mod probability;
mod static_table;

use std::fmt;

use gomoku::{Color, Point};
use player::{LineValue, ParamSpec, ParamValues, PointValue, Spec, SpecError};

pub use static_table::TABLE_1;
pub(crate) use {order::evaluators, static_table::table_params};

pub(crate) use probability::Probability;

use crate::{
    component::Component,
    eval::Evaluation,
    faster::{MoveList, NearTop},
    state::State,
};

/// What a stage may look at: the state, the evaluation in use, and whose search it is.
#[derive(Debug)]
pub struct View<'a> {
    /// The position.
    pub state: &'a mut State,
    /// The evaluation, standing at the same position.
    pub eval: &'a mut dyn Evaluation,
    /// The side that moves at the root.
    pub me: Color,
    /// Static evaluations made by the stages.
    pub evaluations: u64,
}

/// Picks, sorts or shortens the list of moves. `start`, `place` and `undo` as for evaluations.
pub trait Stage: Send + fmt::Debug {
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

    /// Changes the list of moves.
    fn apply(&mut self, view: &mut View<'_>, moves: &mut MoveList);

    /// The stage's belief that the point will be played, 0 to 1.
    fn probability(&self, point: Point) -> Option<f64> {
        let _ = point;
        None
    }

    /// What empty points are worth to either side.
    fn points(&self, state: &State) -> Vec<PointValue> {
        let _ = state;
        Vec::new()
    }

    /// The numbered lines that points are judged by.
    fn lines(&self, state: &State) -> Vec<LineValue> {
        let _ = state;
        Vec::new()
    }
}

/// A whole pipeline.
#[derive(Debug)]
pub struct Candidates {
    stages: Vec<Box<dyn Stage>>,
    evaluations: u64,
    /// See [`Candidates::is_sorted_by_runs`].
    is_sorted_by_runs: bool,
}

impl Candidates {
    /// Makes the pipeline that specs name.
    pub fn build(specs: &[Spec]) -> Result<Candidates, SpecError> {
        let all = components();
        let mut stages: Vec<Box<dyn Stage>> = Vec::new();
        let mut resolved: Vec<ParamValues> = Vec::new();
        for (number, spec) in specs.iter().enumerate() {
            let component = crate::component::find("candidate stage", &all, spec)?;
            let picks = ["all", "near", "box"].contains(&component.name);
            if picks != (number == 0) {
                let name = component.name;
                return Err(SpecError::Other(format!(
                    "'{name}' stands in the wrong place: candidates begin with one of all, near, \
                     box, and only stages that sort or shorten may follow."
                )));
            }
            let params = ParamValues::resolve(component.name, &component.params, &spec.args)?;
            stages.push(stage(component.name, &params));
            resolved.push(params);
        }
        let names = specs.iter().map(|spec| spec.name.as_str());
        let is_sorted_by_runs = names.eq(["near", "probability", "top"]);
        if let (true, [near, _, top]) = (is_sorted_by_runs, &resolved[..]) {
            let probability = Probability::default();
            let (range, n) = (near.integer("range") as u32, top.integer("n") as usize);
            stages.splice(..2, [Box::new(NearTop { probability, range, n }) as Box<dyn Stage>]);
        }
        Ok(Candidates { stages, evaluations: 0, is_sorted_by_runs })
    }

    /// Reads the whole board.
    pub fn start(&mut self, state: &State) {
        self.stages.iter_mut().for_each(|stage| stage.start(state));
    }

    /// Follows a move just played.
    #[inline]
    pub fn place(&mut self, state: &State, point: Point) {
        self.stages.iter_mut().for_each(|stage| stage.place(state, point));
    }

    /// Follows a move just taken back.
    #[inline]
    pub fn undo(&mut self, state: &State, point: Point) {
        self.stages.iter_mut().for_each(|stage| stage.undo(state, point));
    }

    /// Lists the moves of the side to move, best first. Forbidden points are left out.
    pub fn list(
        &mut self,
        state: &mut State,
        eval: &mut dyn Evaluation,
        me: Color,
        moves: &mut MoveList,
    ) {
        moves.clear();
        let mut view = View { state, eval, me, evaluations: 0 };
        for (number, stage) in self.stages.iter_mut().enumerate() {
            stage.apply(&mut view, moves);
            let state = &*view.state;
            let black_to_move = state.to_move() == Color::Black;
            if number == 0 && black_to_move && state.rule() == gomoku::Rule::Renju {
                moves.retain(|point| !state.is_forbidden(point));
            }
        }
        self.evaluations = view.evaluations;
    }

    /// Whether a stone raises, at most, the points at the open ends of the runs through it. That is
    /// so of the completion probability. Other points that come near by the stone adjoin none, and
    /// stand behind all that do.
    pub(crate) fn is_sorted_by_runs(&self) -> bool {
        self.is_sorted_by_runs
    }

    /// Static evaluations that the last list has cost.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// The belief that a point will be played, if a stage has one.
    pub fn probability(&self, point: Point) -> Option<f64> {
        self.stages.iter().find_map(|stage| stage.probability(point))
    }

    /// What empty points are worth to either side, if a stage knows.
    pub fn points(&self, state: &State) -> Vec<PointValue> {
        let lists = self.stages.iter().map(|stage| stage.points(state));
        lists.into_iter().find(|points| !points.is_empty()).unwrap_or_default()
    }

    /// The numbered lines that points are judged by, if a stage has such lines.
    pub fn lines(&self, state: &State) -> Vec<LineValue> {
        self.stages.iter().flat_map(|stage| stage.lines(state)).collect()
    }
}

/// The stages that can be named in a spec.
pub fn components() -> Vec<Component> {
    let range = |default| {
        vec![ParamSpec::integer("range", default, 1, 5, "king's steps from the nearest stone")]
    };
    vec![
        Component { name: "all", help: "every empty point", params: Vec::new() },
        Component { name: "near", help: "points near a stone (Liao 3.1)", params: range(1) },
        Component {
            name: "box",
            help: "the box around all stones, grown (Liao 3.1, the older range)",
            params: range(2),
        },
        Component {
            name: "probability",
            help: "by completion probability: the longest adjoining run (Liao 3.1)",
            params: Vec::new(),
        },
        Component {
            name: "static-table",
            help: "by the static table of five-cell lines (Xie 3.1)",
            params: static_table::params(),
        },
        Component {
            name: "point-value",
            help: "by both sides' point values (Gu 5.iii)",
            params: order::PointValueOrder::params(),
        },
        Component {
            name: "utility",
            help: "by the evaluation after the move (Fan & Yuan 3.2.1)",
            params: Vec::new(),
        },
        Component {
            name: "near-own",
            help: "points beside own stones first (Figueira)",
            params: Vec::new(),
        },
        Component { name: "center", help: "points near the center first", params: Vec::new() },
        Component {
            name: "board",
            help: "in the order of the board, row by row: not sorted at all",
            params: Vec::new(),
        },
        Component {
            name: "rows",
            help: "row by row from the top, as Liao's opponent reads the board",
            params: Vec::new(),
        },
        Component {
            name: "reverse",
            help: "the other way round: of a good order the worst",
            params: Vec::new(),
        },
        Component {
            name: "top",
            help: "only the first so many",
            params: vec![ParamSpec::integer("n", 12, 1, 500, "how many moves stay")],
        },
    ]
}

/// Declares the parameter that takes candidates.
pub fn param(default: &str) -> ParamSpec {
    let names: Vec<_> = components().iter().map(|component| component.name).collect();
    ParamSpec::component("moves", default, "candidates", &names, "which moves are searched")
}

fn stage(name: &str, params: &ParamValues) -> Box<dyn Stage> {
    match name {
        "all" => Box::new(pick::All),
        "near" => Box::new(pick::Near { range: params.integer("range") as u32 }),
        "box" => Box::new(pick::Box { range: params.integer("range") as u8 }),
        "probability" => Box::new(Probability::default()),
        "static-table" => Box::new(static_table::StaticTable::new(params)),
        "point-value" => Box::new(order::PointValueOrder::new(params)),
        "utility" => Box::new(order::Utility),
        "near-own" => Box::new(order::NearOwn),
        "board" => Box::new(order::BoardOrder),
        "center" => Box::new(order::Center),
        "rows" => Box::new(order::RowsFromTop),
        "reverse" => Box::new(order::Reverse),
        _ => Box::new(pick::Top { n: params.integer("n") as usize }),
    }
}
