//! What a stone on an empty point makes of one line, and of its four lines together.
//!
//! There is no list of patterns. A shape is defined by what one more stone makes of it: a four is
//! one stone from a five, an open three is one stone from an open four, and so on down to a lone
//! stone with room around it. [`line`](crate::line) carries the recursion out for every line.

use std::fmt;

use crate::point::Direction;

/// What a stone of one color on an empty point makes of one line through it.
///
/// Only fives that contain the new stone count. In the pictures `X` are stones that stand already,
/// `*` is the new stone, `O` the opponent and `|` the edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Shape {
    /// No five can ever contain the stone: `O . * . . O`.
    #[default]
    None = 0,
    /// Six or more where only exactly five win: `X X X * X X`. For Black in renju also two fours in
    /// one line, such as `X . X * X . X`, because either way the point is forbidden.
    Overline = 1,
    /// A stone that can become a blocked two at best: `O * . . . . O`.
    BlockedOne = 2,
    /// A stone with room to become a free two: `. . . * . . .`.
    FreeOne = 3,
    /// Two stones that can become a blocked three at best: `O X * . . . .`.
    BlockedTwo = 4,
    /// Two stones, one or two ways to an open three: `. . X . . * . .`, `O . X * . . . O`.
    FreeTwo = 5,
    /// Two stones, three ways to an open three: `. . X . * . .`.
    WideTwo = 6,
    /// Two stones, four or more ways to an open three: `. . . X * . . .`.
    BroadTwo = 7,
    /// One stone from a four, but not from an open four: `O X X * . .`.
    BlockedThree = 8,
    /// One way to an open four: `. X X . * .`.
    OpenThree = 9,
    /// Two or more ways to an open four: `. . X X * . .`.
    WideThree = 10,
    /// A four the opponent can stop: `O X X X * .`, `X X . X *`.
    Four = 11,
    /// No answer stops the five: `. X X X * .`; where nothing is forbidden also `X . X * X . X`. In
    /// caro the ends must be far enough from the opponent that one stone cannot spoil both fives.
    OpenFour = 12,
    /// The stone wins: `X X X X *`.
    Five = 13,
}

impl Shape {
    /// How many shapes there are.
    pub const COUNT: usize = 14;

    /// All shapes, the weakest first.
    pub const ALL: [Shape; Shape::COUNT] = [
        Shape::None,
        Shape::Overline,
        Shape::BlockedOne,
        Shape::FreeOne,
        Shape::BlockedTwo,
        Shape::FreeTwo,
        Shape::WideTwo,
        Shape::BroadTwo,
        Shape::BlockedThree,
        Shape::OpenThree,
        Shape::WideThree,
        Shape::Four,
        Shape::OpenFour,
        Shape::Five,
    ];

    /// The shape of four bits of a table entry. No table holds 14 or 15.
    #[inline(always)]
    pub(crate) const fn from_nibble(nibble: u8) -> Shape {
        const BY_NIBBLE: [Shape; 16] = {
            let mut all = [Shape::None; 16];
            let mut i = 0;
            while i < Shape::COUNT {
                all[i] = Shape::ALL[i];
                i += 1;
            }
            all
        };
        BY_NIBBLE[(nibble & 15) as usize]
    }

    /// Whether it is a two that can become an open three, of any grade.
    #[inline(always)]
    pub const fn is_free_two(self) -> bool {
        matches!(self, Shape::FreeTwo | Shape::WideTwo | Shape::BroadTwo)
    }

    /// Whether it is a three that can become an open four, of either grade.
    #[inline(always)]
    pub const fn is_open_three(self) -> bool {
        matches!(self, Shape::OpenThree | Shape::WideThree)
    }

    /// Whether the stone makes one or more fours.
    #[inline(always)]
    pub const fn is_four(self) -> bool {
        matches!(self, Shape::Four | Shape::OpenFour)
    }
}

