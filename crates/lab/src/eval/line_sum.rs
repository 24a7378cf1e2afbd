//! Evaluations that add up over the lines of the board: a move changes only the four through it.

use std::fmt;

use gomoku::{Color, Point};
use player::Term;

use super::Evaluation;
use crate::{
    faster::LineTable,
    lines::{LineStones, MAX_LINES},
    shape::PatternSet,
    state::State,
};

/// Numbers that are added up line by line.
pub(crate) trait Tally: Copy + Default + Send + fmt::Debug + PartialEq {
    /// Adds `new` and takes off `old`.
    fn change(&mut self, new: &Self, old: &Self);
}

macro_rules! tallies {
    ($($number:ty),*) => {$(
        impl<const N: usize> Tally for [$number; N]
        where
            [$number; N]: Default,
        {
            #[inline(always)]
            fn change(&mut self, new: &Self, old: &Self) {
                for i in 0..N {
                    self[i] = self[i].wrapping_add(new[i]).wrapping_sub(old[i]);
                }
            }
        }
    )*};
}

tallies!(i32, i64, u64);

/// A line as it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen<'a> {
    /// A bit for each stone.
    Bits(LineStones),
    /// Cell by cell, each side seeing its own stones as 1 and the other's as 2.
    Cells([&'a [u8]; 2]),
}

impl Seen<'_> {
    /// Counts the shapes of a color: `count(shape, n)` for each found.
    pub(crate) fn count(self, shapes: &PatternSet, color: Color, count: impl FnMut(usize, u32)) {
        match self {
            Seen::Bits(LineStones { stones, length }) => {
                shapes.count_bits(stones[color as usize], stones[!color as usize], length, count);
            }
            Seen::Cells(cells) => shapes.count_cells(cells[color as usize], count),
        }
    }
}

/// What one line adds, and what the sum over all lines means.
pub(crate) trait LineJudge: Send + fmt::Debug {
    /// What is added up.
    type Tally: Tally;

    /// What a line adds.
    fn judge(&self, line: Seen<'_>) -> Self::Tally;

    /// The value for `me`.
    fn value(&self, total: &Self::Tally, me: Color, to_move: Color) -> i64;

    /// One side's own score.
    fn score(&self, total: &Self::Tally, side: Color, to_move: Color) -> i64;

    /// See [`Evaluation::scale`].
    fn scale(&self) -> i64 {
        1
    }

    /// See [`Evaluation::terms`].
    fn terms(&self, state: &State, total: &Self::Tally, me: Color) -> Vec<Term>;
}

/// An evaluation made of a judge of lines.
#[derive(Debug)]
pub(crate) struct LineSum<J: LineJudge> {
    judge: J,
    reader: Reader<J::Tally>,
    lines: [J::Tally; MAX_LINES],
    total: J::Tally,
    before: Vec<(J::Tally, [J::Tally; 4])>,
}

/// How a line is read: bits looked up in a table, or cells walked.
#[derive(Debug)]
enum Reader<T> {
    Bits(LineTable<T>),
    Cells([Vec<u8>; 2]),
}

impl<T: Tally> Reader<T> {
    #[inline(always)]
    fn read(&mut self, judge: &impl LineJudge<Tally = T>, line: LineStones) -> T {
        match self {
            Reader::Bits(table) => *table.get(line, |line| judge.judge(Seen::Bits(line))),
            Reader::Cells(cells) => {
                for (color, cells) in Color::ALL.into_iter().zip(cells.iter_mut()) {
                    let (own, other) = (line.stones[color as usize], line.stones[!color as usize]);
                    cells.clear();
                    cells.extend(
                        (0..line.length).map(|i| (own >> i & 1) as u8 + 2 * (other >> i & 1) as u8),
                    );
                }
                judge.judge(Seen::Cells([&cells[0], &cells[1]]))
            }
        }
    }
}

impl<J: LineJudge> LineSum<J> {
    const TABLE_BITS: u32 = 15;

