//! What is solved is shown, and a book is verified from nothing but itself.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use gomoku::{Position, Rule};
use player::Unwatched;
use serde_json::Value;
use solve::{Decision, ProvedBook, ProvedOpening, Prover, efforts};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen")).args(args).output().expect("tengen starts")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("one JSON document and nothing else")
}

fn error(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_is_solved_is_shown_with_what_is_open() {
    let shown = json(&run(&["solved", "--json"]));
    let freestyle = &shown["books"][0];
    assert_eq!(freestyle["name"], "freestyle-15");
    assert_eq!(freestyle["open"], serde_json::json!(["i9"]));
    let seconds = freestyle["seconds"].as_array().unwrap();
    assert_eq!(seconds.len(), 35);
    assert_eq!(seconds.iter().filter(|one| one["proved"] == true).count(), 34);
    let text = String::from_utf8(run(&["solved"]).stdout).unwrap();
    assert!(text.contains("Black wins against 34 of 35 second moves"), "{text}");
    assert!(text.contains(freestyle["digest"].as_str().unwrap()), "{text}");
    let table = String::from_utf8(run(&["solved", "show", "freestyle-15"]).stdout).unwrap();
    assert!(table.contains("i9     open\n") && table.contains("o15    g9"), "{table}");
    let told = error(&run(&["solved", "show", "renju-15"]));
    assert!(told.contains("There is no book 'renju-15'"), "{told}");
}

/// A book with one small opening, as a file.
fn small_book(name: &str, change: impl FnOnce(&mut ProvedOpening)) -> PathBuf {
    let start = Position::parse("h8o15g9a1", Rule::Freestyle, 15).unwrap();
    let point = "j6".parse().unwrap();
    let mut decisions: Vec<Decision> = Vec::new();
    let mut prover = Prover::new(8).with_log(|decision| decisions.push(decision.clone()));
    let tree = prover.prove_move(&start, point, &efforts(3), &Unwatched).expect("a win");
    drop(prover);
    let mut opening = ProvedOpening::collect(&start, point, tree.plies() + 4, &decisions);
    change(&mut opening);
    let openings = vec![opening];
    let book = ProvedBook { rule: Rule::Freestyle, size: 15, memory: 8, openings };
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, book.to_string()).unwrap();
    path
}

#[test]
fn a_book_is_verified_from_nothing_but_itself() {
    let path = small_book("right.book", |_| ());
    let name = path.to_str().unwrap();
    let output = run(&["verify", "--solved", name, "--jobs", "1", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = json(&output);
    assert_eq!(found["openings"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&found["verified"], &found["second_moves"]),
        (&0.into(), &35.into()),
        "not the second"
    );
    let digest = found["openings"][0]["digest"].as_str().unwrap().to_owned();

    let path = small_book("same.book", |opening| opening.digest = Some(digest.clone()));
    let again = json(&run(&["verify", "--solved", path.to_str().unwrap(), "--json"]));
    assert_eq!(again["is_digest_of_book"], true);
    assert_eq!(again["digest"], found["digest"]);
    let text = run(&["verify", "--solved", path.to_str().unwrap()]).stdout;
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("as in the book") && text.contains("of 35 second moves"), "{text}");

    let path = small_book("other.book", |opening| opening.digest = Some("0".repeat(64)));
    let output = run(&["verify", "--solved", path.to_str().unwrap()]);
    assert!(error(&output).contains("1 of 1 openings were not verified"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("is not the one in the book"));
}

#[test]
fn what_a_book_says_wrongly_is_refused() {
    let path = small_book("short.book", |opening| opening.plies = 5);
    let output = run(&["verify", "--solved", path.to_str().unwrap()]);
    assert!(error(&output).contains("not verified"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("more than claimed"));
    // Without the quiet moves the rest is not forced.
    let whole = fs::read_to_string(small_book("less.book", |_| ())).unwrap();
    let (head, _) = whole.rsplit_once(':').unwrap();
    fs::write(&path, format!("{head}:\n")).unwrap();
    let output = run(&["verify", "--solved", path.to_str().unwrap()]);
    assert!(error(&output).contains("not verified"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("do not suffice"));
    fs::write(&path, "tengen proved book 1\n").unwrap();
    let told = error(&run(&["verify", "--solved", path.to_str().unwrap()]));
    assert!(told.contains("Line 1 of the book"), "{told}");
    let told = error(&run(&["verify", "--solved", "freestyle-15", "--only", "i9"]));
    assert!(told.contains("no opening with the second move i9"), "{told}");
}
