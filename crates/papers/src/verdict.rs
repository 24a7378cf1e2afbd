//! Holds what a paper says against what was measured.

use crate::{
    experiment::Claim,
    measure::{Measure, Unit, difference},
};

/// Whether the paper's word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Our interval includes the printed number, or lies wholly within the claimed bound.
    Agrees,
    /// Our interval excludes it.
    Differs,
    /// The claimed bound lies in our interval: the games neither bear it out nor refute it.
    Undecided,
    /// The paper does not say it clearly enough to be held to it.
    Unclear,
    /// It has not been measured in this run.
    NotRun,
}

impl Verdict {
    /// The verdict as the report has it.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::Undecided => "undecided",
            Verdict::Unclear => "paper unclear",
            Verdict::NotRun => "not run",
        }
    }
}

/// A claim with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The claim.
    pub claim: Claim,
    /// What was measured.
    pub measure: Option<Measure>,
    /// What the paper has, as text.
    pub printed: String,
    /// Whether it stands.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
}

impl Judged {
    /// The bound that the claim asks for, if it asks for one.
    pub(crate) fn limit(&self) -> Option<f64> {
        self.claim.holds.as_deref().and_then(Bound::parse).map(Bound::limit)
    }
}

/// What a claim asks of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    Above(f64),
    Below(f64),
}

impl Bound {
    fn parse(text: &str) -> Option<Bound> {
        let (sign, number) = text.trim().split_at_checked(1)?;
        let number = number.trim_start_matches('=').trim().parse().ok()?;
        match sign {
            ">" => Some(Bound::Above(number)),
            "<" => Some(Bound::Below(number)),
            _ => None,
        }
    }

    fn limit(self) -> f64 {
        let (Bound::Above(limit) | Bound::Below(limit)) = self;
        limit
    }

    fn side(self) -> &'static str {
        match self {
            Bound::Above(_) => "above",
            Bound::Below(_) => "below",
        }
    }

    /// Whether the whole interval satisfies it, and whether any of it does.
    fn of(self, measure: &Measure) -> (bool, bool) {
        match self {
            Bound::Above(limit) => (measure.low > limit, measure.high > limit),
            Bound::Below(limit) => (measure.high < limit, measure.low < limit),
        }
    }
}

/// Judges a claim.
pub fn judge(claim: &Claim, measure: Option<Measure>) -> Judged {
    let printed = printed(claim, measure.as_ref());
    let (verdict, reason) = match (&measure, &claim.unclear) {
        (None, _) => (Verdict::NotRun, "This run did not measure it.".to_owned()),
        (_, Some(reason)) => (Verdict::Unclear, reason.clone()),
        (Some(measure), None) => {
            let (verdict, reason) = compare(claim, measure);
            match (&claim.why, verdict) {
                (Some(why), Verdict::Differs) => (verdict, format!("{reason} {why}")),
                _ => (verdict, reason),
            }
        }
    };
    Judged { claim: claim.clone(), measure, printed, verdict, reason }
}

fn compare(claim: &Claim, measure: &Measure) -> (Verdict, String) {
    if let Some(bound) = claim.holds.as_deref().and_then(Bound::parse) {
        let (limit, side) = (measure.plain(bound.limit()), bound.side());
        return match bound.of(measure) {
            (true, _) => (Verdict::Agrees, format!("Our whole interval is {side} {limit}.")),
            (_, true) => (
                Verdict::Undecided,
                format!("{limit} lies in our interval; more games would tell."),
            ),
            _ => (Verdict::Differs, format!("None of our interval is {side} {limit}.")),
        };
    }
    if let (Some(theirs), Some(ours)) = (claim.count, measure.count) {
        let (low, high) = difference(ours, theirs);
        let range = format!("{:+.1} to {:+.1} points", 100.0 * low, 100.0 * high);
        return if low <= 0.0 && high >= 0.0 {
            (Verdict::Agrees, format!("The difference is {range}, and that includes none."))
        } else {
            (Verdict::Differs, format!("The difference is {range}."))
        };
    }
    let Some(printed) = claim.printed.or(claim.count.map(|(k, n)| k as f64 / n as f64)) else {
        return (Verdict::Unclear, "The paper gives no number.".to_owned());
    };
    let factor = claim.within.unwrap_or(1.0);
    if measure.low / factor <= printed && printed <= measure.high * factor {
        let slack = claim.within.map_or(String::new(), |f| format!(" within a factor of {f}"));
        return (Verdict::Agrees, format!("The paper's number is in our interval{slack}."));
    }
    (Verdict::Differs, "The paper's number is outside our interval.".to_owned())
}

