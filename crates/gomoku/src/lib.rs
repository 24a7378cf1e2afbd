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

mod board;
pub mod check;
mod color;
mod field;
mod game;
mod line;
pub mod opening;
mod point;
mod points;
mod position;
pub mod record;
pub mod renju;
mod rule;
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
