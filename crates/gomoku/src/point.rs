//! Points of the board and steps between them.
//!
//! A point is one number on a padded grid of 32 columns: five rows of wall lie below and above the
//! largest board, and the ten columns right of it serve as walls to the right of a row and to the
//! left of the next. A step in a direction is an integer offset, and no walk of five steps from a
//! point of the board needs a test for the edge.

use std::{fmt, num::NonZeroU16, str::FromStr};

use thiserror::Error;

/// The smallest board side.
pub const MIN_SIZE: u8 = 5;
/// The largest board side.
pub const MAX_SIZE: u8 = 22;
/// Cells of the padded grid; [`Point::index`] is below it.
pub const GRID: usize = 1024;

const STRIDE: u16 = 32;
const WALL_ROWS: u16 = 5;

/// An intersection of the board: column from the left and row from the bottom, both from 0.
///
/// ```
/// # use gomoku::Point;
/// let center: Point = "h8".parse().unwrap();
/// assert_eq!((center.col(), center.row()), (7, 7));
/// assert_eq!(center.to_string(), "h8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(NonZeroU16);

const _: () = assert!(size_of::<Option<Point>>() == 2);

impl Point {
    /// The point in column `col` and row `row`.
    ///
    /// # Panics
    /// If either is outside the largest board; use [`Point::try_new`] for unchecked input.
    #[inline]
    pub const fn new(col: u8, row: u8) -> Point {
        match Point::try_new(col, row) {
            Some(point) => point,
            None => panic!("a point lies on a board of at most 22x22"),
        }
    }

    /// The point in column `col` and row `row`, if the largest board has it.
    pub const fn try_new(col: u8, row: u8) -> Option<Point> {
        if col >= MAX_SIZE || row >= MAX_SIZE {
            return None;
        }
        match NonZeroU16::new((row as u16 + WALL_ROWS) * STRIDE + col as u16) {
            Some(index) => Some(Point(index)),
            None => None,
        }
    }

    /// The point with this index on the padded grid, if it is not a wall cell of the largest board.
    pub const fn from_index(index: usize) -> Option<Point> {
        let (col, row) = (index % STRIDE as usize, index / STRIDE as usize);
        if row < WALL_ROWS as usize || row >= (WALL_ROWS + MAX_SIZE as u16) as usize {
            return None;
        }
        if col >= MAX_SIZE as usize {
            return None;
        }
        Point::try_new(col as u8, (row - WALL_ROWS as usize) as u8)
    }

    /// The point with this index, which is known to be one of the board's.
    #[inline(always)]
    pub(crate) const fn from_grid(index: usize) -> Point {
        debug_assert!(Point::from_index(index).is_some());
        match NonZeroU16::new(index as u16) {
            Some(index) => Point(index),
            None => Point::new(0, 0),
        }
    }

    /// The point `x` columns from the left and `y` rows from the *top*, as protocols count.
    pub const fn from_xy(x: u8, y: u8, size: u8) -> Option<Point> {
        if x < size && y < size { Point::try_new(x, size - 1 - y) } else { None }
    }

    /// Column from the left and row from the *top*, as protocols count.
    pub const fn to_xy(self, size: u8) -> (u8, u8) {
        (self.col(), size - 1 - self.row())
    }

    /// Column, 0 at the left.
    #[inline(always)]
    pub const fn col(self) -> u8 {
        (self.0.get() % STRIDE) as u8
    }

    /// Row, 0 at the bottom.
    #[inline(always)]
    pub const fn row(self) -> u8 {
        (self.0.get() / STRIDE - WALL_ROWS) as u8
    }

    /// Index on the padded grid, for arrays of [`GRID`] cells.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }

    /// Whether a board of this side has the point.
    #[inline(always)]
    pub const fn is_on(self, size: u8) -> bool {
        self.col() < size && self.row() < size
    }

    /// The point `steps` away in a direction, if the largest board has it.
    #[inline]
    pub const fn step(self, direction: Direction, steps: i32) -> Option<Point> {
        let (dc, dr) = direction.delta();
        let (col, row) = (self.col() as i32 + dc * steps, self.row() as i32 + dr * steps);
        if col < 0 || row < 0 || col >= MAX_SIZE as i32 || row >= MAX_SIZE as i32 {
            return None;
        }
        Some(Point::new(col as u8, row as u8))
    }

    /// Moves of a king between two points.
    pub const fn distance(self, other: Point) -> u8 {
        let dc = self.col().abs_diff(other.col());
        let dr = self.row().abs_diff(other.row());
        if dc > dr { dc } else { dr }
    }

    /// The center of a board of this side (the lower left of the four middle points if it is even).
    pub const fn center(size: u8) -> Point {
        Point::new((size - 1) / 2, (size - 1) / 2)
    }

    /// All points of a board of this side, row by row from the bottom left.
    pub fn all(size: u8) -> impl DoubleEndedIterator<Item = Point> + Clone {
        (0..size).flat_map(move |row| (0..size).map(move |col| Point::new(col, row)))
    }
}

/// The four directions of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Along a row.
    East = 0,
    /// Along a column, upwards.
    North = 1,
    /// Up and to the right.
    NorthEast = 2,
    /// Up and to the left.
    NorthWest = 3,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] =
        [Direction::East, Direction::North, Direction::NorthEast, Direction::NorthWest];

    /// Change of column and row in one step.
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Direction::East => (1, 0),
            Direction::North => (0, 1),
            Direction::NorthEast => (1, 1),
            Direction::NorthWest => (-1, 1),
        }
    }

    /// Change of [`Point::index`] in one step.
    pub const fn offset(self) -> isize {
        let (dc, dr) = self.delta();
        (dr * STRIDE as i32 + dc) as isize
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.col()) as char, self.row() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a point.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a point: expected a column letter a-v and a row number 1-22, such as h8.")]
pub struct ParsePointError(String);

impl FromStr for Point {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<Point, ParsePointError> {
        let error = || ParsePointError(text.chars().take(20).collect());
        let mut chars = text.chars();
        let letter = chars.next().ok_or_else(error)?.to_ascii_lowercase();
        let digits = chars.as_str();
        if !letter.is_ascii_lowercase() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(error());
        }
        let row: u8 = digits.parse().map_err(|_| error())?;
        let row = row.checked_sub(1).ok_or_else(error)?;
        Point::try_new(letter as u8 - b'a', row).ok_or_else(error)
    }
}
