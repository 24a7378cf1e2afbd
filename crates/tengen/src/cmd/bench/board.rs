//! How many stones a second the search programs' board places and takes back.
//!
//! The same games are played on every rule: quick games of a player who likes the stronger threat,
//! so that the boards look like those of a search. A checksum over the sets of threats keeps the
//! work from being optimized away, and is the same on every machine.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use gomoku::{
    Color, Field, Freestyle, Point, Position, Rule, Rules, Threat, with_rule, zobrist::split_mix,
};

/// The board size.
const SIZE: u8 = 15;
const GAMES: u64 = 100;
const MOVES: usize = 60;

/// The speed of one rule.
#[derive(Clone, Debug)]
pub(crate) struct BoardBench {
    /// The rule.
    pub(crate) rule: Rule,
    /// Stones placed and taken back again, a second.
    pub(crate) pairs_per_second: f64,
    /// A hash of the sets of threats over all positions of the games.
    pub(crate) checksum: u64,
}

/// Measures every rule for a second or so on the given games.
pub(crate) fn run(games: &[Vec<Point>]) -> Vec<BoardBench> {
    Rule::ALL
        .into_iter()
        .map(|rule| {
            let checksum = with_rule!(rule, R => checksum::<R>(games));
            let pairs_per_second = with_rule!(rule, R => speed::<R>(games));
            BoardBench { rule, pairs_per_second, checksum }
        })
        .collect()
}

/// The games that are played, as lists of moves of equal length.
pub(crate) fn games() -> Vec<Vec<Point>> {
    (0..GAMES).map(game).collect()
}

/// Reads games as lines such as `h8i9g9`, so that another program's board can play the same ones.
pub(crate) fn read_games(text: &str) -> Result<Vec<Vec<Point>>> {
    let games: Vec<_> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            let game = Position::parse(line, Rule::Freestyle, SIZE)
                .with_context(|| format!("Line {} is not a game.", index + 1))?;
            Ok(game.moves().to_vec())
        })
        .collect::<Result<_>>()?;
    ensure!(games.iter().any(|game| !game.is_empty()), "There are no moves in the file.");
    Ok(games)
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

/// Plays every game and takes it back, again and again. The best of many short runs counts: other
/// programs on the machine can only make a run slower.
fn speed<R: Rules>(games: &[Vec<Point>]) -> f64 {
    let mut field = Field::<R>::new(SIZE);
    let mut best = Duration::MAX;
    let length: usize = games.iter().map(Vec::len).sum();
    let rounds = (24_000 / length).max(1); // a few milliseconds
    for _ in 0..80 {
        let start = Instant::now();
        for _ in 0..rounds {
            for game in games {
                game.iter().for_each(|&point| field.place(point));
                game.iter().for_each(|_| field.undo());
            }
        }
        best = best.min(start.elapsed());
    }
    (rounds * length) as f64 / best.as_secs_f64()
}

/// Folds the sets of threats of both colors after every move and after every undo.
fn checksum<R: Rules>(games: &[Vec<Point>]) -> u64 {
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
    fn games_are_read_back_and_bad_lines_named() {
        assert_eq!(read_games("h8i9\n\nh8\n").unwrap().iter().map(Vec::len).sum::<usize>(), 3);
        assert_eq!(read_games("h8\nh8h8").unwrap_err().to_string(), "Line 2 is not a game.");
        assert!(read_games("\n").is_err());
    }

    #[test]
    fn the_games_are_long_and_differ() {
        let games = games();
        assert!(games.iter().all(|game| game.len() == MOVES));
        assert!(games.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
