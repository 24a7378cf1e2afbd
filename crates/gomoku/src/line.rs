//! Lines as numbers, and the tables that turn a piece of line into shapes.
//!
//! Every line of the board is one `u64` of 32 cells: the low bit of a cell is a black stone, the high
//! bit a white one, both are a wall. What a stone on an empty point makes of a line is decided by the
//! few cells to either side ([`Rules::HALF_WINDOW`]), so shifting the line and cutting out the empty
//! middle gives an index into a table with the shapes of both colors. The table of a rule is filled
//! once, by recursion: the shape of a piece of line follows from the shapes it has with one more
//! stone.

use std::sync::OnceLock;

use crate::{
    color::Color,
    point::{Direction, Point},
    rule::{Rule, Rules},
    shape::{Shape, Shapes},
    threat::Threat,
};

/// Cells of wall before the first cell of a board.
const MARGIN: u32 = 5;
/// The low bit of every cell.
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
                lines.0[direction as usize][line] ^= 3 << (2 * cell);
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

    /// The cells around an empty point in one direction, as an index into [`Tables::shapes`].
    #[inline(always)]
    pub(crate) fn window<R: Rules>(&self, point: Point, direction: Direction) -> usize {
        let (_, cell) = locate(point, direction);
        window::<R>(turned(self.line(point, direction), cell as i32 - R::HALF_WINDOW as i32))
    }
}

/// The empty cells of a line, as low bits of cells.
#[inline(always)]
pub(crate) const fn empty_cells(line: u64) -> u64 {
    !(line | line >> 1) & LOW_BITS
}

/// The line, turned so that this cell comes first. Both ends of a line are walls, so it may as well
/// be a ring, and a cell before the first counts from the end.
#[inline(always)]
pub(crate) const fn turned(line: u64, cell: i32) -> u64 {
    line.rotate_right((2 * cell) as u32 & 63)
}

/// The cells around an empty cell, the cell itself cut out: an index into [`Tables::shapes`]. The
/// line is turned so that the window comes first.
#[inline(always)]
pub(crate) fn window<R: Rules>(turned: u64) -> usize {
    let half = 2 * R::HALF_WINDOW as u32;
    let low = (1 << half) - 1;
    (turned & low | turned >> 2 & (low << half)) as usize
}

/// The four cells to either side of a window's middle.
#[inline(always)]
pub(crate) const fn inner<R: Rules>(window: usize) -> u16 {
    let beyond = 2 * (R::HALF_WINDOW - 4);
    (window >> beyond & 0xff | (window >> (2 * R::HALF_WINDOW) & 0xff) << 8) as u16
}

/// The low bits of the first 16 cells, side by side.
#[inline(always)]
pub(crate) const fn packed(cells: u64) -> u64 {
    let cells = cells & 0x5555_5555;
    let cells = (cells | cells >> 1) & 0x3333_3333;
    let cells = (cells | cells >> 2) & 0x0f0f_0f0f;
    let cells = (cells | cells >> 4) & 0x00ff_00ff;
    (cells | cells >> 8) & 0xffff
}

/// What the shapes of a rule are read from.
#[derive(Debug)]
pub(crate) struct Tables {
    /// By window: Black's shape in the low four bits, White's in the high four.
    pub(crate) shapes: Box<[u8; KEYS]>,
    /// By color and [`Shapes::bits`]: the [`Threat`].
    pub(crate) threats: [Box<[Threat; COMBINATIONS]>; 2],
    /// The same as a number, but 0 for the classes that have no set.
    kept: [Box<[u8; COMBINATIONS]>; 2],
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

    /// The kept classes of both colors, Black's in the low four bits, for the shapes of both,
    /// Black's in the low half.
    #[inline(always)]
    pub(crate) fn kept(&self, shapes: u32) -> u8 {
        let black = self.kept[0][(shapes & 0xffff) as usize];
        let white = self.kept[1][(shapes >> 16) as usize];
        black | white << 4
    }

