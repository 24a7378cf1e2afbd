//! Gomocup, Yixin-Board and Botzone: both sides of the wire.
//!
//! [`gomocup`] and [`yixin`] are grammars: typed commands and replies, read from bytes and printed.
//! [`serve()`](serve::serve) is a brain, [`drive`] a manager's side of the conversation.
//!
//! No process is started here and no algorithm is known: players come as `dyn Player`.

pub mod botzone;
pub mod drive;
pub mod gomocup;
pub mod serve;
mod wire;
pub mod yixin;

pub use wire::{Coord, Coordinates, Lines, ParseCoordinatesError};
