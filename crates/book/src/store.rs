//! Books on disk: a `redb` file with a table of entries, one of games and one of notes.
//!
//! Every entry is a transaction of its own, so that a build that is killed loses at most the
//! position it was searching.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use redb::{
    Database, DatabaseError, ReadOnlyDatabase, ReadableDatabase, ReadableTable, TableDefinition,
    TableError,
};
use thiserror::Error;

use crate::{
    entry::{Entry, Key},
    position_book::{BookGame, PositionBook, parse_entry, parse_note},
};

const VERSION: &str = "1";
const ABOUT: TableDefinition<'_, &str, &str> = TableDefinition::new("about");
const ENTRIES: TableDefinition<'_, &str, &str> = TableDefinition::new("entries");
const GAMES: TableDefinition<'_, &str, ()> = TableDefinition::new("games");
const NOTES: TableDefinition<'_, &str, &str> = TableDefinition::new("notes");

/// Why a book cannot be read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file, or the disk.
    #[error("The book {path} cannot be used: {error}.")]
    Database {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: Box<redb::Error>,
    },
    /// Written by another version of the program, or not a book.
    #[error("{path} is not a book of version {VERSION}.")]
    Version {
        /// The file.
        path: PathBuf,
    },
    /// An entry or game that makes no sense.
    #[error("The book {path} is damaged: '{found}' is no entry, game or note.")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What stands there.
        found: String,
    },
}

/// A book file that is open for writing.
#[derive(Debug)]
pub struct BookFile {
    database: Database,
    path: PathBuf,
}

impl BookFile {
    /// Opens a book for writing, or begins a new one.
    pub fn open(path: &Path) -> Result<BookFile, StoreError> {
        let database = Database::create(path).map_err(|error| broken(path, error))?;
        let store = BookFile { database, path: path.to_owned() };
        store.begin().map_err(|error| broken(path, error))?;
        store.book().map(|_| store)
    }

    /// Everything in it.
    pub fn book(&self) -> Result<PositionBook, StoreError> {
        read(&self.database, &self.path)
    }

    /// Stores an entry, unless there is a better founded one; it is on disk when this returns.
    pub fn put(&self, key: &Key, entry: &Entry) -> Result<(), StoreError> {
        let write = || -> Result<(), redb::Error> {
            let change = self.database.begin_write()?;
            {
                let mut entries = change.open_table(ENTRIES)?;
                let old = entries.get(key.as_str())?.and_then(|old| Entry::parse(old.value(), key));
                let best = old.map_or_else(|| entry.clone(), |old| old.better(entry.clone()));
                entries.insert(key.as_str(), best.to_text().as_str())?;
            }
            Ok(change.commit()?)
        };
        write().map_err(|error| broken(&self.path, error))
    }

    /// Replaces everything by a book, at once or not at all.
    pub fn save(&self, book: &PositionBook) -> Result<(), StoreError> {
        let write = || -> Result<(), redb::Error> {
            let change = self.database.begin_write()?;
            change.delete_table(ENTRIES)?;
            change.delete_table(GAMES)?;
            change.delete_table(NOTES)?;
            {
                let mut entries = change.open_table(ENTRIES)?;
                for (key, entry) in book.entries() {
                    entries.insert(key.as_str(), entry.to_text().as_str())?;
                }
                let mut games = change.open_table(GAMES)?;
                for game in book.games() {
                    games.insert(game.to_text().as_str(), ())?;
                }
                let mut notes = change.open_table(NOTES)?;
                for (key, note) in book.notes() {
                    notes.insert(key.as_str(), note.to_text().as_str())?;
                }
            }
            Ok(change.commit()?)
        };
        write().map_err(|error| broken(&self.path, error))
    }

    /// Makes some positions what they are in a book, its entry and its note or their absence, and
    /// leaves everything else as it is on disk.
    pub fn update(&self, book: &PositionBook, keys: &BTreeSet<Key>) -> Result<(), StoreError> {
        let write = || -> Result<(), redb::Error> {
            let change = self.database.begin_write()?;
            {
                let mut entries = change.open_table(ENTRIES)?;
                let mut notes = change.open_table(NOTES)?;
                for key in keys {
                    match book.entry(key) {
                        Some(entry) => entries.insert(key.as_str(), entry.to_text().as_str())?,
                        None => entries.remove(key.as_str())?,
                    };
                    match book.note(key) {
                        Some(note) => notes.insert(key.as_str(), note.to_text().as_str())?,
                        None => notes.remove(key.as_str())?,
                    };
                }
            }
            Ok(change.commit()?)
        };
        write().map_err(|error| broken(&self.path, error))
    }

    /// Makes the tables of a new file.
    fn begin(&self) -> Result<(), redb::Error> {
        let change = self.database.begin_write()?;
        {
            let mut about = change.open_table(ABOUT)?;
            if about.get("version")?.is_none() {
                about.insert("version", VERSION)?;
            }
            change.open_table(ENTRIES)?;
            change.open_table(GAMES)?;
            change.open_table(NOTES)?;
        }
        Ok(change.commit()?)
    }
}

/// Reads a book without changing it; others may read it at the same time. Only if its writer was
/// killed is it opened for writing first, which mends it.
pub fn load_book(path: &Path) -> Result<PositionBook, StoreError> {
    match ReadOnlyDatabase::open(path) {
        Ok(database) => read(&database, path),
        Err(DatabaseError::RepairAborted) => BookFile::open(path)?.book(),
        Err(error) => Err(broken(path, error)),
    }
}

fn read(database: &impl ReadableDatabase, path: &Path) -> Result<PositionBook, StoreError> {
    let fail = |error: redb::Error| broken(path, error);
    let view = database.begin_read().map_err(|error| fail(error.into()))?;
    let version = match view.open_table(ABOUT) {
        Ok(about) => about.get("version").map_err(|error| fail(error.into()))?,
        Err(TableError::TableDoesNotExist(_)) => None,
        Err(error) => return Err(fail(error.into())),
    };
    if version.is_none_or(|version| version.value() != VERSION) {
        return Err(StoreError::Version { path: path.to_owned() });
    }
    let damaged = |found: &str| StoreError::Damaged {
        path: path.to_owned(),
        found: found.chars().take(80).collect(),
    };
    let (mut entries, mut games, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let table = view.open_table(ENTRIES).map_err(|error| fail(error.into()))?;
    for row in table.iter().map_err(|error| fail(error.into()))? {
        let (key, entry) = row.map_err(|error| fail(error.into()))?;
        entries.push(parse_entry(key.value(), entry.value()).ok_or_else(|| damaged(key.value()))?);
    }
    let table = view.open_table(GAMES).map_err(|error| fail(error.into()))?;
    for row in table.iter().map_err(|error| fail(error.into()))? {
        let (game, _) = row.map_err(|error| fail(error.into()))?;
        games.push(BookGame::parse(game.value()).ok_or_else(|| damaged(game.value()))?);
    }
    match view.open_table(NOTES) {
        Ok(table) => {
            for row in table.iter().map_err(|error| fail(error.into()))? {
                let (key, note) = row.map_err(|error| fail(error.into()))?;
                let noted = parse_note(key.value(), note.value());
                notes.push(noted.ok_or_else(|| damaged(key.value()))?);
            }
        }
        // A book from before there were notes.
        Err(TableError::TableDoesNotExist(_)) => {}
        Err(error) => return Err(fail(error.into())),
    }
    Ok(PositionBook::of(entries, games, notes))
}

fn broken(path: &Path, error: impl Into<redb::Error>) -> StoreError {
    StoreError::Database { path: path.to_owned(), error: Box::new(error.into()) }
}
