//! The Gomocup protocol, row by row: commands, settings, replies, endings and errors.

mod common;

use std::time::Duration;

use common::{Brain, check};
use gomoku::{Color, Rule};

// Commands (1.3)

#[test]
fn start_takes_boards_from_5_to_22() {
    check(
        "> START 15
         < OK
         > START 20
         < OK
         > START 5
         < OK
         > START 22
         < OK
         > START 4
         < ERROR Unsupported board size 4: expected 5 to 22.
         > START 23
         < ERROR Unsupported board size 23: expected 5 to 22.
         > START -7
         < ERROR Unsupported board size -7: expected 5 to 22.
         > START
         < ERROR Expected the size of the board, such as 15: START
         > START x
         < ERROR Expected the size of the board, such as 15: START x
         > start 15 15
         < OK
         > START 15,15
         < OK
         > START 15 20
         < ERROR Unsupported size 15x20: boards are square.",
    );
}

#[test]
fn rectstart_takes_squares() {
    check(
        "> RECTSTART 15,15
         < OK
         > BEGIN
         < 0,0
         > RECTSTART 20,15
         < ERROR rectangular board is not supported (20x15)
         > BEGIN
         < ERROR No game has been started.
         > RECTSTART 15
         < ERROR Expected width and height, such as 20,15: RECTSTART 15",
    );
}

#[test]
fn restart_keeps_the_size() {
    check(
        "> RESTART
         < ERROR No game has been started.
         > START 20
         < OK
         > BEGIN
         < 0,0
         > RESTART
         < OK
         > TURN 19,19
         < 0,0",
    );
}

#[test]
fn start_again_is_a_new_game() {
    check(
        "> START 15
         < OK
         > BEGIN
         < 0,0
         > TURN 1,0
         < 2,0
         > START 15
         < OK
         > BEGIN
         < 0,0",
    );
}

#[test]
fn begin_and_turn() {
    check(
        "> START 15
         < OK
         > BEGIN
         < 0,0
         > TURN 1,0
         < 2,0
         > turn 3, 0
         < 4,0",
    );
}

#[test]
fn board_with_even_odd_and_no_stones() {
    let mut brain = Brain::new();
    brain.check(
        "> START 15
         < OK
         > BOARD
         > DONE
         < 0,0
         > BOARD
         > 7,7,1
         > 8,8,2
         > DONE
         < 0,0
         > BOARD
         > 7,7,2
         > 8,8,1
         > 9,9,2
         > DONE
         < 0,0
         > TURN 1,0
         < 2,0
         > BOARD 7,7,1 8,8,2 DONE
         < 0,0",
    );
    let tasks = std::mem::take(&mut brain.knobs.lock().unwrap().tasks);
    let seen: Vec<_> = tasks.iter().map(|t| (t.position.to_move(), t.position.to_text())).collect();
    // The order of play is kept where the list can be one, and colors follow the counts.
    assert_eq!(seen[0], (Color::Black, String::new()));
    assert_eq!(seen[1], (Color::Black, "h8i7".into()));
    assert_eq!(seen[2], (Color::White, "h8i7j6".into()));
    assert_eq!(seen[3], (Color::White, "h8i7j6a15b15".into()));
    assert_eq!(seen[4], seen[1]);
}

#[test]
fn board_in_another_order_is_the_same_stones() {
    let mut brain = Brain::new();
    brain.check(
        "> START 15
         < OK
         > BOARD
         > 8,8,1
         > 7,7,2
         > 9,9,2
         > DONE
         < 0,0",
    );
    let task = brain.knobs.lock().unwrap().tasks.remove(0);
    assert_eq!(task.position.to_text(), "b:j6,h8 w:i7 w");
}

#[test]
fn takeback_removes_any_stone() {
    check(
        "> START 15
         < OK
         > TAKEBACK 7,7
         < ERROR There is no stone on 7,7.
         > BEGIN
         < 0,0
         > TURN 7,7
         < 1,0
         > TAKEBACK 1,0
         < OK
         > TAKEBACK 7,7
         < OK
         > TURN 1,0
         < 2,0
         > TAKEBACK 0,0
         < OK
         > TAKEBACK 15,0
         < ERROR 15,0 is not on the board.",
    );
}

