//! How many stones a second the search programs' board places and takes back.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use gomoku::{Point, Position, Rule, exercise};

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
            let checksum = exercise::checksum(rule, games);
            BoardBench { rule, pairs_per_second: speed(rule, games), checksum }
        })
        .collect()
}

/// Reads games as lines such as `h8i9g9`, so that another program's board can play the same ones.
pub(crate) fn read_games(text: &str) -> Result<Vec<Vec<Point>>> {
    let games: Vec<_> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            let game = Position::parse(line, Rule::Freestyle, exercise::SIZE)
                .with_context(|| format!("Line {} is not a game.", index + 1))?;
            Ok(game.moves().to_vec())
        })
        .collect::<Result<_>>()?;
    ensure!(games.iter().any(|game| !game.is_empty()), "There are no moves in the file.");
    Ok(games)
}

/// The best of many short runs counts: other programs on the machine can only make a run slower.
fn speed(rule: Rule, games: &[Vec<Point>]) -> f64 {
    let mut best = Duration::MAX;
    let length: usize = games.iter().map(Vec::len).sum();
    let rounds = (24_000 / length).max(1); // a few milliseconds
    for _ in 0..80 {
        let start = Instant::now();
        exercise::play_and_undo(rule, games, rounds);
        best = best.min(start.elapsed());
    }
    (rounds * length) as f64 / best.as_secs_f64()
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
}
