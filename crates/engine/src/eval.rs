//! The evaluation: a sum over the empty points of what a stone there would make, and a correction
//! by which threats are on the board.
//!
//! Every empty point has a code for each color, the shapes a stone of that color would make in its
//! four lines. A table gives each code two values, one for the side to move and one for the other
//! side, so that having the move is part of the sum. The sums are kept up to date as stones come
//! and go. Which threats exist at all is eleven bits more, with a table of their own. Another pair
//! of tables says how good a move on a point is, for ordering moves.

use std::sync::OnceLock;

use gomoku::{Color, Field, Point, Rule, Rules, Shape, Shapes};
use net::{GRAIN, Tables, threat_mask};
use player::PointValue;

const COMBINATIONS: usize = 1 << 16;

/// A value for a side if it is to move, and if it is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tempo {
    pub(crate) mover: i16,
    pub(crate) other: i16,
}

/// The sums over all empty points, by color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    mover: [i32; 2],
    other: [i32; 2],
}

/// The tables of one rule.
#[derive(Debug)]
pub(crate) struct Weights {
    /// By color and [`Shapes::bits`].
    shapes: [Box<[Tempo]>; 2],
    /// By the color to move and the threat mask.
    masks: [Box<[i16]>; 2],
    /// How good a move is that makes these shapes, and one that takes them from the opponent, by
    /// the color to move and [`Shapes::bits`].
    make: [Box<[i16]>; 2],
    take: [Box<[i16]>; 2],
}

/// The tables that were fitted, see `docs/experiments/engine-evaluation.md`.
static FITTED: &[u8] = include_bytes!("../data/tables.bin");

/// Why bytes are not the tables of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("A file of tables has {expected} bytes, not {found}.")]
pub struct TablesError {
    expected: usize,
    found: usize,
}

impl Weights {
    /// The tables of a rule, built when they are first asked for.
    pub(crate) fn of(rule: Rule) -> &'static Weights {
        static WEIGHTS: [OnceLock<Weights>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        WEIGHTS[rule as usize].get_or_init(|| {
            Weights::read(FITTED, rule).expect("the tables are part of the program")
        })
    }

    /// The tables of a rule out of a file with those of all rules.
    pub(crate) fn read(bytes: &[u8], rule: Rule) -> Result<Weights, TablesError> {
        // Colors that the rule treats alike share their tables.
        let n_sets = |rule| if rule == Rule::Renju { 2 } else { 1 };
        let expected = Rule::ALL.into_iter().map(n_sets).sum::<usize>() * BYTES;
        if bytes.len() != expected {
            return Err(TablesError { expected, found: bytes.len() });
        }
        let before = Rule::ALL.into_iter().take_while(|&other| other != rule).map(n_sets);
        let first = before.sum::<usize>() * BYTES;
        let second = first + (n_sets(rule) - 1) * BYTES;
        let [first, second] = [first, second].map(|at| read_tables(&bytes[at..]));
        Ok(Weights::from_tables([&first, &second]))
    }

    /// The tables of Black and White, spread out by shapes.
    pub(crate) fn from_tables(tables: [&Tables; 2]) -> Weights {
        let codes = codes();
        let spread = |values: &[i16]| codes.iter().map(|&code| values[code as usize]).collect();
        Weights {
            shapes: tables.map(|tables| {
                let tempo = |&code: &u16| Tempo {
                    mover: tables.mover[code as usize],
                    other: tables.other[code as usize],
                };
                codes.iter().map(tempo).collect()
            }),
            masks: tables.map(|tables| tables.mask.clone().into_boxed_slice()),
            make: tables.map(|tables| spread(&tables.make)),
            take: tables.map(|tables| spread(&tables.take)),
        }
    }

    /// The sums of a position, from nothing.
    pub(crate) fn sums<R: Rules>(&self, field: &Field<R>) -> Sums {
        let mut sums = Sums::default();
        for color in Color::ALL {
            for point in field.board().empty() {
                self.add(&mut sums, color, field.shapes(color, point), 1);
            }
        }
        sums
    }

    /// The evaluation from the view of the side to move.
    pub(crate) fn evaluate<R: Rules>(&self, field: &Field<R>, sums: &Sums) -> i32 {
        let us = field.to_move();
        let value = sums.mover[us as usize] - sums.other[!us as usize]
            + i32::from(self.masks[us as usize][threat_mask(field)]);
        value / GRAIN
    }

    /// How promising a move looks.
    #[inline(always)]
    pub(crate) fn policy<R: Rules>(&self, field: &Field<R>, point: Point) -> i32 {
        let us = field.to_move();
        let make = self.make[us as usize][field.shapes(us, point).bits() as usize];
        let take = self.take[us as usize][field.shapes(!us, point).bits() as usize];
        i32::from(make) + i32::from(take)
    }

    /// What each empty point is worth to either side, for showing.
    #[allow(clippy::float_arithmetic, reason = "this is for showing, not for deciding")]
    pub(crate) fn point_values<R: Rules>(&self, field: &Field<R>) -> Vec<PointValue> {
        let value = |color: Color, point| {
            let shapes = field.shapes(color, point).bits() as usize;
            let tempo = self.shapes[color as usize][shapes];
            f64::from(if color == field.to_move() { tempo.mover } else { tempo.other })
                / f64::from(GRAIN)
        };
        let points = field.board().empty().iter();
        points
            .map(|point| PointValue {
                point,
                black: value(Color::Black, point),
                white: value(Color::White, point),
            })
            .collect()
    }

    /// The shapes of one color at an empty point change.
    #[inline(always)]
    pub(crate) fn change(&self, sums: &mut Sums, color: Color, old: Shapes, new: Shapes) {
        self.add(sums, color, old, -1);
        self.add(sums, color, new, 1);
    }

    /// A point with these shapes gets a stone.
    #[inline(always)]
    pub(crate) fn remove(&self, sums: &mut Sums, color: Color, old: Shapes) {
        self.add(sums, color, old, -1);
    }

    #[inline(always)]
    fn add(&self, sums: &mut Sums, color: Color, shapes: Shapes, sign: i32) {
        let tempo = self.shapes[color as usize][shapes.bits() as usize];
        sums.mover[color as usize] += sign * i32::from(tempo.mover);
        sums.other[color as usize] += sign * i32::from(tempo.other);
    }
}

/// The number of the code of every combination of shapes; 0 where there is no such combination.
fn codes() -> &'static [u16] {
    static CODES: OnceLock<Box<[u16]>> = OnceLock::new();
    CODES.get_or_init(|| {
        let mut codes = vec![0; COMBINATIONS].into_boxed_slice();
        for i in 0..Shape::COUNT.pow(4) {
            let shape = |i: usize| Shape::ALL[i % Shape::COUNT];
            let shapes = Shapes::new([shape(i), shape(i / 14), shape(i / 196), shape(i / 2744)]);
            codes[shapes.bits() as usize] = shapes.code().index() as u16;
        }
        codes
    })
}

/// Size of a color's tables in a file.
const BYTES: usize = 2 * Tables::LEN;

/// Mover and other values, masks, made and taken shapes, as little-endian 16-bit numbers.
fn read_tables(bytes: &[u8]) -> Tables {
    let mut numbers = bytes.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]]));
    let mut tables = Tables::zero();
    for part in tables.parts_mut() {
        part.iter_mut().zip(numbers.by_ref()).for_each(|(slot, number)| *slot = number);
    }
    tables
}