    fn build(rule: Rule, half: usize) -> Tables {
        let mut shapes = zeroed();
        // Only in renju do the colors see different shapes.
        let sides = if rule == Rule::Renju { &Color::ALL[..] } else { &[Color::Black] };
        let mut views: Vec<View> = sides.iter().map(|&side| View::new(rule, side, half)).collect();
        let halves = halves(half);
        let index = |cells: &Cells| cells.index(half);
        let after: Vec<(Cells, usize)> =
            halves.iter().map(|c| (*c, index(c) << (2 * half))).collect();
        for left in halves.iter().map(|cells| cells.mirrored(half)) {
            let before = index(&left);
            for &(right, after) in &after {
                let window = left.before(right, half);
                let view = |color| color as usize % sides.len();
                let both = Color::ALL.map(|c| views[view(c)].shape_seen(window, c) as u8);
                shapes[before | after] = both[0] | both[1] << 4;
            }
        }
        let threats = Color::ALL.map(|color| threat_table(rule, color));
        let kept = Color::ALL.map(|color| {
            let mut table = zeroed();
            for (kept, &threat) in table.iter_mut().zip(threats[color as usize].iter()) {
                *kept = if threat.is_kept() { threat as u8 } else { 0 };
            }
            table
        });
        Tables { shapes, threats, kept, codes: codes() }
    }
}

/// A zeroed table, made on the heap.
fn zeroed<T: Clone + Default + std::fmt::Debug, const N: usize>() -> Box<[T; N]> {
    vec![T::default(); N].into_boxed_slice().try_into().expect("the vector has N entries")
}

