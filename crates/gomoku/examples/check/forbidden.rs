//! The fast detector of forbidden points held against the slow one on any number of positions.
//!
//! The tests run this for a few thousand positions and `cargo xtask check forbidden` for as many as
//! asked. Positions come from a seed: boards filled at random, crowds of black stones, games, and
//! crossings of lines that are nearly threes and fours, where the recursion of the rule goes deep.

use std::fmt;

use gomoku::{
    Board, Color, Direction, Field, Point, PointSet, Renju, Threat,
    renju::{self, Forbidden},
    zobrist::split_mix,
};
use thiserror::Error;

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// Boards.
    pub(crate) positions: u64,
    /// Empty points of them.
    pub(crate) points: u64,
    /// Points forbidden because of six or more in a row.
    pub(crate) overlines: u64,
    /// Points forbidden because of two fours.
    pub(crate) double_fours: u64,
    /// Points forbidden because of two threes.
    pub(crate) double_threes: u64,
    /// Points with two lines that look like threes and that are allowed all the same.
    pub(crate) false_threes: u64,
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} positions, {} points: {} overlines, {} double fours, {} double threes, {} allowed \
             points with two lines that look like threes",
            self.positions,
            self.points,
            self.overlines,
            self.double_fours,
            self.double_threes,
            self.false_threes
        )
    }
}

/// A point on which the two detectors differ.
#[derive(Clone, Debug, Error)]
#[error(
    "Position {number}: on {point} the slow detector says {slow:?}, the fast one {fast}.\n{board}"
)]
pub(crate) struct Disagreement {
    /// Which position, from 0.
    pub(crate) number: u64,
    /// The stones.
    pub(crate) board: Board,
    /// The point.
    pub(crate) point: Point,
    /// The verdict from the text of the rule.
    pub(crate) slow: Option<Forbidden>,
    /// Whether the fast detector forbids the point.
    pub(crate) fast: bool,
}

/// Compares the detectors on every empty point of this many positions.
pub(crate) fn compare_detectors(positions: u64, seed: u64) -> Result<Compared, Box<Disagreement>> {
    let mut compared = Compared::default();
    for number in 0..positions {
        let board = Maker { state: split_mix(seed) ^ number << 20 }.board(number);
        compare(&board, number, &mut compared)?;
    }
    Ok(compared)
}

fn compare(board: &Board, number: u64, compared: &mut Compared) -> Result<(), Box<Disagreement>> {
    let field = Field::<Renju>::from_board(board, Color::Black);
    compared.positions += 1;
    for point in board.empty() {
        let slow = renju::forbidden(board, point);
        let fast = field.is_forbidden(point);
        if fast != slow.is_some() {
            return Err(Box::new(Disagreement { number, board: *board, point, slow, fast }));
        }
        compared.points += 1;
        match slow {
            Some(Forbidden::Overline) => compared.overlines += 1,
            Some(Forbidden::DoubleFour) => compared.double_fours += 1,
            Some(Forbidden::DoubleThree) => compared.double_threes += 1,
            None => {
                let suspect = field.threat(Color::Black, point) == Threat::Forbidden;
                compared.false_threes += u64::from(suspect);
            }
        }
    }
    Ok(())
}

/// Makes boards from a seed.
struct Maker {
    state: u64,
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_add(1);
        (split_mix(self.state) % n as u64) as usize
    }

    /// A number from `from` to `to`.
    fn between(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to + 1 - from)
    }

    fn board(&mut self, number: u64) -> Board {
        let size = if self.below(4) == 0 { self.between(5, 22) as u8 } else { 15 };
        let mut board = Board::new(size);
        match number % 4 {
            0 => self.fill(&mut board),
            1 => self.crowd(&mut board),
            2 => self.game(&mut board),
            _ => self.crossings(&mut board),
        }
        board
    }

    /// Stones anywhere.
    fn fill(&mut self, board: &mut Board) {
        let (percent, black) = (self.between(10, 70), self.between(30, 90));
        for point in Point::all(board.size()) {
            if self.below(100) < percent {
                self.stone(board, point, black);
            }
        }
    }

    /// Black stones close together with a few white ones among them.
    fn crowd(&mut self, board: &mut Board) {
        let center = self.point(board);
        let (radius, percent, black) =
            (self.between(3, 5) as u8, self.between(25, 50), self.between(75, 97));
        for point in Point::all(board.size()).filter(|p| p.distance(center) <= radius) {
            if self.below(100) < percent {
                self.stone(board, point, black);
            }
        }
    }

    /// Stones in turn, each within two steps of another.
    fn game(&mut self, board: &mut Board) {
        let moves = self.between(8, 80);
        for turn in 0..moves {
            let near = board.occupied().grow(board.size()).grow(board.size()) - board.occupied();
            let near: Vec<Point> = near.iter().collect();
            let point = match near.len() {
                0 if turn > 0 => return,
                0 => Point::center(board.size()),
                n => near[self.below(n)],
            };
            board.place(point, Color::of_turn(turn));
        }
    }

    /// Lines through a few points in a row, each with two or three black stones near it, so that
    /// one point's threes depend on whether another point is forbidden.
    fn crossings(&mut self, board: &mut Board) {
        let mut point = self.point(board);
        let mut kept = PointSet::EMPTY;
        for _ in 0..self.between(1, 4) {
            kept.insert(point);
            for direction in Direction::ALL {
                self.near_three(board, point, direction, kept);
            }
            let (direction, steps) = (Direction::ALL[self.below(4)], self.between(1, 4) as i32);
            let sign = if self.below(2) == 0 { 1 } else { -1 };
            let next = point.step(direction, sign * steps).filter(|&p| board.is_empty_at(p));
            point = next.unwrap_or_else(|| self.point(board));
        }
    }

    fn near_three(
        &mut self,
        board: &mut Board,
        point: Point,
        direction: Direction,
        kept: PointSet,
    ) {
        for _ in 0..self.between(0, 3) {
            let steps = self.between(1, 4) as i32 * if self.below(2) == 0 { 1 } else { -1 };
            if let Some(at) = point.step(direction, steps)
                && board.is_empty_at(at)
                && !kept.contains(at)
            {
                self.stone(board, at, 95);
            }
        }
    }

    fn point(&mut self, board: &Board) -> Point {
        let size = usize::from(board.size());
        Point::new(self.below(size) as u8, self.below(size) as u8)
    }

    /// A stone, black this many times in a hundred.
    fn stone(&mut self, board: &mut Board, point: Point, black: usize) {
        let color = if self.below(100) < black { Color::Black } else { Color::White };
        board.place(point, color);
    }
}
