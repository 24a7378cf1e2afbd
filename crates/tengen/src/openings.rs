//! Finding openings: shipped sets and files.

use std::path::Path;

use anyhow::{Context, Result, bail};
use arena::Openings;
use gomoku::Rule;

/// The set made for this rule and size; other sizes fall back to the empty board.
pub(crate) fn default_for(rule: Rule, size: u8) -> Openings {
    match book::shipped_for(rule, size) {
        Some(set) => Openings::from_set(&set),
        None => Openings { symmetries: true, ..Openings::empty_board() },
    }
}

/// A shipped set by name (or one of its halves), or a file.
pub(crate) fn named(name: &str, rule: Rule, size: u8) -> Result<Openings> {
    if let Some(set) = book::shipped_named(name) {
        if (set.rule, set.size) != (rule, size) {
            let (wants, side) = (set.rule, set.size);
            bail!("{name} is for {wants} {side}x{side}, not for {rule} {size}x{size}.");
        }
        return Ok(Openings::from_set(&set));
    }
    if !Path::new(name).is_file() {
        let known = book::shipped_names().join(", ");
        bail!("'{name}' is neither a shipped set nor a file; shipped are {known}.");
    }
    let bytes = std::fs::read(name).with_context(|| format!("Cannot read {name}"))?;
    Ok(Openings::read(name, &bytes, rule, size)?)
}