/// What the paper has.
fn printed(claim: &Claim, measure: Option<&Measure>) -> String {
    if let Some((k, n)) = claim.count {
        return format!("{k} of {n} ({:.1} %)", 100.0 * k as f64 / n as f64);
    }
    let plain = Measure::exact(0.0, measure.map_or(Unit::Number, |measure| measure.unit));
    if let Some(printed) = claim.printed {
        return plain.plain(printed);
    }
    match claim.holds.as_deref().and_then(Bound::parse) {
        Some(Bound::Above(limit)) => format!("more than {}", plain.plain(limit)),
        Some(Bound::Below(limit)) => format!("less than {}", plain.plain(limit)),
        None => "no number".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(rest: &str) -> Claim {
        toml::from_str(&format!("text = 'x'\npart = 'p'\nwhat = 'score'\n{rest}")).unwrap()
    }

    #[test]
    fn bounds_are_judged_by_the_whole_interval() {
        let stronger = claim("holds = '> 0.5'");
        let verdict = |k, n| judge(&stronger, Measure::share(k, n)).verdict;
        assert_eq!(verdict(90, 100), Verdict::Agrees);
        assert_eq!(verdict(10, 100), Verdict::Differs);
        assert_eq!(verdict(3, 4), Verdict::Undecided, "four games show nothing");
        assert_eq!(judge(&stronger, None).verdict, Verdict::NotRun);
        let reason = |claim: &Claim, k| judge(claim, Measure::share(k, 100)).reason;
        assert_eq!(reason(&stronger, 90), "Our whole interval is above 50.0 %.");
        let weaker = claim("holds = '< 0.5'");
        assert_eq!(reason(&weaker, 90), "None of our interval is below 50.0 %.");
    }

    #[test]
    fn printed_counts_have_errors_too() {
        let printed = claim("count = [647, 1000]");
        let verdict = |k, n| judge(&printed, Measure::share(k, n)).verdict;
        assert_eq!(verdict(66, 100), Verdict::Agrees);
        assert_eq!(verdict(50, 100), Verdict::Differs);
        assert_eq!(verdict(4, 8), Verdict::Agrees);
        let judged = judge(&printed, Measure::share(50, 100));
        assert_eq!(judged.printed, "647 of 1000 (64.7 %)");
    }

    #[test]
    fn numbers_may_be_met_within_a_factor() {
        let measure =
            Measure { value: 900.0, low: 800.0, high: 1000.0, count: None, unit: Unit::Number };
        let verdict = |rest: &str| judge(&claim(rest), Some(measure)).verdict;
        assert_eq!(verdict("printed = 850"), Verdict::Agrees);
        assert_eq!(verdict("printed = 1500"), Verdict::Differs);
        assert_eq!(verdict("printed = 1500\nwithin = 2"), Verdict::Agrees);
        assert_eq!(verdict("printed = 1\nunclear = 'The unit is not given.'"), Verdict::Unclear);
    }

    #[test]
    fn a_difference_is_explained() {
        let judged = judge(
            &claim("holds = '> 0.5'\nwhy = 'They had another book.'"),
            Measure::share(10, 100),
        );
        assert!(judged.reason.ends_with("They had another book."));
    }
}
