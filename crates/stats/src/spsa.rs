//! The gain sequences of simultaneous perturbation stochastic approximation, as engine testers
//! state them: by the perturbation and the learning rate wanted at the *end* of the run.

use crate::math::{pow, square};
use serde::{Deserialize, Serialize};

/// Spall's recommended decay of the step.
const ALPHA: f64 = 0.602;
/// Spall's recommended decay of the perturbation.
const GAMMA: f64 = 0.101;

/// Gains of one parameter over a run of known length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaSchedule {
    /// Perturbation before its decay.
    pub c: f64,
    /// Step before its decay.
    pub a: f64,
    /// Iterations by which the first steps are held back: a tenth of the run.
    pub stability: f64,
}

/// The gains of one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaStep {
    /// How far the parameter is moved to each side.
    pub perturbation: f64,
    /// Learning rate.
    pub rate: f64,
}

impl SpsaSchedule {
    /// A schedule that ends, after `iterations`, with this perturbation and learning rate.
    pub fn new(end_perturbation: f64, end_rate: f64, iterations: u64) -> Self {
        let n = iterations as f64;
        let stability = 0.1 * n;
        let a = end_rate * square(end_perturbation) * pow(stability + n, ALPHA);
        Self { c: end_perturbation * pow(n, GAMMA), a, stability }
    }

    /// Gains of iteration `iteration`, counted from 0.
    pub fn step(&self, iteration: u64) -> SpsaStep {
        let k = iteration as f64 + 1.0;
        let perturbation = self.c / pow(k, GAMMA);
        let rate = self.a / pow(self.stability + k, ALPHA) / square(perturbation);
        SpsaStep { perturbation, rate }
    }
}

impl SpsaStep {
    /// How far the parameter moves when the side perturbed by `flip` (+1 or -1) scored
    /// `wins_minus_losses`.
    pub fn update(&self, wins_minus_losses: f64, flip: f64) -> f64 {
        self.rate * self.perturbation * wins_minus_losses * flip
    }
}