#[test]
fn play_confirms_the_move() {
    check(
        "> START 15
         < OK
         > PLAY 7,7
         < 7,7
         > TURN 7,7
         < ERROR 7,7 is not empty.
         > TURN 8,8
         < 0,0
         > PLAY 0,0
         < ERROR 0,0 is not empty.",
    );
}

#[test]
fn about_comes_before_start() {
    let mut brain = Brain::new();
    brain.say("ABOUT");
    let line = brain.hear();
    assert!(line.starts_with("name=\"Tengen\", version=\""), "{line}");
    assert!(line.contains(", author=\"") && line.contains(", country=\"") && line.ends_with('"'));
}

#[test]
fn errors_of_the_manager_are_ignored() {
    check(
        "> ERROR what was that
         > START 15
         < OK",
    );
}

#[test]
fn unknown_commands_say_so() {
    check(
        "> FOO 1 2
         < UNKNOWN command: FOO 1 2
         > PROBOARD
         < UNKNOWN command: PROBOARD
         > yxnonsense
         < UNKNOWN command: yxnonsense",
    );
}

#[test]
fn each_move_comes_after_one_line_about_it() {
    let mut brain = Brain::new();
    brain.say("START 15\nBEGIN\nTURN 1,0");
    assert_eq!(brain.hear_all(), "OK");
    for (point, at) in [("a15", "0,0"), ("c15", "2,0")] {
        let line = brain.hear_all();
        let number = line.strip_prefix("MESSAGE depth 3 ev 7 n 0 tm ").expect(&line);
        let (time, rest) = number.split_once(' ').expect(&line);
        assert!(time.parse::<u32>().is_ok(), "{line}");
        assert_eq!(rest, format!("pv {point}"));
        assert_eq!(brain.hear_all(), at);
    }
    // A manager that says what it wants to see has that and nothing else.
    for code in [0, 2] {
        let mut brain = Brain::new();
        brain.say(&format!("INFO show_detail {code}\nSTART 15\nBEGIN"));
        let mut lines = vec![brain.hear_all()];
        while lines.last().is_some_and(|line| line != "0,0") {
            lines.push(brain.hear_all());
        }
        assert!(!lines.iter().any(|line| line.starts_with("MESSAGE")), "{lines:?}");
    }
    // Offers in an opening are no moves of the game.
    let mut brain = Brain::new();
    brain.say("START 15\nSWAP2BOARD 7,7 8,7 9,9 DONE");
    assert_eq!([brain.hear_all(), brain.hear_all()], ["OK", "0,0 1,0"]);
}

// Settings (1.4)

/// The task of a `BEGIN` after some lines.
fn task_after(lines: &str) -> player::Task {
    let mut brain = Brain::new();
    brain.check("> START 15\n< OK");
    lines.lines().for_each(|line| brain.say(line.trim()));
    brain.check("> BEGIN\n< 0,0");
    brain.knobs.lock().unwrap().tasks.remove(0)
}

#[test]
fn settings_are_never_answered() {
    check(
        "> INFO timeout_turn 5000
         > INFO timeout_match 120000
         > INFO time_left 120000
         > INFO max_memory 367001600
         > INFO game_type 1
         > INFO rule 1
         > INFO evaluate 7,7
         > INFO folder C:\\some folder\\with spaces
         > INFO unknown_key some value
         > INFO
         > info TIMEOUT_TURN 100
         > START 15
         < OK",
    );
}

