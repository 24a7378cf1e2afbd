//! The grammar of the Gomocup protocol: what managers say and what brains answer, both ways.
//!
//! The same types serve a brain, which parses [`Command`]s and prints [`Reply`]s, and a manager,
//! which does the opposite. Nothing here knows a board: coordinates are two numbers.

mod assemble;
mod info;
mod reply;

use std::fmt;

pub use assemble::Assembler;
pub use info::{Info, InfoKey};
pub use reply::Reply;

use crate::{wire::Coord, yixin};

/// Whose stone a line of `BOARD` is, from the brain's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// 1: the brain's.
    Own,
    /// 2: the opponent's.
    Opponent,
    /// 3: a stone of a finished line in a continuous game; nobody can use the point.
    Dead,
}

impl Owner {
    const fn code(self) -> u8 {
        match self {
            Owner::Own => 1,
            Owner::Opponent => 2,
            Owner::Dead => 3,
        }
    }
}

/// A line of `BOARD` or `SWAP2BOARD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stone {
    /// Where.
    pub at: Coord,
    /// Whose; the official `SWAP2BOARD` does not say.
    pub owner: Option<Owner>,
}

/// What a manager says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `START 15`, or `start 15 15` by Yixin-Board.
    Start(i32, i32),
    /// `RECTSTART 20,15`.
    RectStart(i32, i32),
    /// `RESTART`.
    Restart,
    /// `BEGIN`.
    Begin,
    /// `TURN 7,7`.
    Turn(Coord),
    /// `BOARD` ... `DONE`; every stone has an owner.
    Board(Vec<Stone>),
    /// `SWAP2BOARD` ... `DONE`.
    Swap2Board(Vec<Stone>),
    /// `TAKEBACK 7,7`.
    Takeback(Coord),
    /// `PLAY 7,7`.
    Play(Coord),
    /// `INFO key value`.
    Info(Info),
    /// `ABOUT`.
    About,
    /// `END`.
    End,
    /// `ERROR text`, by a manager that did not understand something.
    Error(String),
    /// One of Yixin-Board's commands.
    Yixin(yixin::Command),
    /// A command that is known but cannot be read: the command and what was expected.
    Malformed(String, &'static str),
    /// Any other first word.
    Unknown(String),
}

/// As a manager sends it, without the last line end. Blocks have several lines.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Start(width, height) if width == height => write!(f, "START {width}"),
            Command::Start(width, height) => write!(f, "START {width} {height}"),
            Command::RectStart(width, height) => write!(f, "RECTSTART {width},{height}"),
            Command::Restart => f.write_str("RESTART"),
            Command::Begin => f.write_str("BEGIN"),
            Command::Turn(at) => write!(f, "TURN {at}"),
            Command::Board(stones) => block(f, "BOARD", stones),
            Command::Swap2Board(stones) => block(f, "SWAP2BOARD", stones),
            Command::Takeback(at) => write!(f, "TAKEBACK {at}"),
            Command::Play(at) => write!(f, "PLAY {at}"),
            Command::Info(info) => write!(f, "{info}"),
            Command::About => f.write_str("ABOUT"),
            Command::End => f.write_str("END"),
            Command::Error(text) => write!(f, "ERROR {text}"),
            Command::Yixin(command) => write!(f, "{command}"),
            Command::Malformed(text, _) | Command::Unknown(text) => f.write_str(text),
        }
    }
}

fn block(f: &mut fmt::Formatter<'_>, name: &str, stones: &[Stone]) -> fmt::Result {
    writeln!(f, "{name}")?;
    for stone in stones {
        match stone.owner {
            Some(owner) => writeln!(f, "{},{}", stone.at, owner.code())?,
            None => writeln!(f, "{}", stone.at)?,
        }
    }
    f.write_str("DONE")
}
