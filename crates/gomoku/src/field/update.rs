//! Placing stones and taking them back.
//!
//! A move is made in two passes. The first visits the empty points along the four lines and looks up
//! their new shapes and classes; it has no branch that depends on what it finds, so the look-ups
//! overlap. It writes down what it overwrites and which points changed their class. The second pass
//! moves those points between the sets. Taking the move back reads the two lists and looks nothing
//! up.

use std::marker::PhantomData;

use super::{Field, Known, spread};
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

    /// A stone was placed that an empty point sees in this direction: what its [`window`] is now.
    ///
    /// [`window`]: Field::window
    #[inline(always)]
    fn window_changed(&mut self, _: Point, _: Direction, _: u16) {}
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
        let start = self.log.end;
        let points = self.log.room();
        let (written, changed) = around.look_up(&mut self.known, self.tables, points, observer);
        observer.occupied(point, both(points[0].shapes));
        for old in &points[1..written] {
            notify(observer, old.at(), old.shapes, self.known.cells[old.at()]);
        }
        let frame = Frame { start, changed, counts: self.known.counts };
        for color in Color::ALL {
            for i in changed.entries(color, written) {
                self.known.move_between_sets(color, points[i]);
                self.known.count(color, points[i]);
            }
        }
        self.log.frames.push(frame);
        self.log.end += written;
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
        let Frame { start, changed, counts } =
            self.log.frames.pop().expect("every stone has a frame");
        let written = self.log.end - start;
        self.log.end = start;
        let points = self.log.room();
        for color in Color::ALL {
            for i in changed.entries(color, written) {
                self.known.move_between_sets(color, points[i]);
            }
        }
        self.known.counts = counts;
        for old in &points[..written] {
            let now = self.known.cells[old.at()];
            self.known.cells[old.at()] = old.shapes;
            self.known.kept[old.at()] = old.from;
            if old.at() != point.index() {
                notify(observer, old.at(), now, old.shapes);
            }
        }
        observer.emptied(point, both(self.known.cells[point.index()]));
    }
}

impl Known {
    /// Moves a point between the sets of its old and new class; doing it twice undoes it.
    #[inline(always)]
    fn move_between_sets(&mut self, color: Color, entry: Overwritten) {
        let point = Point::from_grid(entry.at());
        let (from, to) = entry.classes(color);
        self.sets[16 * color as usize + from].toggle(point);
        self.sets[16 * color as usize + to].toggle(point);
    }

    /// Counts a point that changed its class. Classes that have no set wrap around.
    #[inline(always)]
    fn count(&mut self, color: Color, entry: Overwritten) {
        let (from, to) = entry.classes(color);
        let (from, to) = (16 * color as usize + from, 16 * color as usize + to);
        self.counts[from] = self.counts[from].wrapping_sub(1);
        self.counts[to] = self.counts[to].wrapping_add(1);
    }
}

/// The positions of the bits of a number.
#[inline(always)]
fn bits(mut number: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (number != 0).then(|| {
            let bit = number.trailing_zeros() as usize;
            number &= number - 1;
            bit
        })
    })
}

/// The four lines through a new stone, and the empty points on them that it may change.
struct Around<R> {
    /// Where the stone is on the grid.
    center: usize,
    /// The lines, turned so that the window of step `s` starts at cell `s`; steps count from
    /// `HALF_WINDOW` cells before the stone.
    lines: [u64; 4],
    /// The empty points as bits: 16 steps for each direction.
    empties: u64,
    rules: PhantomData<R>,
}

impl<R: Rules> Around<R> {
    /// How far the point of each bit is from the stone, as a difference of grid indices.
    const OFFSETS: [i16; 64] = {
        let mut offsets = [0; 64];
        let mut bit = 0;
        while bit < 64 {
            let step = (bit % 16) as isize - R::HALF_WINDOW as isize;
            offsets[bit] = (Direction::ALL[bit / 16].offset() * step) as i16;
            bit += 1;
        }
        offsets
    };

    /// Puts the stone into its lines and looks around.
    #[inline(always)]
    fn new(lines: &mut Lines, point: Point, color: Color) -> Self {
        let half = R::HALF_WINDOW as i32;
        let near = (1 << (2 * half + 1)) - 1;
        let mut around =
            Around { center: point.index(), lines: [0; 4], empties: 0, rules: PhantomData };
        for direction in Direction::ALL {
            let (_, cell) = line::locate(point, direction);
            let line = lines.toggle(point, direction, color);
            let line = line::turned(line, cell as i32 - 2 * half);
            around.lines[direction as usize] = line;
            let empties = line::packed(line::empty_cells(line) >> (2 * half)) & near;
            around.empties |= empties << (16 * direction as u32);
        }
        around
    }

