//! The kinds of long jobs that need this machine: matches and tuning, each in a folder of its own.

mod figures;
mod folder;
mod matches;
mod tuning;

pub(crate) use self::{matches::Matches, tuning::Tuning};
