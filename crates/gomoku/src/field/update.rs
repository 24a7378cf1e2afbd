//! Placing stones and taking them back.
//!
//! A move is made in two passes. The first visits the empty points along the four lines and looks up
//! their new shapes and classes; it has no branch that depends on what it finds, so the look-ups
//! overlap. It writes down what it overwrites and which points changed their class. The second pass
//! moves those points between the sets. Taking the move back reads the two lists and looks nothing
//! up.

use std::marker::PhantomData;

use super::{Field, Known, NO_POINT, spread};
use crate::{
    color::{ByColor, Color},
    line::{self, Lines, Tables},
    point::{Direction, GRID, Point},
    rule::Rules,
    shape::Shapes,
};

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
    /// Places a stone of the side to move on an empty point.
    pub fn place(&mut self, point: Point) {
        self.place_observed(point, &mut ());
    }

    /// Takes the last move or pass back.
    ///
    /// # Panics
    /// If no move was made on this field.
    pub fn undo(&mut self) {
        self.undo_observed(&mut ());
    }

    /// Hands the move to the other side without a stone.
    pub fn pass(&mut self) {
        self.moves.push(None);
        self.to_move = !self.to_move;
    }

    /// [`place`](Field::place), telling an observer what changes.
    #[inline]
    pub fn place_observed(&mut self, point: Point, observer: &mut impl Observer) {
        debug_assert!(self.board.is_empty_at(point), "{point} is not an empty point of the board");
        let color = self.to_move;
        let around = Around::<R>::new(&mut self.lines, point, color);
        let (points, classes) = self.log.open(&self.known.counts);
        let (written, changed) = around.look_up(&mut self.known, self.tables, points, classes);
        self.known.apply(&classes[..changed]);
        observer.occupied(point, both(points[0].shapes()));
        for old in &points[1..written] {
            notify(observer, old.at(), old.shapes(), self.known.cells[old.at()]);
        }
        self.log.close(written, changed);
        self.board.place(point, color);
        self.moves.push(Some(point));
        self.to_move = !color;
    }

    /// [`undo`](Field::undo), telling an observer what changes.
    #[inline]
    pub fn undo_observed(&mut self, observer: &mut impl Observer) {
        let last = self.moves.pop().expect("a move was made on this field");
        self.to_move = !self.to_move;
        let Some(point) = last else { return };
        self.board.remove(point, self.to_move);
        self.lines.toggle_all(point, self.to_move);
        let (points, classes, counts) = self.log.pop();
        for old in points {
            let now = self.known.cells[old.at()];
            self.known.cells[old.at()] = old.shapes();
            self.known.threats[old.at()] = old.threats();
            if old.at() != point.index() {
                notify(observer, old.at(), now, old.shapes());
            }
        }
        self.known.move_between_sets(classes);
        self.known.counts = counts;
        observer.emptied(point, both(self.known.cells[point.index()]));
    }
}

impl Known {
    /// Moves points between the sets of their old and new classes; doing it twice undoes it.
    #[inline(always)]
    fn move_between_sets(&mut self, changes: &[ClassChange]) {
        for change in changes {
            let point = Point::from_grid(change.at());
            self.sets[change.from()].toggle(point);
            self.sets[change.to()].toggle(point);
        }
    }

    #[inline(always)]
    fn count(&mut self, changes: &[ClassChange]) {
        for change in changes {
            let count = &mut self.counts;
            // The counters of stones mean nothing and may wrap.
            count[change.from()] = count[change.from()].wrapping_sub(1);
            count[change.to()] = count[change.to()].wrapping_add(1);
        }
    }

    fn apply(&mut self, changes: &[ClassChange]) {
        self.move_between_sets(changes);
        self.count(changes);
    }
}

/// The four lines through a new stone, and the empty points on them that it may change.
struct Around<R> {
    /// Where the stone is on the grid.
    centre: usize,
    /// The lines, turned so that the window of step `s` starts at cell `s`; steps count from
    /// `HALF_WINDOW` cells before the stone.
    lines: [u64; 4],
    /// The empty points, each a bit: two for each step, the directions in them taking turns, the
    /// first two directions in the low half and the others in the high half.
    empties: u64,
    rules: PhantomData<R>,
}

impl<R: Rules> Around<R> {
    /// How far the point of each bit is from the stone, as a difference of grid indices.
    const OFFSETS: [i16; 64] = {
        let mut offsets = [0; 64];
        let mut bit = 0;
        while bit < 64 {
            let step = (bit % 32 / 2) as isize - R::HALF_WINDOW as isize;
            offsets[bit] = (Direction::ALL[direction_of(bit)].offset() * step) as i16;
            bit += 1;
        }
        offsets
    };

    /// Puts the stone into its lines and looks around.
    #[inline(always)]
    fn new(lines: &mut Lines, point: Point, color: Color) -> Self {
        let half = R::HALF_WINDOW as u32;
        let near = (1 << (4 * half + 2)) - 1;
        let mut around =
            Around { centre: point.index(), lines: [0; 4], empties: 0, rules: PhantomData };
        for direction in Direction::ALL {
            let (_, cell) = line::locate(point, direction);
            let line = lines.toggle(point, direction, color);
            // Cells beyond either end are walls, so a line may as well be a ring.
            let turned = line.rotate_right((2 * (32 + cell - 2 * half)) & 63);
            around.lines[direction as usize] = turned;
            let bits = line::empty_cells(turned) >> (2 * half) & near;
            let place = direction as u32;
            around.empties |= bits << (place / 2 * 32 + place % 2);
        }
        around
    }

