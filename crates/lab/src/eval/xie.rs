//! Xie's evaluation: the parameters of all shapes of both sides are added up (section 2.1, table 3).

use gomoku::Color;
use player::{ParamSpec, ParamValues, Term};

use super::{
    Evaluation,
    line_sum::{LineJudge, LineSum, Seen, shape_lines},
};
use crate::{
    shape::{Pattern, PatternSet},
    state::State,
};

/// Table 3's shape parameters: parameter, printed name, empirical, optimized.
pub const TABLE_3: [(&str, &str, f64, f64); 12] = [
    ("sleep-two", "Sleep Two", 4.0, 96.6),
    ("live-two", "Live Two", 4.0, 178.9),
    ("sleep-three", "Sleep Three", 10.0, 175.3),
    ("live-three", "Live Three", 100.0, 336.7),
    ("double-live-three", "Double Live Three", 500.0, 1264.3),
    ("sleep-four", "Sleep Four", 2000.0, 2000.0),
    ("opp-sleep-two", "Opp's Sleep Two", 4.0, 8.9),
    ("opp-live-two", "Opp's Live Two", 4.0, 130.8),
    ("opp-sleep-three", "Opp's Sleep Three", 10.0, 147.2),
    ("opp-live-three", "Opp's Live Three", 400.0, 686.7),
    ("opp-double-live-three", "Opp's Double Live Three", 2000.0, 2390.8),
    ("opp-sleep-four", "Opp's Sleep Four", 2000.0, 2000.0),
];

/// The pictures are those of the common names; the paper draws none.
const SHAPES: [Pattern; 6] = [
    Pattern { name: "five", pictures: &["11111"], class: 0 },
    Pattern { name: "sleep four", pictures: &["01111", "10111", "11011"], class: 1 },
    Pattern { name: "live three", pictures: &["011100", "010110"], class: 2 },
    Pattern {
        name: "sleep three",
        pictures: &["211100", "211010", "210110", "11001", "10101", "2011102"],
        class: 3,
    },
    Pattern { name: "live two", pictures: &["001100", "011000", "01010", "010010"], class: 4 },
    Pattern {
        name: "sleep two",
        pictures: &["211000", "210100", "210010", "10001", "2011002", "2010102"],
        class: 5,
    },
];

const SLEEP_TWO: usize = 0;
const LIVE_TWO: usize = 1;
const SLEEP_THREE: usize = 2;
const LIVE_THREE: usize = 3;
const DOUBLE_LIVE_THREE: usize = 4;
const SLEEP_FOUR: usize = 5;

/// The parameter of each shape of [`SHAPES`]; a five is terminal and has none.
const PARAM_OF_SHAPE: [Option<usize>; 6] =
    [None, Some(SLEEP_FOUR), Some(LIVE_THREE), Some(SLEEP_THREE), Some(LIVE_TWO), Some(SLEEP_TWO)];

pub(super) fn params() -> Vec<ParamSpec> {
    table_params(false)
}

/// The twelve shape parameters with the empirical or the optimized column as defaults.
pub(crate) fn table_params(optimized: bool) -> Vec<ParamSpec> {
    let spec = |(name, printed, empirical, best): (&'static str, &'static str, f64, f64)| {
        ParamSpec::real(name, if optimized { best } else { empirical }, 0.0, 2500.0, printed)
    };
    TABLE_3.into_iter().map(spec).collect()
}

pub(super) fn build(params: &ParamValues, bitboard: bool) -> Box<dyn Evaluation> {
    let weights = TABLE_3.map(|(name, ..)| tenths(params.real(name)) as i32);
    Box::new(LineSum::new(Xie { shapes: PatternSet::new(&SHAPES), weights }, bitboard))
}

/// The printed parameters have one decimal, so values are counted in tenths and stay whole.
pub(crate) fn tenths(value: f64) -> i64 {
    (value * 10.0).round() as i64
}

#[derive(Debug)]
struct Xie {
    shapes: PatternSet,
    /// In tenths: six of the own side, six of the opponent's.
    weights: [i32; 12],
}

/// For each color its worth as own and as opponent's without live threes, then its live threes.
type Tally = [i32; 6];

impl Xie {
    fn add(&self, shape: usize, n: u32, side: &mut [i32]) {
        let Some(param) = PARAM_OF_SHAPE[shape] else { return };
        if param == LIVE_THREE {
            side[2] += n as i32;
        } else {
            side[0] += n as i32 * self.weights[param];
            side[1] += n as i32 * self.weights[param + 6];
        }
    }

    /// Two live threes are one double live three instead.
    #[inline]
    fn side(&self, total: &Tally, color: Color, as_opponent: bool) -> i64 {
        let (at, set) = (3 * color as usize, 6 * usize::from(as_opponent));
        let threes = total[at + 2];
        i64::from(
            total[at + usize::from(as_opponent)]
                + threes / 2 * self.weights[set + DOUBLE_LIVE_THREE]
                + threes % 2 * self.weights[set + LIVE_THREE],
        )
    }
}

impl LineJudge for Xie {
    type Tally = Tally;

    fn judge(&self, line: Seen<'_>) -> Tally {
        let mut tally = [0; 6];
        for (color, side) in Color::ALL.into_iter().zip(tally.chunks_mut(3)) {
            line.count(&self.shapes, color, |shape, n| self.add(shape, n, side));
        }
        tally
    }

    #[inline]
    fn value(&self, total: &Tally, me: Color, _to_move: Color) -> i64 {
        self.side(total, me, false) - self.side(total, !me, true)
    }

    fn score(&self, total: &Tally, side: Color, _to_move: Color) -> i64 {
        self.side(total, side, false)
    }

    fn scale(&self) -> i64 {
        10
    }

    fn terms(&self, state: &State, _total: &Tally, me: Color) -> Vec<Term> {
        let mut terms = Vec::new();
        for (color, set, sign) in [(me, 0, 1.0), (!me, 6, -1.0)] {
            let found = shape_lines(state, &self.shapes, color);
            let mut term = |param: usize, count: usize, lines| {
                let weight = f64::from(self.weights[set + param]) / 10.0;
                let points = sign * weight * count as f64;
                let name = TABLE_3[set + param].1.to_owned();
                terms.push(Term { name, color, count: count as u32, weight, points, lines });
            };
            for (shape, lines) in found.into_iter().enumerate() {
                match PARAM_OF_SHAPE[shape] {
                    None => {}
                    Some(LIVE_THREE) => {
                        let (doubles, singles) = (lines.len() / 2, lines.len() % 2);
                        term(DOUBLE_LIVE_THREE, doubles, lines[..2 * doubles].to_vec());
                        term(LIVE_THREE, singles, lines[2 * doubles..].to_vec());
                    }
                    Some(param) => term(param, lines.len(), lines),
                }
            }
        }
        terms
    }
}
