//! Journals that are torn, damaged, foreign, too new or in use.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

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
    assert!(error.ends_with("has version 99; this program reads up to 2."), "{error}");
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

/// Plays to the end what these records leave open, and says what it was told on the way.
fn go_on(
    plan: &Plan,
    recorded: Vec<PairRecord>,
    path: &Path,
) -> (Result<RunEnd, RunError>, Vec<String>) {
    let mut journal = Journal::create(path, plan).unwrap();
    for pair in &recorded {
        journal.write_pair(pair).unwrap();
    }
    let control = RunControl::default();
    let mut threads = Threads::start(1, &factory(), &control);
    let mut notes = Vec::new();
    let mut listener = |event: Event<'_>| {
        if let Event::Note(text) = event {
            notes.push(text.to_owned());
        }
    };
    let end = run(plan, recorded, &mut journal, &mut threads, &control, &mut listener);
    (end, notes)
}

#[test]
fn a_pair_that_is_not_of_the_plan_is_struck_and_played_again() {
    let (path, plan) = journal("other-plan");
    let whole = JournalContent::read(&path).unwrap();
    for (name, change) in [
        ("seed", (|pair| pair.seed += 1) as fn(&mut PairRecord)),
        ("opening", |pair| pair.opening = "a1a2".to_owned()),
        ("players", |pair| pair.players = [1, 0]),
        ("moves", |pair| pair.games[1].moves.truncate(4)),
    ] {
        let mut recorded = whole.pairs.clone();
        change(&mut recorded[1]);
        let new = folder(&format!("other-plan-{name}")).join("journal.jsonl");
        let (end, notes) = go_on(&plan, recorded, &new);
        assert_eq!(digest(&end.unwrap().pairs), digest(&whole.pairs), "{name}");
        assert!(notes[0].starts_with("Pair 1 of the journal is played again: "), "{notes:?}");
        let again = JournalContent::read(&new).unwrap();
        assert_eq!(again.pairs.len(), 3, "{name}");
        let counted = replay(&plan, again.pairs).unwrap();
        assert_eq!(digest(&counted.pairs), digest(&whole.pairs), "{name}");
    }
}

#[test]
fn a_pair_with_two_different_records_is_struck_and_played_again() {
    let (path, plan) = journal("twice");
    let whole = JournalContent::read(&path).unwrap();
    let mut recorded = whole.pairs.clone();
    let mut again = recorded[0].clone();
    recorded.push(again.clone());
    let (end, _) = go_on(&plan, recorded.clone(), &folder("twice-same").join("journal.jsonl"));
    assert_eq!(digest(&end.unwrap().pairs), digest(&whole.pairs), "the same twice is counted once");

    again.games[0].moves.push_str("a1");
    recorded.push(again);
    let new = folder("twice-new").join("journal.jsonl");
    let (end, _) = go_on(&plan, recorded, &new);
    assert!(matches!(end, Err(RunError::NotReproducible(0))));
    let (mut journal, left) = Journal::resume(&new).unwrap();
    assert_eq!(left.pairs.len(), 2, "neither of the two counts");
    let control = RunControl::default();
    let mut threads = Threads::start(1, &factory(), &control);
    let end = run(&plan, left.pairs, &mut journal, &mut threads, &control, &mut |_| {}).unwrap();
    assert_eq!(digest(&end.pairs), digest(&whole.pairs));
}

/// Sends a wrong record of one pair before each right one.
struct Liar {
    threads: Threads,
    change: fn(&mut PairRecord),
    lies: u32,
    held: Option<News>,
}

impl Dispatcher for Liar {
    fn capacity(&self) -> usize {
        1
    }

    fn submit(&mut self, job: PairJob) -> Result<(), DispatchError> {
        self.threads.submit(job)
    }

    fn next(&mut self, wait: Duration) -> Result<Option<News>, DispatchError> {
        if let Some(news) = self.held.take() {
            return Ok(Some(news));
        }
        Ok(self.threads.next(wait)?.map(|news| match news {
            News::Finished(mut pair) if pair.index == 1 && self.lies > 0 => {
                self.lies -= 1;
                (self.change)(&mut pair);
                News::Finished(pair)
            }
            other => other,
        }))
    }

    fn withdraw(&mut self) -> Vec<u64> {
        self.threads.withdraw()
    }
}

