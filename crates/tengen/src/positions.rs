//! The database that players with `database=on` share: `positions.redb` in the data folder.

use std::sync::{
    LazyLock,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use ::book::SharedPositions;
use player::{PositionStore, Stored};

use crate::data;

/// Whether nothing may be written to standard error, because somebody reads it as protocol text.
pub(crate) static QUIET: AtomicBool = AtomicBool::new(false);

/// Read when it is first asked.
static SHARED: LazyLock<SharedPositions> = LazyLock::new(|| match data::folder() {
    Ok(folder) => SharedPositions::open(&folder.join("positions.redb"), tell),
    Err(error) => {
        tell(&format!("{error:#}"));
        SharedPositions::in_memory(tell)
    }
});

fn tell(reason: &str) {
    if !QUIET.load(Relaxed) {
        eprintln!("tengen: {reason}; positions are kept only while the program runs.");
    }
}

/// A player's way to the shared database.
pub(crate) struct Shared;

impl PositionStore for Shared {
    fn get(&self, key: u64) -> Option<Stored> {
        SHARED.get(key)
    }

    fn put(&mut self, key: u64, stored: Stored) {
        SHARED.put(key, stored);
    }

    fn save(&mut self) {
        // A player that has not looked at the database has nothing to add to it.
        if let Some(shared) = LazyLock::get(&SHARED) {
            shared.save();
        }
    }

    fn len(&self) -> usize {
        SHARED.len()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.save();
    }
}
