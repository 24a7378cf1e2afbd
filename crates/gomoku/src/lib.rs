//! The rules of Gomoku: boards, shapes, forbidden points, openings and records.
//!
//! Three types carry a game, from bare to complete. A [`Board`] is stones on points and nothing
//! else. A [`Position`] adds the side to move and the [`Rule`] as a value, so it can cross threads,
//! wires and trait objects; it answers what is legal and who has won by the text of the rule. A
//! [`Field`] is the board of the search programs: generic over the rule, it keeps the shape of every
//! line through every point up to date as stones come and go.
//!
//! Nothing here reads a clock, a file or a random number, and nothing knows a score.
//!
//! ```
//! use gomoku::{Position, Rule};
//! let mut position = Position::new(Rule::Renju, 15);
//! for point in ["h8", "h9", "i10"] {
//!     position.play(point.parse().unwrap()).unwrap();
//! }
//! assert_eq!(position.to_text(), "h8h9i10");
//! assert_eq!(position.legal_points().len(), 222);
//! ```
//!
//! A position can also be read from text, and says how a game has ended and what is forbidden:
//!
//! ```
//! use gomoku::{Color, Forbidden, Outcome, Position, Rule};
//! let won = Position::parse("h8a1h9a3h10a5h11a7h12", Rule::Freestyle, 15)?;
//! assert!(matches!(won.outcome(), Some(Outcome::Five(Color::Black))));
//!
//! let crossing = Position::parse("b:g8,i8,h7,h9 w:a1,c1,e1,o15 b", Rule::Renju, 15)?;
//! assert_eq!(crossing.forbidden("h8".parse()?), Some(Forbidden::DoubleThree));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A searching program goes from the value of a rule to its type once, and asks the shapes:
//!
//! ```
//! use gomoku::{Color, Field, Position, Rule, Rules, Threat, with_rule};
//! fn winning_points<R: Rules>(position: &Position) -> Vec<String> {
//!     let field = Field::<R>::from_position(position);
//!     field.points_at_least(Color::Black, Threat::OpenFour).iter().map(|p| p.to_string()).collect()
//! }
//! let position = Position::parse("h8a1i8c1j8e1", Rule::Freestyle, 15)?;
//! let points = with_rule!(position.rule(), R => winning_points::<R>(&position));
//! assert_eq!(points, ["g8", "k8"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `serde`, points, colors, rules and positions are written as such texts and read
//! back.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod board;
mod color;
pub mod exercise;
mod field;
mod game;
mod line;
mod notation;
pub mod opening;
mod point;
mod points;
mod position;
pub mod record;
pub mod renju;
mod rule;
#[cfg(feature = "serde")]
mod serial;
mod shape;
mod symmetry;
mod threat;
pub mod zobrist;

pub use board::Board;
pub use color::{ByColor, Color};
pub use field::{Field, Observer};
pub use game::{Ending, Game, GameResult};
pub use point::{Direction, GRID, MAX_SIZE, MIN_SIZE, ParsePointError, Point};
pub use points::{Iter, PointSet};
pub use position::{Outcome, ParsePositionError, PlayError, Position, five_cell_lines, perft};
pub use renju::Forbidden;
pub use rule::{Caro, CaroExact, Freestyle, ParseRuleError, Renju, Rule, Rules, Standard};
pub use shape::{Code, Shape, Shapes};
pub use symmetry::Symmetry;
pub use threat::Threat;
