//! Liao's board evaluation: 20 shapes in 7 categories, scored by algorithm 3 (section 2.2.1).

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

/// The 20 shapes of figure 2.3, as far as the text describes them, by falling priority.
///
/// A live three needs one more empty cell on either side (011100 or 001110): without it, it is the
/// dead three 2011102.
pub const TWENTY_SHAPES: [Pattern; 20] = [
    Pattern { name: "five in row 11111", pictures: &["11111"], class: 0 },
    Pattern { name: "live four 011110", pictures: &["011110"], class: 1 },
    Pattern { name: "dead four 211110", pictures: &["211110"], class: 2 },
    Pattern { name: "J dead four 10111", pictures: &["10111"], class: 2 },
    Pattern { name: "C dead four 11011", pictures: &["11011"], class: 2 },
    Pattern { name: "live three 01110", pictures: &["011100"], class: 3 },
    Pattern { name: "j live three 010110", pictures: &["010110"], class: 3 },
    Pattern { name: "dead three 211100", pictures: &["211100"], class: 4 },
    Pattern { name: "dead three 211010", pictures: &["211010"], class: 4 },
    Pattern { name: "dead three 210110", pictures: &["210110"], class: 4 },
    Pattern { name: "dead three 11001", pictures: &["11001"], class: 4 },
    Pattern { name: "dead three 10101", pictures: &["10101"], class: 4 },
    Pattern { name: "dead three 2011102", pictures: &["2011102"], class: 4 },
    Pattern { name: "live two 001100", pictures: &["001100"], class: 5 },
    Pattern { name: "live two 01010", pictures: &["01010"], class: 5 },
    Pattern { name: "live two 010010", pictures: &["010010"], class: 5 },
    Pattern { name: "dead two 211000", pictures: &["211000"], class: 6 },
    Pattern { name: "dead two 210100", pictures: &["210100"], class: 6 },
    Pattern { name: "dead two 210010", pictures: &["210010"], class: 6 },
    Pattern { name: "dead two 10001", pictures: &["10001"], class: 6 },
];

/// Algorithm 3 as printed: parameter, condition, points.
pub const ALGORITHM_3: [(&str, &str, i64); 7] = [
    ("five", "five in row", 100_000),
    ("live-four", "live four", 15_000),
    ("double", "two live threes, two dead fours, or a dead four and a live three", 10_000),
    ("pair", "live threes and j live threes together are two", 5_000),
    ("dead-four", "dead four", 1_000),
    ("j-dead-four", "J dead four", 300),
    ("c-dead-four", "C dead four, each", 50),
];

/// What the printed algorithm leaves at nothing: parameter, category, points each.
const SMALL: [(&str, &str, i64); 4] = [
    ("live-three", "live three, each", 200),
    ("dead-three", "dead three, each", 50),
    ("live-two", "live two, each", 5),
    ("dead-two", "dead two, each", 3),
];

pub(super) fn params() -> Vec<ParamSpec> {
    let mut params = vec![ParamSpec::choice(
        "style",
        &["default", "printed"],
        "printed: lone live threes and everything below them score nothing",
    )];
    for (name, help, points) in ALGORITHM_3.into_iter().chain(SMALL) {
        params.push(ParamSpec::integer(name, points, 0, 1_000_000, help).log_scale());
    }
    params
}

pub(super) fn build(params: &ParamValues, bitboard: bool) -> Box<dyn Evaluation> {
    let mut weights = Weights::default();
    let rules = ALGORITHM_3.iter().chain(&SMALL);
    for (weight, (name, _, _)) in weights.0.iter_mut().zip(rules) {
        *weight = params.integer(name);
    }
    if params.choice("style") == "printed" {
        weights.0[ALGORITHM_3.len()..].fill(0);
    }
    Box::new(LineSum::new(Liao { shapes: PatternSet::new(&TWENTY_SHAPES), weights }, bitboard))
}

/// Points of the seven printed rules, then of the four small categories.
#[derive(Clone, Copy, Debug, Default)]
struct Weights([i64; 11]);

#[derive(Debug)]
struct Liao {
    shapes: PatternSet,
    weights: Weights,
}

/// The ten kinds that algorithm 3 tells apart.
const KIND_OF_SHAPE: [usize; 20] = [0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 8, 8, 8, 9, 9, 9, 9];

