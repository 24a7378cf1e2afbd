//! Books on disk: a `redb` file with a table of entries, one of games and one of notes.
//!
//! Every entry is a transaction of its own, so that a build that is killed loses at most the
//! position it was searching.

use std::{
    collections::BTreeSet,
    fs::OpenOptions,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use redb::{
    Database, DatabaseError, ReadOnlyDatabase, ReadableDatabase, ReadableTable, Table,
    TableDefinition, TableError,
};
use thiserror::Error;

use crate::{
    entry::{Entry, Key},
    guard::guarded,
    position_book::{BookGame, PositionBook, parse_entry, parse_note},
};

/// The version written. Books of version 1 have no checksum; they get one when they are written to.
const VERSION: &str = "2";
const FIRST_VERSION: &str = "1";
/// The entry of [`ABOUT`] that holds the checksum of all rows.
const SUM: &str = "sum";
/// What `redb` writes first, in bytes, and the word that its files begin with.
const HEADER: usize = 512;
const MAGIC: usize = 9;
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
    #[error("{path} is not a book of version {FIRST_VERSION} or {VERSION}.")]
    Version {
        /// The file.
        path: PathBuf,
    },
    /// What is in it is not what was written.
    #[error(
        "The book {path} is damaged: {found}. Put a copy in its place, or move it away and build it \
         again."
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        found: String,
    },
}

/// A book file that is open for writing.
#[derive(Debug)]
pub struct BookFile {
    /// Taken away only when the file is closed.
    database: Option<Database>,
    path: PathBuf,
}

impl BookFile {
    /// Opens a book for writing, or begins a new one.
    pub fn open(path: &Path) -> Result<BookFile, StoreError> {
        BookFile::open_and_read(path).map(|(store, _)| store)
    }

    /// The same, and everything in it.
    pub fn open_and_read(path: &Path) -> Result<(BookFile, PositionBook), StoreError> {
        let database = at_the_door(path, || {
            clear_unborn(path)?;
            let database = Database::create(path)?;
            begin(&database)?;
            Ok(database)
        })?;
        let store = BookFile { database: Some(database), path: path.to_owned() };
        let book = store.book()?;
        Ok((store, book))
    }

    /// Everything in it.
    pub fn book(&self) -> Result<PositionBook, StoreError> {
        match &self.database {
            Some(database) => read(database, &self.path),
            None => Ok(PositionBook::default()),
        }
    }

    /// Stores an entry, unless there is a better founded one; it is on disk when this returns.
    pub fn put(&self, key: &Key, entry: &Entry) -> Result<(), StoreError> {
        self.change(|tables| {
            let old = tables.entries.get(key.as_str())?;
            let old = old.and_then(|old| Entry::parse(old.value(), key));
            let best = old.map_or_else(|| entry.clone(), |old| old.better(entry.clone()));
            tables.set_entry(key, Some(&best))
        })
    }

    /// Replaces everything by a book, at once or not at all.
    pub fn save(&self, book: &PositionBook) -> Result<(), StoreError> {
        self.change(|tables| {
            tables.entries.retain(|_, _| false)?;
            tables.games.retain(|_, _| false)?;
            tables.notes.retain(|_, _| false)?;
            tables.sum = 0;
            for (key, entry) in book.entries() {
                tables.set_entry(key, Some(entry))?;
            }
            for game in book.games() {
                let text = game.to_text();
                if tables.games.insert(text.as_str(), ())?.is_none() {
                    tables.sum = tables.sum.wrapping_add(sum_of("game", &text, ""));
                }
            }
            for (key, note) in book.notes() {
                tables.set_note(key, Some(&note.to_text()))?;
            }
            Ok(())
        })
    }

    /// Makes some positions what they are in a book, its entry and its note or their absence, and
    /// leaves everything else as it is on disk.
    pub fn update(&self, book: &PositionBook, keys: &BTreeSet<Key>) -> Result<(), StoreError> {
        self.change(|tables| {
            for key in keys {
                tables.set_entry(key, book.entry(key))?;
                tables.set_note(key, book.note(key).map(|note| note.to_text()).as_deref())?;
            }
            Ok(())
        })
    }

