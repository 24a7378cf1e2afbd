//! The position books of the data folder.

use std::{path::PathBuf, sync::LazyLock};

use ::book::PositionBook;
use anyhow::Result;
use roster::{NONE, SHIPPED};

use crate::data;

/// Where books are kept.
pub(crate) fn folder() -> Result<PathBuf> {
    Ok(data::folder()?.join("books"))
}

/// The names of the books in the folder, in order. They live as long as the program, as the
/// parameters of players do.
pub(crate) fn names() -> Vec<&'static str> {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let Some(files) = folder().ok().and_then(|folder| std::fs::read_dir(folder).ok()) else {
            return Vec::new();
        };
        let mut names: Vec<String> = files
            .filter_map(|file| Some(file.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == "redb"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .filter(|name| name != NONE && name != SHIPPED)
            .collect();
        names.sort();
        names
    });
    NAMES.iter().map(String::as_str).collect()
}

/// Reads a book of the folder.
pub(crate) fn load(name: &str) -> Result<PositionBook, String> {
    let folder = folder().map_err(|error| format!("{error:#}"))?;
    ::book::load_book(&folder.join(format!("{name}.redb"))).map_err(|error| error.to_string())
}