#[test]
fn times_become_limits() {
    let limits =
        task_after("INFO timeout_turn 5000\nINFO timeout_match 120000\nINFO time_left 90000")
            .limits;
    let turn = limits.turn.unwrap();
    assert!(turn < Duration::from_millis(5000) && turn > Duration::from_millis(4500));
    let left = limits.clock.unwrap().left;
    assert!(left < Duration::from_secs(90) && left > Duration::from_secs(88));
    // A turn of 0 is as fast as possible, a game of 0 has no limit.
    let fast = task_after("INFO timeout_turn 0\nINFO timeout_match 0").limits;
    assert!(fast.turn.unwrap() < Duration::from_millis(100) && fast.clock.is_none());
    // A turn that was never sent is another thing.
    let none = task_after("INFO timeout_match 60000").limits;
    assert!(none.turn.is_none() && none.clock.is_some());
    assert!(task_after("").limits.turn.unwrap() > Duration::from_secs(25));
    let depth = task_after("INFO max_depth 6\nINFO max_node 1000").limits;
    assert_eq!((depth.depth, depth.nodes, depth.is_timed()), (Some(6), Some(1000), false));
    assert_eq!(task_after("INFO max_node -1\nINFO max_depth 0").limits.nodes, None);
}

#[test]
fn negative_and_huge_values_are_taken() {
    let negative = task_after("INFO timeout_match 1000\nINFO time_left -50").limits;
    assert_eq!(negative.clock.unwrap().left, Duration::ZERO);
    let unlimited = task_after("INFO timeout_match 2147483647\nINFO time_left 2147483647").limits;
    assert!(unlimited.clock.is_none());
    let huge =
        task_after("INFO timeout_turn 99999999999999999999\nINFO max_memory 99999999999").limits;
    assert!(huge.turn.unwrap() > Duration::from_secs(1 << 40));
    assert_eq!(huge.memory, Some(99_999_999_999));
    assert_eq!(task_after("INFO max_memory 0").limits.memory, None);
}

#[test]
fn the_player_is_made_with_what_is_granted() {
    let mut brain = Brain::new();
    brain.check(
        "> START 15
         < OK
         > INFO max_memory 1000000
         > INFO thread_num 2
         > BEGIN
         < 0,0
         > START 15
         < OK
         > BEGIN
         < 0,0
         > INFO max_memory 2000000
         > TURN 5,5
         < 1,0",
    );
    let knobs = brain.knobs.lock().unwrap();
    let memory: Vec<_> = knobs.made.iter().map(|resources| resources.memory).collect();
    assert_eq!(memory, [None, Some(1_000_000), Some(2_000_000)]);
    assert_eq!(knobs.made[1].threads, Some(2));
    assert_eq!(knobs.new_games, 5, "for each player made, after getting ready, and for each game");
}

#[test]
fn the_player_is_ready_before_the_first_move_is_timed() {
    let mut brain = Brain::new();
    brain.check("> START 15\n< OK");
    {
        let knobs = brain.knobs.lock().unwrap();
        assert_eq!((knobs.made.len(), &*knobs.prepared), (1, &[Rule::Freestyle][..]));
        assert!(knobs.tasks.is_empty(), "getting ready is not thinking");
    }
    brain.check(
        "> INFO rule 4
         > INFO timeout_turn 0
         > INFO time_left 20
         > BEGIN
         < 0,0
         > RESTART
         < OK
         > BEGIN
         < 0,0",
    );
    let knobs = brain.knobs.lock().unwrap();
    assert_eq!(knobs.prepared, [Rule::Freestyle, Rule::Renju], "once for each rule");
    assert_eq!((knobs.made.len(), knobs.tasks.len()), (1, 2));
}

