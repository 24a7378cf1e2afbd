//! The transposition table: what earlier visits of a position found out, shared by all threads.
//!
//! An entry is two atomic words, the data and the key with the data mixed in. A torn read gives a
//! key that does not fit, so no lock is needed. Starting a new game changes the salt of the keys
//! instead of clearing megabytes: old entries can neither be found nor outlive a new one, so a game
//! plays the same on a used table as on a fresh one.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use gomoku::{Point, zobrist::split_mix};

use crate::{PLY, value::Value};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// Nothing; only the evaluation is known.
    None = 0,
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// The value itself.
    Exact = 3,
}

impl Bound {
    /// Whether the value is known to be at least the stored one.
    pub(crate) const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Whether the value is known to be at most the stored one.
    pub(crate) const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }

    /// Whether a value with this bound settles a comparison with `limit`.
    pub(crate) fn settles(self, value: Value, limit: Value) -> bool {
        if value >= limit { self.is_lower() } else { self.is_upper() }
    }

    const fn from_bits(bits: u64) -> Bound {
        match bits & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}

/// What is known about a position. Wins and losses count from the position itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) point: Option<Point>,
    pub(crate) value: Value,
    pub(crate) eval: Option<Value>,
    /// In units of 1/[`PLY`].
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position was once part of a principal variation.
    pub(crate) is_pv: bool,
}

const NO_EVAL: i32 = i16::MIN as i32;
const DEPTH_BITS: u32 = 10;
/// Depths from a little below zero (forced-win searches) to more than 100 plies.
const DEPTH_OFFSET: i32 = 4 * PLY;
const DEPTH_MAX: i32 = (1 << DEPTH_BITS) - 1 - DEPTH_OFFSET;
/// Moves of a game, counted modulo 32.
const AGES: u64 = 32;
/// Games, counted modulo 16.
const GAMES: u64 = 16;

impl Entry {
    /// value 16, evaluation 16, point 10, bound 2, pv 1, depth 10, age 5, game 4 bits.
    fn pack(self, generation: Generation) -> u64 {
        let eval = self.eval.map_or(NO_EVAL, Value::get);
        let depth = (self.depth.clamp(-DEPTH_OFFSET, DEPTH_MAX) + DEPTH_OFFSET) as u64;
        self.value.get() as u16 as u64
            | (eval as u16 as u64) << 16
            | (self.point.map_or(0, Point::index) as u64) << 32
            | (self.bound as u64) << 42
            | (self.is_pv as u64) << 44
            | depth << 45
            | generation.bits() << 55
    }

    fn unpack(data: u64) -> Entry {
        let eval = (data >> 16) as i16 as i32;
        Entry {
            point: Point::from_index((data >> 32) as usize % 1024),
            value: Value::new(data as i16 as i32),
            eval: (eval != NO_EVAL).then(|| Value::new(eval)),
            depth: (data >> 45) as i32 % (1 << DEPTH_BITS) - DEPTH_OFFSET,
            bound: Bound::from_bits(data >> 42),
            is_pv: data >> 44 & 1 != 0,
        }
    }
}

/// When an entry was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Generation {
    game: u64,
    age: u64,
}

impl Generation {
    const fn bits(self) -> u64 {
        self.age | self.game << 5
    }

    const fn of(data: u64) -> Generation {
        Generation { age: data >> 55 & (AGES - 1), game: data >> 60 }
    }
}

const SLOTS: usize = 4;

#[derive(Debug)]
struct Slot {
    /// Key with the data mixed in.
    check: AtomicU64,
    data: AtomicU64,
}

/// One cache line.
type Bucket = [Slot; SLOTS];

const CACHE_LINE: usize = 64;
const _: () = assert!(size_of::<Bucket>() == CACHE_LINE);

/// The table.
#[derive(Debug)]
pub(crate) struct Table {
    memory: Memory,
    /// How many buckets are in use. A small search leaves the rest untouched, which saves the system
    /// from handing out pages that hold one entry each.
    used: usize,
    salt: u64,
    generation: Generation,
}

/// Buckets, each on a cache line.
#[derive(Debug, Default)]
struct Memory {
    slots: Box<[Slot]>,
    /// Slots before the first bucket.
    skipped: usize,
    n_buckets: usize,
}

impl Memory {
    /// Empty buckets straight from the system, which hands out memory page by page when it is first
    /// touched: writing hundreds of megabytes of zeros would cost the first move its time. Memory
    /// that has to be aligned to more than a slot would be written, so the cache line is found here.
    #[expect(unsafe_code, reason = "there is no safe way to a box of zeroed atomics")]
    fn zeroed(n_buckets: usize) -> Memory {
        let slots = Box::<[Slot]>::new_zeroed_slice(n_buckets * SLOTS + SLOTS - 1);
        // SAFETY: a slot is two `AtomicU64`s, for which zero bits are a valid value.
        let slots = unsafe { slots.assume_init() };
        // Where no slot begins a cache line, buckets lie across two and all works the same.
        let skipped = slots.as_ptr().align_offset(CACHE_LINE).min(SLOTS - 1);
        Memory { slots, skipped, n_buckets }
    }

    #[inline(always)]
    fn bucket(&self, index: usize) -> &Bucket {
        let slots = &self.slots[self.skipped + index * SLOTS..];
        slots.first_chunk().expect("there are as many slots as the buckets need")
    }
}