    pub(crate) fn new(judge: J, bitboard: bool) -> LineSum<J> {
        LineSum {
            judge,
            reader: if bitboard {
                Reader::Bits(LineTable::new(Self::TABLE_BITS))
            } else {
                Reader::Cells([Vec::new(), Vec::new()])
            },
            lines: [J::Tally::default(); MAX_LINES],
            total: J::Tally::default(),
            before: Vec::new(),
        }
    }
}

impl<J: LineJudge> Evaluation for LineSum<J> {
    fn start(&mut self, state: &State) {
        self.total = J::Tally::default();
        self.before.clear();
        for line in 0..state.lines().count() {
            let tally = self.reader.read(&self.judge, state.line(line));
            self.total.change(&tally, &J::Tally::default());
            self.lines[line] = tally;
        }
    }

    fn place(&mut self, state: &State, point: Point) {
        let places = state.lines().places(point);
        let old = places.map(|place| self.lines[place.line as usize]);
        self.before.push((self.total, old));
        for (place, old) in places.iter().zip(&old) {
            let new = self.reader.read(&self.judge, state.line(place.line as usize));
            self.total.change(&new, old);
            self.lines[place.line as usize] = new;
        }
    }

    fn undo(&mut self, state: &State, point: Point) {
        let (total, old) = self.before.pop().expect("only a move that was followed is taken back");
        self.total = total;
        for (place, old) in state.lines().places(point).iter().zip(old) {
            self.lines[place.line as usize] = old;
        }
    }

    fn value(&mut self, state: &State, me: Color) -> i64 {
        self.judge.value(&self.total, me, state.to_move())
    }

    fn score(&mut self, state: &State, side: Color) -> i64 {
        self.judge.score(&self.total, side, state.to_move())
    }

    /// The difference of the four lines with and without the stone, nothing written down.
    #[inline]
    fn value_after(&mut self, state: &mut State, point: Point, me: Color) -> i64 {
        let mover = state.to_move();
        let mut total = self.total;
        for place in state.lines().places(point) {
            let mut line = state.line(place.line as usize);
            line.stones[mover as usize] |= 1 << place.cell;
            let new = self.reader.read(&self.judge, line);
            total.change(&new, &self.lines[place.line as usize]);
        }
        self.judge.value(&total, me, !mover)
    }

    /// The same for two stones, which may stand on one line.
    #[inline]
    fn value_after_two(&mut self, state: &mut State, point: Point, reply: Point, me: Color) -> i64 {
        let mover = state.to_move();
        let mut total = self.total;
        let lines = state.lines();
        for (first, second) in lines.places(point).iter().zip(lines.places(reply)) {
            let mut line = state.line(first.line as usize);
            line.stones[mover as usize] |= 1 << first.cell;
            if first.line == second.line {
                line.stones[!mover as usize] |= 1 << second.cell;
            } else {
                let mut other = state.line(second.line as usize);
                other.stones[!mover as usize] |= 1 << second.cell;
                let new = self.reader.read(&self.judge, other);
                total.change(&new, &self.lines[second.line as usize]);
            }
            let new = self.reader.read(&self.judge, line);
            total.change(&new, &self.lines[first.line as usize]);
        }
        self.judge.value(&total, me, mover)
    }

    fn scale(&self) -> i64 {
        self.judge.scale()
    }

    fn terms(&self, state: &State, me: Color) -> Vec<Term> {
        // Terms are asked for outside a search, when the running total may be of another board.
        let mut total = J::Tally::default();
        for line in 0..state.lines().count() {
            let seen = Seen::Bits(state.line(line));
            total.change(&self.judge.judge(seen), &J::Tally::default());
        }
        self.judge.terms(state, &total, me)
    }
}

/// The stones of every shape found on the board, by shape number: for explanations.
pub(crate) fn shape_lines(
    state: &State,
    shapes: &PatternSet,
    color: Color,
) -> Vec<Vec<Vec<Point>>> {
    let mut found = vec![Vec::new(); shapes.all().len()];
    for line in 0..state.lines().count() {
        let LineStones { stones, length } = state.line(line);
        let (own, other) = (stones[color as usize], stones[!color as usize]);
        for (shape, cells) in shapes.find(own, other, length) {
            let points = cells.into_iter().map(|cell| state.lines().point(line, cell));
            found[shape].push(points.collect());
        }
    }
    found
}