    /// Changes rows and their checksum, at once or not at all.
    fn change(
        &self,
        work: impl FnOnce(&mut Tables<'_>) -> Result<(), redb::Error>,
    ) -> Result<(), StoreError> {
        let Some(database) = &self.database else { return Ok(()) };
        at_the_door(&self.path, || {
            let change = database.begin_write()?;
            {
                let mut about = change.open_table(ABOUT)?;
                let sum = about.get(SUM)?.and_then(|sum| sum.value().parse().ok()).unwrap_or(0);
                let mut tables = Tables {
                    entries: change.open_table(ENTRIES)?,
                    games: change.open_table(GAMES)?,
                    notes: change.open_table(NOTES)?,
                    sum,
                };
                work(&mut tables)?;
                about.insert(SUM, tables.sum.to_string().as_str())?;
            }
            Ok(change.commit()?)
        })
    }
}

impl Drop for BookFile {
    fn drop(&mut self) {
        let database = self.database.take();
        // Closing writes once more; a damaged file must not end the program there.
        guarded(|| drop(database));
    }
}

/// The tables during a change, and the checksum of their rows.
struct Tables<'a> {
    entries: Table<'a, &'static str, &'static str>,
    games: Table<'a, &'static str, ()>,
    notes: Table<'a, &'static str, &'static str>,
    sum: u64,
}

impl Tables<'_> {
    fn set_entry(&mut self, key: &Key, entry: Option<&Entry>) -> Result<(), redb::Error> {
        let text = entry.map(Entry::to_text);
        set(&mut self.entries, &mut self.sum, "entry", key.as_str(), text.as_deref())
    }

    fn set_note(&mut self, key: &Key, note: Option<&str>) -> Result<(), redb::Error> {
        set(&mut self.notes, &mut self.sum, "note", key.as_str(), note)
    }
}

fn set(
    table: &mut Table<'_, &'static str, &'static str>,
    sum: &mut u64,
    kind: &str,
    key: &str,
    text: Option<&str>,
) -> Result<(), redb::Error> {
    let old = match text {
        Some(text) => table.insert(key, text)?,
        None => table.remove(key)?,
    };
    if let Some(old) = old {
        *sum = sum.wrapping_sub(sum_of(kind, key, old.value()));
    }
    if let Some(text) = text {
        *sum = sum.wrapping_add(sum_of(kind, key, text));
    }
    Ok(())
}

