//! What a node of a record can say: a move, marks, a judgment, and properties kept as they are.

use crate::{color::Color, point::Point, points::PointSet};

/// A stone played, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Who plays.
    pub color: Color,
    /// Where; `None` is a pass.
    pub point: Option<Point>,
}

impl Move {
    /// A stone on a point.
    pub const fn stone(color: Color, point: Point) -> Move {
        Move { color, point: Some(point) }
    }

    /// A turn without a stone.
    pub const fn pass(color: Color) -> Move {
        Move { color, point: None }
    }
}

/// A property of a node that has no meaning of its own here, kept as it was written.
///
/// Values are raw SGF text: escapes and line ends are those of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name, such as `EV`.
    pub ident: Box<str>,
    /// The values, one for each pair of brackets.
    pub values: Vec<Box<str>>,
}

/// The shapes that can mark a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkShape {
    /// SGF's `TR`.
    Triangle,
    /// SGF's `SQ`.
    Square,
    /// SGF's `CR`.
    Circle,
    /// SGF's `MA`.
    Cross,
    /// SGF's `SL`.
    Selected,
}

impl MarkShape {
    /// All shapes.
    pub const ALL: [MarkShape; 5] = [
        MarkShape::Triangle,
        MarkShape::Square,
        MarkShape::Circle,
        MarkShape::Cross,
        MarkShape::Selected,
    ];

    /// The property SGF keeps it in.
    pub const fn ident(self) -> &'static str {
        match self {
            MarkShape::Triangle => "TR",
            MarkShape::Square => "SQ",
            MarkShape::Circle => "CR",
            MarkShape::Cross => "MA",
            MarkShape::Selected => "SL",
        }
    }
}

/// A mark on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A shape on every point of a set.
    Shape(MarkShape, PointSet),
    /// A text on a point (`LB`).
    Label(Point, Box<str>),
    /// A line between two points (`LN`).
    Line(Point, Point),
    /// An arrow from the first point to the second (`AR`).
    Arrow(Point, Point),
}

/// What a commentator thinks of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judgment {
    /// A good move (`TE`), usually shown as `!`.
    Good,
    /// A very good move (`TE[2]`), `!!`.
    VeryGood,
    /// A bad move (`BM`), `?`.
    Bad,
    /// A very bad move (`BM[2]`), `??`.
    VeryBad,
    /// A doubtful move (`DO`), `?!`.
    Doubtful,
    /// An interesting move (`IT`), `!?`.
    Interesting,
}

impl Judgment {
    /// All judgments.
    pub const ALL: [Judgment; 6] = [
        Judgment::Good,
        Judgment::VeryGood,
        Judgment::Bad,
        Judgment::VeryBad,
        Judgment::Doubtful,
        Judgment::Interesting,
    ];

    /// The property that says it, and its value.
    pub(super) const fn property(self) -> (&'static str, &'static str) {
        match self {
            Judgment::Good => ("TE", "1"),
            Judgment::VeryGood => ("TE", "2"),
            Judgment::Bad => ("BM", "1"),
            Judgment::VeryBad => ("BM", "2"),
            Judgment::Doubtful => ("DO", ""),
            Judgment::Interesting => ("IT", ""),
        }
    }
}

/// A sign that RenLib puts on a node, not on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flag {
    /// The node is marked.
    Marked = 1,
    /// The library opens here.
    Start = 2,
}

impl Flag {
    /// Both.
    pub const ALL: [Flag; 2] = [Flag::Marked, Flag::Start];

    /// The word SGF keeps in the private property `RL`.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Flag::Marked => "mark",
            Flag::Start => "start",
        }
    }
}
