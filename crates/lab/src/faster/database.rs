//! Positions kept from game to game.

use std::collections::BTreeMap;

use gomoku::zobrist;
use player::{PositionStore, Stored};

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

/// A store of positions that outlives games, and how it is used.
pub(super) struct Database {
    store: Box<dyn PositionStore>,
    /// Tells evaluation and candidates from others that share the store.
    fingerprint: u64,
    /// Whether values are taken from it. Not under a limit that counts: what is saved would be spent
    /// on more depth, and the move would depend on what was played before.
    is_asked: bool,
}

impl Database {
    /// Values below this depth cost less than keeping them.
    const MIN_DEPTH: u32 = 2;

    pub(super) fn new(store: Box<dyn PositionStore>, fingerprint: u64) -> Database {
        Database { store, fingerprint, is_asked: true }
    }

    /// Whether values are to be taken from it.
    pub(super) fn ask(&mut self, is_asked: bool) {
        self.is_asked = is_asked;
    }

    /// Values hold for one depth only, so each depth has a key of its own.
    fn key(&self, key: u64, depth: u32) -> u64 {
        zobrist::split_mix(key ^ self.fingerprint ^ u64::from(depth) << 56)
    }

    pub(super) fn get(&self, key: u64, depth: u32) -> Option<Stored> {
        if !self.is_asked || depth < Database::MIN_DEPTH {
            return None;
        }
        self.store.get(self.key(key, depth))
    }

    pub(super) fn put(&mut self, key: u64, stored: Stored) {
        if stored.depth >= Database::MIN_DEPTH {
            self.store.put(self.key(key, stored.depth), stored);
        }
    }

    pub(super) fn save(&mut self) {
        self.store.save();
    }
}
