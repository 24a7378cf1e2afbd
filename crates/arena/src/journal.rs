//! The journal of a run: one line of JSON for the plan, one for each pair, only ever appended to.
//!
//! It is the truth; everything else (reports, ratings) can be made from it again. A
//! pair is written and flushed before it is counted, and the file is synced at least once a
//! second, so a killed run loses at most what was in flight.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use linelog::{LineLog, LineLogError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{plan::Plan, record::PairRecord};

/// The version written; older ones are still read. In 2 lines have checksums and pairs can be struck.
pub const JOURNAL_VERSION: u32 = 2;

const SYNC_EVERY: Duration = Duration::from_millis(900);

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Line {
    Header {
        version: u32,
        at: u64,
        plan: Box<Plan>,
    },
    Pair(Box<PairRecord>),
    Resumed {
        at: u64,
    },
    Note {
        at: u64,
        text: String,
    },
    /// The records of these pairs so far do not count, because of what the text says.
    Struck {
        at: u64,
        pairs: Vec<u64>,
        text: String,
    },
}

/// What a journal says.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalContent {
    /// The plan of the run.
    pub plan: Plan,
    /// When the run began, in seconds since 1970.
    pub began: u64,
    /// The pairs in the order they were finished. One may occur twice, with the same games.
    pub pairs: Vec<PairRecord>,
    /// What else happened, in the run's own words.
    pub notes: Vec<String>,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written, is damaged, or is in use.
    #[error(transparent)]
    Log(#[from] LineLogError),
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
    /// A pair of nobody.
    #[error("{path}: pair {pair} has a player that the plan does not name.")]
    NoSuchPlayer {
        /// The file.
        path: PathBuf,
        /// The pair's index.
        pair: u64,
    },
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    log: LineLog,
    synced: Instant,
    dirty: bool,
}

impl Journal {
    /// Starts the journal of a new run.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(path: &Path, plan: &Plan) -> Result<Journal, JournalError> {
        let plan = Box::new(plan.clone());
        let header = Line::Header { version: JOURNAL_VERSION, at: now(), plan };
        Journal::begin(LineLog::create(path)?, &header)
    }

    /// Opens the journal of a run that is to go on. A torn last line is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, is damaged, or is in use.
    pub fn resume(path: &Path) -> Result<(Journal, JournalContent), JournalError> {
        let (log, held) = LineLog::resume(path).map_err(|error| explain(path, error))?;
        let recorded = JournalContent::new(path, held)?;
        Ok((Journal::begin(log, &Line::Resumed { at: now() })?, recorded))
    }

    fn begin(log: LineLog, first: &Line) -> Result<Journal, JournalError> {
        let mut journal = Journal { log, synced: Instant::now(), dirty: false };
        journal.append(first)?;
        journal.sync()?;
        Ok(journal)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.log.path()
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

    /// Takes pairs back that were written and are not to be believed; they can be played again.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn strike(&mut self, pairs: &[u64], text: &str) -> Result<(), JournalError> {
        let (pairs, text) = (pairs.to_vec(), text.to_owned());
        self.append(&Line::Struck { at: now(), pairs, text })?;
        self.sync()
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
        self.log.sync()?;
        self.synced = Instant::now();
        self.dirty = false;
        Ok(())
    }

    fn append(&mut self, line: &Line) -> Result<(), JournalError> {
        self.log.append(line)?;
        self.dirty = true;
        self.tick()
    }
}

impl JournalContent {
    /// Reads a journal, also while another process writes it.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is not a journal.
    pub fn read(path: &Path) -> Result<JournalContent, JournalError> {
        JournalContent::new(path, linelog::read(path).map_err(|error| explain(path, error))?)
    }

    fn new(path: &Path, lines: Vec<Line>) -> Result<JournalContent, JournalError> {
        let mut lines = lines.into_iter();
        let Some(Line::Header { version, at, plan }) = lines.next() else {
            return Err(JournalError::NotAJournal(path.to_owned()));
        };
        if version > JOURNAL_VERSION {
            return Err(JournalError::TooNew { path: path.to_owned(), version });
        }
        let (pairs, notes) = (Vec::new(), Vec::new());
        let mut recorded = JournalContent { plan: *plan, began: at, pairs, notes };
        lines.for_each(|line| recorded.add(line));
        let n_players = recorded.plan.players.len();
        let is_strange = |pair: &&PairRecord| pair.players.iter().any(|&p| p >= n_players);
        match recorded.pairs.iter().find(is_strange) {
            Some(&PairRecord { index: pair, .. }) => {
                Err(JournalError::NoSuchPlayer { path: path.to_owned(), pair })
            }
            None => Ok(recorded),
        }
    }

    fn add(&mut self, line: Line) {
        match line {
            Line::Pair(pair) => self.pairs.push(*pair),
            Line::Note { text, .. } => self.notes.push(text),
            Line::Struck { pairs, text, .. } => {
                self.pairs.retain(|pair| !pairs.contains(&pair.index));
                self.notes.push(text);
            }
            Line::Header { .. } | Line::Resumed { .. } => {}
        }
    }
}

/// Says more of a file whose lines are not understood: it may be newer, or something else.
fn explain(path: &Path, error: LineLogError) -> JournalError {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    if !matches!(error, LineLogError::Damaged { .. }) {
        return error.into();
    }
    let mut first = String::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).read_line(&mut first));
    match serde_json::from_str(&first) {
        Ok(Version { version }) if version > JOURNAL_VERSION => {
            JournalError::TooNew { path: path.to_owned(), version }
        }
        Err(_) if read.is_ok() => JournalError::NotAJournal(path.to_owned()),
        _ => error.into(),
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
