//! The stored games, and the one that is being played.

use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{Store, lock};

/// A game is no larger than this.
pub const MAX_DOC: usize = 1 << 20;
/// The library holds no more games than this.
const MAX_GAMES: usize = 20_000;
/// Holds the name of the game that is being played.
const CURRENT: &str = "current";

/// All games.
#[derive(Debug)]
pub(crate) struct Documents {
    store: Arc<dyn Store>,
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

impl Documents {
    /// Finds the game that was being played.
    pub(crate) fn open(store: &Arc<dyn Store>) -> Documents {
        let documents = Documents { store: Arc::clone(store), current: Mutex::default() };
        let id = store.read(CURRENT).and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some((head, text)) = id.and_then(|id| documents.load(id.trim())) {
            *lock(&documents.current) = Some(Current { head, text });
        }
        documents
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
        if current.as_ref().is_none_or(|now| now.head.id != head.id) {
            if self.load(&head.id).is_none() && self.store.list("games").len() >= MAX_GAMES {
                return Err(PutError::Disk("The library is full.".to_owned()));
            }
            self.store.write(CURRENT, head.id.as_bytes()).map_err(PutError::Disk)?;
        }
        self.store.write(&path(&head.id), doc.get().as_bytes()).map_err(PutError::Disk)?;
        *current = Some(Current { head: head.clone(), text: doc.into() });
        Ok(head)
    }

    /// Makes a stored game the current one.
    pub(crate) fn open_game(&self, id: &str) -> Option<Current> {
        let (head, text) = self.load(id)?;
        let opened = Current { head, text };
        let mut current = lock(&self.current);
        self.store.write(CURRENT, id.as_bytes()).ok()?;
        *current = Some(opened.clone());
        Some(opened)
    }

    /// All stored games, the latest first.
    pub(crate) fn list(&self) -> Vec<Head> {
        let entries = self.store.list("games");
        let ids = entries.iter().filter_map(|entry| entry.name.strip_suffix(".json"));
        let mut heads: Vec<_> = ids.filter_map(|id| Some(self.load(id)?.0)).collect();
        heads.sort_by(|a, b| b.saved.cmp(&a.saved).then_with(|| a.id.cmp(&b.id)));
        heads
    }

    /// A stored game.
    pub(crate) fn load(&self, id: &str) -> Option<(Head, Arc<RawValue>)> {
        let bytes = is_id(id).then(|| self.store.read(&path(id)))??;
        let text: Box<RawValue> = serde_json::from_slice(&bytes).ok()?;
        Some((serde_json::from_str(text.get()).ok()?, text.into()))
    }

    /// Deletes a stored game; the current one stays.
    pub(crate) fn delete(&self, id: &str) -> bool {
        let current = lock(&self.current);
        let is_current = current.as_ref().is_some_and(|now| now.head.id == id);
        is_id(id) && !is_current && self.store.remove(&path(id))
    }
}

fn path(id: &str) -> String {
    format!("games/{id}.json")
}

/// Names of games are names of files, so nothing but letters, digits and dashes.
pub(crate) fn is_id(id: &str) -> bool {
    (1..=40).contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    fn doc(id: &str, seq: u64) -> Box<RawValue> {
        let text =
            format!(r#"{{"v":1,"id":"{id}","seq":{seq},"rule":"renju","size":15,"nodes":[]}}"#);
        RawValue::from_string(text).unwrap()
    }

    #[test]
    fn a_game_survives_a_restart_and_names_are_not_paths() {
        let kept: Arc<dyn Store> = Arc::new(Memory::default());
        let store = Documents::open(&kept);
        assert!(store.current().is_none());
        store.put(doc("a", 1)).unwrap();
        store.put(doc("a", 2)).unwrap();
        assert!(matches!(store.put(doc("a", 2)), Err(PutError::Stale(_))));
        for id in ["../x", "A", "", "a/b", "a.b"] {
            assert!(matches!(store.put(doc(id, 9)), Err(PutError::Malformed(_))), "{id}");
        }
        store.put(doc("b", 1)).unwrap();
        drop(store);

        let store = Documents::open(&kept);
        assert_eq!(store.current().unwrap().head.id, "b");
        assert_eq!(store.list().len(), 2);
        assert_eq!(store.open_game("a").unwrap().head.seq, 2);
        assert!(!store.delete("a"), "the current game is not deleted");
        assert!(store.delete("b"));
        assert_eq!(store.list().len(), 1);
    }
}