fn threat_table(rule: Rule, color: Color) -> Box<[Threat; COMBINATIONS]> {
    let restricted = rule == Rule::Renju && color == Color::Black;
    let mut table = zeroed();
    for shapes in all_shapes() {
        let threat = if restricted { Threat::of_restricted(shapes) } else { Threat::of(shapes) };
        table[shapes.bits() as usize] = threat;
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

/// Some cells in a row: the black ones, the white ones, and walls in both.
#[derive(Clone, Copy, Debug)]
struct Cells {
    black: u32,
    white: u32,
}

impl Cells {
    /// The same cells in the opposite order.
    fn mirrored(self, length: usize) -> Cells {
        let mirror = |bits: u32| bits.reverse_bits() >> (32 - length);
        Cells { black: mirror(self.black), white: mirror(self.white) }
    }

    /// These cells, and others after them.
    fn before(self, others: Cells, length: usize) -> Cells {
        Cells {
            black: self.black | others.black << length,
            white: self.white | others.white << length,
        }
    }

    /// The cells as part of a window: two bits for each.
    fn index(self, length: usize) -> usize {
        let cell = |i: usize| self.black >> i & 1 | (self.white >> i & 1) << 1;
        (0..length).map(|i| cell(i) << (2 * i)).sum::<u32>() as usize
    }
}

/// Every half of a window, counted from the middle outwards: cells of the board, then wall.
fn halves(half: usize) -> Vec<Cells> {
    let mut found = Vec::new();
    for on_board in 0..=half as u32 {
        let walls = (1 << half) - (1 << on_board);
        for number in 0..3u32.pow(on_board) {
            let cells = |stone| {
                let is = |&i: &u32| number / 3u32.pow(i) % 3 == stone;
                walls | (0..on_board).filter(is).map(|i| 1 << i).sum::<u32>()
            };
            found.push(Cells { black: cells(1), white: cells(2) });
        }
    }
    found
}

/// The recursion, for lines seen by one side.
struct View {
    rule: Rule,
    color: Color,
    half: usize,
    /// Shapes found so far, by the number of the window; `None` elsewhere.
    known: Vec<Option<Shape>>,
}

/// A window seen by one side: its own stones, and what is in their way.
#[derive(Clone, Copy)]
struct Window {
    own: u32,
    other: u32,
}

impl View {
    fn new(rule: Rule, color: Color, half: usize) -> View {
        View { rule, color, half, known: vec![None; 1 << (4 * half)] }
    }

    /// The shape of a window with black and white cells, for a color.
    fn shape_seen(&mut self, cells: Cells, color: Color) -> Shape {
        let Cells { black, white } = cells;
        let (own, other) = match color {
            Color::Black => (black, white),
            Color::White => (white, black),
        };
        let edge_is_a_stone = !matches!(self.rule, Rule::Caro | Rule::CaroExact);
        let walls = own & other;
        self.shape(Window { own: if edge_is_a_stone { own & !walls } else { own }, other })
    }

    fn shape(&mut self, window: Window) -> Shape {
        let number = (window.own | window.other << (2 * self.half)) as usize;
        if let Some(shape) = self.known[number] {
            return shape;
        }
        let shape = self.run_shape(window).unwrap_or_else(|| self.shape_by_next_stone(window));
        self.known[number] = Some(shape);
        shape
    }

    /// The shape if the stone in the middle makes five or more in a row.
    fn run_shape(&self, window: Window) -> Option<Shape> {
        let (left, right) = self.run(window);
        let closed = self.is_stopped(window, -left - 1) && self.is_stopped(window, right + 1);
        match 1 + left + right {
            length if self.rule.is_win(self.color, length as u32, closed) => Some(Shape::Five),
            6.. => Some(Shape::Overline),
            5 => Some(Shape::None),
            _ => None,
        }
    }

    /// The shape of fewer than five in a row: what does one more stone make of it?
    fn shape_by_next_stone(&mut self, window: Window) -> Shape {
        let mut ways = [0; Shape::COUNT];
        for cell in self.empties(window) {
            let next = Window { own: window.own | cell, ..window };
            ways[self.shape(next) as usize] += 1;
        }
        let ways_to = |shapes: &[Shape]| shapes.iter().map(|&s| ways[s as usize]).sum::<u32>();
        let open_threes = ways_to(&[Shape::OpenThree, Shape::WideThree]);
        match () {
            _ if ways_to(&[Shape::Five]) > 0 => self.four_shape(window),
            _ if ways_to(&[Shape::OpenFour]) >= 2 => Shape::WideThree,
            _ if ways_to(&[Shape::OpenFour]) == 1 => Shape::OpenThree,
            _ if ways_to(&[Shape::Four]) > 0 => Shape::BlockedThree,
            _ if open_threes >= 4 => Shape::BroadTwo,
            _ if open_threes == 3 => Shape::WideTwo,
            _ if open_threes > 0 => Shape::FreeTwo,
            _ if ways_to(&[Shape::BlockedThree]) > 0 => Shape::BlockedTwo,
            _ if ways_to(&[Shape::FreeTwo, Shape::WideTwo, Shape::BroadTwo]) > 0 => Shape::FreeOne,
            _ if ways_to(&[Shape::BlockedTwo]) > 0 => Shape::BlockedOne,
            _ => Shape::None,
        }
    }

    /// The shape of a window that one more stone can turn into a five.
    fn four_shape(&self, window: Window) -> Shape {
        if self.five_cells(window) < 2 {
            return Shape::Four;
        }
        let (left, right) = self.run(window);
        let straight = left + right + 1 == 4;
        if self.rule == Rule::Renju && self.color == Color::Black && !straight {
            return Shape::Overline;
        }
        // In caro the stone that stops one five may close the end of the other.
        let still_has_five =
            |cell| self.five_cells(Window { other: window.other | cell, ..window }) > 0;
        if self.empties(window).all(still_has_five) { Shape::OpenFour } else { Shape::Four }
    }

    /// How many cells make five.
    fn five_cells(&self, window: Window) -> usize {
        let makes_five = |&cell: &u32| {
            self.run_shape(Window { own: window.own | cell, ..window }) == Some(Shape::Five)
        };
        self.empties(window).filter(makes_five).count()
    }

    /// Stones of this side next to the middle, to the left and to the right.
    fn run(&self, window: Window) -> (i32, i32) {
        // In caro walls are in both masks, and they are not stones.
        let own = window.own & !window.other;
        let left = own << (32 - self.half);
        (left.leading_ones() as i32, (own >> self.half).trailing_ones() as i32)
    }

    /// Whether an opponent's stone is this far from the middle. Beyond the window nothing is.
    fn is_stopped(&self, window: Window, steps: i32) -> bool {
        let half = self.half as i32;
        let cell = if steps < 0 { half + steps } else { half + steps - 1 };
        let stones = window.other & !window.own;
        steps.abs() <= half && stones >> cell & 1 != 0
    }

    /// The empty cells, each as a mask of one bit.
    fn empties(&self, window: Window) -> impl Iterator<Item = u32> + use<> {
        let free = !(window.own | window.other);
        (0..2 * self.half).map(|i| 1 << i).filter(move |cell| free & cell != 0)
    }
}
