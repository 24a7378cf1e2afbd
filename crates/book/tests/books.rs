//! The position book: building, resuming, merging, storing, exchanging and playing from it.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use book::{
    BookBuild, BookFile, BookGame, Booked, Decided, Entry, Key, Note, PositionBook, book_tree,
    build_book, games_of, load_book, shipped_book,
};
use gomoku::{
    Position, Rule, Symmetry,
    opening::NamedOpening,
    record::{Format, Hint, read, write},
    zobrist::split_mix,
};
use player::{Candidate, Choice, Limits, Player, Reason, Score, Task, Unwatched, Watch};

/// Finds the points nearest to the center, with values that depend on the position alone.
struct Nearest;

impl Player for Nearest {
    fn new_game(&mut self, _: u64) {}

    fn choose(&mut self, task: &Task, _: &dyn Watch) -> Choice {
        let position = &task.position;
        let center = gomoku::Point::center(position.size());
        let mut points: Vec<_> = position.legal_points().iter().collect();
        points.retain(|&point| task.allows(point));
        points.sort_by_key(|point| (point.distance(center), point.index()));
        let candidates: Vec<Candidate> = points
            .into_iter()
            .take(task.multi_pv)
            .enumerate()
            .map(|(rank, point)| {
                let noise = (split_mix(position.key()) % 10) as i64;
                let score = Some(Score::new(noise - 20 * rank as i64));
                Candidate { score, ..Candidate::new(point) }
            })
            .collect();
        let mut choice = Choice::of(candidates[0].point, Reason::Search);
        choice.score = candidates[0].score;
        choice.counters.nodes = 100 + position.board().len() as u64;
        choice.candidates = candidates;
        choice
    }
}

#[test]
fn the_shipped_books_are_the_engines_and_legal_and_know_the_named_openings() {
    let book = shipped_book();
    for (key, entry) in book.entries() {
        assert!(entry.by.starts_with("engine ") && entry.nodes > 0 && !entry.moves.is_empty());
        assert!(entry.moves.iter().all(|&(point, _)| key.position().is_legal(point)));
    }
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        assert!(book.entries_of(rule, 15).count() >= 2_000, "{rule}");
        let look = book.look(&Position::new(rule, 15)).unwrap();
        assert_eq!(look.moves[0].value, look.value);
        assert_eq!(look.moves[0].point.to_string(), "h8", "{rule}");
        for opening in &NamedOpening::ALL {
            let look = book.look(&opening.position(rule, 15)).unwrap();
            let is_known = look.entry.is_some() && look.name == Some(opening.romaji);
            assert!(is_known, "{rule} {}", opening.id);
        }
    }
    assert_eq!(book.entries_of(Rule::Renju, 19).count(), 0);
}

