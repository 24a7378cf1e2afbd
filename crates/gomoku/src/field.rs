//! The board of the search programs: stones, shapes, threats and undo, all kept up to date.
//!
//! A stone changes only what is seen along its four lines. [`Field::place`] walks the empty points
//! there, reads each one's new shape from a table, and moves points between the sets of the threat
//! classes. What was overwritten goes to a log, and [`Field::undo`] puts it back without looking
//! anything up.

use std::fmt;

use crate::{
    board::Board,
    color::{ByColor, Color},
    line::{self, Lines, Tables},
    point::{Direction, GRID, Point},
    points::PointSet,
    position::Position,
    rule::Rules,
    shape::{Code, Shapes},
    threat::{STONE, Threat},
    zobrist,
};

mod defence;
mod forbidden;

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
    /// Shapes by point: Black's in the low half, White's in the high half, 0 at stones.
    cells: Box<[u32; GRID]>,
    /// Threats by point: Black's in the low four bits, White's in the high four, or [`NO_POINT`].
    threats: Box<[u8; GRID]>,
    /// The empty points of each class, by color and [`Threat`]; what is at [`STONE`] means nothing.
    sets: [[PointSet; 16]; 2],
    /// How many points each set has.
    counts: [[u16; 16]; 2],
    tables: &'static Tables,
    /// Moves known from before this field was made.
    earlier: Vec<Point>,
    moves: Vec<Option<Point>>,
    /// What the moves overwrote, `log_starts` being where each move begins. Grows, never shrinks.
    log: Vec<Overwritten>,
    log_starts: Vec<u32>,
    log_end: usize,
    rules: R,
}

/// The state of a point before a move changed it.
#[derive(Clone, Copy, Debug, Default)]
struct Overwritten {
    at: u16,
    threats: u8,
    shapes: u32,
}

/// The classes of a point that is not empty: [`STONE`] for both colors.
const NO_POINT: u8 = STONE | STONE << 4;

/// Log entries reserved for a move: its own point and at most ten in each of four directions, up
/// to a power of two.
const LOG_STEP: usize = 64;

/// Is told what [`Field::place_observed`] and [`Field::undo_observed`] change, so that a sum over
/// the empty points can be kept.
pub trait Observer {
    /// The shapes of one color changed at an empty point that stays empty.
    fn changed(&mut self, color: Color, point: Point, old: Shapes, new: Shapes);

    /// A point got a stone; these were the shapes of the two colors there.
    fn occupied(&mut self, point: Point, old: ByColor<Shapes>);

    /// A stone was taken off a point; these are the shapes of the two colors there.
    fn emptied(&mut self, point: Point, new: ByColor<Shapes>);
}

/// Sees nothing.
impl Observer for () {
    #[inline(always)]
    fn changed(&mut self, _: Color, _: Point, _: Shapes, _: Shapes) {}
    #[inline(always)]
    fn occupied(&mut self, _: Point, _: ByColor<Shapes>) {}
    #[inline(always)]
    fn emptied(&mut self, _: Point, _: ByColor<Shapes>) {}
}