#[test]
fn bad_values_are_ignored_with_a_message_and_cost_no_answer() {
    check(
        "> START 15
         < OK
         > INFO rule renju
         < MESSAGE INFO rule: expected a number, found 'renju'. It is ignored.
         > ABOUT?
         < UNKNOWN command: ABOUT?
         > BEGIN
         < 0,0
         > INFO timeout_turn soon
         < MESSAGE INFO timeout_turn: expected a number, found 'soon'. It is ignored.
         > TURN 5,5
         < 1,0
         > INFO timeout_turn never
         < MESSAGE INFO timeout_turn: expected a number, found 'never'. It is ignored.
         > START 15
         < OK
         > BEGIN
         < 0,0",
    );
    let mut brain = Brain::new();
    brain.check(
        "> START 15
         < OK
         > INFO rule 4
         > INFO rule x
         < MESSAGE INFO rule: expected a number, found 'x'. It is ignored.
         > BEGIN
         < 0,0",
    );
    assert_eq!(brain.knobs.lock().unwrap().tasks[0].position.rule(), Rule::Renju);
}

// Rule codes (1.5)

#[test]
fn rule_codes() {
    let rule = |lines: &str| task_after(lines).position.rule();
    for (code, expected) in [
        (0, Rule::Freestyle),
        (1, Rule::Standard),
        (2, Rule::Freestyle),
        (4, Rule::Renju),
        (5, Rule::Renju),
        (6, Rule::Renju),
        (8, Rule::Caro),
        (9, Rule::CaroExact),
        (-1, Rule::Freestyle),
    ] {
        assert_eq!(rule(&format!("INFO rule {code}")), expected, "{code}");
    }
    // A Yixin-Board has codes of its own, whenever it shows itself.
    assert_eq!(rule("INFO rule 2\nINFO show_detail 2\nINFO show_detail 0"), Rule::Renju);
    assert_eq!(rule("INFO show_detail 1\nINFO show_detail 0\nINFO rule 5"), Rule::Freestyle);
    assert_eq!(rule("INFO show_detail 1\nINFO show_detail 0\nINFO rule 6"), Rule::Freestyle);
    assert_eq!(rule("INFO show_detail 1\nINFO show_detail 0\nINFO rule 4"), Rule::Renju);
    assert_eq!(rule("INFO show_detail 0\nINFO rule 2"), Rule::Freestyle);
}

// Swap2 (1.6)

fn with_scores(scores: &[i64]) -> Brain {
    let brain = Brain::new();
    brain.set(|knobs| knobs.scores = scores.to_vec());
    brain
}

#[test]
fn swap2_with_no_stones_places_three() {
    let mut offers = std::collections::BTreeSet::new();
    let mut brain = Brain::new();
    for _ in 0..20 {
        brain.say("START 15");
        assert_eq!(brain.hear(), "OK");
        brain.say("SWAP2BOARD\r\nDONE");
        let line = brain.hear();
        let stones: Vec<_> = line.split(' ').collect();
        assert_eq!(stones.len(), 3, "{line}");
        offers.insert(line);
    }
    assert_eq!(offers.len(), 20, "every game has another offer");
    let tasks = &brain.knobs.lock().unwrap().tasks;
    assert!(tasks.iter().all(|task| task.goal == player::Goal::Balance { stones: 1, bias: 0 }));
    assert!(tasks.iter().all(|task| task.position.to_move() == Color::Black));
}

#[test]
fn swap2_takes_the_better_side() {
    with_scores(&[50]).check(
        "> START 15
         < OK
         > SWAP2BOARD
         > 7,7
         > 8,7
         > 9,9
         > DONE
         < 0,0",
    );
    with_scores(&[-50]).check(
        "> START 15
         < OK
         > SWAP2BOARD
         > 7,7
         > 8,7
         > 9,9
         > DONE
         < SWAP",
    );
    // Rapfi's form with colors, five stones, and the game after it.
    with_scores(&[50]).check(
        "> START 15
         < OK
         > SWAP2BOARD
         > 7,7,1
         > 8,7,2
         > 9,9,1
         > 1,1,2
         > 2,2,1
         > DONE
         < 0,0
         > TURN 3,3
         < 1,0",
    );
    with_scores(&[-1]).check(
        "> START 15
         < OK
         > SWAP2BOARD 7,7 8,7 9,9 1,1 2,2 DONE
         < SWAP
         > BOARD
         > 7,7,1
         > 8,7,2
         > 9,9,1
         > 1,1,2
         > 2,2,1
         > 0,0,2
         > DONE
         < 1,0",
    );
}

