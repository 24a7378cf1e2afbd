//! Games that exercise the search programs' board, for measuring it where it is compiled.
//!
//! The games are quick ones of a player who likes the stronger threat, so that the boards look like
//! those of a search; the same are played under every rule.

use crate::{Color, Field, Freestyle, Point, Rule, Rules, Threat, with_rule, zobrist::split_mix};

/// The board size of the games.
pub const SIZE: u8 = 15;
const GAMES: u64 = 100;
const MOVES: usize = 60;

/// The games, as lists of moves of equal length.
pub fn games() -> Vec<Vec<Point>> {
    (0..GAMES).map(game).collect()
}

fn game(number: u64) -> Vec<Point> {
    let mut field = Field::<Freestyle>::new(SIZE);
    field.place(Point::center(SIZE));
    while field.ply() < MOVES {
        let near = field.board().occupied().grow(SIZE).grow(SIZE) - field.board().occupied();
        let side = field.to_move();
        let liking = |&point: &Point| {
            let chance = split_mix(number << 32 | (field.ply() << 16 | point.index()) as u64) % 6;
            // Nobody wins these games, they only get crowded.
            let wins = field.is_five(side, point);
            let (own, other) = (field.threat(side, point), field.threat(!side, point));
            (!wins, 2 * own as u64 + 2 * other as u64 + chance, point.index())
        };
        let point = near.iter().max_by_key(liking).expect("a board of 60 stones has room");
        field.place(point);
    }
    field.moves().iter().flatten().copied().collect()
}

/// Plays every game and takes it back, again and again.
pub fn play_and_undo(rule: Rule, games: &[Vec<Point>], rounds: usize) {
    with_rule!(rule, R => {
        let mut field = Field::<R>::new(SIZE);
        for game in (0..rounds).flat_map(|_| games) {
            game.iter().for_each(|&point| field.place(point));
            game.iter().for_each(|_| field.undo());
        }
        std::hint::black_box(field.board());
    });
}

/// A hash of the sets of threats of both colors after every move and after every undo, the same on
/// every machine.
pub fn checksum(rule: Rule, games: &[Vec<Point>]) -> u64 {
    with_rule!(rule, R => {
        let mut field = Field::<R>::new(SIZE);
        let mut sum = 0;
        for game in games {
            for &point in game {
                field.place(point);
                sum = fold(&field, sum);
            }
            for _ in game {
                sum = fold(&field, sum);
                field.undo();
            }
        }
        sum
    })
}

fn fold<R: Rules>(field: &Field<R>, mut sum: u64) -> u64 {
    for color in Color::ALL {
        for threat in Threat::ALL.into_iter().filter(|threat| threat.is_kept()) {
            for point in *field.points(color, threat) {
                sum = split_mix(sum ^ (point.index() << 8 | threat as usize) as u64);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_are_long_and_differ() {
        let games = games();
        assert!(games.iter().all(|game| game.len() == MOVES));
        assert!(games.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
