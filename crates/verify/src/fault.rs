//! What can be wrong with a proof, said in sentences.

use std::{error::Error, fmt};

use crate::board::{Color, Point};

/// Why a proof was not accepted, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub flaw: Flaw,
    /// The moves played from the start position when it was found.
    pub line: Vec<Point>,
}

/// What is wrong with a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// The input could not be read.
    Input(String),
    /// The input ends too early.
    Truncated,
    /// The checksum does not fit the bytes.
    Damaged,
    /// Something follows the checksum.
    Trailing,
    /// The input does not start like a proof file.
    NotAProof,
    /// The format version is unknown.
    Version(u8),
    /// A field of the header makes no sense.
    Header(&'static str),
    /// The color has already won the start position.
    Decided(Color),
    /// The tree's bytes break the format.
    Malformed(&'static str),
    /// The trees that must be kept in memory are too large.
    TooLarge,
    /// A move names a cell that the board does not have.
    OffBoard(u32),
    /// The attacker's move is on a stone.
    Occupied(Point),
    /// The attacker's move is a forbidden point.
    Forbidden(Point),
    /// The attacker's move is said to win at once and does not.
    NoWin(Point),
    /// The defender wins with this reply.
    Lost(Point),
    /// The proof has no move for the attacker here.
    Unanswered,
    /// The board is full and nobody has won.
    Draw,
    /// A defender node lists this reply twice.
    ListedTwice(Point),
    /// The line is longer than the claim.
    TooLong(usize),
    /// The watcher asked to stop.
    Stopped,
}

impl From<Flaw> for Fault {
    fn from(flaw: Flaw) -> Fault {
        Fault { flaw, line: Vec::new() }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Input(error) => write!(f, "The proof could not be read: {error}."),
            Flaw::Truncated => write!(f, "The proof ends too early."),
            Flaw::Damaged => write!(f, "The file is damaged: its checksum does not fit."),
            Flaw::Trailing => write!(f, "Something follows the end of the proof."),
            Flaw::NotAProof => write!(f, "This is not a proof file."),
            Flaw::Version(version) => write!(f, "Proof format version {version} is unknown."),
            Flaw::Header(field) => write!(f, "The {field} in the header is not valid."),
            Flaw::Decided(color) => write!(f, "{color} has already won the start position."),
            Flaw::Malformed(what) => write!(f, "The tree is malformed: {what}."),
            Flaw::TooLarge => write!(f, "The trees to be replayed are too large to keep."),
            Flaw::OffBoard(cell) => write!(f, "The board has no cell number {cell}."),
            Flaw::Occupied(point) => write!(f, "The attacker's {point} is on a stone."),
            Flaw::Forbidden(point) => write!(f, "The attacker's {point} is forbidden."),
            Flaw::NoWin(point) => write!(f, "The attacker's {point} does not win at once."),
            Flaw::Lost(point) => write!(f, "The defender wins with {point}."),
            Flaw::Unanswered => write!(f, "The proof has no answer to this."),
            Flaw::Draw => write!(f, "The board is full and nobody has won."),
            Flaw::ListedTwice(point) => write!(f, "The reply {point} is listed twice."),
            Flaw::TooLong(plies) => {
                write!(f, "The line takes {plies} plies, more than claimed.")
            }
            Flaw::Stopped => write!(f, "The check was stopped."),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.line.is_empty() {
            let line: Vec<String> = self.line.iter().map(Point::to_string).collect();
            write!(f, "After {}: ", line.join(" "))?;
        }
        self.flaw.fmt(f)
    }
}

impl Error for Fault {}
