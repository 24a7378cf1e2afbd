//! Black's forbidden points in renju, straight from the text of the rule.
//!
//! This is the readable version: it clones boards and walks cells. [`Field`](crate::Field) has a
//! fast one, and the tests hold the two against each other.

use crate::{
    board::Board,
    color::Color,
    point::{Direction, Point},
    points::PointSet,
    rule::Rule,
};

/// Why Black may not play on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two threes at once.
    DoubleThree,
}

/// Why Black may not play on this empty point, or `None` if it is allowed. A five is always allowed.
pub fn forbidden(board: &Board, point: Point) -> Option<Forbidden> {
    if board.is_five(Rule::Renju, point, Color::Black) {
        return None;
    }
    if Direction::ALL.into_iter().any(|d| board.run_through(point, d, Color::Black) > 5) {
        return Some(Forbidden::Overline);
    }
    let mut after = *board;
    after.place(point, Color::Black);
    let fours: u32 = Direction::ALL.into_iter().map(|d| fours_through(&after, point, d)).sum();
    if fours >= 2 {
        return Some(Forbidden::DoubleFour);
    }
    let threes = Direction::ALL.into_iter().filter(|&d| is_three(&after, point, d)).count();
    (threes >= 2).then_some(Forbidden::DoubleThree)
}

/// All points that are forbidden to Black.
pub fn forbidden_points(board: &Board) -> PointSet {
    board.empty().iter().filter(|&point| forbidden(board, point).is_some()).collect()
}

/// Fours that the stone on `point` has part in along one line: 0, 1, or 2 when two different points
/// complete a five and the stones are not one straight four.
fn fours_through(board: &Board, point: Point, direction: Direction) -> u32 {
    match five_cells(board, point, direction).len() {
        0 => 0,
        1 => 1,
        _ if straight_four(board, point, direction).is_some() => 1,
        _ => 2,
    }
}

/// Empty points on the line where one more stone makes exactly five together with `point`.
fn five_cells(board: &Board, point: Point, direction: Direction) -> Vec<Point> {
    line_cells(board, point, direction)
        .filter(|&cell| {
            let mut after = *board;
            after.place(cell, Color::Black);
            after.run_through(point, direction, Color::Black) == 5
                && run_contains(&after, point, cell, direction)
        })
        .collect()
}

/// The two ends of a straight four through `point`: four stones in a row, both ends empty, and
/// each end completing exactly five.
fn straight_four(board: &Board, point: Point, direction: Direction) -> Option<[Point; 2]> {
    if board.run_through(point, direction, Color::Black) != 4 {
        return None;
    }
    let ahead = board.stones_beyond(point, direction, 1, Color::Black) as i32 + 1;
    let ends = [point.step(direction, ahead)?, point.step(direction, ahead - 5)?];
    let completes = |&end: &Point| {
        board.is_empty_at(end) && board.run_through(end, direction, Color::Black) == 5
    };
    ends.iter().all(completes).then_some(ends)
}

/// Whether one more legal stone on the line makes a straight four with `point`, and no five.
fn is_three(board: &Board, point: Point, direction: Direction) -> bool {
    line_cells(board, point, direction).any(|cell| {
        let mut after = *board;
        after.place(cell, Color::Black);
        run_contains(&after, point, cell, direction)
            && straight_four(&after, point, direction).is_some()
            && !board.is_five(Rule::Renju, cell, Color::Black)
            && forbidden(board, cell).is_none()
    })
}

/// Empty points of the line near enough to be in one five with `point`.
fn line_cells(
    board: &Board,
    point: Point,
    direction: Direction,
) -> impl Iterator<Item = Point> + use<'_> {
    (-4..=4).filter_map(move |i| point.step(direction, i)).filter(|&p| board.is_empty_at(p))
}

/// Whether the black run through `point` reaches `cell`.
fn run_contains(board: &Board, point: Point, cell: Point, direction: Direction) -> bool {
    let ahead = board.stones_beyond(point, direction, 1, Color::Black) as i32;
    let behind = board.stones_beyond(point, direction, -1, Color::Black) as i32;
    (-behind..=ahead).any(|i| point.step(direction, i) == Some(cell))
}
