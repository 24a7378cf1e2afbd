//! The evaluation: a sum over the empty points of what a stone there would make, and a correction
//! by which threats are on the board.
//!
//! Every empty point has a code for each color, the shapes a stone of that color would make in its
//! four lines. A table gives each code two values, one for the side to move and one for the other
//! side, so that having the move is part of the sum. The sums are kept up to date as stones come
//! and go. Which threats exist at all is eleven bits more, with a table of their own. Another pair
//! of tables says how good a move on a point is, for ordering moves.

use std::sync::OnceLock;

use gomoku::{ByColor, Code, Color, Field, Observer, Point, Rule, Rules, Shape, Shapes, Threat};

use player::PointValue;

use crate::value::Value;

/// Values in the tables are this many times finer than evaluations.
pub(crate) const GRAIN: i32 = 8;
/// Number of threat masks.
pub(crate) const MASKS: usize = 1 << 11;
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

/// What a table file holds for one color: the same values by [`Code`].
#[derive(Clone, Debug)]
pub(crate) struct ColorTables {
    pub(crate) value: Vec<Tempo>,
    pub(crate) mask: Vec<i16>,
    pub(crate) make: Vec<i16>,
    pub(crate) take: Vec<i16>,
}

/// The tables that were fitted, see `fit.rs` and `docs/experiments/engine-evaluation.md`.
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
        let expected = Rule::ALL.into_iter().map(n_sets).sum::<usize>() * ColorTables::BYTES;
        if bytes.len() != expected {
            return Err(TablesError { expected, found: bytes.len() });
        }
        let before = Rule::ALL.into_iter().take_while(|&other| other != rule).map(n_sets);
        let first = before.sum::<usize>() * ColorTables::BYTES;
        let second = first + (n_sets(rule) - 1) * ColorTables::BYTES;
        let tables = [first, second].map(|at| ColorTables::from_bytes(&bytes[at..]));
        Ok(Weights::from_tables(&tables))
    }

    pub(crate) fn from_tables(tables: &[ColorTables; 2]) -> Weights {
        let codes = codes();
        let spread = |values: &[i16]| codes.iter().map(|&code| values[code as usize]).collect();
        Weights {
            shapes: [0, 1].map(|c| codes.iter().map(|&i| tables[c].value[i as usize]).collect()),
            masks: [0, 1].map(|c| tables[c].mask.clone().into_boxed_slice()),
            make: [0, 1].map(|c| spread(&tables[c].make)),
            take: [0, 1].map(|c| spread(&tables[c].take)),
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
    pub(crate) fn evaluate<R: Rules>(&self, field: &Field<R>, sums: &Sums) -> Value {
        let us = field.to_move();
        let value = sums.mover[us as usize] - sums.other[!us as usize]
            + i32::from(self.masks[us as usize][threat_mask(field)]);
        Value::eval(value / GRAIN)
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

    #[inline(always)]
    fn add(&self, sums: &mut Sums, color: Color, shapes: Shapes, sign: i32) {
        let tempo = self.shapes[color as usize][shapes.bits() as usize];
        sums.mover[color as usize] += sign * i32::from(tempo.mover);
        sums.other[color as usize] += sign * i32::from(tempo.other);
    }
}

/// Keeps the sums up to date while a stone is placed.
pub(crate) struct Keep<'a> {
    pub(crate) weights: &'a Weights,
    pub(crate) sums: &'a mut Sums,
}

impl Observer for Keep<'_> {
    #[inline(always)]
    fn changed(&mut self, color: Color, _: Point, old: Shapes, new: Shapes) {
        self.weights.add(self.sums, color, old, -1);
        self.weights.add(self.sums, color, new, 1);
    }

    #[inline(always)]
    fn occupied(&mut self, _: Point, old: ByColor<Shapes>) {
        Color::ALL.into_iter().for_each(|color| self.weights.add(self.sums, color, old[color], -1));
    }

    #[inline(always)]
    fn emptied(&mut self, _: Point, new: ByColor<Shapes>) {
        Color::ALL.into_iter().for_each(|color| self.weights.add(self.sums, color, new[color], 1));
    }
}