    /// Writes the new shapes and classes of all points around, and what they overwrite, the
    /// stone's own point first. Returns how many points were written and which of them changed
    /// their class.
    #[inline(always)]
    fn look_up(
        &self,
        known: &mut Known,
        tables: &Tables,
        points: &mut [Overwritten; POINTS],
        observer: &mut impl Observer,
    ) -> (usize, Changed) {
        let center = self.center % GRID;
        let (shapes, from) = (known.cells[center], known.kept[center]);
        (known.cells[center], known.kept[center]) = (0, 0);
        points[0] = Overwritten { shapes, at: center as u16, from, to: 0 };
        let mut changed = Changed::default();
        changed.push(from);
        let mut written = 1;
        for bit in bits(self.empties) {
            let at = center.wrapping_add_signed(Self::OFFSETS[bit] as isize) % GRID;
            let direction = bit / 16;
            let window = line::window::<R>(self.lines[direction] >> (2 * (bit % 16)));
            let inner = line::inner::<R>(window);
            observer.window_changed(Point::from_grid(at), Direction::ALL[direction], inner);
            let shapes = spread(tables.shapes[window]);
            let old = known.cells[at];
            let new = old & !(0x000f_000f << (4 * direction)) | shapes << (4 * direction);
            let (from, to) = (known.kept[at], tables.kept(new));
            known.cells[at] = new;
            known.kept[at] = to;
            points[written % POINTS] = Overwritten { shapes: old, at: at as u16, from, to };
            changed.push(from ^ to);
            written += 1;
        }
        (written, changed)
    }
}

/// What the moves overwrote. The list grows and never shrinks, `end` telling how much is in use.
#[derive(Clone, Default)]
pub(super) struct Log {
    points: Vec<Overwritten>,
    end: usize,
    frames: Vec<Frame>,
}

/// Where the entries of one move begin, which of them changed their class, and the counts before.
#[derive(Clone, Copy)]
struct Frame {
    start: usize,
    changed: Changed,
    counts: [u16; 32],
}

/// More than a move overwrites: its own point and at most ten in each of four directions.
const POINTS: usize = 64;

impl Log {
    /// The place for the entries of a move.
    #[inline(always)]
    fn room(&mut self) -> &mut [Overwritten; POINTS] {
        if self.points.len() < self.end + POINTS {
            self.grow();
        }
        self.points[self.end..].first_chunk_mut().expect("the log has room")
    }

    #[cold]
    fn grow(&mut self) {
        self.points.resize(self.end + 16 * POINTS, Overwritten::default());
    }
}

/// Which entries of a move changed the class of a color: the last one in the lowest bit.
#[derive(Clone, Copy, Default)]
struct Changed {
    black: u64,
    white: u64,
}

impl Changed {
    /// Adds an entry, given what differs between its old and new classes.
    #[inline(always)]
    fn push(&mut self, difference: u8) {
        let difference = u64::from(difference);
        // Adding 15 carries into the fifth bit unless the four bits are all 0.
        self.black = self.black << 1 | ((difference & 15) + 15) >> 4;
        self.white = self.white << 1 | ((difference >> 4) + 15) >> 4;
    }

    /// The numbers of the entries of a move with so many entries that changed the class of a color.
    #[inline(always)]
    fn entries(self, color: Color, written: usize) -> impl Iterator<Item = usize> {
        let changed = match color {
            Color::Black => self.black,
            Color::White => self.white,
        };
        bits(changed).map(move |bit| (written - 1 - bit) % POINTS)
    }
}

/// A point, its old shapes, and its old and new classes.
#[derive(Clone, Copy, Default)]
struct Overwritten {
    shapes: u32,
    at: u16,
    from: u8,
    to: u8,
}

impl Overwritten {
    #[inline(always)]
    fn at(self) -> usize {
        self.at as usize % GRID
    }

    /// The old and the new class of a color.
    #[inline(always)]
    fn classes(self, color: Color) -> (usize, usize) {
        let shift = 4 * color as u8;
        ((self.from >> shift & 15) as usize, (self.to >> shift & 15) as usize)
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
