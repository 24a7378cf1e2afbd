//! Whole runs with small players: the same games at any concurrency and after any interruption.

mod common;

use std::{fs, path::Path};

use arena::*;
use common::*;
use gomoku::Ending;
use stats::{Sprt, Verdict};

const TWO: [(&str, &str); 2] = [("strong", "scatter:90"), ("weak", "scatter:40")];
const FOUR: [(&str, &str); 4] =
    [("a", "scatter:20"), ("b", "scatter:90"), ("c", "scatter:50"), ("d", "scatter:0")];

fn schedules() -> Vec<(&'static str, Plan)> {
    let test = Sprt::new(0.0, 100.0).unwrap();
    vec![
        ("duel", plan(&TWO, Schedule::Duel { pairs: 20 })),
        ("gauntlet", plan(&FOUR, Schedule::Gauntlet { pairs: 5 })),
        ("round-robin", plan(&FOUR, Schedule::RoundRobin { pairs: 3 })),
        ("ladder", plan(&FOUR, Schedule::Ladder { pairs: 4 })),
        ("sprt", plan(&TWO, Schedule::Sprt { test, max_pairs: 200 })),
    ]
}

#[test]
fn games_are_the_same_at_any_concurrency() {
    for (name, plan) in schedules() {
        let one = play(&plan, &format!("one-{name}"), 1).unwrap();
        let four = play(&plan, &format!("four-{name}"), 4).unwrap();
        assert_eq!(digest(&one.pairs), digest(&four.pairs), "{name}");
        assert_eq!(one.stop, four.stop, "{name}");
        assert_eq!(one.standing.count, four.standing.count, "{name}");
        assert!(one.pairs.len() >= 9, "{name}");
    }
}

#[test]
fn a_test_is_decided_by_the_order_of_the_schedule() {
    let (_, plan) = schedules().pop().unwrap();
    let outcome = play(&plan, "sprt-decided", 3).unwrap();
    assert_eq!(outcome.stop, Stop::Decided);
    let trial = outcome.standing.trial.unwrap();
    assert_eq!(trial.verdict(), Verdict::AcceptH1);
    assert_eq!(trial.counts().0.iter().sum::<u64>(), outcome.pairs.len() as u64);
    assert!(outcome.pairs.len() >= 16);
    assert!(outcome.uncounted.iter().all(|pair| pair.index >= outcome.pairs.len() as u64));
}

#[test]
fn a_ladder_ends_with_everyone_on_it() {
    let outcome = play(&plan(&FOUR, Schedule::Ladder { pairs: 4 }), "ladder-order", 2).unwrap();
    let mut order = outcome.standing.ladder.unwrap();
    assert_eq!(order[0], 1, "the strongest is on top: {order:?}");
    order.sort_unstable();
    assert_eq!(order, [0, 1, 2, 3]);
}

/// Resumes the journal in `path` and plays to the end.
fn resume(path: &Path, jobs: usize) -> RunEnd {
    let (mut journal, recorded) = Journal::resume(path).unwrap();
    let control = RunControl::default();
    let mut threads = Threads::start(jobs, &factory(), &control);
    run(&recorded.plan, recorded.pairs, &mut journal, &mut threads, &control, &mut |_| {}).unwrap()
}

#[test]
fn a_journal_cut_anywhere_is_completed_to_the_same_games() {
    for (name, plan) in schedules() {
        let whole = play(&plan, &format!("cut-{name}"), 3).unwrap();
        let folder = folder(&format!("cut-parts-{name}"));
        let bytes = fs::read(journal_path(&format!("cut-{name}"))).unwrap();
        let header = bytes.iter().position(|b| *b == b'\n').unwrap() + 1;
        for part in 0..4 {
            let cut = header + (bytes.len() - header) * part / 4 + part;
            let path = folder.join(format!("{part}.jsonl"));
            fs::write(&path, &bytes[..cut.min(bytes.len())]).unwrap();
            let resumed = resume(&path, 2);
            assert_eq!(digest(&resumed.pairs), digest(&whole.pairs), "{name} cut at {cut}");
            assert_eq!(resumed.stop, whole.stop);
            let again = JournalContent::read(&path).unwrap();
            let mut indices: Vec<u64> = again.pairs.iter().map(|pair| pair.index).collect();
            indices.sort_unstable();
            indices.dedup();
            assert_eq!(indices.len(), again.pairs.len(), "nothing is played twice");
        }
    }
}

#[test]
fn an_interrupted_run_finishes_what_is_in_flight() {
    let plan = plan(&FOUR, Schedule::RoundRobin { pairs: 10 });
    let path = folder("interrupted").join("journal.jsonl");
    let mut journal = Journal::create(&path, &plan).unwrap();
    let control = RunControl::default();
    let mut threads = Threads::start(2, &factory(), &control);
    let mut finished = 0;
    let mut listener = |event: Event<'_>| {
        if let Event::Finished { .. } = event {
            finished += 1;
            if finished == 5 {
                control.interrupt();
            }
        }
    };
    let outcome =
        run(&plan, Vec::new(), &mut journal, &mut threads, &control, &mut listener).unwrap();
    assert_eq!(outcome.stop, Stop::Interrupted);
    assert!((5..=8).contains(&outcome.standing.played), "{}", outcome.standing.played);
    drop((journal, threads));
    let whole = play(&plan, "uninterrupted", 2).unwrap();
    assert_eq!(digest(&resume(&path, 2).pairs), digest(&whole.pairs));
}

