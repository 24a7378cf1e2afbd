//! Botzone: its three ways of talking, and games under its published judge rules.

mod common;

use std::{io::Cursor, sync::Arc};

use common::{First, Shared};
use gomoku::{Point, Position, Rule};
use player::{Choice, Goal, Player, Reason, Score, Task, Watch};
use protocol::botzone::{BotzoneError, BotzoneGame, Options, run};

/// What the bot prints for an input.
fn talk(game: BotzoneGame, keep_running: bool, input: &str) -> Result<String, BotzoneError> {
    let options = Options { game, keep_running, ..Options::default() };
    let mut output = Vec::new();
    run(Cursor::new(input), &mut output, &mut First(Shared::default()), &options)?;
    Ok(String::from_utf8(output).unwrap())
}

#[test]
fn json_with_the_whole_history() {
    let black = r#"{"requests":[{"x":-1,"y":-1}],"responses":[]}"#;
    let reply = "{\"response\":{\"x\":0,\"y\":0}}\n";
    assert_eq!(talk(BotzoneGame::Gomoku, false, black).unwrap(), reply);
    let white = r#"{"requests":[{"x":7,"y":7},{"x":0,"y":0}],"responses":[{"x":7,"y":8}],
        "data":"","globaldata":"","time_limit":"","memory_limit":"","new":1}"#
        .replace('\n', "");
    assert_eq!(
        talk(BotzoneGame::Gomoku, false, &white).unwrap(),
        "{\"response\":{\"x\":1,\"y\":0}}\n"
    );
}

#[test]
fn simple_text() {
    assert_eq!(talk(BotzoneGame::GomokuSwap1, false, "1\n-1 -1\n\n\n").unwrap(), "0 0\n");
    assert_eq!(
        talk(BotzoneGame::Gomoku, false, "2\n7 7\n0 0\n1 0\ndata\nglobal\n").unwrap(),
        "2 0\n"
    );
}

#[test]
fn keep_running() {
    let input = "{\"requests\":[{\"x\":7,\"y\":7}],\"responses\":[]}\n{\"x\":1,\"y\":0}\n";
    let marker = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";
    let wanted = format!(
        "{{\"response\":{{\"x\":0,\"y\":0}}}}\n{marker}\n{{\"response\":{{\"x\":2,\"y\":0}}}}\n{marker}\n"
    );
    assert_eq!(talk(BotzoneGame::Gomoku, true, input).unwrap(), wanted);
    let simple = talk(BotzoneGame::Gomoku, true, "1\n7 7\n1 0\n").unwrap();
    assert_eq!(simple, format!("0 0\n{marker}\n2 0\n{marker}\n"));
}

#[test]
fn broken_input_is_named() {
    let error = |input: &str| talk(BotzoneGame::Gomoku, true, input).unwrap_err().to_string();
    assert_eq!(error("hello"), "Expected a JSON object or the number of the turn, found 'hello'.");
    assert_eq!(
        error("{\"x\":1,\"y\":2}"),
        "The history is missing: the first line must have all requests."
    );
    assert_eq!(
        error("{\"requests\":[]}"),
        "Expected one request more than responses, found '{\"requests\":[]}'."
    );
    assert_eq!(error("{"), "Expected a JSON object, found '{'.");
    assert_eq!(error("1\n7"), "Expected a move such as 7 7, found '7'.");
    assert_eq!(error("1\n15 0"), "Move 1 of the history, 15 0, cannot be played.");
    assert_eq!(error("2\n7 7\n7 7\n1 1"), "Move 2 of the history, 7 7, cannot be played.");
    // In plain Gomoku there is no exchange.
    assert_eq!(error("2\n7 7\n8 8\n-1 -1"), "Move 3 of the history, -1 -1, cannot be played.");
    assert!(error("1\n7.5 2").starts_with("Expected a move"));
}

/// Prefers the side of Black by this much, and plays near the middle.
struct Biased(i64);

impl Player for Biased {
    fn new_game(&mut self, _seed: u64) {}

    fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
        let center = Point::center(15);
        let near =
            task.position.legal_points().iter().min_by_key(|p| (p.distance(center), p.index()));
        let mut choice = Choice::of(near.unwrap(), Reason::Search);
        let black = task.position.to_move() == gomoku::Color::Black;
        choice.score = Some(Score::new(if black { self.0 } else { -self.0 }));
        choice
    }
}

/// Plays a game as Botzone's judge does: each bot sees its own requests and responses, an exchange
/// flips who owns the stones, and any other impossible move loses.
fn judge(game: BotzoneGame, bots: [&mut dyn Player; 2], turns: usize) -> (Position, usize, bool) {
    let rule = if game == BotzoneGame::RenjuOfficial { Rule::Renju } else { Rule::Freestyle };
    let mut position = Position::new(rule, 15);
    let mut said: [Vec<(i64, i64)>; 2] = [vec![(-1, -1)], Vec::new()];
    let mut exchanged = false;
    for turn in 0..turns {
        let seat = turn % 2;
        let count = said[seat].len() / 2 + 1;
        let lines: Vec<_> = said[seat].iter().map(|(x, y)| format!("{x} {y}")).collect();
        let input = format!("{count}\n{}\n", lines.join("\n"));
        let mut output = Vec::new();
        let options = Options { game, ..Options::default() };
        run(Cursor::new(input), &mut output, bots[seat], &options).unwrap();
        let text = String::from_utf8(output).unwrap();
        let (x, y) = text.trim().split_once(' ').unwrap();
        let (x, y): (i64, i64) = (x.parse().unwrap(), y.parse().unwrap());
        let may_exchange = match game {
            BotzoneGame::Renju => turn == 3,
            BotzoneGame::GomokuSwap1 => turn == 1,
            _ => false,
        };
        if (x, y) == (-1, -1) {
            assert!(may_exchange && !exchanged, "an exchange at turn {turn} loses");
            exchanged = true;
        } else {
            let point = Point::from_xy(x as u8, y as u8, 15).expect("a point of the board");
            position.play(point).expect("an empty point");
        }
        said[seat].push((x, y));
        said[1 - seat].push((x, y));
        if position.outcome().is_some() {
            return (position, turn, exchanged);
        }
    }
    (position, turns, exchanged)
}

#[test]
fn games_under_the_judges_rules() {
    for game in BotzoneGame::ALL {
        for bias in [-50, 50] {
            let (mut a, mut b) = (Biased(bias), Biased(bias));
            let (position, _, exchanged) = judge(game, [&mut a, &mut b], 40);
            // The second player takes Black where it may and finds Black better.
            let may = matches!(game, BotzoneGame::Renju | BotzoneGame::GomokuSwap1);
            assert_eq!(exchanged, may && bias > 0, "{game:?} {bias}");
            assert!(position.board().len() >= 9);
        }
    }
}

#[test]
fn the_first_player_sets_the_game_up_evenly() {
    let knobs = Shared::default();
    let mut player = First(Arc::clone(&knobs));
    let mut ask = |game, input: &str| {
        let options = Options { game, ..Options::default() };
        run(Cursor::new(input.to_owned()), Vec::new(), &mut player, &options).unwrap();
        knobs.lock().unwrap().tasks.pop().unwrap().goal
    };
    let balance = Goal::Balance { stones: 1, bias: 0 };
    assert_eq!(ask(BotzoneGame::GomokuSwap1, "1\n-1 -1\n"), balance);
    assert_eq!(ask(BotzoneGame::Renju, "1\n-1 -1\n"), Goal::Best);
    assert_eq!(ask(BotzoneGame::Renju, "2\n-1 -1\n7 7\n8 8\n"), balance);
    assert_eq!(ask(BotzoneGame::Gomoku, "1\n-1 -1\n"), Goal::Best);
    // After an exchange the game goes on: three stones, the first player has White.
    assert_eq!(ask(BotzoneGame::Renju, "3\n-1 -1\n7 7\n8 8\n9 9\n-1 -1\n"), Goal::Best);
}