/// The shapes of one color in the four directions through a point: four bits each, packed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Shapes(u16);

impl Shapes {
    /// No shape in any direction; also the value at a point with a stone.
    pub const NONE: Shapes = Shapes(0);

    /// Packs four shapes, in the order of [`Direction::ALL`].
    pub const fn new(shapes: [Shape; 4]) -> Shapes {
        let [a, b, c, d] = shapes;
        Shapes(a as u16 | (b as u16) << 4 | (c as u16) << 8 | (d as u16) << 12)
    }

    pub(crate) const fn from_bits(bits: u16) -> Shapes {
        Shapes(bits)
    }

    /// The packed value: an index into tables of 65,536 entries.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The shape in one direction.
    #[inline(always)]
    pub const fn dir(self, direction: Direction) -> Shape {
        Shape::from_nibble((self.0 >> (4 * direction as u16) & 15) as u8)
    }

    /// All four shapes, in the order of [`Direction::ALL`].
    pub fn to_array(self) -> [Shape; 4] {
        Direction::ALL.map(|direction| self.dir(direction))
    }

    /// How many directions have a shape that fits.
    #[inline]
    pub fn count(self, fits: impl Fn(Shape) -> bool) -> usize {
        let shape = |i: u16| Shape::from_nibble((self.0 >> (4 * i) & 15) as u8);
        (0..4).filter(|&i| fits(shape(i))).count()
    }

    /// The shapes without their directions.
    #[inline]
    pub fn code(self) -> Code {
        let mut sorted = self.to_array();
        sorted.sort_unstable();
        let [a, b, c, d] = sorted.map(|shape| shape as usize);
        // Choosing 4 of 14 with repetition is choosing 4 different numbers out of 17.
        let rank = choose(a, 1) + choose(b + 1, 2) + choose(c + 2, 3) + choose(d + 3, 4);
        Code(rank as u16)
    }
}

impl fmt::Debug for Shapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.to_array()).finish()
    }
}

/// Four shapes without their order: a number below [`Code::COUNT`], the feature of a point that
/// evaluations are fitted on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(u16);

impl Code {
    /// How many codes there are: ways to choose four of fourteen shapes with repetition.
    pub const COUNT: usize = choose(Shape::COUNT + 3, 4);

    /// The code with this number, if it is below [`Code::COUNT`].
    pub const fn new(index: u16) -> Option<Code> {
        if (index as usize) < Code::COUNT { Some(Code(index)) } else { None }
    }

    pub(crate) const fn from_table(index: u16) -> Code {
        Code(index)
    }

    /// The number of the code, below [`Code::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The four shapes, the weakest first.
    pub fn shapes(self) -> [Shape; 4] {
        let mut rest = self.index();
        let mut shapes = [Shape::None; 4];
        for i in (0..4).rev() {
            let fits = |&&shape: &&Shape| choose(shape as usize + i, i + 1) <= rest;
            let shape = Shape::ALL.iter().rev().find(fits).copied().unwrap_or_default();
            rest -= choose(shape as usize + i, i + 1);
            shapes[i] = shape;
        }
        shapes
    }
}

/// Binomial coefficient.
const fn choose(n: usize, k: usize) -> usize {
    let (mut value, mut i) = (1, 0);
    while i < k {
        if i >= n {
            return 0;
        }
        value = value * (n - i) / (i + 1);
        i += 1;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_forget_the_order_and_nothing_else() {
        assert_eq!(Code::COUNT, 2380);
        let mut seen = vec![false; Code::COUNT];
        for (a, b, c, d) in (0..38_416).map(|i| (i % 14, i / 14 % 14, i / 196 % 14, i / 2744)) {
            let shapes = [a, b, c, d].map(|i| Shape::ALL[i]);
            let code = Shapes::new(shapes).code();
            seen[code.index()] = true;
            let mut sorted = shapes;
            sorted.sort_unstable();
            assert_eq!(code.shapes(), sorted);
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
}
