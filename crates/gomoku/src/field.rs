//! The board of the search programs: stones, shapes, threats and undo, all kept up to date.
//!
//! A stone changes only what is seen along its four lines. [`Field::place`] walks the empty points
//! there, reads each one's new shape from a table, and moves points between the sets of the threat
//! classes. What was overwritten goes to a log, and [`Field::undo`] puts it back without looking
//! anything up.

use std::fmt;

use crate::{
    board::Board,
    color::Color,
    line::{self, Lines, Tables},
    point::{Direction, GRID, Point},
    points::PointSet,
    position::Position,
    rule::Rules,
    shape::{Code, Shapes},
    threat::Threat,
    zobrist,
};

mod defense;
mod forbidden;
mod update;

use update::Log;
pub use update::Observer;

/// A board with the shape of every line through every empty point, for both colors.
///
/// The color to move alternates; [`pass`](Field::pass) hands the move over without a stone. Any
/// stones may be placed, forbidden points of renju included: the searcher decides. Nothing here
/// stops at a five either.
///
/// ```
/// use gomoku::{Color, Field, Position, Renju, Rule, Threat};
/// let position = Position::parse("h8h9i8i9j8a1", Rule::Renju, 15).unwrap();
/// let mut field = Field::<Renju>::from_position(&position);
/// // Black to move has three in a row with both ends open.
/// let fours = field.points(Color::Black, Threat::OpenFour);
/// assert_eq!(fours.iter().map(|p| p.to_string()).collect::<Vec<_>>(), ["g8", "k8"]);
/// field.place("k8".parse().unwrap());
/// assert_eq!(field.count(Color::Black, Threat::Five), 2);
/// field.undo();
/// assert!(!field.has(Color::Black, Threat::Five));
/// ```
#[derive(Clone)]
pub struct Field<R: Rules> {
    board: Board,
    to_move: Color,
    lines: Lines,
    known: Box<Known>,
    tables: &'static Tables,
    /// Moves known from before this field was made.
    earlier: Vec<Point>,
    moves: Vec<Option<Point>>,
    log: Log,
    rules: R,
}

/// What is kept about the empty points.
#[derive(Clone)]
struct Known {
    /// Shapes by point: Black's in the low half, White's in the high half, 0 at stones.
    cells: [u32; GRID],
    /// Threats by point: Black's in the low four bits, White's in the high four; 0 at stones and
    /// for the classes that have no set.
    kept: [u8; GRID],
    /// The empty points of each class that is kept, by color and [`Threat`]; what is at 0 means
    /// nothing.
    sets: [PointSet; 32],
    /// How many points each set has.
    counts: [u16; 32],
}

/// Where the set of a class is.
#[inline(always)]
const fn set_of(color: Color, threat: Threat) -> usize {
    16 * color as usize + threat as usize
}

impl<R: Rules> Field<R> {
    /// An empty board, Black to move.
    ///
    /// # Panics
    /// If the size is not 5 to 22.
    pub fn new(size: u8) -> Field<R> {
        Field::from_board(&Board::new(size), Color::Black)
    }

    /// The stones and the side to move of a position. Its moves are remembered for
    /// [`last_move`](Field::last_move) but cannot be taken back.
    pub fn from_position(position: &Position) -> Field<R> {
        debug_assert_eq!(position.rule(), R::RULE, "the field has another rule");
        let mut field = Field::from_board(position.board(), position.to_move());
        field.earlier.extend_from_slice(position.moves());
        field
    }

    /// Any stones, either side to move.
    pub fn from_board(board: &Board, to_move: Color) -> Field<R> {
        let mut field = Field {
            board: *board,
            to_move,
            lines: Lines::new(board.size()),
            known: Box::new(Known {
                cells: [0; GRID],
                kept: [0; GRID],
                sets: [PointSet::EMPTY; 32],
                counts: [0; 32],
            }),
            tables: Tables::of::<R>(),
            earlier: Vec::new(),
            moves: Vec::new(),
            log: Log::default(),
            rules: R::default(),
        };
        for color in Color::ALL {
            board.stones(color).iter().for_each(|point| field.lines.toggle_all(point, color));
        }
        board.empty().iter().for_each(|point| field.fill_in(point));
        field
    }

    /// Computes everything about an empty point from the lines.
    fn fill_in(&mut self, point: Point) {
        let mut shapes = 0;
        for direction in Direction::ALL {
            let window = self.lines.window::<R>(point, direction);
            shapes |= spread(self.tables.shapes[window]) << (4 * direction as u32);
        }
        self.known.cells[point.index()] = shapes;
        self.known.kept[point.index()] = self.tables.kept(shapes);
        for color in Color::ALL {
            let threat = self.threat(color, point);
            if threat.is_kept() {
                self.known.sets[set_of(color, threat)].insert(point);
                self.known.counts[set_of(color, threat)] += 1;
            }
        }
    }

    /// The stones.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Board size, in points per side.
    #[inline(always)]
    pub fn size(&self) -> u8 {
        self.board.size()
    }

