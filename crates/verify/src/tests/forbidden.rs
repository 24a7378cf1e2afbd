//! Renju's forbidden points: known positions in all symmetries, and random ones against the
//! reference.

use super::{Random, reference::Grid};
use crate::{
    Color, Rule,
    board::{Board, Cell},
};

/// Black stones, white stones, and the complete list of forbidden points.
const KNOWN: [[&str; 3]; 19] = [
    ["g8 i8 h7 h9", "", "h8"],
    ["f8 g8 h9 h10", "", "h8"],
    ["f8 g8 h9 h10", "d8 j8", ""],
    ["e8 f8 g8 h9 h10 h11", "d8 h12", "h8"],
    ["c8 d8 e8 i8 j8 k8", "", "g8"],
    ["d8 e8 h8 j8 k8", "", "g8"],
    ["d8 f8 h8 j8", "", "g8"],
    ["d8 e8 f8 h8 i8", "", "g8"],
    ["d8 e8 f8 h8 i8 g9 g10 g11 g12", "", "f10"],
    ["c8 d8 e8 f8 g9 g10 g11", "", ""],
    ["e8 f8 g8 h9 h10", "d8", ""],
    ["e8 f8 g8 h9 h10 i9 j10", "d8", "g9 h8 i10"],
    ["a8 b8 c8 h9", "", ""],
    ["g5 g10 h6 h8 j7 k5 k7", "", "h9 i7"],
    ["f11 g6 g10 h8 i6 j7 j10 k8", "", ""],
    ["f10 g8 h9 h11 i7 i8 i11 j8", "", "f11 h8"],
    ["e5 g5 g7 i8 i9 j8 k7 k10", "k9", ""],
    ["e7 e9 e10 g9 g10 h7 h11", "j5 k11", "f9 g7 h10"],
    ["f9 h5 h8 h11 i6 j7 k6 k7", "i8", "h7"],
];

const FILLER: &str = "a1 a3 a5 a13 a15 o1 o3 o5 o13";

fn board_of(grid_cells: &[Option<Color>], size: usize) -> Board {
    let mut board = Board::new(Rule::Renju, size);
    for (number, color) in grid_cells.iter().enumerate() {
        if let Some(color) = color {
            board.place(board.cell(number).expect("a cell"), *color);
        }
    }
    board
}

fn forbidden_cells(board: &mut Board, size: usize) -> Vec<usize> {
    (0..size * size)
        .filter(|&number| {
            let at = board.cell(number).expect("a cell");
            board.is_empty(at) && board.forbidden(at)
        })
        .collect()
}

fn turned(number: usize, symmetry: usize) -> usize {
    let (mut col, mut row) = (number % 15, number / 15);
    if symmetry & 1 != 0 {
        col = 14 - col;
    }
    if symmetry & 2 != 0 {
        row = 14 - row;
    }
    if symmetry & 4 != 0 {
        (col, row) = (row, col);
    }
    row * 15 + col
}

#[test]
fn known_positions_in_all_symmetries() {
    let numbers = |list: &str, symmetry| -> Vec<usize> {
        let mut all: Vec<usize> = list
            .split_whitespace()
            .map(|point| turned(super::builder::cell(point), symmetry))
            .collect();
        all.sort_unstable();
        all
    };
    for [black, white, expected] in KNOWN {
        let missing = black.split(' ').count() - white.split_whitespace().count();
        let filler: Vec<&str> = FILLER.split(' ').take(missing).collect();
        for symmetry in 0..8 {
            let mut cells = vec![None; 225];
            numbers(black, symmetry).iter().for_each(|&n| cells[n] = Some(Color::Black));
            for list in [white, &filler.join(" ")] {
                numbers(list, symmetry).iter().for_each(|&n| cells[n] = Some(Color::White));
            }
            let found = forbidden_cells(&mut board_of(&cells, 15), 15);
            assert_eq!(found, numbers(expected, symmetry), "{black} / {white}, image {symmetry}");
        }
    }
}

/// Crowded positions of black stones reach the recursion and the edges; the count at the end makes
/// sure of it.
#[test]
fn random_positions_agree_with_the_reference() {
    let mut random = Random(7);
    let mut forbidden = 0;
    for round in 0..400 {
        let size = [5, 7, 9, 11, 15][round % 5];
        let mut grid = Grid::new(Rule::Renju, size, &[], &[]);
        for _ in 0..size * size * (20 + random.below(30)) / 100 {
            let color = if random.below(4) == 0 { Color::White } else { Color::Black };
            grid.cells[random.below(size * size)] = Some(color);
        }
        let mut board = board_of(&grid.cells, size);
        let before = board.cells.clone();
        let found = forbidden_cells(&mut board, size);
        assert!(board.cells == before, "the look ahead left a stone");
        let expected: Vec<usize> =
            grid.empties().into_iter().filter(|&cell| grid.forbidden(cell)).collect();
        assert_eq!(found, expected, "round {round}");
        forbidden += found.len();
    }
    assert!(forbidden > 500, "only {forbidden} forbidden points seen");
}

/// All rules' wins, and the count of fours that the quick check relies on, against the reference.
#[test]
fn random_wins_agree_with_the_reference() {
    let mut random = Random(8);
    let rules = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact];
    let mut wins = [0; 5];
    for round in 0..2000 {
        let size = 5 + random.below(18);
        let rule = rules[round % 5];
        let mut grid = Grid::new(rule, size, &[], &[]);
        let mut board = Board::new(rule, size);
        for _ in 0..size * size {
            let number = random.below(size * size);
            let at = board.cell(number).expect("a cell");
            if board.cells[at] != Cell::Empty {
                board.remove(at);
                grid.cells[number] = None;
            } else {
                let color = if random.below(4) == 0 { Color::White } else { Color::Black };
                board.place(at, color);
                grid.cells[number] = Some(color);
            }
        }
        assert_eq!(board.empty_count(), grid.empties().len());
        for color in [Color::Black, Color::White] {
            let winning: Vec<usize> =
                grid.empties().into_iter().filter(|&cell| grid.wins(cell, color)).collect();
            let found = board.empties().filter(|&at| board.wins(at, color));
            let expected: Vec<usize> =
                winning.iter().map(|&cell| board.cell(cell).expect("a cell")).collect();
            assert_eq!(found.collect::<Vec<_>>(), expected, "{rule} {size} {color}");
            assert!(winning.is_empty() || board.has_four(color));
            if rule == Rule::Freestyle {
                assert_eq!(board.has_four(color), !winning.is_empty());
            }
            wins[round % 5] += winning.len();
        }
    }
    assert!(wins.iter().all(|&count| count > 100), "too few wins seen: {wins:?}");
}
