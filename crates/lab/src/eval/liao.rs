//! Liao's board evaluation: 20 shapes in 7 categories, scored by algorithm 3 (section 2.2.1).

use gomoku::Color;
use player::{ParamSpec, Params, Term};

use super::{
    Evaluation,
    line_sum::{LineJudge, LineSum, shape_lines},
};
use crate::{
    lines::Line,
    shape::{Shape, Shapes},
    state::State,
};

/// The 20 shapes of figure 2.3, as far as the text describes them, by falling priority.
///
/// A live three needs one more empty cell on either side (011100 or 001110): without it, it is the
/// dead three 2011102.
pub const TWENTY_SHAPES: [Shape; 20] = [
    Shape { name: "five in row 11111", pictures: &["11111"], class: 0 },
    Shape { name: "live four 011110", pictures: &["011110"], class: 1 },
    Shape { name: "dead four 211110", pictures: &["211110"], class: 2 },
    Shape { name: "J dead four 10111", pictures: &["10111"], class: 2 },
    Shape { name: "C dead four 11011", pictures: &["11011"], class: 2 },
    Shape { name: "live three 01110", pictures: &["011100"], class: 3 },
    Shape { name: "j live three 010110", pictures: &["010110"], class: 3 },
    Shape { name: "dead three 211100", pictures: &["211100"], class: 4 },
    Shape { name: "dead three 211010", pictures: &["211010"], class: 4 },
    Shape { name: "dead three 210110", pictures: &["210110"], class: 4 },
    Shape { name: "dead three 11001", pictures: &["11001"], class: 4 },
    Shape { name: "dead three 10101", pictures: &["10101"], class: 4 },
    Shape { name: "dead three 2011102", pictures: &["2011102"], class: 4 },
    Shape { name: "live two 001100", pictures: &["001100"], class: 5 },
    Shape { name: "live two 01010", pictures: &["01010"], class: 5 },
    Shape { name: "live two 010010", pictures: &["010010"], class: 5 },
    Shape { name: "dead two 211000", pictures: &["211000"], class: 6 },
    Shape { name: "dead two 210100", pictures: &["210100"], class: 6 },
    Shape { name: "dead two 210010", pictures: &["210010"], class: 6 },
    Shape { name: "dead two 10001", pictures: &["10001"], class: 6 },
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

pub(super) fn build(params: &Params, bitboard: bool) -> Box<dyn Evaluation> {
    let mut weights = Weights::default();
    let rules = ALGORITHM_3.iter().chain(&SMALL);
    for (weight, (name, _, _)) in weights.0.iter_mut().zip(rules) {
        *weight = params.integer(name);
    }
    if params.choice("style") == "printed" {
        weights.0[ALGORITHM_3.len()..].fill(0);
    }
    Box::new(LineSum::new(Liao { shapes: Shapes::new(&TWENTY_SHAPES), weights }, bitboard))
}

/// Points of the seven printed rules, then of the four small categories.
#[derive(Clone, Copy, Debug, Default)]
struct Weights([i64; 11]);

#[derive(Debug)]
struct Liao {
    shapes: Shapes,
    weights: Weights,
}

/// The ten kinds that algorithm 3 tells apart, in the order of the packed counts.
const KIND_OF_SHAPE: [u32; 20] = [0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 8, 8, 8, 9, 9, 9, 9];
/// Bits of one packed count; five counts to a word. No board has 4096 shapes of a kind.
const BITS: u32 = 12;

/// Two words of five counts each.
type Packed = [u64; 2];

fn count(packed: Packed, kind: u32) -> i64 {
    (packed[kind as usize / 5] >> (BITS * (kind % 5)) & ((1 << BITS) - 1)) as i64
}

impl Liao {
    fn pack(&self, shape: usize, n: u32, packed: &mut [u64]) {
        let kind = KIND_OF_SHAPE[shape];
        packed[kind as usize / 5] += u64::from(n) << (BITS * (kind % 5));
    }

    /// Algorithm 3 for one side: how often each rule applies.
    #[inline]
    fn applied(packed: Packed) -> [i64; 11] {
        let [five, live_four, dead_four, j_four, c_four, live_three, j_three, dead_three, ..] =
            std::array::from_fn::<i64, 10, _>(|kind| count(packed, kind as u32));
        let double = live_three >= 2 || dead_four == 2 || dead_four == 1 && live_three == 1;
        [
            i64::from(five != 0),
            i64::from(live_four != 0),
            i64::from(double),
            i64::from(live_three + j_three == 2),
            i64::from(dead_four != 0),
            i64::from(j_four != 0),
            c_four,
            live_three + j_three,
            dead_three,
            count(packed, 8),
            count(packed, 9),
        ]
    }

    #[inline]
    fn side(&self, packed: Packed) -> i64 {
        Liao::applied(packed).iter().zip(&self.weights.0).map(|(n, weight)| n * weight).sum()
    }
}

fn of(total: &[u64; 4], color: Color) -> Packed {
    match color {
        Color::Black => [total[0], total[1]],
        Color::White => [total[2], total[3]],
    }
}

impl LineJudge for Liao {
    type Tally = [u64; 4];

    fn judge(&self, line: Line) -> [u64; 4] {
        let mut tally = [0; 4];
        let [black, white] = line.stones;
        self.shapes.count_bits(black, white, line.length, |shape, n| {
            self.pack(shape, n, &mut tally[..2]);
        });
        self.shapes.count_bits(white, black, line.length, |shape, n| {
            self.pack(shape, n, &mut tally[2..]);
        });
        tally
    }

    fn judge_cells(&self, [black, white]: [&[u8]; 2]) -> [u64; 4] {
        let mut tally = [0; 4];
        self.shapes.count_cells(black, |shape, n| self.pack(shape, n, &mut tally[..2]));
        self.shapes.count_cells(white, |shape, n| self.pack(shape, n, &mut tally[2..]));
        tally
    }

    #[inline]
    fn value(&self, total: &[u64; 4], me: Color, _to_move: Color) -> i64 {
        self.side(of(total, me)) - self.side(of(total, !me))
    }

    fn score(&self, total: &[u64; 4], side: Color, _to_move: Color) -> i64 {
        self.side(of(total, side))
    }

    /// The rules that apply, and after them the 20 shapes of each side with their counts.
    fn terms(&self, state: &State, total: &[u64; 4], me: Color) -> Vec<Term> {
        let mut terms = Vec::new();
        for color in [me, !me] {
            let applied = Liao::applied(of(total, color));
            let rules = ALGORITHM_3.iter().chain(&SMALL).zip(applied).zip(self.weights.0);
            for (((_, help, _), n), weight) in rules.filter(|((_, n), _)| *n > 0) {
                let points = n * weight * if color == me { 1 } else { -1 };
                terms.push(Term {
                    name: format!("rule: {help}"),
                    color,
                    count: n as u32,
                    weight: weight as f64,
                    points: points as f64,
                    lines: Vec::new(),
                });
            }
        }
        for color in [me, !me] {
            let lines = shape_lines(state, &self.shapes, color);
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
