//! The stored games, and the one that is being played.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};

use crate::{
    Store,
    document::{self, Merged},
    lock,
};

/// A game is no larger than this.
pub const MAX_DOC: usize = 4 << 20;
/// The library holds no more games than this.
const MAX_GAMES: usize = 20_000;
/// Holds the name of the game that is being played.
const CURRENT: &str = "current";
/// Holds games that cannot be shown.
const ASIDE: &str = "damaged-games";
/// Holds games that were deleted, for a while.
const BIN: &str = "deleted-games";
/// How long a deleted game can be had back.
const BIN_TIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// All games.
#[derive(Debug)]
pub(crate) struct Documents {
    store: Arc<dyn Store>,
    current: Mutex<Option<Current>>,
    /// What the next page must be told.
    warning: Mutex<Option<String>>,
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
    /// It came by a link and was only looked at: it is in no list, and goes when another comes.
    #[serde(default, skip_serializing)]
    pub(crate) seen: bool,
}

/// What became of a game that a page sent.
#[derive(Debug)]
pub(crate) enum Put {
    /// It is on disk as it came.
    Saved(Head),
    /// Another page has changed the game meanwhile; what is on disk now holds both.
    Merged(Current),
    /// It holds nothing that this later one does not.
    Stale(Current),
    /// Another page has made a different game of it: that one stays, and this is kept under another
    /// name.
    Copied {
        /// The game that stays.
        stays: Current,
        /// The name of the copy.
        copy: String,
    },
}

/// Why a game was not taken.
#[derive(Debug)]
pub(crate) enum PutError {
    /// It is not a game.
    Malformed(String),
    /// The disk refused.
    Disk(String),
}

impl Documents {
    /// Finds the game that was being played. One that cannot be shown is set aside; what has been in the
    /// bin for too long goes.
    pub(crate) fn open(store: &Arc<dyn Store>, now: Duration) -> Documents {
        let documents = Documents {
            store: Arc::clone(store),
            current: Mutex::default(),
            warning: Mutex::default(),
        };
        let id = store.read(CURRENT).and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(id) = id.as_deref().map(str::trim) {
            match documents.find(id) {
                Some(Ok(found)) => *lock(&documents.current) = Some(found),
                Some(Err(detail)) => {
                    *lock(&documents.warning) = Some(documents.set_aside(id, &detail))
                }
                None => {}
            }
        }
        documents.empty_bin(now);
        documents
    }

    /// What a page must be told, once.
    pub(crate) fn take_warning(&self) -> Option<String> {
        lock(&self.warning).take()
    }

    /// The game that is being played.
    pub(crate) fn current(&self) -> Option<Current> {
        lock(&self.current).clone()
    }

    /// Takes a changed game and makes it the current one. `base` is the number of the stored version
    /// that the page began with; if another was stored since, both are kept.
    pub(crate) fn put(&self, doc: Box<RawValue>, base: Option<u64>) -> Result<Put, PutError> {
        let head = checked(doc.get()).map_err(PutError::Malformed)?;
        let mut current = lock(&self.current);
        let stored = match &*current {
            Some(now) if now.head.id == head.id => Some(now.clone()),
            _ => match self.find(&head.id) {
                Some(Err(detail)) => {
                    *lock(&self.warning) = Some(self.set_aside(&head.id, &detail));
                    None
                }
                found => found.and_then(Result::ok),
            },
        };
        let sent = Current { head: head.clone(), text: doc.into() };
        let Some(stored) = stored else {
            if self.store.list("games").len() >= MAX_GAMES {
                return Err(PutError::Disk("The library is full.".to_owned()));
            }
            return self.keep(&mut current, sent).map(|()| Put::Saved(head));
        };
        let is_next = base.is_none_or(|base| base == stored.head.seq);
        if is_next && head.seq > stored.head.seq {
            return self.keep(&mut current, sent).map(|()| Put::Saved(head));
        }
        let (both, has_all) = match document::merge(fields(&stored), fields(&sent)) {
            Merged::Stored => return Ok(Put::Stale(stored)),
            Merged::Other(_) if head.seq > stored.head.seq => {
                return self.keep(&mut current, sent).map(|()| Put::Saved(head));
            }
            Merged::Other(both) | Merged::Both(both) => (both, true),
            Merged::Apart => (fields(&sent), false),
        };
        let seq = stored.head.seq.max(head.seq).saturating_add(1);
        match with(both, "seq", seq.into()).filter(|_| has_all) {
            Some(both) => {
                self.keep(&mut current, both.clone())?;
                Ok(Put::Merged(both))
            }
            // Two games in one name, or one too large.
            None => {
                let copy = self.copy(&sent)?;
                Ok(Put::Copied { stays: stored, copy })
            }
        }
    }

