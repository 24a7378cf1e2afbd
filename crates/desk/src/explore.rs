//! What is known about opening positions: names, sets of fair starts, games played, the position
//! book, proved wins.
//!
//! Games are counted by the position they reach, turned to the least of its eight images, so that
//! mirrored and transposed games count together. A move is then looked up by what it leads to.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{Arc, Mutex},
};

use book::{Key, PositionBook};
use gomoku::{
    Board, Color, Point, Position, Rule,
    opening::{self, NamedOpening},
};
use serde::Deserialize;
use serde_json::{Value, json};
use solve::Lookup;

use crate::{
    Store, StoredFile, books, lock,
    wire::{WirePosition, WireScore},
};

/// Moves of a game that are counted.
const MAX_PLIES: usize = 30;

/// A position up to symmetry: rule, side, key of the least image.
type Place = (Rule, u8, u64);

/// Games through a position: won by Black, drawn, won by White.
type Results = [u32; 3];

/// What is known besides the stored games.
pub trait Archive: Send + Sync + fmt::Debug {
    /// What the games of matches are read from: as long as this stays the same, so do they.
    fn match_files(&self) -> Vec<StoredFile> {
        Vec::new()
    }

    /// Hands over every game of every match.
    fn match_games(&self, count: &mut CountGame<'_>) {
        let _ = count;
    }

    /// All position books as one.
    fn book(&self) -> Arc<PositionBook> {
        book::shipped_book()
    }
}

/// Takes a game: its start, the moves after it, and the winner.
pub type CountGame<'a> = dyn FnMut(&Position, &[Point], Option<Color>) + 'a;

/// Knows what games and books have shown.
#[derive(Debug)]
pub(crate) struct Explorer {
    store: Arc<dyn Store>,
    archive: Box<dyn Archive>,
    known: Mutex<Option<(Files, Arc<Games>)>>,
}

/// The stored games, and the files of matches.
type Files = (Vec<StoredFile>, Vec<StoredFile>);

#[derive(Debug, Default)]
struct Games {
    results: HashMap<Place, Results>,
    total: u32,
}

/// The named openings with the book's values, Liao's 57 and the sets of starts.
fn list(rule: Rule, size: u8, book: &PositionBook) -> Value {
    let named = NamedOpening::ALL.iter().map(|one| {
        let value = book.value(&Key::of(&one.position(rule, size)).0);
        json!({
            "name": name(one), "direct": one.is_direct(),
            "moves": one.stones(size).map(|point| point.to_string()),
            "e": value.map(WireScore::from),
        })
    });
    // Liao's player has 57 styles on the board of the papers; all but 26 add a fourth stone.
    let liao = book::liao()
        .into_iter()
        .filter(|one| one.position().size() == size)
        .map(|one| json!({ "name": name(one.named), "moves": text_list(&one.moves) }));
    let sets = book::shipped().into_iter().map(|set| {
        json!({ "name": set.name, "rule": set.rule.name(), "size": set.size, "count": set.openings.len() })
    });
    // Only a board with a middle point has named openings.
    let named: Vec<_> = if size % 2 == 1 && size >= 5 { named.collect() } else { Vec::new() };
    json!({
        "rule": rule.name(), "size": size, "named": named, "liao": liao.collect::<Vec<_>>(),
        "sets": sets.collect::<Vec<_>>(),
    })
}

/// The name of an opening: its id, its characters, and what each language of the page calls it.
fn name(opening: &NamedOpening) -> Value {
    let names: BTreeMap<_, _> = book::Language::ALL
        .into_iter()
        .map(|language| (language.code(), book::local_name(opening, language)))
        .collect();
    json!({ "id": opening.id, "kanji": opening.kanji, "names": names })
}

/// The openings of a set, each as text.
pub(crate) fn set(name: &str) -> Option<Value> {
    let set = book::shipped_named(name)?;
    let openings = set.openings.iter().map(|moves| text(moves));
    Some(json!({
        "name": set.name, "rule": set.rule.name(), "size": set.size,
        "openings": openings.collect::<Vec<_>>(),
    }))
}

