//! The database that a Yixin-Board keeps: a position book on disk, in which the Board's labels,
//! values, comments and texts are notes beside what was searched. Symmetric positions are one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use gomoku::{
    Color, Point, Position, Rule, Symmetry,
    record::{self, Format, Hint, Tree},
};
use player::{Choice, Score};
use protocol::serve::{self, Exchange, YixinBound, YixinEntry, YixinFilter};

use crate::{
    build::entry_of,
    entry::{Entry as Found, Key},
    exchange::book_tree,
    note::Note,
    position_book::PositionBook,
    store::{BookFile, load_book},
};

/// A position book in memory, and the file it belongs to.
#[derive(Debug, Default)]
pub struct Notebook {
    path: Option<PathBuf>,
    book: PositionBook,
    /// What is not yet as it is on disk.
    changed: BTreeSet<Key>,
    /// What the player found since its table was cleared.
    learned: BTreeMap<Key, Found>,
    /// The player.
    by: String,
}

impl Notebook {
    /// A database without a file, for what this player finds.
    pub fn new(by: &str) -> Notebook {
        Notebook { by: by.to_owned(), ..Notebook::default() }
    }

    /// What was searched and what was written, as the Board sees it.
    fn entry(&self, key: &Key) -> Option<YixinEntry> {
        let note = self.book.note(key);
        let mut entry = match (self.book.entry(key), self.book.value(key)) {
            (Some(found), Some(value)) => YixinEntry {
                label: value.decisive_in().map(|plies| if plies > 0 { b'w' } else { b'l' }),
                value: to_board(value),
                depth: i32::try_from(found.depth).unwrap_or(i32::MAX),
                bound: YixinBound::Exact,
                ..YixinEntry::default()
            },
            _ => note.map(|_| YixinEntry::default())?,
        };
        if let Some(note) = note {
            if let Some(label) = note.label {
                entry.label = Some(label).filter(|label| *label != 0);
            }
            if let Some((value, depth, bound)) = note.numbers {
                entry.value = value;
                entry.depth = depth;
                entry.bound =
                    [YixinBound::None, YixinBound::Upper, YixinBound::Lower, YixinBound::Exact]
                        [usize::from(bound.min(3))];
            }
            entry.comment.clone_from(&note.comment);
            entry.board_text.clone_from(&note.text);
        }
        Some(entry)
    }

    /// Keeps what the player found, or the better founded of two findings.
    fn remember(&mut self, key: Key, entry: Found) {
        let entry = match self.learned.remove(&key) {
            Some(old) => old.better(entry),
            None => entry,
        };
        self.learned.insert(key, entry);
    }

    /// Writes down what differs from what was searched.
    fn note_down(&mut self, key: &Key, entry: YixinEntry) {
        self.book.set_note(key.clone(), Note::default());
        let found = self.entry(key).unwrap_or_default();
        let numbers = (entry.value, entry.depth, entry.bound as u8);
        let note = Note {
            label: (entry.label != found.label).then(|| entry.label.unwrap_or(0)),
            numbers: (numbers != (found.value, found.depth, found.bound as u8)).then_some(numbers),
            comment: entry.comment,
            text: entry.board_text,
        };
        self.book.set_note(key.clone(), note);
        self.changed.insert(key.clone());
    }

    /// The positions of the book that have all stones of this one.
    fn below(&self, position: &Position) -> BTreeSet<Key> {
        let is_below = |key: &&&Key| contains(&key.position(), position);
        self.book.keys().iter().filter(is_below).copied().cloned().collect()
    }

    /// Takes in another book and says how many positions it had.
    fn take(&mut self, other: &PositionBook) -> usize {
        let keys: BTreeSet<Key> = other.keys().into_iter().cloned().collect();
        self.book.merge(other);
        let count = keys.len();
        self.changed.extend(keys);
        count
    }

