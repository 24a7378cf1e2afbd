//! Finding openings: shipped sets and files.

use std::path::Path;

use anyhow::{Context, Result, bail};
use arena::Openings;
use book::OpeningSet;
use gomoku::{Point, Rule};

use crate::args::GameArgs;

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
    if !Path::new(name).is_file() {
        bail!("'{name}' is neither a shipped set nor a file; shipped are {known}.");
    }
    let bytes = std::fs::read(name).with_context(|| format!("Cannot read {name}"))?;
    if let Ok(set) = OpeningSet::parse(&String::from_utf8_lossy(&bytes)) {
        return Ok(from_set(&set));
    }
    let games = GameArgs { rule, size }.games_in(Path::new(name))?;
    let positions = games.iter().map(|game| game.position.to_text()).collect();
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
