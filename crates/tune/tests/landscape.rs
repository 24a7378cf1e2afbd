//! A simulated landscape of Elo: how far from the optimum each method ends after the same games.
//!
//! The landscape is a bowl, the start 80 Elo below its optimum, and the results of games are drawn
//! at random with the noise of real ones. As in the study that chose the defaults, each method is
//! given the best of a few settings, and the methods must rank as they did there: SPSA, the mean of
//! a population, CMA-ES, the best individual.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tune::{
    CmaEs, Evolution, Gene, GeneKind, Genome, Method, Optimizer, Recommendation, Settings, Space,
    Spsa,
};

const SEEDS: u64 = 10;
/// Share of drawn games that gives a game's result the standard deviation 0.42.
const DRAWS: f64 = 0.294;

fn space(dimension: usize) -> Space {
    let gene = |i| Gene {
        name: format!("x{i}"),
        kind: GeneKind::Real,
        low: 0.0,
        high: 1.0,
        start: 0.3,
        log: false,
    };
    Space { genes: (0..dimension).map(gene).collect() }
}

/// Elo below the optimum, which lies at 0.6 in every coordinate: 80 at the start.
fn deficit(genome: &Genome) -> f64 {
    let squares: f64 = genome.0.iter().map(|x| (x - 0.6) * (x - 0.6)).sum();
    80.0 * squares / (genome.0.len() as f64 * 0.3 * 0.3)
}

/// Points of a game of one half on average, or more by the better player.
fn game(expected: f64, rng: &mut ChaCha8Rng) -> f64 {
    let win = expected - DRAWS / 2.0;
    let drawn: f64 = rng.random();
    if drawn < win {
        1.0
    } else if drawn < win + DRAWS {
        0.5
    } else {
        0.0
    }
}

/// The deficit of the answer after this many games, averaged over seeds.
fn after(games: u32, method: &dyn Fn(u64) -> Method) -> f64 {
    let one = |seed: u64| {
        let mut method = method(seed);
        let mut rng = ChaCha8Rng::seed_from_u64(1000 + seed);
        let mut spent = 0;
        while spent < games {
            let duels = method.ask();
            let told: Vec<f64> = duels
                .iter()
                .map(|duel| {
                    spent += duel.games;
                    let expected = stats::score_of_elo(deficit(&duel.b) - deficit(&duel.a));
                    let points: f64 = (0..duel.games).map(|_| game(expected, &mut rng)).sum();
                    points / f64::from(duel.games) - 0.5
                })
                .collect();
            method.tell(&told);
        }
        deficit(&method.answer())
    };
    (0..SEEDS).map(one).sum::<f64>() / SEEDS as f64
}

/// The smallest deficit a method reaches with one of its settings.
fn best<S: Copy>(games: u32, settings: &[S], method: impl Fn(S, u64) -> Method) -> f64 {
    let one = |&setting: &S| after(games, &|seed| method(setting, seed));
    settings.iter().map(one).fold(f64::INFINITY, f64::min)
}

/// What each method leaves of the 80 Elo.
#[derive(Debug)]
struct Left {
    spsa: f64,
    mean: f64,
    cma: f64,
    single: f64,
    published: f64,
}

fn left(dimension: usize, games: u32) -> Left {
    let space = &space(dimension);
    let steps = [0.05, 0.1, 0.15].map(|end| [0.02, 0.05, 0.1, 0.2].map(|rate| (end, rate)));
    let evolutions = [(20, 2), (40, 2), (40, 4), (20, 10)];
    let evolve = |(population, games), answer, seed| {
        let settings = Settings { population, games, answer, ..Settings::for_noise() };
        Method::De(Evolution::new(space, settings, seed))
    };
    let widths = [0.05, 0.1, 0.2].map(|sigma| [4, 16, 64].map(|duel| (sigma, duel)));
    Left {
        spsa: best(games, steps.as_flattened(), |(end, rate), seed| {
            let iterations = u64::from(games) / 4;
            Method::Spsa(Spsa::new(space, iterations, 4, seed).with_end(end, rate))
        }),
        mean: best(games, &evolutions, |setting, seed| evolve(setting, Recommendation::Mean, seed)),
        cma: best(games, widths.as_flattened(), |(sigma, duel), seed| {
            Method::Cma(CmaEs::new(space, sigma, None, duel, seed))
        }),
        single: best(games, &evolutions, |setting, seed| {
            evolve(setting, Recommendation::Individual, seed)
        }),
        published: after(games, &|seed| {
            Method::De(Evolution::new(space, Settings::published(), seed))
        }),
    }
}

#[test]
fn under_noise_the_methods_rank_as_in_the_study() {
    for (dimension, games) in [(5, 2_000), (5, 10_000), (20, 2_000), (20, 10_000)] {
        let left = left(dimension, games);
        println!("{dimension} parameters, {games} games: {left:.1?}");
        assert!(left.spsa < 1.2 * left.mean, "SPSA and the mean are first: {left:?}");
        assert!(left.mean < left.cma, "the mean averages luck out: {left:?}");
        assert!(left.cma < left.single, "one individual is mostly lucky: {left:?}");
        assert!(left.mean < 0.6 * left.published, "the published selection is noisier: {left:?}");
    }
}