    /// Takes comments and texts of a RenLib library.
    fn read_library(&mut self, path: &Path, rule: Rule) -> Result<usize, String> {
        let bytes = read(path)?;
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let hint = Hint { name: &name, rule: Some(rule), ..Hint::default() };
        let trees = record::read(&bytes, &hint).map_err(|error| error.to_string())?;
        Ok(trees.iter().map(|tree| self.take_tree(tree, rule)).sum())
    }

    fn take_tree(&mut self, tree: &Tree, rule: Rule) -> usize {
        let mut count = 0;
        for id in tree.nodes() {
            let moves: Vec<Point> =
                tree.path_to(id).into_iter().filter_map(|id| tree.played(id)?.point).collect();
            let Some(&last) = moves.last() else { continue };
            let Ok(position) = Position::from_moves(rule, tree.size(), &moves) else { continue };
            let (key, _) = Key::of(&position);
            let label = tree.parent(id).and_then(|parent| tree.label(parent, last));
            let mut note = self.book.note(&key).cloned().unwrap_or_default();
            note.comment = tree.comment(id).to_owned();
            note.text = label.unwrap_or_default().to_owned();
            if !note.is_empty() {
                self.book.set_note(key.clone(), note);
                self.changed.insert(key);
                count += 1;
            }
        }
        count
    }
}

/// A value as Yixin writes it: wins are 30000 less the plies they take.
fn to_board(value: Score) -> i32 {
    match value.decisive_in() {
        Some(plies) => ((30_000 - plies.abs().min(9_999)) * plies.signum()) as i32,
        None => value.value().clamp(-19_999, 19_999) as i32,
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("Cannot read {}: {error}.", path.display()))
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("Cannot write {}: {error}.", path.display()))
}

/// A book of either form: the file or its text.
fn read_book(path: &Path) -> Result<PositionBook, String> {
    let bytes = read(path)?;
    match std::str::from_utf8(&bytes) {
        Ok(text) => PositionBook::parse(text).map_err(|error| error.to_string()),
        Err(_) => load_book(path).map_err(|error| error.to_string()),
    }
}

/// Writes a book to a file of its own, in place of what was there.
fn write_book(path: &Path, book: &PositionBook) -> Result<String, String> {
    BookFile::open(path).and_then(|store| store.save(book)).map_err(|error| error.to_string())?;
    Ok(written(book.keys().len(), path))
}

fn written(count: usize, path: &Path) -> String {
    format!("{count} entries written to {}", path.display())
}

/// Whether a position has all stones of another, in any orientation.
fn contains(whole: &Position, part: &Position) -> bool {
    if (whole.rule(), whole.size()) != (part.rule(), part.size()) {
        return false;
    }
    let size = part.size();
    Symmetry::all().any(|symmetry| {
        Color::ALL.into_iter().all(|color| {
            let mut stones = part.board().stones(color).iter();
            stones.all(|point| whole.board().get(symmetry.apply(point, size)) == Some(color))
        })
    })
}

fn matches(filter: YixinFilter, entry: &YixinEntry) -> bool {
    let label = entry.label.map(|label| label.to_ascii_lowercase());
    let (win, loss, draw) = (label == Some(b'w'), label == Some(b'l'), label == Some(b'd'));
    let plies = 30_000 - i64::from(entry.value).abs();
    let has_plies = (0..10_000).contains(&plies);
    match filter {
        YixinFilter::All => true,
        YixinFilter::WinLoss => win || loss,
        YixinFilter::NotWinLoss => !(win || loss),
        YixinFilter::Win => win,
        YixinFilter::Loss => loss,
        YixinFilter::WinLossDraw => win || loss || draw,
        YixinFilter::NotWinLossDraw => !(win || loss || draw),
        YixinFilter::WinLossNoStep => (win || loss) && !has_plies,
        YixinFilter::WinLossInStep(most) => (win || loss) && has_plies && plies <= i64::from(most),
    }
}

impl serve::YixinBook for Notebook {
    fn open(&mut self, path: &str) -> Result<(), String> {
        if self.path.is_some() {
            self.save()?;
        }
        let path = PathBuf::from(path);
        let stored = BookFile::open(&path).and_then(|store| store.book());
        self.book = stored.map_err(|error| error.to_string())?;
        self.changed.clear();
        self.path = Some(path);
        Ok(())
    }

