//! Gomocup, Yixin-Board, GTP and Botzone: both sides of the wire.
//!
//! [`gomocup`] and [`yixin`] are grammars: typed commands and replies, read from bytes and printed.
//! [`serve()`](serve::serve) is a brain, [`drive`] a manager's side of the conversation; [`gtp`] is what
//! front ends of Go speak.
//!
//! No process is started here and no algorithm is known: players come as `dyn Player`.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

pub mod botzone;
pub mod drive;
pub mod gomocup;
pub mod serve;
mod wire;
pub mod yixin;

pub use serve::gtp;
pub use wire::{Coord, Coordinates, LineSplitter, ParseCoordinatesError};

/// The time: what a manager grants runs from when a line is read to when its answer is written.
#[allow(clippy::disallowed_methods, reason = "the watch of a search is made here")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}
