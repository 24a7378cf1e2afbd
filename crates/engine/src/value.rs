//! What the search believes a position to be worth, in one small number.
//!
//! The number line, from the view of the side to move: evaluations lie within
//! ±[`Value::EVAL_MAX`], wins and losses beyond it count the plies from the root to the end.

use std::ops::{Add, Neg, Sub};

use player::Score;

/// A value from the view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Value(i32);

impl Value {
    pub(crate) const DRAW: Value = Value(0);
    /// Beyond every value a search returns.
    pub(crate) const INFINITE: Value = Value(32_000);
    /// The largest evaluation.
    pub(crate) const EVAL_MAX: Value = Value(20_000);
    const WIN: i32 = 30_000;
    /// No game lasts as many plies.
    const LONGEST: i32 = 1_000;

    pub(crate) const fn new(value: i32) -> Value {
        Value(value)
    }

    /// An evaluation, kept below the wins.
    pub(crate) fn eval(value: i32) -> Value {
        Value(value.clamp(-Value::EVAL_MAX.0, Value::EVAL_MAX.0))
    }

    /// The side to move has five after this many plies from the root.
    pub(crate) const fn win_at(ply: usize) -> Value {
        Value(Value::WIN - ply as i32)
    }

    /// The opponent has five after this many plies from the root.
    pub(crate) const fn loss_at(ply: usize) -> Value {
        Value(ply as i32 - Value::WIN)
    }

    pub(crate) const fn get(self) -> i32 {
        self.0
    }

    pub(crate) const fn is_win(self) -> bool {
        self.0 >= Value::WIN - Value::LONGEST
    }

    pub(crate) const fn is_loss(self) -> bool {
        self.0 <= Value::LONGEST - Value::WIN
    }

    pub(crate) const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Wins and losses counted from this node instead of the root, as the table keeps them.
    pub(crate) const fn to_table(self, ply: usize) -> Value {
        match self {
            win if win.is_win() => Value(win.0 + ply as i32),
            loss if loss.is_loss() => Value(loss.0 - ply as i32),
            eval => eval,
        }
    }

    /// The reverse of [`Value::to_table`]: wins and losses counted from the root.
    pub(crate) const fn of_table(self, ply: usize) -> Value {
        match self {
            win if win.is_win() => Value(win.0 - ply as i32),
            loss if loss.is_loss() => Value(loss.0 + ply as i32),
            eval => eval,
        }
    }

    /// The claim as the outside knows it.
    pub(crate) const fn to_score(self) -> Score {
        if self.is_win() {
            Score::win_in((Value::WIN - self.0) as u32)
        } else if self.is_loss() {
            Score::loss_in((Value::WIN + self.0) as u32)
        } else {
            Score::new(self.0 as i64)
        }
    }
}

impl Neg for Value {
    type Output = Value;

    #[inline(always)]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl Add<i32> for Value {
    type Output = Value;

    #[inline(always)]
    fn add(self, margin: i32) -> Value {
        Value(self.0 + margin)
    }
}

impl Sub<i32> for Value {
    type Output = Value;

    #[inline(always)]
    fn sub(self, margin: i32) -> Value {
        Value(self.0 - margin)
    }
}

/// The distance between two values.
impl Sub for Value {
    type Output = i32;

    #[inline(always)]
    fn sub(self, other: Value) -> i32 {
        self.0 - other.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_keep_their_distance_through_the_table() {
        for value in [Value::win_at(9), Value::loss_at(12), Value::new(-73)] {
            assert_eq!(value.to_table(4).of_table(4), value);
        }
        assert_eq!(Value::win_at(9).to_table(4).of_table(6), Value::win_at(11));
        assert_eq!(Value::win_at(9).to_score(), Score::win_in(9));
        assert_eq!(Value::loss_at(12).to_score(), Score::loss_in(12));
    }
}
