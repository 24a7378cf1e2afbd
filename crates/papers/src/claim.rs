//! What a paper says: a quantity of a part, and what it is expected to be.
//!
//! Both are enums that the file spells as words, and a claim is held against the part that measures
//! it when the file is read, so that a slip in a file is an error there and never a verdict.

use std::ops::{Range, RangeInclusive};

use serde::Deserialize;
use toml::Spanned;

use crate::experiment::{Experiment, Part};

/// Something a paper says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The claim as a sentence.
    pub text: String,
    /// The part that measures it; `ID/PART` for one of another experiment.
    pub part: Spanned<String>,
    /// Whose quantity.
    pub of: Option<String>,
    /// Against or in relation to whom.
    pub per: Option<String>,
    /// Which quantity.
    pub what: Spanned<Quantity>,
    /// What the paper has.
    pub expected: Spanned<Expected>,
    /// What a reader must know of the paper's number: a slip in it, or what it leaves open.
    pub note: Option<String>,
    /// Why ours differs, if it does.
    pub why: Option<Spanned<ClaimReason>>,
    /// Whether the quick run must show it too.
    #[serde(default)]
    pub essential: bool,
}

/// Why a number differs: a measurement shows it, or it is a guess and called one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClaimReason {
    /// Nothing was measured about it.
    Guess(String),
    /// The reason is a claim itself: it is shown as long as that agrees with what was measured.
    Shown(Box<Claim>),
    /// A part with readings of the same table, `ID/PART`, says which of them gives the number.
    Readings(String),
}

/// What a part measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Share of a player's games against itself that Black wins.
    BlackWins,
    /// Share of a player's games against itself that White wins.
    WhiteWins,
    /// Share of a player's games against itself that nobody wins.
    Draws,
    /// Share of a player's decided games against itself that Black wins.
    BlackShare,
    /// Nodes a move, or a player's nodes for each one of another.
    Nodes,
    /// Static evaluations a move, or a player's for each one of another.
    Evaluations,
    /// Milliseconds a move, or a player's for each one of another.
    Ms,
    /// Share of another player's nodes that a player does without.
    Saving,
    /// Evaluations in the later half of a game for each one in the earlier half.
    Growth,
    /// Share of positions at which two players choose the same move.
    SameMoves,
    /// Evaluations for each one of Knuth's bound, by those of minimax at this depth.
    Knuth(u32),
    /// Share of a player's games as Black that it wins.
    WinsAsBlack,
    /// Share of a player's games as Black that it loses.
    LossesAsBlack,
    /// Share of a player's games as White that it wins.
    WinsAsWhite,
    /// Points for each game, a draw being half of one.
    Score,
    /// Examples found.
    Found,
    /// Points for each game of a snapshot, numbered from 0, against the start of the evolution.
    SnapshotScore(u64),
    /// Number of the snapshot with the highest score.
    Peak,
    /// Games of the tournament among the best population.
    TournamentGames,
    /// Rating points between the first and the last of that tournament.
    RatingSpread,
    /// Mean rating of that tournament.
    RatingMean,
}

/// What a paper has for a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Expected {
    /// More than this.
    Above(f64),
    /// Less than this.
    Below(f64),
    /// So many of so many.
    Count(u64, u64),
    /// A number.
    Number(f64),
    /// A number, or another within a factor of it.
    Near {
        /// The number.
        number: f64,
        /// The factor.
        factor: f64,
    },
}

/// How a quantity is expressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// So many of all games or positions.
    Count,
    /// A number between 0 and 1.
    Share,
    /// Any number.
    Number,
}

impl Quantity {
    /// The kind of part that measures it, how many players a claim about it names, and its form.
    fn needs(self) -> (&'static str, RangeInclusive<usize>, Form) {
        use Quantity as Q;
        match self {
            Q::BlackWins | Q::WhiteWins | Q::Draws | Q::BlackShare => ("walk", 1..=1, Form::Count),
            Q::Growth => ("walk", 1..=1, Form::Number),
            Q::Nodes | Q::Evaluations | Q::Ms => ("walk", 1..=2, Form::Number),
            Q::SameMoves => ("walk", 2..=2, Form::Count),
            Q::Saving => ("walk", 2..=2, Form::Share),
            Q::Knuth(_) => ("walk", 2..=2, Form::Number),
            Q::WinsAsBlack | Q::LossesAsBlack | Q::WinsAsWhite => ("games", 1..=2, Form::Count),
            Q::Score => ("games", 1..=2, Form::Share),
            Q::Found => ("find", 0..=0, Form::Number),
            Q::SnapshotScore(_) => ("evolve", 0..=0, Form::Share),
            Q::Peak | Q::TournamentGames | Q::RatingSpread | Q::RatingMean => {
                ("evolve", 0..=0, Form::Number)
            }
        }
    }
}

