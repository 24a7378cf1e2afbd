//! Lines as numbers, two bits a cell, and the tables that turn a piece of line into shapes.
//!
//! Every line of the board is one `u64` of 32 cells. What a stone on an empty point makes of a line
//! is decided by the few cells to either side ([`Rules::HALF_WINDOW`]), so shifting the line and
//! cutting out the empty middle gives an index into a table with the shapes of both colors. The
//! table of a rule is filled once, by recursion: the shape of a piece of line follows from the
//! shapes it has with one more stone.

use std::sync::OnceLock;

use crate::{
    color::Color,
    point::{Direction, Point},
    rule::{Rule, Rules},
    shape::{Shape, Shapes},
    threat::Threat,
};

const EMPTY: u32 = 0;
const BLACK: u32 = 1;
const WHITE: u32 = 2;
const WALL: u32 = 3;
/// In the table builder a line is seen by one side: its own stones, and the other side's.
const OWN: u32 = BLACK;
const OTHER: u32 = WHITE;

/// Cells of wall before the first cell of a board.
const MARGIN: u32 = 5;
/// The lower bit of every cell.
const LOW_BITS: u64 = 0x5555_5555_5555_5555;

const KEYS: usize = 1 << 20;
/// All combinations of four shapes of four bits.
pub(crate) const COMBINATIONS: usize = 1 << 16;

/// All lines of a board, by direction and number.
#[derive(Clone, Debug)]
pub(crate) struct Lines([[u64; 64]; 4]);

/// Where a point lies on a line: the number of the line and the cell on it.
#[inline(always)]
pub(crate) const fn locate(point: Point, direction: Direction) -> (usize, u32) {
    let (col, row) = (point.col() as usize, point.row() as usize);
    match direction {
        Direction::East => (row, col as u32 + MARGIN),
        Direction::North => (col, row as u32 + MARGIN),
        Direction::NorthEast => (31 + col - row, row as u32 + MARGIN),
        Direction::NorthWest => (col + row, row as u32 + MARGIN),
    }
}

impl Lines {
    /// An empty board of this side, with walls all around it.
    pub(crate) fn new(size: u8) -> Lines {
        let mut lines = Lines([[u64::MAX; 64]; 4]);
        for point in Point::all(size) {
            for direction in Direction::ALL {
                let (line, cell) = locate(point, direction);
                lines.0[direction as usize][line] ^= u64::from(WALL) << (2 * cell);
            }
        }
        lines
    }

    /// Puts a stone on an empty point in one direction and returns the line.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, point: Point, direction: Direction, color: Color) -> u64 {
        let (line, cell) = locate(point, direction);
        let key = &mut self.0[direction as usize][line & 63];
        *key ^= (1 + color as u64) << (2 * cell);
        *key
    }

    /// Puts a stone on an empty point, or takes it off, in all directions.
    #[inline(always)]
    pub(crate) fn toggle_all(&mut self, point: Point, color: Color) {
        for direction in Direction::ALL {
            self.toggle(point, direction, color);
        }
    }

    /// The line through a point.
    #[inline(always)]
    pub(crate) fn line(&self, point: Point, direction: Direction) -> u64 {
        let (line, _) = locate(point, direction);
        self.0[direction as usize][line & 63]
    }
}

/// The empty cells of a line, as the lower bits of cells.
#[inline(always)]
pub(crate) const fn empty_cells(line: u64) -> u64 {
    !(line | line >> 1) & LOW_BITS
}

/// The cells around an empty cell, the cell itself cut out: an index into [`Tables::shapes`].
#[inline(always)]
pub(crate) fn window<R: Rules>(line: u64, cell: u32) -> usize {
    let half = 2 * R::HALF_WINDOW as u32;
    let around = line >> ((2 * cell - half) & 63);
    let low = (1 << half) - 1;
    (around & low | around >> 2 & (low << half)) as usize
}

/// What the shapes of a rule are read from.
#[derive(Debug)]
pub(crate) struct Tables {
    /// By window: Black's shape in the low four bits, White's in the high four.
    pub(crate) shapes: Box<[u8; KEYS]>,
    /// By color and [`Shapes::bits`]: the [`Threat`].
    pub(crate) threats: [Box<[u8; COMBINATIONS]>; 2],
    /// By [`Shapes::bits`]: the [`Code`](crate::Code).
    pub(crate) codes: &'static [u16; COMBINATIONS],
}

