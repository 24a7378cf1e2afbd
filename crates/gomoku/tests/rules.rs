//! Winning tests, forbidden points and symmetries against published positions.

use gomoku::{
    Board, Color, Outcome, Point, PointSet, Position, Rule, Symmetry, five_cell_lines, perft, renju,
};

fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// Black stones, White stones, forbidden points; filler stones make the colors equal in number.
const VECTORS: [(&str, &str, &str); 19] = [
    ("g8 i8 h7 h9", "", "h8"),
    ("f8 g8 h9 h10", "", "h8"),
    ("f8 g8 h9 h10", "d8 j8", ""),
    ("e8 f8 g8 h9 h10 h11", "d8 h12", "h8"),
    ("c8 d8 e8 i8 j8 k8", "", "g8"),
    ("d8 e8 h8 j8 k8", "", "g8"),
    ("d8 f8 h8 j8", "", "g8"),
    ("d8 e8 f8 h8 i8", "", "g8"),
    ("d8 e8 f8 h8 i8 g9 g10 g11 g12", "", "f10"),
    ("c8 d8 e8 f8 g9 g10 g11", "", ""),
    ("e8 f8 g8 h9 h10", "d8", ""),
    ("e8 f8 g8 h9 h10 i9 j10", "d8", "g9 h8 i10"),
    ("a8 b8 c8 h9", "", ""),
    ("g5 g10 h6 h8 j7 k5 k7", "", "h9 i7"),
    ("f11 g6 g10 h8 i6 j7 j10 k8", "", ""),
    ("f10 g8 h9 h11 i7 i8 i11 j8", "", "f11 h8"),
    ("e5 g5 g7 i8 i9 j8 k7 k10", "k9", ""),
    ("e7 e9 e10 g9 g10 h7 h11", "j5 k11", "f9 g7 h10"),
    ("f9 h5 h8 h11 i6 j7 k6 k7", "i8", "h7"),
];

fn board_of(black: &str, white: &str) -> Board {
    let mut board = Board::new(15);
    points(black).into_iter().for_each(|p| board.place(p, Color::Black));
    points(white).into_iter().for_each(|p| board.place(p, Color::White));
    let missing = board.stones(Color::Black).len() - board.stones(Color::White).len();
    for filler in points("a1 a3 a5 a13 a15 o1 o3 o5 o13").into_iter().take(missing) {
        board.place(filler, Color::White);
    }
    board
}

#[test]
fn forbidden_points_are_those_of_the_judge_in_every_symmetry() {
    for (black, white, expected) in VECTORS {
        let board = board_of(black, white);
        for symmetry in Symmetry::all() {
            let expected: PointSet =
                points(expected).into_iter().map(|p| symmetry.apply(p, 15)).collect();
            let found = renju::forbidden_points(&board.transformed(symmetry));
            assert_eq!(found, expected, "{symmetry:?} {board}");
        }
    }
}

#[test]
fn winning_moves_are_those_of_the_judge() {
    let cases = [
        (Rule::Freestyle, "h8h9i8i9j8j9k8k9", "g8 l8"),
        (Rule::Standard, "h8h9i8i9j8j9k8k9", "g8 l8"),
        (Rule::Renju, "h8h9i8i9j8j9k8k9", "g8 l8"),
        (Rule::Caro, "h8h9i8i9j8j9k8k9", "g8 l8"),
        (Rule::CaroExact, "h8h9i8i9j8j9k8k9", "g8 l8"),
        (Rule::Standard, "h8h9i8h10g8h11j13h12g14h14i15", ""),
        (Rule::Caro, "f8e8g8k8h8a1i8a3", ""),
        (Rule::Freestyle, "f8e8g8k8h8a1i8a3", "j8"),
    ];
    for (rule, moves, expected) in cases {
        let position = Position::parse(moves, rule, 15).unwrap();
        for symmetry in Symmetry::all() {
            let image = position.transformed(symmetry);
            let wins: PointSet = image
                .legal_points()
                .iter()
                .filter(|&p| image.board().is_five(rule, p, image.to_move()))
                .collect();
            let expected: PointSet =
                points(expected).into_iter().map(|p| symmetry.apply(p, 15)).collect();
            assert_eq!(wins, expected, "{rule} {moves} {symmetry:?}");
        }
    }
}

