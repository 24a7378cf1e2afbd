//! The board and the winning rules, written plainly: rows of cells with an edge all around.

use std::fmt;

/// The rules a proof can be about, with the codes of the Gomocup protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five in a row win.
    Standard,
    /// As freestyle for White; Black needs exactly five and has forbidden points.
    Renju,
    /// Five win unless an opponent's stone stands at both ends; six or more always win.
    Caro,
    /// Exactly five win unless an opponent's stone stands at both ends.
    CaroExact,
}

/// The color of a stone or of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// The side that starts a game.
    Black,
    /// The other side.
    White,
}

/// A cell of the board, counted from 0 at the lower left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The column, from the left.
    pub col: usize,
    /// The row, from the bottom.
    pub row: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    Empty,
    Stone(Color),
    Edge,
}

/// A position. Cells are addressed by their index in an array with a border one cell wide, so that
/// a walk along a line stops at the edge by itself.
pub(crate) struct Board {
    pub(crate) rule: Rule,
    size: usize,
    pub(crate) cells: Vec<Cell>,
    /// The four directions, as differences of indices.
    pub(crate) steps: [usize; 4],
    empty: usize,
    /// The windows of five cells in a row that contain each cell.
    windows: Vec<Vec<u16>>,
    /// For each window, how many stones of each color it holds.
    held: Vec<[u8; 2]>,
    /// For each color, how many windows hold four of its stones and an empty cell.
    fours: [usize; 2],
}

/// The stones of one color in a row through a cell, that cell counted as if it held one too.
pub(crate) struct Run {
    pub(crate) length: usize,
    /// The first cell beyond, on either side.
    pub(crate) ends: [usize; 2],
}

impl Board {
    pub(crate) fn new(rule: Rule, size: usize) -> Board {
        let width = size + 2;
        let mut board = Board {
            rule,
            size,
            cells: vec![Cell::Edge; width * width],
            steps: [1, width, width + 1, width - 1],
            empty: size * size,
            windows: vec![Vec::new(); width * width],
            held: Vec::new(),
            fours: [0; 2],
        };
        let all: Vec<usize> = (0..size * size).filter_map(|cell| board.cell(cell)).collect();
        for &at in &all {
            board.cells[at] = Cell::Empty;
        }
        for step in board.steps {
            for &at in &all {
                // A line that leaves the board meets the border first, so five empty cells are a row.
                let window = [0, 1, 2, 3, 4].map(|i| at + i * step);
                if window.iter().all(|&at| board.cells.get(at) == Some(&Cell::Empty)) {
                    window.iter().for_each(|&at| board.windows[at].push(board.held.len() as u16));
                    board.held.push([0; 2]);
                }
            }
        }
        board
    }

    /// The index of a cell numbered as in the file, if the board has it.
    pub(crate) fn cell(&self, number: usize) -> Option<usize> {
        let point = Point { col: number % self.size, row: number / self.size };
        (point.row < self.size).then(|| self.index(point))
    }

    pub(crate) fn index(&self, point: Point) -> usize {
        (point.row + 1) * (self.size + 2) + point.col + 1
    }

    pub(crate) fn point(&self, at: usize) -> Point {
        Point { col: at % (self.size + 2) - 1, row: at / (self.size + 2) - 1 }
    }

    pub(crate) fn is_empty(&self, at: usize) -> bool {
        self.cells[at] == Cell::Empty
    }

    /// How many cells are empty.
    pub(crate) fn empty_count(&self) -> usize {
        self.empty
    }

    /// The empty cells, from a1 along the rows.
    pub(crate) fn empties(&self) -> impl Iterator<Item = usize> {
        (0..self.cells.len()).filter(|&at| self.is_empty(at))
    }

    pub(crate) fn place(&mut self, at: usize, color: Color) {
        debug_assert!(self.is_empty(at));
        self.cells[at] = Cell::Stone(color);
        self.empty -= 1;
        self.recount(at, |held| held[color as usize] += 1);
    }

    pub(crate) fn remove(&mut self, at: usize) {
        if let Cell::Stone(color) = self.cells[at] {
            self.cells[at] = Cell::Empty;
            self.empty += 1;
            self.recount(at, |held| held[color as usize] -= 1);
        }
    }

    fn recount(&mut self, at: usize, change: impl Fn(&mut [u8; 2])) {
        for &window in &self.windows[at] {
            let held = &mut self.held[usize::from(window)];
            self.fours[0] -= usize::from(*held == [4, 0]);
            self.fours[1] -= usize::from(*held == [0, 4]);
            change(held);
            self.fours[0] += usize::from(*held == [4, 0]);
            self.fours[1] += usize::from(*held == [0, 4]);
        }
    }

    /// Whether some empty cell would give the color five or more in a row. Under every rule a
    /// color for which this is false cannot win with its next stone.
    pub(crate) fn has_four(&self, color: Color) -> bool {
        self.fours[color as usize] > 0
    }

    pub(crate) fn run(&self, at: usize, step: usize, color: Color) -> Run {
        let own = Cell::Stone(color);
        let (mut low, mut high) = (at - step, at + step);
        while self.cells[low] == own {
            low -= step;
        }
        while self.cells[high] == own {
            high += step;
        }
        Run { length: (high - low) / step - 1, ends: [low, high] }
    }

    /// Whether a stone of this color on this cell, there or about to be placed, wins.
    pub(crate) fn wins(&self, at: usize, color: Color) -> bool {
        self.steps.iter().any(|&step| {
            let run = self.run(at, step, color);
            let exactly_five = run.length == 5;
            let five_or_more = run.length >= 5;
            let opponent = Cell::Stone(color.opponent());
            let shut_in = run.ends.iter().all(|&end| self.cells[end] == opponent);
            match (self.rule, color) {
                (Rule::Freestyle, _) | (Rule::Renju, Color::White) => five_or_more,
                (Rule::Standard, _) | (Rule::Renju, Color::Black) => exactly_five,
                (Rule::Caro, _) => five_or_more && !(exactly_five && shut_in),
                (Rule::CaroExact, _) => exactly_five && !shut_in,
            }
        })
    }

    /// Whether the rule forbids this color to play on this empty cell.
    pub(crate) fn forbids(&mut self, at: usize, color: Color) -> bool {
        self.rule == Rule::Renju && color == Color::Black && self.forbidden(at)
    }
}

impl Rule {
    pub(crate) fn from_code(code: u8) -> Option<Rule> {
        Some(match code {
            0 => Rule::Freestyle,
            1 => Rule::Standard,
            4 => Rule::Renju,
            8 => Rule::Caro,
            9 => Rule::CaroExact,
            _ => return None,
        })
    }
}

impl Color {
    pub(crate) fn from_code(code: u8) -> Option<Color> {
        match code {
            0 => Some(Color::Black),
            1 => Some(Color::White),
            _ => None,
        }
    }

    /// The other color.
    pub fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroExact => "caro-exact",
        })
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "Black",
            Color::White => "White",
        })
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.col as u8) as char, self.row + 1)
    }
}