/// Which threats there are, from the view of the side to move. What wins at once is not asked for:
/// the search sees it without evaluating.
#[inline]
pub(crate) fn threat_mask<R: Rules>(field: &Field<R>) -> usize {
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

impl ColorTables {
    /// Size in a file.
    const BYTES: usize = 2 * (4 * Code::COUNT + MASKS);

    /// Mover and other values, masks, made and taken shapes, as little-endian 16-bit numbers.
    fn from_bytes(bytes: &[u8]) -> ColorTables {
        let mut numbers =
            bytes[..ColorTables::BYTES].chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]]));
        let mut take = |n| numbers.by_ref().take(n).collect::<Vec<_>>();
        let (mover, other) = (take(Code::COUNT), take(Code::COUNT));
        let value = mover.into_iter().zip(other).map(|(mover, other)| Tempo { mover, other });
        ColorTables {
            value: value.collect(),
            mask: take(MASKS),
            make: take(Code::COUNT),
            take: take(Code::COUNT),
        }
    }
}

/// A first guess, to have something to play the games with that better tables are fitted on.
impl ColorTables {
    pub(crate) fn by_hand(rule: Rule, color: Color) -> ColorTables {
        let restricted = rule == Rule::Renju && color == Color::Black;
        let threat = |code: usize, restricted: bool| {
            let code = Code::new(code as u16).expect("codes are counted");
            let shapes = Shapes::new(code.shapes());
            if restricted { Threat::of_restricted(shapes) } else { Threat::of(shapes) }
        };
        let line_sum = |code: usize, weights: [i32; Shape::COUNT]| {
            let shapes = Code::new(code as u16).expect("codes are counted").shapes();
            shapes.into_iter().map(|shape| weights[shape as usize]).sum::<i32>()
        };
        let value = |code| {
            let threat = threat(code, restricted);
            if threat == Threat::Forbidden {
                return Tempo { mover: -40, other: -40 };
            }
            let base = line_sum(code, [0, 0, 1, 4, 8, 20, 26, 32, 30, 60, 70, 60, 150, 300])
                + [0, 0, 0, 0, 20, 25, 10, 40, 80, 0, 30, 200, 200, 0][threat as usize];
            Tempo { mover: (base * 9 / 8) as i16, other: (base * 7 / 8) as i16 }
        };
        let mask = |mask: usize| {
            let bits = [-200, -150, 200, -100, 10, -10, 80, -50, 30, 20, -10];
            let sum = (0..11).filter(|bit| mask >> bit & 1 != 0).map(|bit| bits[bit]).sum::<i32>();
            (sum * GRAIN) as i16
        };
        let move_score = |code, restricted| {
            let threat = threat(code, restricted);
            let class = [0, -60, 14, 12, 30, 28, 45, 60, 110, 40, 60, 160, 300, 600];
            class[threat as usize]
                + line_sum(code, [0, 0, 1, 3, 4, 8, 9, 10, 9, 14, 15, 14, 20, 30])
        };
        let theirs_restricted = rule == Rule::Renju && color == Color::White;
        let codes = 0..Code::COUNT;
        ColorTables {
            value: codes.clone().map(value).collect(),
            mask: (0..MASKS).map(mask).collect(),
            make: codes.clone().map(|code| move_score(code, restricted) as i16).collect(),
            take: codes.map(|code| (move_score(code, theirs_restricted) * 3 / 4) as i16).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use gomoku::{Position, with_rule};

    use super::*;

    #[test]
    fn sums_kept_are_sums_computed() {
        for rule in Rule::ALL {
            with_rule!(rule, R => {
                let weights = Weights::of(rule);
                let mut field = Field::<R>::from_position(&Position::new(rule, 9));
                let mut sums = weights.sums(&field);
                let mut random = 1;
                for _ in 0..60 {
                    random = gomoku::zobrist::split_mix(random);
                    let empty = field.board().empty();
                    let point = empty.iter().nth(random as usize % empty.len()).unwrap();
                    field.place_observed(point, &mut Keep { weights, sums: &mut sums });
                    assert_eq!(sums, weights.sums(&field));
                }
            });
        }
    }
}