    /// Writes a game and makes it the current one.
    fn keep(&self, current: &mut Option<Current>, game: Current) -> Result<(), PutError> {
        let id = &game.head.id;
        self.store.write(&path(id), game.text.get().as_bytes()).map_err(PutError::Disk)?;
        if current.as_ref().is_none_or(|now| now.head.id != *id) {
            self.store.write(CURRENT, id.as_bytes()).map_err(PutError::Disk)?;
            self.forget(current.as_ref());
        }
        *current = Some(game);
        Ok(())
    }

    /// A game that was only looked at does not stay.
    fn forget(&self, before: Option<&Current>) {
        if let Some(before) = before.filter(|before| before.head.seen) {
            self.store.remove(&path(&before.head.id));
        }
    }

    /// Writes a game under a name that is free.
    fn copy(&self, game: &Current) -> Result<String, PutError> {
        let stem = &game.head.id[..game.head.id.len().min(34)];
        let id = (2..MAX_GAMES)
            .map(|number| format!("{stem}-{number}"))
            .find(|id| self.store.read(&path(id)).is_none())
            .ok_or_else(|| PutError::Disk("The library is full.".to_owned()))?;
        let copy = with(fields(game), "id", id.as_str().into())
            .ok_or_else(|| PutError::Malformed("The game cannot be copied.".to_owned()))?;
        self.store.write(&path(&id), copy.text.get().as_bytes()).map_err(PutError::Disk)?;
        Ok(id)
    }

    /// Takes games into the library; the one that is being played stays. A name that is taken gets a
    /// number. All of them are looked at before the first is written.
    ///
    /// # Errors
    /// A sentence that says which of them is none, or why it cannot be kept.
    pub(crate) fn add(&self, games: Vec<Box<RawValue>>) -> Result<(), String> {
        let _current = lock(&self.current);
        if self.store.list("games").len() + games.len() > MAX_GAMES {
            return Err("There is no room for so many games in the library.".to_owned());
        }
        let checked = games.into_iter().enumerate().map(|(number, game)| {
            let head = checked(game.get());
            let head = head.map_err(|detail| format!("Game {}: {detail}", number + 1))?;
            Ok(Current { head, text: game.into() })
        });
        for game in checked.collect::<Result<Vec<Current>, String>>()? {
            let place = path(&game.head.id);
            let kept = if self.store.read(&place).is_some() {
                self.copy(&game).map(drop)
            } else {
                self.store.write(&place, game.text.get().as_bytes()).map_err(PutError::Disk)
            };
            kept.map_err(|(PutError::Malformed(detail) | PutError::Disk(detail))| detail)?;
        }
        Ok(())
    }

    /// Makes a stored game the current one.
    ///
    /// # Errors
    /// A sentence, when there is none or it cannot be shown.
    pub(crate) fn open_game(&self, id: &str) -> Result<Current, String> {
        let missing = || "There is no such game.".to_owned();
        let opened = match self.find(id).ok_or_else(missing)? {
            Ok(found) => found,
            Err(detail) => return Err(self.set_aside(id, &detail)),
        };
        let mut current = lock(&self.current);
        self.store.write(CURRENT, id.as_bytes())?;
        self.forget(current.as_ref().filter(|before| before.head.id != id));
        *current = Some(opened.clone());
        Ok(opened)
    }

