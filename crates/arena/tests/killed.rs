//! A run in a process of its own, killed three times without warning and resumed each time.
#![cfg(unix)]

mod common;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use arena::*;
use common::*;

const JOURNAL: &str = "ARENA_TEST_JOURNAL";

fn tournament() -> Plan {
    let players = [("a", "scatter:20"), ("b", "scatter:90"), ("c", "scatter:50")];
    plan(&players, Schedule::RoundRobin { pairs: 60 })
}

/// Begins or resumes the run at this journal and plays it to its end.
fn go_on(path: &Path) -> RunEnd {
    let (plan, mut journal, pairs) = if path.exists() {
        let (journal, recorded) = Journal::resume(path).unwrap();
        (recorded.plan, journal, recorded.pairs)
    } else {
        let plan = tournament();
        (plan.clone(), Journal::create(path, &plan).unwrap(), Vec::new())
    };
    let control = RunControl::default();
    let mut threads = Threads::start(2, &factory(), &control);
    run(&plan, pairs, &mut journal, &mut threads, &control, &mut |_| {}).unwrap()
}

/// Not a test of its own: what the killed process does.
#[test]
#[ignore = "started by the test below, in a process of its own"]
fn player_process() {
    if let Some(path) = env::var_os(JOURNAL) {
        go_on(&PathBuf::from(path));
    }
}

fn start(path: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["player_process", "--exact", "--ignored"])
        .env(JOURNAL, path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn lines(path: &Path) -> usize {
    fs::read(path).map_or(0, |bytes| bytes.iter().filter(|b| **b == b'\n').count())
}

#[test]
fn killed_runs_lose_nothing_that_was_written() {
    let path = folder("killed").join("journal.jsonl");
    let mut kept = 0;
    for kill_at in [15, 50, 100] {
        let mut child = start(&path);
        while lines(&path) < kill_at && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let pairs = JournalContent::read(&path).unwrap().pairs.len();
        assert!(pairs >= kept && pairs >= kill_at - 6, "{pairs} pairs of {kill_at} lines");
        kept = pairs;
    }
    assert!(kept < 180, "the last kill came before the end");
    let resumed = go_on(&path);
    let whole = go_on(&folder("not-killed").join("journal.jsonl"));
    assert_eq!(resumed.pairs.len(), 180);
    assert_eq!(digest(&resumed.pairs), digest(&whole.pairs));
    let recorded = JournalContent::read(&path).unwrap();
    assert_eq!(recorded.pairs.len(), 180, "nothing is played twice");
}
