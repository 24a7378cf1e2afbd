//! Lines and coordinates as they travel: bytes in any line end, two numbers in one of four orders.

use std::{fmt, str::FromStr};

use gomoku::Point;
use thiserror::Error;

/// A longer line is cut: no command comes near it.
const MAX_LINE: usize = 64 * 1024;

/// Cuts a stream of bytes into lines that end with LF, CR or both. Empty lines are dropped.
///
/// ```
/// # use protocol::LineSplitter;
/// let mut lines = LineSplitter::default();
/// let mut found = Vec::new();
/// lines.push(b"START 15\r\nINFO", |line| found.push(line.to_vec()));
/// lines.push(b" rule 0\n", |line| found.push(line.to_vec()));
/// assert_eq!(found, [b"START 15".to_vec(), b"INFO rule 0".to_vec()]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct LineSplitter {
    partial: Vec<u8>,
}

impl LineSplitter {
    /// Takes the next bytes and gives out each line that they complete.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) {
        for &byte in bytes {
            match byte {
                b'\n' | b'\r' => self.flush(&mut each),
                _ if self.partial.len() < MAX_LINE => self.partial.push(byte),
                _ => {}
            }
        }
    }

    /// The stream has ended: what is left is a line too.
    pub fn finish(&mut self, mut each: impl FnMut(&[u8])) {
        self.flush(&mut each);
    }

    fn flush(&mut self, each: &mut impl FnMut(&[u8])) {
        if !self.partial.trim_ascii().is_empty() {
            each(self.partial.trim_ascii());
        }
        self.partial.clear();
    }
}

/// Two numbers as they stand in a message. What they mean is said by [`Coordinates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coord(pub i32, pub i32);

impl Coord {
    /// Reads `7,8`.
    pub fn parse(text: &str) -> Option<Coord> {
        let (a, b) = text.split_once(',')?;
        Some(Coord(a.trim().parse().ok()?, b.trim().parse().ok()?))
    }
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0, self.1)
    }
}

/// What the two numbers of a coordinate mean. Row 0 is the top row unless it is flipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Coordinates {
    /// Column, row: Piskvork, Gomocup and all that follow them.
    #[default]
    ColumnRow,
    /// Row, column: Yixin-Board.
    RowColumn,
    /// Column, row from the bottom: Rapfi's `X_flipY`.
    ColumnFlippedRow,
    /// Row from the bottom, column: Rapfi's `flipY_X`.
    FlippedRowColumn,
}

impl Coordinates {
    /// All orders.
    pub const ALL: [Coordinates; 4] = [
        Coordinates::ColumnRow,
        Coordinates::RowColumn,
        Coordinates::ColumnFlippedRow,
        Coordinates::FlippedRowColumn,
    ];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Coordinates::ColumnRow => "x,y",
            Coordinates::RowColumn => "y,x",
            Coordinates::ColumnFlippedRow => "x,-y",
            Coordinates::FlippedRowColumn => "-y,x",
        }
    }

    /// The point that a coordinate means on a board of this side.
    pub fn point(self, coord: Coord, size: u8) -> Option<Point> {
        let (x, y) = match self {
            Coordinates::ColumnRow | Coordinates::ColumnFlippedRow => (coord.0, coord.1),
            Coordinates::RowColumn | Coordinates::FlippedRowColumn => (coord.1, coord.0),
        };
        let (x, y) = (u8::try_from(x).ok()?, u8::try_from(y).ok()?);
        let from_top = Point::from_xy(x, y, size)?;
        Some(if self.is_flipped() { Point::new(x, y) } else { from_top })
    }

    /// How a point is written on a board of this side.
    pub fn coord(self, point: Point, size: u8) -> Coord {
        let x = i32::from(point.col());
        let row = i32::from(point.row());
        let y = if self.is_flipped() { row } else { i32::from(size) - 1 - row };
        match self {
            Coordinates::ColumnRow | Coordinates::ColumnFlippedRow => Coord(x, y),
            Coordinates::RowColumn | Coordinates::FlippedRowColumn => Coord(y, x),
        }
    }

    fn is_flipped(self) -> bool {
        matches!(self, Coordinates::ColumnFlippedRow | Coordinates::FlippedRowColumn)
    }
}

/// Why a text does not name an order of coordinates.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not an order of coordinates: expected x,y or y,x or x,-y or -y,x.")]
pub struct ParseCoordinatesError(String);

impl FromStr for Coordinates {
    type Err = ParseCoordinatesError;

    fn from_str(text: &str) -> Result<Coordinates, ParseCoordinatesError> {
        Coordinates::ALL
            .into_iter()
            .find(|order| order.name() == text)
            .ok_or_else(|| ParseCoordinatesError(text.chars().take(20).collect()))
    }
}

/// The text of bytes that are probably ASCII: what is not UTF-8 is replaced.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Splits the first word off.
pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.find(char::is_whitespace) {
        Some(end) => (&text[..end], text[end..].trim_start()),
        None => (text, ""),
    }
}
