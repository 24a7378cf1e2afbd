//! Numbers for windows: which row of a table belongs to what a point sees in one direction.
//!
//! A window and its mirror image have the same row, for a line has no preferred end. Rows come in
//! twins: row `2k + 1` is row `2k` with the colors swapped, so the other side's view of a row is the
//! row with its lowest bit turned around. A window that is its own twin has two rows with the same
//! numbers.

use std::sync::OnceLock;

/// Room for rows; a power of two, so that a number below it needs no test.
pub const N_ROWS: usize = 8192;

pub(crate) const WINDOWS: usize = 1 << 16;
const CELLS: u32 = 8;

struct Numbering {
    /// By window, as Black sees it.
    rows: Box<[u16; WINDOWS]>,
    in_use: usize,
    own_twins: Vec<bool>,
}

/// The row of a window (see [`gomoku::Field::window`]) from Black's view.
#[inline(always)]
pub fn row_of(window: u16) -> u16 {
    numbering().rows[window as usize]
}

/// The rows of all windows.
pub(crate) fn rows_of_windows() -> &'static [u16; WINDOWS] {
    &numbering().rows
}

/// How many rows there are.
pub fn rows_in_use() -> usize {
    numbering().in_use
}

/// Whether a row means the same with the colors swapped.
pub fn is_own_twin(row: u16) -> bool {
    numbering().own_twins[row as usize]
}

fn numbering() -> &'static Numbering {
    static NUMBERING: OnceLock<Numbering> = OnceLock::new();
    NUMBERING.get_or_init(Numbering::new)
}

impl Numbering {
    fn new() -> Numbering {
        let mut rows = vec![u16::MAX; WINDOWS];
        let mut own_twins = Vec::new();
        for window in (0..=u16::MAX).filter(|&window| is_possible(window)) {
            if rows[window as usize] != u16::MAX {
                continue;
            }
            let (row, twin) = (own_twins.len() as u16, swapped(window));
            let is_own = twin == window || twin == mirrored(window);
            for (window, row) in [(twin, row + 1), (window, row)] {
                rows[window as usize] = row;
                rows[mirrored(window) as usize] = row;
            }
            own_twins.extend([is_own; 2]);
        }
        // Windows that no board has are given some row, so that nothing can go wrong.
        rows.iter_mut().for_each(|row| *row = (*row).min(N_ROWS as u16 - 1));
        let rows = rows.into_boxed_slice().try_into().expect("there are as many as windows");
        Numbering { rows, in_use: own_twins.len(), own_twins }
    }
}

/// Whether a window occurs: beyond a wall there is nothing but wall.
fn is_possible(window: u16) -> bool {
    let is_wall = |cell: u32| window >> (2 * cell) & 3 == 3;
    let half = |cells: [u32; 4]| cells.windows(2).all(|pair| !is_wall(pair[0]) || is_wall(pair[1]));
    half([3, 2, 1, 0]) && half([4, 5, 6, 7])
}

fn mirrored(window: u16) -> u16 {
    (0..CELLS).fold(0, |all, cell| all << 2 | window >> (2 * cell) & 3)
}

fn swapped(window: u16) -> u16 {
    (window & 0x5555) << 1 | (window & 0xaaaa) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_windows_share_a_row_and_swapped_ones_are_twins() {
        let possible: Vec<u16> = (0..=u16::MAX).filter(|&window| is_possible(window)).collect();
        assert_eq!(possible.len(), 121 * 121);
        for &window in &possible {
            let row = row_of(window);
            assert!((row as usize) < rows_in_use());
            assert_eq!(row_of(mirrored(window)), row);
            let twin = row_of(swapped(window));
            assert!(twin == row ^ 1 || twin == row && is_own_twin(row));
        }
        assert!(rows_in_use() <= N_ROWS);
    }

    #[test]
    fn windows_that_differ_have_different_rows() {
        let mut seen = vec![None; N_ROWS];
        for window in (0..=u16::MAX).filter(|&window| is_possible(window)) {
            let folded = window.min(mirrored(window));
            let first = seen[row_of(window) as usize].get_or_insert(folded);
            assert_eq!(*first, folded);
        }
    }
}
