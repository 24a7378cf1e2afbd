//! Finding openings: shipped sets and files.

use anyhow::{Context, Result, bail};
use arena::Openings;
use book::OpeningSet;
use gomoku::{Point, Position, Rule};

/// The set made for this rule and size; other sizes fall back to the empty board.
pub(crate) fn default_for(rule: Rule, size: u8) -> Result<Openings> {
    match book::shipped_for(rule, size) {
        Some(set) => Ok(from_set(&set)),
        None => Ok(Openings { symmetries: true, ..Openings::empty_board() }),
    }
}

/// A shipped set by name (or one of its halves), or a file.
pub(crate) fn named(name: &str, rule: Rule, size: u8) -> Result<Openings> {
    if let Some(set) = book::shipped_named(name) {
        if set.rule != rule || set.size != size {
            bail!(
                "{name} is for {} {}x{}, not for {rule} {size}x{size}.",
                set.rule,
                set.size,
                set.size
            );
        }
        return Ok(from_set(&set));
    }
    let known = book::shipped_names().join(", ");
    let text = std::fs::read_to_string(name).with_context(|| {
        format!("'{name}' is neither a shipped set nor a readable file; shipped are {known}")
    })?;
    if text.starts_with('#') && OpeningSet::parse(&text).is_ok() {
        return Ok(from_set(&OpeningSet::parse(&text)?));
    }
    let mut positions = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let position = Position::parse(line, rule, size)
            .with_context(|| format!("Line {} of {name}", index + 1))?;
        positions.push(position.to_text());
    }
    Ok(Openings { name: name.to_owned(), positions, symmetries: false, repeat: false })
}

fn from_set(set: &OpeningSet) -> Openings {
    let text = |moves: &Vec<Point>| moves.iter().map(Point::to_string).collect();
    Openings {
        name: set.name.clone(),
        positions: set.openings.iter().map(text).collect(),
        symmetries: false,
        repeat: false,
    }
}
