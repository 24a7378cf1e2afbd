//! Positions for the tests, all from seeds.

#![allow(dead_code, reason = "each test uses a part of this")]

use gomoku::{Board, Color, Field, Point, Position, Rules, zobrist::split_mix};

/// A stream of numbers from a seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(split_mix(seed ^ 0x7365_6564))
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = split_mix(self.0);
        (self.0 % end as u64) as usize
    }
}

/// A position some moves into a game of players who like threats and neighborhoods, undecided and
/// without forbidden stones.
pub(crate) fn game<R: Rules>(size: u8, stones: usize, seed: u64) -> Position {
    let mut random = Random::new(seed);
    let mut position = Position::new(R::RULE, size);
    let wild = random.below(4);
    let mut field = Field::<R>::new(size);
    while field.ply() < stones {
        let side = field.to_move();
        let occupied = field.board().occupied();
        let near = if occupied.is_empty() {
            occupied.iter().chain([Point::center(size)]).collect()
        } else {
            occupied.grow(size).grow(size) - occupied
        };
        let mut best = None;
        for point in near {
            let wins = field.is_five(side, point) || field.is_forbidden(point);
            if wins && (side == Color::Black || field.is_five(side, point)) {
                continue;
            }
            let (own, other) = (field.threat(side, point), field.threat(!side, point));
            let liking = own as usize + other as usize + random.below(4 + 6 * wild);
            if best.is_none_or(|(most, _)| liking > most) {
                best = Some((liking, point));
            }
        }
        let Some((_, point)) = best else { break };
        field.place(point);
        if position.play(point).ok().flatten().is_some() {
            position.undo();
            break;
        }
    }
    position
}

/// A board with stones anywhere, nobody having won.
pub(crate) fn scatter<R: Rules>(size: u8, stones: usize, seed: u64) -> Position {
    let mut random = Random::new(seed);
    let mut board = Board::new(size);
    for i in 0..stones {
        let point =
            Point::new(random.below(size as usize) as u8, random.below(size as usize) as u8);
        let color = Color::of_turn(i);
        if board.is_empty_at(point) && !board.is_five(R::RULE, point, color) {
            board.place(point, color);
        }
    }
    let position = Position::from_board(R::RULE, board, Color::of_turn(random.below(2)));
    if position.outcome().is_some() { scatter::<R>(size, stones, seed + 1000) } else { position }
}
