//! The engine's network in the place of a paper's evaluation, so that both are compared in one search.
//!
//! The lab knows no network: it is handed a function that judges a board for the side to move. Nothing
//! is kept from one position to the next, so a value costs what reading the whole board costs.

use std::fmt;

use gomoku::{Board, Color, Rule};
use player::Term;

use super::Evaluation;
use crate::state::State;

/// Judges a board for the color that is to move.
pub type NetworkValue = fn(&Board, Color, Rule) -> i64;

pub(super) struct Network(pub(super) NetworkValue);

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Network")
    }
}

impl Network {
    fn judge(&self, state: &State, me: Color) -> i64 {
        let value = self.0(state.board(), state.to_move(), state.rule());
        if state.to_move() == me { value } else { -value }
    }
}

impl Evaluation for Network {
    fn value(&mut self, state: &State, me: Color) -> i64 {
        self.judge(state, me)
    }

    /// A network tells no side's own score from the other's: it is the value.
    fn score(&mut self, state: &State, side: Color) -> i64 {
        self.judge(state, side)
    }

    fn terms(&self, state: &State, me: Color) -> Vec<Term> {
        let points = self.judge(state, me) as f64;
        let name = "network".to_owned();
        vec![Term { name, color: me, count: 1, weight: points, points, lines: Vec::new() }]
    }
}
