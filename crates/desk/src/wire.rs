//! What the page and the server say to each other over the socket, as JSON text.
//!
//! Every message has a type `t`. A message about a position carries the page's revision `rev`, so
//! that an answer to a question no longer asked is dropped. Scores are from the view of the side to
//! move; points are written `h8`.

use std::time::Duration;

use gomoku::{Board, Color, Point, Position, Rule};
use player::{Candidate, Clock, Counters, Goal, Iteration, Limits, Score};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::review::{ReviewRequest, WireReview};

/// The version of this language.
pub(crate) const PROTO: u32 = 1;

/// A message from the page.
#[derive(Debug, Deserialize)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub(crate) enum Request {
    /// The first message.
    Hello { proto: u32 },
    /// Who has won, what is forbidden, what the stones are worth.
    Look(LookRequest),
    /// Choose a move, or analyze.
    Think(Box<ThinkRequest>),
    /// Judge the moves of a game.
    Review(ReviewRequest),
    /// Stop one search, or all of this page.
    Stop { id: Option<u64> },
    /// The page's game has changed. Its text is read apart, see [`DocPut`].
    DocPut,
    /// Make a stored game the current one.
    DocOpen { game: String },
}

/// The game of a `doc-put`, kept as text, and the `seq` of the stored version it was made from, if the
/// page knows it.
#[derive(Debug, Deserialize)]
pub(crate) struct DocPut {
    pub(crate) doc: Box<RawValue>,
    #[serde(default)]
    pub(crate) base: Option<u64>,
}

/// What is to be looked at.
#[derive(Debug, Deserialize)]
pub(crate) struct LookRequest {
    #[serde(default)]
    pub(crate) rev: u64,
    pub(crate) position: WirePosition,
    /// The player whose evaluation is explained, if any.
    pub(crate) player: Option<String>,
    /// Whether the legal moves are wanted.
    #[serde(default)]
    pub(crate) legal: bool,
}

/// A search.
#[derive(Debug, Deserialize)]
pub(crate) struct ThinkRequest {
    #[serde(default)]
    pub(crate) id: u64,
    #[serde(default)]
    pub(crate) rev: u64,
    pub(crate) position: WirePosition,
    /// The first of all players if it is not said.
    #[serde(default)]
    pub(crate) player: String,
    #[serde(default)]
    pub(crate) limits: WireLimits,
    #[serde(default = "one")]
    pub(crate) multi_pv: usize,
    #[serde(default)]
    pub(crate) only: Vec<String>,
    #[serde(default)]
    pub(crate) exclude: Vec<String>,
    /// The game it belongs to: a player remembers while this stays the same.
    #[serde(default)]
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) seed: u64,
    #[serde(default)]
    pub(crate) trace: bool,
    /// One or two stones after which the position is as even as possible.
    pub(crate) balance: Option<u8>,
}

fn one() -> usize {
    1
}

impl ThinkRequest {
    pub(crate) fn goal(&self) -> Goal {
        match self.balance {
            Some(stones) => Goal::Balance { stones: stones.clamp(1, 2), bias: 0 },
            None => Goal::Best,
        }
    }
}

/// A position: stones set up beforehand, if any, then moves.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct WirePosition {
    pub(crate) rule: String,
    pub(crate) size: u8,
    /// `b:h8,g9 w:i9 b`.
    pub(crate) setup: Option<String>,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// Why a position is not one: the number of moves that could be played, and a sentence.
#[derive(Debug, Serialize)]
pub(crate) struct BadPosition {
    pub(crate) played: usize,
    pub(crate) text: String,
}

impl WirePosition {
    pub(crate) fn read(&self) -> Result<Position, BadPosition> {
        let bad = |played, text: String| BadPosition { played, text };
        let rule: Rule = self.rule.parse().map_err(|e| bad(0, format!("{e}")))?;
        let mut position = match &self.setup {
            Some(text) => {
                Position::parse(text, rule, self.size).map_err(|error| bad(0, error.to_string()))?
            }
            None => {
                let board = Board::try_new(self.size).ok_or_else(|| {
                    bad(0, format!("A board of {0}x{0} is not possible.", self.size))
                })?;
                Position::from_board(rule, board, Color::Black)
            }
        };
        for (played, text) in self.moves.iter().enumerate() {
            let point: Point = text.parse().map_err(|e| bad(played, format!("{e}")))?;
            position.play(point).map_err(|error| bad(played, error.to_string()))?;
        }
        Ok(position)
    }
}

/// Limits as the page gives them.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct WireLimits {
    depth: Option<u32>,
    nodes: Option<u64>,
    evals: Option<u64>,
    ms: Option<u64>,
    /// Milliseconds left on the clock, and added after each move.
    clock: Option<(u64, u64)>,
}

impl From<WireLimits> for Limits {
    fn from(wire: WireLimits) -> Limits {
        Limits {
            depth: wire.depth,
            nodes: wire.nodes,
            evaluations: wire.evals,
            turn: wire.ms.map(Duration::from_millis),
            clock: wire.clock.map(|(left, increment)| Clock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
            }),
            memory: None,
        }
    }
}

/// A message to the page.
#[derive(Debug, Serialize)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub(crate) enum Message<'a> {
    Hello {
        proto: u32,
        version: &'static str,
        client: u64,
        cores: usize,
        doc: Option<&'a RawValue>,
    },
    /// A game that another page has changed, or the answer to what this page sent or asked for.
    Doc {
        doc: &'a RawValue,
        answer: bool,
    },
    /// The game is on disk.
    Saved {
        game: &'a str,
        seq: u64,
    },
    Info(Info),
    Iter {
        id: u64,
        rev: u64,
        iteration: WireIteration,
    },
    Best(Box<Best>),
    /// A review has judged a position: the one after so many moves.
    Judged {
        id: u64,
        ply: usize,
        done: usize,
        total: usize,
        best: Option<Box<Best>>,
    },
    /// The end of a review.
    Review(WireReview),
    /// A request could not be done.
    Error {
        id: Option<u64>,
        code: &'static str,
        detail: String,
    },
}

