//! What the search has learned about moves in this game, whatever the position.

use gomoku::{Color, GRID, MAX_SIZE, Point, Threat};
use net::MASKS;

/// Statistics stay within ±this.
pub(crate) const HISTORY_MAX: i32 = 8_192;
/// Cells of the largest board.
const CELLS: usize = MAX_SIZE as usize * MAX_SIZE as usize;
/// Continuations look back at the opponent's last move and at the own move before it.
pub(crate) const LOOK_BACK: usize = 2;

/// A statistic that forgets as it learns: every update pulls it towards the bound it moves to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stat(i16);

const _: () = assert!(HISTORY_MAX < i16::MAX as i32);

impl Stat {
    #[inline(always)]
    fn get(self) -> i32 {
        self.0 as i32
    }

    #[inline]
    fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-HISTORY_MAX, HISTORY_MAX);
        let old = self.0 as i32;
        self.0 = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}

/// The moves before the one being judged: the opponent's last, and the own one before it.
pub(crate) type Before = [Option<Point>; LOOK_BACK];

/// Everything one thread learns about moves.
#[derive(Clone, Debug)]
pub(crate) struct Histories {
    /// By color, quiet or attack, and point.
    main: Vec<Stat>,
    /// By color, how far back, that move's cell, and this move's cell.
    continuation: Vec<Stat>,
    /// By color and the opponent's last move: the reply that refuted it.
    counter: Vec<Option<Point>>,
    /// By color to move: how far the evaluation is off, by threat mask and by last move.
    mask_error: Vec<Stat>,
    move_error: Vec<Stat>,
}

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            main: vec![Stat::default(); 2 * 2 * GRID],
            continuation: vec![Stat::default(); 2 * LOOK_BACK * CELLS * CELLS],
            counter: vec![None; 2 * GRID],
            mask_error: vec![Stat::default(); 2 * MASKS],
            move_error: vec![Stat::default(); 2 * GRID],
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.main.fill(Stat::default());
        self.continuation.fill(Stat::default());
        self.counter.fill(None);
        self.mask_error.fill(Stat::default());
        self.move_error.fill(Stat::default());
    }

    /// How well a move has done, in general.
    #[inline]
    pub(crate) fn main(&self, color: Color, point: Point, threat: Threat) -> i32 {
        self.main[main_index(color, point, threat)].get()
    }

    /// How well a move has done after the moves before it, summed.
    #[inline]
    pub(crate) fn continuation(&self, color: Color, before: Before, point: Point) -> i32 {
        let value = |(back, before): (usize, Option<Point>)| {
            before.map_or(0, |before| {
                self.continuation[continuation_index(color, back, before, point)].get()
            })
        };
        before.into_iter().enumerate().map(value).sum()
    }

    /// The move that refuted the opponent's last move elsewhere.
    #[inline]
    pub(crate) fn counter(&self, color: Color, before: Before) -> Option<Point> {
        before[0].and_then(|last| self.counter[color as usize * GRID + last.index()])
    }

    /// Learns that a move was good (or, with a negative bonus, bad).
    pub(crate) fn update(
        &mut self,
        color: Color,
        before: Before,
        (point, threat): (Point, Threat),
        bonus: i32,
    ) {
        self.main[main_index(color, point, threat)].update(bonus);
        for (back, before) in before.into_iter().enumerate() {
            if let Some(before) = before {
                self.continuation[continuation_index(color, back, before, point)].update(bonus);
            }
        }
    }

    /// How far the evaluation is off where these threats are on the board and this move was last,
    /// within twice [`HISTORY_MAX`].
    #[inline]
    pub(crate) fn correction(&self, color: Color, mask: usize, last: Option<Point>) -> i32 {
        let by_move =
            last.map_or(0, |last| self.move_error[color as usize * GRID + last.index()].get());
        self.mask_error[color as usize * MASKS + mask].get() + by_move
    }

    /// Learns how far the evaluation was off.
    pub(crate) fn correct(&mut self, color: Color, mask: usize, last: Option<Point>, bonus: i32) {
        self.mask_error[color as usize * MASKS + mask].update(bonus);
        if let Some(last) = last {
            self.move_error[color as usize * GRID + last.index()].update(bonus);
        }
    }

    /// Learns which move refuted the opponent's last one.
    pub(crate) fn set_counter(&mut self, color: Color, before: Before, point: Point) {
        if let Some(last) = before[0] {
            self.counter[color as usize * GRID + last.index()] = Some(point);
        }
    }
}

/// Attacks and quiet moves on the same point have little to do with each other.
#[inline(always)]
fn main_index(color: Color, point: Point, threat: Threat) -> usize {
    let is_attack = threat >= Threat::OpenThree;
    (color as usize * 2 + is_attack as usize) * GRID + point.index()
}

#[inline(always)]
fn continuation_index(color: Color, back: usize, before: Point, point: Point) -> usize {
    ((color as usize * LOOK_BACK + back) * CELLS + cell(before)) * CELLS + cell(point)
}

/// Cells numbered without gaps.
#[inline(always)]
fn cell(point: Point) -> usize {
    point.row() as usize * MAX_SIZE as usize + point.col() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_stay_in_bounds_and_can_be_turned_around() {
        let mut stat = Stat::default();
        (0..1_000).for_each(|_| stat.update(3_000));
        assert!(stat.get() > HISTORY_MAX / 2 && stat.get() <= HISTORY_MAX);
        (0..1_000).for_each(|_| stat.update(-100_000));
        assert_eq!(stat.get(), -HISTORY_MAX);
    }

    #[test]
    fn colors_threats_and_histories_do_not_mix() {
        let mut histories = Histories::new();
        let (a, b) = (Point::new(3, 4), Point::new(21, 21));
        let before = [Some(b), None];
        histories.update(Color::White, before, (a, Threat::Four), 500);
        assert_eq!(histories.main(Color::White, a, Threat::OpenThree), 500);
        assert_eq!(histories.main(Color::White, a, Threat::Two), 0);
        assert_eq!(histories.main(Color::Black, a, Threat::Four), 0);
        assert_eq!(histories.continuation(Color::White, before, a), 500);
        assert_eq!(histories.continuation(Color::White, [Some(a), None], b), 0);
    }
}
