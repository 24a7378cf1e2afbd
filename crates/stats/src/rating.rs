//! Ratings of many players from all their games at once: Bradley and Terry's model.
//!
//! The first player of a game beats the second with probability
//! 1/(1 + exp(-(first - second + advantage))); a draw is half a win for each. The fit is by
//! Newton's method, the errors come from whole pairs (or any other cluster) of games, so the
//! dependence between the two games of a pair is in them.

use crate::elo::all_won_score;
use crate::math::exp;
use crate::matrix::Matrix;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Elo per unit of the model's logarithmic scale.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Games between two players that ended the same way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Encounter {
    /// The player who moved first.
    pub first: usize,
    /// The player who moved second.
    pub second: usize,
    /// What the first player scored: 0, 1/2 or 1, or in between (see [`bounded`]).
    pub score: f64,
    /// How many games ended like this.
    pub games: f64,
}

/// What to fit besides the ratings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RatingOptions {
    /// Fit the advantage of moving first.
    pub advantage: bool,
    /// Draws of every player against a phantom rated 0, so that perfect scores stay finite.
    /// The ratings are then relative to the phantom rather than to their mean.
    pub phantom_draws: f64,
}

/// Why no ratings can be given.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RatingError {
    /// A game of a player who is not there.
    #[error("Player {0} plays in a game, and there are only {1} players.")]
    NoSuchPlayer(usize, usize),
    /// Some group of players never lost, or never met the others.
    #[error(
        "The results do not bound the ratings: some players have only won, only lost, or never \
         met the others. One phantom draw for each player settles this."
    )]
    Unbounded,
}

/// Fitted ratings with their errors (one standard error each).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// Elo by player: with mean zero, or relative to the phantom when there was one.
    pub elo: Vec<f64>,
    /// Elo worth of moving first, when fitted.
    pub advantage: Option<f64>,
    /// Errors from the spread between clusters: the ones to show.
    pub error: Vec<f64>,
    /// Errors of the differences between players, from the same spread.
    pub difference_error: Vec<Vec<f64>>,
    /// Error of the advantage, from the same spread.
    pub advantage_error: Option<f64>,
    /// Errors as if all games were independent and decisive: too wide with draws and pairs.
    pub fisher_error: Vec<f64>,
    /// The same for the differences.
    pub fisher_difference_error: Vec<Vec<f64>>,
    /// The same for the advantage.
    pub fisher_advantage_error: Option<f64>,
}

/// Rates `players` players. Each cluster holds games that are not independent of each other:
/// usually the two games of a pair.
///
/// # Errors
/// When a player does not exist, or when the results leave some rating unbounded.
pub fn rate(
    players: usize,
    clusters: &[Vec<Encounter>],
    options: RatingOptions,
) -> Result<Ratings, RatingError> {
    let fit = Fit { players, clusters, options };
    fit.check()?;
    let theta = fit.maximize()?;
    fit.summarize(&theta)
}

/// The same games, in which whoever has won (lost) all of them scores only what so long a row shows at
/// 95 %. Their ratings are bounds then, and the two of a match of 20 to 0 lie as far apart as
/// [`crate::Estimate::elo_bound`] says.
pub fn bounded(players: usize, clusters: &[Vec<Encounter>]) -> Vec<Vec<Encounter>> {
    let mut games = vec![(0.0, 0.0); players];
    for e in clusters.iter().flatten() {
        for (player, score) in [(e.first, e.score), (e.second, 1.0 - e.score)] {
            if let Some((played, points)) = games.get_mut(player) {
                *played += e.games;
                *points += score * e.games;
            }
        }
    }
    let row = |player: usize, share: f64| {
        let (played, points) = games.get(player).copied().unwrap_or_default();
        (played > 0.0 && points == share * played).then(|| all_won_score(played))
    };
    let temper = |e: &Encounter| {
        let score = match e.score {
            1.0 => row(e.first, 1.0).or(row(e.second, 0.0)),
            0.0 => row(e.second, 1.0).or(row(e.first, 0.0)).map(|score| 1.0 - score),
            _ => None,
        };
        Encounter { score: score.unwrap_or(e.score), ..*e }
    };
    clusters.iter().map(|cluster| cluster.iter().map(temper).collect()).collect()
}

struct Fit<'a> {
    players: usize,
    clusters: &'a [Vec<Encounter>],
    options: RatingOptions,
}

