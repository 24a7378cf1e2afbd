//! How much a player may spend on a move.

use std::time::Duration;

/// Limits of one search; the first that is reached ends it. The default has none, and a player then
/// uses the depth or budget of its own parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies of the main search.
    pub depth: Option<u32>,
    /// Stones placed in search.
    pub nodes: Option<u64>,
    /// Static evaluations.
    pub evaluations: Option<u64>,
    /// Time for this move.
    pub turn: Option<Duration>,
    /// What is left of the time for the game.
    pub clock: Option<Clock>,
    /// Memory in bytes.
    pub memory: Option<u64>,
}

/// A player's clock for the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

impl Limits {
    /// A depth alone.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A number of nodes alone.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// A number of evaluations alone.
    pub fn evaluations(evaluations: u64) -> Limits {
        Limits { evaluations: Some(evaluations), ..Limits::default() }
    }

    /// A time per move alone.
    pub fn turn(turn: Duration) -> Limits {
        Limits { turn: Some(turn), ..Limits::default() }
    }

    /// Equal parts of these limits, for a decision that takes several searches.
    pub fn divided_by(self, n_searches: u32) -> Limits {
        let n = n_searches.max(1);
        let part = |whole: u64| (whole / u64::from(n)).max(1);
        Limits {
            nodes: self.nodes.map(part),
            evaluations: self.evaluations.map(part),
            turn: self.turn.map(|turn| turn / n),
            clock: self.clock.map(|clock| Clock { left: clock.left / n, ..clock }),
            ..self
        }
    }

    /// Whether a clock has a say, so that the result depends on the machine.
    pub fn is_timed(&self) -> bool {
        self.turn.is_some() || self.clock.is_some()
    }

    /// The most time this move may take: the turn limit, or what the clock has left.
    pub fn hard_time(&self) -> Option<Duration> {
        match (self.turn, self.clock) {
            (Some(turn), Some(clock)) => Some(turn.min(clock.left)),
            (turn, clock) => turn.or(clock.map(|clock| clock.left)),
        }
    }
}
