//! The table of proof numbers.
//!
//! A bucket is one cache line of four entries. When it is full, the entry that cost least goes
//! first, those of earlier questions before those of the present one. An entry keeps 40 bits of the
//! key and the bucket adds the rest; a collision could still give a wrong number, which is why wins
//! are walked again.

use gomoku::Point;

/// Proof and disproof number of a node: the least number of leaves that must be proved to prove it,
/// and disproved to disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

/// Stands for infinity.
pub(crate) const INFINITE: u32 = 1 << 30;

impl Numbers {
    pub(crate) const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };
    pub(crate) const DISPROVED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    pub(crate) fn is_proved(self) -> bool {
        self.proof == 0
    }

    pub(crate) fn is_disproved(self) -> bool {
        self.disproof == 0
    }
}

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) numbers: Numbers,
    /// The most promising move, once there was one.
    pub(crate) best: Option<Point>,
}

const WAYS: usize = 4;
const TAG_BITS: u32 = 40;
const TAG_MASK: u64 = (1 << TAG_BITS) - 1;
/// Bits of an entry's first word above the tag: best move, age, cost.
const BEST_SHIFT: u32 = TAG_BITS;
const AGE_SHIFT: u32 = BEST_SHIFT + 10;
const COST_SHIFT: u32 = AGE_SHIFT + 8;
const AGE_MASK: u64 = 0xff;

/// A slot: tag, best move, age and cost in the first word, the numbers in the second. No node has
/// both numbers 0, so a second word of 0 is an empty slot.
type Slot = [u64; 2];

#[derive(Debug)]
pub(crate) struct Table {
    buckets: Vec<[Slot; WAYS]>,
    mask: usize,
    age: u64,
}

impl Table {
    /// A table of at most this many megabytes, and at least one bucket.
    pub(crate) fn new(megabytes: usize) -> Table {
        let wanted = (megabytes << 20) / size_of::<[Slot; WAYS]>();
        let count = if wanted < 2 { 1 } else { 1 << wanted.ilog2() };
        Table { buckets: vec![[[0; 2]; WAYS]; count], mask: count - 1, age: 0 }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill([[0; 2]; WAYS]);
        self.age = 0;
    }

    /// Lets what is known go before what comes now.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) & AGE_MASK;
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let tag = key >> (64 - TAG_BITS);
        let bucket = &self.buckets[key as usize & self.mask];
        let slot = bucket.iter().find(|slot| slot[0] & TAG_MASK == tag && slot[1] != 0)?;
        let coordinate = |shift: u32| (slot[0] >> (BEST_SHIFT + shift) & 31) as u8;
        Some(Entry {
            numbers: Numbers { proof: slot[1] as u32, disproof: (slot[1] >> 32) as u32 },
            // 31 stands for none and is on no board.
            best: Point::try_new(coordinate(0), coordinate(5)),
        })
    }

    /// Stores a node whose search has cost this many nodes.
    pub(crate) fn put(&mut self, key: u64, entry: Entry, nodes: u64) {
        let tag = key >> (64 - TAG_BITS);
        let age = self.age;
        let bucket = &mut self.buckets[key as usize & self.mask];
        let worth = |slot: &Slot| {
            let same = slot[0] & TAG_MASK == tag;
            let old = slot[0] >> AGE_SHIFT & AGE_MASK != age;
            match () {
                _ if slot[1] == 0 => 1,
                _ if same => 0,
                _ if old => 2 + (slot[0] >> COST_SHIFT),
                _ => 100 + (slot[0] >> COST_SHIFT),
            }
        };
        let Some(slot) = bucket.iter_mut().min_by_key(|slot| worth(slot)) else { return };
        let best = entry.best.map_or(0x3ff, |p| u64::from(p.col()) | u64::from(p.row()) << 5);
        let cost = u64::from(nodes.max(1).ilog2().min(63));
        slot[0] = tag | best << BEST_SHIFT | age << AGE_SHIFT | cost << COST_SHIFT;
        slot[1] = u64::from(entry.numbers.proof) | u64::from(entry.numbers.disproof) << 32;
    }
}
