//! The normal distribution, and the zero of a function, as far as the other files need them.

use crate::math::{ln, ln_1p};
use std::f64::consts::{PI, SQRT_2};

/// Probability that a standard normal variable is at most `z`, accurate in both tails.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// Natural logarithm of [`normal_cdf`], also where the probability underflows.
pub(crate) fn ln_normal_cdf(z: f64) -> f64 {
    if z > -30.0 {
        return ln(normal_cdf(z));
    }
    // Mills' ratio: the next term is below 1e-10 of the first at z = -30.
    let inverse = 1.0 / (z * z);
    -0.5 * z * z - ln(-z * (2.0 * PI).sqrt())
        + ln_1p(-inverse * (1.0 - 3.0 * inverse * (1.0 - 5.0 * inverse)))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn normal_values_are_the_printed_ones() {
        close(normal_cdf(1.96), 0.975_002_104_851_78, 1e-13);
        close(bisect(0.0, 3.0, |z| 0.975 - normal_cdf(z)), 1.959_963_984_540_054, 1e-13);
    }

    #[test]
    fn logarithm_of_the_tail_is_continuous_where_the_formula_changes() {
        close(ln_normal_cdf(-29.999_999), ln_normal_cdf(-30.000_001), 1e-4);
        let slope = (ln_normal_cdf(-30.5) - ln_normal_cdf(-29.5)) / -1.0;
        close(slope, 30.033, 1e-2);
    }
}