impl<R: Rules> Field<R> {
    /// An empty board, Black to move.
    ///
    /// # Panics
    /// If the side is not 5 to 22.
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
            cells: Box::new([0; GRID]),
            threats: Box::new([NO_POINT; GRID]),
            sets: [[PointSet::EMPTY; 16]; 2],
            counts: [[0; 16]; 2],
            tables: Tables::of::<R>(),
            earlier: Vec::new(),
            moves: Vec::new(),
            log: Vec::new(),
            log_starts: Vec::new(),
            log_end: 0,
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
        let at = point.index();
        for direction in Direction::ALL {
            let (_, cell) = line::locate(point, direction);
            let window = line::window::<R>(self.lines.line(point, direction), cell);
            self.cells[at] |= spread(self.tables.shapes[window]) << (4 * direction as u32);
        }
        self.threats[at] = self.threats_of(self.cells[at]);
        for color in Color::ALL {
            let threat = (self.threats[at] >> (4 * color as u8) & 15) as usize;
            self.sets[color as usize][threat].insert(point);
            self.counts[color as usize][threat] += 1;
        }
    }

    /// The classes of both colors for a cell's shapes.
    #[inline(always)]
    fn threats_of(&self, shapes: u32) -> u8 {
        let black = self.tables.threats[0][(shapes & 0xffff) as usize];
        let white = self.tables.threats[1][(shapes >> 16) as usize];
        black | white << 4
    }

    /// The stones.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Points a side.
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

    /// Places a stone of the side to move on an empty point.
    #[inline]
    pub fn place(&mut self, point: Point) {
        self.place_observed(point, &mut ());
    }

    /// Takes the last move or pass back.
    ///
    /// # Panics
    /// If no move was made on this field.
    #[inline]
    pub fn undo(&mut self) {
        self.undo_observed(&mut ());
    }

    /// Hands the move to the other side without a stone.
    pub fn pass(&mut self) {
        self.moves.push(None);
        self.log_starts.push(self.log_end as u32);
        self.to_move = !self.to_move;
    }

    /// [`place`](Field::place), telling an observer what changes.
    pub fn place_observed(&mut self, point: Point, observer: &mut impl Observer) {
        debug_assert!(self.board.is_empty_at(point), "{point} is not an empty point of the board");
        let color = self.to_move;
        self.start_log();
        self.overwrite(point.index(), 0, NO_POINT);
        observer.occupied(point, self.last_logged());
        for direction in Direction::ALL {
            self.update_line(point, direction, color, observer);
        }
        self.board.place(point, color);
        self.moves.push(Some(point));
        self.to_move = !color;
    }

    /// [`undo`](Field::undo), telling an observer what changes.
    pub fn undo_observed(&mut self, observer: &mut impl Observer) {
        let last = self.moves.pop().expect("a move was made on this field");
        let start = self.log_starts.pop().expect("every move has its log") as usize;
        self.to_move = !self.to_move;
        let Some(point) = last else { return };
        self.board.remove(point, self.to_move);
        self.lines.toggle_all(point, self.to_move);
        for i in (start..self.log_end).rev() {
            let Overwritten { at, threats, shapes } = self.log[i];
            let at = at as usize;
            let old = self.cells[at];
            self.cells[at] = shapes;
            self.move_between_sets(at, threats);
            if i > start {
                notify(observer, at, old, shapes);
            }
        }
        self.log_end = start;
        observer.emptied(point, self.shapes_of_both(point.index()));
    }

    /// Brings the empty points along one line up to date after a stone on `point`.
    #[inline(always)]
    fn update_line(
        &mut self,
        point: Point,
        direction: Direction,
        color: Color,
        observer: &mut impl Observer,
    ) {
        let half = R::HALF_WINDOW as u32;
        let line = self.lines.toggle(point, direction, color);
        let (_, middle) = line::locate(point, direction);
        let first = middle - half;
        let near = (1u64 << (4 * half + 2)) - 1;
        let mut empties = line::empty_cells(line) >> (2 * first) & near;
        while empties != 0 {
            let step = empties.trailing_zeros() / 2;
            empties &= empties - 1;
            let at = point.index() as isize + direction.offset() * (step as isize - half as isize);
            let at = at as usize & (GRID - 1);
            let shapes = self.tables.shapes[line::window::<R>(line, first + step)];
            let shift = 4 * direction as u32;
            let old = self.cells[at];
            let new = old & !(0x000f_000f << shift) | spread(shapes) << shift;
            if new != old {
                let threats = self.threats_of(new);
                self.overwrite(at, new, threats);
                notify(observer, at, old, new);
            }
        }
    }

    fn start_log(&mut self) {
        self.log_starts.push(self.log_end as u32);
        if self.log.len() < self.log_end + LOG_STEP {
            self.log.resize(self.log_end + 8 * LOG_STEP, Overwritten::default());
        }
    }

    /// Gives a point new shapes and classes and logs the old ones. A point that gets a stone has
    /// neither.
    #[inline(always)]
    fn overwrite(&mut self, at: usize, shapes: u32, threats: u8) {
        self.log[self.log_end] =
            Overwritten { at: at as u16, threats: self.threats[at], shapes: self.cells[at] };
        self.log_end += 1;
        self.cells[at] = shapes;
        self.move_between_sets(at, threats);
    }

    /// Moves a point from the sets of its present classes to those of the given ones.
    #[inline(always)]
    fn move_between_sets(&mut self, at: usize, threats: u8) {
        let old = self.threats[at];
        if old == threats {
            return;
        }
        self.threats[at] = threats;
        let point = Point::from_grid(at);
        for color in 0..2 {
            let (from, to) = (old >> (4 * color) & 15, threats >> (4 * color) & 15);
            if from != to {
                self.sets[color][from as usize].toggle(point);
                self.sets[color][to as usize].toggle(point);
                let counts = &mut self.counts[color];
                counts[from as usize] = counts[from as usize].wrapping_sub(1);
                counts[to as usize] = counts[to as usize].wrapping_add(1);
            }
        }
    }

    fn last_logged(&self) -> ByColor<Shapes> {
        both(self.log[self.log_end - 1].shapes)
    }

    fn shapes_of_both(&self, at: usize) -> ByColor<Shapes> {
        both(self.cells[at & (GRID - 1)])
    }

    /// What a stone of this color on an empty point makes of its four lines. Nothing at a stone.
    #[inline(always)]
    pub fn shapes(&self, color: Color, point: Point) -> Shapes {
        let cell = self.cells[point.index() & (GRID - 1)];
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
        let both = self.threats[point.index() & (GRID - 1)];
        Threat::from_nibble(both >> (4 * color as u8) & 15)
    }

    /// The class if nothing were forbidden: what a [`Threat::Forbidden`] point threatens once
    /// [`is_forbidden`](Field::is_forbidden) has said that it is allowed after all.
    ///
    /// One of its threes is not real then, so a [`Threat::DoubleThree`] is at most one open three.
    pub fn threat_if_allowed(&self, color: Color, point: Point) -> Threat {
        match self.threat(color, point) {
            Threat::Forbidden => Threat::of(self.shapes(color, point)),
            threat => threat,
        }
    }

    /// The empty points of a class.
    #[inline(always)]
    pub fn points(&self, color: Color, threat: Threat) -> &PointSet {
        &self.sets[color as usize][threat as usize]
    }

    /// The empty points of a class or a stronger one. Points that may be forbidden are not counted
    /// among the stronger ones unless the weakest class asked for is [`Threat::None`] or
    /// [`Threat::Forbidden`].
    pub fn points_at_least(&self, color: Color, threat: Threat) -> PointSet {
        let sets = &self.sets[color as usize][threat as usize..Threat::COUNT];
        sets.iter().fold(PointSet::EMPTY, |all, &set| all | set)
    }

    /// How many empty points are of a class.
    #[inline(always)]
    pub fn count(&self, color: Color, threat: Threat) -> usize {
        usize::from(self.counts[color as usize][threat as usize])
    }

    /// Whether an empty point is of this class.
    #[inline(always)]
    pub fn has(&self, color: Color, threat: Threat) -> bool {
        self.counts[color as usize][threat as usize] != 0
    }

    /// Whether an empty point is of this class or a stronger one.
    #[inline(always)]
    pub fn has_at_least(&self, color: Color, threat: Threat) -> bool {
        self.counts[color as usize][threat as usize..Threat::COUNT].iter().any(|&n| n != 0)
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

#[inline(always)]
fn both(cell: u32) -> ByColor<Shapes> {
    ByColor { black: Shapes::from_bits(cell as u16), white: Shapes::from_bits((cell >> 16) as u16) }
}

/// Tells an observer how an empty point changed.
#[inline(always)]
fn notify(observer: &mut impl Observer, at: usize, old: u32, new: u32) {
    let point = Point::from_grid(at);
    let (old, new) = (both(old), both(new));
    for color in Color::ALL {
        if old[color] != new[color] {
            observer.changed(color, point, old[color], new[color]);
        }
    }
}

impl<R: Rules> fmt::Debug for Field<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {} to move:{:?}", self.rules, self.to_move, self.board)
    }
}
