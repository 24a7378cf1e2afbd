//! A database of positions that several players share, in a `redb` file.
//!
//! All of it is in memory while the program runs. The file is opened only to read it once and to add
//! what was learned, after each game, so that several programs can use it in turn. A file that cannot
//! be used is left alone: the players then remember as long as the program runs, and the reason is
//! told once.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError, RwLock},
    thread,
    time::Duration,
};

use player::{Bound, Stored};
use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition};

use crate::guard::guarded;

const VERSION: &str = "1";
const ABOUT: TableDefinition<'_, &str, &str> = TableDefinition::new("about");
const POSITIONS: TableDefinition<'_, u64, &[u8; Stored::BYTES]> = TableDefinition::new("positions");

/// Some hundred megabytes; what is met after that is not kept.
const MAX_POSITIONS: usize = 2_000_000;
/// So many new positions go to disk at once, even in the middle of a game.
const BATCH: usize = 100_000;
/// How often a file that another program is writing is tried again, and after how long.
const TRIES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(25);

/// Keys are random already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type Known = HashMap<u64, Stored, BuildHasherDefault<AsItIs>>;

/// Who hears why a file cannot be used.
pub type Tell = fn(&str);

/// The database in memory, and the file behind it.
#[derive(Debug)]
pub struct SharedPositions {
    known: RwLock<Known>,
    /// Keys of what is not yet on disk.
    new: Mutex<Vec<u64>>,
    /// One thread writes at a time. Without a path there is no file.
    file: Mutex<Option<PathBuf>>,
    tell: Tell,
}

impl SharedPositions {
    /// Reads the file, or begins it.
    pub fn open(path: &Path, tell: Tell) -> SharedPositions {
        match with_database(path, read) {
            Ok(known) => SharedPositions {
                known: RwLock::new(known),
                file: Mutex::new(Some(path.to_owned())),
                ..SharedPositions::in_memory(tell)
            },
            Err(error) => {
                tell(&reason(path, &error));
                SharedPositions::in_memory(tell)
            }
        }
    }

    /// A database without a file.
    pub fn in_memory(tell: Tell) -> SharedPositions {
        let (known, new, file) = (RwLock::default(), Mutex::default(), Mutex::default());
        SharedPositions { known, new, file, tell }
    }

