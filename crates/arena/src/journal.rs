//! The journal of a run: one line of JSON for the plan, one for each pair, only ever appended to.
//!
//! It is the truth; everything else (reports, the index, ratings) can be made from it again. A
//! pair is written and flushed before it is counted, and the file is synced at least once a
//! second, so a killed run loses at most what was in flight.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{plan::Plan, record::PairRecord};

/// The version written; older ones are still read.
pub const JOURNAL_VERSION: u32 = 1;

const SYNC_EVERY: Duration = Duration::from_millis(900);

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Line {
    Header { version: u32, at: u64, plan: Box<Plan> },
    Pair(Box<PairRecord>),
    Resumed { at: u64 },
    Note { at: u64, text: String },
}

/// What a journal says.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The plan of the run.
    pub plan: Plan,
    /// When the run began, in seconds since 1970.
    pub began: u64,
    /// The pairs in the order they were finished. One may occur twice, with the same games.
    pub pairs: Vec<PairRecord>,
    /// What else happened, in the run's own words.
    pub notes: Vec<String>,
    /// Length of the valid part of the file; what follows is a torn line.
    valid_bytes: u64,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file system refused.
    #[error("{path}: {error}.")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line that is not understood, before the last.
    #[error("Line {line} of {path} is damaged: {error}.")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
    /// No header.
    #[error("{0} is not the journal of a run.")]
    NotAJournal(PathBuf),
    /// A newer format.
    #[error("{path} has version {version}; this program reads up to {JOURNAL_VERSION}.")]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// Another process is writing.
    #[error("{0} is in use by another process.")]
    Busy(PathBuf),
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    synced: Instant,
    dirty: bool,
}

impl Journal {
    /// Starts the journal of a new run.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(path: &Path, plan: &Plan) -> Result<Journal, JournalError> {
        let io_error = |error| JournalError::Io { path: path.to_owned(), error };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(io_error)?;
        }
        let file = OpenOptions::new().append(true).create_new(true).open(path).map_err(io_error)?;
        let mut journal = Journal::lock(path, file)?;
        let plan = Box::new(plan.clone());
        journal.append(&Line::Header { version: JOURNAL_VERSION, at: now(), plan })?;
        journal.sync()?;
        Ok(journal)
    }

    /// Opens the journal of a run that is to go on. A torn last line is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, is damaged, or is in use.
    pub fn resume(path: &Path) -> Result<(Journal, Recorded), JournalError> {
        let io_error = |error| JournalError::Io { path: path.to_owned(), error };
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(io_error)?;
        let mut journal = Journal::lock(path, file)?;
        let recorded = Recorded::read(path)?;
        journal.file.set_len(recorded.valid_bytes).map_err(io_error)?;
        journal.file.seek(SeekFrom::End(0)).map_err(io_error)?;
        journal.append(&Line::Resumed { at: now() })?;
        journal.sync()?;
        Ok((journal, recorded))
    }

    fn lock(path: &Path, file: File) -> Result<Journal, JournalError> {
        file.try_lock().map_err(|_| JournalError::Busy(path.to_owned()))?;
        Ok(Journal { path: path.to_owned(), file, synced: Instant::now(), dirty: false })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a pair.
    ///
    /// # Errors
    /// When the file cannot be written: the pair must then not be counted.
    pub fn write_pair(&mut self, pair: &PairRecord) -> Result<(), JournalError> {
        self.append(&Line::Pair(Box::new(pair.clone())))
    }

    /// Writes a sentence about the run.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_note(&mut self, text: &str) -> Result<(), JournalError> {
        self.append(&Line::Note { at: now(), text: text.to_owned() })
    }

    /// Syncs if the last sync is long ago; to be called a few times a second.
    ///
    /// # Errors
    /// When the file cannot be synced.
    pub fn tick(&mut self) -> Result<(), JournalError> {
        if self.dirty && self.synced.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    /// Makes sure that everything written survives a power cut.
    ///
    /// # Errors
    /// When the file cannot be synced.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.file.sync_data().map_err(|error| self.io_error(error))?;
        self.synced = Instant::now();
        self.dirty = false;
        Ok(())
    }

    fn append(&mut self, line: &Line) -> Result<(), JournalError> {
        let mut bytes = serde_json::to_vec(line).map_err(|error| self.io_error(error.into()))?;
        bytes.push(b'\n');
        // One write for the whole line: only a crash of the system can tear it.
        self.file.write_all(&bytes).map_err(|error| self.io_error(error))?;
        self.dirty = true;
        self.tick()
    }

    fn io_error(&self, error: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), error }
    }
}

impl Recorded {
    /// Reads a journal, also while another process writes it.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is not a journal.
    pub fn read(path: &Path) -> Result<Recorded, JournalError> {
        let bytes =
            fs::read(path).map_err(|error| JournalError::Io { path: path.to_owned(), error })?;
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |last| last + 1);
        let mut lines = bytes[..whole].split_inclusive(|b| *b == b'\n').enumerate().peekable();
        let mut recorded = match lines.next() {
            Some((_, first)) => Recorded::from_header(path, first)?,
            None => return Err(JournalError::NotAJournal(path.to_owned())),
        };
        while let Some((number, bytes)) = lines.next() {
            match serde_json::from_slice(bytes) {
                Ok(line) => {
                    recorded.add(line);
                    recorded.valid_bytes += bytes.len() as u64;
                }
                // A power cut can leave rubbish where the last line should be.
                Err(_) if lines.peek().is_none() => break,
                Err(error) => {
                    let (path, error) = (path.to_owned(), error.to_string());
                    return Err(JournalError::Damaged { path, line: number + 1, error });
                }
            }
        }
        Ok(recorded)
    }

    fn from_header(path: &Path, bytes: &[u8]) -> Result<Recorded, JournalError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let foreign = || JournalError::NotAJournal(path.to_owned());
        let Version { version } = serde_json::from_slice(bytes).map_err(|_| foreign())?;
        if version > JOURNAL_VERSION {
            return Err(JournalError::TooNew { path: path.to_owned(), version });
        }
        let damaged = |error: serde_json::Error| JournalError::Damaged {
            path: path.to_owned(),
            line: 1,
            error: error.to_string(),
        };
        match serde_json::from_slice(bytes).map_err(damaged)? {
            Line::Header { at, plan, .. } => Ok(Recorded {
                plan: *plan,
                began: at,
                pairs: Vec::new(),
                notes: Vec::new(),
                valid_bytes: bytes.len() as u64,
            }),
            _ => Err(foreign()),
        }
    }

    fn add(&mut self, line: Line) {
        match line {
            Line::Pair(pair) => self.pairs.push(*pair),
            Line::Note { text, .. } => self.notes.push(text),
            Line::Header { .. } | Line::Resumed { .. } => {}
        }
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