#[test]
fn swap2_adds_two_stones_to_an_even_game() {
    with_scores(&[-7]).check(
        "> START 15
         < OK
         > SWAP2BOARD 7,7 8,7 9,9 DONE
         < 0,0 1,0",
    );
}

#[test]
fn swap2_offers_the_most_even_of_four_pairs() {
    let mut brain = with_scores(&[90, -60, 30, 40, 0]);
    brain.say("START 15\nSWAP2BOARD\nDONE");
    assert_eq!(brain.hear(), "OK");
    let line = brain.hear();
    let tasks = &brain.knobs.lock().unwrap().tasks;
    assert_eq!(tasks.len(), 4);
    let pair: Vec<_> = tasks[2].position.moves().iter().map(|point| point.to_xy(15)).collect();
    let pair: Vec<_> = pair.iter().map(|(x, y)| format!("{x},{y}")).collect();
    assert!(line.starts_with(&pair.join(" ")), "{line} begins with {pair:?}");
}

#[test]
fn swap2_is_answered_for_a_player_that_fails() {
    let mut brain = Brain::new();
    brain.set(|knobs| knobs.panics = true);
    brain.say("START 15\nSWAP2BOARD 7,7 8,7 9,9 DONE");
    assert_eq!(brain.hear(), "OK");
    assert_eq!(brain.hear().split(',').count(), 2, "one stone beside the last");
}

#[test]
fn swap2_errors() {
    check(
        "> SWAP2BOARD
         > DONE
         < ERROR No game has been started.
         > START 15
         < OK
         > SWAP2BOARD
         > 7,7
         > DONE
         < ERROR A Swap2 opening has 0, 3 or 5 stones, not 1.
         > SWAP2BOARD
         > 7,7
         > 7,7
         > 8,8
         > DONE
         < ERROR 7,7 is listed twice.
         > SWAP2BOARD
         > 7,7
         > 15,7
         > 8,8
         > DONE
         < ERROR 15,7 is not on the board.",
    );
}

// Shutdown (1.8)

#[test]
fn end_during_thought_is_silent() {
    let mut brain = Brain::new();
    brain.set(|knobs| knobs.endless = true);
    brain.say("START 15");
    assert_eq!(brain.hear(), "OK");
    brain.say("BEGIN");
    wait_for_thinking(&brain);
    assert_eq!(brain.leave(Some("END")), "");
}

#[test]
fn end_of_input_during_thought_stops() {
    let mut brain = Brain::new();
    brain.set(|knobs| knobs.endless = true);
    brain.say("START 15");
    assert_eq!(brain.hear(), "OK");
    brain.say("BEGIN");
    wait_for_thinking(&brain);
    assert_eq!(brain.leave(None), "0,0\n");
}

#[test]
fn a_piped_script_is_answered() {
    let brain = Brain::new();
    brain.send(b"START 15\nBEGIN\nTURN 1,0\nEND\n");
    assert_eq!(brain.leave(None), "OK\n0,0\n2,0\n");
    let unfinished = Brain::new();
    unfinished.send(b"START 15\nBEGIN");
    assert_eq!(unfinished.leave(None), "OK\n0,0\n");
}

#[test]
fn what_follows_end_is_not_read() {
    let brain = Brain::new();
    brain.send(b"START 15\nEND\nBEGIN\nABOUT\n");
    assert_eq!(brain.leave(None), "OK\n");
}

#[test]
fn stop_buttons_end_the_thinking() {
    for button in ["YXSTOP", "STOP", "INFO timeout_turn 0", "info TIMEOUT_TURN 0"] {
        let mut brain = Brain::new();
        brain.set(|knobs| knobs.endless = true);
        brain.say("START 15");
        assert_eq!(brain.hear(), "OK");
        brain.say("BEGIN");
        wait_for_thinking(&brain);
        brain.say(button);
        assert_eq!(brain.hear(), "0,0", "{button}");
        // The stop ends no later search. Nothing but END ends this one.
        if button.ends_with("STOP") {
            brain.say("TURN 5,5");
            wait_for_thinking(&brain);
        }
        assert_eq!(brain.leave(Some("END")), "");
    }
}

