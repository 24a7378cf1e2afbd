//! What a player may keep about positions from game to game.

use gomoku::Point;

/// What a remembered value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The true value is at least this.
    AtLeast,
    /// The true value is at most this.
    AtMost,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Value for the side to move; wins count from this position.
    pub value: i64,
    /// Plies searched below it.
    pub depth: u32,
    /// What the value says.
    pub bound: Bound,
    /// The best move found.
    pub best: Option<Point>,
}

impl Stored {
    /// Bytes of a record.
    pub const BYTES: usize = 15;

    /// As bytes, for a store on disk.
    pub fn to_bytes(&self) -> [u8; Stored::BYTES] {
        let mut bytes = [0; Stored::BYTES];
        bytes[..8].copy_from_slice(&self.value.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.depth.to_le_bytes());
        let best = self.best.map_or(u16::MAX, |point| point.index() as u16);
        bytes[12..14].copy_from_slice(&best.to_le_bytes());
        bytes[14] = self.bound as u8;
        bytes
    }

    /// Reads what [`Stored::to_bytes`] wrote; `None` if the bytes are something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Stored> {
        let bytes: &[u8; Stored::BYTES] = bytes.try_into().ok()?;
        let best = u16::from_le_bytes([bytes[12], bytes[13]]);
        Some(Stored {
            value: i64::from_le_bytes(bytes[..8].try_into().ok()?),
            depth: u32::from_le_bytes(bytes[8..12].try_into().ok()?),
            best: if best == u16::MAX { None } else { Some(Point::from_index(best.into())?) },
            bound: match bytes[14] {
                0 => Bound::Exact,
                1 => Bound::AtLeast,
                2 => Bound::AtMost,
                _ => return None,
            },
        })
    }

    /// The value, if it settles a search of this depth and window.
    pub fn settles(&self, depth: u32, alpha: i64, beta: i64) -> Option<i64> {
        let settled = self.depth == depth
            && match self.bound {
                Bound::Exact => true,
                Bound::AtLeast => self.value >= beta,
                Bound::AtMost => self.value <= alpha,
            };
        settled.then_some(self.value)
    }
}

/// Remembers positions by key, one key for each depth: in memory, or on disk.
pub trait PositionStore: Send {
    /// What is known about a position.
    fn get(&self, key: u64) -> Option<Stored>;

    /// Learns about a position.
    fn put(&mut self, key: u64, stored: Stored);

    /// Makes what was learned outlive the program, where it can. Called between games.
    fn save(&mut self) {}

    /// Number of positions.
    fn len(&self) -> usize;

    /// Whether nothing is known.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
