//! The position books of the data folder, as one book: what `tengen book build` has searched.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::UNIX_EPOCH,
};

use book::{BookMove, Decided, Look, PositionBook};
use gomoku::{Color, Position};
use player::Score;
use serde_json::{Value, json};

use crate::{lock, wire::WireScore};

/// Files with their lengths and times: while these stay the same, so does what is in them.
pub(crate) type Signature = Vec<(PathBuf, u64, u128)>;

/// What a list of files looks like from outside; those that are gone are left out.
pub(crate) fn signature(files: impl Iterator<Item = PathBuf>) -> Signature {
    let mut all: Signature = files
        .filter_map(|path| {
            let about = fs::metadata(&path).ok()?;
            let changed = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
            Some((path, about.len(), changed.as_nanos()))
        })
        .collect();
    all.sort();
    all
}

/// The books of a folder, read again when a file has changed.
#[derive(Debug)]
pub(crate) struct Books {
    folder: PathBuf,
    known: Mutex<Option<(Signature, Arc<PositionBook>)>>,
}

impl Books {
    pub(crate) fn new(data: &Path) -> Books {
        Books { folder: data.join("books"), known: Mutex::default() }
    }

    /// All books together, or the shipped one as long as there are none. One that is being written or cannot be read is left out until it changes.
    pub(crate) fn all(&self) -> Arc<PositionBook> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let files = files.map(|entry| entry.path());
        let signature =
            signature(files.filter(|path| path.extension().is_some_and(|kind| kind == "redb")));
        let mut known = lock(&self.known);
        if let Some((before, book)) = &*known
            && *before == signature
        {
            return Arc::clone(book);
        }
        let all = if signature.is_empty() { book::shipped_book() } else { merged(&signature) };
        // Reading a book may touch its file, so what it looks like now is what is remembered.
        let files = signature.into_iter().map(|(path, _, _)| path);
        *known = Some((self::signature(files), Arc::clone(&all)));
        all
    }
}

fn merged(files: &[(PathBuf, u64, u128)]) -> Arc<PositionBook> {
    let mut all = PositionBook::default();
    for (path, _, _) in files {
        if let Ok(book) = book::load_book(path) {
            all.merge(&book);
        }
    }
    Arc::new(all)
}

/// What the book says of a move: its value for the side that plays it, how deep it was searched, and
/// the games of the book.
pub(crate) fn shown_move(found: &BookMove) -> Value {
    json!({
        "e": found.value.map(WireScore::from),
        "depth": found.entry.as_ref().map(|entry| entry.depth),
        "decided": found.entry.as_ref().map(|entry| entry.decided.name()),
        "by": found.entry.as_ref().map(|entry| &entry.by),
        "results": results(&found.results),
    })
}

/// What the book says of the position itself, for the side to move.
pub(crate) fn shown_here(look: &Look) -> Value {
    json!({
        "e": look.value.map(WireScore::from),
        "depth": look.entry.as_ref().map(|entry| entry.depth),
        "decided": look.entry.as_ref().map(|entry| entry.decided.name()),
        "by": look.entry.as_ref().map(|entry| &entry.by),
        "results": results(&look.results),
    })
}

/// Who wins by a proof that the book has kept, from what a move is worth to its side.
pub(crate) fn winner_of_move(found: &BookMove, mover: Color) -> Option<Color> {
    winner(found.is_proved(), found.value, mover)
}

/// Who wins the position itself by a proof that the book has kept.
pub(crate) fn winner_here(look: &Look, position: &Position) -> Option<Color> {
    let is_proved = look.entry.as_ref().is_some_and(|entry| entry.decided == Decided::Proved);
    winner(is_proved, look.value, position.to_move())
}

fn winner(is_proved: bool, value: Option<Score>, side: Color) -> Option<Color> {
    let plies = value.and_then(Score::decisive_in).filter(|_| is_proved)?;
    Some(if plies >= 0 { side } else { !side })
}

fn results(found: &book::Results) -> [u64; 3] {
    [found.black, found.draws, found.white]
}