    fn save(&mut self) -> Result<String, String> {
        let path = self.path.as_ref().ok_or("The database has no file: name one first.")?;
        // Only for a moment, so that others can read and build the book meanwhile.
        let stored = BookFile::open(path).and_then(|store| store.update(&self.book, &self.changed));
        stored.map_err(|error| error.to_string())?;
        self.changed.clear();
        Ok(path.display().to_string())
    }

    fn get(&self, position: &Position) -> Option<YixinEntry> {
        self.entry(&Key::of(position).0)
    }

    fn put(&mut self, position: &Position, entry: YixinEntry) -> Result<(), String> {
        self.note_down(&Key::of(position).0, entry);
        Ok(())
    }

    fn delete(
        &mut self,
        position: &Position,
        filter: YixinFilter,
        recursive: bool,
    ) -> Result<usize, String> {
        let keys = match recursive {
            true => self.below(position),
            false => BTreeSet::from([Key::of(position).0]),
        };
        let chosen = |key: &Key| self.entry(key).is_some_and(|entry| matches(filter, &entry));
        let keys: BTreeSet<Key> = keys.into_iter().filter(chosen).collect();
        self.book.remove(&keys);
        let count = keys.len();
        self.changed.extend(keys);
        Ok(count)
    }

    fn exchange(
        &mut self,
        exchange: Exchange,
        path: &str,
        position: &Position,
    ) -> Result<String, String> {
        let file = Path::new(path);
        let (rule, size) = (position.rule(), position.size());
        match exchange {
            Exchange::ToText => {
                let part = self.book.part(&self.below(position));
                write(file, part.to_text())?;
                Ok(written(part.keys().len(), file))
            }
            Exchange::ToTextAll => {
                write(file, self.book.to_text())?;
                Ok(written(self.book.keys().len(), file))
            }
            Exchange::Split if self.path.as_deref() == Some(file) => {
                Err("A part of the database cannot take its place: name another file.".to_owned())
            }
            Exchange::Split => write_book(file, &self.book.part(&self.below(position))),
            Exchange::FromText | Exchange::Merge => {
                let count = self.take(&read_book(file)?);
                Ok(format!("{count} entries read from {path}"))
            }
            Exchange::FromLibrary => {
                let count = self.read_library(file, rule)?;
                Ok(format!("{count} positions read from {path}"))
            }
            Exchange::ToLibrary => {
                let tree = book_tree(&self.book, rule, size);
                let bytes = record::write(&[tree], Format::RenLib);
                write(file, bytes.map_err(|error| error.to_string())?)?;
                Ok(written(self.book.keys().len(), file))
            }
            Exchange::ToPos => {
                let keys = self.below(position);
                let lines = keys.iter().map(|key| key.position().to_text() + "\n");
                write(file, lines.collect::<String>())?;
                Ok(written(keys.len(), file))
            }
        }
    }

    fn check(&mut self, fix: bool) -> Result<String, String> {
        let is_on_disk = self.path.as_deref().filter(|path| path.exists());
        if let Some(path) = is_on_disk {
            BookFile::open(path)
                .and_then(|store| store.book())
                .map_err(|error| error.to_string())?;
        }
        if fix && is_on_disk.is_some() {
            self.save()?;
        }
        let (entries, notes) = (self.book.len(), self.book.notes().count());
        let done = if fix { ", saved" } else { "" };
        Ok(format!("{entries} positions searched, {notes} with a note, all in order{done}"))
    }

    fn learn(&mut self, position: &Position, choice: &Choice, in_database: bool) {
        let Some((key, entry)) = entry_of(position, choice, &|_, _| false, &self.by) else {
            return;
        };
        if in_database {
            self.book.insert(key.clone(), entry.clone());
            self.changed.insert(key.clone());
        }
        self.remember(key, entry);
    }