impl Tables {
    /// The tables of a rule, built when they are first asked for.
    pub(crate) fn of<R: Rules>() -> &'static Tables {
        static TABLES: [OnceLock<Tables>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        TABLES[R::RULE as usize].get_or_init(|| Tables::build(R::RULE, R::HALF_WINDOW))
    }

    fn build(rule: Rule, half: usize) -> Tables {
        let mut shapes = zeroed();
        let mut views = Color::ALL.map(|color| View::new(rule, color, half));
        let halves = halves(half);
        for right in &halves {
            for left in &halves {
                let window = mirrored(*left, half) | right << (2 * half);
                let both = Color::ALL.map(|color| views[color as usize].shape_seen(window) as u8);
                shapes[window as usize] = both[0] | both[1] << 4;
            }
        }
        let threats = Color::ALL.map(|color| threat_table(rule, color));
        Tables { shapes, threats, codes: codes() }
    }
}

/// A zeroed table, made on the heap.
fn zeroed<T: Clone + Default + std::fmt::Debug, const N: usize>() -> Box<[T; N]> {
    vec![T::default(); N].into_boxed_slice().try_into().expect("the vector has N entries")
}

fn threat_table(rule: Rule, color: Color) -> Box<[u8; COMBINATIONS]> {
    let restricted = rule == Rule::Renju && color == Color::Black;
    let mut table = zeroed();
    for shapes in all_shapes() {
        let threat = if restricted { Threat::of_restricted(shapes) } else { Threat::of(shapes) };
        table[shapes.bits() as usize] = threat as u8;
    }
    table
}

fn codes() -> &'static [u16; COMBINATIONS] {
    static CODES: OnceLock<Box<[u16; COMBINATIONS]>> = OnceLock::new();
    CODES.get_or_init(|| {
        let mut codes = zeroed();
        for shapes in all_shapes() {
            codes[shapes.bits() as usize] = shapes.code().index() as u16;
        }
        codes
    })
}

/// Every combination of four shapes.
fn all_shapes() -> impl Iterator<Item = Shapes> {
    let shape = |i: usize| Shape::ALL[i % Shape::COUNT];
    (0..Shape::COUNT.pow(4))
        .map(move |i| Shapes::new([shape(i), shape(i / 14), shape(i / 196), shape(i / 2744)]))
}

/// Every half of a window, counted from the middle outwards: cells of the board, then wall.
fn halves(half: usize) -> Vec<u32> {
    let mut found = Vec::new();
    for cells in 0..=half as u32 {
        for number in 0..3u32.pow(cells) {
            let digit = |i: u32| if i < cells { number / 3u32.pow(i) % 3 } else { WALL };
            found.push((0..half as u32).map(|i| digit(i) << (2 * i)).sum());
        }
    }
    found
}

/// The same half of a window with its cells in the opposite order.
fn mirrored(cells: u32, half: usize) -> u32 {
    (0..half).map(|i| (cells >> (2 * i) & 3) << (2 * (half - 1 - i))).sum()
}

/// The recursion, for lines seen by one side.
struct View {
    rule: Rule,
    color: Color,
    half: usize,
    /// Shapes found so far, by window; `UNKNOWN` elsewhere.
    known: Vec<u8>,
}

const UNKNOWN: u8 = 0xff;

impl View {
    fn new(rule: Rule, color: Color, half: usize) -> View {
        View { rule, color, half, known: vec![UNKNOWN; 1 << (4 * half)] }
    }

    /// The shape of a window with black and white cells, for this side.
    fn shape_seen(&mut self, window: u32) -> Shape {
        let low = LOW_BITS as u32;
        let seen = match self.color {
            Color::Black => window,
            Color::White => (window & low) << 1 | window >> 1 & low,
        };
        let edge_is_a_stone = !matches!(self.rule, Rule::Caro | Rule::CaroExact);
        let walls = seen & seen >> 1 & low;
        self.shape(if edge_is_a_stone { seen & !walls } else { seen })
    }