#[test]
fn an_edge_is_not_a_block_in_caro() {
    let position = Position::parse("a1f1b1a9c1b9d1c9e1", Rule::Caro, 15).unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Five(Color::Black)));
}

#[test]
fn overlines_win_only_where_the_rule_says_so() {
    let moves = "g8a1h8a3i8a5k8a7l8a9j8";
    let black_wins =
        |rule| Position::parse(moves, rule, 15).unwrap().outcome().and_then(Outcome::winner);
    assert_eq!(black_wins(Rule::Freestyle), Some(Color::Black));
    assert_eq!(black_wins(Rule::Standard), None);
    assert_eq!(black_wins(Rule::Renju), Some(Color::White));
    assert_eq!(black_wins(Rule::Caro), Some(Color::Black));
    assert_eq!(black_wins(Rule::CaroExact), None);
}

#[test]
fn symmetries_have_inverses_and_the_canonical_form_is_shared() {
    let position = Position::parse("h8i9g9f3", Rule::Freestyle, 15).unwrap();
    let canonical = position.board().canonical().0;
    for symmetry in Symmetry::all() {
        for point in Point::all(15) {
            assert_eq!(symmetry.inverse().apply(symmetry.apply(point, 15), 15), point);
        }
        assert_eq!(position.board().transformed(symmetry).canonical().0, canonical);
    }
}

#[test]
fn perft_counts_permutations_until_a_five() {
    let mut position = Position::new(Rule::Freestyle, 5);
    assert_eq!(perft(&mut position, 3), 25 * 24 * 23);
    let mut position = Position::parse("a1a2b1b2c1c2d1d2", Rule::Freestyle, 5).unwrap();
    // 17 moves, of which e1 wins and ends its branch; then 16 replies, of which e2 wins.
    assert_eq!(perft(&mut position, 2), 1 + 16 * 16);
}

#[test]
fn five_cell_lines_of_a_board() {
    assert_eq!(five_cell_lines(15).len(), 572);
    for size in 5..=22u8 {
        let n = usize::from(size);
        assert_eq!(five_cell_lines(size).len(), 2 * n * (n - 4) + 2 * (n - 4) * (n - 4));
    }
}

#[test]
fn positions_are_read_and_written() {
    for text in ["", "h8", "h8i9g9", "b:h8,g9 w:i9 b", "b: w:a1,o15 w"] {
        let position = Position::parse(text, Rule::Freestyle, 15).unwrap();
        assert_eq!(
            Position::parse(&position.to_text(), Rule::Freestyle, 15).unwrap().board(),
            position.board()
        );
        assert_eq!(
            Position::parse(&position.to_text(), Rule::Freestyle, 15).unwrap().to_move(),
            position.to_move()
        );
    }
    assert_eq!(Position::parse("H8, i9;g9", Rule::Freestyle, 15).unwrap().to_text(), "h8i9g9");
    let error = |text| Position::parse(text, Rule::Freestyle, 15).unwrap_err().to_string();
    assert_eq!(error("h8h8"), "Column 3: h8 is occupied.");
    assert_eq!(error("h8 p1"), "Column 4: p1 is not on this board.");
    assert_eq!(error("h8x"), "Column 3: expected a move such as h8, found 'x'.");
    assert!(error("b:h8 w:i9").contains("side to move"));
}

#[test]
fn passes_are_taken_back_with_the_move_before_them() {
    let start = Position::parse("h8i9", Rule::Freestyle, 15).unwrap();
    let mut position = start.clone();
    position.play("g7".parse().unwrap()).unwrap();
    position.pass();
    position.play("f6".parse().unwrap()).unwrap();
    assert_eq!(position.undo(), "f6".parse().ok());
    assert_eq!(position.to_move(), Color::Black);
    position.pass();
    assert_eq!(position.undo(), "g7".parse().ok());
    assert_eq!(position, start);
}
