//! The log of a tuning run: one line of JSON for the setup and one for each thing that was found,
//! only ever appended to, and synced before it counts.
//!
//! Lines hold no times, so two runs from one seed write the same file, however often they were
//! killed on the way.

use std::{
    ops::Deref,
    path::{Path, PathBuf},
};

use linelog::{LineLog, LineLogError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{optimizer::Method, setup::Setup, space::Genome};

/// The version written.
pub const LOG_VERSION: u32 = 1;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LogLine {
    /// What is tuned, and how: the first line.
    Header {
        /// Version of the format.
        version: u32,
        /// The setup.
        setup: Box<Setup>,
    },
    /// A generation is finished.
    Generation(Generation),
    /// A snapshot has met the start.
    Snapshot(Snapshot),
    /// The population of the best snapshot has met itself.
    Tournament(Tournament),
    /// Weights were fitted to games.
    Fit(Fit),
}

/// A finished generation: results, and the state after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Generations finished, this one included.
    pub generation: u64,
    /// Half points of the first side in each game of each duel.
    pub duels: Vec<Vec<u8>>,
    /// SHA-256 of the games.
    pub digest: String,
    /// The method afterwards.
    pub state: Method,
    /// What it recommends now.
    pub answer: Genome,
}

/// A snapshot's games against the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The generation.
    pub generation: u64,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Snapshot {
    /// Games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Share of the points.
    pub fn score(&self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games().max(1))
    }
}

/// A population's games among itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tournament {
    /// The snapshot whose population it is.
    pub generation: u64,
    /// Classic Elo after the last game.
    pub ratings: Vec<f64>,
    /// Games played.
    pub games: u64,
}

/// Weights fitted to games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Games learned from.
    pub games: u64,
    /// Positions in them.
    pub positions: u64,
    /// SHA-256 of the games.
    pub digest: String,
    /// Mean loss with the fitted weights.
    pub loss: f64,
    /// Fitted log-odds weight of each gene, before scaling; none when no position had the shape.
    pub weights: Vec<Option<f64>>,
    /// What is recommended.
    pub answer: Genome,
}

/// Why a log cannot be used.
#[derive(Debug, Error)]
pub enum LogError {
    /// The file cannot be read or written, is damaged, or is in use.
    #[error(transparent)]
    File(#[from] LineLogError),
    /// No header.
    #[error("{0} is not the log of a tuning run.")]
    NotALog(PathBuf),
}

impl LogError {
    fn of(path: &Path) -> impl FnOnce(LineLogError) -> LogError {
        move |error| match error {
            LineLogError::Damaged { line: 1, .. } => LogError::NotALog(path.to_owned()),
            error => error.into(),
        }
    }
}

/// What a log says.
#[derive(Clone, Debug)]
pub struct Record {
    setup: Setup,
    lines: Vec<LogLine>,
}

impl Record {
    /// Reads a log, also while another process writes it.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub fn read(path: &Path) -> Result<Record, LogError> {
        Record::new(path, linelog::read(path).map_err(LogError::of(path))?)
    }

    fn new(path: &Path, lines: Vec<LogLine>) -> Result<Record, LogError> {
        let mut lines = lines.into_iter();
        match lines.next() {
            Some(LogLine::Header { version: LOG_VERSION, setup }) => {
                Ok(Record { setup: *setup, lines: lines.collect() })
            }
            _ => Err(LogError::NotALog(path.to_owned())),
        }
    }

    /// What is tuned.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Everything after the header, in order.
    pub fn lines(&self) -> &[LogLine] {
        &self.lines
    }

    /// The finished generations.
    pub fn generations(&self) -> impl DoubleEndedIterator<Item = &Generation> {
        self.lines.iter().filter_map(|line| match line {
            LogLine::Generation(generation) => Some(generation),
            _ => None,
        })
    }

    /// The snapshots that have met the start.
    pub fn snapshots(&self) -> impl Iterator<Item = &Snapshot> {
        self.lines.iter().filter_map(|line| match line {
            LogLine::Snapshot(snapshot) => Some(snapshot),
            _ => None,
        })
    }

    /// The tournament, once it was played.
    pub fn tournament(&self) -> Option<&Tournament> {
        self.lines.iter().find_map(|line| match line {
            LogLine::Tournament(tournament) => Some(tournament),
            _ => None,
        })
    }

    /// The fit, once it was made.
    pub fn fit(&self) -> Option<&Fit> {
        self.lines.iter().find_map(|line| match line {
            LogLine::Fit(fit) => Some(fit),
            _ => None,
        })
    }
}

/// An open log with everything in it.
#[derive(Debug)]
pub struct Log {
    file: LineLog,
    record: Record,
}

impl Deref for Log {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

impl Log {
    /// Starts the log of a new run.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(path: &Path, setup: &Setup) -> Result<Log, LogError> {
        let record = Record { setup: setup.clone(), lines: Vec::new() };
        let mut log = Log { file: LineLog::create(path)?, record };
        log.write(&LogLine::Header { version: LOG_VERSION, setup: Box::new(setup.clone()) })?;
        Ok(log)
    }

    /// Opens the log of a run that is to go on. A torn last line is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, is damaged, or is in use.
    pub fn resume(path: &Path) -> Result<Log, LogError> {
        let (file, lines) = LineLog::resume(path).map_err(LogError::of(path))?;
        Ok(Log { file, record: Record::new(path, lines)? })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Writes a line and syncs it; only then does it count.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn append(&mut self, line: LogLine) -> Result<(), LogError> {
        self.write(&line)?;
        self.record.lines.push(line);
        Ok(())
    }

    fn write(&mut self, line: &LogLine) -> Result<(), LogError> {
        self.file.append(line)?;
        Ok(self.file.sync()?)
    }
}
