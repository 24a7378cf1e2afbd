//! Whole games: legal under every rule and on every board, and the same on every run.

mod common;

use common::{build, game, random_position, registry};
use gomoku::{Position, Rule};
use player::Limits;

/// Every player, made cheap by a limit on nodes.
fn names() -> Vec<String> {
    registry().players().map(|info| info.name.to_owned()).collect()
}

#[test]
fn every_player_plays_legal_games_under_every_rule() {
    for (number, name) in names().into_iter().enumerate() {
        for rule in Rule::ALL {
            let start = random_position(number as u64, 3, rule, 15);
            let mut random = build("random");
            random.new_game(7);
            game(&mut *build(&name), &mut *random, start, Limits::nodes(60));
        }
    }
}

#[test]
fn every_player_plays_on_small_and_large_boards() {
    for name in names() {
        for size in [5, 8, 20, 22] {
            let start = Position::new(Rule::Freestyle, size);
            game(&mut *build(&name), &mut *build(&name), start, Limits::nodes(40));
        }
    }
}

#[test]
fn the_same_spec_and_seed_play_the_same_game() {
    for name in names() {
        let play = || {
            let (mut black, mut white) = (build(&name), build(&name));
            black.new_game(3);
            white.new_game(4);
            let start = Position::new(Rule::Freestyle, 15);
            game(&mut *black, &mut *white, start, Limits::nodes(300)).position.to_text()
        };
        assert_eq!(play(), play(), "{name}");
    }
}
