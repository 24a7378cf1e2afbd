//! The lines of a board: every point lies on four of them, and a line is a word of bits per color.

use std::sync::OnceLock;

use gomoku::{Direction, GRID, MAX_SIZE, Point};

/// No board has more lines.
pub const MAX_LINES: usize = 6 * MAX_SIZE as usize - 2;

/// Where a point lies on one of its lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Number of the line.
    pub line: u8,
    /// Number of the cell on it, from the line's start.
    pub cell: u8,
}

/// All rows, columns and diagonals of a board of one side, short diagonals included.
#[derive(Debug)]
pub struct Lines {
    size: u8,
    places: Vec<[Place; 4]>,
    lengths: Vec<u8>,
    starts: Vec<(Point, Direction)>,
}

impl Lines {
    /// The lines of a board of this side, made on first use.
    pub fn of(size: u8) -> &'static Lines {
        static ALL: [OnceLock<Lines>; MAX_SIZE as usize + 1] =
            [const { OnceLock::new() }; MAX_SIZE as usize + 1];
        ALL[size as usize].get_or_init(|| Lines::new(size))
    }

    fn new(size: u8) -> Lines {
        let mut lines = Lines {
            size,
            places: vec![[Place::default(); 4]; GRID],
            lengths: Vec::new(),
            starts: Vec::new(),
        };
        for direction in Direction::ALL {
            for start in Point::all(size) {
                let before = start.step(direction, -1).filter(|point| point.is_on(size));
                if before.is_none() {
                    lines.add(start, direction);
                }
            }
        }
        lines
    }

    fn add(&mut self, start: Point, direction: Direction) {
        let line = self.lengths.len() as u8;
        let mut cell = 0;
        while let Some(point) =
            start.step(direction, i32::from(cell)).filter(|p| p.is_on(self.size))
        {
            self.places[point.index()][direction as usize] = Place { line, cell };
            cell += 1;
        }
        self.lengths.push(cell);
        self.starts.push((start, direction));
    }

    /// Board size, in points per side.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The point's place on its four lines, by direction.
    #[inline(always)]
    pub fn places(&self, point: Point) -> &[Place; 4] {
        &self.places[point.index()]
    }

    /// Number of lines.
    pub fn count(&self) -> usize {
        self.lengths.len()
    }

    /// Cells of a line.
    #[inline(always)]
    pub fn length(&self, line: usize) -> u32 {
        u32::from(self.lengths[line])
    }

    /// The point on a cell of a line.
    pub fn point(&self, line: usize, cell: u32) -> Point {
        let (start, direction) = self.starts[line];
        start.step(direction, cell as i32).expect("a cell of a line is on the board")
    }

    /// The direction of a line.
    pub fn direction(&self, line: usize) -> Direction {
        self.starts[line].1
    }
}

/// The five-cell lines in the order in which Xie's figures number them, from 0: column by column, each
/// from the bottom, and at each point the lines that begin there, up, up to the right, to the right
/// and down to the right, as far as they fit. The paper prints the first three numbers of a point's
/// lines; of all the orders tried only this one, its twin that counts from 1 and goes up last, and
/// the mirror images of the two fit them.
pub fn numbered_lines(size: u8) -> Vec<[Point; 5]> {
    const STEPS: [(i8, i8); 4] = [(0, 1), (1, 1), (1, 0), (1, -1)];
    let mut lines = Vec::new();
    for col in 0..size {
        for row in 0..size {
            for (east, north) in STEPS {
                let cells = [0, 1, 2, 3, 4].map(|i| (col as i8 + i * east, row as i8 + i * north));
                let inside = |cell: i8| (0..size as i8).contains(&cell);
                if cells.iter().all(|&(col, row)| inside(col) && inside(row)) {
                    lines.push(cells.map(|(col, row)| Point::new(col as u8, row as u8)));
                }
            }
        }
    }
    lines
}

/// What stands on one line: a bit for each stone, and the number of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineStones {
    /// Stones by color, Black first; bit 0 is the start of the line.
    pub stones: [u32; 2],
    /// Number of cells.
    pub length: u32,
}

impl LineStones {
    /// One number that tells lines apart.
    #[inline(always)]
    pub fn key(self) -> u64 {
        u64::from(self.stones[0]) | u64::from(self.stones[1]) << 22 | u64::from(self.length) << 44
    }
}
