//! A simulated landscape of Elo: how far from the optimum each method ends after the same games.
//!
//! The landscape is a bowl, the start 80 Elo below its optimum, and the results of games are drawn
//! at random. The methods must rank as they did in the study that chose the defaults.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tune::{
    Answer, CmaEs, Evolution, Gene, GeneKind, Genome, Method, Optimizer, Settings, Space, Spsa,
};

const DIMENSION: usize = 5;
const SEEDS: u64 = 8;

fn space() -> Space {
    let gene = |i| Gene {
        name: format!("x{i}"),
        kind: GeneKind::Real,
        low: 0.0,
        high: 1.0,
        start: 0.3,
        log: false,
    };
    Space { genes: (0..DIMENSION).map(gene).collect() }
}

/// Elo below the optimum, which lies at 0.6 in every coordinate: 80 at the start.
fn deficit(genome: &Genome) -> f64 {
    let squares: f64 = genome.0.iter().map(|x| (x - 0.6) * (x - 0.6)).sum();
    80.0 * squares / (DIMENSION as f64 * 0.3 * 0.3)
}

/// The mean deficit of the answers after this many games.
fn after(games: u32, method: impl Fn(u64) -> Method) -> f64 {
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
                    let elo = deficit(&duel.b) - deficit(&duel.a);
                    let chance = stats::score_of_elo(elo);
                    let wins = (0..duel.games).filter(|_| rng.random::<f64>() < chance).count();
                    wins as f64 / f64::from(duel.games) - 0.5
                })
                .collect();
            method.tell(&told);
        }
        deficit(&method.answer())
    };
    (0..SEEDS).map(one).sum::<f64>() / SEEDS as f64
}

#[test]
fn under_noise_the_mean_and_spsa_come_first() {
    let games = 10_000;
    let spsa = after(games, |seed| {
        Method::Spsa(Spsa::new(&space(), u64::from(games) / 8, 8, seed).with_end(0.08, 0.03))
    });
    let noise = |answer, seed| {
        let settings = Settings { answer, ..Settings::for_noise() };
        Method::De(Evolution::new(&space(), settings, seed))
    };
    let mean = after(games, |seed| noise(Answer::Mean, seed));
    let single = after(games, |seed| noise(Answer::Individual, seed));
    let published =
        after(games, |seed| Method::De(Evolution::new(&space(), Settings::published(), seed)));
    let cma = after(games, |seed| Method::Cma(CmaEs::new(&space(), 0.15, None, 16, seed)));
    let found = format!(
        "SPSA {spsa:.1}, DE mean {mean:.1}, CMA-ES {cma:.1}, DE single {single:.1}, \
         published {published:.1}"
    );
    println!("{found}");
    assert!(spsa < cma && mean < cma, "{found}");
    assert!(mean < 0.5 * single, "the mean is better than any one individual: {found}");
    assert!(cma < published && mean < 0.5 * published, "{found}");
    assert!(spsa < 10.0 && mean < 10.0, "most of the 80 Elo are found: {found}");
}
