//! The table of proof numbers.
//!
//! A bucket is one cache line of four entries. The table begins with a few buckets, so that a
//! question which a handful of stones answers costs no more than that, and grows with what it holds.
//! Once it may grow no further, the entry of a bucket that cost least goes first, those of earlier
//! questions before those of the present one. An entry holds its whole key; two positions with the
//! same key could still give a wrong number, which is why wins are walked again.

use gomoku::Point;

/// Proof and disproof number of a node: the least number of leaves that must be proved to prove it,
/// and disproved to disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

/// Stands for infinity.
pub(crate) const INFINITE: u32 = 1 << 24;

impl Numbers {
    pub(crate) const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };
    pub(crate) const DISPROVED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    pub(crate) fn is_proved(self) -> bool {
        self.proof == 0
    }

    pub(crate) fn is_disproved(self) -> bool {
        self.disproof == 0
    }

    pub(crate) fn is_settled(self) -> bool {
        self.is_proved() || self.is_disproved()
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
/// The buckets of a new table: the number of a bucket is never less than these low bits of the key.
const FIRST_BITS: u32 = 8;
/// Bits of an entry's first word, below the rest of the key.
const AGE_BITS: u32 = FIRST_BITS;
const AGE_MASK: u64 = (1 << AGE_BITS) - 1;
/// Where the parts of the second word begin; the proof number comes first.
const DISPROOF_SHIFT: u32 = 25;
const BEST_SHIFT: u32 = 2 * DISPROOF_SHIFT;
const COST_SHIFT: u32 = BEST_SHIFT + 10;
const NUMBER_MASK: u64 = (1 << DISPROOF_SHIFT) - 1;
/// Costs are told apart by powers of 8, as far as four bits go.
const LARGEST_COST: u64 = 15;

/// A slot: key and age in the first word, the numbers, the best move and the cost in the second. No
/// node has both numbers 0, so a second word of 0 is an empty slot.
type Slot = [u64; 2];
type Bucket = [Slot; WAYS];

#[derive(Debug)]
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    /// How many buckets it may have.
    most: usize,
    /// Slots in use.
    used: usize,
    age: u64,
}

impl Table {
    /// A table that may grow to this many megabytes.
    pub(crate) fn new(megabytes: usize) -> Table {
        let wanted = (megabytes << 20) / size_of::<Bucket>();
        let most = 1 << wanted.max(1 << FIRST_BITS).ilog2();
        Table { buckets: Table::empty(), most, used: 0, age: 0 }
    }

    fn empty() -> Vec<Bucket> {
        vec![[[0; 2]; WAYS]; 1 << FIRST_BITS]
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Table { buckets: Table::empty(), used: 0, age: 0, ..*self };
    }

    /// Lets what is known go before what comes now.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) & AGE_MASK;
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let bucket = &self.buckets[key as usize & (self.buckets.len() - 1)];
        let is_it = |slot: &&Slot| (slot[0] ^ key) >> AGE_BITS == 0 && slot[1] != 0;
        let word = bucket.iter().find(is_it)?[1];
        let coordinate = |shift: u32| (word >> (BEST_SHIFT + shift) & 31) as u8;
        Some(Entry {
            numbers: Numbers {
                proof: (word & NUMBER_MASK) as u32,
                disproof: (word >> DISPROOF_SHIFT & NUMBER_MASK) as u32,
            },
            // 31 stands for none and is on no board.
            best: Point::try_new(coordinate(0), coordinate(5)),
        })
    }

    /// Stores a node whose search has cost this many nodes.
    pub(crate) fn put(&mut self, key: u64, entry: Entry, nodes: u64) {
        let best = entry.best.map_or(0x3ff, |p| u64::from(p.col()) | u64::from(p.row()) << 5);
        let cost = u64::from(nodes.max(1).ilog2() / 3).min(LARGEST_COST);
        let proof = u64::from(entry.numbers.proof.min(INFINITE));
        let disproof = u64::from(entry.numbers.disproof.min(INFINITE));
        let word = proof | disproof << DISPROOF_SHIFT | best << BEST_SHIFT | cost << COST_SHIFT;
        self.insert([key & !AGE_MASK | self.age, word], key);
        // With more than one slot of four in use some buckets are full already.
        if self.used > self.buckets.len() && self.buckets.len() < self.most {
            self.grow();
        }
    }

    #[inline]
    fn insert(&mut self, new: Slot, key: u64) {
        let age = self.age;
        let number = key as usize & (self.buckets.len() - 1);
        let worth = |slot: &Slot| match () {
            _ if slot[1] == 0 => 1,
            _ if (slot[0] ^ key) >> AGE_BITS == 0 => 0,
            _ if slot[0] & AGE_MASK != age => 2 + (slot[1] >> COST_SHIFT),
            _ => 100 + (slot[1] >> COST_SHIFT),
        };
        let Some(slot) = self.buckets[number].iter_mut().min_by_key(|slot| worth(slot)) else {
            return;
        };
        self.used += usize::from(slot[1] == 0);
        *slot = new;
    }

    /// Moves everything to four times as many buckets.
    #[cold]
    fn grow(&mut self) {
        let count = (4 * self.buckets.len()).min(self.most);
        let old = std::mem::replace(&mut self.buckets, vec![[[0; 2]; WAYS]; count]);
        self.used = 0;
        for (number, bucket) in old.iter().enumerate() {
            for slot in bucket.iter().filter(|slot| slot[1] != 0) {
                // The number of the bucket has the bits of the key that the age has taken.
                self.insert(*slot, slot[0] & !AGE_MASK | number as u64 & AGE_MASK);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use gomoku::zobrist::split_mix;

    use super::*;

    #[test]
    fn what_is_stored_is_found_while_the_table_grows() {
        let mut table = Table::new(16);
        let entry = |i: u32| Entry {
            numbers: Numbers {
                proof: i,
                disproof: if i.is_multiple_of(2) { INFINITE } else { i / 3 },
            },
            best: (!i.is_multiple_of(3)).then(|| Point::new((i % 22) as u8, (i % 15) as u8)),
        };
        (1..=50_000).for_each(|i| table.put(split_mix(u64::from(i)), entry(i), u64::from(i)));
        let mut lost = 0;
        for i in 1..=50_000 {
            let Some(found) = table.get(split_mix(u64::from(i))) else {
                lost += 1;
                continue;
            };
            assert_eq!((found.numbers, found.best), (entry(i).numbers, entry(i).best));
        }
        assert!(lost < 1_000, "{lost} of 50,000 were lost");
        table.clear();
        assert!((1..=50_000).all(|i| table.get(split_mix(i)).is_none()));
    }

    #[test]
    fn the_table_keeps_to_its_size() {
        let mut table = Table::new(1);
        for i in 0..200_000 {
            table.put(split_mix(i), Entry { numbers: Numbers::PROVED, best: None }, 1);
        }
        assert_eq!(table.buckets.len() * size_of::<Bucket>(), 1 << 20);
    }
}