#[test]
fn a_stopped_run_keeps_nothing_half_played() {
    let plan = plan(&TWO, Schedule::Duel { pairs: 30 });
    let path = folder("stopped").join("journal.jsonl");
    let mut journal = Journal::create(&path, &plan).unwrap();
    let control = RunControl::default();
    let mut threads = Threads::start(2, &factory(), &control);
    let mut moves = 0;
    let mut listener = |event: Event<'_>| {
        if let Event::Moved(_) = event {
            moves += 1;
            if moves == 300 {
                control.interrupt();
                control.interrupt();
            }
        }
    };
    let outcome =
        run(&plan, Vec::new(), &mut journal, &mut threads, &control, &mut listener).unwrap();
    assert_eq!(outcome.stop, Stop::Interrupted);
    drop((journal, threads));
    let whole = play(&plan, "unstopped", 1).unwrap();
    for pair in outcome.pairs.iter().chain(&outcome.uncounted) {
        assert_eq!(pair.digest(), whole.pairs[pair.index as usize].digest());
    }
    assert_eq!(digest(&resume(&path, 2).pairs), digest(&whole.pairs));
}

#[test]
fn a_reproducible_run_stops_when_openings_are_used_up() {
    let mut plan = plan(&TWO, Schedule::Duel { pairs: 10 });
    plan.openings.positions.truncate(3);
    plan.openings.symmetries = false;
    let outcome = play(&plan, "used-up", 2).unwrap();
    assert_eq!(outcome.stop, Stop::OpeningsUsedUp);
    assert_eq!(outcome.pairs.len(), 3);
    plan.openings.repeat = true;
    let outcome = play(&plan, "repeated", 2).unwrap();
    assert_eq!((outcome.stop, outcome.pairs.len()), (Stop::Complete, 10));
}

#[test]
fn no_opening_is_played_twice_and_both_colors_play_each() {
    let outcome = play(&plan(&TWO, Schedule::Duel { pairs: 60 }), "no-repeats", 2).unwrap();
    let mut openings: Vec<&str> = outcome.pairs.iter().map(|p| p.opening.as_str()).collect();
    openings.sort_unstable();
    openings.dedup();
    assert_eq!(openings.len(), 60);
    let seeds: std::collections::BTreeSet<u64> = outcome.pairs.iter().map(|p| p.seed).collect();
    assert_eq!(seeds.len(), 60);
}

#[test]
fn a_panicking_player_loses_and_the_match_goes_on() {
    let plan = plan(&[("good", "scatter:50"), ("bad", "panic")], Schedule::Duel { pairs: 4 });
    let outcome = play(&plan, "panic", 2).unwrap();
    assert_eq!(outcome.stop, Stop::Complete);
    let crashes = outcome.standing.count.faults[&(1, Ending::Crash)];
    assert!(crashes >= 6, "{crashes} of 8 games");
    let detail = &outcome.pairs[0].games[0].detail;
    assert_eq!(detail, "It panicked: this player panics on purpose");
}

#[test]
fn failed_starts_are_tried_again_and_never_scored() {
    let shaky = plan(&[("good", "scatter:50"), ("shaky", "shaky:2")], Schedule::Duel { pairs: 2 });
    let outcome = play(&shaky, "shaky", 1).unwrap();
    assert_eq!(outcome.pairs.len(), 2);
    assert_eq!(outcome.pairs[0].attempts, 3);
    assert!(outcome.standing.count.faults.is_empty());

    let broken =
        plan(&[("good", "scatter:50"), ("shaky", "shaky:99")], Schedule::Duel { pairs: 2 });
    let error = play(&broken, "broken", 1).unwrap_err().to_string();
    assert_eq!(error, "'shaky' does not start: It is not in the mood.");
    let recorded = JournalContent::read(&journal_path("broken")).unwrap();
    assert_eq!((recorded.pairs.len(), recorded.notes), (0, vec![error]));
}

#[test]
fn plans_that_cannot_be_played_are_refused() {
    let refused = |plan: Plan| play(&plan, "refused", 1).unwrap_err().to_string();
    let duel = Schedule::Duel { pairs: 1 };
    assert_eq!(refused(plan(&FOUR, duel)), "This schedule needs two players, and the plan has 4.");
    let twins = plan(&[("a", "scatter:1"), ("a", "scatter:2")], duel);
    assert_eq!(refused(twins), "Two players are called 'a'.");
    assert_eq!(
        refused(plan(&TWO, Schedule::Duel { pairs: 0 })),
        "The schedule has no pairs to play."
    );
    let unknown = plan(&[("a", "scatter:1"), ("b", "nobody:1")], duel);
    assert_eq!(refused(unknown), "'b' does not start: There is no player 'nobody'.");
}

#[test]
fn limits_reach_the_players_and_timed_runs_have_other_rules() {
    let mut plan = plan(&TWO, Schedule::Duel { pairs: 1 });
    assert!(plan.is_reproducible());
    plan.players[0].budget.nodes = Some(100);
    assert!(plan.is_reproducible());
    plan.players[1].budget.turn_ms = Some(100);
    assert!(!plan.is_reproducible());
}

#[test]
fn a_pair_is_in_the_journal_before_it_is_counted() {
    let plan = plan(&TWO, Schedule::Duel { pairs: 6 });
    let path = folder("journal-first").join("journal.jsonl");
    let mut journal = Journal::create(&path, &plan).unwrap();
    let control = RunControl::default();
    let mut threads = Threads::start(2, &factory(), &control);
    let mut n_told = 0;
    run(&plan, Vec::new(), &mut journal, &mut threads, &control, &mut |event| {
        if let Event::Finished { pair, .. } = event {
            let written = JournalContent::read(&path).unwrap().pairs;
            assert!(written.contains(pair), "pair {} is counted and not written", pair.index);
            n_told += 1;
        }
    })
    .unwrap();
    assert_eq!(n_told, 6);
}
