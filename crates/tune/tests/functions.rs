//! Every method on noiseless test functions, with budgets; and saving a state changes nothing.

use tune::{
    CmaEs, Evolution, Gene, GeneKind, Genome, Method, Optimizer, Recommendation, Settings, Space,
    Spsa,
};

const LOW: f64 = -5.0;
const HIGH: f64 = 5.0;

fn space(dimension: usize) -> Space {
    let gene = |i| Gene {
        name: format!("x{i}"),
        kind: GeneKind::Real,
        low: LOW,
        high: HIGH,
        start: 3.0,
        log: false,
    };
    Space { genes: (0..dimension).map(gene).collect() }
}

fn numbers(genome: &Genome) -> Vec<f64> {
    genome.0.iter().map(|at| LOW + at * (HIGH - LOW)).collect()
}

fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| (x - 1.0) * (x - 1.0)).sum()
}

fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
}

fn rastrigin(x: &[f64]) -> f64 {
    let wave = |x: &f64| x * x - 10.0 * (std::f64::consts::TAU * x).cos() + 10.0;
    x.iter().map(wave).sum()
}

/// The score, less one half, of one value against another: without noise, and never saturated.
fn advantage(a: f64, b: f64) -> f64 {
    let difference = b - a;
    0.5 * difference / (1.0 + difference.abs())
}

/// The value of the answer after a number of duels.
fn minimize(mut method: Method, f: fn(&[f64]) -> f64, duels: usize) -> f64 {
    let mut spent = 0;
    while spent < duels {
        let asked = method.ask();
        spent += asked.len();
        let told: Vec<f64> =
            asked.iter().map(|d| advantage(f(&numbers(&d.a)), f(&numbers(&d.b)))).collect();
        method.tell(&told);
    }
    f(&numbers(&method.answer()))
}

fn de(dimension: usize, population: usize, scale: f64, crossover: f64) -> Method {
    let answer = Recommendation::Mean;
    let settings = Settings { population, scale, crossover, answer, ..Settings::published() };
    Method::De(Evolution::new(&space(dimension), settings, 1))
}

fn spsa(dimension: usize, iterations: u64) -> Method {
    Method::Spsa(Spsa::new(&space(dimension), iterations, 2, 1).with_end(0.001, 5.0))
}

fn cma(dimension: usize) -> Method {
    Method::Cma(CmaEs::new(&space(dimension), 0.2, None, 2, 1))
}

#[test]
fn sphere_in_5_dimensions_by_every_method() {
    for (name, method, budget) in [
        ("published DE", Method::De(Evolution::new(&space(5), Settings::published(), 1)), 8_000),
        ("DE", de(5, 40, 0.5, 0.9), 12_000),
        ("SPSA", spsa(5, 4_000), 4_000),
        ("CMA-ES", cma(5), 1_500),
    ] {
        let value = minimize(method, sphere, budget);
        assert!(value < 1e-3, "{name}: {value}");
    }
}

#[test]
fn sphere_in_20_dimensions_by_every_method() {
    // Eight individuals agree before they arrive: the published evolution comes from about 180 to 2.
    let published = Method::De(Evolution::new(&space(20), Settings::published(), 1));
    for (name, method, budget, tolerance) in [
        ("published DE", published, 60_000, 2.5),
        ("DE", de(20, 60, 0.5, 0.9), 120_000, 1e-2),
        ("SPSA", spsa(20, 20_000), 20_000, 1e-2),
        ("CMA-ES", cma(20), 6_000, 1e-2),
    ] {
        let value = minimize(method, sphere, budget);
        assert!(value < tolerance, "{name}: {value}");
    }
}

#[test]
fn rosenbrock_by_evolution_and_covariance() {
    for (name, method, budget) in [("DE", de(5, 40, 0.8, 0.9), 80_000), ("CMA-ES", cma(5), 6_000)] {
        let value = minimize(method, rosenbrock, budget);
        assert!(value < 1e-2, "{name}: {value}");
    }
}

#[test]
fn rastrigin_by_evolution() {
    let value = minimize(de(5, 40, 0.5, 0.2), rastrigin, 60_000);
    assert!(value < 1e-2, "{value}");
}

/// The pairs of method and function that a method is not made for: how far they come is printed
/// (`cargo test -p tune --test functions -- --nocapture`), and none may end where it began.
#[test]
fn the_rest_come_nearer() {
    let published = || Method::De(Evolution::new(&space(5), Settings::published(), 1));
    for (name, method, f, budget) in [
        ("Rosenbrock by published DE", published(), rosenbrock as fn(&[f64]) -> f64, 20_000),
        ("Rosenbrock by SPSA", spsa(5, 20_000), rosenbrock, 20_000),
        ("Rastrigin by published DE", published(), rastrigin, 20_000),
        ("Rastrigin by SPSA", spsa(5, 20_000), rastrigin, 20_000),
        ("Rastrigin by CMA-ES", cma(5), rastrigin, 6_000),
    ] {
        let (began, value) = (f(&numbers(&space(5).start())), minimize(method, f, budget));
        println!("{name}: {began:.3} -> {value:.3} in {budget} duels");
        assert!(value < began, "{name}: {value}");
    }
}

#[test]
fn a_state_that_is_saved_and_read_back_goes_on_alike() {
    for method in [de(5, 8, 0.5, 0.4), spsa(5, 100), cma(5)] {
        let mut straight = method.clone();
        let mut saved = method;
        for _ in 0..10 {
            let text = serde_json::to_string(&saved).unwrap();
            saved = serde_json::from_str(&text).unwrap();
            assert_eq!(saved, straight);
            for one in [&mut saved, &mut straight] {
                let asked = one.ask();
                assert_eq!(asked, one.ask());
                let told: Vec<f64> = asked
                    .iter()
                    .map(|d| advantage(sphere(&numbers(&d.a)), sphere(&numbers(&d.b))))
                    .collect();
                one.tell(&told);
            }
        }
    }
}