fn wait_for_thinking(brain: &Brain) {
    loop {
        let mut knobs = brain.knobs.lock().unwrap();
        if !knobs.tasks.is_empty() {
            knobs.tasks.clear();
            return;
        }
        drop(knobs);
        std::thread::yield_now();
    }
}

// Errors (1.9)

#[test]
fn errors_leave_the_game_as_it_is() {
    check(
        "> BEGIN
         < ERROR No game has been started.
         > TURN 7,7
         < ERROR No game has been started.
         > BOARD
         > DONE
         < ERROR No game has been started.
         > START 15
         < OK
         > TURN 7,7
         < 0,0
         > TURN 7,7
         < ERROR 7,7 is not empty.
         > TURN 15,7
         < ERROR 15,7 is not on the board.
         > TURN -1,-1
         < ERROR -1,-1 is not on the board.
         > TURN
         < ERROR Expected coordinates such as 7,7: TURN
         > TURN a,b
         < ERROR Expected coordinates such as 7,7: TURN a,b
         > BEGIN
         < ERROR The board is not empty.
         > TURN 8,8
         < 1,0",
    );
}

#[test]
fn boards_that_cannot_be() {
    check(
        "> START 15
         < OK
         > BOARD
         > 7,7,1
         > DONE
         < ERROR The board has 1 own and 0 opposing stones: it cannot be our turn.
         > BOARD
         > 7,7,2
         > 8,8,2
         > DONE
         < ERROR The board has 0 own and 2 opposing stones: it cannot be our turn.
         > BOARD
         > 7,7,1
         > 7,7,2
         > DONE
         < ERROR 7,7 is listed twice.
         > BOARD
         > 7,15,2
         > DONE
         < ERROR 7,15 is not on the board.
         > BOARD
         > 7,7,9
         > DONE
         < ERROR Expected stones such as 7,7,1 and DONE: BOARD
         > BOARD
         > 7,7,2
         > START 15
         < ERROR Expected stones and DONE: BOARD
         < OK",
    );
}

#[test]
fn dead_stones_are_points_to_avoid() {
    check(
        "> START 15
         < OK
         > BOARD
         > 0,0,3
         > 1,0,3
         > 7,7,2
         > DONE
         < 2,0
         > TURN 0,0
         < ERROR 0,0 is not empty.",
    );
}

#[test]
fn a_full_board_is_an_error() {
    // Rows of a 5x5 board that nobody wins: AABBA and BBAAB by turns.
    let mut stones = String::new();
    for y in 0..5 {
        for x in 0..5 {
            let own = ["11221", "22112"][y % 2].as_bytes()[x] == b'1';
            // 12 own, 13 of the opponent: it would be our turn.
            stones += &format!("> {x},{y},{}\n", if own { 2 } else { 1 });
        }
    }
    check(&format!("> START 5\n< OK\n> BOARD\n{stones}> DONE\n< ERROR The board is full."));
}

#[test]
fn a_decided_game_still_gets_a_legal_move() {
    check(
        "> START 15
         < OK
         > BOARD
         > 0,0,2
         > 0,5,1
         > 1,0,2
         > 1,5,1
         > 2,0,2
         > 2,5,1
         > 3,0,2
         > 3,5,1
         > 4,0,2
         > DONE
         < 3,1",
    );
}

#[test]
fn a_player_that_fails_does_not_lose_the_game() {
    let mut brain = Brain::new();
    brain.set(|knobs| knobs.nonsense = true);
    brain.check(
        "> START 15
         < OK
         > BEGIN
         < 7,7",
    );
    brain.set(|knobs| (knobs.nonsense, knobs.panics) = (false, true));
    brain.check(
        "> TURN 8,8
         < 7,9",
    );
    brain.set(|knobs| knobs.panics = false);
    brain.check(
        "> TURN 9,9
         < 0,0",
    );
}

