//! CMA-ES: sample around a mean, learn from the better half where to go and in which directions the
//! landscape stretches (Hansen, "The CMA Evolution Strategy: A Tutorial").
//!
//! Samples play against the mean, so a generation ranks them by their advantage over it.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::{
    matrix::{Symmetric, eigen},
    optimizer::{Duel, Optimizer, stream},
    space::{Genome, Space},
};

/// Mean, step size and covariance of the next samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CmaEs {
    samples: usize,
    games: u32,
    seed: u64,
    generation: u64,
    mean: Vec<f64>,
    sigma: f64,
    covariance: Symmetric,
    path_sigma: Vec<f64>,
    path_covariance: Vec<f64>,
}

/// The constants of the method for a dimension and a number of samples.
struct Constants {
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    /// Expected length of a standard normal vector.
    chi: f64,
}

impl Constants {
    fn new(dimension: usize, samples: usize) -> Constants {
        let n = dimension as f64;
        let mu = samples / 2;
        let raw: Vec<f64> =
            (1..=mu).map(|rank| libm::log(mu as f64 + 0.5) - libm::log(rank as f64)).collect();
        let total: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / total).collect();
        let mu_eff = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff);
        let c_mu = 2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0) * (n + 2.0) + mu_eff);
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let excess = libm::sqrt(((mu_eff - 1.0) / (n + 1.0)).max(0.0)) - 1.0;
        Constants {
            weights,
            mu_eff,
            c_sigma,
            d_sigma: 1.0 + 2.0 * excess.max(0.0) + c_sigma,
            c_c: (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n),
            c_1,
            c_mu: c_mu.min(1.0 - c_1),
            chi: libm::sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

impl CmaEs {
    /// Begins at the start of the space with a step of `sigma` (a share of each range).
    pub fn new(space: &Space, sigma: f64, samples: Option<usize>, games: u32, seed: u64) -> CmaEs {
        let n = space.len();
        let usual = 4 + (3.0 * libm::log(n as f64)) as usize;
        CmaEs {
            samples: samples.unwrap_or(usual).max(4),
            games,
            seed,
            generation: 0,
            mean: space.start().0,
            sigma,
            covariance: Symmetric::identity(n),
            path_sigma: vec![0.0; n],
            path_covariance: vec![0.0; n],
        }
    }

    /// The steps of this generation before scaling: samples of the covariance, within the space.
    fn steps(&self) -> Vec<Vec<f64>> {
        let mut rng = stream(self.seed, self.generation + 1);
        let (values, vectors) = eigen(&self.covariance);
        let n = self.mean.len();
        let step = |_| {
            let scaled: Vec<f64> =
                values.iter().map(|value| libm::sqrt(value.max(0.0)) * normal(&mut rng)).collect();
            let raw = (0..n).map(|i| (0..n).map(|k| vectors[k][i] * scaled[k]).sum::<f64>());
            // A sample beyond the edge is put on it, and what is learned is the step really made.
            let mean = self.mean.iter();
            raw.zip(mean)
                .map(|(step, at)| ((at + self.sigma * step).clamp(0.0, 1.0) - at) / self.sigma)
                .collect()
        };
        (0..self.samples).map(step).collect()
    }
}

impl Optimizer for CmaEs {
    fn ask(&self) -> Vec<Duel> {
        let duel = |step: Vec<f64>| {
            let at = self.mean.iter().zip(step).map(|(at, step)| at + self.sigma * step);
            Duel { a: Genome(at.collect()), b: Genome(self.mean.clone()), games: self.games }
        };
        self.steps().into_iter().map(duel).collect()
    }

    fn tell(&mut self, advantages: &[f64]) {
        assert_eq!(advantages.len(), self.samples, "one advantage for each duel");
        let n = self.mean.len();
        let constants = Constants::new(n, self.samples);
        let steps = self.steps();
        let mut ranked: Vec<usize> = (0..self.samples).collect();
        ranked.sort_by(|&i, &j| advantages[j].total_cmp(&advantages[i]).then(i.cmp(&j)));
        let best = || ranked.iter().zip(&constants.weights).map(|(&i, &w)| (&steps[i], w));
        let mut shift = vec![0.0; n];
        for (step, weight) in best() {
            shift.iter_mut().zip(step).for_each(|(sum, step)| *sum += weight * step);
        }
        self.mean
            .iter_mut()
            .zip(&shift)
            .for_each(|(at, step)| *at = (*at + self.sigma * step).clamp(0.0, 1.0));

        let whitened = whiten(&self.covariance, &shift);
        let gain = libm::sqrt(constants.c_sigma * (2.0 - constants.c_sigma) * constants.mu_eff);
        for (path, step) in self.path_sigma.iter_mut().zip(&whitened) {
            *path = (1.0 - constants.c_sigma) * *path + gain * step;
        }
        let length = libm::sqrt(self.path_sigma.iter().map(|x| x * x).sum::<f64>());
        self.generation += 1;
        let decay = libm::pow(1.0 - constants.c_sigma, 2.0 * self.generation as f64);
        let is_path_short =
            length / libm::sqrt(1.0 - decay) < (1.4 + 2.0 / (n as f64 + 1.0)) * constants.chi;
        let h_sigma = f64::from(u8::from(is_path_short));
        let gain = libm::sqrt(constants.c_c * (2.0 - constants.c_c) * constants.mu_eff);
        for (path, step) in self.path_covariance.iter_mut().zip(&shift) {
            *path = (1.0 - constants.c_c) * *path + h_sigma * gain * step;
        }
        let forgotten = (1.0 - h_sigma) * constants.c_c * (2.0 - constants.c_c);
        let keep = 1.0 - constants.c_1 * (1.0 - forgotten) - constants.c_mu;
        self.covariance.scale(keep);
        self.covariance.add_outer(&self.path_covariance, constants.c_1);
        for (step, weight) in best() {
            self.covariance.add_outer(step, constants.c_mu * weight);
        }
        let growth = constants.c_sigma / constants.d_sigma * (length / constants.chi - 1.0);
        self.sigma = (self.sigma * libm::exp(growth)).clamp(1e-12, 1.0);
    }

    fn answer(&self) -> Genome {
        Genome(self.mean.clone())
    }

    fn population(&self) -> Vec<Genome> {
        self.ask().into_iter().map(|duel| duel.a).collect()
    }

    fn generation(&self) -> u64 {
        self.generation
    }
}

/// The vector seen in coordinates in which the covariance is the identity.
fn whiten(covariance: &Symmetric, vector: &[f64]) -> Vec<f64> {
    let (values, vectors) = eigen(covariance);
    let mut out = vec![0.0; vector.len()];
    for (value, direction) in values.iter().zip(&vectors) {
        let along: f64 = direction.iter().zip(vector).map(|(a, b)| a * b).sum();
        let scale = along / libm::sqrt(value.max(1e-300));
        out.iter_mut().zip(direction).for_each(|(sum, d)| *sum += scale * d);
    }
    out
}

/// A standard normal number (Box and Muller).
fn normal(rng: &mut impl Rng) -> f64 {
    let radius = libm::sqrt(-2.0 * libm::log(1.0 - rng.random::<f64>()));
    radius * libm::cos(std::f64::consts::TAU * rng.random::<f64>())
}
