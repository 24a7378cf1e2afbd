//! The position book: entries that a player searched, games that were played and notes of people,
//! looked up in any orientation.
//!
//! Only what was found is stored. Values passed back through the tree, counts of results and the
//! digest are worked out from it, so that a book is the same however it came about: built at once,
//! in several sittings, or merged from parts in any order.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::OnceLock,
};

use gomoku::{Point, Position, Rule};
use player::Score;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::{
    entry::{Decided, Entry, Key},
    note::Note,
};

/// Games are counted in positions of up to this many stones.
const COUNTED_STONES: usize = 30;

pub(crate) const TITLE: &str = "# tengen-book 1";

/// Positions and games.
#[derive(Clone, Debug, Default)]
pub struct PositionBook {
    entries: BTreeMap<Key, Entry>,
    games: BTreeSet<BookGame>,
    notes: BTreeMap<Key, Note>,
    backed: BTreeMap<Key, Score>,
    /// Counted when they are asked for first.
    results: OnceLock<HashMap<Key, Results>>,
}

/// Everything else follows from these.
impl PartialEq for PositionBook {
    fn eq(&self, other: &PositionBook) -> bool {
        (&self.entries, &self.games, &self.notes) == (&other.entries, &other.games, &other.notes)
    }
}

/// A game that was played, from the empty board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BookGame {
    /// The rule's name and the board size.
    pub game: (String, u8),
    /// `b`, `w`, `d`, or `?` if the record does not say.
    pub result: char,
    /// The moves.
    pub moves: String,
}

/// How often a position was reached, by the result of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Black won.
    pub black: u64,
    /// Nobody won.
    pub draws: u64,
    /// White won.
    pub white: u64,
    /// The record does not say.
    pub unknown: u64,
}

impl Results {
    /// All games.
    pub fn games(&self) -> u64 {
        self.black + self.draws + self.white + self.unknown
    }

    /// Counts a game with this result.
    pub(crate) fn count(&mut self, result: char) {
        *match result {
            'b' => &mut self.black,
            'w' => &mut self.white,
            'd' => &mut self.draws,
            _ => &mut self.unknown,
        } += 1;
    }
}

impl std::ops::Add for Results {
    type Output = Results;

    fn add(self, other: Results) -> Results {
        Results {
            black: self.black + other.black,
            draws: self.draws + other.draws,
            white: self.white + other.white,
            unknown: self.unknown + other.unknown,
        }
    }
}

/// Why a text is not a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// Another kind of text.
    #[error("Line 1: expected '{TITLE}'.")]
    Title,
    /// A line that is neither an entry nor a game nor a note.
    #[error("Line {line}: expected an entry, a game or a note, found '{found}'.")]
    Line {
        /// From 1.
        line: usize,
        /// What stands there.
        found: String,
    },
}

