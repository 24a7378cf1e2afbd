//! Logistic regression on sparse features, by Newton's method.
//!
//! The chance to win is taken to be `1 / (1 + exp(-w·x))`. Outcomes are 0, 1 or anything between.

use thiserror::Error;

/// A position as numbers, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Features that are not zero, by index.
    pub features: Vec<(usize, f64)>,
    /// What the side scored, 0 to 1.
    pub outcome: f64,
}

/// Weights that explain the outcomes best.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// A weight for each feature, in natural-log odds.
    pub weights: Vec<f64>,
    /// Mean loss (natural logarithm) with them.
    pub loss: f64,
    /// Newton steps made.
    pub steps: usize,
}

/// Why nothing can be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FitError {
    /// No examples.
    #[error("There are no positions to learn from.")]
    Empty,
    /// A feature beyond the count given.
    #[error("Feature {0} does not exist.")]
    NoSuchFeature(usize),
    /// A number that is not finite, or an outcome outside 0 to 1.
    #[error("Example {0} has a number that makes no sense.")]
    BadNumber(usize),
}

/// Fits `count` weights. `ridge` (a small positive number) pulls them to zero, which decides what the
/// examples leave open.
///
/// # Errors
/// When there are no examples or they make no sense.
pub fn fit(count: usize, examples: &[Example], ridge: f64) -> Result<Fitted, FitError> {
    check(count, examples)?;
    let ridge = ridge.max(1e-9);
    let mut weights = vec![0.0; count];
    let mut best = penalized(&weights, examples, ridge);
    let mut steps = 0;
    while steps < 100 {
        let step = newton_step(&weights, examples, ridge);
        // Halve the step until it helps: far from the optimum Newton's step may be too long.
        let moved = (0..40).find_map(|halvings| {
            let scale = libm::pow(0.5, f64::from(halvings));
            let next: Vec<f64> = weights.iter().zip(&step).map(|(w, s)| w + scale * s).collect();
            let value = penalized(&next, examples, ridge);
            (value < best).then_some((next, value))
        });
        let Some((next, value)) = moved else { break };
        let gain = best - value;
        (weights, best) = (next, value);
        steps += 1;
        if gain < 1e-12 * best.abs().max(1.0) {
            break;
        }
    }
    let loss = loss(&weights, examples) / examples.len() as f64;
    Ok(Fitted { weights, loss, steps })
}

fn check(count: usize, examples: &[Example]) -> Result<(), FitError> {
    if examples.is_empty() {
        return Err(FitError::Empty);
    }
    for (number, example) in examples.iter().enumerate() {
        if let Some((index, _)) = example.features.iter().find(|(index, _)| *index >= count) {
            return Err(FitError::NoSuchFeature(*index));
        }
        let is_finite = example.features.iter().all(|(_, value)| value.is_finite());
        if !is_finite || !(0.0..=1.0).contains(&example.outcome) {
            return Err(FitError::BadNumber(number));
        }
    }
    Ok(())
}

fn odds(weights: &[f64], example: &Example) -> f64 {
    example.features.iter().map(|&(index, value)| weights[index] * value).sum()
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

fn loss(weights: &[f64], examples: &[Example]) -> f64 {
    let each = |example: &Example| {
        let z = odds(weights, example);
        // ln(1 + e^z) - y z, without overflow.
        z.max(0.0) + libm::log1p(libm::exp(-z.abs())) - example.outcome * z
    };
    examples.iter().map(each).sum()
}

fn penalized(weights: &[f64], examples: &[Example], ridge: f64) -> f64 {
    let size: f64 = weights.iter().map(|w| w * w).sum();
    loss(weights, examples) + 0.5 * ridge * size
}

fn newton_step(weights: &[f64], examples: &[Example], ridge: f64) -> Vec<f64> {
    let n = weights.len();
    let mut hessian = vec![vec![0.0; n]; n];
    let mut gradient: Vec<f64> = weights.iter().map(|w| -ridge * w).collect();
    for (i, row) in hessian.iter_mut().enumerate() {
        row[i] = ridge;
    }
    for example in examples {
        let p = chance(odds(weights, example));
        let curvature = p * (1.0 - p);
        for &(i, a) in &example.features {
            gradient[i] += (example.outcome - p) * a;
            for &(j, b) in &example.features {
                hessian[i][j] += curvature * a * b;
            }
        }
    }
    solve(hessian, gradient)
}

/// Solves a positive definite system by Cholesky's decomposition.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
            let rest = a[i][j] - dot;
            a[i][j] = if i == j { libm::sqrt(rest.max(1e-300)) } else { rest / a[j][j] };
        }
    }
    for i in 0..n {
        let dot: f64 = (0..i).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - dot) / a[i][i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| a[k][i] * b[k]).sum();
        b[i] = (b[i] - dot) / a[i][i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn known_weights_are_found_again() {
        let truth = [1.5, -0.7, 0.0, 0.3];
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let examples: Vec<Example> = (0..20_000)
            .map(|_| {
                // Each feature is there half of the time.
                let features: Vec<(usize, f64)> = (0..4)
                    .filter_map(|i| {
                        let value = 4.0 * rng.random::<f64>() - 2.0;
                        rng.random::<bool>().then_some((i, value))
                    })
                    .collect();
                let z: f64 = features.iter().map(|&(i, x)| truth[i] * x).sum();
                let outcome = f64::from(u8::from(rng.random::<f64>() < chance(z)));
                Example { features, outcome }
            })
            .collect();
        let fitted = fit(4, &examples, 1e-6).unwrap();
        for (found, known) in fitted.weights.iter().zip(truth) {
            assert!((found - known).abs() < 0.08, "{found} for {known}");
        }
        assert!(fitted.steps < 12, "Newton takes few steps, not {}", fitted.steps);
        assert!(fitted.loss < std::f64::consts::LN_2);
    }

    #[test]
    fn a_single_feature_gives_the_log_odds() {
        let example = |outcome| Example { features: vec![(0, 1.0)], outcome };
        let examples = [example(1.0), example(1.0), example(1.0), example(0.0)];
        let fitted = fit(1, &examples, 1e-9).unwrap();
        assert!((fitted.weights[0] - 3f64.ln()).abs() < 1e-6);
    }

    #[test]
    fn separable_examples_stay_finite_and_nonsense_is_refused() {
        let example = |x, outcome| Example { features: vec![(0, x)], outcome };
        let fitted = fit(1, &[example(1.0, 1.0), example(-1.0, 0.0)], 0.01).unwrap();
        assert!(fitted.weights[0].is_finite() && fitted.weights[0] > 1.0);
        assert_eq!(fit(1, &[], 1.0), Err(FitError::Empty));
        assert_eq!(fit(0, &[example(1.0, 1.0)], 1.0), Err(FitError::NoSuchFeature(0)));
        assert_eq!(fit(1, &[example(f64::NAN, 1.0)], 1.0), Err(FitError::BadNumber(0)));
        assert_eq!(fit(1, &[example(1.0, 2.0)], 1.0), Err(FitError::BadNumber(0)));
    }
}