/// The kinds of which rules ask more than a sum are counted, five, live four, dead four, J dead
/// four, live three and j live three from the highest bits down. No board has so many that a
/// count runs into the next one.
const COUNT_SHIFT: [Option<u32>; 10] =
    [Some(50), Some(40), Some(30), Some(20), None, Some(10), Some(0), None, None, None];
const COUNT: u64 = (1 << 10) - 1;

/// Counts of Black and of White, and then what is merely summed: Black's in the lower half, which
/// has room for four thousand shapes of the largest weight.
type Counts = [u64; 3];

impl Weights {
    /// Points of the rules that are sums, for each shape of a kind.
    fn each(&self, kind: usize) -> i64 {
        let [.., c_four, live_three, dead_three, live_two, dead_two] = self.0;
        match kind {
            4 => c_four,
            5 | 6 => live_three,
            7 => dead_three,
            8 => live_two,
            9 => dead_two,
            _ => 0,
        }
    }
}

impl Liao {
    fn add(&self, shape: usize, n: u32, side: Color, counts: &mut Counts) {
        let (kind, n) = (KIND_OF_SHAPE[shape], u64::from(n));
        if let Some(shift) = COUNT_SHIFT[kind] {
            counts[side as usize] += n << shift;
        }
        let points = n * self.weights.each(kind) as u64;
        counts[2] += points << (32 * side as u32);
    }

    /// Whether each rule that is not a sum applies to a side.
    #[inline]
    fn applied(counts: u64) -> [bool; 6] {
        let [live_four, dead_four, j_four, live_three, j_three] =
            [40, 30, 20, 10, 0].map(|shift| counts >> shift & COUNT);
        let double = live_three >= 2 || dead_four == 2 || dead_four == 1 && live_three == 1;
        let pair = live_three + j_three == 2;
        [counts >> 50 != 0, live_four != 0, double, pair, dead_four != 0, j_four != 0]
    }

    #[inline]
    fn side(&self, total: &Counts, side: Color) -> i64 {
        let sum = i64::from((total[2] >> (32 * side as u32)) as u32);
        let counts = total[side as usize];
        if counts == 0 {
            return sum;
        }
        let rules = Liao::applied(counts).into_iter().zip(&self.weights.0);
        sum + rules.map(|(applies, weight)| i64::from(applies) * weight).sum::<i64>()
    }
}

impl LineJudge for Liao {
    type Tally = Counts;

    fn judge(&self, line: Seen<'_>) -> Counts {
        let mut counts = [0; 3];
        for side in Color::ALL {
            line.count(&self.shapes, side, |shape, n| self.add(shape, n, side, &mut counts));
        }
        counts
    }

    #[inline]
    fn value(&self, total: &Counts, me: Color, _to_move: Color) -> i64 {
        self.side(total, me) - self.side(total, !me)
    }

    fn score(&self, total: &Counts, side: Color, _to_move: Color) -> i64 {
        self.side(total, side)
    }

    /// The rules that apply, and after them the 20 shapes of each side with their counts.
    fn terms(&self, state: &State, total: &Counts, me: Color) -> Vec<Term> {
        let mut terms = Vec::new();
        let found = [me, !me].map(|color| (color, shape_lines(state, &self.shapes, color)));
        for (color, lines) in &found {
            let n_of = |kind| -> i64 {
                let shapes = lines.iter().zip(KIND_OF_SHAPE).filter(|(_, of)| *of == kind);
                shapes.map(|(lines, _)| lines.len() as i64).sum()
            };
            let once = Liao::applied(total[*color as usize]).map(i64::from);
            let each = [n_of(4), n_of(5) + n_of(6), n_of(7), n_of(8), n_of(9)];
            let rules = ALGORITHM_3.iter().chain(&SMALL).zip(once.into_iter().chain(each));
            for (((_, help, _), n), weight) in rules.zip(self.weights.0) {
                let points = n * weight * if *color == me { 1 } else { -1 };
                if n > 0 {
                    terms.push(Term {
                        name: format!("rule: {help}"),
                        color: *color,
                        count: n as u32,
                        weight: weight as f64,
                        points: points as f64,
                        lines: Vec::new(),
                    });
                }
            }
        }
        for (color, lines) in found {
            for (shape, lines) in TWENTY_SHAPES.iter().zip(lines) {
                terms.push(Term {
                    name: shape.name.to_owned(),
                    color,
                    count: lines.len() as u32,
                    weight: 0.0,
                    points: 0.0,
                    lines,
                });
            }
        }
        terms
    }
}
