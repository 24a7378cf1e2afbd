//! The set-up of a tuning run: what is tuned, how, on which openings, and how the result is tested.

use std::str::FromStr;

use arena::{Plan, Schedule, seed};
use serde::{Deserialize, Serialize};
use stats::Sprt;
use thiserror::Error;

use crate::{
    cma::CmaEs,
    de::{Evolution, Settings},
    games::Starts,
    optimizer::Method,
    space::Space,
    spsa::Spsa,
};

/// What is tuned, and how. The same setup gives the same log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The game, with the start as its only player (as it was typed), and the final test: its
    /// schedule and openings, which the tuning never sees. No pairs means no test.
    pub game: Plan,
    /// What is varied.
    pub space: Space,
    /// How it is searched.
    pub search: SpaceSearch,
    /// Where the tuning games begin.
    pub starts: Starts,
    /// How many generations.
    pub generations: u64,
    /// Generations between snapshots.
    pub every: u64,
    /// Games of each snapshot against the start; none for no snapshots.
    pub snapshot_games: u32,
    /// Games of each two individuals of the best snapshot, to choose the answer among them.
    pub tournament_games: Option<u32>,
}

/// How a space is searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpaceSearch {
    /// By duels, from this state.
    Duels(Method),
    /// By regression on so many games of the start against itself.
    Regression {
        /// How many games.
        games: u32,
    },
}

/// A way to search for better parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Differential evolution as Xie 2022 published it.
    DePublished,
    /// Differential evolution for noise.
    De,
    /// Simultaneous perturbation.
    Spsa,
    /// Covariance matrix adaptation.
    Cma,
    /// Logistic regression.
    Regression,
}

/// How to tune. What is `None` is left to the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How to search.
    pub algorithm: Algorithm,
    /// The seed of the search, if it is not to follow from the game's.
    pub seed: Option<u64>,
    /// How many generations: 600 as published, else 50.
    pub generations: Option<u64>,
    /// Games of a duel; for regression, games to learn from.
    pub games: Option<u32>,
    /// Members of a population, for methods that have one: four at least.
    pub population: Option<usize>,
    /// Generations between snapshots: a sixth of them.
    pub every: Option<u64>,
    /// Games of each snapshot against the start.
    pub snapshot_games: u32,
    /// Games of each two in the last tournament: 20 as published, else there is none.
    pub tournament_games: Option<u32>,
}

/// Why a run cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// Openings are needed, and there are none.
    #[error("Tuning needs openings: from one start every duel is one game.")]
    NoOpenings,
}

impl Setup {
    /// The run with these options. `game` has the start as its only player, the final test as its
    /// schedule, and all openings, of which one half is tuned on and the other tested on.
    ///
    /// # Errors
    /// When there are too few openings for that.
    pub fn new(mut game: Plan, space: Space, options: &Options) -> Result<Setup, SetupError> {
        let is_published = options.algorithm == Algorithm::DePublished;
        let (tuning, validation) = game.openings.halves();
        if !validation.positions.is_empty() {
            game.openings = validation;
        } else if !is_published || game.schedule.pairs() > 0 {
            return Err(SetupError::NoOpenings);
        }
        let usual = if is_published { 600 } else { 50 };
        let generations = options.generations.unwrap_or(usual);
        let from_game = || {
            seed::derive(&[
                seed::SeedPart::Text("tune/v1/method"),
                seed::SeedPart::Text(&game.seed),
            ])
        };
        let seed = options.seed.unwrap_or_else(from_game);
        Ok(Setup {
            search: SpaceSearch::new(options, &space, generations, seed),
            starts: if is_published { Starts::Random } else { Starts::Openings(tuning) },
            game,
            space,
            generations,
            every: options.every.unwrap_or_else(|| generations.div_ceil(6)).max(1),
            snapshot_games: options.snapshot_games,
            tournament_games: options.tournament_games.or(is_published.then_some(20)),
        })
    }
}

impl Options {
    /// What is usual with an algorithm.
    pub fn new(algorithm: Algorithm) -> Options {
        Options {
            algorithm,
            seed: None,
            generations: None,
            games: None,
            population: None,
            every: None,
            snapshot_games: 100,
            tournament_games: None,
        }
    }
}

/// The final test of the result against the start: 0 to 20 Elo within 4,000 games, if nothing else
/// is said. No games means no test.
pub fn final_test(test: Option<Sprt>, games: Option<u64>) -> Schedule {
    let usual = || Sprt::new(0.0, 20.0).expect("the bounds are in order");
    Schedule::match_of(games.or(Some(4000)), Some(test.unwrap_or_else(usual)))
}

