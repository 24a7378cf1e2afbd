//! A hash table of fixed size in which a newer entry replaces an older one on the same slot.

/// Remembers a tag and a value by key. Memory is taken on first use.
#[derive(Debug)]
pub(super) struct Table<T> {
    bits: u32,
    /// The lower 48 bits of the key above the tag, and the value. With the number of the slot, which
    /// is the upper bits, that is the whole key: small slots are what makes a search fast.
    slots: Vec<(u64, T)>,
}

const KEPT: u64 = (1 << 48) - 1;
const EMPTY: u64 = u64::MAX;

impl<T: Copy + Default> Table<T> {
    /// A table of two to the power `bits` slots, 16 at least.
    pub(super) fn new(bits: u32) -> Table<T> {
        assert!(bits >= 16, "the slot's number and 48 bits are the key");
        Table { bits, slots: Vec::new() }
    }

    pub(super) fn forget(&mut self) {
        self.slots.fill((EMPTY, T::default()));
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<(u16, T)> {
        let &(word, value) = self.slots.get(self.slot(key))?;
        (word >> 16 == key & KEPT && word != EMPTY).then_some((word as u16, value))
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, tag: u16, value: T) {
        if self.slots.is_empty() {
            self.slots = vec![(EMPTY, T::default()); 1 << self.bits];
        }
        let slot = self.slot(key);
        self.slots[slot] = ((key & KEPT) << 16 | u64::from(tag), value);
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        (key >> (64 - self.bits)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_key_finds_what_was_put() {
        let key = 0x0123_4567_89ab_cdef;
        let mut table = Table::new(16);
        assert_eq!(table.get(key), None, "nothing has been put");
        table.put(key, 7, -5_i64);
        assert_eq!(table.get(key), Some((7, -5)));
        for bit in 0..64 {
            assert_eq!(table.get(key ^ 1 << bit), None, "bit {bit}");
        }
        table.put(key ^ 1, 8, 9);
        assert_eq!((table.get(key), table.get(key ^ 1)), (None, Some((8, 9))), "the newer stays");
        table.forget();
        assert_eq!(table.get(key ^ 1), None);
    }
}
