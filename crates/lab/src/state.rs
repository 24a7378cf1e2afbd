//! The position as a search sees it: stones as bits of the lines they lie on, placed and taken back.

use gomoku::{Board, Color, Direction, Point, PointSet, Position, Rule, renju, zobrist};

use crate::lines::{LineStones, Lines, MAX_LINES, Place};

const MAX_ROWS: usize = gomoku::MAX_SIZE as usize;

/// A board with the side to move, kept both as a [`Board`] and as bits of its lines and rows.
#[derive(Clone, Debug)]
pub struct State {
    lines: &'static Lines,
    rule: Rule,
    board: Board,
    to_move: Color,
    bits: [[u32; 2]; MAX_LINES],
    rows: [u32; MAX_ROWS],
    n_empty: u32,
    /// Whether a line has a cell on which a color would complete five in a row or more.
    has_five: [[bool; 2]; MAX_LINES],
    /// So many lines have one.
    n_five_lines: [u32; 2],
}

impl State {
    /// The state of a position.
    pub fn new(position: &Position) -> State {
        let size = position.size();
        let mut state = State {
            lines: Lines::of(size),
            rule: position.rule(),
            board: Board::new(size),
            to_move: position.to_move(),
            bits: [[0; 2]; MAX_LINES],
            rows: [0; MAX_ROWS],
            n_empty: u32::from(size) * u32::from(size),
            has_five: [[false; 2]; MAX_LINES],
            n_five_lines: [0; 2],
        };
        for color in Color::ALL {
            for point in *position.board().stones(color) {
                state.put(point, color);
            }
        }
        state
    }

    /// The lines of the board.
    #[inline(always)]
    pub fn lines(&self) -> &'static Lines {
        self.lines
    }

    /// The rule.
    #[inline(always)]
    pub fn rule(&self) -> Rule {
        self.rule
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

    /// Hands the move to a side.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// Points without a stone.
    #[inline(always)]
    pub fn n_empty(&self) -> u32 {
        self.n_empty
    }

    /// Key of stones and side to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.board.key() ^ side_key(self.to_move)
    }

    /// The key after a move of the side to move.
    #[inline(always)]
    pub fn key_after(&self, point: Point) -> u64 {
        self.board.key() ^ zobrist::stone(point, self.to_move) ^ side_key(!self.to_move)
    }

    /// What stands on a line.
    #[inline(always)]
    pub fn line(&self, line: usize) -> LineStones {
        LineStones { stones: self.bits[line], length: self.lines.length(line) }
    }

    /// Whether the point has no stone.
    #[inline(always)]
    pub fn is_empty_at(&self, point: Point) -> bool {
        self.rows[point.row() as usize] >> point.col() & 1 == 0
    }

    /// The side to move plays.
    #[inline]
    pub fn place(&mut self, point: Point) {
        self.put(point, self.to_move);
        self.to_move = !self.to_move;
    }

    /// Takes back what [`State::place`] played.
    #[inline]
    pub fn undo(&mut self, point: Point) {
        self.to_move = !self.to_move;
        self.lift(point, self.to_move);
    }

    fn put(&mut self, point: Point, color: Color) {
        self.board.place(point, color);
        self.flip(point, color);
        self.n_empty -= 1;
    }

    fn lift(&mut self, point: Point, color: Color) {
        self.board.remove(point, color);
        self.flip(point, color);
        self.n_empty += 1;
    }

    #[inline(always)]
    fn flip(&mut self, point: Point, color: Color) {
        for place in self.lines.places(point) {
            let line = place.line as usize;
            self.bits[line][color as usize] ^= 1 << place.cell;
            let occupied = self.bits[line][0] | self.bits[line][1];
            let free = !occupied & ((1 << self.lines.length(line)) - 1);
            for side in 0..2 {
                let has_five = completes_five(self.bits[line][side], free);
                let before = std::mem::replace(&mut self.has_five[line][side], has_five);
                self.n_five_lines[side] += u32::from(has_five);
                self.n_five_lines[side] -= u32::from(before);
            }
        }
        self.rows[point.row() as usize] ^= 1 << point.col();
    }

    /// Whether a stone of this color on the point wins, or would win if it were played.
    #[inline]
    pub fn is_win(&self, point: Point, color: Color) -> bool {
        let mut fives = 0;
        for place in self.lines.places(point) {
            let own = self.bits[place.line as usize][color as usize] | 1 << place.cell;
            let pairs = own & own >> 1;
            fives |= pairs & pairs >> 2 & own >> 4;
        }
        fives != 0 && (self.rule == Rule::Freestyle || self.is_win_by_rule(point, color))
    }

    #[cold]
    fn is_win_by_rule(&self, point: Point, color: Color) -> bool {
        self.board.is_five(self.rule, point, color)
    }

    /// Whether the side to move would win by playing here.
    #[inline]
    pub fn wins(&self, point: Point) -> bool {
        self.may_win() && self.is_win(point, self.to_move)
    }

    /// Whether the side to move can make five in a row or more; the rule may still say no.
    #[inline(always)]
    pub fn may_win(&self) -> bool {
        self.n_five_lines[self.to_move as usize] > 0
    }

    /// Whether the other side could make five in a row or more if it were to move.
    #[inline(always)]
    pub fn opponent_may_win(&self) -> bool {
        self.n_five_lines[!self.to_move as usize] > 0
    }

    /// Whether the side to move may not play on this empty point: Black in renju only.
    #[inline]
    pub fn is_forbidden(&self, point: Point) -> bool {
        self.rule == Rule::Renju
            && self.to_move == Color::Black
            && self.may_be_forbidden(point)
            && renju::forbidden(&self.board, point).is_some()
    }

    /// A cheap test that is true of every forbidden point: a row of six, or room for two fours or
    /// for two threes on the lines through it.
    fn may_be_forbidden(&self, point: Point) -> bool {
        let (mut n_fours, mut n_threes) = (0, 0);
        for &Place { line, cell } in self.lines.places(point) {
            let LineStones { stones: [black, white], length } = self.line(line as usize);
            let near = (0x1ff << cell) >> 4;
            if (black & near).count_ones() < 2 {
                continue;
            }
            let black = black | 1 << cell;
            let free = !(black | white) & ((1 << length) - 1);
            if has_six(black) {
                return true;
            }
            // A five or straight four to come begins at most so many cells before the point.
            let fives = (0b11111 << cell) >> 4;
            let fours = (0b1111 << cell) >> 3 & free << 1 & free >> 4;
            n_fours += last_cells(black, free, 5, fives).count_ones().min(2);
            n_threes += last_cells(black, free, 4, fours).count_ones().min(1);
        }
        n_fours >= 2 || n_threes >= 2
    }

    /// Calls `visit` with every empty point at most `range` king's steps from a stone, row by row.
    #[inline]
    pub fn for_each_near(&self, range: u32, mut visit: impl FnMut(Point)) {
        let size = self.size() as usize;
        let mut wide = self.rows;
        for _ in 1..range {
            wide = grown(&wide, size);
        }
        let (mut below, mut here) = (0, across(wide[0]));
        for row in 0..size {
            let above = wide.get(row + 1).map_or(0, |&above| across(above));
            let mut free = (below | here | above) & !self.rows[row] & ((1 << size) - 1);
            while free != 0 {
                visit(Point::new(free.trailing_zeros() as u8, row as u8));
                free &= free - 1;
            }
            (below, here) = (here, above);
        }
    }

    /// Whether one of the eight neighbors has a stone.
    pub fn has_neighbor(&self, point: Point) -> bool {
        let (col, row) = (u32::from(point.col()), point.row() as usize);
        let around = (0b111u32 << col) >> 1;
        let rows = row.saturating_sub(1)..(row + 2).min(MAX_ROWS);
        rows.into_iter().any(|row| self.rows[row] & around != 0)
    }

    /// On how many of its eight sides a point has neither the edge nor a stone of the opponent.
    #[inline]
    pub fn open_sides(&self, point: Point) -> u32 {
        let mut open = 8;
        for place in self.lines.places(point) {
            let LineStones { stones, length } = self.line(place.line as usize);
            let walls = stones[!self.to_move as usize] << 1 | 1 | 2 << length;
            open -= (walls >> place.cell & 0b101).count_ones();
        }
        open
    }

    /// Every empty point.
    pub fn empty(&self) -> PointSet {
        self.board.empty()
    }

    /// Length of the run of a color that begins beside a point and leads away from it.
    #[inline]
    pub fn run_beside(&self, point: Point, direction: Direction, ahead: bool, color: Color) -> u32 {
        let place = self.lines.places(point)[direction as usize];
        let own = self.bits[place.line as usize][color as usize];
        if ahead {
            (own >> place.cell >> 1).trailing_ones()
        } else {
            (own << (31 - place.cell) << 1).leading_ones()
        }
    }
}