fn text(moves: &[Point]) -> String {
    moves.iter().map(ToString::to_string).collect()
}

fn text_list(moves: &[Point]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

impl Explorer {
    pub(crate) fn new(store: &Arc<dyn Store>, archive: Box<dyn Archive>) -> Explorer {
        Explorer { store: Arc::clone(store), archive, known: Mutex::default() }
    }

    /// What there is to open by.
    pub(crate) fn list(&self, rule: Rule, size: u8) -> Value {
        list(rule, size, &self.archive.book())
    }

    /// Everything known about a position and the moves from it.
    pub(crate) fn look(&self, wanted: &WirePosition) -> Result<Value, String> {
        let position = wanted.read().map_err(|bad| bad.text)?;
        let games = self.games();
        let book = self.archive.book();
        let found = book.look(&position);
        let shelf = Shelf::new(position.rule(), position.size());
        let here = place(&position, position.board());
        let verdict = verdict(&position);
        let proved = verdict.map(|(winner, _)| winner);
        let proved = proved
            .or_else(|| found.as_ref().and_then(|found| books::winner_here(found, &position)));
        Ok(json!({
            "name": opening::name_of(&position).map(name),
            "results": games.results.get(&here).copied().unwrap_or_default(),
            "total": games.total,
            "books": book.entries_of(position.rule(), position.size()).count(),
            "book": found.as_ref().map(books::shown_here),
            "line": text_list(&book.line(&position)),
            "proved": proved.map(crate::look::color_name),
            "plies": verdict.map(|(_, plies)| plies),
            "moves": moves(&position, &games, &shelf, found.as_ref()),
        }))
    }

    /// The games of the lab and of the library, read again when something has changed.
    fn games(&self) -> Arc<Games> {
        let mut stored = self.store.list("games");
        stored.retain(|entry| entry.name.ends_with(".json"));
        stored.sort();
        let files = (stored, self.archive.match_files());
        let mut known = lock(&self.known);
        if let Some((before, games)) = &*known
            && *before == files
        {
            return Arc::clone(games);
        }
        let mut games = Games::default();
        self.archive.match_games(&mut |start, moves, winner| games.count(start, moves, winner));
        for entry in &files.0 {
            let bytes = self.store.read(&format!("games/{}", entry.name));
            if let Some((game, winner)) = bytes.and_then(|bytes| finished_game(&bytes)) {
                games.count(&Position::new(game.rule(), game.size()), game.moves(), winner);
            }
        }
        let games = Arc::new(games);
        *known = Some((files, Arc::clone(&games)));
        games
    }
}

/// One row for all moves that lead to the same position up to symmetry; what is known comes first.
fn moves(
    position: &Position,
    games: &Games,
    shelf: &Shelf,
    found: Option<&book::Look>,
) -> Vec<Value> {
    if position.outcome().is_some() {
        return Vec::new();
    }
    // Where every move loses, it is said once and not of each.
    let is_lost = verdict(position).is_some_and(|(winner, _)| winner != position.to_move());
    let mut list: Vec<_> = rows(position)
        .into_iter()
        .filter_map(|(there, points)| {
            let mut after = position.clone();
            after.play(points[0]).ok()?;
            let results = games.results.get(&there).copied().unwrap_or_default();
            let opening = (after.board().len() == 3).then(|| opening::name_of(&after)).flatten();
            let book =
                found.and_then(|found| found.moves.iter().find(|one| points.contains(&one.point)));
            let verdict = verdict(&after).filter(|_| !is_lost);
            let proved = verdict
                .map(|(winner, _)| winner)
                .or_else(|| book.and_then(|one| books::winner_of_move(one, position.to_move())));
            let starts = shelf.starts.get(&there).copied().unwrap_or(0);
            let count: u32 = results.iter().sum();
            let is_known = count > 0 || starts > 0;
            let is_known = is_known || opening.is_some() || proved.is_some() || book.is_some();
            let row = json!({
                "m": points[0].to_string(),
                "same": text_list(&points),
                "results": results, "starts": starts,
                "book": book.map(books::shown_move),
                "proved": proved.map(crate::look::color_name),
                "plies": verdict.map(|(_, plies)| plies),
                "name": opening.map(name),
            });
            let value = book.and_then(|one| one.value);
            is_known.then_some(((count, value, proved.is_some()), row))
        })
        .collect();
    list.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    list.into_iter().map(|(_, row)| row).collect()
}

/// The legal points, those that lead to the same position up to symmetry together.
fn rows(position: &Position) -> Vec<(Place, Vec<Point>)> {
    let mut rows: Vec<(Place, Vec<Point>)> = Vec::new();
    let mut found: HashMap<Place, usize> = HashMap::new();
    for point in position.legal_points() {
        let mut board = *position.board();
        board.place(point, position.to_move());
        let there = place(position, &board);
        let row = *found.entry(there).or_insert_with(|| {
            rows.push((there, Vec::new()));
            rows.len() - 1
        });
        rows[row].1.push(point);
    }
    rows
}

/// Who has been proved to win a position, and within how many plies.
fn verdict(position: &Position) -> Option<(Color, u32)> {
    let (book, side) = (Lookup::shipped(position)?, position.to_move());
    let won = book.get(position).map(|known| (side, known.plies));
    won.or_else(|| book.lost_within(position).map(|plies| (!side, plies)))
}

/// What comes with the program for one rule and board.
struct Shelf {
    /// How many fair starts go through a position.
    starts: HashMap<Place, u32>,
}

impl Shelf {
    fn new(rule: Rule, size: u8) -> Shelf {
        let mut shelf = Shelf { starts: HashMap::new() };
        if let Some(set) = book::shipped_for(rule, size) {
            for opening in &set.openings {
                let mut position = Position::new(rule, size);
                for &point in opening {
                    if position.play(point).is_err() {
                        break;
                    }
                    *shelf.starts.entry(place(&position, position.board())).or_default() += 1;
                }
            }
        }
        shelf
    }
}

fn place(position: &Position, board: &Board) -> Place {
    (position.rule(), board.size(), board.canonical().0.key())
}

impl Games {
    /// Counts a game at every position of its beginning.
    fn count(&mut self, start: &Position, moves: &[Point], winner: Option<Color>) {
        let result = match winner {
            Some(Color::Black) => 0,
            None => 1,
            Some(Color::White) => 2,
        };
        let mut position = Position::new(start.rule(), start.size());
        self.total += 1;
        self.at(&position)[result] += 1;
        for &point in start.moves().iter().chain(moves).take(MAX_PLIES) {
            if position.play(point).is_err() {
                break;
            }
            self.at(&position)[result] += 1;
        }
    }

    fn at(&mut self, position: &Position) -> &mut Results {
        self.results.entry(place(position, position.board())).or_default()
    }
}

/// The part of a stored game that is counted.
#[derive(Debug, Deserialize)]
struct Stored {
    rule: String,
    size: u8,
    #[serde(default)]
    setup: Option<Value>,
    nodes: Vec<StoredNode>,
    #[serde(default)]
    tip: usize,
    #[serde(default)]
    end: Option<StoredEnd>,
    /// The run that it was opened from, where it is counted already.
    #[serde(default)]
    from: Option<String>,
}

#[derive(Debug, Deserialize)]
struct StoredNode {
    p: i64,
    #[serde(default)]
    m: String,
}

#[derive(Debug, Deserialize)]
struct StoredEnd {
    winner: Option<u8>,
}

/// A finished game of the library, from the empty board, and who won it; one that was taken from a
/// run is counted there.
pub fn finished_game(bytes: &[u8]) -> Option<(Position, Option<Color>)> {
    let stored: Stored = serde_json::from_slice(bytes).ok()?;
    let Stored { rule, size, setup: None, nodes, tip, end: Some(end), from: None } = stored else {
        return None;
    };
    let (rule, _) = (rule.parse::<Rule>().ok()?, Board::try_new(size)?);
    let mut moves: Vec<Point> = Vec::new();
    let mut at = tip;
    while let Some(node) = nodes.get(at).filter(|node| node.p >= 0) {
        moves.push(node.m.parse().ok()?);
        // A parent stands before its children, so this ends.
        at = usize::try_from(node.p).ok().filter(|parent| *parent < at)?;
    }
    moves.reverse();
    let winner = end.winner.map(|side| Color::of_turn(usize::from(side)));
    Some((Position::from_moves(rule, size, &moves).ok()?, winner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    /// Only what comes with the program.
    #[derive(Debug)]
    struct Shipped;

    impl Archive for Shipped {}

    /// A book of one's own.
    #[derive(Debug)]
    struct Shelved(Arc<PositionBook>);

    impl Archive for Shelved {
        fn book(&self) -> Arc<PositionBook> {
            Arc::clone(&self.0)
        }
    }

    fn look(explorer: &Explorer, moves: &[&str]) -> Value {
        look_under(Rule::Freestyle, explorer, moves)
    }

    fn look_under(rule: Rule, explorer: &Explorer, moves: &[&str]) -> Value {
        let moves = moves.iter().map(|text| (*text).to_owned()).collect();
        let wanted = WirePosition { rule: rule.name().to_owned(), size: 15, setup: None, moves };
        explorer.look(&wanted).unwrap()
    }

    #[test]
    fn mirrored_games_count_together_and_unfinished_ones_do_not() {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let game = |name: &str, second: &str, end: &str| {
            let text = format!(
                r#"{{"rule":"freestyle","size":15,"tip":2,"end":{end},
                "nodes":[{{"p":-1}},{{"p":0,"m":"h8"}},{{"p":1,"m":"{second}"}}]}}"#
            );
            store.write(&format!("games/{name}"), text.as_bytes()).unwrap();
        };
        game("a.json", "h9", r#"{"winner":0,"ending":"five"}"#);
        game("b.json", "g8", r#"{"winner":1,"ending":"five"}"#);
        game("c.json", "h9", "null");
        game("e.json", "h9", r#"{"winner":0,"ending":"five"},"from":"run-1""#);
        let explorer = Explorer::new(&store, Box::new(Shipped));
        let seen = look(&explorer, &["h8"]);
        assert_eq!(seen["results"], json!([1, 0, 1]));
        let first = &seen["moves"][0];
        assert_eq!(first["results"], json!([1, 0, 1]));
        assert_eq!(first["same"].as_array().unwrap().len(), 4, "up, down, left and right");
        game("d.json", "i8", r#"{"winner":null,"ending":"draw"}"#);
        assert_eq!(look(&explorer, &["h8"])["results"], json!([1, 1, 1]), "a new game is seen");
    }

    #[test]
    fn the_position_book_is_shown_in_the_orientation_that_was_asked() {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let after = Position::parse("h8h9", Rule::Freestyle, 15).unwrap();
        let (key, symmetry) = book::Key::of(&after);
        let entry = |text: &str| {
            let point = symmetry.apply("i9".parse().unwrap(), 15);
            book::Entry::parse(&text.replace("i9", &point.to_string()), &key).unwrap()
        };
        let mut known = book::PositionBook::default();
        let game = book::BookGame::parse("freestyle 15 b h8h9i9").unwrap();
        known
            .extend([(key.clone(), entry("searched 20000 9 35 i9:35 engine nodes=20000"))], [game]);
        let explorer = Explorer::new(&store, Box::new(Shelved(Arc::new(known))));

        // The same position turned on its side.
        let seen = look(&explorer, &["h8", "g8"]);
        assert_eq!(seen["books"], 1);
        assert_eq!(seen["book"]["e"], json!({ "v": 35 }));
        assert_eq!(seen["book"]["depth"], 9);
        assert_eq!(seen["book"]["results"], json!([1, 0, 0]));
        let best = &seen["moves"][0];
        let same: Vec<_> = best["same"].as_array().unwrap().iter().collect();
        assert!(same.contains(&&json!("g9")) && same.contains(&&json!("g7")), "{best}");
        assert_eq!(best["book"]["e"], json!({ "v": 35 }));
        assert_eq!(best["book"]["results"], json!([1, 0, 0]));
        assert_eq!(best["name"]["names"]["zh-CN"], "花月");
        // The move to the book's position is worth the opposite to the one who plays it.
        let before = look(&explorer, &["h8"]);
        assert_eq!(before["moves"][0]["book"]["e"], json!({ "v": -35 }));
        assert_eq!(before["moves"][0]["proved"], "black");
    }

    #[test]
    fn what_was_searched_is_not_proved() {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let after = Position::parse("h8h9a1", Rule::Freestyle, 15).unwrap();
        let (key, symmetry) = book::Key::of(&after);
        let point = symmetry.apply("h7".parse().unwrap(), 15);
        let text = format!("searched 20000 9 35 {point}:35 engine nodes=20000");
        let mut known = book::PositionBook::default();
        known.extend([(key.clone(), book::Entry::parse(&text, &key).unwrap())], []);
        let explorer = Explorer::new(&store, Box::new(Shelved(Arc::new(known))));
        let seen = look(&explorer, &["h8", "h9"]);
        let moves = seen["moves"].as_array().unwrap();
        let of = |name: &str| moves.iter().find(|one| one["same"][0] == name || one["m"] == name);
        let corner = of("a1").expect("the move to a position of the book");
        assert_eq!(corner["book"]["e"], json!({ "v": -35 }));
        assert_eq!(corner["proved"], Value::Null, "{corner}");
    }

    #[test]
    fn the_57_styles_and_26_names_are_listed_in_every_language() {
        let list = |size| super::list(Rule::Renju, size, &PositionBook::default());
        assert!(list(19)["liao"].as_array().unwrap().is_empty());
        let list = list(15);
        assert_eq!(list["named"].as_array().unwrap().len(), 26);
        let liao = list["liao"].as_array().unwrap();
        assert_eq!(liao.len(), 57);
        assert_eq!(
            liao.iter().filter(|one| one["moves"].as_array().unwrap().len() == 4).count(),
            31
        );
        assert_eq!(liao[0]["name"]["names"].as_object().unwrap().len(), 7);
    }

    #[test]
    fn under_three_rules_each_named_opening_has_a_value_and_a_main_line() {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let explorer = Explorer::new(&store, Box::new(Shipped));
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
            for one in explorer.list(rule, 15)["named"].as_array().unwrap() {
                let moves: Vec<&str> =
                    one["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
                let seen = look_under(rule, &explorer, &moves);
                assert!(!one["e"].is_null() && one["e"] == seen["book"]["e"], "{rule} {one}");
                let line = seen["line"].as_array().unwrap();
                assert!(line.len() >= 2 && line[0] == seen["moves"][0]["m"], "{rule} {seen}");
                assert!(seen["books"].as_u64() >= Some(2_000), "{rule}");
            }
        }
        assert_eq!(look_under(Rule::Caro, &explorer, &["h8"])["books"], 0);
    }

    #[test]
    fn names_and_proved_wins_are_shown_without_any_game() {
        let store: Arc<dyn Store> = Arc::new(Memory::default());
        let explorer = Explorer::new(&store, Box::new(Shipped));
        let after = look(&explorer, &["h8", "h9"]);
        let names = after["moves"].as_array().unwrap().iter().filter(|m| !m["name"].is_null());
        assert_eq!(names.count(), 13, "the direct openings");
        let far = look(&explorer, &["h8", "h12"]);
        assert_eq!(far["proved"], "black");
        let winning = far["moves"].as_array().unwrap().iter().find(|m| m["proved"] == "black");
        let winning = winning.unwrap_or_else(|| panic!("{far}"));
        assert!(far["plies"].as_u64() > winning["plies"].as_u64());
        let after = look(&explorer, &["h8", "h12", winning["m"].as_str().unwrap()]);
        assert_eq!((&after["proved"], &after["plies"]), (&far["proved"], &winning["plies"]));
        let rows = after["moves"].as_array().unwrap();
        assert!(rows.iter().all(|row| row["proved"].is_null()), "all replies lose: {after}");
        // A white reply, and what answers it.
        let reply = look(&explorer, &["h8", "h12", winning["m"].as_str().unwrap(), "a1"]);
        assert_eq!(reply["proved"], "black");
        assert!(reply["moves"].as_array().unwrap().iter().any(|row| row["proved"] == "black"));
    }
}
