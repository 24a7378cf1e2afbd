//! GTP as front ends of Go speak it: numbers, vertices without I, errors, time, the rules by name.

mod common;

use std::{sync::Arc, time::Duration};

use common::{First, Shared};
use gomoku::Rule;
use player::{Limits, Player};
use protocol::gtp::{GtpOptions, run};

/// What is said to these lines by the player of the tests, which takes the first free point.
fn talk_with(knobs: &Shared, options: &GtpOptions, input: &[u8]) -> String {
    let mut output = Vec::new();
    let shared = Arc::clone(knobs);
    let mut make = move || Ok(Box::new(First(Arc::clone(&shared))) as Box<dyn Player>);
    run(input, &mut output, &mut make, options).unwrap();
    String::from_utf8(output).unwrap()
}

fn talk(input: &str) -> String {
    talk_with(&Shared::default(), &GtpOptions::default(), input.as_bytes())
}

/// Plays a transcript: `>` is said, `<` are the lines of its answer.
fn check(transcript: &str) {
    let lines = || transcript.lines().map(str::trim);
    let said: String =
        lines().filter_map(|l| l.strip_prefix("> ")).map(|l| format!("{l}\n")).collect();
    let wanted: Vec<_> = lines().filter_map(|line| line.strip_prefix("< ")).collect();
    let heard = talk(&said);
    let heard: Vec<_> = heard.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    assert_eq!(heard, wanted);
}

#[test]
fn the_program_says_who_it_is_and_what_it_knows() {
    check(
        "> protocol_version
         < = 2
         > 7 name
         < =7 Tengen
         > known_command genmove
         < = true
         > known_command dance
         < = false
         > 0012 dance
         < ?0012 unknown command
         > 3
         < ?3 unknown command
         > komi 6.5
         < =
         > komi much
         < ? syntax error: expected a number
         > play B
         < ? syntax error: expected more arguments
         > 9 quit
         < =9
         > name",
    );
    let listed = talk("list_commands\n");
    for command in listed.trim_start_matches("= ").lines().filter(|line| !line.is_empty()) {
        assert_eq!(talk(&format!("known_command {command}\n")), "= true\n\n");
        assert!(!talk(&format!("{command}\n")).contains("unknown command"), "{command}");
    }
    assert!(listed.ends_with("\n\n"));
}

#[test]
fn comments_tabs_and_empty_lines_are_read_over() {
    assert_eq!(talk("# hello\n\n  \t\n"), "");
    assert_eq!(talk("1\tplay  B\tJ9 # the ninth column\r\nmove_history"), "=1\n\n= black J9\n\n");
}

#[test]
fn a_game_goes_there_and_back() {
    check(
        "> boardsize 9
         < =
         > boardsize 4
         < ? unacceptable size
         > boardsize many
         < ? syntax error: expected a board size
         > query_boardsize
         < = 9
         > clear_board
         < =
         > play b e5
         < =
         > play white E5
         < ? illegal move
         > play w I5
         < ? syntax error: expected a vertex
         > play w K5
         < ? illegal move
         > play w pass
         < ? illegal move
         > play red A1
         < ? syntax error: expected a color
         > genmove w
         < = A9
         > reg_genmove b
         < = B9
         > genmove b
         < = B9
         > move_history
         < = black B9
         < white A9
         < black E5
         > undo
         < =
         > gogui-rules_side_to_move
         < = black
         > undo
         < =
         > undo
         < =
         > undo
         < ? cannot undo
         > boardsize 5
         < =
         > play W C4
         < =
         > showboard
         < =
         <    A B C D E
         <  5 . . . . . 5
         <  4 . . O . . 4
         <  3 . . . . . 3
         <  2 . . . . . 2
         <  1 . . . . . 1
         <    A B C D E",
    );
}

