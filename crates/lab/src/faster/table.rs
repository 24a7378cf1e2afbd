//! A hash table of fixed size in which a newer entry replaces an older one on the same slot.

/// Remembers values by key. Memory is taken on first use.
#[derive(Debug)]
pub(super) struct Table<T> {
    bits: u32,
    slots: Vec<(u64, Option<T>)>,
}

impl<T: Copy> Table<T> {
    /// A table of two to the power `bits` slots.
    pub(super) fn new(bits: u32) -> Table<T> {
        Table { bits, slots: Vec::new() }
    }

    pub(super) fn forget(&mut self) {
        self.slots.fill((0, None));
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<T> {
        let (held, value) = self.slots.get(self.slot(key))?;
        value.filter(|_| *held == key)
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, value: T) {
        if self.slots.is_empty() {
            self.slots = vec![(0, None); 1 << self.bits];
        }
        let slot = self.slot(key);
        self.slots[slot] = (key, Some(value));
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        (key >> (64 - self.bits)) as usize
    }
}