#[test]
fn what_cannot_be_is_dropped_before_it_is_written() {
    let (path, plan) = journal("liar");
    let whole = JournalContent::read(&path).unwrap();
    type Change = (&'static str, fn(&mut PairRecord));
    let changes: [Change; 9] = [
        ("belongs to another pair", |pair| pair.seed += 1),
        ("belongs to another pair", |pair| pair.opening = "h8".to_owned()),
        ("nobody asked for it", |pair| pair.index = 77),
        ("starts are not possible", |pair| pair.attempts = 0),
        ("costs for more or fewer moves", |pair| pair.games[0].times.truncate(3)),
        ("has a move", |pair| pair.games[0].moves = "\u{e9}8".to_owned()),
        ("did not end as", |pair| pair.games[0].ending = gomoku::Ending::Time),
        ("did not end as", |pair| {
            let game = &mut pair.games[1];
            let is_black = game.result == Winner::Black;
            game.result = if is_black { Winner::White } else { Winner::Black };
        }),
        ("which is not possible", |pair| {
            let game = &mut pair.games[0];
            let first: String = game.moves.chars().take_while(|c| !c.is_ascii_digit()).collect();
            let row: String =
                game.moves[first.len()..].chars().take_while(char::is_ascii_digit).collect();
            game.moves += &format!("{first}{row}");
            game.times.push(1);
            game.evaluations.clear();
            game.scores.clear();
        }),
    ];
    for (number, (reason, change)) in changes.into_iter().enumerate() {
        let path = folder(&format!("liar-{number}")).join("journal.jsonl");
        let control = RunControl::default();
        let lies = if reason == "nobody asked for it" { 0 } else { 2 };
        let threads = Threads::start(1, &factory(), &control);
        let mut liar = Liar { threads, change, lies, held: None };
        if lies == 0 {
            let mut stray = whole.pairs[0].clone();
            change(&mut stray);
            liar.held = Some(News::Finished(Box::new(stray)));
        }
        let mut journal = Journal::create(&path, &plan).unwrap();
        let end = run(&plan, Vec::new(), &mut journal, &mut liar, &control, &mut |_| {}).unwrap();
        assert_eq!(digest(&end.pairs), digest(&whole.pairs), "{reason}");
        let written = JournalContent::read(&path).unwrap();
        assert_eq!(written.pairs.len(), 3, "{reason}");
        assert!(written.notes[0].contains(reason), "{:?}", written.notes);
    }
    // Who never says anything else is not asked for ever.
    let path = folder("liar-always").join("journal.jsonl");
    let control = RunControl::default();
    let threads = Threads::start(1, &factory(), &control);
    let mut liar = Liar { threads, change: |pair| pair.seed += 1, lies: 99, held: None };
    let mut journal = Journal::create(&path, &plan).unwrap();
    let end = run(&plan, Vec::new(), &mut journal, &mut liar, &control, &mut |_| {});
    assert!(matches!(end, Err(RunError::Rejected { index: 1, .. })));
    assert_eq!(JournalContent::read(&path).unwrap().pairs.len(), 1);
}

#[test]
fn a_flipped_move_and_blank_lines() {
    let (path, _) = journal("flipped");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n\n")).unwrap();
    assert_eq!(JournalContent::read(&path).unwrap().pairs.len(), 3);
    let moves = text.find("\"moves\":\"").unwrap() + 9;
    let mut bytes = text.into_bytes();
    bytes[moves] ^= 1;
    fs::write(&path, bytes).unwrap();
    let error = JournalContent::read(&path).unwrap_err().to_string();
    assert!(error.contains("its checksum is wrong"), "{error}");
}

#[test]
fn journals_of_the_first_version_are_read_and_gone_on_with() {
    let (path, plan) = journal("old");
    let whole = JournalContent::read(&path).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    // As the first version wrote it: no checksums, another number.
    let old: String = text
        .lines()
        .take(3)
        .map(|line| line[..line.len() - r#","sum":"00000000"}"#.len()].to_owned() + "}\n")
        .collect();
    fs::write(&path, old.replace("\"version\":2", "\"version\":1")).unwrap();
    let (mut journal, recorded) = Journal::resume(&path).unwrap();
    assert_eq!(recorded.pairs.len(), 2);
    let control = RunControl::default();
    let mut threads = Threads::start(1, &factory(), &control);
    let end =
        run(&plan, recorded.pairs, &mut journal, &mut threads, &control, &mut |_| {}).unwrap();
    assert_eq!(digest(&end.pairs), digest(&whole.pairs));
    assert_eq!(JournalContent::read(&path).unwrap().pairs.len(), 3);
}

#[test]
fn scores_that_claim_a_win_are_no_fault() {
    let (path, plan) = journal("claims");
    let mut recorded = JournalContent::read(&path).unwrap();
    for score in [player::Score::win_in(3).value(), i64::MAX, i64::MIN] {
        recorded.pairs[0].games[0].scores[0] = Some(score);
        assert_eq!(replay(&plan, recorded.pairs.clone()).unwrap().pairs.len(), 3);
    }
}