    fn shape(&mut self, window: u32) -> Shape {
        let known = self.known[window as usize];
        if known != UNKNOWN {
            return Shape::from_nibble(known);
        }
        let shape = self.run_shape(window).unwrap_or_else(|| self.shape_by_next_stone(window));
        self.known[window as usize] = shape as u8;
        shape
    }

    /// The shape if the stone in the middle makes five or more in a row.
    fn run_shape(&self, window: u32) -> Option<Shape> {
        let (left, right) = self.run(window);
        let length = 1 + left + right;
        let closed = self.cell(window, -left - 1) == OTHER && self.cell(window, right + 1) == OTHER;
        match length {
            _ if self.rule.is_win(self.color, length as u32, closed) => Some(Shape::Five),
            6.. => Some(Shape::Overline),
            5 => Some(Shape::None),
            _ => None,
        }
    }

    /// The shape of fewer than five in a row: what does one more stone make of it?
    fn shape_by_next_stone(&mut self, window: u32) -> Shape {
        let mut ways = [0; Shape::COUNT];
        for cell in self.empties(window) {
            ways[self.shape(window | OWN << (2 * cell)) as usize] += 1;
        }
        let ways_to = |shapes: &[Shape]| shapes.iter().map(|&s| ways[s as usize]).sum::<u32>();
        match () {
            _ if ways_to(&[Shape::Five]) > 0 => self.four_shape(window),
            _ if ways_to(&[Shape::OpenFour]) >= 2 => Shape::WideThree,
            _ if ways_to(&[Shape::OpenFour]) == 1 => Shape::OpenThree,
            _ if ways_to(&[Shape::Four]) > 0 => Shape::BlockedThree,
            _ if ways_to(&[Shape::OpenThree, Shape::WideThree]) >= 4 => Shape::BroadTwo,
            _ if ways_to(&[Shape::OpenThree, Shape::WideThree]) == 3 => Shape::WideTwo,
            _ if ways_to(&[Shape::OpenThree, Shape::WideThree]) > 0 => Shape::FreeTwo,
            _ if ways_to(&[Shape::BlockedThree]) > 0 => Shape::BlockedTwo,
            _ if ways_to(&[Shape::FreeTwo, Shape::WideTwo, Shape::BroadTwo]) > 0 => Shape::FreeOne,
            _ if ways_to(&[Shape::BlockedTwo]) > 0 => Shape::BlockedOne,
            _ => Shape::None,
        }
    }

    /// The shape of a window that one more stone can turn into a five.
    fn four_shape(&mut self, window: u32) -> Shape {
        if self.five_cells(window) < 2 {
            return Shape::Four;
        }
        let (left, right) = self.run(window);
        let straight = left + right + 1 == 4;
        if self.rule == Rule::Renju && self.color == Color::Black && !straight {
            return Shape::Overline;
        }
        // In caro the stone that stops one five may close the end of the other.
        let empties: Vec<_> = self.empties(window).collect();
        let unstoppable =
            empties.into_iter().all(|cell| self.five_cells(window | OTHER << (2 * cell)) > 0);
        if unstoppable { Shape::OpenFour } else { Shape::Four }
    }

    /// How many cells make five.
    fn five_cells(&mut self, window: u32) -> usize {
        let fives = |cell: &u32| self.run_shape(window | OWN << (2 * cell)) == Some(Shape::Five);
        self.empties(window).filter(fives).count()
    }

    /// Stones of this side next to the middle, to the left and to the right.
    fn run(&self, window: u32) -> (i32, i32) {
        let own = |sign: i32| {
            (1..=self.half as i32).take_while(|i| self.cell(window, sign * i) == OWN).count() as i32
        };
        (own(-1), own(1))
    }

    /// The cell this far from the middle. Beyond the window everything counts as empty.
    fn cell(&self, window: u32, steps: i32) -> u32 {
        let half = self.half as i32;
        if steps.abs() > half {
            return EMPTY;
        }
        let index = if steps < 0 { half + steps } else { half + steps - 1 };
        window >> (2 * index) & 3
    }

    fn empties(&self, window: u32) -> impl Iterator<Item = u32> + use<> {
        (0..2 * self.half as u32).filter(move |i| window >> (2 * i) & 3 == EMPTY)
    }
}
