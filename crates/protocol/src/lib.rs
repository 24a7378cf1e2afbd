//! Gomocup, Yixin-Board and Botzone: both sides of the wire.
//!
//! [`gomocup`] and [`yixin`] are grammars: typed commands and replies, read from bytes and printed.
//! [`drive`] is a manager's side of a conversation with a brain.
//!
//! No process is started here and no algorithm is known: players come as `dyn Player`.

pub mod drive;
pub mod gomocup;
mod wire;
pub mod yixin;

pub use wire::{Coord, Coordinates, Lines, ParseCoordinatesError};