#[test]
fn the_letter_i_is_left_out() {
    let columns = "ABCDEFGHJKLMNOPQRSTUVW";
    let lines: String = columns.chars().map(|letter| format!("play b {letter}1\n")).collect();
    let answer = talk(&format!(
        "boardsize 22\n{}",
        lines
            .replace("A1", "A2")
            .replace("F1", "F2")
            .replace("L1", "L2")
            .replace("Q1", "Q2")
            .replace("V1", "V2")
    ));
    assert_eq!(answer, "=\n\n".repeat(23));
}

#[test]
fn a_game_that_is_over_is_resigned_by_the_loser() {
    let five: String = "ABCDE".chars().map(|x| format!("play b {x}1\nplay w {x}3\n")).collect();
    let answer = talk(&format!(
        "{five}final_score\ngenmove w\ngenmove b\ngogui-rules_final_result\ngogui-rules_legal_moves\n"
    ));
    let last: Vec<_> = answer.split("\n\n").skip(9).collect();
    assert_eq!(last, ["? illegal move", "= B+1", "= resign", "= pass", "= black", "=", ""]);
    assert_eq!(talk("final_score\n"), "? cannot score\n\n");
}

#[test]
fn the_rule_is_that_of_the_command_line() {
    let options = GtpOptions { rule: Rule::Renju, ..GtpOptions::default() };
    let stones =
        "play b G8\nplay w A1\nplay b J8\nplay w A3\nplay b H7\nplay w A5\nplay b H9\nplay w C1\n";
    let asked = format!("{stones}play b H8\nplay w H8\ngogui-rules_game_id\n");
    let answer = talk_with(&Shared::default(), &options, asked.as_bytes());
    assert!(answer.ends_with("? illegal move\n\n=\n\n= Gomoku\n\n"), "{answer}");
}

/// The limits under which a move was asked for.
fn limits(lines: &str) -> Limits {
    let knobs = Shared::default();
    talk_with(&knobs, &GtpOptions::default(), format!("{lines}\ngenmove b\n").as_bytes());
    knobs.lock().unwrap().tasks[0].limits
}

#[test]
fn times_become_limits() {
    let seconds = |limits: Limits| {
        let round = |time: Duration| time.as_secs_f64().round() as u64;
        (
            limits.turn.map(round),
            limits.clock.map(|clock| (round(clock.left), round(clock.increment))),
        )
    };
    assert_eq!(seconds(limits("")), (Some(5), None));
    assert_eq!(seconds(limits("time_settings 0 1 0")), (Some(5), None), "no limit");
    assert_eq!(seconds(limits("time_settings 60 0 0")), (None, Some((60, 0))));
    assert_eq!(seconds(limits("time_settings 60 10 2")), (None, Some((60, 5))));
    assert_eq!(seconds(limits("time_settings 0 10 1")), (Some(10), None));
    assert_eq!(seconds(limits("time_settings 60 30 3\ntime_left b 30 3")), (Some(10), None));
    assert_eq!(seconds(limits("time_settings 60 0 0\ntime_left b 20 0")), (None, Some((20, 0))));
    assert_eq!(seconds(limits("time_settings 60 0 0\ntime_left w 20 0")), (None, Some((60, 0))));
    for wrong in
        ["time_settings 1 2", "time_settings x 1 1", "time_left b nan 1", "time_left b 1 -1"]
    {
        assert!(talk(&format!("{wrong}\n")).starts_with("? syntax error"), "{wrong}");
    }
}

#[test]
fn a_player_that_fails_still_moves() {
    let knobs = Shared::default();
    knobs.lock().unwrap().panics = true;
    let answer = talk_with(&knobs, &GtpOptions::default(), b"genmove b\ngenmove w\n");
    assert_eq!(answer.matches("= ").count(), 2, "{answer}");
    knobs.lock().unwrap().panics = false;
    knobs.lock().unwrap().nonsense = true;
    assert_eq!(talk_with(&knobs, &GtpOptions::default(), b"genmove b\n"), "= resign\n\n");
}
