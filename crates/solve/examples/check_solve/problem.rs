//! A problem and its answer, one a line:
//!
//! ```text
//! renju 15 vcf 9 h8i9g9... # where it comes from
//! freestyle 15 vct none b:h8,g9 w:i9 b # where it comes from
//! ```
//!
//! The number is that of the plies of the shortest win of this kind for the side to move.

use gomoku::{Position, Rule};
use solve::Kind;

/// The problems that come with the repository.
pub(crate) const SUITE: &str = include_str!("../../data/problems.txt");

#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) kind: Kind,
    /// The plies of the shortest win; `None` if there is no win of this kind.
    pub(crate) answer: Option<u32>,
    pub(crate) position: Position,
    pub(crate) source: String,
}

impl Problem {
    pub(crate) fn to_text(&self) -> String {
        let Problem { kind, answer, position, source } = self;
        let kind = kind_name(*kind);
        let answer = answer.map_or("none".to_owned(), |plies| plies.to_string());
        let (rule, size) = (position.rule(), position.size());
        format!("{rule} {size} {kind} {answer} {} # {source}", text(position))
    }

    fn parse(line: &str) -> Option<Problem> {
        let (problem, source) = line.split_once(" # ")?;
        let mut words = problem.splitn(5, ' ');
        let rule: Rule = words.next()?.parse().ok()?;
        let size = words.next()?.parse().ok()?;
        let kind = match words.next()? {
            "vcf" => Kind::Vcf,
            "vct" => Kind::Vct,
            _ => return None,
        };
        let answer = match words.next()? {
            "none" => None,
            plies => Some(plies.parse().ok()?),
        };
        let position = Position::parse(words.next()?, rule, size).ok()?;
        Some(Problem { kind, answer, position, source: source.to_owned() })
    }
}

pub(crate) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Vcf => "vcf",
        Kind::Vct => "vct",
    }
}

/// Moves in order where there are any: programs that know nothing else can then be asked, too.
fn text(position: &Position) -> String {
    if position.moves().is_empty() {
        return position.to_text();
    }
    position.moves().iter().map(ToString::to_string).collect()
}

/// Reads a suite; lines that begin with `#` are comments.
pub(crate) fn read(text: &str) -> Result<Vec<Problem>, String> {
    let lines = text.lines().enumerate();
    let problems = lines.filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    let parse = |(i, line): (usize, &str)| {
        Problem::parse(line).ok_or(format!("Line {} is no problem: '{line}'.", i + 1))
    };
    problems.map(parse).collect()
}
