//! A file of JSON lines that one process at a time appends to, and that survives a kill at any point.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};
use thiserror::Error;

/// Why such a file cannot be used.
#[derive(Debug, Error)]
pub enum LinesError {
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
        error: serde_json::Error,
    },
    /// Another process is writing.
    #[error("{0} is in use by another process.")]
    Busy(PathBuf),
}

impl LinesError {
    fn io(path: &Path) -> impl Fn(io::Error) -> LinesError {
        move |error| LinesError::Io { path: path.to_owned(), error }
    }
}

/// An open file, locked against other writers.
#[derive(Debug)]
pub struct Lines {
    path: PathBuf,
    file: File,
}

impl Lines {
    /// Begins a file, and the folder it lies in.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(path: &Path) -> Result<Lines, LinesError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(LinesError::io(path))?;
        }
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        Lines::lock(path, file)
    }

    /// Opens a file to go on; what it holds comes back. A torn last line is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, is damaged, or is in use.
    pub fn resume<T: DeserializeOwned>(path: &Path) -> Result<(Lines, Vec<T>), LinesError> {
        let mut lines = Lines::lock(path, OpenOptions::new().read(true).write(true).open(path))?;
        let (held, valid) = parse(path)?;
        lines.file.set_len(valid).map_err(LinesError::io(path))?;
        lines.file.seek(SeekFrom::End(0)).map_err(LinesError::io(path))?;
        Ok((lines, held))
    }

    fn lock(path: &Path, file: io::Result<File>) -> Result<Lines, LinesError> {
        let file = file.map_err(LinesError::io(path))?;
        file.try_lock().map_err(|_| LinesError::Busy(path.to_owned()))?;
        Ok(Lines { path: path.to_owned(), file })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a line. It survives a kill of this process, and after [`sync`](Self::sync) a power cut.
    ///
    /// # Errors
    /// When the file cannot be written: what the line says must then not be counted.
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), LinesError> {
        let refused = LinesError::io(&self.path);
        let mut bytes = serde_json::to_vec(line).map_err(|error| refused(error.into()))?;
        bytes.push(b'\n');
        // One write for the whole line: only a crash of the system can tear it.
        self.file.write_all(&bytes).map_err(refused)
    }

    /// Makes sure that everything written survives a power cut.
    ///
    /// # Errors
    /// When the file cannot be synced.
    pub fn sync(&mut self) -> Result<(), LinesError> {
        self.file.sync_data().map_err(LinesError::io(&self.path))
    }
}

/// The lines of a file, also while another process writes it.
///
/// # Errors
/// When the file cannot be read or is damaged.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, LinesError> {
    Ok(parse(path)?.0)
}

/// The lines that are whole, and how many bytes they fill.
fn parse<T: DeserializeOwned>(path: &Path) -> Result<(Vec<T>, u64), LinesError> {
    let bytes = fs::read(path).map_err(LinesError::io(path))?;
    let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |last| last + 1);
    let mut texts = bytes[..whole].split_inclusive(|b| *b == b'\n').enumerate().peekable();
    let (mut lines, mut valid) = (Vec::new(), 0);
    while let Some((number, text)) = texts.next() {
        match serde_json::from_slice(text) {
            Ok(line) => lines.push(line),
            // A power cut can leave rubbish where the last line should be.
            Err(_) if number > 0 && texts.peek().is_none() => break,
            Err(error) => {
                return Err(LinesError::Damaged { path: path.to_owned(), line: number + 1, error });
            }
        }
        valid += text.len() as u64;
    }
    Ok((lines, valid))
}
