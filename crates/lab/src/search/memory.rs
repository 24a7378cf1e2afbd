//! What searches remember: values of positions, best moves, static values, and a database.

use std::collections::BTreeMap;

use gomoku::{GRID, Point};

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
    pub(crate) fn settles(&self, depth: u32, alpha: i64, beta: i64) -> Option<i64> {
        let settled = self.depth == depth
            && match self.bound {
                Bound::Exact => true,
                Bound::AtLeast => self.value >= beta,
                Bound::AtMost => self.value <= alpha,
            };
        settled.then_some(self.value)
    }
}

/// Remembers positions by key, one key for each depth. Implemented here in memory; a program may hand
/// in one on disk.
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

/// A store of any size in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryStore {
    positions: BTreeMap<u64, Stored>,
}

impl PositionStore for MemoryStore {
    fn get(&self, key: u64) -> Option<Stored> {
        self.positions.get(&key).copied()
    }

    fn put(&mut self, key: u64, stored: Stored) {
        self.positions.insert(key, stored);
    }

    fn len(&self) -> usize {
        self.positions.len()
    }
}

/// How much each point has refuted, for the side to move at the root and for the other one.
#[derive(Debug, Default)]
pub(crate) struct History {
    points: [Vec<u32>; 2],
}

impl History {
    /// How much a point has refuted for the side to move at this ply.
    #[inline]
    pub(crate) fn of(&self, ply: u32, point: Point) -> u32 {
        self.points[ply as usize % 2].get(point.index()).copied().unwrap_or(0)
    }

    /// The point refuted a search of this depth.
    #[inline]
    pub(crate) fn praise(&mut self, ply: u32, depth: u32, point: Point) {
        let points = &mut self.points[ply as usize % 2];
        if points.is_empty() {
            points.resize(GRID, 0);
        }
        let worth = &mut points[point.index()];
        *worth = worth.saturating_add(depth * depth);
    }
}

/// The lower bits of a key that a slot keeps. With the slot's own number, which is the upper bits,
/// they are the whole key.
const KEPT: u64 = (1 << 48) - 1;

/// Values of positions, two words each; a newer one replaces an older one on the same slot. Memory
/// is taken on first use.
#[derive(Debug, Default)]
pub(crate) struct ValueTable {
    /// The kept part of the key, the depth and the bound; then the value.
    slots: Vec<(u64, i64)>,
}

impl ValueTable {
    const BITS: u32 = 16;
    const EMPTY: (u64, i64) = (u64::MAX, 0);

    pub(crate) fn forget(&mut self) {
        self.slots.fill(ValueTable::EMPTY);
    }

    /// Says that a position will be looked up.
    #[inline(always)]
    pub(crate) fn expect(&self, key: u64) {
        prefetch(&self.slots, slot(key, ValueTable::BITS));
    }

    /// What is known about a position, but for its best move.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Stored> {
        let &(word, value) = self.slots.get(slot(key, ValueTable::BITS))?;
        let bound = match word & 3 {
            0 => Bound::Exact,
            1 => Bound::AtLeast,
            2 => Bound::AtMost,
            _ => return None,
        };
        let depth = (word >> 2 & 0x3fff) as u32;
        (word >> 16 == key & KEPT).then_some(Stored { value, depth, bound, best: None })
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u64, stored: &Stored) {
        if self.slots.is_empty() {
            self.slots = vec![ValueTable::EMPTY; 1 << ValueTable::BITS];
        }
        let word = (key & KEPT) << 16 | u64::from(stored.depth) << 2 | stored.bound as u64;
        self.slots[slot(key, ValueTable::BITS)] = (word, stored.value);
    }
}

/// Best moves of positions, a word each; a newer one replaces an older one on the same slot. Memory
/// is taken on first use.
#[derive(Debug, Default)]
pub(crate) struct PathTable {
    /// The kept part of the key and the point.
    slots: Vec<u64>,
}

impl PathTable {
    /// A search of depth 8 meets some hundred thousand positions.
    const BITS: u32 = 18;
    /// No point has this number.
    const EMPTY: u64 = u64::MAX;

    pub(crate) fn forget(&mut self) {
        self.slots.fill(PathTable::EMPTY);
    }

    /// Says that a position will be looked up.
    #[inline(always)]
    pub(crate) fn expect(&self, key: u64) {
        prefetch(&self.slots, slot(key, PathTable::BITS));
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Point> {
        let word = *self.slots.get(slot(key, PathTable::BITS))?;
        let point = Point::from_index(word as usize & 0xffff)?;
        (word >> 16 == key & KEPT).then_some(point)
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u64, point: Point) {
        if self.slots.is_empty() {
            self.slots = vec![PathTable::EMPTY; 1 << PathTable::BITS];
        }
        self.slots[slot(key, PathTable::BITS)] = (key & KEPT) << 16 | point.index() as u64;
    }
}

/// The slot of a key in a table of two to the power `bits`.
#[inline(always)]
fn slot(key: u64, bits: u32) -> usize {
    (key >> (64 - bits)) as usize
}

/// Asks for a slot that will be read soon: the memory takes longer to answer than a leaf to judge.
#[inline(always)]
fn prefetch<T>(slots: &[T], slot: usize) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "there is no safe way to ask for memory ahead of time")]
    if let Some(slot) = slots.get(slot) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: nothing is read or written, and the slot is one of the slice.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(slot).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slots, slot);
}

/// A hash table of fixed size in which a newer entry replaces an older one on the same slot. Memory
/// is taken on first use.
#[derive(Debug)]
pub(crate) struct HashTable<T> {
    slots: Vec<(u64, T)>,
    bits: u32,
    empty: T,
}

impl<T: Copy> HashTable<T> {
    pub(crate) fn new(bits: u32, empty: T) -> HashTable<T> {
        HashTable { slots: Vec::new(), bits, empty }
    }

    pub(crate) fn forget(&mut self) {
        self.slots.fill((0, self.empty));
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<&T> {
        let (held, value) = self.slots.get(slot(key, self.bits))?;
        (*held == key).then_some(value)
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u64, value: T) {
        if self.slots.is_empty() {
            self.slots = vec![(0, self.empty); 1 << self.bits];
        }
        let slot = slot(key, self.bits);
        self.slots[slot] = (key, value);
    }
}
