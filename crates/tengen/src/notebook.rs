//! The database that a Yixin-Board keeps: labels, values, comments and texts at positions, in a text
//! file. Symmetric positions are one.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use gomoku::{
    Color, Point, Position, Rule, Symmetry,
    record::{self, Hint, Tree},
};
use protocol::serve::{Bound, Entry, Exchange, Filter, PositionBook};

const TITLE: &str = "# tengen-notes 1";

/// Rule, size, and stones with the side to move: `freestyle 15 b:h8 w:i9 b`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(String);

impl Key {
    fn of(position: &Position) -> Key {
        let (board, _) = position.board().canonical();
        let stones = |color| {
            let points = board.stones(color);
            points.iter().map(|point| point.to_string()).collect::<Vec<_>>().join(",")
        };
        let side = match position.to_move() {
            Color::Black => 'b',
            Color::White => 'w',
        };
        let (black, white) = (stones(Color::Black), stones(Color::White));
        let (rule, size) = (position.rule().name(), position.size());
        Key(format!("{rule} {size} b:{black} w:{white} {side}"))
    }

    fn position(&self) -> Option<Position> {
        let (rule, rest) = self.0.split_once(' ')?;
        let (size, stones) = rest.split_once(' ')?;
        let rule: Rule = rule.parse().ok()?;
        Position::parse(stones, rule, size.parse().ok()?).ok()
    }
}

/// A database in memory, and the file it belongs to.
#[derive(Debug, Default)]
pub(crate) struct Notebook {
    path: Option<PathBuf>,
    entries: BTreeMap<Key, Entry>,
}

impl Notebook {
    fn to_text(entries: &BTreeMap<Key, Entry>) -> String {
        let mut text = format!("{TITLE}\n");
        for (Key(key), entry) in entries {
            let label = entry.label.map_or(String::from("-"), |label| label.to_string());
            let numbers =
                format!("{label}\t{}\t{}\t{}", entry.value, entry.depth, entry.bound as u8);
            let texts = format!("{}\t{}", escaped(&entry.comment), escaped(&entry.board_text));
            text += &format!("{key}\t{numbers}\t{texts}\n");
        }
        text
    }

    fn parse(text: &str) -> Result<BTreeMap<Key, Entry>, String> {
        let mut lines = text.lines();
        if lines.next() != Some(TITLE) {
            return Err(format!("The file does not begin with '{TITLE}'."));
        }
        let mut entries = BTreeMap::new();
        for (i, line) in lines.enumerate() {
            let (key, entry) =
                parse_line(line).ok_or_else(|| format!("Line {} cannot be read.", i + 2))?;
            entries.insert(key, entry);
        }
        Ok(entries)
    }

    fn load(path: &Path) -> Result<BTreeMap<Key, Entry>, String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("Cannot read {}: {error}.", path.display()))?;
        Notebook::parse(&text)
    }

    fn store(path: &Path, entries: &BTreeMap<Key, Entry>) -> Result<(), String> {
        // Written beside it and then moved, so that the old one is whole until the new one is.
        let beside = path.with_extension("saving");
        let write = || {
            fs::write(&beside, Notebook::to_text(entries))?;
            fs::rename(&beside, path)
        };
        write().map_err(|error| format!("Cannot write {}: {error}.", path.display()))
    }

    /// The entries at and below a position.
    fn below(&self, position: &Position) -> Vec<Key> {
        let is_below = |key: &Key| key.position().is_some_and(|other| contains(&other, position));
        self.entries.keys().filter(|key| is_below(key)).cloned().collect()
    }

    /// Takes comments and texts of a RenLib library.
    fn read_library(&mut self, path: &Path, rule: Rule) -> Result<usize, String> {
        let bytes =
            fs::read(path).map_err(|error| format!("Cannot read {}: {error}.", path.display()))?;
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
            let entry = self.entries.entry(Key::of(&position)).or_default();
            entry.comment = tree.comment(id).to_owned();
            let label = tree.parent(id).and_then(|parent| tree.label(parent, last));
            entry.board_text = label.unwrap_or_default().to_owned();
            count += 1;
        }
        count
    }
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

fn matches(filter: Filter, entry: &Entry) -> bool {
    let label = entry.label.map(|label| label.to_ascii_lowercase());
    let (win, loss, draw) = (label == Some(b'w'), label == Some(b'l'), label == Some(b'd'));
    let plies = 30_000 - i64::from(entry.value).abs();
    let has_plies = (0..10_000).contains(&plies);
    match filter {
        Filter::All => true,
        Filter::WinLoss => win || loss,
        Filter::NotWinLoss => !(win || loss),
        Filter::Win => win,
        Filter::Loss => loss,
        Filter::WinLossDraw => win || loss || draw,
        Filter::NotWinLossDraw => !(win || loss || draw),
        Filter::WinLossNoStep => (win || loss) && !has_plies,
        Filter::WinLossInStep(most) => (win || loss) && has_plies && plies <= i64::from(most),
    }
}

