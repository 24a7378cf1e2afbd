//! What a player answers: the move, why, and what it cost.

use std::{fmt, time::Duration};

use gomoku::{Color, Point};

use crate::{score::Score, trace::Trace};

/// The answer to a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What to do.
    pub reply: PlayerReply,
    /// What the player believes it to be worth, from the view of the side to move.
    pub score: Option<Score>,
    /// Why.
    pub reason: Reason,
    /// The moves considered at the root, best first.
    pub candidates: Vec<Candidate>,
    /// Plies searched completely.
    pub depth: u32,
    /// What it cost.
    pub counters: Counters,
    /// How the answer changed with depth.
    pub iterations: Vec<Iteration>,
    /// A proof of the win, in the format of `docs/proof-format.md`.
    pub proof: Option<Proof>,
    /// The recorded search, if the task asked for it.
    pub trace: Option<Trace>,
}

impl Choice {
    /// A move without further detail.
    pub fn of(point: Point, reason: Reason) -> Choice {
        Choice {
            reply: PlayerReply::Move(point),
            score: None,
            reason,
            candidates: Vec::new(),
            depth: 0,
            counters: Counters::default(),
            iterations: Vec::new(),
            proof: None,
            trace: None,
        }
    }

    /// The move, if the reply is one.
    pub fn point(&self) -> Option<Point> {
        match self.reply {
            PlayerReply::Move(point) => Some(point),
            _ => None,
        }
    }

    /// The stones of the reply: one move, several at once, or none.
    pub fn stones(&self) -> Vec<Point> {
        match &self.reply {
            PlayerReply::Move(point) => vec![*point],
            PlayerReply::Stones(points) => points.clone(),
            PlayerReply::Resign => Vec::new(),
        }
    }

    /// The candidates, best first; the move alone from a player that lists none.
    pub fn considered(&self) -> Vec<Candidate> {
        match (self.candidates.is_empty(), self.point()) {
            (true, Some(point)) => {
                vec![Candidate { score: self.score, ..Candidate::new(point) }]
            }
            _ => self.candidates.clone(),
        }
    }

    /// The expected continuation, beginning with the chosen move.
    pub fn line(&self) -> &[Point] {
        self.candidates.first().map_or(&[], |candidate| &candidate.line)
    }
}

/// What a player does when it is its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerReply {
    /// Plays a stone.
    Move(Point),
    /// Several stones at once: the answer to a balance goal, or an offer in an opening protocol.
    Stones(Vec<Point>),
    /// Gives up.
    Resign,
}

/// Why a move was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// From the opening book, with the name of the entry.
    Book(String),
    /// There is no other legal or sensible move.
    Only,
    /// It makes five.
    Win,
    /// It stops an immediate win.
    Block,
    /// A forced win has been proved.
    Proof,
    /// The search prefers it.
    Search,
    /// The evaluation prefers it, without search.
    Evaluation,
    /// Chosen to attack, because the own score is the larger (greedy players).
    Attack,
    /// Chosen to defend, because the opponent's score is the larger (greedy players).
    Defense,
    /// The first stone.
    Opening,
    /// Chosen by chance.
    Random,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Book(name) if name.is_empty() => f.write_str("book"),
            Reason::Book(name) => write!(f, "book: {name}"),
            Reason::Only => f.write_str("only move"),
            Reason::Win => f.write_str("wins at once"),
            Reason::Block => f.write_str("stops a win"),
            Reason::Proof => f.write_str("proved win"),
            Reason::Search => f.write_str("search"),
            Reason::Evaluation => f.write_str("evaluation"),
            Reason::Attack => f.write_str("attack"),
            Reason::Defense => f.write_str("defense"),
            Reason::Opening => f.write_str("opening"),
            Reason::Random => f.write_str("random"),
        }
    }
}

/// A root move that was considered.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub point: Point,
    /// The player's prior belief in it, 0 to 1, if it has one.
    pub probability: Option<f64>,
    /// Its value, from the view of the side to move.
    pub score: Option<Score>,
    /// Plies searched below it.
    pub depth: u32,
    /// Nodes spent on it.
    pub nodes: u64,
    /// The expected line, beginning with the move.
    pub line: Vec<Point>,
}

impl Candidate {
    /// A move about which nothing is known yet.
    pub fn new(point: Point) -> Candidate {
        Candidate { point, probability: None, score: None, depth: 0, nodes: 0, line: vec![point] }
    }
}

/// The cost of a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Stones placed in search.
    pub nodes: u64,
    /// Static evaluations: the papers' "calculations".
    pub evaluations: u64,
    /// Subtrees cut off.
    pub cutoffs: u64,
    /// Time spent, as the watch measured it.
    pub time: Duration,
}

/// The state of the answer after a completed depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Plies.
    pub depth: u32,
    /// Best move by then.
    pub best: Point,
    /// Its value.
    pub score: Score,
    /// Cost so far.
    pub counters: Counters,
}

/// A proof that the side to move wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The win comes within this many plies.
    pub plies: u32,
    /// The proof file.
    pub bytes: Vec<u8>,
}

/// The static evaluation, taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// The value from the view of the side to move.
    pub value: Option<Score>,
    /// The parts that add up to it.
    pub terms: Vec<Term>,
    /// What each empty point is worth to either side.
    pub points: Vec<PointValue>,
    /// Candidate moves with their probability.
    pub candidates: Vec<Candidate>,
    /// How likely each move is the best one, as it looks before any search, the likeliest first; empty
    /// for players that do not say.
    pub policy: Vec<(Point, f64)>,
    /// The numbered lines that points are judged by, in order from number 0; empty for players that
    /// have none.
    pub lines: Vec<LineValue>,
}

/// What a line of cells adds to the worth of each of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineValue {
    /// The cells.
    pub cells: [Point; 5],
    /// To Black.
    pub black: f64,
    /// To White.
    pub white: f64,
}

/// One part of an evaluation: a kind of shape of one color.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Name of the shape or rule.
    pub name: String,
    /// Whose it is.
    pub color: Color,
    /// How many there are.
    pub count: u32,
    /// What each adds to the value from its owner's view.
    pub weight: f64,
    /// What all of them add to the value of the side to move.
    pub points: f64,
    /// The stones and cells of each, for showing on the board.
    pub lines: Vec<Vec<Point>>,
}

/// What an empty point is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointValue {
    /// The point.
    pub point: Point,
    /// To Black.
    pub black: f64,
    /// To White.
    pub white: f64,
}
