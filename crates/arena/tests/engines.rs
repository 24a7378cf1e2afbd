//! External engines that misbehave: the right verdict and reason, the match goes on, no orphans.
#![cfg(unix)]

mod common;

use std::{fs, path::PathBuf, thread, time::Duration};

use arena::*;
use common::*;
use gomoku::{Color, Ending, Position, Rule};
use player::{Limits, Player, PlayerReply, Task, Unwatched};

const ENGINE: &str = env!("CARGO_BIN_EXE_misbehave");

/// A limit that nobody reaches, however busy the machine is.
const LONG: Budget = Budget { turn_ms: Some(60_000), ..NO_LIMIT };
/// A limit to wait for: a second with the tolerance.
const SHORT: Budget = Budget { turn_ms: Some(500), ..NO_LIMIT };
const NO_LIMIT: Budget = Budget {
    depth: None,
    nodes: None,
    evaluations: None,
    turn_ms: None,
    game_ms: None,
    increment_ms: None,
    memory: None,
};

fn pids_file(name: &str) -> PathBuf {
    folder(&format!("{name}-pids")).join("pids")
}

/// A duel of two pairs between a good engine and one of this mode.
fn duel(name: &str, command: &str, ending: Ending) -> Plan {
    let good = format!("cmd:\"{ENGINE}\" good");
    let mut plan = plan(&[("good", &good), ("bad", command)], Schedule::Duel { pairs: 2 });
    plan.run = name.to_owned();
    plan.players[0].budget = LONG;
    plan.players[1].budget = if is_slow(ending) { SHORT } else { LONG };
    plan.timeouts = Timeouts {
        tolerance_ms: 500,
        late_ms: if ending == Ending::Time { 20_000 } else { 100 },
        start_ms: if name == "hang-at-start" { 500 } else { 20_000 },
        stall_ms: 60_000,
        start_attempts: 2,
    };
    plan
}

/// Whether an ending is found out about by waiting.
fn is_slow(ending: Ending) -> bool {
    matches!(ending, Ending::Time | Ending::Stall)
}

fn is_alive(pid: &str) -> bool {
    // A killed child of a killed parent may wait for init to take note of it.
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = status.rsplit(") ").next().and_then(|rest| rest.chars().next());
    state.is_some_and(|state| state != 'Z' && state != 'X')
}

/// Plays the duel and checks that every game but drawn out ones ended as it should.
fn check(mode: &str, ending: Ending, words: &str) {
    let pids = pids_file(mode);
    let command = format!("cmd:\"{ENGINE}\" {mode} \"{}\"", pids.display());
    check_command(mode, &command, &pids, ending, words);
}

fn check_command(name: &str, command: &str, pids: &PathBuf, ending: Ending, words: &str) {
    let plan = duel(name, command, ending);
    let outcome = play(&plan, name, 2).unwrap();
    assert_eq!(outcome.stop, Stop::Complete);
    assert_eq!(outcome.pairs.len(), 2, "{name}: the match goes on");
    for pair in &outcome.pairs {
        for (number, game) in pair.games.iter().enumerate() {
            assert_eq!(game.ending, ending, "{name}: {}", game.detail);
            let winner = game.result.color().unwrap();
            assert_eq!(pair.player(number, winner), 0, "{name}: the good engine wins");
            assert!(game.detail.contains(words), "{name}: '{}' lacks '{words}'", game.detail);
        }
    }
    assert_no_orphans(pids);
}

fn assert_no_orphans(pids: &PathBuf) {
    let text = fs::read_to_string(pids).unwrap();
    assert!(text.lines().count() >= 2, "the engine and its child have said who they are");
    for pid in text.lines() {
        // A killed grandchild is gone when the system gets round to it.
        let gone = (0..1000).any(|_| {
            let alive = is_alive(pid);
            if alive {
                thread::sleep(Duration::from_millis(10));
            }
            !alive
        });
        assert!(gone, "process {pid} has survived");
    }
}

#[test]
fn a_hanging_engine_stalls() {
    check("hang", Ending::Stall, "It did not answer within 1000 ms and was killed.");
}

