//! Composes renju positions in which White wins only because Black may not play where he must:
//! `traps [COUNT] [SEED]`. Random legal stones near the middle, White to move; kept are those with a
//! proved win under renju where the same stones give White no win if nothing is forbidden.

use gomoku::{Color, Point, Position, Rule, zobrist::split_mix};
use player::{Limits, Unwatched};
use solve::{Kind, solve_position};

fn main() {
    let number = |at: usize, default: u64| {
        let text = std::env::args().nth(at);
        text.map_or(default, |text| text.parse().expect("a number"))
    };
    let (count, mut random) = (number(1, 20), number(2, 1));
    let mut found = 0;
    while found < count {
        let position = scattered(&mut random);
        if let Some(plies) = trap(&position) {
            println!("{} {plies}", position.to_text());
            found += 1;
        }
    }
}

/// Plies to the win, if there is one by the rule of forbidden points alone.
fn trap(position: &Position) -> Option<u32> {
    let limits = Limits::nodes(3_000);
    let renju = solve_position(position, Some(Kind::Vcf), 1, &limits, &Unwatched);
    let plies = renju.win()?.plies;
    let free = Position::from_board(Rule::Freestyle, *position.board(), position.to_move());
    let limits = Limits::nodes(100_000);
    let answer = solve_position(&free, None, 1, &limits, &Unwatched);
    (plies >= 5 && answer.is_no_win()).then_some(plies)
}

fn scattered(random: &mut u64) -> Position {
    let mut position = Position::new(Rule::Renju, 15);
    let mut next = |n: u64| {
        *random = split_mix(*random);
        *random % n
    };
    let n_stones = 17 + 2 * next(6);
    let mut tries = 0;
    while (position.moves().len() as u64) < n_stones && tries < 1_000 {
        tries += 1;
        let point = Point::new(4 + next(7) as u8, 4 + next(7) as u8);
        let mut after = position.clone();
        if position.is_legal(point) && after.play(point) == Ok(None) {
            position = after;
        }
    }
    debug_assert!(position.to_move() == Color::White || tries == 1_000);
    position
}
