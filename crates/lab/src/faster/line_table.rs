//! What lines are worth, looked up by their bits.

use crate::lines::LineStones;

/// Remembers what was worked out for a line, so that it is worked out once and then looked up.
/// Another line that falls on the same slot replaces it; the answer is exact either way.
#[derive(Clone, Debug)]
pub struct LineTable<T> {
    slots: Vec<(u64, T)>,
    shift: u32,
}

impl<T: Copy + Default> LineTable<T> {
    /// A table of two to the power `bits` slots.
    pub fn new(bits: u32) -> LineTable<T> {
        LineTable { slots: vec![(u64::MAX, T::default()); 1 << bits], shift: 64 - bits }
    }

    /// The value of a line, computed if it is not at hand.
    #[inline(always)]
    pub fn get(&mut self, line: LineStones, compute: impl FnOnce(LineStones) -> T) -> &T {
        let key = line.key();
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        let entry = &mut self.slots[slot];
        if entry.0 != key {
            *entry = (key, compute(line));
        }
        &entry.1
    }
}
