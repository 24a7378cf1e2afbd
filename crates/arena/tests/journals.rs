//! Journals that are torn, damaged, foreign, too new or in use.

mod common;

use std::{fs, path::PathBuf};

use arena::*;
use common::*;

fn journal(name: &str) -> (PathBuf, Plan) {
    let plan = plan(&[("a", "scatter:50"), ("b", "scatter:50")], Schedule::Duel { pairs: 3 });
    play(&plan, name, 1).unwrap();
    (journal_path(name), plan)
}

#[test]
fn what_is_written_is_read() {
    let (path, plan) = journal("written");
    let recorded = JournalContent::read(&path).unwrap();
    assert_eq!(recorded.plan, plan);
    assert_eq!(recorded.pairs.len(), 3);
    assert_eq!(recorded.notes, ["All planned games were played."]);
    assert!(recorded.began > 1_700_000_000);
}

#[test]
fn a_torn_or_garbled_last_line_is_forgotten() {
    let (path, _) = journal("torn");
    let whole = fs::read(&path).unwrap();
    for tail in [&b"{\"kind\":\"pair\",\"ind"[..], b"\0\0\0\0\n", b"\xff\xfe"] {
        fs::write(&path, [&whole[..], tail].concat()).unwrap();
        assert_eq!(JournalContent::read(&path).unwrap().pairs.len(), 3);
        drop(Journal::resume(&path).unwrap());
        let text = String::from_utf8(fs::read(&path).unwrap()).unwrap();
        assert!(text.lines().all(|line| line.starts_with('{') && line.ends_with('}')), "{text}");
    }
}

#[test]
fn damage_before_the_end_is_an_error_with_its_line() {
    let (path, _) = journal("damaged");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[2] = "{\"kind\":\"pair\"}";
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let error = JournalContent::read(&path).unwrap_err().to_string();
    assert!(error.starts_with("Line 3 of ") && error.contains("is damaged"), "{error}");
}

#[test]
fn other_files_and_later_versions_are_refused() {
    let folder = folder("foreign");
    let path = folder.join("journal.jsonl");
    for text in ["", "hello\n", "{\"kind\":\"note\",\"at\":1,\"text\":\"x\"}\n", "[]\n"] {
        fs::write(&path, text).unwrap();
        let error = JournalContent::read(&path).unwrap_err().to_string();
        assert!(error.ends_with("is not the journal of a run."), "{text:?}: {error}");
    }
    fs::write(&path, "{\"kind\":\"header\",\"version\":99,\"future\":true}\n").unwrap();
    let error = JournalContent::read(&path).unwrap_err().to_string();
    assert!(error.ends_with("has version 99; this program reads up to 1."), "{error}");
    assert!(JournalContent::read(&folder.join("nothing")).is_err());
}

#[test]
fn two_runs_cannot_write_one_journal() {
    let (path, plan) = journal("busy");
    let (held, _) = Journal::resume(&path).unwrap();
    let error = Journal::resume(&path).unwrap_err().to_string();
    assert!(error.ends_with("is in use by another process."), "{error}");
    drop(held);
    assert!(Journal::resume(&path).is_ok());
    assert!(Journal::create(&path, &plan).is_err(), "a journal is never overwritten");
}

#[test]
fn pairs_of_another_plan_are_noticed() {
    let (path, plan) = journal("other-plan");
    let mut recorded = JournalContent::read(&path).unwrap();
    recorded.pairs[1].seed += 1;
    let new = folder("other-plan-new").join("journal.jsonl");
    let mut journal = Journal::create(&new, &plan).unwrap();
    let control = RunControl::default();
    let mut threads = Threads::start(1, &factory(), &control);
    let outcome = run(&plan, recorded.pairs, &mut journal, &mut threads, &control, &mut |_| {});
    assert!(matches!(outcome, Err(RunError::Foreign(1))));
}

#[test]
fn the_same_pair_with_other_games_is_noticed() {
    let (path, plan) = journal("twice");
    let mut recorded = JournalContent::read(&path).unwrap();
    let mut again = recorded.pairs[0].clone();
    recorded.pairs.push(again.clone());
    let new = folder("twice-new").join("journal.jsonl");
    let control = RunControl::default();
    let mut threads = Threads::start(1, &factory(), &control);
    let mut journal = Journal::create(&new, &plan).unwrap();
    let pairs = recorded.pairs.clone();
    run(&plan, pairs, &mut journal, &mut threads, &control, &mut |_| {}).unwrap();
    again.games[0].moves.push_str("a1");
    recorded.pairs.push(again);
    let outcome = run(&plan, recorded.pairs, &mut journal, &mut threads, &control, &mut |_| {});
    assert!(matches!(outcome, Err(RunError::NotReproducible(0))));
}
