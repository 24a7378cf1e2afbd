//! A player's static evaluation, taken apart: said alike to the page, over HTTP and on the command line.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gomoku::{Point, Position, Rule};
use player::{Explanation, LineValue, Registry, Term};
use serde::Serialize;

use crate::{
    look::color_name,
    wire::{WireCandidate, WireScore, win_rate},
};

/// A static evaluation and its parts. Scores are from the view of the side to move.
#[derive(Debug, Serialize)]
pub struct WireExplanation {
    player: String,
    value: Option<WireScore>,
    w: Option<f64>,
    terms: Vec<WireTerm>,
    /// Point, worth to Black, worth to White.
    points: Vec<(String, f64, f64)>,
    cand: Vec<WireCandidate>,
    /// Point and chance to be the best move, before any search.
    policy: Vec<(String, f64)>,
    /// Cells, worth to Black, worth to White of each line, by its number from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<(String, f64, f64)>,
}

#[derive(Debug, Serialize)]
struct WireTerm {
    name: String,
    color: &'static str,
    count: u32,
    weight: f64,
    points: f64,
    /// The cells of each.
    lines: Vec<Vec<String>>,
}

impl WireExplanation {
    /// What the player of a spec says, whose fair advantage is `scale` if it has one.
    pub fn new(spec: &str, said: &Explanation, scale: Option<f64>) -> WireExplanation {
        let points = said.points.iter();
        WireExplanation {
            player: spec.to_owned(),
            value: said.value.map(WireScore::from),
            w: said.value.and_then(|score| win_rate(score, scale)),
            terms: said.terms.iter().map(WireTerm::from).collect(),
            points: points.map(|one| (one.point.to_string(), one.black, one.white)).collect(),
            cand: said.candidates.iter().map(|one| WireCandidate::new(one, scale)).collect(),
            policy: said.policy.iter().map(|(point, p)| (point.to_string(), *p)).collect(),
            lines: said.lines.iter().map(line).collect(),
        }
    }
}

fn line(value: &LineValue) -> (String, f64, f64) {
    (value.cells.map(|cell| cell.to_string()).concat(), value.black, value.white)
}

impl From<&Term> for WireTerm {
    fn from(term: &Term) -> WireTerm {
        let line = |cells: &Vec<Point>| cells.iter().map(ToString::to_string).collect();
        WireTerm {
            name: term.name.clone(),
            color: color_name(term.color),
            count: term.count,
            weight: term.weight,
            points: term.points,
            lines: term.lines.iter().map(line).collect(),
        }
    }
}

/// The evaluation that stands for a fair advantage of a player, to draw win percentages; nothing for a
/// player whose scores say nothing about chances.
///
/// Each player has units of its own. An open three of one's own against nothing wins nine games of
/// ten, so its value is worth the logarithm of nine.
pub fn fair_advantage(registry: &Registry, spec: &str) -> Option<f64> {
    let three = Position::parse("b:h8,i8,j8 w:b2,n13 b", Rule::Freestyle, 15).ok()?;
    let explain = || registry.build(spec).ok()?.explain(&three).value;
    // What a player that fails is worth nobody knows; that it fails is said when it is asked.
    let score = catch_unwind(AssertUnwindSafe(explain)).unwrap_or_default()?;
    let is_fair = !score.is_decisive() && score.value() > 0;
    is_fair.then(|| score.value() as f64 / 9f64.ln())
}
