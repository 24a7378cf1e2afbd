//! Runs of stones scored by length, open ends and whose turn it is (Figueira, and the program that
//! Liao's tables call Minimax).

use gomoku::Color;
use player::Term;

use super::{
    Evaluation,
    line_sum::{LineJudge, LineSum, Seen},
};
use crate::{lines::LineStones, state::State};

/// A kind of run: stones, open ends (`None` if they do not matter), points on the owner's turn, points
/// on the other's turn.
pub type RunPoints = (u32, Option<u32>, i64, i64);

/// Figueira's table. A five counts the same whoever is to move and however many ends are open; longer
/// runs count as the first row.
pub const FIGUEIRA_TABLE: [RunPoints; 13] = [
    (5, None, 2_000_000_000, 2_000_000_000),
    (4, Some(2), 100_000_000, 50_000_000),
    (4, Some(1), 100_000_000, 50),
    (4, Some(0), 0, 0),
    (3, Some(2), 10_000, 50),
    (3, Some(1), 7, 5),
    (3, Some(0), 0, 0),
    (2, Some(2), 7, 7),
    (2, Some(1), 3, 3),
    (2, Some(0), 0, 0),
    (1, Some(2), 2, 2),
    (1, Some(1), 1, 1),
    (1, Some(0), 0, 0),
];

/// The table of the public program in Liao's tables. Six stones or more are worth two fives.
pub const PUBLIC_TABLE: [RunPoints; 14] = [
    (6, None, 200_000_000, 200_000_000),
    (5, None, 100_000_000, 100_000_000),
    (4, Some(2), 1_000_000, 250_000),
    (4, Some(1), 1_000_000, 200),
    (4, Some(0), 0, 0),
    (3, Some(2), 50_000, 200),
    (3, Some(1), 10, 5),
    (3, Some(0), 0, 0),
    (2, Some(2), 7, 5),
    (2, Some(1), 3, 3),
    (2, Some(0), 0, 0),
    (1, Some(2), 1, 1),
    (1, Some(1), 1, 1),
    (1, Some(0), 0, 0),
];

/// How the two sides' sums become one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Own minus other.
    Difference,
    /// Own divided by other.
    Ratio,
}

pub(super) fn build(measure: Measure, bitboard: bool) -> Box<dyn Evaluation> {
    let table: &[RunPoints] = match measure {
        Measure::Difference => &FIGUEIRA_TABLE,
        Measure::Ratio => &PUBLIC_TABLE,
    };
    Box::new(LineSum::new(Runs { measure, table }, bitboard))
}

#[derive(Debug)]
struct Runs {
    measure: Measure,
    /// The longest runs first.
    table: &'static [RunPoints],
}

impl Runs {
    /// The longest run that the table tells from others.
    fn longest(&self) -> u32 {
        self.table[0].0
    }

    /// Points of a run: on its owner's turn, and on the other's.
    fn points(&self, length: u32, open_ends: u32) -> [i64; 2] {
        let length = length.min(self.longest());
        let row = self
            .table
            .iter()
            .find(|(run, open, ..)| *run == length && open.is_none_or(|open| open == open_ends));
        row.map_or([0; 2], |&(_, _, owner, other)| [owner, other])
    }

    /// The runs of one kind on the board.
    fn on_board(&self, state: &State, color: Color, kind: &RunPoints) -> Vec<Vec<gomoku::Point>> {
        let mut found = Vec::new();
        for number in 0..state.lines().count() {
            let line = state.line(number);
            let (own, other) = (line.stones[color as usize], line.stones[!color as usize]);
            for (start, run, open) in runs(own, other, line.length) {
                let is_as_long = run.min(self.longest()) == kind.0;
                if is_as_long && kind.1.is_none_or(|wanted| wanted == open) {
                    let cells = start..start + run;
                    found.push(cells.map(|cell| state.lines().point(number, cell)).collect());
                }
            }
        }
        found
    }
}

