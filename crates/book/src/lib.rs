//! Named openings, opening sets, and books of positions.
//!
//! A match needs starts that are fair, varied and never repeated; an [`OpeningSet`] is a list of
//! them for one rule and board size, with no two alike under the symmetries of the board. Each set
//! has a *tuning* half and a *validation* half that never mix.
//!
//! A [`PositionBook`] holds positions that a player has searched, whatever their orientation;
//! [`build_book`] fills it, [`BookFile`] keeps it, and [`Booked`] plays from it. People write a [`Note`]
//! beside what was searched; a [`Notebook`] keeps both for a Yixin-Board. [`SharedPositions`] is what
//! players learn while they play.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod booked;
mod build;
mod entry;
mod exchange;
mod fair;
mod guard;
mod liao;
mod look;
mod names;
mod note;
mod notebook;
mod position_book;
mod positions;
mod score;
mod sets;
mod shipped;
mod store;
mod texts;

pub use booked::{Booked, ProvedMove};
pub use build::{BookBuild, Check, build_book, entry_of};
pub use entry::{Decided, Entry, Key};
pub use exchange::{book_tree, games_of};
pub use fair::{Fairness, Judge, Recipe, Scatters, fill};
pub use liao::{LIAO_COUNT, LiaoOpening, derive_liao, liao, liao_text};
pub use look::{Beside, BookMove, Look};
pub use names::{Language, local_name};
pub use note::Note;
pub use notebook::Notebook;
pub use position_book::{BookError, BookGame, PositionBook, Results};
pub use positions::{SharedPositions, Tell};
pub use score::score_of;
pub use sets::{Half, OpeningSet, SetError};
pub use shipped::{shipped, shipped_book, shipped_for, shipped_named, shipped_names};
pub use store::{BookFile, StoreError, load_book};
#[cfg(target_family = "wasm")]
pub use texts::supply_openings;