impl<'a> Message<'a> {
    /// A game that another page has changed.
    pub(crate) fn doc(doc: &'a RawValue) -> Message<'a> {
        Message::Doc { doc, answer: false }
    }
}

/// Progress of a search.
#[derive(Debug, Serialize)]
pub(crate) struct Info {
    pub(crate) id: u64,
    pub(crate) rev: u64,
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    #[serde(flatten)]
    pub(crate) cost: WireCost,
    pub(crate) cand: Vec<WireCandidate>,
}

/// The end of a search.
#[derive(Debug, Serialize)]
pub(crate) struct Best {
    pub(crate) id: u64,
    pub(crate) rev: u64,
    /// The move, or the stones of a balanced answer; empty when the player resigns.
    pub(crate) stones: Vec<String>,
    pub(crate) why: String,
    pub(crate) depth: u32,
    pub(crate) e: Option<WireScore>,
    pub(crate) w: Option<f64>,
    /// Whether the win that `e` claims is proved, and the proof checked.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) proved: bool,
    #[serde(flatten)]
    pub(crate) cost: WireCost,
    pub(crate) cand: Vec<WireCandidate>,
    pub(crate) iterations: Vec<WireIteration>,
    /// Whether the search was told to stop.
    pub(crate) stopped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<WireTrace>,
}

/// What a search has cost.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct WireCost {
    pub(crate) nodes: u64,
    pub(crate) evals: u64,
    pub(crate) cutoffs: u64,
    pub(crate) ms: f64,
    /// Nodes a second.
    pub(crate) nps: u64,
}

impl WireCost {
    /// The watch's time is used when the player did not note any.
    pub(crate) fn new(counters: &Counters, elapsed: Duration) -> WireCost {
        let time = if counters.time.is_zero() { elapsed } else { counters.time };
        let seconds = time.as_secs_f64();
        let nps = if seconds > 0.0 { counters.nodes as f64 / seconds } else { 0.0 };
        WireCost {
            nodes: counters.nodes,
            evals: counters.evaluations,
            cutoffs: counters.cutoffs,
            ms: (seconds * 1e6).round() / 1e3,
            nps: nps as u64,
        }
    }
}

/// A score: an evaluation, or plies to a claimed win or loss.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WireScore {
    V(i64),
    Win(i64),
    Loss(i64),
}

impl From<Score> for WireScore {
    fn from(score: Score) -> WireScore {
        match score.decisive_in() {
            Some(plies) if plies >= 0 => WireScore::Win(plies),
            Some(plies) => WireScore::Loss(-plies),
            None => WireScore::V(score.value()),
        }
    }
}

/// A candidate move.
#[derive(Debug, Serialize)]
pub(crate) struct WireCandidate {
    pub(crate) m: String,
    pub(crate) p: Option<f64>,
    pub(crate) e: Option<WireScore>,
    pub(crate) w: Option<f64>,
    pub(crate) d: u32,
    pub(crate) n: u64,
    pub(crate) pv: Vec<String>,
    /// Whether the win is proved, and the proof checked.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) proved: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
fn is_false(value: &bool) -> bool {
    !value
}

impl WireCandidate {
    pub(crate) fn new(candidate: &Candidate, scale: Option<f64>) -> WireCandidate {
        WireCandidate {
            m: candidate.point.to_string(),
            p: candidate.probability.map(|p| (p * 1e4).round() / 1e4),
            e: candidate.score.map(WireScore::from),
            w: candidate.score.and_then(|score| win_rate(score, scale)),
            d: candidate.depth,
            n: candidate.nodes,
            pv: candidate.line.iter().take(40).map(Point::to_string).collect(),
            proved: false,
        }
    }
}

/// Chance to win as a share of 1, as far as the score says something about it.
pub(crate) fn win_rate(score: Score, scale: Option<f64>) -> Option<f64> {
    let scale = scale.or(score.is_decisive().then_some(1.0))?;
    Some((score.win_rate(scale) * 1e4).round() / 1e4)
}

/// The answer after a completed depth.
#[derive(Debug, Serialize)]
pub(crate) struct WireIteration {
    depth: u32,
    best: String,
    e: WireScore,
    w: Option<f64>,
    #[serde(flatten)]
    cost: WireCost,
}

impl WireIteration {
    pub(crate) fn new(
        iteration: &Iteration,
        scale: Option<f64>,
        elapsed: Duration,
    ) -> WireIteration {
        WireIteration {
            depth: iteration.depth,
            best: iteration.best.to_string(),
            e: iteration.score.into(),
            w: win_rate(iteration.score, scale),
            cost: WireCost::new(&iteration.counters, elapsed),
        }
    }
}

/// A recorded search: one row for each node, in the order they were entered.
#[derive(Debug, Serialize)]
pub(crate) struct WireTrace {
    pub(crate) truncated: bool,
    /// Parent, move, maximizing, window, value, moves cut.
    pub(crate) nodes: Vec<WireTraceNode>,
}

/// Parent (-1 at the root), move, whether maximizing, window, value, number of moves cut.
pub(crate) type WireTraceNode = (i64, Option<String>, bool, Option<(i64, i64)>, Option<i64>, u32);
