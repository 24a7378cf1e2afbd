//! The questions that are being solved, on disk, so that a killed server goes on with them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{solving::Form, store::replace};

/// A question, and the milliseconds already spent on it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Question {
    pub(crate) form: Form,
    pub(crate) spent: u64,
}

/// The folder of open questions, one file each.
#[derive(Debug)]
pub(crate) struct Questions {
    folder: PathBuf,
}

impl Questions {
    pub(crate) fn new(data: &Path) -> Questions {
        Questions { folder: data.join("questions") }
    }

    /// Writes a question down. Whether it succeeds or not, the question is worked on.
    pub(crate) fn keep(&self, id: u64, question: &Question) {
        if let Ok(text) = serde_json::to_vec(question) {
            let _ = fs::create_dir_all(&self.folder);
            let _ = replace(&self.path(id), &text);
        }
    }

    pub(crate) fn drop(&self, id: u64) {
        let _ = fs::remove_file(self.path(id));
    }

    /// Every open question with its number, the oldest first; what cannot be read is thrown away.
    pub(crate) fn all(&self) -> Vec<(u64, Question)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut all: Vec<_> = entries
            .filter_map(|entry| {
                let path = entry.path();
                let id = path.file_stem()?.to_str()?.parse().ok();
                let question = fs::read(&path).ok();
                let read = question.and_then(|bytes| serde_json::from_slice(&bytes).ok());
                if id.is_none() || read.is_none() {
                    let _ = fs::remove_file(&path);
                }
                id.zip(read)
            })
            .collect();
        all.sort_by_key(|(id, _)| *id);
        all
    }

    fn path(&self, id: u64) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}
