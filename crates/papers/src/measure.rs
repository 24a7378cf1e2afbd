//! Numbers with intervals: shares, means and ratios at 95 %.

use player::SplitMix64;
use stats::Z95;

/// A measured number and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Successes and trials, if it is a share.
    pub count: Option<(u64, u64)>,
    /// How it is written.
    pub unit: Unit,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// As a percentage.
    Percent,
    /// As it is.
    Number,
    /// As a factor.
    Factor,
}

impl Measure {
    /// A share of trials, with Wilson's interval.
    pub fn share(successes: u64, trials: u64) -> Option<Measure> {
        if trials == 0 {
            return None;
        }
        let (n, p) = (trials as f64, successes as f64 / trials as f64);
        Some(Measure { count: Some((successes, trials)), ..Measure::wilson(n, p, p * (1.0 - p)) })
    }

    /// A mean score of samples between 0 and 1. Wilson's interval with the samples' own variance
    /// bounded below, so that a few equal results do not look like certainty.
    pub fn score(samples: &[f64]) -> Option<Measure> {
        let n = samples.len() as f64;
        if samples.is_empty() {
            return None;
        }
        let mean = samples.iter().sum::<f64>() / n;
        let variance = samples.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / n;
        Some(Measure::wilson(n, mean, variance))
    }

    /// The mean score of so many games won, drawn and lost.
    pub(crate) fn score_of(wins: u64, draws: u64, losses: u64) -> Option<Measure> {
        let results = [(1.0, wins), (0.5, draws), (0.0, losses)];
        let each = |(value, n): (f64, u64)| std::iter::repeat_n(value, n as usize);
        Measure::score(&results.into_iter().flat_map(each).collect::<Vec<f64>>())
    }

    /// Wilson's interval of a mean between 0 and 1.
    fn wilson(n: f64, mean: f64, variance: f64) -> Measure {
        let z2 = Z95 * Z95;
        let center = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z95 / (1.0 + z2 / n) * (variance / n + z2 / (4.0 * n * n)).sqrt();
        let (low, high) = ((center - half).max(0.0), (center + half).min(1.0));
        Measure { value: mean, low, high, count: None, unit: Unit::Percent }
    }

    /// A number that is known exactly, given the run.
    pub fn exact(value: f64, unit: Unit) -> Measure {
        Measure { value, low: value, high: value, count: None, unit }
    }

    /// The sum of `top` over the sum of `bottom`, with an interval from resampling the clusters.
    pub fn ratio(clusters: &[(f64, f64)], unit: Unit) -> Option<Measure> {
        const RESAMPLES: usize = 1000;
        let of = |sums: (f64, f64)| sums.0 / sums.1;
        let add = |sum: (f64, f64), c: &(f64, f64)| (sum.0 + c.0, sum.1 + c.1);
        let value = of(clusters.iter().fold((0.0, 0.0), add));
        if !value.is_finite() {
            return None;
        }
        if clusters.len() < 2 {
            // One game says nothing about how games differ.
            let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
            return Some(Measure { value, low, high, count: None, unit });
        }
        let mut random = SplitMix64::new(clusters.len() as u64);
        let mut resampled: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let draw = (0..clusters.len())
                    .map(|_| &clusters[random.below(clusters.len() as u64) as usize]);
                of(draw.fold((0.0, 0.0), add))
            })
            .filter(|ratio| ratio.is_finite())
            .collect();
        resampled.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let index = (share * resampled.len() as f64) as usize;
            resampled.get(index.min(resampled.len().saturating_sub(1))).copied().unwrap_or(value)
        };
        let (low, high) = (at(0.025).min(value), at(0.975).max(value));
        Some(Measure { value, low, high, count: None, unit })
    }

    /// A share whose interval is wider says too little for a printed number to agree with it.
    pub const WIDEST_SHARE: f64 = 0.2;
    /// The same for other numbers, as a part of the number.
    pub const WIDEST_NUMBER: f64 = 0.4;

    /// Whether the interval is narrow enough to bear out a printed number.
    pub fn is_narrow(&self) -> bool {
        let width = self.high - self.low;
        width
            <= match self.unit {
                Unit::Percent => Measure::WIDEST_SHARE,
                Unit::Number | Unit::Factor => Measure::WIDEST_NUMBER * self.value.abs(),
            }
    }

    /// The number without its interval.
    pub fn plain(&self, value: f64) -> String {
        match self.unit {
            Unit::Percent => format!("{:.1} %", 100.0 * value),
            Unit::Factor if value.abs() < 10.0 => format!("{value:.3}"),
            Unit::Number | Unit::Factor if value.abs() >= 100.0 => grouped(value.round() as i64),
            Unit::Number | Unit::Factor => format!("{value:.1}"),
        }
    }

    /// `64.7 % [61.7 %, 67.6 %]`.
    pub fn shown(&self) -> String {
        if self.low == self.high {
            return self.plain(self.value);
        }
        if !self.low.is_finite() || !self.high.is_finite() {
            return format!("{} (one game, no interval)", self.plain(self.value));
        }
        format!("{} [{}, {}]", self.plain(self.value), self.plain(self.low), self.plain(self.high))
    }
}

/// A whole number with thin groups of three digits.
pub(crate) fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// The 95 % interval of the difference of two shares (Agresti and Caffo 2000).
pub(crate) fn difference(ours: (u64, u64), theirs: (u64, u64)) -> (f64, f64) {
    let adjusted = |(k, n): (u64, u64)| ((k + 1) as f64 / (n + 2) as f64, (n + 2) as f64);
    let ((p, n), (q, m)) = (adjusted(ours), adjusted(theirs));
    let half = Z95 * (p * (1.0 - p) / n + q * (1.0 - q) / m).sqrt();
    (p - q - half, p - q + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_wilson_intervals() {
        // Newcombe 1998, table I: 81 of 263.
        let share = Measure::share(81, 263).unwrap();
        assert!((share.low - 0.2553).abs() < 1e-4 && (share.high - 0.3662).abs() < 1e-4);
        assert!(Measure::share(0, 0).is_none());
        let perfect = Measure::share(4, 4).unwrap();
        assert!(perfect.low < 0.6 && perfect.high == 1.0, "four wins are no certainty");
    }

    #[test]
    fn scores_of_won_and_lost_games_are_shares() {
        let share = Measure::share(3, 4).unwrap();
        let score = Measure::score(&[1.0, 1.0, 0.0, 1.0]).unwrap();
        assert!((share.low - score.low).abs() < 1e-12 && (share.high - score.high).abs() < 1e-12);
    }

    #[test]
    fn ratios_hold_their_value_and_repeat() {
        let clusters: Vec<(f64, f64)> =
            (1..20).map(|i| (f64::from(i), 2.0 * f64::from(i))).collect();
        let ratio = Measure::ratio(&clusters, Unit::Factor).unwrap();
        assert!((ratio.value - 0.5).abs() < 1e-12 && (ratio.low - ratio.high).abs() < 1e-9);
        assert_eq!(Measure::ratio(&clusters, Unit::Factor), Some(ratio));
        assert!(Measure::ratio(&[(1.0, 0.0)], Unit::Factor).is_none());
        let single = Measure::ratio(&[(1.0, 2.0)], Unit::Factor).unwrap();
        assert_eq!(single.shown(), "0.500 (one game, no interval)");
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(-999), "-999");
        assert_eq!(Measure::exact(0.96, Unit::Percent).shown(), "96.0 %");
    }
}
