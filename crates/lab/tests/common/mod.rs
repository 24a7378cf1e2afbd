//! What the tests share: the registry, seeded positions, and whole games.

#![allow(dead_code, reason = "each test file uses a part")]

use gomoku::{Game, Position, Rule, zobrist::split_mix};
use player::{Choice, Limits, Player, PlayerReply, Registry, Task, Unwatched};

pub(crate) fn registry() -> Registry {
    let mut registry = Registry::default();
    lab::register(&mut registry);
    registry
}

pub(crate) fn build(spec: &str) -> Box<dyn Player> {
    registry().build(spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

pub(crate) fn position(text: &str) -> Position {
    Position::parse(text, Rule::Freestyle, 15).unwrap()
}

pub(crate) fn choose(player: &mut dyn Player, position: &Position, limits: Limits) -> Choice {
    player.choose(&Task::new(position.clone(), limits), &Unwatched)
}

/// An undecided position with this many stones near each other.
pub(crate) fn random_position(seed: u64, stones: usize, rule: Rule, size: u8) -> Position {
    let mut number = seed;
    'again: loop {
        let mut position = Position::new(rule, size);
        let center = gomoku::Point::center(size);
        while position.board().len() < stones {
            number = split_mix(number);
            let near: Vec<_> = position
                .legal_points()
                .iter()
                .filter(|point| u64::from(point.distance(center)) <= 2 + number % 3)
                .collect();
            let Some(&point) = near.get((number >> 8) as usize % near.len().max(1)) else {
                continue 'again;
            };
            if position.play(point).unwrap().is_some() {
                continue 'again;
            }
        }
        return position;
    }
}

/// Plays a game and checks that every move is legal.
pub(crate) fn game(
    black: &mut dyn Player,
    white: &mut dyn Player,
    start: Position,
    limits: Limits,
) -> Game {
    let mut game = Game::new(start);
    while game.result.is_none() {
        let position = &game.position;
        let mover: &mut dyn Player =
            if position.to_move() == gomoku::Color::Black { &mut *black } else { &mut *white };
        let choice = choose(mover, position, limits);
        match choice.reply {
            PlayerReply::Move(point) => {
                assert!(position.is_legal(point), "{point} is not legal in {}", position.to_text());
                game.play(point).unwrap();
            }
            PlayerReply::Resign => {
                assert!(position.legal_points().is_empty(), "resigned in {}", position.to_text());
                break;
            }
            PlayerReply::Stones(_) => panic!("a best move is one stone"),
        }
    }
    game
}
