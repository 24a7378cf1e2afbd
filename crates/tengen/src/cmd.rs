//! One module per command.

pub(crate) mod analyze;
pub(crate) mod play;
pub(crate) mod players;
pub(crate) mod stats;
