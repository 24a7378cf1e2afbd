//! The opening sets and the position book that come with the program.

use std::sync::{Arc, LazyLock};

use gomoku::Rule;

use crate::{
    position_book::PositionBook,
    sets::{Half, OpeningSet},
};

const SETS: [&str; 6] = [
    include_str!("../data/freestyle-15.txt"),
    include_str!("../data/standard-15.txt"),
    include_str!("../data/renju-15.txt"),
    include_str!("../data/caro-15.txt"),
    include_str!("../data/caro-exact-15.txt"),
    include_str!("../data/freestyle-20.txt"),
];

/// The book that comes with the program: freestyle on 15x15, searched by the engine from the empty
/// board and from the named openings. `docs/openings.md` has the commands.
pub fn shipped_book() -> Arc<PositionBook> {
    static BOOK: LazyLock<Arc<PositionBook>> = LazyLock::new(|| {
        let text = include_str!("../data/freestyle-15.book");
        Arc::new(PositionBook::parse(text).expect("the shipped book can be read"))
    });
    Arc::clone(&BOOK)
}

/// All sets.
pub fn shipped() -> Vec<OpeningSet> {
    SETS.iter().map(|text| read(text)).collect()
}

/// Their names.
pub fn shipped_names() -> Vec<String> {
    SETS.iter().map(|text| name_of(text).to_owned()).collect()
}

/// A set by name; `NAME-tuning` and `NAME-validation` give its halves.
pub fn shipped_named(name: &str) -> Option<OpeningSet> {
    let find = |name: &str| SETS.iter().find(|text| name_of(text) == name).map(|text| read(text));
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
    SETS.iter().find(|text| name_of(text) == name).map(|text| read(text))
}

/// The name in the first line: most of thousands of openings need not be read to find one set.
fn name_of(text: &str) -> &str {
    text.split_whitespace().nth(1).unwrap_or_default()
}

fn read(text: &str) -> OpeningSet {
    OpeningSet::parse(text).expect("shipped sets can be read")
}
