//! The eight symmetries of the square.

use crate::point::Point;

/// A rotation or reflection of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Leaves every point where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight, the identity first.
    pub fn all() -> impl DoubleEndedIterator<Item = Symmetry> + ExactSizeIterator {
        (0..8u8).map(Symmetry)
    }

    /// The symmetry with this number, taken modulo 8.
    pub const fn new(index: u8) -> Symmetry {
        Symmetry(index % 8)
    }

    /// The number of the symmetry, 0 to 7.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The image of a point on a board of this side: a swap of column and row, then mirrors.
    pub const fn apply(self, point: Point, size: u8) -> Point {
        let (mut col, mut row) = (point.col(), point.row());
        if self.0 & 4 != 0 {
            (col, row) = (row, col);
        }
        if self.0 & 1 != 0 {
            col = size - 1 - col;
        }
        if self.0 & 2 != 0 {
            row = size - 1 - row;
        }
        Point::new(col, row)
    }

    /// The symmetry that takes every image back.
    pub const fn inverse(self) -> Symmetry {
        // Only the two rotations by a quarter turn are not their own inverses.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            other => Symmetry(other),
        }
    }
}
