//! Gu's evaluation: what a stone on each promising empty point would make, for both sides (5.ii).
//!
//! The value of a point to a side is the sum, over the four directions, of the value of the best
//! shape that a stone there would belong to. The paper prints no values; ours are in
//! [`POINT_VALUES`].

use gomoku::{Color, GRID, Point};
use player::{ParamSpec, ParamValues, PointValue, Term};

use super::{Evaluation, liao::TWENTY_SHAPES};
use crate::{
    faster::LineTable,
    lines::{LineStones, MAX_LINES},
    shape::PatternSet,
    state::State,
};

/// What making a shape is worth: parameter, category, points.
pub const POINT_VALUES: [(&str, &str, i64); 7] = [
    ("five", "five", 100_000),
    ("live-four", "live four", 10_000),
    ("dead-four", "dead four", 1_000),
    ("live-three", "live three", 800),
    ("dead-three", "dead three", 100),
    ("live-two", "live two", 50),
    ("dead-two", "dead two", 5),
];

const N_CLASSES: usize = POINT_VALUES.len();
const MAX_CELLS: usize = gomoku::MAX_SIZE as usize;

/// The seven values as parameters.
pub(crate) fn value_params() -> Vec<ParamSpec> {
    let spec = |(name, help, points)| ParamSpec::integer(name, points, 0, 1_000_000, help);
    POINT_VALUES.into_iter().map(|row| spec(row).log_scale()).collect()
}

pub(super) fn params() -> Vec<ParamSpec> {
    let mut params = vec![ParamSpec::choice(
        "of",
        &["sum", "max"],
        "sum of all promising points, or the best one (the version before)",
    )];
    params.extend(value_params());
    params
}

pub(super) fn build(params: &ParamValues) -> Box<dyn Evaluation> {
    let values = PointValues::new(params);
    Box::new(Points { values, best_only: params.choice("of") == "max" })
}

/// The class of shape, from 1 for a five to 7, that a stone on each cell makes for each color; 0 for
/// none or an occupied cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Classes([[u8; MAX_CELLS]; 2]);

/// The value of every empty point to both sides, kept as stones come and go.
#[derive(Debug)]
pub struct PointValues {
    shapes: PatternSet,
    /// Points by class; class 0 is nothing.
    weights: [i32; N_CLASSES + 1],
    table: LineTable<Classes>,
    lines: Vec<Classes>,
    values: [Vec<i32>; 2],
    /// Stones among the eight neighbors.
    neighbors: Vec<u8>,
    /// Sum over the empty points that have a stone beside them.
    totals: [i64; 2],
}

impl PointValues {
    /// Values from the seven parameters.
    pub(crate) fn new(params: &ParamValues) -> PointValues {
        let mut weights = [0; N_CLASSES + 1];
        for (weight, (name, ..)) in weights[1..].iter_mut().zip(POINT_VALUES) {
            *weight = params.integer(name) as i32;
        }
        PointValues {
            shapes: PatternSet::new(&TWENTY_SHAPES),
            weights,
            table: LineTable::new(13),
            lines: vec![Classes::default(); MAX_LINES],
            values: [vec![0; GRID], vec![0; GRID]],
            neighbors: vec![0; GRID],
            totals: [0; 2],
        }
    }

    /// The value of a point to a side.
    #[inline(always)]
    pub fn value(&self, point: Point, color: Color) -> i64 {
        i64::from(self.values[color as usize][point.index()])
    }

    /// Reads the whole board.
    pub fn start(&mut self, state: &State) {
        self.lines.fill(Classes::default());
        self.values.iter_mut().for_each(|values| values.fill(0));
        self.neighbors.fill(0);
        self.totals = [0; 2];
        for line in 0..state.lines().count() {
            self.judge_line(state, line);
        }
        for point in state.board().occupied() {
            self.neighborhood(point, true);
        }
    }

    /// Follows a move just played.
    pub fn place(&mut self, state: &State, point: Point) {
        state.lines().places(point).iter().for_each(|p| self.judge_line(state, p.line as usize));
        self.neighborhood(point, true);
    }

    /// Follows a move just taken back.
    pub fn undo(&mut self, state: &State, point: Point) {
        self.neighborhood(point, false);
        state.lines().places(point).iter().for_each(|p| self.judge_line(state, p.line as usize));
    }