impl Table {
    /// A table of at most this many bytes, and at least one bucket.
    pub(crate) fn new(bytes: usize) -> Table {
        let n_buckets = (bytes / CACHE_LINE).max(1);
        let memory = Memory::zeroed(n_buckets);
        // Game 0 marks empty slots.
        let generation = Generation { game: 1, age: 0 };
        Table { memory, used: n_buckets, salt: split_mix(1), generation }
    }

    /// Forgets everything.
    pub(crate) fn new_game(&mut self) {
        self.salt = split_mix(self.salt);
        self.generation = Generation { game: self.generation.game + 1, age: 0 };
        if self.generation.game == GAMES {
            let n_buckets = self.memory.n_buckets;
            self.memory = Memory::default(); // never both at once
            self.memory = Memory::zeroed(n_buckets);
            self.generation.game = 1;
        }
    }

    /// Marks what is known so far as old, and makes room for a search of so many nodes. What was
    /// known is lost when the room changes.
    pub(crate) fn new_search(&mut self, nodes: Option<u64>) {
        const BUCKETS_A_NODE: u64 = 64; // enough for the searches of a whole game
        let wanted = nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(BUCKETS_A_NODE).max(1));
        self.used = usize::try_from(wanted).unwrap_or(usize::MAX).min(self.memory.n_buckets);
        self.generation.age = (self.generation.age + 1) % AGES;
    }

    /// What is known about the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let slot = self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key ^ self.salt).then_some(data)
        })?;
        // An all-zero slot fits the key that equals the salt.
        (Generation::of(slot).game != 0).then(|| Entry::unpack(slot))
    }

    /// Asks the memory for what is known about a position that will be looked up soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: it is a hint that reads nothing, and every x86-64 processor has it.
            #[expect(unsafe_code, reason = "there is no safe way to ask for memory in advance")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(bucket.cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Keeps what was found out, unless something deeper about the same position is there.
    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let bucket = self.bucket(key);
        let mut victim = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key ^ self.salt {
                let old = Entry::unpack(data);
                let is_fresh = Generation::of(data) == self.generation;
                entry.point = entry.point.or(old.point);
                if entry.bound != Bound::Exact && is_fresh && entry.depth + 2 * PLY < old.depth {
                    return;
                }
                victim = slot;
                break;
            }
            let worth = self.worth(data);
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let data = entry.pack(self.generation);
        victim.check.store(key ^ self.salt ^ data, Relaxed);
        victim.data.store(data, Relaxed);
    }

    /// How much a slot deserves to stay: nothing if it is empty or from another game.
    fn worth(&self, data: u64) -> i32 {
        let generation = Generation::of(data);
        if generation.game != self.generation.game {
            return i32::MIN;
        }
        let age = (AGES + self.generation.age - generation.age) % AGES;
        Entry::unpack(data).depth - age as i32 * PLY
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (key as u128 * self.used as u128) >> 64;
        self.memory.bucket(index as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry {
            point: Some(Point::new(7, 7)),
            value: Value::new(-123),
            eval: Some(Value::new(45)),
            depth,
            bound: Bound::Lower,
            is_pv: true,
        }
    }

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let table = Table::new(1 << 16);
        for (depth, key) in [(-2 * PLY, 1), (0, 77 << 40), (100 * PLY, u64::MAX)] {
            let other = Entry { point: None, eval: None, is_pv: false, ..entry(depth) };
            for entry in [entry(depth), other] {
                let key = key ^ entry.is_pv as u64;
                table.store(key, entry);
                assert_eq!(table.probe(key), Some(entry));
            }
        }
        assert_eq!(table.probe(99), None);
    }

    #[test]
    fn a_new_game_forgets_and_replaces_as_if_fresh() {
        let mut used = Table::new(64);
        (0..40).for_each(|key| used.store(key, entry(key as i32)));
        for _ in 0..40 {
            used.new_game();
            assert!((0..40).all(|key| used.probe(key).is_none()));
            let fresh = Table::new(64);
            for key in 100..120 {
                used.store(key, entry((key % 7) as i32));
                fresh.store(key, entry((key % 7) as i32));
            }
            assert!((100..120).all(|key| used.probe(key) == fresh.probe(key)));
        }
    }

    #[test]
    fn a_small_search_leaves_most_of_the_table_untouched() {
        let mut table = Table::new(1 << 20);
        table.new_search(Some(2));
        let keys: Vec<u64> = (1..=20).map(split_mix).collect();
        keys.iter().for_each(|&key| table.store(key, entry(PLY)));
        assert!(keys.iter().all(|&key| table.probe(key).is_some()));
        let is_empty = |index: usize| {
            table.memory.bucket(index).iter().all(|slot| slot.data.load(Relaxed) == 0)
        };
        assert!(!(0..128).all(is_empty));
        assert!((128..table.memory.n_buckets).all(is_empty));
    }

    #[test]
    fn the_table_move_survives_a_result_without_one() {
        let table = Table::new(64);
        table.store(5, entry(PLY));
        table.store(5, Entry { point: None, ..entry(2 * PLY) });
        assert_eq!(table.probe(5).and_then(|found| found.point), Some(Point::new(7, 7)));
    }
}
