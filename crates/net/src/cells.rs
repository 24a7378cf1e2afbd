//! The rows of every empty point, kept while stones come and go.

use gomoku::{Direction, Field, GRID, Point, Rules};

use crate::rows::{WINDOWS, row_of, rows_of_windows};

/// The rows of a point in the four directions, from Black's view.
pub type Rows4 = [u16; 4];

/// A point that sees the last stone: its rows before, and the one that changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) old: Rows4,
    pub(crate) new: u16,
    direction: u8,
    at: u16,
}

impl Change {
    /// The row that was replaced, and the three that stay.
    #[inline(always)]
    pub(crate) fn replaced(&self) -> (u16, [u16; 3]) {
        let [a, b, c, d] = self.old;
        match self.direction {
            0 => (a, [b, c, d]),
            1 => (b, [a, c, d]),
            2 => (c, [a, b, d]),
            _ => (d, [a, b, c]),
        }
    }
}

/// More than a stone changes: four cells to either side in four directions, and one to spare.
const CHANGES: usize = 64;

/// The rows of all empty points of a board. What stands at a stone means nothing until it is gone.
#[derive(Clone, Debug)]
pub struct Cells {
    numbers: &'static [u16; WINDOWS],
    rows: Box<[Rows4; GRID]>,
    /// Grows and never shrinks; `end` tells how much is in use.
    log: Vec<Change>,
    end: usize,
    /// For each stone placed: where it is, and where its changes begin.
    stones: Vec<(u16, u32)>,
}

impl Cells {
    /// The rows of a field, from nothing.
    pub fn of<R: Rules>(field: &Field<R>) -> Cells {
        let rows = vec![[0; 4]; GRID].into_boxed_slice();
        let rows = rows.try_into().expect("the vector has as many");
        let numbers = rows_of_windows();
        let mut cells = Cells { numbers, rows, log: Vec::new(), end: 0, stones: Vec::new() };
        for point in field.board().empty() {
            cells.rows[point.index()] = Direction::ALL.map(|d| row_of(field.window(point, d)));
        }
        cells
    }

    /// The rows of an empty point.
    #[inline(always)]
    pub fn rows(&self, point: Point) -> Rows4 {
        self.rows[point.index() % GRID]
    }

    /// A stone is about to be placed here; its changes follow.
    #[inline(always)]
    pub fn place(&mut self, point: Point) {
        self.stones.push((point.index() as u16, self.end as u32));
        if self.log.len() < self.end + CHANGES {
            self.log.resize(self.end + 16 * CHANGES, Change::default());
        }
    }

    /// What [`gomoku::Observer::window_changed`] reports.
    #[inline(always)]
    pub fn window_changed(&mut self, point: Point, direction: Direction, window: u16) {
        let cell = &mut self.rows[point.index() % GRID];
        let (old, new) = (*cell, self.numbers[window as usize]);
        let direction = direction as u8 % 4;
        cell[direction as usize] = new;
        if let Some(slot) = self.log.get_mut(self.end) {
            *slot = Change { old, new, direction, at: point.index() as u16 };
        }
        // Beyond four cells nothing changes, although a rule may look further.
        self.end += usize::from(old[direction as usize] != new);
    }

    /// Takes the last stone back.
    #[inline(always)]
    pub fn undo(&mut self) {
        let (_, start) = self.stones.pop().expect("a stone was placed");
        for &Change { at, old, .. } in &self.log[start as usize..self.end] {
            self.rows[at as usize % GRID] = old;
        }
        self.end = start as usize;
    }

    /// Takes all stones back.
    pub fn rewind(&mut self) {
        while !self.stones.is_empty() {
            self.undo();
        }
    }

    /// The rows that the last stone's point had, and what the stone changed elsewhere.
    #[inline(always)]
    pub(crate) fn last(&self) -> Option<(Rows4, &[Change])> {
        let &(at, start) = self.stones.last()?;
        Some((self.rows[at as usize % GRID], &self.log[start as usize..self.end]))
    }
}