#[test]
fn forbidden_points_are_never_played() {
    // Black is to move; the player would play a15 first, which makes an overline.
    let mut brain = Brain::new();
    brain.check(
        "> START 15
         < OK
         > INFO rule 4
         > BOARD
         > 1,0,1
         > 7,7,2
         > 2,0,1
         > 9,9,2
         > 3,0,1
         > 11,11,2
         > 5,0,1
         > 13,13,2
         > 6,0,1
         > 3,9,2
         > 4,1,1
         > 3,11,2
         > DONE
         < 0,0",
    );
    let task = brain.knobs.lock().unwrap().tasks.remove(0);
    assert!(!task.position.is_legal("e15".parse().unwrap()));
}

// The wire (1.1) and the check-list

#[test]
fn any_case_any_line_end_any_bytes() {
    for lines in [
        "start 15\nbegin\n",
        "START 15\r\nBEGIN\r\n",
        "Start 15\rBegin\r",
        "\n\n START  15 \n\nBEGIN \n",
    ] {
        let mut brain = Brain::new();
        brain.send(lines.as_bytes());
        assert_eq!((brain.hear(), brain.hear()), ("OK".into(), "0,0".into()), "{lines:?}");
    }
    let mut brain = Brain::new();
    brain.send(b"\xEF\xBB\xBFSTART 15\r\nINFO folder C:\\\xE9\xE8 \xFF\xFE\r\n\xFF\xFE\xFD\r\n");
    assert_eq!(brain.hear(), "OK");
    assert!(brain.hear().starts_with("UNKNOWN"));
    brain.send(b"BEG");
    brain.send(b"IN\r");
    brain.send(b"\n");
    assert_eq!(brain.hear(), "0,0");
    brain.is_quiet();
}

#[test]
fn very_long_lines_are_survived() {
    let mut brain = Brain::new();
    brain.send(&vec![b'x'; 300_000]);
    brain.send(b"\n");
    assert!(brain.hear().len() < 8000);
    brain.check("> START 15\n< OK");
}

#[test]
fn a_whole_board_of_stones_on_one_line() {
    let mut text = String::from("BOARD");
    for i in 0..60 {
        text += &format!(" {},{},{}", i % 20, 4 * (i / 20), 1 + i % 2);
    }
    let mut brain = Brain::new();
    brain.check("> START 20\n< OK");
    brain.say(&format!("{text} DONE"));
    assert_eq!(brain.hear(), "0,1");
}

#[test]
fn the_judges_positions_reach_the_player() {
    // Piskvork counts rows from the top, so the positions are mirrored when printed.
    for (rule, moves) in [
        (Rule::Freestyle, "h8h9i8i9j8j9k8k9"),
        (Rule::Standard, "h8h9i8h10g8h11j13h12g14h14i15"),
        (Rule::Renju, "h8h9i7i9h10i6i11i12"),
        (Rule::Caro, "h8f8g8f9i8f7j8l8"),
    ] {
        let hint = gomoku::record::Hint {
            format: Some(gomoku::record::Format::PosFromTop),
            ..Default::default()
        };
        let game = gomoku::record::read(moves.as_bytes(), &hint).unwrap().remove(0);
        let position = game.game(rule).unwrap().position;
        let mut driver = protocol::drive::Driver::new(rule, 15);
        let mut brain = Brain::new();
        brain.say(driver.start().trim());
        assert_eq!(brain.hear(), "OK");
        brain.say(&format!("INFO rule {}", rule.gomocup_code()));
        brain.say(driver.request(&position, &player::Limits::default()).trim());
        let answer = brain.hear();
        assert!(matches!(driver.hear(answer.as_bytes()), protocol::drive::Heard::Move(_)));
        assert_eq!(brain.knobs.lock().unwrap().tasks[0].position, position);
    }
}