impl SpaceSearch {
    fn new(options: &Options, space: &Space, generations: u64, seed: u64) -> SpaceSearch {
        let games_or = |usual| options.games.unwrap_or(usual);
        let evolution = |settings: Settings| {
            let games = games_or(settings.games);
            let population = options.population.unwrap_or(settings.population).max(4);
            Method::De(Evolution::new(space, Settings { games, population, ..settings }, seed))
        };
        SpaceSearch::Duels(match options.algorithm {
            Algorithm::Regression => return SpaceSearch::Regression { games: games_or(2000) },
            Algorithm::DePublished => evolution(Settings::published()),
            Algorithm::De => evolution(Settings::for_noise()),
            Algorithm::Spsa => Method::Spsa(Spsa::new(space, generations, games_or(8), seed)),
            Algorithm::Cma => {
                Method::Cma(CmaEs::new(space, 0.15, options.population, games_or(16), seed))
            }
        })
    }

    /// The kind of search in a word.
    pub const fn name(&self) -> &'static str {
        match self {
            SpaceSearch::Regression { .. } => "regression",
            SpaceSearch::Duels(Method::De(_)) => "de",
            SpaceSearch::Duels(Method::Spsa(_)) => "spsa",
            SpaceSearch::Duels(Method::Cma(_)) => "cma",
        }
    }
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Algorithm; 5] = [
        Algorithm::DePublished,
        Algorithm::De,
        Algorithm::Spsa,
        Algorithm::Cma,
        Algorithm::Regression,
    ];

    /// Its name in commands and forms.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::DePublished => "de-published",
            Algorithm::De => "de",
            Algorithm::Spsa => "spsa",
            Algorithm::Cma => "cma",
            Algorithm::Regression => "regression",
        }
    }

    /// What it is, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Algorithm::DePublished => "Differential evolution as Xie 2022 published it",
            Algorithm::De => {
                "Differential evolution for noisy games: a large population, and its mean as the result"
            }
            Algorithm::Spsa => "Simultaneous perturbation stochastic approximation",
            Algorithm::Cma => "Covariance matrix adaptation evolution strategy",
            Algorithm::Regression => "Logistic regression of evaluation weights on games",
        }
    }
}

/// No algorithm has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("There is no method '{0}'.")]
pub struct UnknownAlgorithm(String);

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Algorithm, UnknownAlgorithm> {
        let found = Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        found.ok_or_else(|| UnknownAlgorithm(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use arena::{Budget, Contender, Openings};
    use gomoku::Rule;

    use super::*;
    use crate::space::{Gene, GeneKind};

    fn setup(algorithm: Algorithm, openings: &[&str], games: u64) -> Result<Setup, SetupError> {
        let positions = openings.iter().map(|text| (*text).to_owned()).collect();
        let openings = Openings { positions, ..Openings::empty_board() };
        let start = ("start".to_owned(), "toy".to_owned(), Budget::default());
        let test = final_test(None, Some(games));
        let players = Contender::numbered([start]);
        let game = Plan::new("test", Rule::Freestyle, 15, players, test, openings);
        let (name, kind) = ("x".to_owned(), GeneKind::Real);
        let gene = Gene { name, kind, low: 0.0, high: 1.0, start: 0.5, log: false };
        Setup::new(game, Space { genes: vec![gene] }, &Options::new(algorithm))
    }

    #[test]
    fn what_is_tuned_on_is_not_tested_on() {
        let setup = setup(Algorithm::Spsa, &["h8", "h8h9", "h8i9"], 100).unwrap();
        let Starts::Openings(tuning) = setup.starts else { panic!("no openings to tune on") };
        assert_eq!(tuning.positions, ["h8", "h8i9"]);
        assert_eq!(setup.game.openings.positions, ["h8h9"]);
        assert_eq!((setup.generations, setup.every), (50, 9));
    }

    #[test]
    fn only_the_published_method_without_a_test_does_without_openings() {
        assert_eq!(setup(Algorithm::De, &[""], 0), Err(SetupError::NoOpenings));
        assert_eq!(setup(Algorithm::DePublished, &[""], 100), Err(SetupError::NoOpenings));
        let published = setup(Algorithm::DePublished, &[""], 0).unwrap();
        assert_eq!((published.generations, published.tournament_games), (600, Some(20)));
    }

    #[test]
    fn algorithms_are_known_by_their_names() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
        }
        assert!("simulated-annealing".parse::<Algorithm>().is_err());
    }
}
