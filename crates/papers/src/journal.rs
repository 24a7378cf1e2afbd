//! A journal of rows: one line of JSON for the setting and one for each row, only ever appended to,
//! and synced before it counts.

use std::{
    io,
    path::{Path, PathBuf},
};

use linelog::{LineLog, LineLogError};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use thiserror::Error;

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum RowsError {
    /// The file cannot be read or written, is damaged, or is in use.
    #[error(transparent)]
    Log(#[from] LineLogError),
    /// The rows belong to something else.
    #[error("{0} was made with another setting; name another folder with --dir.")]
    OtherSetting(PathBuf),
}

/// An open journal.
#[derive(Debug)]
pub(crate) struct Rows(LineLog);

impl Rows {
    /// Opens a journal, or begins it; what it holds comes back. A line that a killed process left
    /// unfinished is cut off.
    pub(crate) fn open<T: DeserializeOwned>(
        path: &Path,
        setting: &Value,
    ) -> Result<(Rows, Vec<T>), RowsError> {
        let (log, held) = match LineLog::resume(path) {
            Err(error) if is_missing(&error) => (LineLog::create(path)?, Vec::new()),
            other => other?,
        };
        let mut journal = Rows(log);
        match held.first() {
            None => journal.append(setting)?,
            Some(known) if known == setting => {}
            Some(_) => return Err(RowsError::OtherSetting(path.to_owned())),
        }
        Ok((journal, rows(path, held)?))
    }

    /// Writes a row; it is on the disk when this returns.
    pub(crate) fn append<T: Serialize>(&mut self, row: &T) -> Result<(), RowsError> {
        self.0.append(row)?;
        Ok(self.0.sync()?)
    }
}

/// The rows of a journal; none when there is no such file.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, RowsError> {
    match linelog::read(path) {
        Ok(held) => rows(path, held),
        Err(error) if is_missing(&error) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

fn is_missing(error: &LineLogError) -> bool {
    matches!(error, LineLogError::Io { error, .. } if error.kind() == io::ErrorKind::NotFound)
}

/// What stands after the setting.
fn rows<T: DeserializeOwned>(path: &Path, held: Vec<Value>) -> Result<Vec<T>, RowsError> {
    let row = |(number, value)| {
        serde_json::from_value(value).map_err(|error| {
            LineLogError::Damaged {
                path: path.to_owned(),
                line: number + 1,
                error: error.to_string(),
            }
            .into()
        })
    };
    held.into_iter().enumerate().skip(1).map(row).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

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
        assert!(matches!(
            Rows::open::<u64>(&path, &setting),
            Err(RowsError::Log(LineLogError::Busy(_)))
        ));
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
