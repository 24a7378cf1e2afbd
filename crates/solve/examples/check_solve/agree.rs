//! The solver held against the exact answer on small boards.

use gomoku::{Color, Freestyle, Position};
use player::{Limits, Unwatched};
use solve::{Kind, Solver};

use crate::{common, exact::Exact};

/// The stones of a color on a board of at most 8x8.
fn stones(position: &Position, color: Color) -> u64 {
    let size = u32::from(position.size());
    let cell = |p: gomoku::Point| u32::from(p.row()) * size + u32::from(p.col());
    position.board().stones(color).iter().map(|point| 1 << cell(point)).sum()
}

/// Compares the solver with the exact answer on positions of five in a row; counts the wins of
/// both, the wins of one, and the positions that nobody wins.
pub(crate) fn compare(positions: u64, most: u64) -> Result<[u64; 3], String> {
    let mut counts = [0; 3];
    for seed in 0..positions {
        let size = 5 + (seed % 3) as u8;
        let n_stones = usize::from(size) * 2 - 2 + (seed / 3 % 8) as usize;
        let position = match seed % 2 {
            0 => common::game::<Freestyle>(size, n_stones, seed),
            _ => common::scatter::<Freestyle>(size, n_stones, seed),
        };
        let side = position.to_move();
        let n = u32::from(size);
        let mut exact = Exact::new(n, n, 5, most);
        let [own, other] = [side, !side].map(|color| stones(&position, color));
        if exact.has_line(own) || exact.has_line(other) {
            return Err(format!("the game is over: {}", position.to_text()));
        }
        let Some(wins) = exact.attacker_wins(own, other) else { continue };
        let limits = Limits::nodes(100_000);
        let answer = Solver::new(1).solve(&position, side, Kind::Vct, &limits, &Unwatched);
        match (answer.win(), wins) {
            (Some(_), true) => counts[0] += 1,
            (None, true) => counts[1] += 1,
            (None, false) => counts[2] += 1,
            (Some(_), false) => {
                return Err(format!("there is no win of {side} in {}", position.to_text()));
            }
        }
    }
    Ok(counts)
}