#[test]
fn a_main_line_follows_the_best_moves_to_the_end_of_what_is_known() {
    let text = "# tengen-book 1\n\
        e\tfreestyle 15 b: w: b\tsearched 100 5 10 h8:10,g8:9 engine\n\
        e\tfreestyle 15 b:h8 w: w\tsearched 100 5 -60 i9:-60,h9:-70 engine\n";
    let book = PositionBook::parse(text).unwrap();
    let line = |moves: &str| {
        let start = Position::parse(moves, Rule::Freestyle, 15).unwrap();
        book.line(&start).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    // After h8 Black is better off than was thought: it is still the best.
    assert_eq!(line("")[0], "h8");
    let mut mirrored = Position::parse("h8", Rule::Freestyle, 15).unwrap();
    mirrored.play(line("h8")[0].parse().unwrap()).unwrap();
    let expected = Position::parse("h8i9", Rule::Freestyle, 15).unwrap();
    assert_eq!(Key::of(&mirrored).0, Key::of(&expected).0);
    assert_eq!(line("").len(), 2);
    assert!(line("h8h9").is_empty(), "nothing is known there");
}

#[test]
fn books_are_read_as_one() {
    let title = "# tengen-book 1\n";
    let one = format!("{title}e\tfreestyle 15 b: w: b\tsearched 100 5 10 h8:10 engine\n");
    let two = format!("{title}e\trenju 15 b: w: b\tsearched 100 5 10 h8:10 engine\n");
    let both = PositionBook::parse_all(&[&one, &two]).unwrap();
    assert_eq!(both.len(), 2);
    assert_eq!(both.entries_of(Rule::Renju, 15).count(), 1);
    assert!(PositionBook::parse_all(&[&one, "rubbish"]).is_err());
}

fn plan(from: &str, entries: usize) -> BookBuild {
    BookBuild {
        roots: vec![Position::parse(from, Rule::Freestyle, 15).unwrap()],
        entries,
        width: 3,
        margin: 100,
        step: 10,
        stones: 12,
        limits: Limits::nodes(100),
        by: "nearest".to_owned(),
    }
}

/// Builds on top of a book; fails like a killed program after `most` new entries.
fn build(plan: &BookBuild, book: &mut PositionBook, most: usize) -> Result<usize, ()> {
    let mut found = Vec::new();
    let done = build_book(
        plan,
        &book.clone(),
        &mut Nearest,
        &|_, _| false,
        &Unwatched,
        &mut |key, entry| {
            found.push((key.clone(), entry.clone()));
            if found.len() < most { Ok(()) } else { Err(()) }
        },
    );
    book.extend(found, []);
    done
}

fn built(from: &str, entries: usize) -> PositionBook {
    let mut book = PositionBook::default();
    assert_eq!(build(&plan(from, entries), &mut book, usize::MAX), Ok(entries));
    assert_eq!(book.len(), entries);
    book
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tengen-book-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path); // usually there is none
    path
}

#[test]
fn rebuilding_gives_the_same_digest_and_so_does_building_in_pieces() {
    let whole = built("h8", 150);
    assert_eq!(whole.digest(), built("h8", 150).digest());
    let mut pieces = PositionBook::default();
    assert_eq!(build(&plan("h8", 150), &mut pieces, 40), Err(()));
    assert_eq!(pieces.len(), 40);
    assert_eq!(build(&plan("h8", 150), &mut pieces, usize::MAX), Ok(150));
    assert_eq!(pieces, whole);
    assert_ne!(whole.digest(), built("h8", 149).digest());
}

#[test]
fn two_books_merge_to_the_same_in_either_order() {
    let (one, other) = (built("h8i8", 80), built("h8", 90));
    let (mut left, mut right) = (one.clone(), other.clone());
    left.merge(&other);
    right.merge(&one);
    assert_eq!(left, right);
    assert!(left.len() > 90 && left.len() < 170, "they overlap in part: {}", left.len());
    left.merge(&one);
    assert_eq!(left, right, "taking it in twice changes nothing");
    // Of two opinions the better founded stays.
    let (key, entry) = one.entries().next().map(|(k, e)| (k.clone(), e.clone())).unwrap();
    let deeper = Entry { nodes: 1_000_000, by: "somebody".to_owned(), ..entry };
    let mut strong = PositionBook::default();
    strong.extend([(key.clone(), deeper.clone())], []);
    right.merge(&strong);
    strong.merge(&left);
    assert_eq!(right, strong);
    assert_eq!(right.entry(&key), Some(&deeper));
}

#[test]
fn every_orientation_and_order_finds_the_entry_and_its_moves_are_legal() {
    let book = built("h8", 150);
    for (key, entry) in book.entries() {
        let position = key.position();
        let looks = Symmetry::all().map(|symmetry| {
            let image = position.transformed(symmetry);
            let look = book.look(&image).unwrap();
            assert_eq!(look.entry.as_ref(), Some(entry));
            assert!(look.moves.iter().all(|m| image.is_legal(m.point)));
            look.moves.iter().map(|m| m.value).collect::<Vec<_>>()
        });
        let looks: Vec<_> = looks.collect();
        assert!(looks.iter().all(|look| *look == looks[0]), "{}", key.as_str());
    }
}

