//! As Black from the empty board the engine wins the proved openings within the promised plies, and
//! thinks at most once in a game: where the book ends and the rest is forced.

use gomoku::{Color, Point, Position, Symmetry, zobrist::split_mix};
use player::{Limits, Player, Registry, Task, Unwatched};
use solve::ProvedBook;

/// What a move of Black's may cost: the book's forced wins take no more.
const NODES: u64 = 600_000;

/// Players of White. The first is no player: it takes the point that Black would win on, or else any.
const WHITES: [&str; 4] = ["stubborn", "random", "greedy", "engine(level=5)"];

fn build(spec: &str) -> Box<dyn Player> {
    let mut registry = Registry::default();
    engine::register(&mut registry);
    lab::register(&mut registry);
    registry.build(spec).expect("a player")
}

struct White(Option<Box<dyn Player>>);

impl White {
    fn of(name: &str, seed: u64) -> White {
        let mut player = (name != WHITES[0]).then(|| build(name));
        player.iter_mut().for_each(|player| player.new_game(seed));
        White(player)
    }

    fn reply(&mut self, position: &Position, chance: u64) -> Point {
        if let Some(player) = &mut self.0 {
            let task = Task::new(position.clone(), Limits::nodes(2_000));
            return player.choose(&task, &Unwatched).point().expect("a move");
        }
        let empty = position.board().empty();
        let wins = |color| {
            empty.iter().find(|&point| position.board().is_five(position.rule(), point, color))
        };
        let any = empty.iter().nth(chance as usize % empty.len());
        wins(Color::White).or(wins(Color::Black)).or(any).expect("the board is not full")
    }
}

/// Plays one game and returns how many plies fewer it took than promised.
fn play(book: &ProvedBook, black: &mut dyn Player, game: u64, white: &str) -> u32 {
    let chance = |n: u64| split_mix(split_mix(game) ^ n) >> 8;
    black.new_game(game);
    let mut white = White::of(white, game);
    let mut position = Position::new(book.rule, book.size);
    let first = black.choose(&Task::new(position.clone(), Limits::nodes(NODES)), &Unwatched);
    assert_eq!(first.point(), Some(Point::center(book.size)));
    position.play(Point::center(book.size)).unwrap();
    let opening = &book.openings[chance(0) as usize % book.openings.len()];
    let symmetry = Symmetry::all().nth(chance(1) as usize % 8).unwrap();
    position.play(symmetry.apply(opening.moves[1], book.size)).unwrap();
    let mut n_thoughts = 0;
    for ply in 1.. {
        let task = Task::new(position.clone(), Limits::nodes(NODES));
        let choice = black.choose(&task, &Unwatched);
        n_thoughts += u32::from(choice.counters.nodes > 0);
        position.play(choice.point().expect("a move")).unwrap();
        if let Some(end) = position.outcome() {
            assert_eq!(end.winner(), Some(Color::Black), "{}", position.to_text());
            let plies = 2 * ply - 1;
            assert!(plies <= opening.plies, "{plies} of {}: {}", opening.plies, position.to_text());
            assert!(n_thoughts <= 1, "{n_thoughts} searches: {}", position.to_text());
            return opening.plies - plies;
        }
        let reply = white.reply(&position, chance(1 + u64::from(ply)));
        position.play(reply).unwrap();
        assert_eq!(position.outcome(), None, "White has won: {}", position.to_text());
    }
    unreachable!("a game ends")
}

fn games(n: u64, white: &str) {
    for book in ProvedBook::shipped() {
        let mut black = build("engine(hash=1)");
        let left: Vec<u32> = (0..n).map(|game| play(book, &mut *black, game, white)).collect();
        let least = left.iter().min().expect("there are games");
        println!("{}: {n} games won against {white}, {least} plies to spare", book.name());
    }
}

#[test]
fn black_wins_within_the_promised_plies() {
    WHITES.into_iter().zip([24, 2, 4, 4]).for_each(|(white, n)| games(n, white));
}

#[test]
#[ignore = "takes some minutes; the test before does the same with fewer games"]
fn black_wins_many_games_within_the_promised_plies() {
    WHITES.into_iter().for_each(|white| games(200, white));
}

#[test]
fn without_the_book_the_engine_thinks() {
    let book = &ProvedBook::shipped()[0];
    let start = book.openings[0].start(book);
    let task = Task::new(start, Limits::nodes(5_000));
    let choose = |spec| build(spec).choose(&task, &Unwatched).counters.nodes;
    assert_eq!(choose("engine(hash=1)"), 0);
    assert!(choose("engine(hash=1,book=off)") > 0);
}
