//! Position books as a user makes them: built by the engine, killed, resumed, merged, looked up.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use book::{Key, PositionBook};
use gomoku::{Position, Rule};
use serde_json::Value;

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.args(args);
    command
}

fn run(args: &[&str]) -> String {
    let output = command(args).output().expect("tengen starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&run(args)).expect("one JSON document and nothing else")
}

/// A folder of its own for a test, and a way to name files in it.
fn scratch(name: &str) -> impl Fn(&str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder); // it need not exist
    std::fs::create_dir_all(&folder).unwrap();
    move |file| folder.join(file).to_str().unwrap().to_owned()
}

const SMALL: [&str; 5] = ["--entries", "60", "--nodes", "1500", "--json"];

fn build(book: &str, more: &[&str]) -> Value {
    json(&[&["book", "build", "--book", book][..], &SMALL, more].concat())
}

#[test]
fn a_build_that_is_killed_comes_to_the_digest_of_one_that_is_not() {
    let file = scratch("killed");
    let (whole, killed) = (file("whole.redb"), file("killed.redb"));
    let args = [&["book", "build", "--book", killed.as_str()][..], &SMALL].concat();
    for _ in 0..3 {
        let mut child = command(&args).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(200));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let wanted = build(&whole, &[]);
    assert_eq!(wanted["entries"], 60);
    assert_eq!(build(&killed, &[]), wanted);
    std::fs::remove_file(&whole).unwrap();
    assert_eq!(build(&whole, &[]), wanted, "a book that is deleted and built again");
    let verified = run(&["book", "verify", "--book", &whole, "--entries", "10"]);
    assert!(verified.starts_with("10 entries searched again: all the same."), "{verified}");
}

#[test]
fn two_builders_books_merge_to_the_same_in_either_order() {
    let file = scratch("merged");
    let (one, two) = (file("one.redb"), file("two.redb"));
    build(&one, &["--from", "h8h9"]);
    build(&two, &["--from", "h8i9", "--from", "h8h9"]);
    let (ab, ba) = (file("ab.redb"), file("ba.redb"));
    let left = run(&["book", "merge", &one, &two, "--out", &ab]);
    assert_eq!(left, run(&["book", "merge", &two, &one, "--out", &ba]));
    let entries = json(&["book", "digest", "--book", &ab, "--json"])["entries"].as_u64().unwrap();
    assert!(entries > 60 && entries < 120, "they overlap in part: {entries}");
    // Built a part at a time into one file it is the same book again.
    let parts = file("parts.redb");
    build(&parts, &["--from", "h8i9", "--from", "h8h9"]);
    let both = build(&parts, &["--from", "h8h9"]);
    assert_eq!(both, json(&["book", "digest", "--book", &ab, "--json"]));
}

#[test]
fn every_entry_is_the_engines_and_every_move_is_legal_under_its_rule() {
    let file = scratch("rules");
    for rule in Rule::ALL {
        let (path, text) = (file(&format!("{rule}.redb")), file(&format!("{rule}.txt")));
        // Black would like h8: two threes at once, which renju forbids.
        let from = ["--from", "b:g8,i8,h7,h9 w:a1,a3,a5,a13 b", "--from", "h8h9j9"];
        let game = ["--rule", rule.name(), "--entries", "12", "--nodes", "500"];
        run(&[&["book", "build", "--book", &path][..], &from, &game].concat());
        run(&["book", "export", &text, "--book", &path]);
        let book = PositionBook::parse(&std::fs::read_to_string(&text).unwrap()).unwrap();
        assert_eq!(book.len(), 12);
        for (key, entry) in book.entries() {
            let position = key.position();
            assert_eq!(position.rule(), rule);
            assert!(entry.by.starts_with("engine width=4 nodes=500") && entry.nodes > 0);
            assert!(entry.moves.iter().all(|&(point, _)| position.is_legal(point)), "{key:?}");
            assert!(!entry.moves.is_empty() && Key::parse(key.as_str()).as_ref() == Some(key));
        }
        let position = Position::parse(from[1], rule, 15).unwrap();
        assert_eq!(position.is_legal("h8".parse().unwrap()), rule != Rule::Renju);
        assert!(book.entry(&Key::of(&position).0).is_some());
    }
}

#[test]
fn show_counts_the_games_of_the_arena_and_knows_names_and_proofs() {
    let file = scratch("shown");
    let (data, book) = (file("data"), file("book.redb"));
    build(&book, &[]);
    let players = ["static-table(depth=1)", "greedy"];
    let games = ["--games", "2", "--openings", "none", "--data", &data, "--json"];
    run(&[&["match"][..], &players, &games].concat());
    let show =
        |position| json(&["book", "show", position, "--book", &book, "--data", &data, "--json"]);
    let empty = show("");
    assert_eq!(empty["results"]["games"], 2);
    let counts = empty["moves"].as_array().unwrap().iter().map(|m| &m["results"]);
    let games: u64 = counts.map(|results| results["games"].as_u64().unwrap()).sum();
    assert_eq!(games, 2, "every game went on somewhere: {empty}");
    assert!(empty["value"].is_i64() && empty["depth"].as_u64() > Some(0), "{empty}");
    let after = show("h8h12");
    assert_eq!((&after["winner"], &after["value"]), (&"Black".into(), &Value::Null));
    let answer = show("h8");
    let far = answer["moves"].as_array().unwrap().iter().find(|m| m["winner"] == "Black");
    assert!(far.is_some_and(|m| m["proved"] == true && m["same"].as_array().unwrap().len() > 1));
    let names = show("h8h9");
    let named = names["moves"].as_array().unwrap().iter().filter(|m| m["name"].is_string());
    assert_eq!(named.count(), 13, "the direct openings: {names}");
}

#[test]
fn the_named_openings_are_listed_with_a_value_and_a_main_line_under_three_rules() {
    for rule in ["freestyle", "standard", "renju"] {
        let args = ["openings", "list", "--named", "--rule", rule, "--book", "shipped", "--json"];
        let list = json(&args);
        let openings = list["openings"].as_array().unwrap();
        assert_eq!(openings.len(), 26);
        for one in openings {
            let line = one["line"].as_array().unwrap();
            assert!(one["value"].is_i64() && line.len() >= 2, "{rule}: {one}");
        }
    }
    let some = run(&["book", "verify", "--book", "shipped", "--rule", "renju", "--entries", "1"]);
    assert!(some.starts_with("1 entries searched again"), "{some}");
}
