//! Games in the data folder: one file each, replaced whole, so that a crash leaves the old or the new.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{StudioError, lock};

/// A game is no larger than this.
pub(crate) const MAX_DOC: usize = 1 << 20;
/// The library holds no more games than this.
const MAX_GAMES: usize = 20_000;

/// The data folder.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    current: Mutex<Option<Current>>,
}

/// The game that is being played.
#[derive(Clone, Debug)]
pub(crate) struct Current {
    pub(crate) head: Head,
    pub(crate) text: Arc<RawValue>,
}

/// What the server reads of a game; the rest is the page's.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Head {
    pub(crate) v: u32,
    pub(crate) id: String,
    pub(crate) seq: u64,
    /// Milliseconds since 1970, by the page's clock.
    #[serde(default)]
    pub(crate) saved: u64,
    #[serde(default)]
    pub(crate) title: String,
    pub(crate) rule: String,
    pub(crate) size: u8,
    #[serde(default)]
    pub(crate) names: Option<(String, String)>,
    #[serde(default)]
    pub(crate) result: Option<String>,
    #[serde(default)]
    pub(crate) plies: u32,
}

/// Why a game was not taken.
#[derive(Debug)]
pub(crate) enum PutError {
    /// It is not a game.
    Malformed(String),
    /// Another page has saved a later one.
    Stale(Arc<RawValue>),
    /// The disk refused.
    Disk(String),
}

impl Store {
    /// Opens the folder and finds the game that was being played.
    pub(crate) fn open(folder: &Path) -> Result<Store, StudioError> {
        let games = folder.join("games");
        fs::create_dir_all(&games)
            .map_err(|error| StudioError::Data { path: games.clone(), error })?;
        let store = Store { folder: folder.to_owned(), current: Mutex::default() };
        if let Ok(id) = fs::read_to_string(folder.join("current"))
            && let Some((head, text)) = store.load(id.trim())
        {
            *lock(&store.current) = Some(Current { head, text });
        }
        Ok(store)
    }

    /// The game that is being played.
    pub(crate) fn current(&self) -> Option<Current> {
        lock(&self.current).clone()
    }

    /// Takes a changed game and makes it the current one.
    pub(crate) fn put(&self, doc: Box<RawValue>) -> Result<Head, PutError> {
        let head: Head = serde_json::from_str(doc.get())
            .map_err(|error| PutError::Malformed(error.to_string()))?;
        if !is_id(&head.id) || doc.get().len() > MAX_DOC {
            return Err(PutError::Malformed(
                "The game has no proper name, or is too large.".into(),
            ));
        }
        let mut current = lock(&self.current);
        if let Some(now) = &*current
            && now.head.id == head.id
            && now.head.seq >= head.seq
        {
            return Err(PutError::Stale(Arc::clone(&now.text)));
        }
        let disk = |error: io::Error| PutError::Disk(error.to_string());
        if current.as_ref().is_none_or(|now| now.head.id != head.id) {
            if !self.path(&head.id).exists() && self.count() >= MAX_GAMES {
                return Err(PutError::Disk("The library is full.".to_owned()));
            }
            replace(&self.folder.join("current"), head.id.as_bytes()).map_err(disk)?;
        }
        replace(&self.path(&head.id), doc.get().as_bytes()).map_err(disk)?;
        *current = Some(Current { head: head.clone(), text: doc.into() });
        Ok(head)
    }

    /// Makes a stored game the current one.
    pub(crate) fn open_game(&self, id: &str) -> Option<Current> {
        let (head, text) = self.load(id)?;
        let opened = Current { head, text };
        let mut current = lock(&self.current);
        replace(&self.folder.join("current"), id.as_bytes()).ok()?;
        *current = Some(opened.clone());
        Some(opened)
    }

    /// All stored games, the latest first.
    pub(crate) fn list(&self) -> Vec<Head> {
        let Ok(entries) = fs::read_dir(self.folder.join("games")) else { return Vec::new() };
        let mut heads: Vec<_> = entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name();
                Some(self.load(name.to_str()?.strip_suffix(".json")?)?.0)
            })
            .collect();
        heads.sort_by(|a, b| b.saved.cmp(&a.saved).then_with(|| a.id.cmp(&b.id)));
        heads
    }

    /// A stored game.
    pub(crate) fn load(&self, id: &str) -> Option<(Head, Arc<RawValue>)> {
        let path = is_id(id).then(|| self.path(id))?;
        let text: Box<RawValue> = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
        Some((serde_json::from_str(text.get()).ok()?, text.into()))
    }

    /// Deletes a stored game; the current one stays.
    pub(crate) fn delete(&self, id: &str) -> bool {
        let current = lock(&self.current);
        let is_current = current.as_ref().is_some_and(|now| now.head.id == id);
        is_id(id) && !is_current && fs::remove_file(self.path(id)).is_ok()
    }

    fn count(&self) -> usize {
        fs::read_dir(self.folder.join("games")).map_or(0, Iterator::count)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join("games").join(format!("{id}.json"))
    }
}

/// Names of games are names of files, so nothing but letters, digits and dashes.
pub(crate) fn is_id(id: &str) -> bool {
    (1..=40).contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Writes a file beside its place and moves it there.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = fs::File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(id: &str, seq: u64) -> Box<RawValue> {
        let text =
            format!(r#"{{"v":1,"id":"{id}","seq":{seq},"rule":"renju","size":15,"nodes":[]}}"#);
        RawValue::from_string(text).unwrap()
    }

    #[test]
    fn a_game_survives_a_restart_and_names_are_not_paths() {
        let folder = std::env::temp_dir().join(format!("studio-store-{}", std::process::id()));
        let store = Store::open(&folder).unwrap();
        assert!(store.current().is_none());
        store.put(doc("a", 1)).unwrap();
        store.put(doc("a", 2)).unwrap();
        assert!(matches!(store.put(doc("a", 2)), Err(PutError::Stale(_))));
        for id in ["../x", "A", "", "a/b", "a.b"] {
            assert!(matches!(store.put(doc(id, 9)), Err(PutError::Malformed(_))), "{id}");
        }
        store.put(doc("b", 1)).unwrap();
        drop(store);

        let store = Store::open(&folder).unwrap();
        assert_eq!(store.current().unwrap().head.id, "b");
        assert_eq!(store.list().len(), 2);
        assert_eq!(store.open_game("a").unwrap().head.seq, 2);
        assert!(!store.delete("a"), "the current game is not deleted");
        assert!(store.delete("b"));
        assert_eq!(store.list().len(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
