//! From the manager's settings to the limits of a search.

use std::time::Duration;

use player::{Clock, Limits};

use crate::gomocup::{Info, InfoKey};

/// Milliseconds for a move when nothing at all has been said, as the protocol's skeleton has it.
const DEFAULT_TURN: i64 = 30_000;
/// Time for "as fast as possible".
const AT_ONCE: Duration = Duration::from_millis(30);
/// The value for "unlimited".
const UNLIMITED: i64 = i32::MAX as i64;

/// What the manager has said about time and effort. `None` is "never said".
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grants {
    turn: Option<i64>,
    game: Option<i64>,
    left: Option<i64>,
    increment: Option<i64>,
    nodes: Option<i64>,
    depth: Option<i64>,
    memory: Option<i64>,
    pub(super) threads: Option<i64>,
    pub(super) hash: Option<i64>,
    /// Milliseconds spent in this game, for managers that never say what is left.
    used: i64,
}

impl Grants {
    /// Takes a setting; an error for one of ours without a number.
    pub(super) fn take(&mut self, info: &Info) -> Result<(), String> {
        let slot = match info.key {
            InfoKey::TimeoutTurn => &mut self.turn,
            InfoKey::TimeoutMatch => &mut self.game,
            InfoKey::TimeLeft => &mut self.left,
            InfoKey::TimeIncrement => &mut self.increment,
            InfoKey::MaxNode => &mut self.nodes,
            InfoKey::MaxDepth => &mut self.depth,
            InfoKey::MaxMemory => &mut self.memory,
            InfoKey::ThreadNum => &mut self.threads,
            InfoKey::HashSize => &mut self.hash,
            _ => return Ok(()),
        };
        let number = info.as_number();
        *slot = Some(number.ok_or_else(|| {
            format!("INFO {}: expected a number, found '{}'.", info.key.name(), info.value)
        })?);
        Ok(())
    }

    /// The limits of the next search. A Yixin-Board means no limit by a turn of 0.
    pub(super) fn limits(&self, is_yixin_board: bool) -> Limits {
        let positive = |value: Option<i64>| value.filter(|value| *value > 0);
        let nodes = positive(self.nodes).map(|nodes| nodes as u64);
        let depth = positive(self.depth).map(|depth| depth.min(1_000) as u32);
        let memory = positive(self.memory).map(|bytes| bytes as u64);
        let clock = self.clock();
        let turn = match self.turn {
            Some(turn) if turn > 0 => Some(with_reserve(turn)),
            Some(_) if !is_yixin_board => Some(AT_ONCE),
            Some(_) => None,
            // With another limit there is no need to invent one.
            None if clock.is_some() || nodes.is_some() || depth.is_some() => None,
            None => Some(with_reserve(DEFAULT_TURN)),
        };
        Limits { depth, nodes, evaluations: None, turn, clock, memory }
    }

    /// The clock of the game, if it has one that is not "unlimited".
    fn clock(&self) -> Option<Clock> {
        let has_limit = self.game.is_none_or(|game| game > 0);
        let rest = self.game.map(|game| game - self.used);
        let left = self.left.or(rest).filter(|left| has_limit && *left < UNLIMITED)?;
        let increment = Duration::from_millis(self.increment.unwrap_or(0).max(0) as u64);
        Some(Clock { left: with_reserve(left), increment })
    }

    /// A new game begins.
    pub(super) fn new_game(&mut self) {
        (self.left, self.used) = (None, 0);
    }

    /// A move took this long.
    pub(super) fn spend(&mut self, time: Duration) {
        self.used += i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 2);
    }

    pub(super) fn memory(&self) -> Option<u64> {
        self.memory.filter(|bytes| *bytes > 0).map(|bytes| bytes as u64)
    }
}

/// Keeps a little back for pipes and schedulers: a fiftieth and 20 ms, at most half.
fn with_reserve(milliseconds: i64) -> Duration {
    less_reserve(Duration::from_millis(milliseconds.max(0) as u64))
}

/// The same of a time.
pub(super) fn less_reserve(whole: Duration) -> Duration {
    let reserve = Duration::from_millis(20) + whole / 50;
    whole - reserve.min(Duration::from_millis(500)).min(whole / 2)
}
