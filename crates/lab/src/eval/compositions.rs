//! Fan and Yuan's evaluation: dominant compositions, each with a score and two weights (3.1).

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

/// A row of the paper's two tables.
#[derive(Clone, Copy, Debug)]
pub struct Composition {
    /// The printed name.
    pub name: &'static str,
    /// The parameter for its score.
    pub param: &'static str,
    /// The printed score; -5 for the three S compositions, which have none in the paper.
    pub score: i64,
    /// Weight of our own.
    pub own_weight: i64,
    /// Weight of the opponent's.
    pub opponent_weight: i64,
}

/// Both tables of section 3.1, row by row.
pub const COMPOSITIONS: [Composition; 10] = [
    row("WIN", "win", 2_000_000, 10),
    row("H4", "h4", 10_000, 10),
    row("C4", "c4", 500, 10),
    row("H3", "h3", 200, 10),
    row("M3", "m3", 50, 1),
    row("H2", "h2", 5, 1),
    row("M2", "m2", 3, 1),
    row("S4", "s4", -5, 1),
    row("S3", "s3", -5, 1),
    row("S2", "s2", -5, 1),
];

const fn row(
    name: &'static str,
    param: &'static str,
    score: i64,
    opponent_weight: i64,
) -> Composition {
    Composition { name, param, score, own_weight: 1, opponent_weight }
}

/// What each composition looks like; 011110 and 211110 are the paper's own examples. S means that
/// both ends are blocked.
const SHAPES: [Pattern; 10] = [
    Pattern { name: "WIN", pictures: &["11111"], class: 0 },
    Pattern { name: "H4", pictures: &["011110"], class: 1 },
    Pattern { name: "C4", pictures: &["211110", "10111", "11011"], class: 2 },
    Pattern { name: "H3", pictures: &["011100", "010110"], class: 3 },
    Pattern {
        name: "M3",
        pictures: &["211100", "211010", "210110", "11001", "10101", "2011102"],
        class: 4,
    },
    Pattern { name: "H2", pictures: &["001100", "011000", "01010", "010010"], class: 5 },
    Pattern { name: "M2", pictures: &["211000", "210100", "210010", "10001"], class: 6 },
    Pattern { name: "S4", pictures: &["211112"], class: 7 },
    Pattern { name: "S3", pictures: &["21112"], class: 7 },
    Pattern { name: "S2", pictures: &["2112"], class: 7 },
];

pub(super) fn params() -> Vec<ParamSpec> {
    let mut params = Vec::new();
    for row in COMPOSITIONS {
        params.push(ParamSpec::integer(row.param, row.score, -1000, 10_000_000, row.name));
    }
    params.push(ParamSpec::integer(
        "opponent-weight",
        10,
        1,
        100,
        "weight of the opponent's WIN, H4, C4 and H3",
    ));
    let help = "compositions are looked for in bits, or as expressions in strings, as in the paper";
    params.push(ParamSpec::choice("matching", &["bits", "strings"], help));
    params
}

pub(super) fn build(params: &ParamValues, bitboard: bool) -> Box<dyn Evaluation> {
    let heavy = params.integer("opponent-weight");
    let weights = COMPOSITIONS.map(|row| {
        let score = params.integer(row.param);
        let opponent = if row.opponent_weight > 1 { heavy } else { row.opponent_weight };
        [score * row.own_weight, score * opponent]
    });
    let strings = params.choice("matching") == "strings";
    let judge = Judge { shapes: PatternSet::new(&SHAPES), weights, strings };
    Box::new(LineSum::new(judge, bitboard && !strings))
}

#[derive(Debug)]
struct Judge {
    shapes: PatternSet,
    /// What each composition is worth as our own and as the opponent's.
    weights: [[i64; 2]; 10],
    /// Whether lines are strings.
    strings: bool,
}

impl Judge {
    fn add(&self, shape: usize, n: u32, side: &mut [i64]) {
        side[0] += i64::from(n) * self.weights[shape][0];
        side[1] += i64::from(n) * self.weights[shape][1];
    }
}

impl LineJudge for Judge {
    /// For each color its worth as our own and as the opponent's.
    type Tally = [i64; 4];

    fn judge(&self, line: Seen<'_>) -> [i64; 4] {
        let mut tally = [0; 4];
        for (color, side) in Color::ALL.into_iter().zip(tally.chunks_mut(2)) {
            let add = |shape, n| self.add(shape, n, side);
            match line {
                Seen::Cells(cells) if self.strings => {
                    let text: String =
                        cells[color as usize].iter().map(|cell| char::from(b'0' + cell)).collect();
                    self.shapes.count_text(&text, add);
                }
                _ => line.count(&self.shapes, color, add),
            }
        }
        tally
    }

    #[inline]
    fn value(&self, total: &[i64; 4], me: Color, _to_move: Color) -> i64 {
        total[2 * me as usize] - total[2 * !me as usize + 1]
    }

    fn score(&self, total: &[i64; 4], side: Color, _to_move: Color) -> i64 {
        total[2 * side as usize]
    }

    fn terms(&self, state: &State, _total: &[i64; 4], me: Color) -> Vec<Term> {
        let mut terms = Vec::new();
        for (color, set, sign) in [(me, 0, 1), (!me, 1, -1)] {
            let found = shape_lines(state, &self.shapes, color);
            for (shape, lines) in found.into_iter().enumerate() {
                let weight = self.weights[shape][set];
                terms.push(Term {
                    name: SHAPES[shape].name.to_owned(),
                    color,
                    count: lines.len() as u32,
                    weight: weight as f64,
                    points: (sign * weight * lines.len() as i64) as f64,
                    lines,
                });
            }
        }
        terms
    }
}
