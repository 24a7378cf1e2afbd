//! Renju: White wins by the points that are forbidden to Black, and Black survives having none left.

use std::str::FromStr;

use engine::{Engine, Options};
use gomoku::{Board, Color, Outcome, Point, Position, Rule};
use player::{Limits, Player, Task, Unwatched};
use solve::{Kind, solve_position};

/// Moves of positions in which White, to move, wins by driving Black into a forbidden point: made by
/// the example `traps`, 5 to 11 plies long.
const TRAPS: &[&str] = &[
    "h11f8f7f11i5i9h6f5j5j9g11f9e10g6k7e9j6e5j7",
    "k10h11h10i5j10k5j6k11f9j11e8f7g11h8k9i6i8h6h7k7j9k6f5",
    "h8g7j10j11k9f5h9e10g10k8f7k5i6e11e9j7f11g5f6k11i11k7g9",
    "e10g11h11k6i11h8i7e11h10g5e8h6f11f7k7k5k9j9i9g10k10h9j6",
    "h10h11g7j7i9j11h6e8e10i10g10g5e9g6f5e11j10j5e5e6g11i5f6",
    "e10i9i10k7e8j11f9j7h10h9e5g11j8f8k11f6g9f11j10",
    "j11f10h6i7k8i6g10k10j8e11f6e6k6g6h5j9i9f7g11h10h9",
    "h8f7f8j10f5i5k7i10h5g7h9k6e11f10i8g6k5h6j9",
    "j11e8f9j6e11h9i8f7k5k8h8g10k10e6k7i7g6e10i10i6g9k9j5i9g8",
    "h11f5e7e8j7k10e6i9j11i8i11j8k5k11i6h9g8e9h8f11k8g5j5",
    "k10h11g6j10i6e9f9j11g7g9i9j7g10f7e6e7j5f11h10",
    "h10g10k6e7e9k8f6k11j7g8g6g9k7f8h6j5i8h5k9h11g5h8e8e10j8k5e5",
    "h5k11e8i9g8j8g5j9g9k5k6f7j6e5h7i7e9f5f8i11f6",
    "f7e8f8g7g5k8k9h11e11k6i5h6e5f10j6h7g9h10g10k5i9i11i8",
    "k11j10g10k9i11h9g11i6e9k10h6k6j8k5g5e11h7j6h10f9e6h5j9",
    "h9e9i10f7g9j5h7j10f6f8j9k10h10i5i7j8k6h8e10j11g11f5e5j7i8",
    "e6h6e8h10j11g7e10h5i7h9g8f5e9f7i6f6e5h11h7i9j10",
    "g6g10h6e7e8f8k8j11k9h11f6e10j5e11h10k11h5h7e5i5j6g9e6",
    "k8j6e11f6f11k10k7h6e5j5h9i8g10e6e10i11e8f10i6",
    "f6k10f11j9i6j6k11f5e8h7g9g11j10h9f7k7f10e6g6g10h8g8j7h10e5",
];

fn engine() -> Engine {
    Engine::new(Options { hash: 1, ..Options::default() })
}

fn choose(position: &Position, nodes: u64) -> player::Choice {
    engine().choose(&Task::new(position.clone(), Limits::nodes(nodes)), &Unwatched)
}

#[test]
fn traps_are_traps() {
    assert_eq!(TRAPS.len(), 20);
    for text in TRAPS {
        let renju = Position::parse(text, Rule::Renju, 15).unwrap();
        let win = solve_position(&renju, Some(Kind::Vcf), 1, &Limits::nodes(3_000), &Unwatched);
        assert!(win.win().is_some(), "{text}");
        let free = Position::from_board(Rule::Freestyle, *renju.board(), renju.to_move());
        let none = solve_position(&free, Some(Kind::Vcf), 1, &Limits::nodes(50_000), &Unwatched);
        assert!(none.is_no_win(), "{text}");
    }
}

#[test]
fn white_drives_black_into_forbidden_points() {
    for text in TRAPS {
        let mut position = Position::parse(text, Rule::Renju, 15).unwrap();
        assert_eq!(position.to_move(), Color::White);
        let first = choose(&position, 10_000);
        assert!(first.proof.is_some(), "{text}: no proof");
        assert!(first.counters.nodes <= 10_000, "{text}");
        while position.outcome().is_none() {
            let nodes = if position.to_move() == Color::White { 10_000 } else { 300 };
            position.play(choose(&position, nodes).point().unwrap()).unwrap();
        }
        let winner = position.outcome().and_then(Outcome::winner);
        assert_eq!(winner, Some(Color::White), "{text} {}", position.to_text());
    }
}

/// A 6x6 board, `x` Black, `o` White, rows from the top; Black to move.
fn board(rows: [&str; 6]) -> Position {
    let mut board = Board::new(6);
    for (i, row) in rows.iter().enumerate() {
        for (col, stone) in row.bytes().enumerate() {
            let point = Point::new(col as u8, 5 - i as u8);
            match stone {
                b'x' => board.place(point, Color::Black),
                b'o' => board.place(point, Color::White),
                _ => {}
            }
        }
    }
    Position::from_board(Rule::Renju, board, Color::Black)
}

#[test]
fn a_board_full_of_forbidden_points_does_not_hang() {
    // The gaps complete rows of six: overlines, and nothing else is empty.
    let position = board(["xxx.xx", "oxooxo", "xx.xxx", "oooxoo", "xxoxox", "xoxooo"]);
    assert!(position.legal_points().is_empty());
    assert_eq!(position.board().empty().len(), 2);
    for limits in [Limits::nodes(10_000), Limits::depth(20), Limits::evaluations(500)] {
        let choice = engine().choose(&Task::new(position.clone(), limits), &Unwatched);
        let point = choice.point().unwrap();
        assert!(position.board().is_empty_at(point));
        assert!(choice.score.and_then(|score| score.decisive_in()).is_some_and(|plies| plies < 0));
    }
}

#[test]
fn a_four_with_a_forbidden_answer_does_not_hang() {
    // White's four on the eighth row can only be stopped on h8, which makes two open threes.
    let stones = ["d8 e8 f8 g8", "c8 h9 h10 i9 j10"];
    let mut board = Board::new(15);
    for (text, color) in stones.iter().zip([Color::White, Color::Black]) {
        text.split(' ').for_each(|p| board.place(Point::from_str(p).unwrap(), color));
    }
    let position = Position::from_board(Rule::Renju, board, Color::Black);
    let stop = Point::from_str("h8").unwrap();
    assert!(position.forbidden(stop).is_some());
    for nodes in [1, 100, 10_000] {
        let choice = choose(&position, nodes);
        assert!(position.is_legal(choice.point().unwrap()), "{:?}", choice.point());
    }
    let task = Task { only: vec![stop], ..Task::new(position, Limits::nodes(1_000)) };
    assert!(engine().choose(&task, &Unwatched).point().is_some());
}
