//! One module per command.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod botzone;
pub(crate) mod convert;
pub(crate) mod gomocup;
pub(crate) mod gtp;
pub(crate) mod matches;
pub(crate) mod openings;
pub(crate) mod papers;
pub(crate) mod play;
pub(crate) mod players;
pub(crate) mod prove;
pub(crate) mod ratings;
pub(crate) mod selfplay;
pub(crate) mod serve;
pub(crate) mod solved;
pub(crate) mod stats;
pub(crate) mod studio;
pub(crate) mod swap2;
pub(crate) mod tournament;
pub(crate) mod train;
pub(crate) mod tune;
pub(crate) mod verify;
pub(crate) mod worker;
