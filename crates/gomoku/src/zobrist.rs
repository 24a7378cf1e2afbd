//! Random keys of stones: the key of a position is the exclusive or of the keys of its stones.

use crate::{
    color::Color,
    point::{GRID, Point},
};

/// The key added when White is to move.
pub const WHITE_TO_MOVE: u64 = split_mix(0x7465_6e67_656e_0001);

static KEYS: [[u64; GRID]; 2] = keys();

/// The key of a stone.
#[inline(always)]
pub fn stone(point: Point, color: Color) -> u64 {
    KEYS[color as usize][point.index()]
}

/// One output of the SplitMix64 generator for a seed: a well-mixed 64-bit function.
pub const fn split_mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn keys() -> [[u64; GRID]; 2] {
    let mut keys = [[0; GRID]; 2];
    let mut i = 0;
    while i < 2 * GRID {
        keys[i / GRID][i % GRID] = split_mix(0x7465_6e67_656e_0002 ^ (i as u64) << 32);
        i += 1;
    }
    keys
}