impl Expected {
    /// The paper's own number; a bound is none.
    pub fn printed(self) -> Option<f64> {
        match self {
            Expected::Above(_) | Expected::Below(_) => None,
            Expected::Count(k, n) => Some(k as f64 / n as f64),
            Expected::Number(number) | Expected::Near { number, .. } => Some(number),
        }
    }

    /// Where the paper's number or bound lies.
    pub(crate) fn place(self) -> f64 {
        match self {
            Expected::Above(limit) | Expected::Below(limit) => limit,
            other => other.printed().unwrap_or(f64::NAN),
        }
    }

    /// Why it cannot be what the paper has for a quantity of this form.
    fn misfit(self, form: Form) -> Option<String> {
        match self {
            Expected::Count(..) if form != Form::Count => {
                Some("A count is expected of something that is not counted.".to_owned())
            }
            Expected::Count(k, n) if k > n || n == 0 => Some(format!("{k} of {n} is no share.")),
            Expected::Near { factor, .. } if factor.is_nan() || factor <= 1.0 => {
                Some(format!("Nothing lies within a factor of {factor}."))
            }
            _ if !self.place().is_finite() => Some(format!("{} is no number.", self.place())),
            _ if form != Form::Number && !(0.0..=1.0).contains(&self.place()) => {
                Some(format!("A share lies between 0 and 1, and not at {}.", self.place()))
            }
            _ => None,
        }
    }
}

impl Claim {
    /// Holds the claim of an experiment against the part that measures it; says where and why they
    /// do not fit.
    pub(crate) fn check(
        &self,
        own: &Experiment,
        all: &[Experiment],
    ) -> Result<(), (Range<usize>, String)> {
        let part = self.find_part(own, all).ok_or_else(|| {
            (self.part.span(), format!("There is no part '{}'.", self.part.get_ref()))
        })?;
        let (kind, n_names, form) = self.what.get_ref().needs();
        if kind != part.kind() {
            let reason = format!(
                "This is measured by a part of kind '{kind}', and '{}' is of kind '{}'.",
                part.name(),
                part.kind()
            );
            return Err((self.what.span(), reason));
        }
        let n_given = match (&self.of, &self.per) {
            (None, None) => Some(0),
            (Some(_), None) => Some(1),
            (Some(_), Some(_)) => Some(2),
            (None, Some(_)) => None,
        };
        if !n_given.is_some_and(|n| n_names.contains(&n)) {
            let reason = "This does not go with the players in 'of' and 'per'.".to_owned();
            return Err((self.what.span(), reason));
        }
        let is_known = |name: &str| part.entrants().iter().any(|entrant| entrant.name == name);
        if let Some(name) = self.of.iter().chain(&self.per).find(|name| !is_known(name)) {
            let reason = format!("'{}' has no player '{name}'.", part.name());
            return Err((self.part.span(), reason));
        }
        if let Some(reason) = self.expected.get_ref().misfit(form) {
            return Err((self.expected.span(), reason));
        }
        match &self.why {
            Some(why) => self.check_why(why, own, all),
            None => Ok(()),
        }
    }

    /// A reason is a claim that can be measured, and readings have the number that the claim is about.
    fn check_why(
        &self,
        why: &Spanned<ClaimReason>,
        own: &Experiment,
        all: &[Experiment],
    ) -> Result<(), (Range<usize>, String)> {
        let by = match why.get_ref() {
            ClaimReason::Guess(_) => return Ok(()),
            ClaimReason::Shown(reason) => return reason.check(own, all),
            ClaimReason::Readings(by) => by,
        };
        let reason = match part_of(by, own, all) {
            Some(Part::Readings(part)) if part.cell_of(self).is_some() => return Ok(()),
            Some(Part::Readings(_)) => format!("'{by}' has no row for this claim."),
            Some(_) => format!("'{by}' has no readings."),
            None => format!("There is no part '{by}'."),
        };
        Err((why.span(), reason))
    }

