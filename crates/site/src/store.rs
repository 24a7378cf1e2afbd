//! Everything that is kept, in memory; the browser's storage follows each change.

use std::{collections::BTreeMap, sync::Mutex, time::Duration};

use desk::{Store, StoredFile, lock};

use crate::browser;

/// Bytes by name, with the time of their last change.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<BTreeMap<String, (Duration, Vec<u8>)>>);

impl Kept {
    /// Puts in what the browser's storage has.
    pub(crate) fn put(&self, name: String, changed: Duration, bytes: Vec<u8>) {
        lock(&self.0).insert(name, (changed, bytes));
    }
}

impl Store for Kept {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        lock(&self.0).get(name).map(|(_, bytes)| bytes.clone())
    }

    /// The page hears that something is kept when the browser's storage has it, see `web/hub.js`.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        self.put(name.to_owned(), browser::date(), bytes.to_owned());
        browser::keep(name, bytes);
        Ok(())
    }

    fn remove(&self, name: &str) -> bool {
        let was_there = lock(&self.0).remove(name).is_some();
        if was_there {
            browser::forget(name);
        }
        was_there
    }

    fn list(&self, folder: &str) -> Vec<StoredFile> {
        let start = format!("{folder}/");
        let all = lock(&self.0);
        let inside = all.range(start.clone()..).take_while(|(name, _)| name.starts_with(&start));
        inside
            .map(|(name, (changed, bytes))| StoredFile {
                name: name[start.len()..].to_owned(),
                len: bytes.len() as u64,
                changed: *changed,
            })
            .collect()
    }
}
