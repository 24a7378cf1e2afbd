//! The exact generalized log-likelihood ratio of van den Bergh.
//!
//! For each hypothesis we find the distribution of results that satisfies it and makes the
//! observed results most likely; the ratio compares the two. No normal approximation: that one
//! explodes on the short, lopsided matches that come first in every test.

use crate::counts::{Distribution, Outcomes};
use crate::distribution::bisect;
use crate::elo::{NELO_PER_T, score_of_elo};
use crate::math::{ln, square};
use serde::{Deserialize, Serialize};

/// What the bounds of a test measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// The mean score alone.
    Logistic,
    /// The mean in units of the noise, so that a test is as long whatever the draw rate.
    #[default]
    Normalized,
}

/// Log-likelihood ratio of `elo1` against `elo0`.
pub fn llr<O: Outcomes>(outcomes: &O, elo0: f64, elo1: f64, model: EloModel) -> f64 {
    let (observed, samples) = Distribution::regularised(outcomes);
    let fit = |elo: f64| match model {
        EloModel::Logistic => most_likely_with_mean(&observed, score_of_elo(elo)),
        EloModel::Normalized => most_likely_with_t(&observed, t_of_nelo::<O>(elo)),
    };
    let (p0, p1) = (fit(elo0), fit(elo1));
    let per_sample: f64 =
        observed.p.iter().zip(p0.p.iter().zip(&p1.p)).map(|(p, (p0, p1))| p * ln(p1 / p0)).sum();
    samples * per_sample
}

/// Mean over standard deviation of one sample, for a normalized Elo difference.
pub(crate) fn t_of_nelo<O: Outcomes>(nelo: f64) -> f64 {
    nelo / NELO_PER_T * f64::from(O::GAMES_PER_SAMPLE).sqrt()
}

/// The distribution with mean `score` under which `observed` is most likely.
fn most_likely_with_mean(observed: &Distribution, score: f64) -> Distribution {
    tilt(observed, |i| observed.value(i) - score)
}

/// The distribution with (mean - 1/2)/sigma = `t` under which `observed` is most likely.
///
/// The constraint is not linear in the probabilities, so it is linearized around the last
/// solution and solved again until nothing moves.
fn most_likely_with_t(observed: &Distribution, t: f64) -> Distribution {
    let kinds = observed.p.len();
    let mut fit = Distribution { p: vec![1.0 / kinds as f64; kinds] };
    for _ in 0..10 {
        let (mean, variance) = fit.moments();
        let sigma = variance.sqrt();
        let next = tilt(observed, |i| {
            let value = observed.value(i);
            value - 0.5 - 0.5 * t * sigma * (1.0 + square((value - mean) / sigma))
        });
        let moved = next.p.iter().zip(&fit.p).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        fit = next;
        if moved < 1e-9 {
            break;
        }
    }
    fit
}

/// The maximum-likelihood distribution on which `constraint` has mean zero: p/(1 + x constraint)
/// with the one multiplier x that keeps all probabilities positive.
fn tilt(observed: &Distribution, constraint: impl Fn(usize) -> f64) -> Distribution {
    let phi: Vec<f64> = (0..observed.p.len()).map(constraint).collect();
    let highest = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lowest = phi.iter().copied().fold(f64::INFINITY, f64::min);
    let mean_of_tilted =
        |x: f64| -> f64 { observed.p.iter().zip(&phi).map(|(p, f)| p * f / (1.0 + x * f)).sum() };
    let x = bisect(-1.0 / highest, -1.0 / lowest, mean_of_tilted);
    Distribution { p: observed.p.iter().zip(&phi).map(|(p, f)| p / (1.0 + x * f)).collect() }
}
