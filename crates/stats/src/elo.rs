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
            los: 0.5,
            nelo: None,
            nelo_error: None,
        }
    }
}

fn likelihood_of_superiority(score: f64, error: f64) -> f64 {
    if error > 0.0 {
        return normal_cdf((score - 0.5) / error);
    }
    if score == 0.5 { 0.5 } else { score.round() }
}
