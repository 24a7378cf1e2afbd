//! Differential evolution, DE/rand/1/bin.
//!
//! Xie 2022 evolves 8 individuals with five games a selection and takes one individual as the answer.
//! Games are noisy: most selections are decided by luck, and the best-looking individual is mostly the
//! luckiest. The variant for noise spreads the same games over many more individuals and answers with
//! the mean of all of them, in which the luck averages out.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::{
    optimizer::{Duel, Optimizer, stream},
    space::{Genome, Space},
};

/// How the evolution goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Individuals, at least 4.
    pub population: usize,
    /// How far a difference of two others carries.
    pub scale: f64,
    /// Probability that a coordinate comes from the mutant.
    pub crossover: f64,
    /// Games that decide between parent and trial.
    pub games: u32,
    /// Whether the initial individuals lie around the start rather than anywhere in the space.
    pub around_start: bool,
    /// What is recommended.
    pub answer: Recommendation,
}

/// What differential evolution recommends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recommendation {
    /// The individual with the best record of selections survived.
    Individual,
    /// The mean of the population, weighted by the games each individual has survived.
    Mean,
}

impl Settings {
    /// NP 8, F 0.5, CR 0.4, five games: Xie 2022, section 3.2.
    pub fn published() -> Settings {
        Settings {
            population: 8,
            scale: 0.5,
            crossover: 0.4,
            games: 5,
            around_start: false,
            answer: Recommendation::Individual,
        }
    }

    /// Many individuals, few games each, the mean as the answer.
    pub fn for_noise() -> Settings {
        Settings {
            population: 40,
            scale: 0.5,
            crossover: 0.9,
            games: 4,
            around_start: true,
            answer: Recommendation::Mean,
        }
    }
}

/// A population and its record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evolution {
    settings: Settings,
    seed: u64,
    generation: u64,
    members: Vec<Member>,
}

/// An individual with its history of selections.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Member {
    genome: Genome,
    /// Games played since it entered the population.
    games: u32,
    /// Points above one half in those games.
    advantage: f64,
}

impl Evolution {
    /// The initial population: random in the space, or around the start, which is then a member.
    ///
    /// # Panics
    /// If there are fewer than four individuals: a mutant needs three others.
    pub fn new(space: &Space, settings: Settings, seed: u64) -> Evolution {
        assert!(settings.population >= 4, "differential evolution needs four individuals");
        let mut rng = stream(seed, 0);
        let start = space.start();
        let members = (0..settings.population).map(|i| {
            let coordinate = |&at: &f64, rng: &mut dyn Rng| match (settings.around_start, i) {
                (true, 0) => at,
                (true, _) => (at + 0.3 * (rng.random::<f64>() - 0.5)).clamp(0.0, 1.0),
                (false, _) => rng.random(),
            };
            let genome = start.0.iter().map(|at| coordinate(at, &mut rng)).collect();
            Member { genome: Genome(genome), games: 0, advantage: 0.0 }
        });
        Evolution { settings, seed, generation: 0, members: members.collect() }
    }

    /// The mutant of three others, crossed with the parent.
    fn trial(&self, parent: usize, rng: &mut impl Rng) -> Genome {
        let n = self.members.len();
        let mut others = [0; 3];
        for k in 0..3 {
            others[k] = loop {
                let pick = rng.random_range(0..n);
                if pick != parent && !others[..k].contains(&pick) {
                    break pick;
                }
            };
        }
        let [base, plus, minus] = others.map(|i| &self.members[i].genome.0);
        let parent = &self.members[parent].genome.0;
        let always = rng.random_range(0..parent.len());
        let coordinate = |j: usize| {
            let is_crossed = rng.random::<f64>() <= self.settings.crossover || j == always;
            let mutant = base[j] + self.settings.scale * (plus[j] - minus[j]);
            if is_crossed { mutant.clamp(0.0, 1.0) } else { parent[j] }
        };
        Genome((0..parent.len()).map(coordinate).collect())
    }

    fn mean(&self) -> Genome {
        let weight = |member: &Member| 1.0 + f64::from(member.games);
        let total: f64 = self.members.iter().map(weight).sum();
        let coordinate = |j: usize| {
            let sum: f64 = self.members.iter().map(|m| weight(m) * m.genome.0[j]).sum();
            sum / total
        };
        Genome((0..self.members[0].genome.0.len()).map(coordinate).collect())
    }
}

impl Optimizer for Evolution {
    fn ask(&self) -> Vec<Duel> {
        let mut rng = stream(self.seed, self.generation + 1);
        let duel = |(i, member): (usize, &Member)| Duel {
            a: self.trial(i, &mut rng),
            b: member.genome.clone(),
            games: self.settings.games,
        };
        self.members.iter().enumerate().map(duel).collect()
    }

    fn tell(&mut self, advantages: &[f64]) {
        assert_eq!(advantages.len(), self.members.len(), "one advantage for each duel");
        let duels = self.ask();
        for ((member, duel), &advantage) in self.members.iter_mut().zip(duels).zip(advantages) {
            let points = advantage * f64::from(duel.games);
            // The parent wins ties.
            if advantage > 0.0 {
                *member = Member { genome: duel.a, games: duel.games, advantage: points };
            } else {
                member.games += duel.games;
                member.advantage -= points;
            }
        }
        self.generation += 1;
    }

    fn answer(&self) -> Genome {
        match self.settings.answer {
            Recommendation::Mean => self.mean(),
            Recommendation::Individual => {
                // The first of the best: ties are broken by index.
                let better =
                    |a: &&Member, b: &&Member| a.advantage.total_cmp(&b.advantage).reverse();
                let best = self.members.iter().min_by(better).expect("there are individuals");
                best.genome.clone()
            }
        }
    }

    fn population(&self) -> Vec<Genome> {
        self.members.iter().map(|member| member.genome.clone()).collect()
    }

    fn generation(&self) -> u64 {
        self.generation
    }
}
