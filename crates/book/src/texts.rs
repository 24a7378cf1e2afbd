//! The texts of the opening sets and of the position book that come with the program.

#[cfg(not(target_family = "wasm"))]
mod inside {
    const SETS: [&str; 6] = [
        include_str!("../data/freestyle-15.txt"),
        include_str!("../data/standard-15.txt"),
        include_str!("../data/renju-15.txt"),
        include_str!("../data/caro-15.txt"),
        include_str!("../data/caro-exact-15.txt"),
        include_str!("../data/freestyle-20.txt"),
    ];

    pub(crate) fn sets() -> impl Iterator<Item = &'static str> {
        SETS.into_iter()
    }

    pub(crate) fn book() -> Option<&'static str> {
        Some(include_str!("../data/freestyle-15.book"))
    }
}

/// In a browser they are files of their own, and not there until they are supplied.
#[cfg(target_family = "wasm")]
mod inside {
    use std::sync::OnceLock;

    use crate::{position_book::PositionBook, sets::OpeningSet};

    static SETS: OnceLock<Vec<&'static str>> = OnceLock::new();
    static BOOK: OnceLock<&'static str> = OnceLock::new();

    pub(crate) fn sets() -> impl Iterator<Item = &'static str> {
        SETS.get().into_iter().flatten().copied()
    }

    pub(crate) fn book() -> Option<&'static str> {
        BOOK.get().copied()
    }

    /// Supplies the texts that come with the program, once; says whether they are what they should be.
    pub fn supply_openings(book: String, sets: Vec<String>) -> bool {
        let are_right = PositionBook::parse(&book).is_ok()
            && sets.iter().all(|text| OpeningSet::parse(text).is_ok());
        if are_right {
            BOOK.get_or_init(|| book.leak());
            SETS.get_or_init(|| sets.into_iter().map(|text| &*text.leak()).collect());
        }
        are_right
    }
}

#[cfg(target_family = "wasm")]
pub use inside::supply_openings;
pub(crate) use inside::{book, sets};