    /// Writes the new shapes and classes of all points around, and what they overwrite. Returns
    /// how many points were written and how many classes changed.
    #[inline(always)]
    fn look_up(
        &self,
        known: &mut Known,
        tables: &Tables,
        points: &mut [Overwritten; POINTS],
        classes: &mut [ClassChange; CLASSES],
    ) -> (usize, usize) {
        let (mut written, mut changed) = (0, 0);
        let mut note = |at: usize, old_shapes: u32, old: u8, new: u8| {
            points[written % POINTS] = Overwritten::new(at, old, old_shapes);
            written += 1;
            classes[changed % CLASSES] = ClassChange::new(at, old & 15, new & 15);
            changed += usize::from((old ^ new) & 0x0f != 0);
            classes[changed % CLASSES] = ClassChange::new(at, 16 + (old >> 4), 16 + (new >> 4));
            changed += usize::from((old ^ new) & 0xf0 != 0);
        };
        let centre = self.centre % GRID;
        note(centre, known.cells[centre], known.threats[centre], NO_POINT);
        (known.cells[centre], known.threats[centre]) = (0, NO_POINT);
        let mut empties = self.empties;
        while empties != 0 {
            let bit = empties.trailing_zeros() as usize;
            empties &= empties - 1;
            let at = self.centre.wrapping_add_signed(Self::OFFSETS[bit] as isize) % GRID;
            let direction = direction_of(bit);
            let window = line::without_middle::<R>(self.lines[direction] >> (bit & 30));
            let shapes = spread(tables.shapes[window]);
            let old = known.cells[at];
            let new = old & !(0x000f_000f << (4 * direction)) | shapes << (4 * direction);
            let threats = tables.threats(new);
            note(at, old, known.threats[at], threats);
            (known.cells[at], known.threats[at]) = (new, threats);
        }
        (written, changed)
    }
}

/// The number of the direction that a bit of [`Around::empties`] lies in.
#[inline(always)]
const fn direction_of(bit: usize) -> usize {
    bit / 32 * 2 + bit % 2
}

/// What the moves overwrote. The lists grow and never shrink, `ends` telling how much is in use.
#[derive(Clone, Default)]
pub(super) struct Log {
    points: Vec<Overwritten>,
    classes: Vec<ClassChange>,
    ends: (usize, usize),
    frames: Vec<Frame>,
}

/// Where the entries of one move begin, and the counts before it.
#[derive(Clone, Copy)]
struct Frame {
    ends: (usize, usize),
    counts: [u16; 32],
}

/// More than a move overwrites: its own point and at most ten in each of four directions.
const POINTS: usize = 64;
/// Twice as many, for both colors.
const CLASSES: usize = 128;

impl Log {
    /// Starts the entries of a move.
    #[inline(always)]
    fn open(
        &mut self,
        counts: &[u16; 32],
    ) -> (&mut [Overwritten; POINTS], &mut [ClassChange; CLASSES]) {
        self.frames.push(Frame { ends: self.ends, counts: *counts });
        let (points, classes) = self.ends;
        if self.points.len() < points + POINTS || self.classes.len() < classes + CLASSES {
            self.grow();
        }
        let points = self.points[points..].first_chunk_mut();
        let classes = self.classes[classes..].first_chunk_mut();
        (points.expect("the log has room"), classes.expect("the log has room"))
    }

    #[cold]
    fn grow(&mut self) {
        self.points.resize(self.ends.0 + 16 * POINTS, Overwritten(0));
        self.classes.resize(self.ends.1 + 16 * CLASSES, ClassChange(0));
    }

    #[inline(always)]
    fn close(&mut self, points: usize, classes: usize) {
        self.ends.0 += points;
        self.ends.1 += classes;
    }

    /// The entries of the last move, which are given up, and the counts before it.
    #[inline(always)]
    fn pop(&mut self) -> (&[Overwritten], &[ClassChange], [u16; 32]) {
        let Frame { ends, counts } = self.frames.pop().expect("every stone has a frame");
        let points = &self.points[ends.0..self.ends.0];
        let classes = &self.classes[ends.1..self.ends.1];
        self.ends = ends;
        (points, classes, counts)
    }
}

/// A point with its shapes and classes from before a move.
#[derive(Clone, Copy)]
struct Overwritten(u64);

impl Overwritten {
    #[inline(always)]
    fn new(at: usize, threats: u8, shapes: u32) -> Overwritten {
        Overwritten(at as u64 | u64::from(threats) << 16 | u64::from(shapes) << 32)
    }

    #[inline(always)]
    fn at(self) -> usize {
        self.0 as usize % GRID
    }

    #[inline(always)]
    fn threats(self) -> u8 {
        (self.0 >> 16) as u8
    }

    #[inline(always)]
    fn shapes(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// A point that goes from one set to another.
#[derive(Clone, Copy)]
struct ClassChange(u32);

impl ClassChange {
    #[inline(always)]
    fn new(at: usize, from: u8, to: u8) -> ClassChange {
        ClassChange(at as u32 | u32::from(from) << 16 | u32::from(to) << 24)
    }

    #[inline(always)]
    fn at(self) -> usize {
        self.0 as usize % GRID
    }

    #[inline(always)]
    fn from(self) -> usize {
        (self.0 >> 16) as usize % 32
    }

    #[inline(always)]
    fn to(self) -> usize {
        (self.0 >> 24) as usize % 32
    }
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
