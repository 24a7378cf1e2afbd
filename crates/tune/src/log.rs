//! The log of a tuning run: one line of JSON for the setup and one for each thing that was found,
//! only ever appended to, and synced before it counts.
//!
//! Lines hold no times, so two runs from one seed write the same file, however often they were
//! killed on the way.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{optimizer::Method, run::Setup, space::Genome};

/// The version written.
pub const LOG_VERSION: u32 = 1;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Line {
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
    #[error("{0} is not the log of a tuning run.")]
    NotALog(PathBuf),
    /// Another process is writing.
    #[error("{0} is in use by another process.")]
    Busy(PathBuf),
}

/// An open log with everything in it.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    setup: Setup,
    lines: Vec<Line>,
}

impl Log {
    /// Starts the log of a new run.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(path: &Path, setup: &Setup) -> Result<Log, LogError> {
        let refused = |error| LogError::Io { path: path.to_owned(), error };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(refused)?;
        }
        let file = OpenOptions::new().append(true).create_new(true).open(path).map_err(refused)?;
        file.try_lock().map_err(|_| LogError::Busy(path.to_owned()))?;
        let mut log = Log { path: path.to_owned(), file, setup: setup.clone(), lines: Vec::new() };
        log.write(&Line::Header { version: LOG_VERSION, setup: Box::new(setup.clone()) })?;
        Ok(log)
    }

    /// Opens the log of a run that is to go on. A torn last line is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, is damaged, or is in use.
    pub fn resume(path: &Path) -> Result<Log, LogError> {
        let refused = |error| LogError::Io { path: path.to_owned(), error };
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(refused)?;
        file.try_lock().map_err(|_| LogError::Busy(path.to_owned()))?;
        let bytes = fs::read(path).map_err(refused)?;
        let (mut lines, valid) = read_lines(path, &bytes)?;
        if lines.is_empty() || !matches!(lines[0], Line::Header { version: LOG_VERSION, .. }) {
            return Err(LogError::NotALog(path.to_owned()));
        }
        let Line::Header { setup, .. } = lines.remove(0) else {
            return Err(LogError::NotALog(path.to_owned()));
        };
        file.set_len(valid).map_err(refused)?;
        file.seek(SeekFrom::End(0)).map_err(refused)?;
        Ok(Log { path: path.to_owned(), file, setup: *setup, lines })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is tuned.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Everything after the header, in order.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The finished generations.
    pub fn generations(&self) -> impl DoubleEndedIterator<Item = &Generation> {
        self.lines.iter().filter_map(|line| match line {
            Line::Generation(generation) => Some(generation),
            _ => None,
        })
    }

    /// The snapshots that have met the start.
    pub fn snapshots(&self) -> impl Iterator<Item = &Snapshot> {
        self.lines.iter().filter_map(|line| match line {
            Line::Snapshot(snapshot) => Some(snapshot),
            _ => None,
        })
    }

    /// The tournament, once it was played.
    pub fn tournament(&self) -> Option<&Tournament> {
        self.lines.iter().find_map(|line| match line {
            Line::Tournament(tournament) => Some(tournament),
            _ => None,
        })
    }

    /// The fit, once it was made.
    pub fn fit(&self) -> Option<&Fit> {
        self.lines.iter().find_map(|line| match line {
            Line::Fit(fit) => Some(fit),
            _ => None,
        })
    }

    /// Writes a line and syncs it; only then does it count.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn append(&mut self, line: Line) -> Result<(), LogError> {
        self.write(&line)?;
        self.lines.push(line);
        Ok(())
    }

    fn write(&mut self, line: &Line) -> Result<(), LogError> {
        let refused = |error| LogError::Io { path: self.path.clone(), error };
        let mut bytes = serde_json::to_vec(line).map_err(|error| refused(error.into()))?;
        bytes.push(b'\n');
        self.file.write_all(&bytes).map_err(refused)?;
        self.file.sync_data().map_err(refused)
    }
}

/// The lines that are whole, and how many bytes they fill.
fn read_lines(path: &Path, bytes: &[u8]) -> Result<(Vec<Line>, u64), LogError> {
    let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |last| last + 1);
    let mut found = bytes[..whole].split_inclusive(|b| *b == b'\n').enumerate().peekable();
    let (mut lines, mut valid) = (Vec::new(), 0);
    while let Some((number, text)) = found.next() {
        match serde_json::from_slice(text) {
            Ok(line) => {
                lines.push(line);
                valid += text.len() as u64;
            }
            // A power cut can leave rubbish where the last line should be.
            Err(_) if number > 0 && found.peek().is_none() => break,
            Err(_) if number == 0 => return Err(LogError::NotALog(path.to_owned())),
            Err(error) => {
                let (path, error) = (path.to_owned(), error.to_string());
                return Err(LogError::Damaged { path, line: number + 1, error });
            }
        }
    }
    Ok((lines, valid))
}