    /// Takes a game that cannot be shown out of the library, and says where it is.
    fn set_aside(&self, id: &str, detail: &str) -> String {
        let aside = format!("{ASIDE}/{id}.json");
        if let Some(bytes) = self.store.read(&path(id))
            && self.store.write(&aside, &bytes).is_ok()
        {
            self.store.remove(&path(id));
        }
        format!(
            "The game {id} is damaged and was set aside as {aside} in the data folder: {detail}"
        )
    }

    /// All stored games, the latest first.
    pub(crate) fn list(&self) -> Vec<Head> {
        let mut heads = self.heads("games");
        heads.retain(|head| !head.seen);
        heads
    }

    /// The games that were deleted in the last thirty days; older ones are gone for good.
    pub(crate) fn bin(&self, now: Duration) -> Vec<Head> {
        self.empty_bin(now);
        self.heads(BIN)
    }

    fn empty_bin(&self, now: Duration) {
        for entry in self.store.list(BIN) {
            if now.saturating_sub(entry.changed) > BIN_TIME {
                self.store.remove(&format!("{BIN}/{}", entry.name));
            }
        }
    }

    fn heads(&self, folder: &str) -> Vec<Head> {
        let entries = self.store.list(folder);
        let names = entries.iter().map(|entry| &entry.name).filter(|name| name.ends_with(".json"));
        let read = |name: &String| {
            serde_json::from_slice(&self.store.read(&format!("{folder}/{name}"))?).ok()
        };
        let mut heads: Vec<Head> = names.filter_map(read).collect();
        heads.sort_by(|a, b| b.saved.cmp(&a.saved).then_with(|| a.id.cmp(&b.id)));
        heads
    }

    /// A stored game that can be shown.
    pub(crate) fn load(&self, id: &str) -> Option<Current> {
        self.find(id)?.ok()
    }

    /// A stored game, or why it cannot be shown.
    fn find(&self, id: &str) -> Option<Result<Current, String>> {
        let bytes = is_id(id).then(|| self.store.read(&path(id)))??;
        let read = || -> Result<Current, String> {
            let text: Box<RawValue> =
                serde_json::from_slice(&bytes).map_err(|error| format!("{error}."))?;
            let head = checked(text.get())?;
            if head.id != id {
                return Err(format!("It says that it is {}.", head.id));
            }
            Ok(Current { head, text: text.into() })
        };
        Some(read())
    }

    /// Puts a stored game into the bin; the current one stays.
    pub(crate) fn delete(&self, id: &str) -> bool {
        let current = lock(&self.current);
        let is_current = current.as_ref().is_some_and(|now| now.head.id == id);
        is_id(id) && !is_current && self.carry(&path(id), &format!("{BIN}/{id}.json"))
    }

    /// Takes a game out of the bin, unless there is one of its name again.
    pub(crate) fn restore(&self, id: &str) -> bool {
        let _current = lock(&self.current);
        let is_free = is_id(id) && self.store.read(&path(id)).is_none();
        is_free && self.carry(&format!("{BIN}/{id}.json"), &path(id))
    }

    /// Keeps something under another name, and says whether there was anything.
    fn carry(&self, from: &str, to: &str) -> bool {
        let Some(bytes) = self.store.read(from) else { return false };
        self.store.write(to, &bytes).is_ok() && self.store.remove(from)
    }
}

/// The head of a game that can be shown.
fn checked(text: &str) -> Result<Head, String> {
    let head: Head = serde_json::from_str(text).map_err(|error| format!("{error}."))?;
    if !is_id(&head.id) || text.len() > MAX_DOC {
        return Err("The game has no proper name, or is too large.".to_owned());
    }
    document::check(text)?;
    Ok(head)
}

/// All fields of a game.
fn fields(game: &Current) -> Map<String, Value> {
    serde_json::from_str(game.text.get()).unwrap_or_default()
}

