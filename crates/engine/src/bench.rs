//! A fixed set of positions searched to a fixed depth: the node count is the engine's signature.

use gomoku::{Position, Rule};
use player::{Limits, Player, Task, Watch};

use crate::engine::{Engine, Options};

/// What one position took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The rule.
    pub rule: Rule,
    /// Points a side.
    pub size: u8,
    /// The moves.
    pub text: &'static str,
    /// Nodes searched.
    pub nodes: u64,
}

/// Rule, side and moves of every position.
pub const POSITIONS: &[(Rule, u8, &str)] = &[
    (Rule::Freestyle, 15, "h8"),
    (Rule::Freestyle, 15, "h8i9i7g7"),
    (Rule::Freestyle, 15, "h8h9j8j9f8i10g7"),
    (Rule::Freestyle, 20, "j10k11k9i9l10j12"),
    (Rule::Standard, 15, "h8i9g9g7i8h10"),
    (Rule::Standard, 15, "b2c3d4m12n13l11c12"),
    (Rule::Renju, 15, "h8h9j8"),
    (Rule::Renju, 15, "h8i9f8g7i7h7g9"),
    (Rule::Renju, 15, "h8g9i10i9h10j8"),
    (Rule::Caro, 15, "h8i8i7h9g7"),
    (Rule::CaroExact, 17, "i9j10h10j8h8i7"),
    (Rule::Freestyle, 9, "e5d6d4f6"),
];

/// Plies of the signature.
pub const DEPTH: u32 = 10;

/// Searches every position to a depth with a fresh engine of one thread.
pub fn run(depth: u32, watch: &dyn Watch) -> Vec<Line> {
    let mut engine = Engine::new(Options { hash: 16, ..Options::default() });
    let search = |&(rule, size, text): &(Rule, u8, &'static str)| {
        let position = Position::parse(text, rule, size).expect("bench positions are valid");
        engine.new_game(0);
        let choice = engine.choose(&Task::new(position, Limits::depth(depth)), watch);
        Line { rule, size, text, nodes: choice.counters.nodes }
    };
    POSITIONS.iter().map(search).collect()
}
