//! VCF, VCT and proof-number search whose wins come with a proof.
//!
//! Three answers are kept apart: a *win*, always with an explicit tree in which every reply is
//! answered; *no win* of the kind asked for, after an exhaustive search; and *unknown* when a limit
//! was reached first.
//!
//! The kinds of win ([`Kind`]) say what the attacker may play. Let a **winning point** be an empty
//! point where the attacker, if it were his turn, makes one or more fives possible that no single
//! reply stops: an open four, two fours at once, or in renju a four that Black may not block.
//!
//! - [`Kind::Vcf`], victory by continuous fours: every attacker move makes a four.
//! - [`Kind::Vct`], victory by continuous threats: after every attacker move he has a four or a
//!   winning point. Unless the move answers a four, it must itself belong to that threat: the four
//!   of the winning point contains the stone just played.
//!
//! The search (`search`) is depth-first proof-number search over a table. A win found there is
//! walked again move by move (`walk`) and only what the walk sees on the board becomes the tree,
//! so neither the table nor the numbers have to be trusted. `verify` checks the same tree again,
//! with rules of its own.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod book;
mod book_move;
mod forcing;
mod fours;
mod lookup;
mod proof;
mod queries;
mod quiet;
mod record;
mod replay;
mod search;
mod solved;
mod solver;
mod table;
mod tree;
mod walk;

pub use book::{Answers, ProvedBook, ProvedBookError, ProvedOpening};
pub use book_move::BookWinner;
pub use lookup::{Known, Lookup};
pub use queries::Shortest;
pub use quiet::{Decision, DecisionError, Effort, Prover, book_efforts, efforts};
#[cfg(not(target_arch = "wasm32"))]
pub use quiet::{Guidance, GuidedProgress};
pub use solved::Reproved;
pub use solver::{Finding, Kind, Solver, SolverAnswer, Win, solve_position};
pub use tree::{Attack, Defense, Root, WinTree};