/// Whether four own stones and a free cell stand within five cells of a line.
#[inline(always)]
fn completes_five(own: u32, free: u32) -> bool {
    let without_lowest = |bits: u32| bits & bits.wrapping_sub(1);
    if without_lowest(without_lowest(without_lowest(own))) == 0 {
        return false;
    }
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|i| own >> i);
    let [v, w, x, y, z] = [0, 1, 2, 3, 4].map(|i| free >> i);
    (v & b & c & d & e)
        | (a & w & c & d & e)
        | (a & b & x & d & e)
        | (a & b & c & y & e)
        | (a & b & c & d & z)
        != 0
}

#[inline(always)]
fn has_six(own: u32) -> bool {
    let pairs = own & own >> 1;
    pairs & pairs >> 2 & pairs >> 4 != 0
}

/// The free cells that complete a row of this length beginning at one of the given starts.
#[inline(always)]
fn last_cells(own: u32, free: u32, length: u32, starts: u32) -> u32 {
    let row_without =
        |last| (0..length).fold(starts, |rows, i| rows & if i == last { free } else { own } >> i);
    (0..length).fold(0, |cells, last| cells | row_without(last) << last)
}

/// A row with the cells to the left and right of every stone.
#[inline(always)]
fn across(row: u32) -> u32 {
    row | row << 1 | row >> 1
}

/// Every cell at most one king's step from a set one.
fn grown(rows: &[u32; MAX_ROWS], size: usize) -> [u32; MAX_ROWS] {
    let mut grown = [0; MAX_ROWS];
    for row in 0..size {
        let below = if row > 0 { across(rows[row - 1]) } else { 0 };
        let above = if row + 1 < size { across(rows[row + 1]) } else { 0 };
        grown[row] = (below | across(rows[row]) | above) & ((1 << size) - 1);
    }
    grown
}

#[inline(always)]
fn side_key(to_move: Color) -> u64 {
    match to_move {
        Color::Black => 0,
        Color::White => zobrist::WHITE_TO_MOVE,
    }
}
