//! The normal, Student and chi-square distributions, as far as the other files need them.

use crate::math::{exp, ln, ln_1p};
use std::f64::consts::{PI, SQRT_2};

/// Probability that a standard normal variable is at most `z`, accurate in both tails.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// Natural logarithm of [`normal_cdf`], also where the probability underflows.
pub fn ln_normal_cdf(z: f64) -> f64 {
    if z > -30.0 {
        return ln(normal_cdf(z));
    }
    // Mills' ratio: the next term is below 1e-10 of the first at z = -30.
    let inverse = 1.0 / (z * z);
    -0.5 * z * z - ln(-z * (2.0 * PI).sqrt())
        + ln_1p(-inverse * (1.0 - 3.0 * inverse * (1.0 - 5.0 * inverse)))
}

/// The `z` below which a standard normal variable falls with probability `p`.
pub fn normal_quantile(p: f64) -> f64 {
    quantile(p, normal_cdf)
}

/// Probability that a Student variable with `dof` degrees of freedom is at most `t`.
pub fn student_cdf(t: f64, dof: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(dof / 2.0, 0.5, dof / (dof + t * t));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The `t` below which a Student variable falls with probability `p`.
pub fn student_quantile(p: f64, dof: f64) -> f64 {
    quantile(p, |t| student_cdf(t, dof))
}

/// Probability that a chi-square variable with `dof` degrees of freedom exceeds `x`.
pub fn chi_square_tail(x: f64, dof: f64) -> f64 {
    1.0 - incomplete_gamma(dof / 2.0, x / 2.0)
}

/// Inverts an increasing function with median 0 by doubling, then halving.
fn quantile(p: f64, cdf: impl Fn(f64) -> f64) -> f64 {
    if !(p > 0.0 && p < 1.0) {
        return if p <= 0.0 {
            f64::NEG_INFINITY
        } else if p >= 1.0 {
            f64::INFINITY
        } else {
            f64::NAN
        };
    }
    let (mut low, mut high) = (-1.0, 1.0);
    while cdf(low) > p && low > -1e300 {
        low *= 2.0;
    }
    while cdf(high) < p && high < 1e300 {
        high *= 2.0;
    }
    bisect(low, high, |z| p - cdf(z))
}

/// The zero of a decreasing function that is positive at `low` and negative at `high`.
pub(crate) fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    // A double has 53 bits; the rest lets the interval shrink toward a root near zero.
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Regularised lower incomplete gamma function: its series below, its continued fraction above.
fn incomplete_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let scale = exp(a * ln(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        let mut term = 1.0 / a;
        let mut sum = term;
        for n in 1..1000 {
            term *= x / (a + f64::from(n));
            sum += term;
        }
        return scale * sum;
    }
    let fraction = lentz(x + 1.0 - a, |n| (-n * (n - a), x + 2.0 * n + 1.0 - a));
    1.0 - scale / fraction
}

/// Regularised incomplete beta function by its continued fraction.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast on one side of the mean; the other side is its mirror.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let ln_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let scale = exp(a * ln(x) + b * ln_1p(-x) - ln_beta) / a;
    let fraction = lentz(1.0, |n| {
        let m = (n / 2.0).floor();
        let odd = n % 2.0 == 1.0;
        let numerator = if odd {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        } else {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        };
        (numerator, 1.0)
    });
    scale / fraction
}

/// Evaluates `b0 + a1/(b1 + a2/(b2 + ...))` by Lentz's method; `term(n)` gives `(a_n, b_n)`.
fn lentz(b0: f64, term: impl Fn(f64) -> (f64, f64)) -> f64 {
    const TINY: f64 = 1e-300;
    let nonzero = |x: f64| if x.abs() < TINY { TINY } else { x };
    let mut value = nonzero(b0);
    let (mut c, mut d) = (value, 0.0);
    for n in 1..10_000 {
        let (numerator, denominator) = term(f64::from(n));
        d = 1.0 / nonzero(denominator + numerator * d);
        c = nonzero(denominator + numerator / c);
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn normal_values_are_the_printed_ones() {
        close(normal_cdf(1.96), 0.975_002_104_851_78, 1e-13);
        close(normal_quantile(0.975), 1.959_963_984_540_054, 1e-13);
        close(normal_quantile(0.5), 0.0, 1e-13);
    }

    #[test]
    fn logarithm_of_the_tail_is_continuous_where_the_formula_changes() {
        close(ln_normal_cdf(-29.999_999), ln_normal_cdf(-30.000_001), 1e-4);
        let slope = (ln_normal_cdf(-30.5) - ln_normal_cdf(-29.5)) / -1.0;
        close(slope, 30.033, 1e-2);
    }

    #[test]
    fn student_and_chi_square_values_are_the_printed_ones() {
        close(student_quantile(0.975, 59.0), 2.000_995_378_088_268, 1e-9);
        close(student_quantile(0.975, 1.0), 12.706_204_736_174_7, 1e-8);
        close(chi_square_tail(3.841_458_820_694_124, 1.0), 0.05, 1e-12);
        close(chi_square_tail(1.0, 2.0), (-0.5f64).exp(), 1e-14);
    }
}