impl Fit<'_> {
    fn check(&self) -> Result<(), RatingError> {
        let encounters = || self.clusters.iter().flatten();
        for e in encounters() {
            if let Some(unknown) = [e.first, e.second].into_iter().find(|p| *p >= self.players) {
                return Err(RatingError::NoSuchPlayer(unknown, self.players));
            }
        }
        if self.options.phantom_draws > 0.0 {
            return Ok(());
        }
        let mut beaten_by = vec![Vec::new(); self.players];
        let mut beat = vec![Vec::new(); self.players];
        for e in encounters().filter(|e| e.games > 0.0) {
            let first_took_points = e.score > 0.0;
            let second_took_points = e.score < 1.0;
            for (winner, loser, took) in
                [(e.first, e.second, first_took_points), (e.second, e.first, second_took_points)]
            {
                if took && winner != loser {
                    beat[winner].push(loser);
                    beaten_by[loser].push(winner);
                }
            }
        }
        // A maximum exists exactly when points flow from everyone to everyone (Ford 1957).
        let bounded = reaches_all(&beat) && reaches_all(&beaten_by);
        if bounded { Ok(()) } else { Err(RatingError::Unbounded) }
    }

    fn unknowns(&self) -> usize {
        self.players + usize::from(self.options.advantage)
    }

    /// Newton's method, holding back steps that would lose likelihood by overshooting.
    fn maximize(&self) -> Result<Vec<f64>, RatingError> {
        const LONGEST_STEP: f64 = 2.0;
        let mut theta = vec![0.0; self.unknowns()];
        for _ in 0..100 {
            let (gradient, information) = self.derivatives(&theta);
            let inverse = self.inverse(&information)?;
            let step = inverse.times_vector(&gradient);
            let longest = step.iter().fold(0.0f64, |m, s| m.max(s.abs()));
            if !longest.is_finite() {
                return Err(RatingError::Unbounded);
            }
            let scale = if longest > LONGEST_STEP { LONGEST_STEP / longest } else { 1.0 };
            theta.iter_mut().zip(&step).for_each(|(t, s)| *t += scale * s);
            if longest < 1e-12 {
                break;
            }
        }
        // A hundred logits is a score of 1 - 1e-43: no data bounds that.
        let bounded = theta.iter().all(|t| t.abs() < 100.0);
        if bounded { Ok(theta) } else { Err(RatingError::Unbounded) }
    }

    /// Gradient of the log-likelihood and its negative second derivative.
    fn derivatives(&self, theta: &[f64]) -> (Vec<f64>, Matrix) {
        let mut gradient = vec![0.0; self.unknowns()];
        let mut information = Matrix::zero(self.unknowns());
        for e in self.clusters.iter().flatten() {
            let p = self.expected(theta, e);
            self.add_gradient(&mut gradient, e, p);
            let weight = e.games * p * (1.0 - p);
            let direction = self.direction(e);
            for (i, a) in direction {
                for (j, b) in direction {
                    if i < self.unknowns() && j < self.unknowns() {
                        information.add(i, j, weight * a * b);
                    }
                }
            }
        }
        for unknown in 0..self.unknowns() {
            let p = logistic(theta[unknown]);
            gradient[unknown] += self.options.phantom_draws * (0.5 - p);
            information.add(unknown, unknown, self.options.phantom_draws * p * (1.0 - p));
        }
        (gradient, information)
    }

    /// How each unknown enters an encounter. The advantage's index is out of range when it is
    /// not fitted.
    fn direction(&self, e: &Encounter) -> [(usize, f64); 3] {
        [(e.first, 1.0), (e.second, -1.0), (self.players, 1.0)]
    }

    fn expected(&self, theta: &[f64], e: &Encounter) -> f64 {
        let advantage = theta.get(self.players).copied().unwrap_or(0.0);
        logistic(theta[e.first] - theta[e.second] + advantage)
    }

    fn add_gradient(&self, gradient: &mut [f64], e: &Encounter, expected: f64) {
        for (unknown, sign) in self.direction(e) {
            if let Some(g) = gradient.get_mut(unknown) {
                *g += sign * e.games * (e.score - expected);
            }
        }
    }

    /// The inverse on the ratings with mean zero. Only differences are determined, so the
    /// matrix is singular along "everyone better by the same"; that direction is filled before
    /// and emptied after.
    fn inverse(&self, information: &Matrix) -> Result<Matrix, RatingError> {
        if self.options.phantom_draws > 0.0 {
            return information.inverse().ok_or(RatingError::Unbounded);
        }
        let share = 1.0 / self.players as f64;
        let mut filled = information.clone();
        self.add_to_ratings(&mut filled, share);
        let mut inverse = filled.inverse().ok_or(RatingError::Unbounded)?;
        self.add_to_ratings(&mut inverse, -share);
        Ok(inverse)
    }

    fn add_to_ratings(&self, matrix: &mut Matrix, value: f64) {
        for i in 0..self.players {
            for j in 0..self.players {
                matrix.add(i, j, value);
            }
        }
    }

    fn summarize(&self, theta: &[f64]) -> Result<Ratings, RatingError> {
        let (_, information) = self.derivatives(theta);
        let fisher = self.inverse(&information)?;
        let sandwich = fisher.times(&self.spread(theta)).times(&fisher);
        let advantage = theta.get(self.players).map(|a| a * ELO_PER_LOGIT);
        let errors = |m: &Matrix| (0..self.players).map(|i| error(m, i, None)).collect();
        let differences = |m: &Matrix| {
            let row = |i| (0..self.players).map(|j| error(m, i, Some(j))).collect();
            (0..self.players).map(row).collect()
        };
        Ok(Ratings {
            elo: theta[..self.players].iter().map(|t| t * ELO_PER_LOGIT).collect(),
            advantage,
            error: errors(&sandwich),
            difference_error: differences(&sandwich),
            advantage_error: advantage.map(|_| error(&sandwich, self.players, None)),
            fisher_error: errors(&fisher),
            fisher_difference_error: differences(&fisher),
            fisher_advantage_error: advantage.map(|_| error(&fisher, self.players, None)),
        })
    }

    /// Sum over clusters of the outer product of their gradients.
    fn spread(&self, theta: &[f64]) -> Matrix {
        let mut spread = Matrix::zero(self.unknowns());
        for cluster in self.clusters {
            let mut gradient = vec![0.0; self.unknowns()];
            for e in cluster {
                self.add_gradient(&mut gradient, e, self.expected(theta, e));
            }
            let touched: Vec<usize> = (0..gradient.len()).filter(|i| gradient[*i] != 0.0).collect();
            for &i in &touched {
                for &j in &touched {
                    spread.add(i, j, gradient[i] * gradient[j]);
                }
            }
        }
        spread
    }
}