#[test]
fn an_engine_that_ignores_signals_and_its_input_is_killed() {
    let pids = pids_file("deaf");
    let script = format!("trap '' TERM INT HUP; exec '{ENGINE}' deaf '{}'", pids.display());
    let command = format!("cmd:sh -c \"{script}\"");
    check_command("deaf", &command, &pids, Ending::Stall, "and was killed");
}

#[test]
fn a_crash_is_told_with_its_last_words() {
    check("crash", Ending::Crash, "exit code 3. Its last words: thread 'search' ran into trouble");
}

#[test]
fn what_engines_are_told_and_say_is_written_down() {
    let command = format!("cmd:\"{ENGINE}\" crash \"{}\"", pids_file("logged").display());
    let plan = duel("logged", &command, Ending::Crash);
    let folder = folder("logged");
    let logs = folder.join("logs");
    let mut journal = Journal::create(&folder.join("journal.jsonl"), &plan).unwrap();
    let control = RunControl::default();
    let seats = Seats::from(&factory()).logged(WireLogs::new(logs.clone()));
    let mut threads = Threads::start(2, seats, &control);
    run(&plan, Vec::new(), &mut journal, &mut threads, &control, &mut |_| {}).unwrap();
    drop(threads);
    let read = |engine| fs::read_to_string(WireLogs::path(&logs, engine)).unwrap();
    let (good, bad) = (read("good"), read("bad"));
    for (log, signs) in [
        (&good, &[" - It is started: ", " > START 15", " < OK", " > INFO rule"][..]),
        (&bad, &[" ! thread 'search' ran into trouble", " - It ended with exit code 3."]),
    ] {
        for sign in signs {
            assert!(log.contains(sign), "no '{sign}' in {log}");
        }
    }
    assert!(!good.contains(" ! "), "{good}");
    let processes: std::collections::BTreeSet<_> =
        bad.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    assert!(processes.len() >= 4, "each game of four began with a process of its own: {bad}");
}

#[test]
fn an_abort_is_a_crash() {
    check("abort", Ending::Crash, "It was ended: signal: 6");
}

#[test]
fn a_late_answer_loses_on_time() {
    check("late", Ending::Time, "only after");
}

#[test]
fn an_occupied_point_is_illegal() {
    check("occupied", Ending::Illegal, "is occupied");
}

#[test]
fn a_point_off_the_board_is_illegal() {
    check("off-board", Ending::Illegal, "It played 99,99, which is not on the board.");
}

#[test]
fn a_flood_without_an_answer_stalls() {
    check("flood", Ending::Stall, "and was killed");
}

#[test]
fn nonsense_stalls_and_is_quoted() {
    check("nonsense", Ending::Stall, "seven,eight");
}

#[test]
fn an_error_without_an_answer_stalls_and_is_quoted() {
    check("error", Ending::Stall, "It said: ERROR I do not want to");
}

#[test]
fn a_stopped_process_is_killed() {
    check("freeze", Ending::Stall, "and was killed");
}

#[test]
fn harmless_oddities_are_forgiven() {
    for mode in ["chatter", "error-then-play"] {
        let pids = pids_file(mode);
        let command = format!("cmd:\"{ENGINE}\" {mode} \"{}\"", pids.display());
        let mut plan = duel(mode, &command, Ending::Five);
        plan.adjudication.max_stones = Some(20);
        let outcome = play(&plan, mode, 2).unwrap();
        assert!(outcome.standing.count.faults.is_empty(), "{mode}");
        assert_no_orphans(&pids);
    }
}

#[test]
fn failed_starts_end_the_run_and_are_never_scored() {
    for (mode, words) in [
        ("crash-at-start", "It ended with exit code 7. Its last words: no weights found"),
        ("refuse-start", "It refused to start: unsupported size"),
        ("hang-at-start", "It did not say OK within 500 ms."),
    ] {
        let pids = pids_file(mode);
        let command = format!("cmd:\"{ENGINE}\" {mode} \"{}\"", pids.display());
        let plan = duel(mode, &command, Ending::StartUp);
        let error = play(&plan, mode, 1).unwrap_err().to_string();
        assert_eq!(error, format!("'bad' does not start: {words}"));
        assert!(JournalContent::read(&journal_path(mode)).unwrap().pairs.is_empty());
        assert_no_orphans(&pids);
    }
    let missing = duel("missing", "cmd:/no/such/program", Ending::StartUp);
    let error = play(&missing, "missing", 1).unwrap_err().to_string();
    assert!(error.contains("/no/such/program cannot be run"), "{error}");
}