#[test]
fn values_are_passed_back() {
    let mut book = PositionBook::default();
    let entry = |decided, value, moves: &[(&str, i64)]| Entry {
        decided,
        nodes: 1,
        depth: 1,
        value,
        moves: moves.iter().map(|(p, v)| (p.parse().unwrap(), Score::new(*v))).collect(),
        by: "test".to_owned(),
    };
    let root = Position::new(Rule::Freestyle, 15);
    let after = Position::parse("h8", Rule::Freestyle, 15).unwrap();
    let entries = [
        (Key::of(&root).0, entry(Decided::Searched, Score::new(50), &[("h8", 50), ("a1", 10)])),
        (Key::of(&after).0, entry(Decided::Searched, Score::new(-30), &[("i9", -30)])),
    ];
    book.extend(entries, []);
    let look = book.look(&root).unwrap();
    assert_eq!(look.value, Some(Score::new(30)), "h8 is worth what is known below it");
    let lost = (Key::of(&after).0, entry(Decided::Claimed, Score::new(90), &[("i9", 90)]));
    let lost = (lost.0, Entry { nodes: 2, ..lost.1 });
    book.extend([lost], []);
    let look = book.look(&root).unwrap();
    assert_eq!(look.value, Some(Score::new(10)), "a1 is the better move now");
    assert_eq!(look.moves[0].point.to_string(), "a1");
}

#[test]
fn a_searched_move_counts_though_the_search_before_it_did_not_think_of_it() {
    let mut book = PositionBook::default();
    let entry = |value: i64, point: &str| Entry {
        decided: Decided::Searched,
        nodes: 1,
        depth: 1,
        value: Score::new(value),
        moves: vec![(point.parse().unwrap(), Score::new(value))],
        by: "test".to_owned(),
    };
    let root = Position::new(Rule::Freestyle, 15);
    let after = Position::parse("h8", Rule::Freestyle, 15).unwrap();
    book.extend([(Key::of(&root).0, entry(10, "a1")), (Key::of(&after).0, entry(-60, "i9"))], []);
    let look = book.look(&root).unwrap();
    assert_eq!((look.value, look.moves[0].point), (Some(Score::new(60)), after.moves()[0]));
}

#[test]
fn entries_taken_one_by_one_give_the_book_worked_out_at_once() {
    let whole = built("h8", 150);
    for seed in 0..4 {
        let mut entries: Vec<_> = whole.entries().enumerate().collect();
        entries.sort_by_key(|(i, _)| split_mix(seed * 1_000 + *i as u64));
        let mut book = PositionBook::default();
        for (_, (key, entry)) in &entries {
            // A weak search first, so that values change on the way.
            let weak = Entry { nodes: 0, moves: Vec::new(), ..(*entry).clone() };
            book.insert((*key).clone(), weak);
        }
        for (_, (key, entry)) in entries {
            book.insert(key.clone(), entry.clone());
        }
        assert!(book == whole, "seed {seed}");
    }
}

