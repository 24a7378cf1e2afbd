//! A finished or running game: where it started, what was played, how it ended.

use std::fmt;

use crate::{
    color::{ByColor, Color},
    point::Point,
    position::{Outcome, PlayError, Position},
};

/// Every way a game can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ending {
    /// Five in a row.
    Five,
    /// The board is full, or the agreed number of moves is reached.
    Draw,
    /// Black played a forbidden point.
    Forbidden,
    /// A side gave up.
    Resign,
    /// Decided by the manager's agreement rules.
    Adjudicated,
    /// A side ran out of time.
    Time,
    /// A side played an impossible move.
    Illegal,
    /// A side's program died.
    Crash,
    /// A side's program did not answer and had to be killed.
    Stall,
    /// A side's program did not start: the game is played again and never scored.
    StartUp,
}

impl Ending {
    /// All endings.
    pub const ALL: [Ending; 10] = [
        Ending::Five,
        Ending::Draw,
        Ending::Forbidden,
        Ending::Resign,
        Ending::Adjudicated,
        Ending::Time,
        Ending::Illegal,
        Ending::Crash,
        Ending::Stall,
        Ending::StartUp,
    ];

    /// The word used in files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Five => "five",
            Ending::Draw => "draw",
            Ending::Forbidden => "forbidden",
            Ending::Resign => "resign",
            Ending::Adjudicated => "adjudicated",
            Ending::Time => "time",
            Ending::Illegal => "illegal",
            Ending::Crash => "crash",
            Ending::Stall => "stall",
            Ending::StartUp => "start-up",
        }
    }

    /// The ending with this name.
    pub fn from_name(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.name() == name)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Who won a game, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// How it ended.
    pub ending: Ending,
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        let ending = match outcome {
            Outcome::Five(_) => Ending::Five,
            Outcome::Forbidden => Ending::Forbidden,
            Outcome::Draw => Ending::Draw,
        };
        GameResult { winner: outcome.winner(), ending }
    }
}

/// A game: a start, the moves played from it, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Names of the players.
    pub names: ByColor<String>,
    /// The position at the start, usually empty or an opening.
    pub start: Position,
    /// The position now; its moves include those of the start.
    pub position: Position,
    /// How it ended; `None` while it goes on.
    pub result: Option<GameResult>,
}

impl Game {
    /// A game that begins at a position.
    pub fn new(start: Position) -> Game {
        let result = start.outcome().map(GameResult::from);
        Game { names: ByColor::default(), position: start.clone(), start, result }
    }

    /// The moves played since the start.
    pub fn moves(&self) -> &[Point] {
        &self.position.moves()[self.start.moves().len()..]
    }

    /// Plays a move; the result follows when it ends the game.
    pub fn play(&mut self, point: Point) -> Result<Option<GameResult>, PlayError> {
        if self.result.is_some() {
            return Err(PlayError::Over);
        }
        self.result = self.position.play(point)?.map(GameResult::from);
        Ok(self.result)
    }
}
