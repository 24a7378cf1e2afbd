//! Named openings, opening sets, the position book and the proved book.
//!
//! A match needs starts that are fair, varied and never repeated; an [`OpeningSet`] is a list of
//! them for one rule and board size, with no two alike under the symmetries of the board. Each set
//! has a *tuning* half and a *validation* half that never mix.

mod fair;
mod sets;
mod shipped;

pub use fair::{FairStarts, Recipe};
pub use sets::{Half, OpeningSet, SetError};
pub use shipped::{shipped, shipped_for, shipped_named, shipped_names};
