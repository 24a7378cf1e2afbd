//! Positions worked out by hand from each paper, and the printed tables cell by cell.

mod common;

use common::{build, choose, position, registry};
use gomoku::{Color, Position, Rule};
use lab::{
    State,
    eval::{self, Following},
};
use player::{Explanation, Limits, Reason, Score, Spec};

fn explain(spec: &str, position: &Position) -> Explanation {
    build(spec).explain(position)
}

/// The value for Black of stones on an otherwise empty board, Black to move.
fn value(eval: &str, stones: &str) -> i64 {
    let position = Position::parse(stones, Rule::Freestyle, 15).unwrap();
    let spec: Spec = eval.parse().unwrap();
    let mut evaluation = eval::build(&spec, Following::FAST, None).unwrap();
    let state = State::new(&position);
    evaluation.start(&state);
    evaluation.value(&state, Color::Black)
}

fn table(player: &str, name: &str) -> Vec<Vec<String>> {
    let registry = registry();
    let info = registry.info(player).unwrap();
    info.tables.iter().find(|table| table.name == name).unwrap().rows.clone()
}

fn rows(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// The last cell of every row, as a list.
fn last_column(rows: &[Vec<String>]) -> Vec<&str> {
    rows.iter().map(|row| row.last().unwrap().as_str()).collect()
}

#[test]
fn algorithm_3_is_as_printed() {
    for player in ["greedy", "minimax", "alpha-beta", "new-heuristic"] {
        let points = table(player, "Algorithm 3");
        let printed = ["100000", "15000", "10000", "5000", "1000", "300", "50"];
        assert_eq!(last_column(&points), printed, "{player}");
        assert_eq!(table(player, "Figure 2.3").len(), 20);
    }
}

#[test]
fn fan_and_yuans_tables_are_as_printed() {
    for player in ["compositions", "compositions-d1"] {
        let scores = "WIN|2000000\nH4|10000\nC4|500\nH3|200\nM3|50\nH2|5\nM2|3";
        assert_eq!(table(player, "Scores (3.1)"), rows(scores));
        let weights = "WIN|1|10\nH4|1|10\nC4|1|10\nH3|1|10\nM3|1|1\nH2|1|1\nM2|1|1\n\
                       S4|1|1\nS3|1|1\nS2|1|1";
        assert_eq!(table(player, "Weights (3.1.3)"), rows(weights));
    }
}

#[test]
fn figueiras_table_is_as_printed() {
    let printed = "5|-|2000000000|2000000000\n4|2|100000000|50000000\n4|1|100000000|50\n4|0|0|0\n\
                   3|2|10000|50\n3|1|7|5\n3|0|0|0\n2|2|7|7\n2|1|3|3\n2|0|0|0\n1|2|2|2\n1|1|1|1\n\
                   1|0|0|0";
    assert_eq!(table("open-ends", "Sets by open ends and turn"), rows(printed));
}

#[test]
fn xies_tables_are_as_printed() {
    let table_1 = "OWN0|1\nOWN1|200\nOWN2|400\nOWN3|2000\nOWN4|20000\n\
                   OPP0|1\nOPP1|220\nOPP2|420\nOPP3|2100\nOPP4|10000";
    let table_3 = "OWN0|1|19.9\nOWN1|200|177.6\nOWN2|400|1151.3\nOWN3|2000|1240.2\n\
                   OWN4|20000|20000\nOPP0|1|58.7\nOPP1|220|297.7\nOPP2|420|1163.5\n\
                   OPP3|2100|1200.2\nOPP4|10000|10000\nSleep Two|4|96.6\nLive Two|4|178.9\n\
                   Sleep Three|10|175.3\nLive Three|100|336.7\nDouble Live Three|500|1264.3\n\
                   Sleep Four|2000|2000\nOpp's Sleep Two|4|8.9\nOpp's Live Two|4|130.8\n\
                   Opp's Sleep Three|10|147.2\nOpp's Live Three|400|686.7\n\
                   Opp's Double Live Three|2000|2390.8\nOpp's Sleep Four|2000|2000";
    for (player, column) in [("static-table", 1), ("static-table-optimized", 2)] {
        assert_eq!(table(player, "Table 1"), rows(table_1));
        assert_eq!(table(player, "Table 3"), rows(table_3));
        // The defaults of the parameters are the column that the preset is named after.
        let params = registry().params(player).unwrap();
        let names =
            ["own0", "own1", "own2", "own3", "own4", "opp0", "opp1", "opp2", "opp3", "opp4"]
                .into_iter()
                .chain(eval::TABLE_3.iter().map(|row| row.0));
        for (name, row) in names.zip(rows(table_3)) {
            assert_eq!(params.real(name).to_string(), row[column], "{player} {name}");
        }
    }
}

#[test]
fn liaos_shapes_score_by_algorithm_3() {
    // 011110 is a live four; blocked on one side it is a dead four.
    assert_eq!(value("liao", "b:f8,g8,h8,i8 w: b"), 15_000);
    assert_eq!(value("liao", "b:f8,g8,h8,i8 w:e8 b"), 1_000);
    // 10111 and 11011.
    assert_eq!(value("liao", "b:f8,h8,i8,j8 w: b"), 300);
    assert_eq!(value("liao", "b:f8,g8,i8,j8 w: b"), 50);
    // A lone live three scores nothing as printed, 200 by default; two are 10000 + 5000.
    assert_eq!(value("liao(style=printed)", "b:g8,h8,i8 w: b"), 0);
    assert_eq!(value("liao", "b:g8,h8,i8 w: b"), 200);
    assert_eq!(value("liao(style=printed)", "b:c3,d3,e3,k12,k11,k10 w: b"), 15_000);
    // Both sides alike cancel.
    assert_eq!(value("liao", "b:c3,d3,e3 w:k12,k11,k10 b"), 0);
    // Three stones with a blocked cell beyond both empty ends: 2011102 is a dead three.
    assert_eq!(value("liao", "b:g8,h8,i8 w:e8,k8 b"), 50);
}

#[test]
fn liaos_explanation_counts_all_twenty_shapes_of_both_sides() {
    let position = Position::parse("b:g8,h8,i8 w:c3,d3 b", Rule::Freestyle, 15).unwrap();
    let terms = explain("new-heuristic", &position).terms;
    for color in Color::ALL {
        let shapes = terms.iter().filter(|t| t.color == color && !t.name.starts_with("rule"));
        assert_eq!(shapes.count(), 20);
    }
    let count = |color, name: &str| {
        terms.iter().find(|t| t.color == color && t.name == name).map(|t| t.count)
    };
    assert_eq!(count(Color::Black, "live three 01110"), Some(1));
    assert_eq!(count(Color::White, "live two 001100"), Some(1));
    assert_eq!(count(Color::White, "live three 01110"), Some(0));
    let sum: f64 = terms.iter().map(|term| term.points).sum();
    assert_eq!(sum, 195.0);
}

#[test]
fn liaos_probability_follows_the_longest_adjoining_run() {
    let position = Position::parse("b:f8,g8,h8 w:c3 b", Rule::Freestyle, 15).unwrap();
    let candidates = explain("new-heuristic(range=2)", &position).candidates;
    let probability = |point: &str| {
        let found = candidates.iter().find(|c| c.point.to_string() == point);
        found.and_then(|candidate| candidate.probability).map(|p| (100.0 * p).round() as i64)
    };
    assert_eq!((probability("i8"), probability("e8")), (Some(80), Some(80)));
    assert_eq!(probability("g9"), Some(40));
}

#[test]
fn greedy_attacks_when_ahead_and_defends_when_behind() {
    let ahead = Position::parse("b:g8,h8,i8 w:c3,d3 b", Rule::Freestyle, 15).unwrap();
    let choice = choose(&mut *build("greedy"), &ahead, Limits::default());
    assert_eq!(choice.reason, Reason::Attack);
    assert!(["f8", "j8"].contains(&choice.point().unwrap().to_string().as_str()));
    let behind = Position::parse("b:c3,d3 w:g8,h8,i8 b", Rule::Freestyle, 15).unwrap();
    let choice = choose(&mut *build("greedy"), &behind, Limits::default());
    assert_eq!(choice.reason, Reason::Defense);
    assert!(["f8", "j8"].contains(&choice.point().unwrap().to_string().as_str()));
}

#[test]
fn compositions_weigh_the_opponent_ten_times() {
    assert_eq!(value("compositions", "b:f8,g8,h8,i8 w: b"), 10_000);
    assert_eq!(value("compositions", "b: w:f8,g8,h8,i8 b"), -100_000);
    assert_eq!(value("compositions", "b:f8,g8,h8,i8 w:e8 b"), 500);
    assert_eq!(value("compositions", "b:g8,h8,i8 w: b"), 200);
    assert_eq!(value("compositions", "b:g8,h8 w: b"), 5);
    // Both ends blocked: the S compositions cost five.
    assert_eq!(value("compositions", "b:g8,h8,i8 w:f8,j8 b"), -5);
}

#[test]
fn open_ends_depend_on_the_turn() {
    // A three with two open ends (three lone stones on each other line: 9 times 2).
    assert_eq!(value("open-ends", "b:g8,h8,i8 w: b"), 10_000 + 9 * 2);
    assert_eq!(value("open-ends", "b:g8,h8,i8 w: w"), 50 + 9 * 2);
    let block = Position::parse("b:a1,c5 w:f8,g8,h8,i8 b", Rule::Freestyle, 15).unwrap();
    let choice = choose(&mut *build("open-ends"), &block, Limits::depth(2));
    assert_eq!(choice.reason, Reason::Block);
    let empty = Position::new(Rule::Freestyle, 8);
    let choice = choose(&mut *build("open-ends"), &empty, Limits::depth(2));
    assert_eq!(choice.point().map(|p| (p.col(), p.row())), Some((3, 3)));
    assert_eq!(choice.reason, Reason::Opening);
}

#[test]
fn xies_worked_example_has_own_4012_and_opponent_12() {
    // Point h6. Along the row, five lines through it: empty, one, two and three own stones, and one
    // that also holds the opponent's; along one diagonal none, one, two, two and two; the column and
    // the other diagonal are empty.
    let position = Position::parse("b:e6,f6,g6,g5,f4 w:d6 b", Rule::Freestyle, 15).unwrap();
    let point = "h6".parse().unwrap();
    let points = explain("static-table", &position).points;
    let found = points.iter().find(|value| value.point == point).unwrap();
    assert_eq!((found.black, found.white), (4012.0, 12.0));
}

#[test]
fn xies_lines_add_up_to_his_table_and_the_row_is_as_in_figure_4() {
    let mut position = Position::parse("b:e6,f6,g6,g5,f4 w:d6 b", Rule::Freestyle, 15).unwrap();
    for to_move in Color::ALL {
        for player in ["static-table", "static-table-optimized"] {
            let said = explain(player, &position);
            assert_eq!(said.lines.len(), 572);
            for value in &said.points {
                let through = said.lines.iter().filter(|line| line.cells.contains(&value.point));
                let (black, white) = through.fold((0.0, 0.0), |(black, white), line| {
                    (black + line.black, white + line.white)
                });
                assert!((black - value.black).abs() < 1e-6, "{player} {to_move} {value:?}");
                assert!((white - value.white).abs() < 1e-6, "{player} {to_move} {value:?}");
            }
        }
        if to_move == Color::Black {
            let lines = explain("static-table", &position).lines;
            let worth = |from: &str| {
                let from = from.parse().unwrap();
                let is_row = |line: &&player::LineValue| {
                    line.cells[0] == from && line.cells[4].row() == from.row()
                };
                let line = lines.iter().find(is_row).unwrap();
                (line.black, line.white)
            };
            let row = ["d6", "e6", "f6", "g6", "h6"].map(worth);
            assert_eq!(row, [(0.0, 0.0), (2000.0, 0.0), (400.0, 0.0), (200.0, 0.0), (1.0, 1.0)]);
            position.play("a1".parse().unwrap()).unwrap();
        }
    }
    assert!(explain("compositions", &position).lines.is_empty());
}

#[test]
fn there_are_572_five_cell_lines() {
    for (size, n) in [(15, 572), (5, 12), (8, 96), (19, 1020), (20, 1152), (22, 1440)] {
        assert_eq!(gomoku::five_cell_lines(size).len(), n, "{size}");
    }
}

#[test]
fn xies_point_a_lies_on_twenty_numbered_lines() {
    // Point A of figure 3 is (7, 5), counted from 0. The paper prints 148, 162, 179 and goes on.
    let lines = lab::lines::numbered_lines(15);
    let point = "h6".parse().unwrap();
    let numbers: Vec<usize> = (0..lines.len()).filter(|&n| lines[n].contains(&point)).collect();
    assert_eq!(
        numbers,
        [
            148, 162, 179, 199, 210, 223, 250, 258, 267, 301, 306, 311, 339, 342, 345, 348, 352,
            353, 354, 355
        ]
    );
    // They are the lines that the rules know, each once.
    let sorted = |mut lines: Vec<[gomoku::Point; 5]>| {
        lines.iter_mut().for_each(|line| line.sort());
        lines.sort();
        lines
    };
    for size in [5, 8, 15, 22] {
        let known = sorted(gomoku::five_cell_lines(size));
        assert_eq!(sorted(lab::lines::numbered_lines(size)), known, "{size}");
    }
}

#[test]
fn top12_takes_twelve_and_sums_or_takes_the_best() {
    let position = position("h8h9i8i9g8");
    assert_eq!(explain("top12", &position).candidates.len(), 12);
    // One live three: two points make a live four (10000); others less.
    assert!(value("points", "b:g8,h8,i8 w: b") > value("points(of=max)", "b:g8,h8,i8 w: b"));
    let best = choose(&mut *build("top12"), &position, Limits::default());
    assert!(["f8", "j8"].contains(&best.point().unwrap().to_string().as_str()));
}

#[test]
fn searches_win_at_once() {
    let position = position("h8h9i8i9j8j9k8a1");
    for info in registry().players() {
        if ["random", "mcts", "fan-yuan-mcts"].contains(&info.name) {
            continue;
        }
        let choice = choose(&mut *build(info.name), &position, Limits::depth(2));
        let point = choice.point().unwrap().to_string();
        assert!(["g8", "l8"].contains(&point.as_str()), "{} plays {point}", info.name);
    }
    let mcts = choose(&mut *build("fan-yuan-mcts(budget=3000)"), &position, Limits::default());
    assert!(["g8", "l8"].contains(&mcts.point().unwrap().to_string().as_str()));
}

#[test]
fn liaos_opponent_divides_the_two_sides() {
    // Black to move has an open three and nine lone runs, 50000 + 9; White's stone has four lone
    // runs. 50009 / 4 = 12502.25 = 2^13 * 1.526153564453125: thirteen doublings of 2^20, and
    // 0.526153564453125 * 2^20 = 551712 beyond them.
    assert_eq!(value("ratio", "b:g8,h8,i8 w:c3 b"), 13 * (1 << 20) + 551_712);
    assert_eq!(value("ratio", "b:g8 w:c3 b"), 0);
}

#[test]
fn xies_columns_weigh_a_live_three_by_its_owner() {
    let points = |player: &str, stones: &str| -> f64 {
        let position = Position::parse(stones, Rule::Freestyle, 15).unwrap();
        explain(player, &position).terms.iter().map(|term| term.points).sum()
    };
    for (player, own, other) in
        [("static-table", 100.0, -400.0), ("static-table-optimized", 336.7, -686.7)]
    {
        assert_eq!(points(player, "b:g8,h8,i8 w: b"), own, "{player}");
        assert_eq!(points(player, "b: w:g8,h8,i8 b"), other, "{player}");
    }
}

#[test]
fn gus_best_point_makes_a_live_three() {
    // g8, j8 (01110) and f8, k8 (010110) make a live three in the row and nothing elsewhere.
    assert_eq!(value("points(of=max)", "b:h8,i8 w: b"), 800);
    assert_eq!(value("points(of=max)", "b: w:h8,i8 b"), -800);
}

fn parse(stones: &str) -> Position {
    Position::parse(stones, Rule::Freestyle, 15).unwrap()
}

/// The move and its value.
fn answer(spec: &str, position: &Position) -> (String, Option<Score>) {
    let choice = choose(&mut *build(spec), position, Limits::default());
    (choice.point().unwrap().to_string(), choice.score)
}

#[test]
fn minimax_and_alpha_beta_follow_a_live_three_by_hand() {
    // One ply on, f8 and j8 make a live four, 15000, and White's live two takes 5 off. f8 comes
    // first. Three plies on, White cannot stop both ends and Black has five.
    let position = parse("b:g8,h8,i8 w:c3,d3 b");
    for player in ["minimax", "alpha-beta"] {
        let one = answer(&format!("{player}(depth=1)"), &position);
        assert_eq!(one, ("f8".to_owned(), Some(Score::new(14_995))), "{player}");
        let three = answer(player, &position);
        assert_eq!(three, ("f8".to_owned(), Some(Score::win_in(3))), "{player}");
    }
    // Two plies on, White's best answer to the first candidate is known, and worse ones are cut.
    let nodes =
        |player: &str| choose(&mut *build(player), &position, Limits::depth(2)).counters.nodes;
    assert!(nodes("alpha-beta") < nodes("minimax"));
}

#[test]
fn liaos_opponent_wins_before_it_searches() {
    let position = parse("b:f8,g8,h8,i8 w:e8,c3,d3,e3 b");
    let choice = choose(&mut *build("public-minimax"), &position, Limits::default());
    assert_eq!(choice.point().unwrap().to_string(), "j8");
    // Read from the top: d9 to j9, d8, and the ninth point beside a stone is j8.
    assert_eq!((&choice.reason, choice.counters.evaluations), (&Reason::Win, 9));
}

#[test]
fn the_new_heuristic_sees_the_double_live_three_of_the_example() {
    // As in section 4.3: h8 makes two live threes, f8-g8-h8 and h6-h7-h8. White stops one, Black
    // makes a live four of the other, and the fifth stone wins. Depth 3 does not reach that far.
    let position = parse("b:f8,g8,h6,h7 w:c3,d12,l4,m13 b");
    let seen = answer("new-heuristic(book=off)", &position);
    assert_eq!(seen, ("h8".to_owned(), Some(Score::win_in(5))));
    assert!(answer("minimax", &position).1.is_some_and(|score| score < Score::win_in(100)));
}

#[test]
fn compositions_attack_at_depth_1_and_defend_at_depth_2() {
    // Both sides have an H3. One ply on, Black's H4 (10000) stands against White's H3 (10 x 200).
    // Two plies on, White would answer with its own H4 (10 x 10000), so Black takes away one end:
    // White makes a C4 of it (10 x 500), and Black's H3 (200) is still there.
    let position = parse("b:g8,h8,i8 w:c3,d3,e3 b");
    let (attack, value) = answer("compositions-d1", &position);
    assert!(["f8", "j8"].contains(&attack.as_str()), "{attack}");
    assert_eq!(value, Some(Score::new(8_000)));
    let (block, value) = answer("compositions", &position);
    assert!(["b3", "f3"].contains(&block.as_str()), "{block}");
    assert_eq!(value, Some(Score::new(-4_800)));
}

#[test]
fn monte_carlo_visits_by_the_upper_confidence_bound() {
    // Two points are left: e1 wins at once, c3 leads to a draw. Each is tried once. After that the
    // mean plus 1.4 * sqrt(ln N / n) decides: e1 with N = 2 (the mean alone differs), e1 with N = 3
    // (1 + 1.04 against 0.5 + 1.47), c3 with N = 4 (1 + 0.95 against 0.5 + 1.65).
    let rows = ["BBBB.", "WBWBW", "BW.WB", "WBWBW", "BWBWW"];
    let mut board = gomoku::Board::new(5);
    for (row, cells) in rows.iter().enumerate() {
        for (col, cell) in cells.bytes().enumerate() {
            let point = gomoku::Point::new(col as u8, row as u8);
            match cell {
                b'B' => board.place(point, Color::Black),
                b'W' => board.place(point, Color::White),
                _ => {}
            }
        }
    }
    let position = Position::from_board(Rule::Freestyle, board, Color::Black);
    let visits = |spec: &str| -> Vec<(String, u64, Option<Score>)> {
        let choice = choose(&mut *build(spec), &position, Limits::default());
        let row = |c: &player::Candidate| (c.point.to_string(), c.nodes, c.score);
        choice.candidates.iter().map(row).collect()
    };
    let row = |point: &str, n, value| (point.to_owned(), n, Some(Score::new(value)));
    assert_eq!(visits("fan-yuan-mcts(budget=5)"), [row("e1", 3, 1000), row("c3", 2, 0)]);
    assert_eq!(visits("fan-yuan-mcts(budget=4)"), [row("e1", 3, 1000), row("c3", 1, 0)]);
    // Without weight on the unexplored, the better mean is all that counts.
    let greedy = visits("fan-yuan-mcts(budget=9, constant=0)");
    assert_eq!(greedy, [row("e1", 8, 1000), row("c3", 1, 0)]);
}

#[test]
fn gus_sum_adds_the_points_around_a_stone() {
    // Each of the eight neighbors of a lone stone makes a live two of it, 50.
    assert_eq!(value("points", "b:h8 w: b"), 8 * 50);
    assert_eq!(value("points(of=max)", "b:h8 w: b"), 50);
}

#[test]
fn figueira_tried_points_beside_own_stones_first() {
    let position = parse("b:k11 w:c3 b");
    let first = |spec: &str| explain(spec, &position).candidates[0].point.to_string();
    assert_eq!(first("open-ends"), "b2");
    assert_eq!(first("open-ends(order=near-own)"), "j10");
}

#[test]
fn xies_table_orders_by_the_larger_of_both_sides() {
    // f8 and j8 complete lines that hold three own stones; nothing else does. Without the table the
    // candidates come as they lie on the board.
    let position = parse("b:g8,h8,i8 w:c3 b");
    for player in ["static-table", "static-table-optimized"] {
        let order = |spec: &str| -> Vec<String> {
            explain(spec, &position).candidates.iter().map(|c| c.point.to_string()).collect()
        };
        let mut first = order(player)[..2].to_vec();
        first.sort();
        assert_eq!(first, ["f8", "j8"], "{player}");
        assert_eq!(order(&format!("{player}(static=off, width=0)"))[0], "b2", "{player}");
    }
}
