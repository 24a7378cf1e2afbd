//! The rules people play, as a value and as a compile-time parameter.

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::color::Color;

/// A rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five in a row win.
    Standard,
    /// Black wins with exactly five and may not make an overline, a double four or a double three;
    /// White wins with five or more.
    Renju,
    /// Five win unless an opponent's stone stands at both ends; six or more win.
    Caro,
    /// Exactly five win, unless an opponent's stone stands at both ends.
    CaroExact,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 5] =
        [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact];

    /// The name used on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroExact => "caro-exact",
        }
    }

    /// The code of Gomocup's `INFO rule`.
    pub const fn gomocup_code(self) -> u32 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::Caro => 8,
            Rule::CaroExact => 9,
        }
    }

    /// The rule that Gomocup's bit mask asks for; a continuous game is played as freestyle.
    pub const fn from_gomocup_code(code: u32) -> Rule {
        match code {
            _ if code & 4 != 0 => Rule::Renju,
            _ if code & 9 == 9 => Rule::CaroExact,
            _ if code & 8 != 0 => Rule::Caro,
            _ if code & 1 != 0 => Rule::Standard,
            _ => Rule::Freestyle,
        }
    }

    /// Whether a run of `length` wins for `color`, given whether an opponent's stone stands at both
    /// ends of it. The edge of the board is not a stone.
    pub const fn is_win(self, color: Color, length: u32, both_ends_opponent: bool) -> bool {
        match self {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju => length == 5 || length > 5 && matches!(color, Color::White),
            Rule::Caro => length > 5 || length == 5 && !both_ends_opponent,
            Rule::CaroExact => length == 5 && !both_ends_opponent,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a text is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a rule: expected freestyle, standard, renju, caro or caro-exact.")]
pub struct ParseRuleError(String);

impl FromStr for Rule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Rule, ParseRuleError> {
        Rule::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| ParseRuleError(text.chars().take(40).collect()))
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A rule known at compile time, so that the inner loops of a search contain no test for it.
///
/// [`Rule`] is the same choice as a value; [`with_rule!`](crate::with_rule) goes from one to the
/// other, once, at the root of a search.
pub trait Rules:
    sealed::Sealed + Copy + Clone + fmt::Debug + Default + Send + Sync + 'static
{
    /// The rule as a value.
    const RULE: Rule;
    /// Whether Black has forbidden points.
    const HAS_FORBIDDEN: bool = matches!(Self::RULE, Rule::Renju);
    /// How many cells to each side of a point decide what a stone there makes of its line.
    const HALF_WINDOW: usize = if matches!(Self::RULE, Rule::Freestyle) { 4 } else { 5 };
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, Default)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl Rules for $name {
            const RULE: Rule = Rule::$name;
        }
    )*};
}

rules! {
    /// [`Rule::Freestyle`].
    Freestyle,
    /// [`Rule::Standard`].
    Standard,
    /// [`Rule::Renju`].
    Renju,
    /// [`Rule::Caro`].
    Caro,
    /// [`Rule::CaroExact`].
    CaroExact
}

/// Evaluates an expression with a type alias bound to the compile-time twin of a [`Rule`].
///
/// ```
/// use gomoku::{Rule, Rules, with_rule};
/// let rule = Rule::Renju;
/// assert!(with_rule!(rule, R => R::HAS_FORBIDDEN));
/// ```
#[macro_export]
macro_rules! with_rule {
    ($rule:expr, $R:ident => $body:expr) => {
        match $rule {
            $crate::Rule::Freestyle => {
                type $R = $crate::Freestyle;
                $body
            }
            $crate::Rule::Standard => {
                type $R = $crate::Standard;
                $body
            }
            $crate::Rule::Renju => {
                type $R = $crate::Renju;
                $body
            }
            $crate::Rule::Caro => {
                type $R = $crate::Caro;
                $body
            }
            $crate::Rule::CaroExact => {
                type $R = $crate::CaroExact;
                $body
            }
        }
    };
}