/// Standard error, in Elo, of unknown `i`, or of its difference to unknown `j`.
fn error(covariance: &Matrix, i: usize, j: Option<usize>) -> f64 {
    let c = |a, b| covariance.get(a, b);
    let variance = match j {
        None => c(i, i),
        Some(j) => c(i, i) + c(j, j) - c(i, j) - c(j, i),
    };
    variance.max(0.0).sqrt() * ELO_PER_LOGIT
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

/// Whether every node can be reached from node 0.
fn reaches_all(edges: &[Vec<usize>]) -> bool {
    let mut seen = vec![false; edges.len()];
    let mut open: Vec<usize> = (0..edges.len().min(1)).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(edges[node].iter().filter(|next| !seen[**next]));
        }
    }
    seen.iter().all(|s| *s)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(first: usize, second: usize, score: f64) -> Encounter {
        Encounter { first, second, score, games: 1.0 }
    }

    #[test]
    fn unbounded_results_are_refused_and_a_phantom_helps() {
        let only_wins = [vec![game(0, 1, 1.0), game(1, 0, 0.0)]];
        let plain = RatingOptions::default();
        assert_eq!(rate(2, &only_wins, plain), Err(RatingError::Unbounded));
        let helped = RatingOptions { phantom_draws: 1.0, ..plain };
        let ratings = rate(2, &only_wins, helped).unwrap();
        assert!(ratings.elo[0] > 0.0 && ratings.elo[0].is_finite());

        let strangers = [vec![game(0, 1, 0.5)], vec![game(2, 3, 0.5)]];
        assert_eq!(rate(4, &strangers, plain), Err(RatingError::Unbounded));
        assert!(rate(4, &strangers, helped).is_ok());
    }

    #[test]
    fn whoever_won_every_game_is_rated_by_the_bound_of_the_match() {
        let pair = vec![game(0, 1, 1.0), game(1, 0, 0.0)];
        let match_of_20 = bounded(2, &vec![pair; 10]);
        let ratings =
            rate(2, &match_of_20, RatingOptions { advantage: true, phantom_draws: 0.0 }).unwrap();
        let won = crate::Estimate::of(&crate::Trinomial::new(20, 0, 0));
        let apart = ratings.elo[0] - ratings.elo[1];
        assert!((apart - won.elo_bound.unwrap()).abs() < 1e-6, "{apart}");
        let drawn = [vec![game(0, 1, 0.5), game(1, 0, 1.0)]];
        assert_eq!(bounded(2, &drawn), drawn);
    }

    #[test]
    fn a_first_mover_who_always_wins_is_unbounded_without_a_phantom() {
        let always = [vec![game(0, 1, 1.0), game(1, 0, 1.0)]];
        let options = RatingOptions { advantage: true, phantom_draws: 0.0 };
        assert_eq!(rate(2, &always, options), Err(RatingError::Unbounded));
        let helped = rate(2, &always, RatingOptions { phantom_draws: 1.0, ..options }).unwrap();
        assert!(helped.advantage.unwrap() > 100.0);
        assert!(helped.elo[0].abs() < 1e-9);
    }

    #[test]
    fn a_game_of_nobody_is_refused() {
        let refused = rate(2, &[vec![game(0, 2, 1.0)]], RatingOptions::default());
        assert_eq!(refused, Err(RatingError::NoSuchPlayer(2, 2)));
    }
}
