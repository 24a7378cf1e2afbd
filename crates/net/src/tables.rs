//! What is linear in the shapes of points: a value for each code, and one for each set of threats.

use gomoku::{Code, Color, Field, Point, Rules, Threat};

/// Values in the tables are this many times finer than evaluations.
pub const GRAIN: i32 = 8;
/// Number of threat masks.
pub const MASKS: usize = 1 << 11;

/// The tables of one side. Sums are over the empty points, by what a stone there would make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// By the code of a point for this side, if it is to move.
    pub mover: Vec<i16>,
    /// By the code of a point for this side, if it is not to move.
    pub other: Vec<i16>,
    /// By [`threat_mask`], if this side is to move.
    pub mask: Vec<i16>,
    /// How good a move of this side is that makes a code.
    pub make: Vec<i16>,
    /// How good a move of this side is that takes a code from the opponent.
    pub take: Vec<i16>,
}

impl Tables {
    /// The number of numbers.
    pub const LEN: usize = 4 * Code::COUNT + MASKS;

    /// Nothing but zeros.
    pub fn zero() -> Tables {
        Tables {
            mover: vec![0; Code::COUNT],
            other: vec![0; Code::COUNT],
            mask: vec![0; MASKS],
            make: vec![0; Code::COUNT],
            take: vec![0; Code::COUNT],
        }
    }

    /// The parts in the order of a file.
    pub fn parts(&self) -> [&Vec<i16>; 5] {
        [&self.mover, &self.other, &self.mask, &self.make, &self.take]
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> [&mut Vec<i16>; 5] {
        [&mut self.mover, &mut self.other, &mut self.mask, &mut self.make, &mut self.take]
    }
}

/// The linear part of an evaluation for the side to move, from nothing, in units of 1/[`GRAIN`].
pub(crate) fn linear_value<R: Rules>(field: &Field<R>, tables: [&Tables; 2]) -> i32 {
    let us = field.to_move();
    let value = |point: Point| {
        let own = tables[us as usize].mover[field.code(us, point).index()];
        let other = tables[!us as usize].other[field.code(!us, point).index()];
        i32::from(own) - i32::from(other)
    };
    let sum: i32 = field.board().empty().iter().map(value).sum();
    sum + i32::from(tables[us as usize].mask[threat_mask(field)])
}

/// The linear part of a move's score.
pub(crate) fn linear_policy<R: Rules>(field: &Field<R>, point: Point, tables: &Tables) -> i32 {
    let us = field.to_move();
    let of = |table: &[i16], color: Color| i32::from(table[field.code(color, point).index()]);
    of(&tables.make, us) + of(&tables.take, !us)
}

/// Which threats there are, from the view of the side to move. What wins at once is not asked for:
/// a search sees it without evaluating.
#[inline]
pub fn threat_mask<R: Rules>(field: &Field<R>) -> usize {
    let us = field.to_move();
    let has = |color, threat| field.has(color, threat) as usize;
    has(!us, Threat::Five)
        | has(!us, Threat::OpenFour) << 1
        | has(us, Threat::FourThree) << 2
        | has(!us, Threat::FourThree) << 3
        | (has(us, Threat::Four) | has(us, Threat::FourPlus)) << 4
        | (has(!us, Threat::Four) | has(!us, Threat::FourPlus)) << 5
        | has(us, Threat::DoubleThree) << 6
        | (has(!us, Threat::DoubleThree) | has(!us, Threat::OpenThreePlus)) << 7
        | has(us, Threat::OpenThreePlus) << 8
        | has(us, Threat::OpenThree) << 9
        | has(!us, Threat::OpenThree) << 10
}
