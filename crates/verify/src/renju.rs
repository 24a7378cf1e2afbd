//! Renju's forbidden points, straight from the definition (`docs/proof-format.md`, *Rules*).

use crate::board::{Board, Cell, Color};

const BLACK: Cell = Cell::Stone(Color::Black);

impl Board {
    /// Whether Black may not play on this empty cell. A five comes before everything else.
    pub(crate) fn forbidden(&mut self, at: usize) -> bool {
        if self.makes_five(at) {
            return false;
        }
        let overline = self.steps.iter().any(|&step| self.length(at, step) > 5);
        overline || self.with_stone(at, |board| board.fours(at) >= 2 || board.has_two_threes(at))
    }

    fn makes_five(&self, at: usize) -> bool {
        self.steps.iter().any(|&step| self.length(at, step) == 5)
    }

    /// The number of fours that the black stone on this cell takes part in. One line can hold two
    /// of them, as in `X_XXX_X`, but a straight four is only one.
    fn fours(&self, at: usize) -> usize {
        let in_direction = |&step: &usize| {
            let completions =
                self.next_cells(at, step).filter(|&cell| self.length(cell, step) == 5).count();
            let straight = completions == 2 && self.length(at, step) == 4;
            if straight { 1 } else { completions }
        };
        self.steps.iter().map(in_direction).sum()
    }

    fn has_two_threes(&mut self, at: usize) -> bool {
        let steps = self.steps;
        // Shapes alone first: few stones make two of them, and the full test is recursive.
        let shapes = steps.iter().filter(|&&step| {
            self.next_cells(at, step).any(|cell| self.straightens(at, cell, step))
        });
        shapes.count() >= 2 && steps.iter().filter(|&&step| self.has_three(at, step)).count() >= 2
    }

    /// Whether Black can turn this line into a straight four with a stone that is neither a five
    /// nor forbidden.
    fn has_three(&mut self, at: usize, step: usize) -> bool {
        let cells: Vec<usize> = self.next_cells(at, step).collect();
        cells.into_iter().any(|cell| {
            self.straightens(at, cell, step) && !self.makes_five(cell) && !self.forbidden(cell)
        })
    }

    /// Whether a black stone on `cell`, next to the run through `at`, makes a straight four: four
    /// in a row, both neighbors empty, a five by exactly one more stone on either side.
    fn straightens(&self, at: usize, cell: usize, step: usize) -> bool {
        let run = self.run(cell, step, Color::Black);
        debug_assert!(run.ends[0] < at && at < run.ends[1]);
        let [low, high] = run.ends;
        run.length == 4
            && self.is_empty(low)
            && self.is_empty(high)
            && self.cells[low - step] != BLACK
            && self.cells[high + step] != BLACK
    }

    /// The empty cells next to the black run through this cell: the only places where one more
    /// stone can lengthen it.
    fn next_cells(&self, at: usize, step: usize) -> impl Iterator<Item = usize> {
        let ends = self.run(at, step, Color::Black).ends;
        ends.into_iter().filter(|&end| self.is_empty(end))
    }

    fn length(&self, at: usize, step: usize) -> usize {
        self.run(at, step, Color::Black).length
    }

    /// Looks at the position with a black stone added. Only the cells change: the counts that
    /// [`Board::place`] keeps are not needed here.
    fn with_stone<T>(&mut self, at: usize, look: impl FnOnce(&mut Board) -> T) -> T {
        self.cells[at] = BLACK;
        let seen = look(self);
        self.cells[at] = Cell::Empty;
        seen
    }
}
