//! Elo as a club keeps it: every player starts level and each game moves both ratings at once.
//!
//! Its ratings depend on the order of the games and have no error bars; [`crate::rate`] is the
//! better answer. It is here because tournaments in the literature were rated this way.

use crate::elo::score_of_elo;
use serde::{Deserialize, Serialize};

/// The rating every player starts with.
pub const START_RATING: f64 = 1500.0;

/// Ratings updated game by game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassicElo {
    ratings: Vec<f64>,
    k: f64,
}

impl ClassicElo {
    /// `players` players at [`START_RATING`]; a game moves a rating by at most `k`.
    pub fn new(players: usize, k: f64) -> Self {
        Self { ratings: vec![START_RATING; players], k }
    }

    /// Counts one game; `score` is what player `a` took from it: 0, 1/2 or 1.
    ///
    /// # Panics
    /// When either player does not exist.
    pub fn update(&mut self, a: usize, b: usize, score: f64) {
        let expected = score_of_elo(self.ratings[a] - self.ratings[b]);
        let gain = self.k * (score - expected);
        self.ratings[a] += gain;
        self.ratings[b] -= gain;
    }

    /// The ratings so far, by player.
    pub fn ratings(&self) -> &[f64] {
        &self.ratings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_between_equals_moves_half_of_k() {
        let mut elo = ClassicElo::new(3, 32.0);
        elo.update(0, 1, 1.0);
        assert_eq!(elo.ratings(), [1516.0, 1484.0, 1500.0]);
    }

    #[test]
    fn the_favorite_wins_less_than_the_outsider() {
        let mut elo = ClassicElo::new(2, 20.0);
        for _ in 0..50 {
            elo.update(0, 1, 1.0);
        }
        let before = elo.ratings().to_vec();
        elo.update(0, 1, 1.0);
        let gain = elo.ratings()[0] - before[0];
        assert!(gain > 0.0 && gain < 5.0, "gained {gain}");
        elo.update(0, 1, 0.0);
        assert!(before[0] - elo.ratings()[0] > 9.0);
        assert!((elo.ratings().iter().sum::<f64>() - 3000.0).abs() < 1e-9);
    }
}