#[test]
fn stores_keep_everything_and_refuse_other_files() {
    let (path, book) = (scratch("store.redb"), built("h8", 60));
    {
        let store = BookFile::open(&path).unwrap();
        for (key, entry) in book.entries().take(30) {
            store.put(key, entry).unwrap();
        }
        assert_eq!(store.book().unwrap().len(), 30);
    }
    assert_eq!(load_book(&path).unwrap().len(), 30, "what was put is on disk");
    let store = BookFile::open(&path).unwrap();
    // A copy of a file that is being written looks like that of a killed program.
    let killed = path.with_extension("killed");
    std::fs::copy(&path, &killed).unwrap();
    assert_eq!(load_book(&killed).unwrap().len(), 30, "the book is mended");
    store.save(&book).unwrap();
    assert_eq!(store.book().unwrap().digest(), book.digest());
    drop(store);
    std::fs::write(&path, "not a book").unwrap();
    assert!(load_book(&path).is_err() && BookFile::open(&path).is_err());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn text_loses_nothing_and_broken_text_says_where() {
    let mut book = built("h8", 60);
    let sgf = "(;GM[4]FF[4]SZ[15]RU[freestyle]RE[B+R];B[hh];W[ih];B[hg](;W[gg])(;W[ii]))";
    let trees = read(sgf.as_bytes(), &Hint::default()).unwrap();
    book.extend([], trees.iter().flat_map(|tree| games_of(tree, Rule::Freestyle)));
    assert_eq!(book.games().count(), 2);
    let look = book.look(&Position::parse("h8", Rule::Freestyle, 15).unwrap()).unwrap();
    assert_eq!((look.results.black, look.results.unknown), (1, 1));
    let text = book.to_text();
    assert_eq!(PositionBook::parse(&text).unwrap(), book);
    let damaged = text.replacen("\tsearched", "\tguessed", 1);
    let error = PositionBook::parse(&damaged).unwrap_err().to_string();
    assert!(error.starts_with("Line 2: expected an entry"), "{error}");
    assert!(PositionBook::parse("h8").is_err());
}

#[test]
fn notes_stand_beside_what_was_searched() {
    let mut book = built("h8", 6);
    let searched = book.digest();
    let at = |moves: &str| Key::of(&Position::parse(moves, Rule::Freestyle, 15).unwrap()).0;
    let note = Note { comment: "a b".to_owned(), text: "A".to_owned(), ..Note::default() };
    book.set_note(at("h8i9"), note.clone());
    assert_eq!(book.note(&at("h8g7")), Some(&note));
    assert_ne!(book.digest(), searched);
    assert_eq!(PositionBook::parse(&book.to_text()).unwrap(), book);
    // Merging keeps both; of two notes the fuller one, whichever comes first.
    let mut other = PositionBook::default();
    other.set_note(at("h8i9"), Note { comment: "a longer comment".to_owned(), ..note.clone() });
    let mut turned = other.clone();
    turned.merge(&book);
    book.merge(&other);
    assert_eq!(turned, book);
    assert_eq!(book.note(&at("h8i9")).unwrap().comment, "a longer comment");
    // On disk only what was changed is written.
    let path = std::env::temp_dir().join(format!("tengen-notes-{}.redb", std::process::id()));
    let store = BookFile::open(&path).unwrap();
    let mut elsewhere = PositionBook::default();
    elsewhere.set_note(at("h8i8"), note.clone());
    store.save(&elsewhere).unwrap();
    store.update(&book, &[at("h8i9"), at("h8")].into()).unwrap();
    let stored = store.book().unwrap();
    assert_eq!((stored.len(), stored.notes().count()), (2, 2));
    assert_eq!(stored.entry(&at("h8")), book.entry(&at("h8")));
    let keys = [at("h8"), at("h8i9")].into();
    book.remove(&keys);
    store.update(&book, &keys).unwrap();
    assert_eq!(store.book().unwrap(), elsewhere);
    drop(store);
    std::fs::remove_file(path).unwrap();
    // A library shows notes as comments and labels.
    let tree = book_tree(&other, Rule::Freestyle, 15);
    let written: Vec<&str> = tree.nodes().map(|node| tree.comment(node)).collect();
    assert_eq!(written, ["", "", "a longer comment"]);
    let part = turned.part(&[at("h8")].into());
    assert_eq!((part.len(), part.notes().count(), part.knows(&at("h8i9"))), (1, 0, false));
}

#[test]
fn trees_hold_every_entry_once() {
    let book = built("h8", 60);
    let tree = book_tree(&book, Rule::Freestyle, 15);
    for format in [Format::Sgf, Format::RenLib] {
        let bytes = write(std::slice::from_ref(&tree), format).unwrap();
        let trees = read(&bytes, &Hint { format: Some(format), ..Hint::default() }).unwrap();
        let mut keys = std::collections::BTreeSet::new();
        for node in trees[0].nodes() {
            let position = trees[0].position_at(node, Rule::Freestyle).unwrap();
            keys.insert(Key::of(&position).0);
        }
        assert!(book.entries().all(|(key, _)| keys.contains(key)), "{format}");
    }
}

#[test]
fn a_booked_player_plays_from_the_book_with_variety_and_then_thinks() {
    let book = Arc::new(built("", 200));
    let moves = |variety: i64| -> std::collections::BTreeSet<String> {
        (0..40)
            .map(|seed| {
                let mut player = Booked::new(book.clone(), Box::new(Nearest), variety);
                player.new_game(seed);
                let mut position = Position::new(Rule::Freestyle, 15);
                for ply in 0..4 {
                    let task = Task::new(position.clone(), Limits::nodes(100));
                    let choice = player.choose(&task, &Unwatched);
                    assert!(ply > 1 || matches!(choice.reason, Reason::Book(_)));
                    position.play(choice.point().unwrap()).unwrap();
                }
                position.to_text()
            })
            .collect()
    };
    assert_eq!(moves(0).len(), 1);
    assert!(moves(60).len() > 5);
    let mut player = Booked::new(book, Box::new(Nearest), 0);
    let far = Position::parse("a1a2o15", Rule::Freestyle, 15).unwrap();
    let choice = player.choose(&Task::new(far, Limits::nodes(100)), &Unwatched);
    assert_eq!(choice.reason, Reason::Search);
}

/// Games that begin alike are counted together; here each is counted for itself.
#[test]
fn results_are_those_of_the_games_counted_one_by_one() {
    let mut seed = 1;
    let mut random = |n: u64| {
        seed = split_mix(seed);
        (seed >> 20) % n
    };
    let mut games = Vec::new();
    let mut counted: BTreeMap<String, [u64; 4]> = BTreeMap::new();
    for number in 0..300 {
        let (rule, size) = if number % 3 == 0 { (Rule::Renju, 9) } else { (Rule::Freestyle, 7) };
        let mut position = Position::new(rule, size);
        // Few choices at first, so that games meet and part again.
        for ply in 0..random(40) {
            let legal: Vec<_> = position.legal_points().iter().collect();
            let choices = if ply < 6 { 3 } else { 40 };
            let Some(&point) = legal.get(random(choices) as usize) else { break };
            position.play(point).unwrap();
        }
        let letter = b"bdw?"[random(4) as usize] as char;
        let text = format!("{rule} {size} {letter} {}", position.to_text());
        let Some(game) = BookGame::parse(&text).filter(|game| !games.contains(game)) else {
            continue;
        };
        let mut on_the_way = Position::new(rule, size);
        let mut reached = vec![on_the_way.clone()];
        for &point in position.moves().iter().take(30) {
            on_the_way.play(point).unwrap();
            reached.push(on_the_way.clone());
        }
        for position in reached {
            let place = "bdw?".find(letter).unwrap();
            counted.entry(Key::of(&position).0.as_str().to_owned()).or_default()[place] += 1;
        }
        games.push(game);
    }
    let mut book = PositionBook::default();
    // In two parts: what was counted is counted anew.
    let rest = games.split_off(games.len() / 2);
    book.extend([], games);
    assert!(book.look(&Position::new(Rule::Renju, 9)).unwrap().results.games() > 0);
    book.extend([], rest);
    for (key, expected) in &counted {
        let position = Key::parse(key).unwrap().position();
        if position.outcome().is_some() {
            continue;
        }
        let found = book.look(&position).unwrap().results;
        assert_eq!([found.black, found.draws, found.white, found.unknown], *expected, "{key}");
    }
}
