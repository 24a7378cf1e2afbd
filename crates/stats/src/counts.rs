//! Counts of results, by game or by color-swapped pair, from the worst to the best.

use crate::math::square;
use serde::{Deserialize, Serialize};

/// Results counted by kind, ordered from the worst to the best.
pub trait Outcomes {
    /// Games in one counted sample: 1 for games, 2 for pairs.
    const GAMES_PER_SAMPLE: u32;

    /// The counts, worst first.
    fn counts(&self) -> &[u64];

    /// Counted samples.
    fn samples(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Games behind the samples.
    fn games(&self) -> u64 {
        self.samples() * u64::from(Self::GAMES_PER_SAMPLE)
    }
}

/// Games as `[losses, draws, wins]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trinomial(pub [u64; 3]);

impl Trinomial {
    /// Counts in the order people say them.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Self([losses, draws, wins])
    }

    /// Games won.
    pub const fn wins(&self) -> u64 {
        self.0[2]
    }

    /// Games drawn.
    pub const fn draws(&self) -> u64 {
        self.0[1]
    }

    /// Games lost.
    pub const fn losses(&self) -> u64 {
        self.0[0]
    }

    /// Share of games drawn, 0 when there are none.
    pub fn draw_ratio(&self) -> f64 {
        ratio(self.draws(), self.samples())
    }
}

impl Outcomes for Trinomial {
    const GAMES_PER_SAMPLE: u32 = 1;

    fn counts(&self) -> &[u64] {
        &self.0
    }
}

/// Color-swapped pairs by points: `[0, 1/2, 1, 3/2, 2]` of 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one pair; `half_points` is what the pair scored, from 0 to 4.
    ///
    /// # Panics
    /// When `half_points` is above 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Pairs won (more than one point).
    pub const fn pairs_won(&self) -> u64 {
        self.0[3] + self.0[4]
    }

    /// Pairs lost (less than one point).
    pub const fn pairs_lost(&self) -> u64 {
        self.0[0] + self.0[1]
    }

    /// Share of pairs that ended level, 0 when there are none.
    pub fn draw_ratio(&self) -> f64 {
        ratio(self.0[2], self.samples())
    }
}

impl Outcomes for Pentanomial {
    const GAMES_PER_SAMPLE: u32 = 2;

    fn counts(&self) -> &[u64] {
        &self.0
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A distribution over equally spaced values from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Distribution {
    /// Probability of each value; they sum to 1.
    pub(crate) p: Vec<f64>,
}

impl Distribution {
    /// The observed frequencies and the number of samples.
    pub(crate) fn observed(outcomes: &impl Outcomes) -> (Self, f64) {
        Self::normalize(outcomes.counts().iter().map(|&n| n as f64).collect())
    }

    /// As observed, but with a trace of every result that never happened, so that no likelihood
    /// is zero. 1e-3 is the value every SPRT tool in use has settled on.
    pub(crate) fn regularised(outcomes: &impl Outcomes) -> (Self, f64) {
        let weight = |&n: &u64| if n == 0 { 1e-3 } else { n as f64 };
        Self::normalize(outcomes.counts().iter().map(weight).collect())
    }

    fn normalize(weights: Vec<f64>) -> (Self, f64) {
        let total: f64 = weights.iter().sum();
        let scale = if total > 0.0 { 1.0 / total } else { 0.0 };
        (Self { p: weights.iter().map(|w| w * scale).collect() }, total)
    }

    /// The value of sample kind `i`.
    pub(crate) fn value(&self, i: usize) -> f64 {
        i as f64 / (self.p.len() - 1) as f64
    }

    /// Mean and population variance of `f(i)`.
    pub(crate) fn moments_of(&self, f: impl Fn(usize) -> f64) -> (f64, f64) {
        let mean: f64 = self.p.iter().enumerate().map(|(i, p)| p * f(i)).sum();
        let variance = self.p.iter().enumerate().map(|(i, p)| p * square(f(i) - mean)).sum();
        (mean, variance)
    }

    /// Mean and population variance.
    pub(crate) fn moments(&self) -> (f64, f64) {
        self.moments_of(|i| self.value(i))
    }
}
