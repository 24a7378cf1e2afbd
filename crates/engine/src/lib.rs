//! The strong player: alpha-beta search over the threats of Gomoku, for every rule.
//!
//! Start reading at `search.rs`, the node function. Around it: `root.rs` deepens and aspirates,
//! `picker.rs` and `moves.rs` say which moves are looked at and in what order, `eval.rs` judges
//! positions, `table.rs` and `history.rs` remember, `params.rs` holds every number.
//!
//! One thread, one position, one node limit: the same answer on every machine. Nothing here reads
//! a clock or an environment; time comes from the [`Watch`](player::Watch).
//!
//! A move within a time, with the two best lines:
//!
//! ```
//! use std::time::Duration;
//! use engine::{Engine, Options};
//! use gomoku::{Position, Rule};
//! use player::{Limits, Player, Stopwatch, Task};
//!
//! let mut engine = Engine::new(Options { hash: 16, ..Options::default() });
//! engine.new_game(1);
//! let position = Position::parse("h8i9g9", Rule::Renju, 15)?;
//! let mut task = Task::new(position, Limits::turn(Duration::from_millis(50)));
//! task.multi_pv = 2;
//! let choice = engine.choose(&task, &Stopwatch::start());
//! assert!(task.position.is_legal(choice.point().unwrap()));
//! for candidate in &choice.candidates {
//!     println!("{} {:?} {:?}", candidate.point, candidate.score, candidate.line);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![cfg_attr(not(test), deny(clippy::float_arithmetic))]

mod balance;
mod engine;
mod eval;
mod history;
mod judge;
mod level;
mod moves;
mod node;
mod params;
mod picker;
mod proof;
mod root;
mod search;
mod stack;
mod table;
mod time;
mod value;

pub mod bench;

pub use engine::{Engine, LoadNet, Options, register, register_with};
pub use eval::TablesError;
pub use judge::{NetChoice, OtherNet, evaluate, supply_network};
pub use moves::candidates;
pub use params::{Params, Step, Steps};

/// Depths are counted in eighths of a ply.
pub(crate) const PLY: i32 = 8;
