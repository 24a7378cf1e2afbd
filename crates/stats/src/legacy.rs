//! Formulas of other tools, to compare our numbers with theirs. Nothing here decides anything.

use crate::counts::{Distribution, Outcomes, Trinomial};
use crate::distribution::normal_cdf;
use crate::elo::{NELO_PER_T, score_of_elo};
use crate::likelihood::{EloModel, t_of_nelo};
use crate::math::{exp, ln, log10, pow10, square};
use crate::sprt::Sprt;
use crate::unbiased::{Motion, Outcome, UnbiasedElo};

/// Likelihood of superiority from wins and losses alone (cutechess).
pub fn los_of_wins_and_losses(games: &Trinomial) -> f64 {
    let (wins, losses) = (games.wins() as f64, games.losses() as f64);
    if wins + losses == 0.0 { 0.5 } else { normal_cdf((wins - losses) / (wins + losses).sqrt()) }
}

/// Normal approximation of the log-likelihood ratio, without regularisation (c-gomoku-cli).
/// Far too sure of itself when the results vary little.
pub fn llr_normal<O: Outcomes>(outcomes: &O, elo0: f64, elo1: f64) -> f64 {
    let (distribution, samples) = Distribution::observed(outcomes);
    normal(&distribution, samples, score_of_elo(elo0), score_of_elo(elo1))
}

/// Normal approximation of [`crate::llr`] on the same regularised counts.
pub fn llr_normal_regularised<O: Outcomes>(
    outcomes: &O,
    elo0: f64,
    elo1: f64,
    model: EloModel,
) -> f64 {
    let (distribution, samples) = Distribution::regularised(outcomes);
    let (_, variance) = distribution.moments();
    let score = |elo: f64| match model {
        EloModel::Logistic => score_of_elo(elo),
        EloModel::Normalized => 0.5 + t_of_nelo::<O>(elo) * variance.sqrt(),
    };
    normal(&distribution, samples, score(elo0), score(elo1))
}

/// The closer approximation that lets each hypothesis have its own variance. On normalized Elo
/// it works with single games even when pairs were counted.
pub fn llr_logarithmic<O: Outcomes>(outcomes: &O, elo0: f64, elo1: f64, model: EloModel) -> f64 {
    let (distribution, samples) = Distribution::regularised(outcomes);
    let (mean, variance) = distribution.moments();
    if model == EloModel::Logistic {
        let spread = |elo: f64| variance + square(mean - score_of_elo(elo));
        return 0.5 * samples * ln(spread(elo0) / spread(elo1));
    }
    let games_per_sample = f64::from(O::GAMES_PER_SAMPLE);
    let t = (mean - 0.5) / (games_per_sample * variance).sqrt();
    let spread = |nelo: f64| 1.0 + square(t - nelo / NELO_PER_T);
    0.5 * games_per_sample * samples * ln(spread(elo0) / spread(elo1))
}

/// Trinomial log-likelihood ratio in the BayesElo model, bounds in BayesElo (old OpenBench).
pub fn llr_bayes(games: &Trinomial, elo0: f64, elo1: f64) -> f64 {
    if games.0.contains(&0) {
        return 0.0;
    }
    let counts = games.0.map(|n| n as f64);
    bayes(counts, elo0, elo1)
}

/// As [`llr_bayes`], bounds in logistic Elo and half a game added to each count (cutechess).
pub fn llr_bayes_scaled(games: &Trinomial, elo0: f64, elo1: f64) -> f64 {
    let counts = games.0.map(|n| n as f64 + 0.5);
    let x = pow10(-draw_elo(counts) / 400.0);
    let scale = 4.0 * x / square(1.0 + x);
    bayes(counts, elo0 / scale, elo1 / scale)
}

/// [`crate::unbiased_elo`] with Siegmund's approximation where the drift is strong (fishtest).
pub fn unbiased_elo_siegmund<O: Outcomes>(outcomes: &O, test: &Sprt) -> UnbiasedElo {
    Outcome::new(outcomes, test).estimate(|motion, (lower, upper), ratio| {
        let width = upper - lower;
        let short = motion.variance * motion.time / square(width) < 1e-2;
        let strong = (motion.drift / motion.variance * width).abs() > 15.0;
        if short || strong {
            siegmund(motion, (lower, upper), ratio)
        } else {
            motion.worse((lower, upper), ratio)
        }
    })
}

/// Only the first image of the start in each bound, and two terms of the normal tail.
fn siegmund(motion: &Motion, (lower, upper): (f64, f64), ratio: f64) -> f64 {
    let spread = (motion.variance * motion.time).sqrt();
    let gamma = motion.drift / motion.variance;
    let centered = ratio - motion.drift * motion.time;
    let image = |bound: f64, z: f64| {
        let weight = 2.0 * gamma * bound;
        if gamma * bound < 5.0 {
            return exp(weight) * normal_cdf(z);
        }
        let tail = (1.0 / (z * z * z) - 1.0 / z) / (2.0 * std::f64::consts::PI).sqrt();
        exp(weight - 0.5 * z * z) * tail
    };
    normal_cdf(centered / spread) + image(lower, (2.0 * lower - centered) / spread)
        - image(upper, (centered - 2.0 * upper) / spread)
}

fn normal(distribution: &Distribution, samples: f64, s0: f64, s1: f64) -> f64 {
    let (mean, variance) = distribution.moments();
    samples * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
}

fn draw_elo([losses, draws, wins]: [f64; 3]) -> f64 {
    let total = losses + draws + wins;
    let (loss, win) = (losses / total, wins / total);
    200.0 * log10((1.0 - loss) / loss * (1.0 - win) / win)
}

fn bayes(counts: [f64; 3], elo0: f64, elo1: f64) -> f64 {
    let draw_elo = draw_elo(counts);
    let probabilities = |elo: f64| {
        let (win, loss) = (score_of_elo(elo - draw_elo), score_of_elo(-elo - draw_elo));
        [loss, 1.0 - win - loss, win]
    };
    let (p0, p1) = (probabilities(elo0), probabilities(elo1));
    (0..3).map(|i| counts[i] * ln(p1[i] / p0[i])).sum()
}
