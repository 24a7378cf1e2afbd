//! Sets of points as bits, with iteration and set algebra.

use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign},
};

use crate::point::{MAX_SIZE, Point};

const WORDS: usize = 11;
/// Index of the first point on the padded grid: bit 0 of the set.
const FIRST: usize = Point::new(0, 0).index();

/// A set of points of the largest board.
///
/// ```
/// # use gomoku::{Point, PointSet};
/// let corner: PointSet = [Point::new(0, 0)].into_iter().collect();
/// assert_eq!(corner.grow(15).len(), 4);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    /// All points of a board of this side.
    pub const fn full(size: u8) -> PointSet {
        assert!(size <= MAX_SIZE, "a board is at most 22x22");
        let row_mask = (1u64 << size) - 1;
        let mut words = [0; WORDS];
        let mut row = 0;
        while row < size as usize {
            words[row / 2] |= row_mask << (32 * (row % 2));
            row += 1;
        }
        PointSet(words)
    }

    /// Adds a point.
    #[inline(always)]
    pub const fn insert(&mut self, point: Point) {
        let bit = point.index() - FIRST;
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Removes a point.
    #[inline(always)]
    pub const fn remove(&mut self, point: Point) {
        let bit = point.index() - FIRST;
        self.0[bit / 64] &= !(1 << (bit % 64));
    }

    /// Adds the point if it is absent, removes it if it is present.
    #[inline(always)]
    pub const fn toggle(&mut self, point: Point) {
        let bit = point.index() - FIRST;
        self.0[bit / 64] ^= 1 << (bit % 64);
    }

    /// Whether the point is in the set.
    #[inline(always)]
    pub const fn contains(&self, point: Point) -> bool {
        let bit = point.index() - FIRST;
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no point.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The lowest point: bottom row first, then left to right.
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The point of a set of one; `None` if there are more or none.
    ///
    /// ```
    /// # use gomoku::{Point, PointSet};
    /// let mut set = PointSet::EMPTY;
    /// assert_eq!(set.only(), None);
    /// set.insert(Point::new(3, 4));
    /// assert_eq!(set.only(), Some(Point::new(3, 4)));
    /// set.insert(Point::new(5, 4));
    /// assert_eq!(set.only(), None);
    /// ```
    #[inline]
    pub fn only(&self) -> Option<Point> {
        let mut points = self.iter();
        let first = points.next()?;
        if points.next().is_none() { Some(first) } else { None }
    }

    /// Every point from the bottom left, row by row.
    #[inline]
    pub fn iter(&self) -> Iter {
        Iter { words: self.0, at: 0 }
    }

    /// The set and all neighbors of its points on a board of this side (a king's step).
    pub fn grow(&self, size: u8) -> PointSet {
        let mut rows = *self;
        for (wide, word) in rows.0.iter_mut().zip(self.0) {
            // The columns beyond the board are empty, so a shift never reaches another row's stones.
            *wide |= word << 1 | word >> 1;
        }
        let mut out = rows;
        for i in 0..WORDS {
            let below = if i > 0 { rows.0[i - 1] >> 32 } else { 0 };
            let above = if i + 1 < WORDS { rows.0[i + 1] << 32 } else { 0 };
            out.0[i] |= rows.0[i].rotate_right(32) | below | above;
        }
        out & PointSet::full(size)
    }
}

/// Iterator over the points of a set.
#[derive(Clone, Debug)]
pub struct Iter {
    words: [u64; WORDS],
    at: usize,
}

impl Iterator for Iter {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.at < WORDS {
            let word = self.words[self.at];
            if word != 0 {
                self.words[self.at] = word & (word - 1);
                return Point::from_index(FIRST + self.at * 64 + word.trailing_zeros() as usize);
            }
            self.at += 1;
        }
        None
    }
}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

impl BitAndAssign for PointSet {
    #[inline]
    fn bitand_assign(&mut self, other: PointSet) {
        self.0.iter_mut().zip(other.0).for_each(|(word, with)| *word &= with);
    }
}

impl BitOrAssign for PointSet {
    #[inline]
    fn bitor_assign(&mut self, other: PointSet) {
        self.0.iter_mut().zip(other.0).for_each(|(word, with)| *word |= with);
    }
}

impl SubAssign for PointSet {
    #[inline]
    fn sub_assign(&mut self, other: PointSet) {
        self.0.iter_mut().zip(other.0).for_each(|(word, without)| *word &= !without);
    }
}

impl BitAnd for PointSet {
    type Output = PointSet;

    #[inline]
    fn bitand(mut self, other: PointSet) -> PointSet {
        self &= other;
        self
    }
}

impl BitOr for PointSet {
    type Output = PointSet;

    #[inline]
    fn bitor(mut self, other: PointSet) -> PointSet {
        self |= other;
        self
    }
}

/// The points of the first set that are not in the second.
impl Sub for PointSet {
    type Output = PointSet;

    #[inline]
    fn sub(mut self, other: PointSet) -> PointSet {
        self -= other;
        self
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