    /// Counts a stone with its neighbors: a point with its first one joins the totals.
    fn neighborhood(&mut self, stone: Point, placed: bool) {
        const STEPS: [isize; 8] = [-33, -32, -31, -1, 1, 31, 32, 33];
        for step in STEPS {
            let at = stone.index().wrapping_add_signed(step);
            let (count, sign) = if placed {
                self.neighbors[at] += 1;
                (self.neighbors[at], 1)
            } else {
                self.neighbors[at] -= 1;
                (self.neighbors[at] + 1, -1)
            };
            if count == 1 {
                for color in 0..2 {
                    self.totals[color] += sign * i64::from(self.values[color][at]);
                }
            }
        }
    }

    fn judge_line(&mut self, state: &State, number: usize) {
        let shapes = &self.shapes;
        let new = *self.table.get(state.line(number), |line| classes(shapes, line));
        let old = std::mem::replace(&mut self.lines[number], new);
        if old == new {
            return;
        }
        let lines = state.lines();
        let step = lines.direction(number).offset();
        let mut at = lines.point(number, 0).index() as isize;
        for cell in 0..lines.length(number) as usize {
            for color in 0..2 {
                let (was, is) = (old.0[color][cell], new.0[color][cell]);
                if was != is {
                    let change = self.weights[is as usize] - self.weights[was as usize];
                    self.values[color][at as usize] += change;
                    if self.neighbors[at as usize] > 0 {
                        self.totals[color] += i64::from(change);
                    }
                }
            }
            at += step;
        }
    }
}

/// Tries a stone of each color on every empty cell of a line.
fn classes(shapes: &PatternSet, line: LineStones) -> Classes {
    let mut classes = Classes::default();
    let occupied = line.stones[0] | line.stones[1];
    for color in 0..2 {
        let (own, other) = (line.stones[color], line.stones[1 - color]);
        // Only a cell within four of an own stone can make a shape of two or more.
        let near = (1..=4).fold(0, |near, i| near | own << i | own >> i);
        for cell in (0..line.length).filter(|cell| near & !occupied & 1 << cell != 0) {
            let best = shapes.best_through(own | 1 << cell, other, line.length, cell);
            classes.0[color][cell as usize] = best.map_or(0, |class| class + 1);
        }
    }
    classes
}

#[derive(Debug)]
struct Points {
    values: PointValues,
    best_only: bool,
}

impl Points {
    fn side(&self, state: &State, color: Color) -> i64 {
        if !self.best_only {
            return self.values.totals[color as usize];
        }
        let mut best = 0;
        state.for_each_near(1, |point| best = best.max(self.values.value(point, color)));
        best
    }
}

impl Evaluation for Points {
    fn start(&mut self, state: &State) {
        self.values.start(state);
    }

    fn place(&mut self, state: &State, point: Point) {
        self.values.place(state, point);
    }

    fn undo(&mut self, state: &State, point: Point) {
        self.values.undo(state, point);
    }

    fn value(&mut self, state: &State, me: Color) -> i64 {
        self.side(state, me) - self.side(state, !me)
    }

    fn score(&mut self, state: &State, side: Color) -> i64 {
        self.side(state, side)
    }

    fn terms(&self, state: &State, me: Color) -> Vec<Term> {
        let mut terms = Vec::new();
        for color in [me, !me] {
            let mut worth = Vec::new();
            state.for_each_near(1, |point| worth.push((self.values.value(point, color), point)));
            worth.retain(|(value, _)| *value > 0);
            if self.best_only {
                worth = worth.into_iter().max_by_key(|(value, _)| *value).into_iter().collect();
            }
            let sum: i64 = worth.iter().map(|(value, _)| value).sum();
            terms.push(Term {
                name: if self.best_only { "best point" } else { "promising points" }.to_owned(),
                color,
                count: worth.len() as u32,
                weight: sum as f64 / worth.len().max(1) as f64,
                points: if color == me { sum } else { -sum } as f64,
                lines: worth.into_iter().map(|(_, point)| vec![point]).collect(),
            });
        }
        terms
    }

    fn points(&self, state: &State) -> Vec<PointValue> {
        self.values.list(state)
    }
}

impl PointValues {
    /// Every point beside a stone with its two values.
    pub(crate) fn list(&self, state: &State) -> Vec<PointValue> {
        let mut list = Vec::new();
        state.for_each_near(1, |point| {
            list.push(PointValue {
                point,
                black: self.value(point, Color::Black) as f64,
                white: self.value(point, Color::White) as f64,
            });
        });
        list
    }
}