    /// The part that measures it: its experiment's own, or that of another one.
    fn find_part<'a>(&self, own: &'a Experiment, all: &'a [Experiment]) -> Option<&'a Part> {
        part_of(self.part.get_ref(), own, all)
    }

    /// Experiment and name of the part that measures it, for a claim of the experiment `own`.
    pub(crate) fn place<'a>(&'a self, own: &'a str) -> (&'a str, &'a str) {
        self.part.get_ref().split_once('/').unwrap_or((own, self.part.get_ref()))
    }
}

/// The part `PART` of the experiment `own`, or `ID/PART` of another one.
fn part_of<'a>(place: &str, own: &'a Experiment, all: &'a [Experiment]) -> Option<&'a Part> {
    let (id, name) = place.split_once('/').unwrap_or((&own.id, place));
    let owner = if id == own.id { own } else { all.iter().find(|other| other.id == id)? };
    owner.parts.iter().find(|part| part.name() == name)
}

#[cfg(test)]
mod tests {
    use crate::{ExperimentError, read};

    /// An experiment with a match of two players and a claim, whose lines begin with line 13.
    fn refused(claim: &str) -> String {
        let text = format!(
            "id = 'x'\ntitle = 'x'\npaper = 'x'\nquestion = 'x?'\n[[part]]\nkind = 'games'\n\
             name = 'match'\nabout = 'x'\nplayers = [{{ name = 'a', spec = 'a' }}, {{ name = 'b', \
             spec = 'b' }}]\namount = {{ games = 2, quick = 2 }}\n[[claim]]\ntext = 'x'\n{claim}\n"
        );
        match read(&[("x.toml", &text)]) {
            Err(error @ ExperimentError::File { .. }) => error.to_string(),
            other => panic!("{other:?}"),
        }
    }

    fn check(claim: &str, line: usize, reason: &str) {
        let refused = refused(claim);
        assert!(refused.starts_with(&format!("x.toml, line {line}: ")), "{refused}");
        assert!(refused.contains(reason), "{refused}");
    }

    #[test]
    fn unknown_words_are_refused_by_file_and_line() {
        check("part = 'match'\nwhat = 'wins-as-red'", 14, "wins-as-red");
        check("part = 'match'\nwhat = 'score'\nexpected = { about = 1 }", 15, "about");
        check("part = 'match'\nholds = '> 0.5'", 14, "holds");
        check("part = 'match'\nwhat = { knuth = 'four' }", 14, "four");
        check("part = 'march'\nwhat = 'score'\nexpected = { above = 0.5 }", 13, "no part 'march'");
        let of = "part = 'match'\nwhat = 'score'\nexpected = { above = 0.5 }\nof = 'c'";
        check(of, 13, "no player 'c'");
        check("part = 'match'\nwhat = 'score'\nof = 'a'", 11, "missing field `expected`");
    }

    #[test]
    fn a_reason_is_a_guess_or_names_what_shows_it() {
        let with = |why: &str| {
            format!("part = 'match'\nof = 'a'\nwhat = 'score'\nexpected.above = 0.5\n{why}")
        };
        check(&with("why = 'They had another book.'"), 17, "expected");
        let nowhere = "why.shown = { text = 'x', part = 'march', of = 'a', what = 'score', \
                       expected = { above = 0.5 } }";
        check(&with(nowhere), 17, "no part 'march'");
        check(&with("why.readings = 'match'"), 17, "'match' has no readings");
    }

    #[test]
    fn what_does_not_fit_the_part_is_refused_by_file_and_line() {
        let with = |what: &str, expected: &str| {
            format!("part = 'match'\nof = 'a'\nwhat = {what}\nexpected = {{ {expected} }}")
        };
        check(&with("'nodes'", "above = 1"), 15, "kind 'walk', and 'match' is of kind 'games'");
        check(&with("{ snapshot-score = 3 }", "above = 0.5"), 15, "kind 'evolve'");
        check(&with("'score'", "above = 50"), 16, "between 0 and 1, and not at 50");
        check(&with("'score'", "count = [3, 4]"), 16, "not counted");
        check(&with("'wins-as-black'", "count = [4, 3]"), 16, "4 of 3");
        check(&with("'score'", "near = { number = 0.5, factor = 1 }"), 16, "factor of 1");
        let nobody = "part = 'match'\nwhat = 'score'\nexpected = { above = 0.5 }";
        check(nobody, 14, "'of' and 'per'");
        check(&format!("{nobody}\nper = 'a'"), 14, "'of' and 'per'");
    }
}