/// A game with one field changed, unless that makes it too large.
fn with(mut game: Map<String, Value>, key: &str, value: Value) -> Option<Current> {
    game.insert(key.to_owned(), value);
    let text = serde_json::value::to_raw_value(&game).ok()?;
    let head = checked(text.get()).ok()?;
    Some(Current { head, text: text.into() })
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
    use crate::{Memory, document::tests::game};

    fn doc(id: &str, seq: u64, moves: &[(i64, &str)]) -> Box<RawValue> {
        RawValue::from_string(game(id, seq, moves).to_string()).unwrap()
    }

    fn stored(store: &Documents, id: &str) -> (u64, usize) {
        let found = store.load(id).unwrap();
        (found.head.seq, fields(&found)["nodes"].as_array().unwrap().len())
    }

    #[test]
    fn a_game_survives_a_restart_and_names_are_not_paths() {
        let kept: Arc<dyn Store> = Arc::new(Memory::default());
        let store = Documents::open(&kept, Duration::ZERO);
        assert!(store.current().is_none());
        store.put(doc("a", 1, &[]), None).unwrap();
        store.put(doc("a", 2, &[]), None).unwrap();
        assert!(matches!(store.put(doc("a", 2, &[]), None), Ok(Put::Stale(_))));
        for id in ["../x", "A", "", "a/b", "a.b"] {
            let put = store.put(doc(id, 9, &[]), None);
            assert!(matches!(put, Err(PutError::Malformed(_))), "{id}");
        }
        store.put(doc("b", 1, &[]), None).unwrap();
        drop(store);

        let store = Documents::open(&kept, Duration::ZERO);
        assert_eq!(store.current().unwrap().head.id, "b");
        assert_eq!(store.list().len(), 2);
        assert_eq!(store.open_game("a").unwrap().head.seq, 2);
        assert!(!store.delete("a"), "the current game is not deleted");
        assert!(store.delete("b"));
        assert_eq!(store.list().len(), 1);
    }

    #[test]
    fn games_are_added_beside_the_one_that_is_played() {
        let kept: Arc<dyn Store> = Arc::new(Memory::default());
        let store = Documents::open(&kept, Duration::ZERO);
        store.put(doc("a", 1, &[(0, "h8")]), None).unwrap();
        store.add(vec![doc("b", 1, &[(0, "i9")]), doc("a", 1, &[(0, "j10")])]).unwrap();
        assert_eq!(store.current().unwrap().head.id, "a");
        assert_eq!((store.list().len(), stored(&store, "a-2")), (3, (1, 2)));
        let bad = store.add(vec![doc("c", 1, &[]), doc("../x", 1, &[])]).unwrap_err();
        assert!(bad.starts_with("Game 2: ") && bad.ends_with('.'), "{bad}");
        assert_eq!(store.list().len(), 3, "all or none");
    }

    #[test]
    fn a_deleted_game_can_be_had_back_for_thirty_days() {
        let kept: Arc<dyn Store> = Arc::new(Memory::default());
        let store = Documents::open(&kept, Duration::ZERO);
        store.put(doc("a", 1, &[(0, "h8")]), None).unwrap();
        store.put(doc("b", 1, &[]), None).unwrap();
        assert!(store.delete("a") && !store.delete("a"));
        assert_eq!((store.list().len(), store.bin(Duration::ZERO).len()), (1, 1));
        assert!(store.restore("a") && !store.restore("a") && !store.restore("../a"));
        assert_eq!((stored(&store, "a"), store.bin(Duration::ZERO).len()), ((1, 2), 0));

        assert!(store.delete("a"));
        assert_eq!(store.bin(BIN_TIME).len(), 1);
        assert!(store.bin(BIN_TIME * 2).is_empty());
        assert!(!store.restore("a"), "it is gone for good");

        store.put(doc("c", 1, &[]), None).unwrap();
        assert!(store.delete("b"));
        let _opened_later = Documents::open(&kept, BIN_TIME * 2);
        assert!(store.bin(Duration::ZERO).is_empty(), "it goes when the program starts, too");
    }

    #[test]
    fn a_game_that_was_only_looked_at_is_not_kept() {
        let kept: Arc<dyn Store> = Arc::new(Memory::default());
        let store = Documents::open(&kept, Duration::ZERO);
        let seen = |id: &str, seq: u64, seen: bool| {
            let mut game = game(id, seq, &[(0, "h8")]);
            game["seen"] = seen.into();
            RawValue::from_string(game.to_string()).unwrap()
        };
        store.put(seen("a", 1, true), None).unwrap();
        assert!(store.list().is_empty() && store.load("a").is_some());
        store.put(seen("b", 1, true), None).unwrap();
        assert!(store.load("a").is_none());
        store.put(seen("b", 2, false), None).unwrap();
        store.put(doc("c", 1, &[]), None).unwrap();
        assert_eq!(store.list().len(), 2, "one that was played on is");
    }

    #[test]
    fn a_stale_page_never_makes_a_game_older() {
        let kept: Arc<dyn Store> = Arc::new(Memory::default());
        let store = Documents::open(&kept, Duration::ZERO);
        let long = [(0, "h8"), (1, "i9"), (2, "j10"), (3, "k11")];
        store.put(doc("aa", 10, &long), None).unwrap();
        store.put(doc("bb", 1, &[]), None).unwrap();
        assert!(matches!(store.put(doc("aa", 3, &long[..2]), None), Ok(Put::Stale(_))));
        assert_eq!(stored(&store, "aa"), (10, 5));
        let other = [(0, "h8"), (1, "a1")];
        let Ok(Put::Merged(both)) = store.put(doc("aa", 3, &other), Some(2)) else { panic!() };
        assert_eq!((both.head.seq, stored(&store, "aa")), (11, (11, 6)));

        // Further on by its own count, but not begun from what is stored.
        let third = [(0, "h8"), (1, "i9"), (2, "b2")];
        let Ok(Put::Merged(_)) = store.put(doc("aa", 99, &third), Some(2)) else { panic!() };
        assert_eq!(stored(&store, "aa"), (100, 7));
        // A page that has seen it all may take something away.
        assert!(matches!(store.put(doc("aa", 101, &third), Some(100)), Ok(Put::Saved(_))));
        assert_eq!(stored(&store, "aa"), (101, 4));
        // What was saved although the page did not hear of it is no conflict.
        let next = [third.as_slice(), &[(3, "c3")]].concat();
        assert!(matches!(store.put(doc("aa", 102, &next), Some(100)), Ok(Put::Saved(_))));
    }

    #[test]
    fn two_games_under_one_name_are_both_kept() {
        let kept: Arc<dyn Store> = Arc::new(Memory::default());
        let store = Documents::open(&kept, Duration::ZERO);
        store.put(doc("a", 5, &[(0, "h8")]), None).unwrap();
        let text = doc("a", 2, &[(0, "a1")]).get().replace(r#""size":15"#, r#""size":19"#);
        let put = store.put(RawValue::from_string(text).unwrap(), Some(1)).unwrap();
        let Put::Copied { stays, copy } = put else { panic!("{put:?}") };
        assert_eq!((stays.head.size, store.load(&copy).unwrap().head.size), (15, 19));
        assert_eq!(store.current().unwrap().head.seq, 5);
    }

    #[test]
    fn a_game_that_cannot_be_shown_is_refused_or_set_aside() {
        let kept: Arc<dyn Store> = Arc::new(Memory::default());
        let bad = game("a", 1, &[(7, "h8")]).to_string();
        let store = Documents::open(&kept, Duration::ZERO);
        let put = store.put(RawValue::from_string(bad.clone()).unwrap(), None);
        assert!(matches!(put, Err(PutError::Malformed(_))));

        kept.write("games/a.json", bad.as_bytes()).unwrap();
        kept.write(CURRENT, b"a").unwrap();
        let store = Documents::open(&kept, Duration::ZERO);
        assert!(store.current().is_none(), "the page starts fresh");
        let warning = store.take_warning().unwrap();
        assert!(warning.contains("damaged-games/a.json"), "{warning}");
        assert_eq!(kept.read("damaged-games/a.json").unwrap(), bad.as_bytes());
        assert!(store.take_warning().is_none());
        kept.write("games/b.json", b"{").unwrap();
        assert!(store.open_game("b").unwrap_err().contains("was set aside"));
        assert_eq!(store.list().len(), 0);
    }
}
