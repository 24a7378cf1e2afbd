//! Learns a network from games of the engine against itself.
//!
//! `games.rs` reads and writes games, one a line; `sample.rs` turns a position of a game into what
//! the network sees and should say; `model.rs` is the network in real numbers, forwards and
//! backwards; `optimize.rs` takes the steps; `export.rs` rounds the result to the integers that
//! are played with, and makes such a network learn more.
//!
//! The same games, seed and settings give the same network, whatever the number of threads: a batch
//! is cut into a fixed number of shards whose gradients are added in order.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod export;
mod games;
mod model;
mod optimize;
mod sample;
mod selfplay;
#[cfg(test)]
mod tests;

pub use export::{export, import, integer_loss};
pub use games::{ParseGameError, SelfplayGame};
pub use model::{Loss, Model};
pub use optimize::{Learned, Settings, StateError, Trainer};
pub use sample::{SampleId, Samples};
pub use selfplay::Selfplay;