    fn dump(&mut self, path: &str) -> Result<String, String> {
        let mut learned = PositionBook::default();
        learned.extend(self.learned.clone(), []);
        write_book(Path::new(path), &learned)
    }

    fn load(&mut self, path: &str) -> Result<String, String> {
        let path = Path::new(path);
        let learned = load_book(path).map_err(|error| error.to_string())?;
        for (key, entry) in learned.entries() {
            self.remember(key.clone(), entry.clone());
        }
        let count = self.take(&learned);
        Ok(format!("{count} entries read from {}", path.display()))
    }

    fn forget_learned(&mut self) {
        self.learned.clear();
    }

    fn n_learned(&self) -> usize {
        self.learned.len()
    }
}

#[cfg(test)]
mod tests {
    use player::Reason;
    use protocol::serve::YixinBook as _;

    use super::*;

    fn at(moves: &str) -> Position {
        Position::parse(moves, Rule::Freestyle, 15).unwrap()
    }

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("tengen-{name}-{}.redb", std::process::id()))
    }

    #[test]
    fn notes_and_what_was_searched_are_in_one_book() {
        let path = file("notebook");
        let mut notebook = Notebook::new("engine");
        notebook.open(path.to_str().unwrap()).unwrap();
        let entry = YixinEntry {
            label: Some(b'w'),
            value: 29_990,
            depth: 4,
            bound: YixinBound::Exact,
            comment: "a\tb\\n\nc".to_owned(),
            board_text: "A".to_owned(),
        };
        notebook.put(&at("h8i9"), entry.clone()).unwrap();
        let choice = Choice {
            score: Some(Score::loss_in(6)),
            depth: 9,
            ..Choice::of("g7".parse().unwrap(), Reason::Search)
        };
        notebook.learn(&at("h8i9i8"), &choice, true);
        notebook.learn(&at("h8"), &choice, false);
        notebook.save().unwrap();
        // Another program sees the searched position; the Board sees both, also turned.
        let book = load_book(&path).unwrap();
        assert_eq!((book.len(), book.notes().count()), (1, 1));
        let mut again = Notebook::new("engine");
        again.open(path.to_str().unwrap()).unwrap();
        assert_eq!(again.get(&at("h8g7")), Some(entry));
        let searched = again.get(&at("h8i9i8")).unwrap();
        assert_eq!((searched.label, searched.value, searched.depth), (Some(b'l'), -29_994, 9));
        assert_eq!(again.children(&at("h8")).len(), 4);
        // A label taken away stays away.
        again.put(&at("h8i9i8"), YixinEntry { label: None, ..searched }).unwrap();
        assert_eq!(again.get(&at("h8i9i8")).unwrap().label, None);
        assert_eq!(again.get(&at("h8i9i8")).unwrap().value, -29_994);
        // What was learned is a book of its own.
        let dumped = file("dumped");
        notebook.dump(dumped.to_str().unwrap()).unwrap();
        assert_eq!(load_book(&dumped).unwrap().len(), 2);
        assert_eq!(again.load(dumped.to_str().unwrap()).unwrap().split(' ').next(), Some("2"));
        assert_eq!(again.get(&at("h8")).unwrap().depth, 9);
        [path, dumped].iter().for_each(|path| fs::remove_file(path).unwrap());
    }

    #[test]
    fn deleting_takes_what_follows() {
        let mut book = Notebook::default();
        let win = YixinEntry { label: Some(b'w'), value: 29_995, ..YixinEntry::default() };
        for moves in ["h8", "h8i9", "h8i9i8", "a1"] {
            book.put(&at(moves), win.clone()).unwrap();
        }
        book.put(&at("h8h9"), YixinEntry { depth: 1, ..YixinEntry::default() }).unwrap();
        assert_eq!(book.delete(&at("h8"), YixinFilter::WinLossInStep(4), true), Ok(0));
        assert_eq!(book.delete(&at("h8"), YixinFilter::Win, true), Ok(3));
        assert_eq!(book.delete(&at("h8h9"), YixinFilter::All, false), Ok(1));
        assert_eq!(book.book.keys().len(), 1);
    }
}
