//! A store that forgets everything when it ends.

use std::{collections::BTreeMap, sync::Mutex, time::Duration};

use crate::{Store, StoredFile, lock};

/// Everything by name, with the number of its write in place of a time.
#[derive(Debug, Default)]
pub struct Memory(Mutex<BTreeMap<String, (u64, Vec<u8>)>>);

impl Store for Memory {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        lock(&self.0).get(name).map(|(_, bytes)| bytes.clone())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let mut all = lock(&self.0);
        let latest = all.values().map(|(number, _)| *number).max().unwrap_or(0);
        all.insert(name.to_owned(), (latest + 1, bytes.to_owned()));
        Ok(())
    }

    fn remove(&self, name: &str) -> bool {
        lock(&self.0).remove(name).is_some()
    }

    fn list(&self, folder: &str) -> Vec<StoredFile> {
        let entry = |(name, (number, bytes)): (&String, &(u64, Vec<u8>))| {
            let name = name.strip_prefix(folder)?.strip_prefix('/')?.to_owned();
            Some(StoredFile {
                name,
                len: bytes.len() as u64,
                changed: Duration::from_secs(*number),
            })
        };
        lock(&self.0).iter().filter_map(entry).collect()
    }
}
