//! The Elo scale, and the strength difference that a set of results suggests.

use crate::counts::{Distribution, Outcomes};
use crate::distribution::normal_cdf;
use crate::math::{log10, pow10};
use serde::Serialize;

/// Half width, in standard errors, of a 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Normalized Elo per unit of mean over standard deviation of one game: 800/ln 10.
pub const NELO_PER_T: f64 = 347.435_585_522_601_46;

/// Elo difference at which the expected score is `score`; infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * log10(1.0 / score.clamp(0.0, 1.0) - 1.0)
}

/// Expected score at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + pow10(-elo / 400.0))
}

/// What a set of results says about the difference between two players, at 95 %.
///
/// Infinite values (a perfect score) become `null` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Games counted.
    pub games: u64,
    /// Points per game, from 0 to 1.
    pub score: f64,
    /// Variance of one sample (a game or a pair).
    pub variance: f64,
    /// Standard deviation of one game, as seen through the samples.
    pub sigma_per_game: f64,
    /// Logistic Elo difference.
    pub elo: f64,
    /// Lower end of its interval.
    pub elo_low: f64,
    /// Upper end of its interval.
    pub elo_high: f64,
    /// Half the width of its interval.
    pub elo_error: f64,
    /// The end of the interval that is known where the other is infinite: the difference is at least
    /// this if the first player leads, at most this if not. Of a player who has won every game it is
    /// where winning them all would be a chance of 2.5 %.
    pub elo_bound: Option<f64>,
    /// Likelihood of superiority: the probability that the first player is the stronger one.
    pub los: f64,
    /// Normalized Elo: the difference in units of noise. `None` when all samples are the same.
    pub nelo: Option<f64>,
    /// Half the width of its interval.
    pub nelo_error: Option<f64>,
}

impl Estimate {
    /// Estimates the difference behind `outcomes`, with normal errors.
    pub fn of<O: Outcomes>(outcomes: &O) -> Self {
        let (distribution, samples) = Distribution::observed(outcomes);
        if samples == 0.0 {
            return Self::of_nothing();
        }
        let (score, variance) = distribution.moments();
        let error = (variance / samples).sqrt();
        let (elo_low, elo_high) =
            (elo_of_score(score - Z95 * error), elo_of_score(score + Z95 * error));
        let sigma_per_game = (variance * f64::from(O::GAMES_PER_SAMPLE)).sqrt();
        let games = outcomes.games();
        let elo_bound = match (score, elo_low.is_finite(), elo_high.is_finite()) {
            (1.0, ..) => Some(elo_of_score(all_won_score(games as f64))),
            (0.0, ..) => Some(-elo_of_score(all_won_score(games as f64))),
            (_, true, false) => Some(elo_low),
            (_, false, true) => Some(elo_high),
            _ => None,
        };
        let varied = variance > 0.0;
        Self {
            games,
            score,
            variance,
            sigma_per_game,
            elo: elo_of_score(score),
            elo_low,
            elo_high,
            elo_error: if elo_low == elo_high && elo_low.is_infinite() {
                f64::INFINITY
            } else {
                (elo_high - elo_low) / 2.0
            },
            elo_bound,
            los: likelihood_of_superiority(score, error),
            nelo: varied.then(|| (score - 0.5) / sigma_per_game * NELO_PER_T),
            nelo_error: varied.then(|| Z95 * NELO_PER_T / (games as f64).sqrt()),
        }
    }

    fn of_nothing() -> Self {
        Self {
            games: 0,
            score: 0.5,
            variance: 0.0,
            sigma_per_game: 0.0,
            elo: 0.0,
            elo_low: f64::NEG_INFINITY,
            elo_high: f64::INFINITY,
            elo_error: f64::INFINITY,
            elo_bound: None,
            los: 0.5,
            nelo: None,
            nelo_error: None,
        }
    }

    /// The difference as people read it: `+118 ± 41`, or `≥ +277` where there is no upper end.
    pub fn elo_text(&self, digits: usize) -> String {
        match self.elo_bound {
            Some(bound) => bound_text(self.score, bound, digits),
            None if self.elo_error.is_finite() => {
                format!("{:+.digits$} ± {:.digits$}", self.elo, self.elo_error)
            }
            None => "unknown".to_owned(),
        }
    }
}

/// The score of each game at which winning so many in a row would be a chance of 2.5 %: what such a
/// row shows at 95 %.
pub(crate) fn all_won_score(games: f64) -> f64 {
    pow10(log10(0.025) / games)
}

/// A rating as people read it: `+118 ± 41`, or a bound where a player has won or lost every game.
pub fn rating_text(score: f64, elo: f64, error: f64, digits: usize) -> String {
    if score == 0.0 || score == 1.0 {
        bound_text(score, elo, digits)
    } else {
        format!("{elo:+.digits$} ± {error:.digits$}")
    }
}

fn bound_text(score: f64, bound: f64, digits: usize) -> String {
    let sign = if score < 0.5 { '≤' } else { '≥' };
    format!("{sign} {bound:+.digits$}")
}

fn likelihood_of_superiority(score: f64, error: f64) -> f64 {
    if error > 0.0 {
        return normal_cdf((score - 0.5) / error);
    }
    if score == 0.5 { 0.5 } else { score.round() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::{Pentanomial, Trinomial};

    #[test]
    fn a_one_sided_match_has_a_bound_that_can_be_read() {
        let won = Estimate::of(&Trinomial::new(20, 0, 0));
        // Whoever scores 83.16 % wins twenty in a row one time in forty.
        assert!((0.8316f64.powi(20) - 0.025).abs() < 1e-4);
        assert_eq!(won.elo_text(0), "≥ +277");
        assert_eq!(Estimate::of(&Trinomial::new(0, 0, 20)).elo_text(0), "≤ -277");
        assert_eq!(Estimate::of(&Pentanomial([0, 0, 0, 0, 10])).elo_text(0), "≥ +277");
        assert_eq!(Estimate::of(&Trinomial::new(60, 0, 40)).elo_text(0), "+70 ± 71");
        // One loss more than none: the normal interval has no upper end.
        let nearly = Estimate::of(&Trinomial::new(19, 0, 1));
        assert!(nearly.elo_high.is_infinite());
        assert_eq!(nearly.elo_text(0), format!("≥ {:+.0}", nearly.elo_low));
        assert_eq!(Estimate::of(&Trinomial::default()).elo_text(0), "unknown");
    }
}