#[test]
fn untimed_engines_play_the_same_games_each_time() {
    let engine = format!("cmd:\"{ENGINE}\" good");
    let mut plan = plan(&[("a", &engine), ("b", &engine)], Schedule::Duel { pairs: 3 });
    plan.players[0].budget.nodes = Some(100);
    let one = play(&plan, "external-one", 1).unwrap();
    let two = play(&plan, "external-two", 2).unwrap();
    assert_eq!(digest(&one.pairs), digest(&two.pairs));
    assert!(one.pairs.iter().all(|pair| pair.games.iter().all(|g| g.plies() > 5)));
}

#[test]
fn an_external_engine_is_a_player_too() {
    let mut engine =
        External::new(&format!("\"{ENGINE}\" good"), Limits::default(), Timeouts::default());
    engine.new_game(1);
    let mut position = Position::parse("a1c1", Rule::Freestyle, 15).unwrap();
    for expected in ["b1", "d1"] {
        let task = Task::new(position.clone(), Limits::default());
        let choice = engine.choose(&task, &Unwatched);
        assert_eq!(choice.point().unwrap().to_string(), expected);
        position.play(choice.point().unwrap()).unwrap();
        let reply = Position::new(Rule::Freestyle, 15).legal_points().iter().last().unwrap();
        if position.to_move() == Color::White && position.is_legal(reply) {
            position.play(reply).unwrap();
        }
    }

    let timeouts = Timeouts { start_ms: 500, ..Timeouts::default() };
    let mut broken = External::new("/no/such/program", Limits::default(), timeouts);
    broken.new_game(1);
    let choice = broken.choose(&Task::new(position, Limits::default()), &Unwatched);
    assert_eq!(choice.reply, PlayerReply::Resign);
    assert_eq!(broken.failure().unwrap().ending, Ending::StartUp);
}

const WATCHED: &str = "ARENA_TEST_WATCHED";

/// Not a test of its own: a program that plays with an engine that never answers.
#[test]
#[ignore = "started by the test below, in a process of its own"]
fn playing_process() {
    if let Ok(command) = std::env::var(WATCHED) {
        let mut plan = duel("watched", &command, Ending::Stall);
        plan.players[1].budget = LONG;
        let _ = play(&plan, "watched", 1);
    }
}

/// Waits until a file has so many lines.
fn wait_for_lines(path: &PathBuf, count: usize) {
    while fs::read_to_string(path).unwrap_or_default().lines().count() < count {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn engines_die_with_a_program_that_is_killed() {
    let pids = pids_file("watched");
    let command = format!("cmd:\"{ENGINE}\" hang \"{}\"", pids.display());
    let mut program = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["playing_process", "--exact", "--ignored"])
        .env(WATCHED, command)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    wait_for_lines(&pids, 2);
    program.kill().unwrap();
    program.wait().unwrap();
    assert_no_orphans(&pids);
}

#[cfg(target_os = "linux")]
#[test]
fn what_leaves_the_process_group_of_an_engine_is_found() {
    let pids = pids_file("daemon");
    // The engine starts something in a session of its own, which outlives it, and then hangs.
    let script = format!(
        "setsid sh -c 'echo $$ >> {0}; exec sleep 3600' & exec '{ENGINE}' hang '{0}'",
        pids.display()
    );
    let command = format!("cmd:sh -c \"{script}\"");
    let mut plan = duel("daemon", &command, Ending::Stall);
    plan.players[1].budget = SHORT;
    let outcome = play(&plan, "daemon", 1).unwrap();
    assert_eq!(outcome.pairs.len(), 2);
    assert_no_orphans(&pids);
}
