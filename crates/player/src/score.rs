//! What a player believes a position to be worth.

use std::{fmt, ops::Neg};

/// A claim about a position, from the view of the side to move: an evaluation in the player's own
/// units, or a win or loss in a number of plies.
///
/// A score is never a proof: only a [`Choice`](crate::Choice) with a proof that `verify` accepts is
/// shown as `#n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score(i64);

impl Score {
    /// Beyond every evaluation and every win.
    pub const INFINITE: Score = Score(1 << 41);
    /// The score of having won already.
    const WIN: i64 = 1 << 40;
    /// Wins take fewer plies than this.
    const MAX_PLIES: i64 = 1 << 20;

    /// An evaluation.
    ///
    /// # Panics
    /// In debug builds, if the value is so large that it would read as a win.
    pub const fn new(value: i64) -> Score {
        debug_assert!(value.abs() < Score::WIN - Score::MAX_PLIES, "evaluations stay below wins");
        Score(value)
    }

    /// The side to move wins in this many plies; its own winning move is ply 1.
    pub const fn win_in(plies: u32) -> Score {
        Score(Score::WIN - plies as i64)
    }

    /// The side to move loses in this many plies.
    pub const fn loss_in(plies: u32) -> Score {
        Score(plies as i64 - Score::WIN)
    }

    /// The score with this number behind it, whatever it claims.
    pub const fn from_value(value: i64) -> Score {
        let most = Score::INFINITE.0;
        Score(if value > most {
            most
        } else if value < -most {
            -most
        } else {
            value
        })
    }

    /// The number behind the score.
    pub const fn value(self) -> i64 {
        self.0
    }

    /// Whether the score claims a win or a loss.
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Score::WIN - Score::MAX_PLIES
    }

    /// Plies to the claimed win (positive) or loss (negative).
    pub const fn decisive_in(self) -> Option<i64> {
        if !self.is_decisive() {
            return None;
        }
        let plies = Score::WIN - self.0.abs();
        Some(if self.0 > 0 { plies } else { -plies })
    }

    /// Chance to win, 0 to 1, for an evaluation whose unit of strength is `scale`.
    pub fn win_rate(self, scale: f64) -> f64 {
        match self.decisive_in() {
            Some(plies) if plies >= 0 => 1.0,
            Some(_) => 0.0,
            None => 1.0 / (1.0 + (-(self.0 as f64) / scale).exp()),
        }
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// `+35`, or `win in 7` and `loss in 6` for a claim.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decisive_in() {
            Some(plies) if plies >= 0 => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {}", -plies),
            None => write!(f, "{:+}", self.0),
        }
    }
}
