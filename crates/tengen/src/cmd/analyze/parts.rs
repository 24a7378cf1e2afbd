//! The parts of a static evaluation, which no search has touched.

use std::cmp::Reverse;

use anyhow::Result;
use desk::WireExplanation;
use gomoku::Color;
use player::{Explanation, Term};
use serde_json::Value;

use crate::{players, show::outln, view::View};

/// Parts that are printed; JSON has them all.
const SHOWN: usize = 12;

/// All of it, as `/api/look` answers it.
pub(super) fn json(spec: &str, said: &Explanation) -> Result<Value> {
    let scale = desk::fair_advantage(players::registry(), spec);
    Ok(serde_json::to_value(WireExplanation::new(spec, said, scale))?)
}

/// The value and what is there of its parts, the heaviest first.
pub(super) fn print(said: &Explanation, to_move: Color, view: View) {
    let Some(value) = said.value else { return };
    outln!("\nwithout search {}", view.worth(value, to_move, false));
    let mut terms: Vec<&Term> = said.terms.iter().filter(|term| term.count > 0).collect();
    terms.sort_by_key(|term| Reverse(term.points.abs() as u64));
    for term in terms.iter().take(SHOWN) {
        let points = if view.is_of(to_move) { term.points } else { -term.points };
        // Adding zero takes the sign off a zero.
        let points = (points * 10.0).round() / 10.0 + 0.0;
        outln!("{points:>12} {} {} x {}", term.color, term.count, term.name);
    }
    if terms.len() > SHOWN {
        outln!("{:>12} and {} more", "", terms.len() - SHOWN);
    }
}
