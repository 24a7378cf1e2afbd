//! A journal of rows: one line of JSON for the setting and one for each row, only ever appended to,
//! and synced before it counts.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use thiserror::Error;

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum RowsError {
    /// The file system refused.
    #[error("{path}: {error}.")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A line that is not understood, before the last.
    #[error("Line {line} of {path} is damaged.")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
    },
    /// The rows belong to something else.
    #[error("{0} was made with another setting; name another folder with --dir.")]
    OtherSetting(PathBuf),
    /// Another process is writing.
    #[error("{0} is in use by another process.")]
    Busy(PathBuf),
}

/// An open journal.
#[derive(Debug)]
pub(crate) struct Rows {
    path: PathBuf,
    file: File,
}

impl Rows {
    /// Opens a journal, or begins it; what it holds comes back. A line that a killed process left
    /// unfinished is cut off.
    pub(crate) fn open<T: DeserializeOwned>(
        path: &Path,
        setting: &Value,
    ) -> Result<(Rows, Vec<T>), RowsError> {
        let refused = |error| RowsError::Io { path: path.to_owned(), error };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(refused)?;
        }
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false);
        let mut file = file.open(path).map_err(refused)?;
        if file.try_lock().is_err() {
            return Err(RowsError::Busy(path.to_owned()));
        }
        let bytes = fs::read(path).map_err(refused)?;
        let (known, rows, valid) = parse::<T>(path, &bytes)?;
        if known.as_ref().is_some_and(|known| known != setting) {
            return Err(RowsError::OtherSetting(path.to_owned()));
        }
        file.set_len(valid).map_err(refused)?;
        file.seek(SeekFrom::End(0)).map_err(refused)?;
        let mut journal = Rows { path: path.to_owned(), file };
        if known.is_none() {
            journal.append(setting)?;
        }
        Ok((journal, rows))
    }

    /// Writes a row; it is on the disk when this returns.
    pub(crate) fn append<T: Serialize>(&mut self, row: &T) -> Result<(), RowsError> {
        let refused = |error| RowsError::Io { path: self.path.clone(), error };
        let mut bytes = serde_json::to_vec(row).map_err(|error| refused(error.into()))?;
        bytes.push(b'\n');
        self.file.write_all(&bytes).map_err(refused)?;
        self.file.sync_data().map_err(refused)
    }
}

/// The rows of a journal; none when there is no such file.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, RowsError> {
    match fs::read(path) {
        Ok(bytes) => Ok(parse(path, &bytes)?.1),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(RowsError::Io { path: path.to_owned(), error }),
    }
}

type Parsed<T> = (Option<Value>, Vec<T>, u64);

fn parse<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<Parsed<T>, RowsError> {
    let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |last| last + 1);
    let mut lines = bytes[..whole].split_inclusive(|b| *b == b'\n').enumerate().peekable();
    let damaged = |line: usize| RowsError::Damaged { path: path.to_owned(), line };
    let Some((_, first)) = lines.next() else { return Ok((None, Vec::new(), 0)) };
    let setting = serde_json::from_slice(first).map_err(|_| damaged(1))?;
    let (mut rows, mut valid) = (Vec::new(), first.len() as u64);
    while let Some((number, text)) = lines.next() {
        match serde_json::from_slice(text) {
            Ok(row) => rows.push(row),
            // A power cut can leave rubbish where the last line should be.
            Err(_) if lines.peek().is_none() => break,
            Err(_) => return Err(damaged(number + 1)),
        }
        valid += text.len() as u64;
    }
    Ok((Some(setting), rows, valid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_a_kill_in_the_middle_of_a_line() {
        let folder = std::env::temp_dir().join(format!("tengen-rows-{}", std::process::id()));
        let path = folder.join("rows.jsonl");
        let setting = serde_json::json!({"games": 3});
        let (mut journal, rows) = Rows::open::<u64>(&path, &setting).unwrap();
        assert!(rows.is_empty());
        journal.append(&7u64).unwrap();
        journal.append(&8u64).unwrap();
        assert!(matches!(Rows::open::<u64>(&path, &setting), Err(RowsError::Busy(_))));
        drop(journal);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend(b"12");
        fs::write(&path, &bytes).unwrap();
        let (mut journal, rows) = Rows::open::<u64>(&path, &setting).unwrap();
        assert_eq!(rows, [7, 8]);
        journal.append(&9u64).unwrap();
        drop(journal);
        assert_eq!(read::<u64>(&path).unwrap(), [7, 8, 9]);
        let other = Rows::open::<u64>(&path, &serde_json::json!({"games": 4}));
        assert!(matches!(other, Err(RowsError::OtherSetting(_))));
        fs::remove_dir_all(&folder).unwrap();
    }
}