    /// What is known about a position.
    pub fn get(&self, key: u64) -> Option<Stored> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(&key).copied()
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.known.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Learns about a position; a value says more than a bound.
    pub fn put(&self, key: u64, stored: Stored) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let is_full = known.len() >= MAX_POSITIONS;
        match known.get_mut(&key) {
            Some(old) if old.bound == Bound::Exact || *old == stored => return,
            Some(old) => *old = stored,
            None if is_full => return,
            None => _ = known.insert(key, stored),
        }
        drop(known);
        let mut new = lock(&self.new);
        new.push(key);
        let is_much = new.len() >= BATCH;
        drop(new);
        if is_much {
            self.save();
        }
    }

    /// Adds what is new to the file. If another program holds it for long, the next time will do.
    pub fn save(&self) {
        let mut file = lock(&self.file);
        let Some(path) = file.clone() else {
            lock(&self.new).clear();
            return;
        };
        let keys = std::mem::take(&mut *lock(&self.new));
        if keys.is_empty() {
            return;
        }
        let learned: Vec<(u64, Stored)> =
            keys.iter().filter_map(|&key| Some((key, self.get(key)?))).collect();
        match with_database(&path, |database| write(database, &learned)) {
            Ok(()) => {}
            Err(redb::Error::DatabaseAlreadyOpen) => lock(&self.new).extend(keys),
            Err(error) => {
                (self.tell)(&reason(&path, &error));
                *file = None;
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reason(path: &Path, error: &redb::Error) -> String {
    format!("The database of positions {} cannot be used: {error}", path.display())
}

/// Opens the file, or begins one, for as long as something is done with it.
fn with_database<T>(
    path: &Path,
    work: impl FnOnce(&Database) -> Result<T, redb::Error>,
) -> Result<T, redb::Error> {
    let done = guarded(|| {
        let mut tries = 1;
        let database = loop {
            match Database::create(path) {
                Err(DatabaseError::DatabaseAlreadyOpen) if tries < TRIES => {
                    tries += 1;
                    thread::sleep(PAUSE);
                }
                other => break other?,
            }
        };
        work(&database)
    });
    done.unwrap_or_else(|| Err(redb::Error::Corrupted("its pages make no sense".to_owned())))
}

fn read(database: &Database) -> Result<Known, redb::Error> {
    let change = database.begin_write()?;
    {
        let mut about = change.open_table(ABOUT)?;
        let version = about.get("version")?.map(|version| version.value().to_owned());
        match version.as_deref() {
            None => _ = about.insert("version", VERSION)?,
            Some(VERSION) => {}
            Some(other) => {
                let found = format!("it is of version {other}, not {VERSION}");
                return Err(redb::Error::Corrupted(found));
            }
        }
        change.open_table(POSITIONS)?;
    }
    change.commit()?;
    let view = database.begin_read()?;
    let table = view.open_table(POSITIONS)?;
    let mut known = Known::default();
    for row in table.iter()?.take(MAX_POSITIONS) {
        let (key, stored) = row?;
        let damaged = || redb::Error::Corrupted("an entry is no position".to_owned());
        let stored = Stored::from_bytes(stored.value()).ok_or_else(damaged)?;
        known.insert(key.value(), stored);
    }
    Ok(known)
}

fn write(database: &Database, learned: &[(u64, Stored)]) -> Result<(), redb::Error> {
    let change = database.begin_write()?;
    {
        let mut table = change.open_table(POSITIONS)?;
        for (key, stored) in learned {
            table.insert(key, &stored.to_bytes())?;
        }
    }
    Ok(change.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn open(path: &Path) -> SharedPositions {
        SharedPositions::open(path, |_| {})
    }

    fn stored(value: i64, bound: Bound) -> Stored {
        Stored { value, depth: 3, bound, best: Some(gomoku::Point::new(7, 7)) }
    }

    #[test]
    fn what_is_learned_is_there_the_next_time() {
        let folder = folder("positions");
        let path = folder.join("positions.redb");
        let first = open(&path);
        first.put(1, stored(5, Bound::AtLeast));
        first.put(2, stored(-7, Bound::Exact));
        // A value is not replaced by a bound, a bound is by a value.
        first.put(2, stored(-9, Bound::AtLeast));
        first.put(1, stored(6, Bound::Exact));
        first.save();
        // A second program that came before the first one saved adds its own.
        let other = open(&path);
        first.put(3, stored(1, Bound::AtMost));
        other.put(4, stored(2, Bound::AtMost));
        first.save();
        other.save();
        let again = open(&path);
        assert_eq!(again.len(), 4);
        assert_eq!(again.get(1), Some(stored(6, Bound::Exact)));
        assert_eq!(again.get(2), Some(stored(-7, Bound::Exact)));
        assert_eq!((again.get(3), again.get(4)).0.map(|s| s.value), Some(1));
        assert_eq!(again.get(5), None);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_is_none_is_left_alone() {
        let folder = folder("no-positions");
        let path = folder.join("positions.redb");
        std::fs::write(&path, "something else").unwrap();
        let first = open(&path);
        first.put(1, stored(5, Bound::Exact));
        first.save();
        assert_eq!(first.get(1), Some(stored(5, Bound::Exact)));
        assert_eq!(std::fs::read(&path).unwrap(), b"something else");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_held_by_another_program_is_no_trouble() {
        let folder = folder("held-positions");
        let path = folder.join("positions.redb");
        let first = open(&path);
        first.put(1, stored(5, Bound::Exact));
        let held = Database::create(&path).unwrap();
        first.save();
        drop(held);
        assert_eq!(open(&path).len(), 0);
        first.save();
        assert_eq!(open(&path).len(), 1);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
