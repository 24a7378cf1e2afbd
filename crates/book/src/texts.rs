//! The texts of the opening sets and of the position books that come with the program.

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

    const BOOKS: [&str; 3] = [
        include_str!("../data/freestyle-15.book"),
        include_str!("../data/standard-15.book"),
        include_str!("../data/renju-15.book"),
    ];

    pub(crate) fn sets() -> impl Iterator<Item = &'static str> {
        SETS.into_iter()
    }

    pub(crate) fn books() -> &'static [&'static str] {
        &BOOKS
    }
}

/// In a browser they are files of their own, and not there until they are supplied.
#[cfg(target_family = "wasm")]
mod inside {
    use std::sync::OnceLock;

    use crate::{
        position_book::{PositionBook, TITLE},
        sets::OpeningSet,
    };

    static SETS: OnceLock<Vec<&'static str>> = OnceLock::new();
    static BOOKS: OnceLock<Vec<&'static str>> = OnceLock::new();

    pub(crate) fn sets() -> impl Iterator<Item = &'static str> {
        SETS.get().into_iter().flatten().copied()
    }

    pub(crate) fn books() -> &'static [&'static str] {
        BOOKS.get().map(Vec::as_slice).unwrap_or_default()
    }

    /// Supplies the texts that come with the program, once; says whether they are what they should be.
    pub fn supply_openings(texts: Vec<String>) -> bool {
        let (books, sets): (Vec<_>, Vec<_>) =
            texts.into_iter().partition(|text| text.starts_with(TITLE));
        let are_right = books.iter().all(|text| PositionBook::parse(text).is_ok())
            && sets.iter().all(|text| OpeningSet::parse(text).is_ok());
        if are_right {
            let leaked = |texts: Vec<String>| texts.into_iter().map(|text| &*text.leak()).collect();
            BOOKS.get_or_init(|| leaked(books));
            SETS.get_or_init(|| leaked(sets));
        }
        are_right
    }
}

#[cfg(target_family = "wasm")]
pub use inside::supply_openings;
pub(crate) use inside::{books, sets};
