//! Sets of openings: text with one opening a line, moves as `h8i9g9`.

use gomoku::{ParsePositionError, Point, Position, Rule};
use thiserror::Error;

/// Openings for one rule and board size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningSet {
    /// Its name, such as `freestyle-15`.
    pub name: String,
    /// The rule it is for.
    pub rule: Rule,
    /// The board size it is for.
    pub size: u8,
    /// The openings, moves in order of play.
    pub openings: Vec<Vec<Point>>,
}

/// A part of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// For fitting and tuning: the openings with even numbers.
    Tuning,
    /// For judging what was tuned: the openings with odd numbers.
    Validation,
}

/// Why a set cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetError {
    /// The first line does not say what the set is for.
    #[error("Line 1: expected '# NAME RULE SIZE', such as '# freestyle-15 freestyle 15'.")]
    Header,
    /// A line is not an opening.
    #[error("Line {line}: {error}")]
    Opening {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: ParsePositionError,
    },
    /// An opening in which somebody has won.
    #[error("Line {line}: the game is over in this opening.")]
    Over {
        /// The line, from 1.
        line: usize,
    },
}

impl Half {
    /// What the half of a set is called, such as `freestyle-15-tuning`.
    pub fn name(self, set: &str) -> String {
        let suffix = match self {
            Half::Tuning => "tuning",
            Half::Validation => "validation",
        };
        format!("{set}-{suffix}")
    }

    /// The openings of this half.
    pub fn of<T: Clone>(self, openings: &[T]) -> Vec<T> {
        let first = match self {
            Half::Tuning => 0,
            Half::Validation => 1,
        };
        openings.iter().skip(first).step_by(2).cloned().collect()
    }
}

impl OpeningSet {
    /// Reads a set; empty lines and further lines that begin with `#` are skipped.
    pub fn parse(text: &str) -> Result<OpeningSet, SetError> {
        let header = text.lines().next().and_then(|line| line.strip_prefix('#'));
        let mut words = header.ok_or(SetError::Header)?.split_whitespace();
        let (Some(name), Some(rule), Some(size)) = (words.next(), words.next(), words.next())
        else {
            return Err(SetError::Header);
        };
        let rule: Rule = rule.parse().map_err(|_| SetError::Header)?;
        let size: u8 = size.parse().map_err(|_| SetError::Header)?;
        let mut set = OpeningSet { name: name.to_owned(), rule, size, openings: Vec::new() };
        for (index, line) in text.lines().enumerate() {
            let moves = line.trim();
            if moves.is_empty() || moves.starts_with('#') {
                continue;
            }
            let line = index + 1;
            let position = Position::parse(moves, rule, size)
                .map_err(|error| SetError::Opening { line, error })?;
            if position.outcome().is_some() {
                return Err(SetError::Over { line });
            }
            set.openings.push(position.moves().to_vec());
        }
        Ok(set)
    }

    /// The text that [`OpeningSet::parse`] reads.
    pub fn to_text(&self) -> String {
        let mut text = format!("# {} {} {}\n", self.name, self.rule, self.size);
        for opening in &self.openings {
            opening.iter().for_each(|point| text += &point.to_string());
            text.push('\n');
        }
        text
    }

    /// The position after an opening.
    ///
    /// # Panics
    /// If there is no such opening.
    pub fn position(&self, index: usize) -> Position {
        Position::from_moves(self.rule, self.size, &self.openings[index])
            .expect("the openings of a set can be played")
    }

    /// One half of the set, under its own name (`freestyle-15-tuning`).
    pub fn half(&self, half: Half) -> OpeningSet {
        OpeningSet { name: half.name(&self.name), openings: half.of(&self.openings), ..*self }
    }
}