    /// The side to move.
    #[inline(always)]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Key of stones and side to move, the same as [`Position::key`].
    #[inline(always)]
    pub fn key(&self) -> u64 {
        match self.to_move {
            Color::Black => self.board.key(),
            Color::White => self.board.key() ^ zobrist::WHITE_TO_MOVE,
        }
    }

    /// Moves and passes made on this field.
    #[inline(always)]
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Moves made on this field, in order; `None` is a pass.
    #[inline(always)]
    pub fn moves(&self) -> &[Option<Point>] {
        &self.moves
    }

    /// The last move (`back` = 0), the one before it (1) and so on, including the known moves of
    /// the position the field was made from; `None` for a pass or when nothing is known.
    pub fn last_move(&self, back: usize) -> Option<Point> {
        if back < self.moves.len() {
            return self.moves[self.moves.len() - 1 - back];
        }
        self.earlier.iter().rev().nth(back - self.moves.len()).copied()
    }

    /// The four cells to either side of a point in one direction, two bits each and the backmost in
    /// the lowest: 0 is empty, 1 black, 2 white, 3 wall.
    #[inline(always)]
    pub fn window(&self, point: Point, direction: Direction) -> u16 {
        line::inner::<R>(self.lines.window::<R>(point, direction))
    }

    /// What a stone of this color on an empty point makes of its four lines. Nothing at a stone.
    #[inline(always)]
    pub fn shapes(&self, color: Color, point: Point) -> Shapes {
        let cell = self.known.cells[point.index() & (GRID - 1)];
        Shapes::from_bits((cell >> (16 * color as u32)) as u16)
    }

    /// The four shapes without their order.
    #[inline(always)]
    pub fn code(&self, color: Color, point: Point) -> Code {
        Code::from_table(self.tables.codes[self.shapes(color, point).bits() as usize])
    }

    /// What a stone of this color on an empty point threatens. [`Threat::None`] at a stone.
    #[inline(always)]
    pub fn threat(&self, color: Color, point: Point) -> Threat {
        self.tables.threats[color as usize][self.shapes(color, point).bits() as usize]
    }

    /// The empty points of a class.
    ///
    /// # Panics
    /// If the class is not kept ([`Threat::is_kept`]): too many points come and go there.
    /// [`find`](Field::find) has those.
    #[inline(always)]
    pub fn points(&self, color: Color, threat: Threat) -> &PointSet {
        assert!(threat.is_kept(), "there is no set of the points of this class");
        &self.known.sets[set_of(color, threat)]
    }

    /// The empty points of any class, found by looking at every point.
    pub fn find(&self, color: Color, threat: Threat) -> PointSet {
        let empty = self.board.empty();
        empty.iter().filter(|&point| self.threat(color, point) == threat).collect()
    }

    /// The empty points of a class or a stronger one; quick if all of those are kept.
    ///
    /// [`Threat::Forbidden`] is the weakest class but one, so points that may be forbidden are not
    /// among those of [`Threat::Two`] or more.
    #[inline]
    pub fn points_at_least(&self, color: Color, threat: Threat) -> PointSet {
        if threat <= Threat::TwoTwo {
            let empty = self.board.empty();
            return empty.iter().filter(|&point| self.threat(color, point) >= threat).collect();
        }
        let sets = &self.known.sets[set_of(color, threat)..=set_of(color, Threat::Five)];
        sets.iter().fold(PointSet::EMPTY, |all, &set| all | set)
    }

    /// How many empty points are of a class; at once if it is kept.
    #[inline(always)]
    pub fn count(&self, color: Color, threat: Threat) -> usize {
        if threat.is_kept() {
            usize::from(self.known.counts[set_of(color, threat)])
        } else {
            self.find(color, threat).len()
        }
    }

    /// Whether an empty point is of this class.
    #[inline(always)]
    pub fn has(&self, color: Color, threat: Threat) -> bool {
        self.count(color, threat) != 0
    }

    /// Whether an empty point is of this class or a stronger one.
    #[inline(always)]
    pub fn has_at_least(&self, color: Color, threat: Threat) -> bool {
        if threat <= Threat::TwoTwo {
            return !self.points_at_least(color, threat).is_empty();
        }
        let counts = &self.known.counts[set_of(color, threat)..=set_of(color, Threat::Five)];
        counts.iter().any(|&count| count != 0)
    }

    /// Whether a stone of this color on an empty point wins at once.
    #[inline(always)]
    pub fn is_five(&self, color: Color, point: Point) -> bool {
        self.threat(color, point) == Threat::Five
    }
}

/// Both colors' shapes in one direction, moved apart to where the first direction has them.
#[inline(always)]
const fn spread(shapes: u8) -> u32 {
    (shapes as u32 | (shapes as u32) << 12) & 0x000f_000f
}

impl<R: Rules> fmt::Debug for Field<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {} to move:{:?}", self.rules, self.to_move, self.board)
    }
}
