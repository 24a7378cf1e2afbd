//! A network that judges positions and moves, small enough to learn from one's own games on two cores.
//!
//! Every empty point sees four cells to either side in four directions. Each such *window* has a row
//! of numbers in a table; a point's features are the sum of its four rows, cut off below zero. Their
//! sum over the board (the *pool*) goes through two small layers to a value. For moves another table
//! of rows gives each point features that are compared with those of its neighbors and weighed.
//!
//! A row is shared by a window, its mirror image and, seen by the other side, the window with colors
//! swapped. So the eight symmetries and the two colors are exact without learning them.
//!
//! All arithmetic is in integers: the same numbers on every machine, with and without wide registers.
//! `rows.rs` numbers the windows, `cells.rs` keeps the rows of every point while stones come and go,
//! `network.rs` is the arithmetic, `kernel.rs` its loops, `tables.rs` the terms that are linear in
//! shapes, and `file.rs` the file.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![cfg_attr(not(test), deny(clippy::float_arithmetic))]

mod cells;
mod file;
mod kernel;
mod network;
mod rows;
mod tables;
#[cfg(test)]
mod tests;

pub use cells::{Cells, Rows4};
pub use file::FileError;
pub use kernel::Moves;
pub use network::{CHANNELS, Dense, Network, Pool, Row, SPREAD, Side};
pub use rows::{N_ROWS, is_own_twin, row_of, rows_in_use};
pub use tables::{GRAIN, MASKS, Tables, threat_mask};

/// Evaluations are in units of which this many are a factor of e in odds.
pub const SCALE: i32 = 200;
/// Move scores are in units of which this many are a factor of e in odds.
pub const POLICY_SCALE: i32 = 32;
