//! Black's forbidden points in renju, from the tables.

use super::{Field, spread};
use crate::{
    color::Color,
    line::{self, Lines},
    point::{Direction, Point},
    rule::Rules,
    shape::{Shape, Shapes},
    threat::Threat,
};

impl<R: Rules> Field<R> {
    /// Whether the rule forbids Black to play on this empty point. Exact, and always `false` under
    /// rules other than renju.
    ///
    /// The class of the point settles nearly all cases; only two lines that look like open threes
    /// take a look ahead.
    #[inline]
    pub fn is_forbidden(&self, point: Point) -> bool {
        R::HAS_FORBIDDEN
            && self.threat(Color::Black, point) == Threat::Forbidden
            && self.is_forbidden_by_shapes(point)
    }

    fn is_forbidden_by_shapes(&self, point: Point) -> bool {
        let shapes = self.shapes(Color::Black, point);
        match verdict(shapes) {
            Verdict::Forbidden => true,
            Verdict::Allowed => false,
            Verdict::LooksLikeThrees => self.has_two_threes(&mut self.lines.clone(), point, shapes),
        }
    }

    /// Whether at least two of the lines that look like open threes can really become an open four.
    fn has_two_threes(&self, lines: &mut Lines, point: Point, shapes: Shapes) -> bool {
        let mut left = shapes.count(Shape::is_open_three);
        let mut threes = 0;
        lines.toggle_all(point, Color::Black);
        for direction in Direction::ALL {
            if !shapes.dir(direction).is_open_three() {
                continue;
            }
            threes += usize::from(self.is_real_three(lines, point, direction));
            left -= 1;
            if threes >= 2 || threes + left < 2 {
                break;
            }
        }
        lines.toggle_all(point, Color::Black);
        threes >= 2
    }

    /// Whether Black, having played on `point`, has an allowed move in this line that makes a
    /// straight four of it and no five elsewhere. A straight four is one run, so only the first
    /// empty cell on either side can complete it.
    fn is_real_three(&self, lines: &mut Lines, point: Point, direction: Direction) -> bool {
        let line = lines.line(point, direction);
        let (_, middle) = line::locate(point, direction);
        [-1, 1].into_iter().any(|sign| {
            let cell = |steps: i32| line >> (2 * (middle as i32 + steps)) & 3;
            let first_other = (1..=4).map(|i| i * sign).find(|&steps| cell(steps) != 1);
            let Some(steps) = first_other.filter(|&steps| cell(steps) == 0) else {
                return false;
            };
            let index = point.index() as isize + direction.offset() * steps as isize;
            let next = Point::from_grid(index as usize);
            let shapes = self.tables.shapes[lines.window::<R>(next, direction)];
            Shape::from_nibble(shapes & 15) == Shape::OpenFour
                && self.is_allowed_without_five(lines, next)
        })
    }

    /// Whether Black may play on a point of changed lines, and it is not a five.
    fn is_allowed_without_five(&self, lines: &mut Lines, point: Point) -> bool {
        let shapes = self.black_shapes(lines, point);
        if shapes.count(|shape| shape == Shape::Five) > 0 {
            return false;
        }
        match verdict(shapes) {
            Verdict::Forbidden => false,
            Verdict::Allowed => true,
            Verdict::LooksLikeThrees => !self.has_two_threes(lines, point, shapes),
        }
    }

    fn black_shapes(&self, lines: &Lines, point: Point) -> Shapes {
        let bits = Direction::ALL.into_iter().map(|direction| {
            let window = lines.window::<R>(point, direction);
            (spread(self.tables.shapes[window]) as u16) << (4 * direction as u32)
        });
        Shapes::from_bits(bits.sum())
    }
}

/// What the shapes alone say about a point that makes no five.
enum Verdict {
    Allowed,
    Forbidden,
    LooksLikeThrees,
}

fn verdict(shapes: Shapes) -> Verdict {
    let overline = shapes.count(|shape| shape == Shape::Overline) > 0;
    if overline || shapes.count(Shape::is_four) >= 2 {
        Verdict::Forbidden
    } else if shapes.count(Shape::is_open_three) >= 2 {
        Verdict::LooksLikeThrees
    } else {
        Verdict::Allowed
    }
}
