//! The median-unbiased estimate after a sequential test.
//!
//! A test that stops when it has seen enough stops more readily on a lucky streak, so the plain
//! Elo of its games is biased. Here the ratio is a Brownian motion between the bounds; the
//! outcomes are ordered from the fastest fail to the fastest pass, and the estimate is the
//! strength at which a worse outcome than ours is as likely as a better one.

use crate::counts::{Distribution, Outcomes};
use crate::distribution::{bisect, ln_normal_cdf};
use crate::elo::{NELO_PER_T, score_of_elo};
use crate::likelihood::EloModel;
use crate::math::{exp, square};
use crate::sprt::Sprt;
use serde::{Deserialize, Serialize};

/// Logistic Elo after a sequential test, corrected for its stopping rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnbiasedElo {
    /// The median-unbiased estimate.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
    /// Probability of a worse outcome between equals.
    pub los: f64,
}

/// Estimates the logistic difference from the results with which `test` stopped (or stands).
pub fn unbiased_elo<O: Outcomes>(outcomes: &O, test: &Sprt) -> UnbiasedElo {
    Outcome::new(outcomes, test).estimate()
}

/// Where a test stands: its ratio, and the time when the ratio got there.
struct Outcome {
    /// Scores of the two hypotheses.
    hypotheses: (f64, f64),
    /// Variance of one sample.
    variance: f64,
    bounds: (f64, f64),
    ratio: f64,
    time: f64,
}

impl Outcome {
    fn new<O: Outcomes>(outcomes: &O, test: &Sprt) -> Self {
        let (observed, samples) = Distribution::regularised(outcomes);
        let (mean, variance) = observed.moments();
        let sigma_per_game = (variance * f64::from(O::GAMES_PER_SAMPLE)).sqrt();
        let score = |elo: f64| match test.model {
            EloModel::Logistic => score_of_elo(elo),
            EloModel::Normalized => 0.5 + elo * sigma_per_game / NELO_PER_T,
        };
        let hypotheses = (score(test.elo0), score(test.elo1));
        let bounds = test.bounds();
        let mut outcome = Self { hypotheses, variance, bounds, ratio: 0.0, time: samples };
        let slope = outcome.motion(mean).drift;
        outcome.ratio = (samples * slope).clamp(bounds.0, bounds.1);
        // A ratio beyond a bound is taken back to the moment when it crossed.
        outcome.time = if slope == 0.0 { samples } else { outcome.ratio / slope };
        outcome
    }

    fn estimate(&self) -> UnbiasedElo {
        let worse = |score: f64| self.motion(score).worse(self.bounds, self.ratio);
        // A better player makes a worse outcome rarer, so this falls as Elo rises.
        let elo_where = |probability: f64| {
            bisect(-1500.0, 1500.0, |elo| worse(score_of_elo(elo)) - probability)
        };
        UnbiasedElo {
            elo: elo_where(0.5),
            low: elo_where(0.975),
            high: elo_where(0.025),
            los: worse(0.5),
        }
    }

    /// How the ratio moves when the true score is `score`, results being nearly normal.
    fn motion(&self, score: f64) -> Motion {
        let (s0, s1) = self.hypotheses;
        Motion {
            drift: (s1 - s0) * (score - 0.5 * (s0 + s1)) / self.variance,
            variance: square(s1 - s0) / self.variance,
            time: self.time,
        }
    }
}

/// A Brownian motion from 0, watched for some time.
#[derive(Clone, Copy)]
struct Motion {
    drift: f64,
    variance: f64,
    time: f64,
}

impl Motion {
    fn reversed(self) -> Self {
        Self { drift: -self.drift, ..self }
    }

    /// Probability of an outcome worse than standing at `ratio` now. On a bound, "now" is when
    /// it was reached: a later pass is worse than a pass, an earlier fail worse than a fail.
    fn worse(&self, (lower, upper): (f64, f64), ratio: f64) -> f64 {
        if ratio >= upper {
            return 1.0 - self.reversed().reaches(-upper, -lower);
        }
        self.reaches(lower, upper) + self.ends_between(lower, upper, ratio)
    }

    /// Images of the start in the two bounds beyond which nothing is left to add.
    fn images(&self, width: f64) -> i32 {
        (10.0 * (self.variance * self.time).sqrt() / (2.0 * width)).ceil() as i32 + 2
    }

    /// Probability of touching `lower` before `upper` and before the time is over: the first
    /// passage of a free motion through `lower`, corrected by its images in both bounds.
    fn reaches(&self, lower: f64, upper: f64) -> f64 {
        let spread = (self.variance * self.time).sqrt();
        let speed = self.drift.abs();
        let width = upper - lower;
        let images = self.images(width);
        let term = |n: i32| {
            let distance = 2.0 * f64::from(n) * width - lower;
            let far = distance.abs();
            let tilt = self.drift * lower / self.variance;
            let slope = speed * far / self.variance;
            let direct = tilt - slope + ln_normal_cdf((speed * self.time - far) / spread);
            let around = tilt + slope + ln_normal_cdf((-speed * self.time - far) / spread);
            distance.signum() * (exp(direct) + exp(around))
        };
        (-images..=images).map(term).sum()
    }

    /// Probability of ending between `lower` and `end` without having touched either bound.
    fn ends_between(&self, lower: f64, upper: f64, end: f64) -> f64 {
        let spread = (self.variance * self.time).sqrt();
        let width = upper - lower;
        let images = self.images(width);
        let mass = |center: f64| {
            let shifted = center + self.drift * self.time;
            let (a, b) = ((lower - shifted) / spread, (end - shifted) / spread);
            // Both ends in the upper tail: the mirrored difference keeps its digits.
            let (a, b) = if a > 0.0 { (-b, -a) } else { (a, b) };
            let weight = self.drift * center / self.variance;
            exp(weight + ln_normal_cdf(b)) - exp(weight + ln_normal_cdf(a))
        };
        let term = |n: i32| {
            let shift = 2.0 * f64::from(n) * width;
            mass(shift) - mass(2.0 * lower + shift)
        };
        (-images..=images).map(term).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_a_motion_add_up_to_one() {
        for (drift, variance, time) in
            [(0.0, 1.0, 0.1), (0.3, 1.0, 4.0), (-2.0, 0.5, 3.0), (0.01, 0.001, 300.0)]
        {
            let motion = Motion { drift, variance, time };
            let (lower, upper) = (-2.0, 3.0);
            let down = motion.reaches(lower, upper);
            let up = motion.reversed().reaches(-upper, -lower);
            let open = motion.ends_between(lower, upper, upper);
            assert!((down + up + open - 1.0).abs() < 1e-12, "{down} + {up} + {open}");
        }
    }

    #[test]
    fn a_long_motion_without_drift_divides_by_distance() {
        let motion = Motion { drift: 0.0, variance: 1.0, time: 1e4 };
        assert!((motion.reaches(-2.0, 3.0) - 0.6).abs() < 1e-9);
    }
}
