//! The opening sets and the position books that come with the program.

use std::sync::{Arc, OnceLock};

use gomoku::Rule;

use crate::{
    position_book::PositionBook,
    sets::{Half, OpeningSet},
    texts,
};

/// The books that come with the program as one: freestyle, standard and renju on 15x15, searched by
/// the engine from the empty board and from the named openings. `docs/openings.md` has the commands.
pub fn shipped_book() -> Arc<PositionBook> {
    static BOOK: OnceLock<Arc<PositionBook>> = OnceLock::new();
    match texts::books() {
        [] => Arc::default(),
        texts => Arc::clone(BOOK.get_or_init(|| {
            Arc::new(PositionBook::parse_all(texts).expect("the shipped books can be read"))
        })),
    }
}

/// All sets.
pub fn shipped() -> Vec<OpeningSet> {
    texts::sets().map(read).collect()
}

/// Their names.
pub fn shipped_names() -> Vec<String> {
    texts::sets().map(|text| name_of(text).to_owned()).collect()
}

/// A set by name; `NAME-tuning` and `NAME-validation` give its halves.
pub fn shipped_named(name: &str) -> Option<OpeningSet> {
    let find = |name: &str| texts::sets().find(|text| name_of(text) == name).map(read);
    if let Some(base) = name.strip_suffix("-tuning") {
        return find(base).map(|set| set.half(Half::Tuning));
    }
    if let Some(base) = name.strip_suffix("-validation") {
        return find(base).map(|set| set.half(Half::Validation));
    }
    find(name)
}

/// The set for a rule and board size.
pub fn shipped_for(rule: Rule, size: u8) -> Option<OpeningSet> {
    let name = format!("{rule}-{size}");
    texts::sets().find(|text| name_of(text) == name).map(read)
}

/// The name in the first line: most of thousands of openings need not be read to find one set.
fn name_of(text: &str) -> &str {
    text.split_whitespace().nth(1).unwrap_or_default()
}

fn read(text: &str) -> OpeningSet {
    OpeningSet::parse(text).expect("shipped sets can be read")
}