/// Every run of a color on a line: first cell, length, open ends.
fn runs(own: u32, other: u32, length: u32) -> impl Iterator<Item = (u32, u32, u32)> {
    let inside = (1u32 << length) - 1;
    let free = inside & !(own | other);
    let mut rest = own;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let start = rest.trailing_zeros();
            let run = (rest >> start).trailing_ones();
            rest &= !(((1u32 << run) - 1) << start);
            let before = start > 0 && free >> (start - 1) & 1 != 0;
            let after = free >> (start + run) & 1 != 0;
            (start, run, u32::from(before) + u32::from(after))
        })
    })
}

/// The same cell by cell: calls `add` with length and open ends.
fn walk(cells: &[u8], mut add: impl FnMut(u32, u32)) {
    let (mut run, mut open_before) = (0, false);
    let mut previous = 2;
    for &cell in cells.iter().chain(&[2]) {
        if cell == 1 {
            open_before = if run == 0 { previous == 0 } else { open_before };
            run += 1;
        } else if run > 0 {
            add(run, u32::from(open_before) + u32::from(cell == 0));
            run = 0;
        }
        previous = cell;
    }
}

impl LineJudge for Runs {
    /// For each color the points if it is to move, and if it is not.
    type Tally = [i64; 4];

    fn judge(&self, line: Seen<'_>) -> [i64; 4] {
        let mut tally = [0; 4];
        for (color, side) in Color::ALL.into_iter().zip(tally.chunks_mut(2)) {
            let mut add = |run, open_ends| {
                let [owner, other] = self.points(run, open_ends);
                side[0] += owner;
                side[1] += other;
            };
            match line {
                Seen::Bits(LineStones { stones, length }) => {
                    let (own, other) = (stones[color as usize], stones[!color as usize]);
                    runs(own, other, length).for_each(|(_, run, open)| add(run, open));
                }
                Seen::Cells(cells) => walk(cells[color as usize], add),
            }
        }
        tally
    }

    #[inline]
    fn value(&self, total: &[i64; 4], me: Color, to_move: Color) -> i64 {
        let own = self.score(total, me, to_move);
        let other = self.score(total, !me, to_move);
        match self.measure {
            Measure::Difference => own - other,
            Measure::Ratio => ratio(own, other),
        }
    }

    #[inline]
    fn score(&self, total: &[i64; 4], side: Color, to_move: Color) -> i64 {
        total[2 * side as usize + usize::from(side != to_move)]
    }

    fn terms(&self, state: &State, total: &[i64; 4], me: Color) -> Vec<Term> {
        let mut terms = Vec::new();
        for color in [me, !me] {
            let sign = if color == me { 1.0 } else { -1.0 };
            for kind @ &(length, open, owner, other) in self.table {
                let lines = self.on_board(state, color, kind);
                let weight = if state.to_move() == color { owner } else { other } as f64;
                let name = match open {
                    Some(open) => format!("{length} in a row, {open} open"),
                    None => format!("{length} in a row"),
                };
                let count = lines.len() as u32;
                let points = match self.measure {
                    Measure::Difference => sign * weight * f64::from(count),
                    Measure::Ratio => 0.0,
                };
                terms.push(Term { name, color, count, weight, points, lines });
            }
        }
        if self.measure == Measure::Ratio {
            let to_move = state.to_move();
            let value = self.value(total, me, to_move) as f64;
            for color in [me, !me] {
                terms.push(Term {
                    name: "sum".to_owned(),
                    color,
                    count: 1,
                    weight: self.score(total, color, to_move) as f64,
                    points: if color == me { value } else { 0.0 },
                    lines: Vec::new(),
                });
            }
        }
        terms
    }
}

/// Own divided by other, as a value.
fn ratio(own: i64, other: i64) -> i64 {
    quotient_value(own.max(1) as f64 / other.max(1) as f64)
}

/// A quotient as a whole number that keeps its order: the bits of a floating-point number that is not
/// negative count like a logarithm, here 2^20 for each doubling, and an even balance is 0.
pub(crate) fn quotient_value(quotient: f64) -> i64 {
    const KEPT: u32 = 52 - 20;
    (quotient.to_bits() as i64 - 1f64.to_bits() as i64) >> KEPT
}
