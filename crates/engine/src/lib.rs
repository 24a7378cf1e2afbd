//! The strong player.
