//! The points that stop a five.

use super::Field;
use crate::{
    color::Color,
    point::{Direction, Point},
    points::PointSet,
    rule::{Rule, Rules},
};

impl<R: Rules> Field<R> {
    /// The empty points where a stone of the other color takes the five at `five` away.
    ///
    /// Under most rules that is the point itself. In caro a five with an opponent's stone at both
    /// ends does not win, so a point at the open end of a half-closed four defends as well:
    ///
    /// ```text
    /// . O X X X X . . .      both points marked b are answers
    ///             b b
    /// ```
    pub fn defenses(&self, color: Color, five: Point) -> PointSet {
        debug_assert!(self.is_five(color, five), "{five} does not make five");
        let mut found = PointSet::EMPTY;
        found.insert(five);
        if matches!(R::RULE, Rule::Caro | Rule::CaroExact) {
            for end in self.ends(color, five) {
                let mut board = self.board;
                board.place(end, !color);
                if !board.is_five(R::RULE, five, color) {
                    found.insert(end);
                }
            }
        }
        found
    }

    /// The empty points at the ends of the runs that a stone would have.
    fn ends(&self, color: Color, point: Point) -> impl Iterator<Item = Point> + '_ {
        let ends = Direction::ALL.map(|direction| {
            [-1, 1].map(|sign| {
                let beyond = self.board.stones_beyond(point, direction, sign, color) as i32;
                point.step(direction, sign * (beyond + 1))
            })
        });
        ends.into_iter().flatten().flatten().filter(|&end| self.board.is_empty_at(end))
    }
}
