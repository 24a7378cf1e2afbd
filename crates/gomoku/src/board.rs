//! Stones on a square board, their key, and the exact winning test.

use std::fmt;

use crate::{
    color::{ByColor, Color},
    point::{Direction, MAX_SIZE, MIN_SIZE, Point},
    points::PointSet,
    rule::Rule,
    symmetry::Symmetry,
    zobrist,
};

/// Which stones stand where. Knows neither the rule nor whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    size: u8,
    stones: ByColor<PointSet>,
    key: u64,
}

impl Board {
    /// An empty board.
    ///
    /// # Panics
    /// If the size is not 5 to 22; use [`Board::try_new`] for unchecked input.
    pub fn new(size: u8) -> Board {
        Board::try_new(size).expect("a board size is 5 to 22")
    }

    /// An empty board, if the size is 5 to 22.
    pub fn try_new(size: u8) -> Option<Board> {
        let stones = ByColor::default();
        (MIN_SIZE..=MAX_SIZE).contains(&size).then_some(Board { size, stones, key: 0 })
    }

    /// Board size, in points per side.
    #[inline(always)]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The stone on a point.
    #[inline]
    pub fn get(&self, point: Point) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.stones[color].contains(point))
    }

    /// Whether the point is on this board and has no stone.
    #[inline]
    pub fn is_empty_at(&self, point: Point) -> bool {
        point.is_on(self.size) && self.get(point).is_none()
    }

    /// Puts a stone on an empty point.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) {
        debug_assert!(self.is_empty_at(point), "{point} is not an empty point of the board");
        self.stones[color].insert(point);
        self.key ^= zobrist::stone(point, color);
    }

    /// Takes a stone off the board.
    #[inline]
    pub fn remove(&mut self, point: Point, color: Color) {
        debug_assert_eq!(self.get(point), Some(color));
        self.stones[color].remove(point);
        self.key ^= zobrist::stone(point, color);
    }

    /// The stones of a color.
    #[inline(always)]
    pub fn stones(&self, color: Color) -> &PointSet {
        &self.stones[color]
    }

    /// All points with a stone.
    pub fn occupied(&self) -> PointSet {
        self.stones.black | self.stones.white
    }

    /// All points without a stone.
    pub fn empty(&self) -> PointSet {
        PointSet::full(self.size) - self.occupied()
    }

    /// Number of stones.
    pub fn len(&self) -> usize {
        self.stones.black.len() + self.stones.white.len()
    }

    /// Whether there is no stone.
    pub fn is_empty(&self) -> bool {
        self.occupied().is_empty()
    }

    /// Whether there is a stone on every point.
    pub fn is_full(&self) -> bool {
        self.occupied() == PointSet::full(self.size)
    }

    /// Zobrist key of the stones.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The cell `steps` from a point in a direction: a stone, nothing, or (`None`) off the board.
    #[inline]
    pub fn look(&self, point: Point, direction: Direction, steps: i32) -> Option<Option<Color>> {
        let at = point.step(direction, steps)?;
        at.is_on(self.size).then(|| self.get(at))
    }

    /// How many stones of a color follow a point in a direction (the point itself excluded);
    /// a negative sign looks backwards.
    #[inline]
    pub fn stones_beyond(
        &self,
        point: Point,
        direction: Direction,
        sign: i32,
        color: Color,
    ) -> u32 {
        (1..).take_while(|i| self.look(point, direction, sign * i) == Some(Some(color))).count()
            as u32
    }

    /// Length of the run that a stone of this color on the point has or would have.
    pub fn run_through(&self, point: Point, direction: Direction, color: Color) -> u32 {
        1 + self.stones_beyond(point, direction, 1, color)
            + self.stones_beyond(point, direction, -1, color)
    }

    /// Whether a stone of this color on the point wins, or would win if it were played.
    pub fn is_five(&self, rule: Rule, point: Point, color: Color) -> bool {
        self.winning_direction(rule, point, color).is_some()
    }

    /// A direction in which a stone of this color on the point wins or would win.
    pub fn winning_direction(&self, rule: Rule, point: Point, color: Color) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| {
            let ahead = self.stones_beyond(point, direction, 1, color) as i32;
            let behind = self.stones_beyond(point, direction, -1, color) as i32;
            let opponent = Some(Some(!color));
            let closed = self.look(point, direction, ahead + 1) == opponent
                && self.look(point, direction, -behind - 1) == opponent;
            rule.is_win(color, (1 + ahead + behind) as u32, closed)
        })
    }

    /// The image of the board.
    pub fn transformed(&self, symmetry: Symmetry) -> Board {
        let mut image = Board::new(self.size);
        for color in Color::ALL {
            for point in self.stones[color] {
                image.place(symmetry.apply(point, self.size), color);
            }
        }
        image
    }

    /// The least of the eight images by key, and a symmetry that leads to it.
    pub fn canonical(&self) -> (Board, Symmetry) {
        Symmetry::all()
            .map(|symmetry| (self.transformed(symmetry), symmetry))
            .min_by_key(|(image, _)| image.key)
            .expect("there are eight symmetries")
    }
}

/// A picture: `X` black, `O` white, `.` empty, the top row first.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.size).rev() {
            write!(f, "{:>2}", row + 1)?;
            for col in 0..self.size {
                let stone = match self.get(Point::new(col, row)) {
                    Some(Color::Black) => 'X',
                    Some(Color::White) => 'O',
                    None => '.',
                };
                write!(f, " {stone}")?;
            }
            writeln!(f)?;
        }
        write!(f, "  ")?;
        (0..self.size).try_for_each(|col| write!(f, " {}", (b'a' + col) as char))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}
