//! SPSA: shift all parameters at once by a random sign each, play the two sides against each other,
//! and move toward the winner.

use rand::RngExt;
use serde::{Deserialize, Serialize};
use stats::SpsaSchedule;

use crate::{
    optimizer::{Duel, Optimizer, stream},
    space::{Genome, Space},
};

/// The walk of one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spsa {
    space: Space,
    /// Share of each range by which the parameters are shifted in the last iteration.
    perturbation: f64,
    /// Step of the last iteration, in units of the squared perturbation.
    rate: f64,
    iterations: u64,
    games: u32,
    seed: u64,
    iteration: u64,
    at: Genome,
}

impl Spsa {
    /// Begins at the start of the space. The number of iterations shapes the schedule; more may follow.
    pub fn new(space: &Space, iterations: u64, games: u32, seed: u64) -> Spsa {
        let (perturbation, rate) = (0.05, 0.02);
        let at = space.start();
        let space = space.clone();
        Spsa { space, perturbation, rate, iterations, games, seed, iteration: 0, at }
    }

    /// The same walk with another final shift (a share of each range) and final rate.
    pub fn with_end(mut self, perturbation: f64, rate: f64) -> Spsa {
        (self.perturbation, self.rate) = (perturbation, rate);
        self
    }

    /// The signs of this iteration, and the numbers that round both sides alike.
    fn draw(&self) -> (Vec<f64>, Vec<f64>) {
        let mut rng = stream(self.seed, self.iteration + 1);
        let signs = (0..self.space.len()).map(|_| if rng.random() { 1.0 } else { -1.0 }).collect();
        let dither = (0..self.space.len()).map(|_| rng.random()).collect();
        (signs, dither)
    }

    fn schedule(&self) -> SpsaSchedule {
        SpsaSchedule::new(self.perturbation, self.rate, self.iterations.max(1))
    }
}

impl Optimizer for Spsa {
    fn ask(&self) -> Vec<Duel> {
        let (signs, dither) = self.draw();
        let shift = self.schedule().step(self.iteration).perturbation;
        let side = |direction: f64| {
            let moved = self.at.0.iter().zip(&signs);
            let moved = moved.map(|(at, sign)| (at + direction * shift * sign).clamp(0.0, 1.0));
            self.space.round(&Genome(moved.collect()), &dither)
        };
        vec![Duel { a: side(1.0), b: side(-1.0), games: self.games }]
    }

    fn tell(&mut self, advantages: &[f64]) {
        let &[advantage] = advantages else { panic!("one advantage for the one duel") };
        let (signs, _) = self.draw();
        let step = self.schedule().step(self.iteration);
        let wins_minus_losses = 2.0 * advantage * f64::from(self.games);
        for (at, sign) in self.at.0.iter_mut().zip(signs) {
            *at = (*at + step.update(wins_minus_losses, sign)).clamp(0.0, 1.0);
        }
        self.iteration += 1;
    }

    fn answer(&self) -> Genome {
        self.at.clone()
    }

    fn population(&self) -> Vec<Genome> {
        vec![self.at.clone()]
    }

    fn generation(&self) -> u64 {
        self.iteration
    }
}
