//! The one trait of all optimizers: ask for duels, tell how they went.
//!
//! Fitness is relative: what a game match measures is the advantage of one genome over another. An
//! optimizer hands out the duels of one generation, and learns from each the first side's score
//! minus one half. Everything that varies by chance comes from the seed and the generation's number,
//! so a state that is saved and read back goes on exactly as before.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::{cma::CmaEs, de::Evolution, space::Genome, spsa::Spsa};

/// A comparison that is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Duel {
    /// The side whose advantage is told.
    pub a: Genome,
    /// The other side.
    pub b: Genome,
    /// How many games.
    pub games: u32,
}

/// An optimizer of genomes under noise.
pub trait Optimizer: Send {
    /// The duels of the next generation. Asking twice gives the same duels.
    fn ask(&self) -> Vec<Duel>;

    /// Takes the advantages of the duels asked for, in order: score of `a` minus one half.
    ///
    /// # Panics
    /// If there are not as many as duels.
    fn tell(&mut self, advantages: &[f64]);

    /// What the method recommends now.
    fn answer(&self) -> Genome;

    /// All members, for plots; methods without a population give their answer.
    fn population(&self) -> Vec<Genome>;

    /// Generations finished.
    fn generation(&self) -> u64;
}

/// Any of the methods, with its whole state, so that it can be saved and read back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum Method {
    /// Differential evolution, as published or for noise.
    De(Evolution),
    /// Simultaneous perturbation.
    Spsa(Spsa),
    /// Covariance matrix adaptation.
    Cma(CmaEs),
}

impl Method {
    fn inner(&self) -> &dyn Optimizer {
        match self {
            Method::De(method) => method,
            Method::Spsa(method) => method,
            Method::Cma(method) => method,
        }
    }
}

impl Optimizer for Method {
    fn ask(&self) -> Vec<Duel> {
        self.inner().ask()
    }

    fn tell(&mut self, advantages: &[f64]) {
        match self {
            Method::De(method) => method.tell(advantages),
            Method::Spsa(method) => method.tell(advantages),
            Method::Cma(method) => method.tell(advantages),
        }
    }

    fn answer(&self) -> Genome {
        self.inner().answer()
    }

    fn population(&self) -> Vec<Genome> {
        self.inner().population()
    }

    fn generation(&self) -> u64 {
        self.inner().generation()
    }
}

/// The random numbers of one generation.
pub(crate) fn stream(seed: u64, generation: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(generation);
    rng
}
