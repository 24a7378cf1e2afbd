//! What moves cost: means by player, and by player and move number.

use gomoku::Color;
use serde::{Deserialize, Serialize};

use crate::record::{GameRecord, PairRecord};

/// Mean cost of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveCosts {
    /// Moves counted.
    pub moves: u64,
    /// Milliseconds.
    pub ms: f64,
    /// Nodes, if the player counts them.
    pub nodes: Option<f64>,
    /// Evaluations, if the player counts them.
    pub evaluations: Option<f64>,
    /// Longest time of a move in milliseconds.
    pub longest_ms: f64,
}

impl MoveCosts {
    /// The mean over all moves of a player.
    pub fn of_player(pairs: &[PairRecord], player: usize) -> MoveCosts {
        let mut sum = Sums::default();
        for (game, ply) in moves_of(pairs, player) {
            sum.add(game, ply);
        }
        sum.mean()
    }
}

/// A quantity recorded for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Milliseconds,
    Nodes,
    Evaluations,
}

/// The mean of a quantity by move number (counted from the opening) for one player. Move numbers
/// that fewer than a tenth of the games reach are left out: they would be noise.
pub(super) fn by_move_number(
    pairs: &[PairRecord],
    player: usize,
    quantity: Quantity,
) -> Vec<(f64, f64)> {
    let mut sums: Vec<(f64, u64)> = Vec::new();
    for (game, ply) in moves_of(pairs, player) {
        let value = match quantity {
            Quantity::Milliseconds => Some(game.times[ply] as f64 / 1000.0),
            Quantity::Nodes => game.nodes.get(ply).map(|n| *n as f64),
            Quantity::Evaluations => game.evaluations.get(ply).map(|n| *n as f64),
        };
        let number = ply / 2;
        if sums.len() <= number {
            sums.resize(number + 1, (0.0, 0));
        }
        if let Some(value) = value {
            sums[number].0 += value;
            sums[number].1 += 1;
        }
    }
    let most = sums.iter().map(|(_, count)| *count).max().unwrap_or(0);
    sums.iter()
        .zip(1..)
        .filter(|((_, count), _)| *count > 0 && *count * 10 >= most)
        .map(|((sum, count), number)| (f64::from(number), sum / *count as f64))
        .collect()
}

/// All moves of a player, as the game and the place of the move in it.
fn moves_of(pairs: &[PairRecord], player: usize) -> impl Iterator<Item = (&GameRecord, usize)> {
    pairs.iter().flat_map(move |pair| {
        pair.games.iter().enumerate().flat_map(move |(number, game)| {
            let opening_is_black = opening_side(&pair.opening) == Color::Black;
            (0..game.plies()).filter_map(move |ply| {
                let mover_is_black = (ply % 2 == 0) == opening_is_black;
                let mover = if mover_is_black { Color::Black } else { Color::White };
                (pair.player(number, mover) == player).then_some((game, ply))
            })
        })
    })
}

/// The side that moves after an opening: stones and side, or moves of alternating colors.
fn opening_side(opening: &str) -> Color {
    if opening.contains(':') {
        return if opening.trim_end().ends_with('b') { Color::Black } else { Color::White };
    }
    Color::of_turn(opening.chars().filter(char::is_ascii_alphabetic).count())
}

#[derive(Default)]
struct Sums {
    moves: u64,
    micros: u64,
    longest: u64,
    nodes: u64,
    evaluations: u64,
}

impl Sums {
    fn add(&mut self, game: &GameRecord, ply: usize) {
        self.moves += 1;
        self.micros += game.times[ply];
        self.longest = self.longest.max(game.times[ply]);
        self.nodes += game.nodes.get(ply).copied().unwrap_or(0);
        self.evaluations += game.evaluations.get(ply).copied().unwrap_or(0);
    }

    fn mean(&self) -> MoveCosts {
        let moves = self.moves.max(1) as f64;
        let counted = |sum: u64| (sum > 0).then(|| sum as f64 / moves);
        MoveCosts {
            moves: self.moves,
            ms: self.micros as f64 / 1000.0 / moves,
            nodes: counted(self.nodes),
            evaluations: counted(self.evaluations),
            longest_ms: self.longest as f64 / 1000.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Winner, tests::pair};

    #[test]
    fn costs_belong_to_the_mover() {
        // One opening stone, so White moves first: player 1 in the first game.
        let mut record = pair(0, [0, 1], [Winner::Black, Winner::Black]);
        record.games[0].times = vec![1000, 3000];
        record.games[0].evaluations = vec![10, 30];
        record.games[1].times = vec![5000, 7000];
        let pairs = [record];
        let first = MoveCosts::of_player(&pairs, 0);
        assert_eq!((first.moves, first.ms, first.longest_ms), (2, 4.0, 5.0));
        assert_eq!(first.evaluations, Some(15.0));
        let second = by_move_number(&pairs, 1, Quantity::Milliseconds);
        assert_eq!(second, [(1.0, 4.0)]);
    }
}