fn parse_line(line: &str) -> Option<(Key, Entry)> {
    let fields: Vec<_> = line.split('\t').collect();
    let [key, label, value, depth, bound, comment, board_text] = fields[..] else { return None };
    let key = Key(key.to_owned());
    key.position()?;
    let entry = Entry {
        label: if label == "-" { None } else { Some(label.parse().ok()?) },
        value: value.parse().ok()?,
        depth: depth.parse().ok()?,
        bound: match bound {
            "0" => Bound::None,
            "1" => Bound::Upper,
            "2" => Bound::Lower,
            "3" => Bound::Exact,
            _ => return None,
        },
        comment: unescaped(comment),
        board_text: unescaped(board_text),
    };
    Some((key, entry))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "")
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        plain.push(match c {
            '\\' => match rest.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                other => other.unwrap_or('\\'),
            },
            c => c,
        });
    }
    plain
}

impl PositionBook for Notebook {
    fn open(&mut self, path: &str) -> Result<(), String> {
        if self.path.is_some() {
            self.save()?;
        }
        let path = PathBuf::from(path);
        self.entries = if path.exists() { Notebook::load(&path)? } else { BTreeMap::new() };
        self.path = Some(path);
        Ok(())
    }

    fn save(&mut self) -> Result<String, String> {
        let path = self.path.as_ref().ok_or("The database has no file: name one first.")?;
        Notebook::store(path, &self.entries)?;
        Ok(path.display().to_string())
    }

    fn get(&self, position: &Position) -> Option<Entry> {
        self.entries.get(&Key::of(position)).cloned()
    }

    fn put(&mut self, position: &Position, entry: Entry) -> Result<(), String> {
        self.entries.insert(Key::of(position), entry);
        Ok(())
    }

    fn delete(
        &mut self,
        position: &Position,
        filter: Filter,
        recursive: bool,
    ) -> Result<usize, String> {
        let keys = match recursive {
            true => self.below(position),
            false => vec![Key::of(position)],
        };
        let before = self.entries.len();
        for key in keys {
            if self.entries.get(&key).is_some_and(|entry| matches(filter, entry)) {
                self.entries.remove(&key);
            }
        }
        Ok(before - self.entries.len())
    }

    fn exchange(
        &mut self,
        exchange: Exchange,
        path: &str,
        position: &Position,
    ) -> Result<String, String> {
        let file = Path::new(path);
        let part = |book: &Notebook| {
            let keys = book.below(position).into_iter();
            keys.filter_map(|key| book.entries.get(&key).cloned().map(|entry| (key, entry)))
                .collect::<BTreeMap<_, _>>()
        };
        match exchange {
            Exchange::ToText | Exchange::Split => {
                let part = part(self);
                Notebook::store(file, &part)?;
                Ok(format!("{} entries written to {path}", part.len()))
            }
            Exchange::ToTextAll => {
                Notebook::store(file, &self.entries)?;
                Ok(format!("{} entries written to {path}", self.entries.len()))
            }
            Exchange::FromText | Exchange::Merge => {
                let more = Notebook::load(file)?;
                let count = more.len();
                self.entries.extend(more);
                Ok(format!("{count} entries read from {path}"))
            }
            Exchange::FromLibrary => {
                let count = self.read_library(file, position.rule())?;
                Ok(format!("{count} positions read from {path}"))
            }
            Exchange::ToPos | Exchange::ToLibrary => {
                Err("The database cannot be written in this format, only as text.".to_owned())
            }
        }
    }

    fn check(&mut self, fix: bool) -> Result<String, String> {
        let empty = |entry: &Entry| *entry == Entry::default();
        let count = self.entries.values().filter(|entry| empty(entry)).count();
        if fix {
            self.entries.retain(|_, entry| !empty(entry));
        }
        let done = if fix { ", removed" } else { "" };
        Ok(format!("{} entries, {count} that say nothing{done}", self.entries.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(moves: &str) -> Position {
        Position::parse(moves, Rule::Freestyle, 15).unwrap()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut book = Notebook::default();
        let entry = Entry {
            label: Some(b'w'),
            value: 29_990,
            depth: 4,
            bound: Bound::Exact,
            comment: "a\tb\\n\nc".to_owned(),
            board_text: "A".to_owned(),
        };
        book.put(&at("h8i9"), entry.clone()).unwrap();
        book.put(&at("h8"), Entry::default()).unwrap();
        let text = Notebook::to_text(&book.entries);
        let again = Notebook { path: None, entries: Notebook::parse(&text).unwrap() };
        assert_eq!(again.entries, book.entries);
        // The same position turned.
        assert_eq!(again.get(&at("h8g7")), Some(entry));
        assert_eq!(again.children(&at("h8")).len(), 4);
        assert!(Notebook::parse("nonsense").is_err() && Notebook::parse(&(text + "x\t1")).is_err());
    }

    #[test]
    fn deleting_takes_what_follows() {
        let mut book = Notebook::default();
        let win = Entry { label: Some(b'w'), value: 29_995, ..Entry::default() };
        for moves in ["h8", "h8i9", "h8i9i8", "a1"] {
            book.put(&at(moves), win.clone()).unwrap();
        }
        book.put(&at("h8h9"), Entry::default()).unwrap();
        assert_eq!(book.delete(&at("h8"), Filter::WinLossInStep(4), true), Ok(0));
        assert_eq!(book.delete(&at("h8"), Filter::Win, true), Ok(3));
        assert_eq!(book.delete(&at("h8h9"), Filter::All, false), Ok(1));
        assert_eq!(book.entries.len(), 1);
    }
}
