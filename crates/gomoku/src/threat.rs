//! What a stone on an empty point threatens, all four lines together.

use crate::shape::{Shape, Shapes};

/// The strongest thing a stone of one color on an empty point does, in rising order.
///
/// "Three" is one stone from a four, "open three" one stone from an open four; a "plus" is a
/// further three or free two in another line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Threat {
    /// Nothing better than blocked twos; also every point with a stone.
    #[default]
    None = 0,
    /// Black in renju only: an overline, a double four, or two lines that look like open threes.
    /// The first two are final; whether two threes are real takes a look ahead, so the exact answer
    /// is [`Field::is_forbidden`](crate::Field::is_forbidden).
    Forbidden = 1,
    /// One free two.
    Two = 2,
    /// One blocked three.
    Three = 3,
    /// Two or more free twos.
    TwoTwo = 4,
    /// A blocked three, and another or a free two.
    ThreePlus = 5,
    /// An open three.
    OpenThree = 6,
    /// An open three, and a blocked three or a free two.
    OpenThreePlus = 7,
    /// Two or more open threes.
    DoubleThree = 8,
    /// A four.
    Four = 9,
    /// A four, and a blocked three or a free two.
    FourPlus = 10,
    /// A four and an open three.
    FourThree = 11,
    /// An open four, or two fours at once.
    OpenFour = 12,
    /// Wins at once.
    Five = 13,
}

impl Threat {
    /// How many classes there are.
    pub const COUNT: usize = 14;

    /// All classes, in rising order.
    pub const ALL: [Threat; Threat::COUNT] = [
        Threat::None,
        Threat::Forbidden,
        Threat::Two,
        Threat::Three,
        Threat::TwoTwo,
        Threat::ThreePlus,
        Threat::OpenThree,
        Threat::OpenThreePlus,
        Threat::DoubleThree,
        Threat::Four,
        Threat::FourPlus,
        Threat::FourThree,
        Threat::OpenFour,
        Threat::Five,
    ];

    /// The class of four shapes where nothing is forbidden.
    pub fn of(shapes: Shapes) -> Threat {
        let has = |shape| shapes.count(|s| s == shape) > 0;
        let fours = shapes.count(Shape::is_four);
        let open_threes = shapes.count(Shape::is_open_three);
        let threes = shapes.count(|s| s == Shape::BlockedThree);
        let twos = shapes.count(Shape::is_free_two);
        let plus = threes + twos > 0;
        match () {
            _ if has(Shape::Five) => Threat::Five,
            _ if has(Shape::OpenFour) || fours >= 2 => Threat::OpenFour,
            _ if fours == 1 && open_threes > 0 => Threat::FourThree,
            _ if fours == 1 && plus => Threat::FourPlus,
            _ if fours == 1 => Threat::Four,
            _ if open_threes >= 2 => Threat::DoubleThree,
            _ if open_threes == 1 && plus => Threat::OpenThreePlus,
            _ if open_threes == 1 => Threat::OpenThree,
            _ if threes > 0 && threes + twos >= 2 => Threat::ThreePlus,
            _ if twos >= 2 => Threat::TwoTwo,
            _ if threes == 1 => Threat::Three,
            _ if twos == 1 => Threat::Two,
            _ => Threat::None,
        }
    }

    /// The class of four shapes of Black in renju, where too much at once may be forbidden.
    pub fn of_restricted(shapes: Shapes) -> Threat {
        let overline = shapes.count(|s| s == Shape::Overline) > 0;
        let double_four = shapes.count(Shape::is_four) >= 2;
        let double_three = shapes.count(Shape::is_open_three) >= 2;
        match Threat::of(shapes) {
            Threat::Five => Threat::Five,
            _ if overline || double_four || double_three => Threat::Forbidden,
            allowed => allowed,
        }
    }

    /// Whether [`Field`](crate::Field) keeps a set of the points of this class: all but the many
    /// points that threaten nothing yet.
    #[inline(always)]
    pub const fn is_kept(self) -> bool {
        !matches!(self, Threat::None | Threat::Two | Threat::TwoTwo)
    }
}
