//! The algorithms of five papers as points in one design space.
//!
//! A player of the lab is a [`Search`], an [`Evaluation`] and [`Candidates`], put together by a text
//! such as `alpha-beta(depth=6, eval=compositions, moves=near(1)|top(12))`. Each paper is a preset:
//! a name for one such combination, whose every part can be changed on its own.
//!
//! ```
//! use gomoku::{Position, Rule};
//! use player::{Limits, Registry, Task, Unwatched};
//! let mut registry = Registry::default();
//! lab::register(&mut registry);
//! let mut player = registry.build("alpha-beta(depth=2)").unwrap();
//! let position = Position::parse("h8h9i8i9j8j9k8k9", Rule::Freestyle, 15).unwrap();
//! let choice = player.choose(&Task::new(position, Limits::default()), &Unwatched);
//! assert!(["g8", "l8"].contains(&choice.point().unwrap().to_string().as_str()));
//! ```
//!
//! Start reading at `search/alpha_beta.rs`; what only makes the searches faster is in `faster`, and
//! `docs/papers.md` says what was taken from where.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod balance;
mod book;
mod component;
mod composed;
pub mod eval;
pub mod faster;
pub mod lines;
pub mod moves;
mod presets;
mod random;
pub mod search;
pub mod shape;
mod state;
pub mod tree;

pub use book::LineBook;
pub use component::Component;
pub use composed::{Composed, Forced, PlayOptions};
pub use eval::Evaluation;
pub use moves::Candidates;
pub use presets::{LabResources, register, register_with};
pub use random::Random;
pub use search::Search;
pub use state::State;
