//! Holds what a paper says against what was measured.

use crate::{
    claim::{Claim, ClaimReason, Expected},
    measure::{Measure, Unit, difference},
};

/// Whether the paper's word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimVerdict {
    /// Our interval is narrow and includes the printed number, or lies wholly within the claimed
    /// bound.
    Agrees,
    /// Our interval excludes it.
    Differs,
    /// The claimed bound lies in our interval, or the printed number in a wide one: the games
    /// neither bear it out nor refute it.
    Undecided,
    /// It has not been measured in this run.
    NotRun,
}

impl ClaimVerdict {
    /// The verdict as the report has it.
    pub const fn word(self) -> &'static str {
        match self {
            ClaimVerdict::Agrees => "agrees",
            ClaimVerdict::Differs => "differs",
            ClaimVerdict::Undecided => "undecided",
            ClaimVerdict::NotRun => "not run",
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
    pub verdict: ClaimVerdict,
    /// Why.
    pub reason: String,
}

/// Judges a claim; `explain` says why a number differs.
pub fn judge(
    claim: &Claim,
    measure: Option<Measure>,
    explain: impl FnOnce(&ClaimReason) -> String,
) -> Judged {
    let expected = *claim.expected.get_ref();
    let printed = printed(expected, measure.as_ref());
    let (verdict, mut reason) = match &measure {
        None => (ClaimVerdict::NotRun, "This run did not measure it.".to_owned()),
        Some(measure) => compare(expected, measure),
    };
    if let (Some(why), ClaimVerdict::Differs) = (&claim.why, verdict) {
        reason += &format!(" {}", explain(why.get_ref()));
    }
    if let (Some(note), true) = (&claim.note, measure.is_some()) {
        reason += &format!(" Note: {note}");
    }
    Judged { claim: claim.clone(), measure, printed, verdict, reason }
}

/// A reason that is a claim itself: what was measured of it shows it, or it is a guess.
pub(crate) fn shown(reason: &Claim, (id, part): (&str, &str), measure: Option<Measure>) -> String {
    let (text, place) = (&reason.text, format!("`{id}/{part}`"));
    let Some(measure) = measure else {
        return format!("Guess: {text} (This run has not measured it in {place}.)");
    };
    match compare(*reason.expected.get_ref(), &measure).0 {
        ClaimVerdict::Agrees => format!("{text} (Shown by {place}: {}.)", measure.shown()),
        _ => format!("Guess: {text} ({place} does not show it: {}.)", measure.shown()),
    }
}

fn compare(expected: Expected, measure: &Measure) -> (ClaimVerdict, String) {
    let bound = |side: &str, whole: bool, some: bool| {
        let limit = measure.plain(expected.place());
        match (whole, some) {
            (true, _) => (ClaimVerdict::Agrees, format!("Our whole interval is {side} {limit}.")),
            (_, true) => (
                ClaimVerdict::Undecided,
                format!("{limit} lies in our interval; more games would tell."),
            ),
            _ => (ClaimVerdict::Differs, format!("None of our interval is {side} {limit}.")),
        }
    };
    let factor = match expected {
        Expected::Above(limit) => return bound("above", measure.low > limit, measure.high > limit),
        Expected::Below(limit) => return bound("below", measure.high < limit, measure.low < limit),
        Expected::Near { factor, .. } => factor,
        Expected::Count(..) | Expected::Number(_) => 1.0,
    };
    let (included, reason) = match (expected, measure.count) {
        (Expected::Count(k, n), Some(ours)) => {
            let (low, high) = difference(ours, (k, n));
            let range = format!("{:+.1} to {:+.1} points", 100.0 * low, 100.0 * high);
            let included = low <= 0.0 && high >= 0.0;
            let tail = if included { ", and that includes none" } else { "" };
            (included, format!("The difference is {range}{tail}."))
        }
        _ => {
            let printed = expected.place();
            let included = measure.low / factor <= printed && printed <= measure.high * factor;
            let slack =
                if factor > 1.0 { format!(" within a factor of {factor}") } else { String::new() };
            let place = if included {
                format!("in our interval{slack}")
            } else {
                "outside our interval".to_owned()
            };
            (included, format!("The paper's number is {place}."))
        }
    };
    match (included, measure.is_narrow()) {
        (true, true) => (ClaimVerdict::Agrees, reason),
        (true, false) => (
            ClaimVerdict::Undecided,
            format!("{reason} But our interval is wide; more games would tell."),
        ),
        (false, _) => (ClaimVerdict::Differs, reason),
    }
}

/// What the paper has.
fn printed(expected: Expected, measure: Option<&Measure>) -> String {
    let plain = Measure::exact(0.0, measure.map_or(Unit::Number, |measure| measure.unit));
    match expected {
        Expected::Above(limit) => format!("more than {}", plain.plain(limit)),
        Expected::Below(limit) => format!("less than {}", plain.plain(limit)),
        Expected::Count(k, n) => format!("{k} of {n} ({:.1} %)", 100.0 * k as f64 / n as f64),
        Expected::Number(number) | Expected::Near { number, .. } => plain.plain(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(rest: &str) -> Claim {
        toml::from_str(&format!("text = 'x'\npart = 'p'\nwhat = 'score'\nexpected.{rest}")).unwrap()
    }

    fn judged(claim: &Claim, measure: Option<Measure>) -> Judged {
        judge(claim, measure, |why| match why {
            ClaimReason::Guess(guess) => guess.clone(),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn bounds_are_judged_by_the_whole_interval() {
        let stronger = claim("above = 0.5");
        let verdict = |k, n| judged(&stronger, Measure::share(k, n)).verdict;
        assert_eq!(verdict(90, 100), ClaimVerdict::Agrees);
        assert_eq!(verdict(10, 100), ClaimVerdict::Differs);
        assert_eq!(verdict(3, 4), ClaimVerdict::Undecided, "four games show nothing");
        assert_eq!(judged(&stronger, None).verdict, ClaimVerdict::NotRun);
        let reason = |claim: &Claim, k| judged(claim, Measure::share(k, 100)).reason;
        assert_eq!(reason(&stronger, 90), "Our whole interval is above 50.0 %.");
        let weaker = claim("below = 0.5");
        assert_eq!(reason(&weaker, 90), "None of our interval is below 50.0 %.");
    }

    #[test]
    fn printed_counts_have_errors_too() {
        let printed = claim("count = [647, 1000]");
        let verdict = |k, n| judged(&printed, Measure::share(k, n)).verdict;
        assert_eq!(verdict(66, 100), ClaimVerdict::Agrees);
        assert_eq!(verdict(50, 100), ClaimVerdict::Differs);
        assert_eq!(verdict(0, 8), ClaimVerdict::Differs, "eight games can exclude");
        assert_eq!(verdict(4, 8), ClaimVerdict::Undecided, "but not bear out");
        let judged = judged(&printed, Measure::share(50, 100));
        assert_eq!(judged.printed, "647 of 1000 (64.7 %)");
    }

    #[test]
    fn numbers_may_be_met_within_a_factor() {
        let measure =
            Measure { value: 900.0, low: 800.0, high: 1000.0, count: None, unit: Unit::Number };
        let verdict = |rest: &str| judged(&claim(rest), Some(measure)).verdict;
        assert_eq!(verdict("number = 850"), ClaimVerdict::Agrees);
        assert_eq!(verdict("number = 1500"), ClaimVerdict::Differs);
        assert_eq!(verdict("near = { number = 1500, factor = 2 }"), ClaimVerdict::Agrees);
        let slip = judged(&claim("number = 1\nnote = 'Misprinted.'"), Some(measure));
        assert_eq!(slip.verdict, ClaimVerdict::Differs, "a note hides nothing");
        assert!(slip.reason.ends_with(" Note: Misprinted."));
    }

    #[test]
    fn a_printed_number_agrees_only_with_a_narrow_interval() {
        let of = |value: f64, half: f64, unit| {
            let measure =
                Measure { value, low: value - half, high: value + half, count: None, unit };
            judged(&claim(&format!("number = {value}")), Some(measure))
        };
        assert_eq!(of(0.5, 0.09, Unit::Percent).verdict, ClaimVerdict::Agrees);
        assert_eq!(of(0.5, 0.11, Unit::Percent).verdict, ClaimVerdict::Undecided);
        assert_eq!(of(50.0, 9.0, Unit::Number).verdict, ClaimVerdict::Agrees);
        assert_eq!(of(50.0, 11.0, Unit::Number).verdict, ClaimVerdict::Undecided);
        assert_eq!(of(50.0, f64::INFINITY, Unit::Factor).verdict, ClaimVerdict::Undecided);
        assert!(of(50.0, 11.0, Unit::Number).reason.contains("more games would tell"));
    }

    #[test]
    fn a_difference_is_explained_and_nothing_else() {
        let claim = claim("above = 0.5\nwhy.guess = 'They had another book.'");
        assert!(
            judged(&claim, Measure::share(10, 100)).reason.ends_with(" They had another book.")
        );
        assert!(!judged(&claim, Measure::share(90, 100)).reason.contains("book"));
    }

    #[test]
    fn a_reason_is_shown_by_what_was_measured_and_else_a_guess() {
        let mut reason = claim("above = 0.5");
        reason.text = "Theirs is slower.".to_owned();
        let shown = |measure| shown(&reason, ("x", "y"), measure);
        assert_eq!(
            shown(Measure::share(90, 100)),
            "Theirs is slower. (Shown by `x/y`: 90.0 % [82.6 %, 94.5 %].)"
        );
        for (measure, doubt) in [
            (Measure::share(10, 100), "(`x/y` does not show it: 10.0 % [5.5 %, 17.4 %].)"),
            (Measure::share(3, 4), "(`x/y` does not show it: 75.0 % [30.1 %, 95.4 %].)"),
            (None, "(This run has not measured it in `x/y`.)"),
        ] {
            assert_eq!(shown(measure), format!("Guess: Theirs is slower. {doubt}"));
        }
    }
}