/// The checksum of a row (FNV-1a). Those of all rows are added up, so that their order does not matter
/// and a row can be taken out again.
fn sum_of(kind: &str, key: &str, text: &str) -> u64 {
    let bytes = [kind, key, text].into_iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Empties a file that a program was killed while it made it. Nothing follows its header then, and the
/// word at its beginning, which `redb` writes last and insists on, is missing.
fn clear_unborn(path: &Path) -> io::Result<()> {
    let Ok(mut file) = OpenOptions::new().read(true).write(true).open(path) else { return Ok(()) };
    let mut bytes = [0; HEADER];
    let is_unborn = file.try_lock().is_ok()
        && file.read_exact(&mut bytes).is_ok()
        && bytes[..MAGIC] == [0; MAGIC]
        && BufReader::new(&file).bytes().all(|byte| matches!(byte, Ok(0)));
    if is_unborn { file.set_len(0) } else { Ok(()) }
}

/// Makes the tables of a new file, and the checksum of one that has none.
fn begin(database: &Database) -> Result<(), redb::Error> {
    let change = database.begin_write()?;
    {
        let mut about = change.open_table(ABOUT)?;
        let version = about.get("version")?.map(|version| version.value().to_owned());
        let (entries, games, notes) =
            (change.open_table(ENTRIES)?, change.open_table(GAMES)?, change.open_table(NOTES)?);
        if version.is_none_or(|version| version == FIRST_VERSION) {
            let mut sum = 0u64;
            for row in entries.iter()? {
                let (key, text) = row?;
                sum = sum.wrapping_add(sum_of("entry", key.value(), text.value()));
            }
            for row in games.iter()? {
                sum = sum.wrapping_add(sum_of("game", row?.0.value(), ""));
            }
            for row in notes.iter()? {
                let (key, text) = row?;
                sum = sum.wrapping_add(sum_of("note", key.value(), text.value()));
            }
            about.insert(SUM, sum.to_string().as_str())?;
            about.insert("version", VERSION)?;
        }
    }
    Ok(change.commit()?)
}

/// Reads a book without changing it; others may read it at the same time. Only if its writer was
/// killed is it opened for writing first, which mends it.
pub fn load_book(path: &Path) -> Result<PositionBook, StoreError> {
    match guarded(|| ReadOnlyDatabase::open(path)) {
        Some(Ok(database)) => {
            let book = read(&database, path);
            guarded(|| drop(database));
            book
        }
        Some(Err(DatabaseError::RepairAborted)) => BookFile::open(path)?.book(),
        Some(Err(error)) => Err(broken(path, error)),
        None => Err(nonsense(path)),
    }
}

/// Does something with the database behind a book; damage is an error of the book.
fn at_the_door<T>(
    path: &Path,
    work: impl FnOnce() -> Result<T, redb::Error>,
) -> Result<T, StoreError> {
    guarded(work).ok_or_else(|| nonsense(path))?.map_err(|error| broken(path, error))
}

fn nonsense(path: &Path) -> StoreError {
    let found = "its pages make no sense".to_owned();
    StoreError::Damaged { path: path.to_owned(), found }
}

fn read(database: &impl ReadableDatabase, path: &Path) -> Result<PositionBook, StoreError> {
    let damaged = |found: String| StoreError::Damaged { path: path.to_owned(), found };
    let rows = at_the_door(path, || rows(database))?;
    let sum = match rows.version.as_deref() {
        Some(FIRST_VERSION) => None,
        Some(VERSION) => Some(rows.sum.clone().unwrap_or_default()),
        _ => return Err(StoreError::Version { path: path.to_owned() }),
    };
    let no_row = |key: &str| {
        let key: String = key.chars().take(80).collect();
        damaged(format!("'{key}' is no entry, game or note"))
    };
    let (mut entries, mut games, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for (key, text) in &rows.entries {
        entries.push(parse_entry(key, text).ok_or_else(|| no_row(key))?);
    }
    for game in &rows.games {
        games.push(BookGame::parse(game).ok_or_else(|| no_row(game))?);
    }
    for (key, text) in &rows.notes {
        notes.push(parse_note(key, text).ok_or_else(|| no_row(key))?);
    }
    if sum.is_some_and(|sum| sum != rows.found_sum().to_string()) {
        return Err(damaged("its checksum is wrong".to_owned()));
    }
    Ok(PositionBook::of(entries, games, notes))
}

/// Everything in a file, as text.
#[derive(Default)]
struct Rows {
    version: Option<String>,
    sum: Option<String>,
    entries: Vec<(String, String)>,
    games: Vec<String>,
    notes: Vec<(String, String)>,
}

impl Rows {
    fn found_sum(&self) -> u64 {
        let entries = self.entries.iter().map(|(key, text)| sum_of("entry", key, text));
        let games = self.games.iter().map(|game| sum_of("game", game, ""));
        let notes = self.notes.iter().map(|(key, text)| sum_of("note", key, text));
        entries.chain(games).chain(notes).fold(0, u64::wrapping_add)
    }
}

fn rows(database: &impl ReadableDatabase) -> Result<Rows, redb::Error> {
    let view = database.begin_read()?;
    let mut rows = Rows::default();
    match view.open_table(ABOUT) {
        Ok(about) => {
            rows.version = about.get("version")?.map(|version| version.value().to_owned());
            rows.sum = about.get(SUM)?.map(|sum| sum.value().to_owned());
        }
        Err(TableError::TableDoesNotExist(_)) => return Ok(rows),
        Err(error) => return Err(error.into()),
    }
    let pairs = |table: TableDefinition<'_, &'static str, &'static str>| {
        let mut pairs = Vec::new();
        for row in view.open_table(table)?.iter()? {
            let (key, text) = row?;
            pairs.push((key.value().to_owned(), text.value().to_owned()));
        }
        Ok::<_, redb::Error>(pairs)
    };
    rows.entries = pairs(ENTRIES)?;
    for row in view.open_table(GAMES)?.iter()? {
        rows.games.push(row?.0.value().to_owned());
    }
    rows.notes = match pairs(NOTES) {
        // A book from before there were notes.
        Err(redb::Error::TableDoesNotExist(_)) => Vec::new(),
        notes => notes?,
    };
    Ok(rows)
}

fn broken(path: &Path, error: impl Into<redb::Error>) -> StoreError {
    let path = path.to_owned();
    match error.into() {
        redb::Error::Corrupted(found) => StoreError::Damaged { path, found },
        error => StoreError::Database { path, error: Box::new(error) },
    }
}