impl PositionBook {
    /// How many positions were searched.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.games.is_empty() && self.notes.is_empty()
    }

    /// Searched positions in the order of their keys.
    pub fn entries(&self) -> impl Iterator<Item = (&Key, &Entry)> {
        self.entries.iter()
    }

    /// The games.
    pub fn games(&self) -> impl Iterator<Item = &BookGame> {
        self.games.iter()
    }

    /// The notes in the order of their keys.
    pub fn notes(&self) -> impl Iterator<Item = (&Key, &Note)> {
        self.notes.iter()
    }

    /// One note.
    pub fn note(&self, key: &Key) -> Option<&Note> {
        self.notes.get(key)
    }

    /// Writes a note; one that says nothing is taken away.
    pub fn set_note(&mut self, key: Key, note: Note) {
        if note.is_empty() {
            self.notes.remove(&key);
        } else {
            self.notes.insert(key, note);
        }
    }

    /// The positions that were searched or have a note, in order.
    pub fn keys(&self) -> BTreeSet<&Key> {
        self.entries.keys().chain(self.notes.keys()).collect()
    }

    /// Whether a position was searched or has a note.
    pub fn knows(&self, key: &Key) -> bool {
        self.entries.contains_key(key) || self.notes.contains_key(key)
    }

    /// Forgets positions, searched or noted, and works out values anew.
    pub fn remove(&mut self, keys: &BTreeSet<Key>) {
        for key in keys {
            self.entries.remove(key);
            self.notes.remove(key);
        }
        self.pass_values_back();
    }

    /// The part of the book that has these positions; games are left out.
    pub fn part(&self, keys: &BTreeSet<Key>) -> PositionBook {
        let mut part = PositionBook::default();
        let entry = |key: &Key| Some((key.clone(), self.entries.get(key)?.clone()));
        part.extend(keys.iter().filter_map(entry), []);
        let note = |key: &Key| Some((key.clone(), self.notes.get(key)?.clone()));
        part.notes.extend(keys.iter().filter_map(note));
        part
    }

    /// The value of a searched position for the side to move, with everything below it taken into
    /// account.
    pub fn value(&self, key: &Key) -> Option<Score> {
        self.backed.get(key).copied()
    }

    /// Searched positions of one game in the order of their keys.
    pub fn entries_of(&self, rule: Rule, size: u8) -> impl Iterator<Item = (&Key, &Entry)> {
        let game = format!("{rule} {size} ");
        self.entries.iter().filter(move |(key, _)| key.as_str().starts_with(&game))
    }

    /// One entry.
    pub fn entry(&self, key: &Key) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// Takes in entries and games, keeping the better founded of two entries for a position, and
    /// works out values anew if there are entries.
    pub fn extend(
        &mut self,
        entries: impl IntoIterator<Item = (Key, Entry)>,
        games: impl IntoIterator<Item = BookGame>,
    ) {
        let mut has_changed = false;
        for (key, entry) in entries {
            self.take(key, entry);
            has_changed = true;
        }
        if has_changed {
            self.pass_values_back();
        }
        self.games.extend(games);
        self.results = OnceLock::new();
    }

    /// Takes in one entry, and works out anew only the values that change with it.
    pub fn insert(&mut self, key: Key, entry: Entry) {
        self.take(key.clone(), entry);
        let rank = |key: Key| (Reverse(key.position().board().len()), key);
        let mut open = BTreeSet::from([rank(key)]);
        while let Some((_, key)) = open.pop_first() {
            let position = key.position();
            let value = self.value_from_moves(&key, &position);
            if self.backed.insert(key, value) != Some(value) {
                open.extend(self.entries_before(&position).into_iter().map(rank));
            }
        }
    }

    /// Keeps the better founded of two entries for a position.
    fn take(&mut self, key: Key, entry: Entry) {
        let entry = match self.entries.remove(&key) {
            Some(old) => old.better(entry),
            None => entry,
        };
        self.entries.insert(key, entry);
    }

    /// Takes in another book. The result does not depend on which is taken into which.
    pub fn merge(&mut self, other: &PositionBook) {
        let entries = other.entries.iter().map(|(key, entry)| (key.clone(), entry.clone()));
        self.extend(entries, other.games.iter().cloned());
        for (key, note) in &other.notes {
            let note = match self.notes.remove(key) {
                Some(old) => old.fuller(note.clone()),
                None => note.clone(),
            };
            self.notes.insert(key.clone(), note);
        }
    }

    /// Whether it has this very game.
    pub(crate) fn has(&self, game: &BookGame) -> bool {
        self.games.contains(game)
    }

    /// Games of the book through a position.
    pub(crate) fn results_at(&self, key: &Key) -> Results {
        let results = self.results.get_or_init(|| count_results(&self.games));
        results.get(key).copied().unwrap_or_default()
    }

    /// The book as text: nothing is lost.
    pub fn to_text(&self) -> String {
        let mut text = format!("{TITLE}\n");
        for (key, entry) in &self.entries {
            text += &format!("e\t{}\t{}\n", key.as_str(), entry.to_text());
        }
        for game in &self.games {
            text += &format!("g\t{}\n", game.to_text());
        }
        for (key, note) in &self.notes {
            text += &format!("n\t{}\t{}\n", key.as_str(), note.to_text());
        }
        text
    }

    /// Reads the text of a book.
    pub fn parse(text: &str) -> Result<PositionBook, BookError> {
        PositionBook::parse_all(&[text])
    }

    /// Reads the texts of books as one book.
    pub fn parse_all(texts: &[&str]) -> Result<PositionBook, BookError> {
        let mut lines = Vec::new();
        for text in texts {
            let mut own = text.lines().enumerate();
            if own.next().is_none_or(|(_, title)| title.trim_end() != TITLE) {
                return Err(BookError::Title);
            }
            lines.extend(own);
        }
        let (mut entries, mut games, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for (index, line) in lines {
            let parts: Vec<&str> = line.split('\t').collect();
            let read = match parts[..] {
                ["e", key, entry] => {
                    parse_entry(key, entry).map(|(key, entry)| entries.push((key, entry)))
                }
                ["g", game] => BookGame::parse(game).map(|game| games.push(game)),
                ["n", key, note] => parse_note(key, note).map(|noted| notes.push(noted)),
                _ => None,
            };
            read.ok_or_else(|| BookError::Line {
                line: index + 1,
                found: line.chars().take(60).collect(),
            })?;
        }
        Ok(PositionBook::of(entries, games, notes))
    }

    pub(crate) fn of(
        entries: Vec<(Key, Entry)>,
        games: Vec<BookGame>,
        notes: Vec<(Key, Note)>,
    ) -> PositionBook {
        let mut book = PositionBook::default();
        book.extend(entries, games);
        book.notes.extend(notes.into_iter().filter(|(_, note)| !note.is_empty()));
        book
    }

    /// The same for books with the same content, and only for those.
    pub fn digest(&self) -> String {
        Sha256::digest(self.to_text()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// From the positions with most stones to those with fewest: a position is worth what its best
    /// move is worth, and a move that leads to a searched position what that position is worth,
    /// whether the search of the first position thought of it or not.
    fn pass_values_back(&mut self) {
        let mut order: Vec<(usize, &Key, Position)> = self
            .entries
            .keys()
            .map(|key| {
                let position = key.position();
                (position.board().len(), key, position)
            })
            .collect();
        order.sort_by_key(|&(stones, key, _)| (Reverse(stones), key));
        let mut backed: BTreeMap<Key, Score> = BTreeMap::new();
        let mut below: BTreeMap<Key, Score> = BTreeMap::new();
        for (_, key, position) in order {
            let entry = &self.entries[key];
            let values = entry.moves.iter().map(|&(point, score)| {
                let child = played(&position, point).map(|child| Key::of(&child).0);
                child.and_then(|key| backed.get(&key)).map_or(score, |&value| -value)
            });
            let best = values.chain(below.remove(key)).max().unwrap_or(entry.value);
            // What was proved needs no second opinion.
            let value = if entry.decided == Decided::Proved { entry.value } else { best };
            for before in self.entries_before(&position) {
                let best = below.entry(before).or_insert(-value);
                *best = (-value).max(*best);
            }
            backed.insert(key.clone(), value);
        }
        self.backed = backed;
    }

    /// What [`PositionBook::pass_values_back`] gives a position, from the values one move on.
    fn value_from_moves(&self, key: &Key, position: &Position) -> Score {
        let entry = &self.entries[key];
        if entry.decided == Decided::Proved {
            return entry.value;
        }
        let value = |point: Point| {
            let child = played(position, point).map(|child| Key::of(&child).0);
            let searched = child.and_then(|key| self.backed.get(&key)).map(|&value| -value);
            let thought = || entry.moves.iter().find(|(move_, _)| *move_ == point);
            searched.or_else(|| thought().map(|&(_, score)| score))
        };
        position.legal_points().iter().filter_map(value).max().unwrap_or(entry.value)
    }

    /// The searched positions from which one move leads here.
    fn entries_before(&self, position: &Position) -> BTreeSet<Key> {
        let mover = !position.to_move();
        let before = position.board().stones(mover).iter().filter_map(|point| {
            let mut board = *position.board();
            board.remove(point, mover);
            let before = Position::from_board(position.rule(), board, mover);
            Some(Key::of(&before).0)
                .filter(|key| self.entries.contains_key(key) && before.is_legal(point))
        });
        before.collect()
    }
}

/// Counts the games through each position.
fn count_results(games: &BTreeSet<BookGame>) -> HashMap<Key, Results> {
    let mut counted = HashMap::new();
    // Games that begin alike stand beside each other: what they share is counted once.
    let mut line: Option<CountedLine> = None;
    for game in games {
        let Some(rule) = game.game.0.parse::<Rule>().ok() else { continue };
        let Ok(end) = Position::parse(&game.moves, rule, game.game.1) else { continue };
        let is_here = |line: &CountedLine| (line.position.rule(), line.position.size());
        if line.as_ref().map(is_here) != Some((rule, game.game.1)) {
            if let Some(mut before) = line.take() {
                before.back_to(0, &mut counted);
            }
            line = Some(CountedLine::new(Position::new(rule, game.game.1)));
        }
        if let Some(line) = &mut line {
            let moves = &end.moves()[..end.moves().len().min(COUNTED_STONES)];
            line.count(moves, game.result, &mut counted);
        }
    }
    if let Some(mut line) = line {
        line.back_to(0, &mut counted);
    }
    counted
}

/// The positions of a game, and the games that have been counted in each.
struct CountedLine {
    position: Position,
    /// For each number of stones.
    reached: Vec<(Key, Results)>,
}

impl CountedLine {
    fn new(start: Position) -> CountedLine {
        let reached = vec![(Key::of(&start).0, Results::default())];
        CountedLine { position: start, reached }
    }

    /// Counts a game of these moves.
    fn count(&mut self, moves: &[Point], result: char, counted: &mut HashMap<Key, Results>) {
        let common = self.position.moves().iter().zip(moves).take_while(|(a, b)| a == b).count();
        self.back_to(common + 1, counted);
        for &point in &moves[common..] {
            if self.position.play(point).is_err() {
                break;
            }
            self.reached.push((Key::of(&self.position).0, Results::default()));
        }
        if let Some((_, last)) = self.reached.last_mut() {
            last.count(result);
        }
    }

    /// Takes moves back until so many positions are left. Games through a position are games through
    /// the one before it.
    fn back_to(&mut self, left: usize, counted: &mut HashMap<Key, Results>) {
        while self.reached.len() > left {
            let Some((key, results)) = self.reached.pop() else { return };
            self.position.undo();
            if let Some((_, before)) = self.reached.last_mut() {
                *before = *before + results;
            }
            let sum = counted.entry(key).or_default();
            *sum = *sum + results;
        }
    }
}

impl BookGame {
    /// `freestyle 15 b h8i9...`.
    pub fn to_text(&self) -> String {
        format!("{} {} {} {}", self.game.0, self.game.1, self.result, self.moves)
    }

    /// Reads a game back, if it can be played.
    pub fn parse(text: &str) -> Option<BookGame> {
        let mut parts = text.splitn(4, ' ');
        let rule: Rule = parts.next()?.parse().ok()?;
        let size: u8 = parts.next()?.parse().ok()?;
        let result = parts.next()?.chars().next().filter(|letter| "bwd?".contains(*letter))?;
        let position = Position::parse(parts.next()?, rule, size).ok()?;
        Some(BookGame { game: (rule.name().to_owned(), size), result, moves: position.to_text() })
    }
}

pub(crate) fn parse_entry(key: &str, entry: &str) -> Option<(Key, Entry)> {
    let key = Key::parse(key)?;
    let entry = Entry::parse(entry, &key)?;
    Some((key, entry))
}

pub(crate) fn parse_note(key: &str, note: &str) -> Option<(Key, Note)> {
    Some((Key::parse(key)?, Note::parse(note)?))
}

/// The position after a move; `None` if the move ends the game or cannot be played.
pub(crate) fn played(position: &Position, point: Point) -> Option<Position> {
    let mut child = position.clone();
    child.play(point).ok()?.is_none().then_some(child)
}
