//! The text that names a player: `alpha-beta(depth=6, moves=near(1)|top(12))`.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// A name with arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spec {
    /// The name, or a plain value such as `6` or `off`.
    pub name: String,
    /// What stands in the parentheses.
    pub args: Vec<Arg>,
}

/// An argument: a pipeline of specs, with or without a key. Most have one part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arg {
    /// The parameter, if it is named.
    pub key: Option<String>,
    /// The parts between `|`; at least one.
    pub value: Vec<Spec>,
}

/// Why a text does not name a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// Not of the form `name(key=value, ...)`.
    #[error("Column {column} of '{text}': expected {expected}.")]
    Syntax {
        /// The whole text.
        text: String,
        /// Where, in characters from 1.
        column: usize,
        /// What would have been right.
        expected: &'static str,
    },
    /// No such player or component.
    #[error("There is no {kind} '{name}'{}; known are {known}.", meant(name, known))]
    UnknownName {
        /// What was looked for, such as "player".
        kind: String,
        /// The name given.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// No such parameter.
    #[error("'{player}' has no parameter '{name}'{}; it has {known}.", meant(name, known))]
    UnknownParam {
        /// Of which player or component.
        player: String,
        /// The name given.
        name: String,
        /// The parameters that exist.
        known: String,
    },
    /// A value of the wrong kind or out of range.
    #[error("'{name}' of '{player}' cannot be '{value}': expected {expected}.")]
    BadValue {
        /// Of which player or component.
        player: String,
        /// The parameter.
        name: String,
        /// The value given.
        value: String,
        /// What would have been right.
        expected: String,
    },
    /// Anything else, as a whole sentence.
    #[error("{0}")]
    Other(String),
}

/// The known name that was probably meant, as the end of a sentence.
fn meant(name: &str, known: &str) -> String {
    let near = known.split(", ").map(|one| (distance(name, one), one)).min();
    match near {
        Some((steps, one)) if steps <= 1 + one.len() / 5 => format!(": did you mean '{one}'?"),
        _ => String::new(),
    }
}

/// How many letters must be changed, added, left out or swapped with their neighbor.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let changed = rows[i][j] + usize::from(a[i] != b[j]);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

impl Spec {
    /// A name without arguments.
    pub fn word(name: &str) -> Spec {
        Spec { name: name.to_owned(), args: Vec::new() }
    }

    /// Reads a pipeline, `near(1)|top(12)`.
    pub fn parse_pipeline(text: &str) -> Result<Vec<Spec>, SpecError> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let value = parser.pipeline()?;
        parser.end()?;
        Ok(value)
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let spec = parser.spec()?;
        parser.end()?;
        Ok(spec)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.args.is_empty() {
            return Ok(());
        }
        for (i, arg) in self.args.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            if let Some(key) = &arg.key {
                write!(f, "{key}=")?;
            }
            for (j, part) in arg.value.iter().enumerate() {
                write!(f, "{}{part}", if j == 0 { "" } else { "|" })?;
            }
        }
        f.write_str(")")
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    const MAX_DEPTH: u32 = 16;

    fn pipeline(&mut self) -> Result<Vec<Spec>, SpecError> {
        let mut parts = vec![self.spec()?];
        while self.eat('|') {
            parts.push(self.spec()?);
        }
        Ok(parts)
    }

    fn spec(&mut self) -> Result<Spec, SpecError> {
        let mut spec = Spec { name: self.name()?, args: Vec::new() };
        if self.eat('(') {
            self.depth += 1;
            if self.depth > Parser::MAX_DEPTH {
                return Err(self.error("fewer nested parentheses"));
            }
            while !self.eat(')') {
                if !spec.args.is_empty() && !self.eat(',') {
                    return Err(self.error("',' or ')'"));
                }
                spec.args.push(self.arg()?);
            }
            self.depth -= 1;
        }
        Ok(spec)
    }

    fn arg(&mut self) -> Result<Arg, SpecError> {
        let start = self.at;
        let name = self.name()?;
        if self.eat('=') {
            return Ok(Arg { key: Some(name), value: self.pipeline()? });
        }
        self.at = start;
        Ok(Arg { key: None, value: self.pipeline()? })
    }

    fn name(&mut self) -> Result<String, SpecError> {
        self.skip_spaces();
        let rest = &self.text[self.at..];
        let is_name = |c: char| c.is_alphanumeric() || "-_.+/".contains(c);
        let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.error("a name or a value"));
        }
        self.at += length;
        Ok(rest[..length].to_owned())
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.skip_spaces();
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn end(&mut self) -> Result<(), SpecError> {
        self.skip_spaces();
        if self.at == self.text.len() { Ok(()) } else { Err(self.error("the end")) }
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn error(&self, expected: &'static str) -> SpecError {
        let column = self.text[..self.at].chars().count() + 1;
        SpecError::Syntax { text: self.text.chars().take(200).collect(), column, expected }
    }
}
