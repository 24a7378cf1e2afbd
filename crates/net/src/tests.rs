//! A network of chance numbers: kept against recomputed, wide against plain, symmetries, files.

use gomoku::{
    Board, ByColor, Color, Direction, Field, Observer, Point, PointSet, Rule, Rules, Shapes,
    Symmetry, with_rule, zobrist::split_mix,
};

use super::*;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = split_mix(self.0);
        (self.0 % n as u64) as usize
    }

    fn within(&mut self, most: i16) -> i16 {
        self.below(2 * most as usize + 1) as i16 - most
    }

    fn row(&mut self, most: i16) -> Row {
        Row(std::array::from_fn(|_| self.within(most)))
    }
}

/// A side whose rows that are their own twins have their numbers twice, as trained ones do.
fn side(seed: u64) -> Side {
    let random = &mut Random(seed);
    let mut side = Side::zero();
    for row in 0..rows_in_use() {
        let twin = row % 2 == 1 && is_own_twin(row as u16);
        let new = (random.row(100), random.row(100));
        let before = row.saturating_sub(1);
        side.value_rows[row] = if twin { side.value_rows[before] } else { new.0 };
        side.move_rows[row] = if twin { side.move_rows[before] } else { new.1 };
    }
    (side.value_bias, side.move_bias) = (random.row(40), random.row(40));
    for (dense, most) in [(&mut side.first, 900), (&mut side.second, 2_000)] {
        dense.weights.iter_mut().for_each(|row| *row = random.row(most));
        dense.bias.iter_mut().for_each(|bias| *bias = i32::from(random.within(9_000)) * 16);
    }
    side.last = random.row(3_000);
    side.last_bias = i32::from(random.within(9_000));
    side.spread = std::array::from_fn(|_| std::array::from_fn(|_| random.within(4_000)));
    side.spread_bias = std::array::from_fn(|_| random.within(100));
    side.move_weights = random.row(2_000);
    for part in side.tables.parts_mut() {
        part.iter_mut().for_each(|number| *number = random.within(60));
    }
    side
}

fn network(rule: Rule) -> Network {
    let n_sides = if rule == Rule::Renju { 2 } else { 1 };
    Network::new(rule, (0..n_sides).map(|i| side(7 + i)).collect())
}

/// Keeps nothing but rows.
struct Keep<'a>(&'a mut Cells);

impl Observer for Keep<'_> {
    fn changed(&mut self, _: Color, _: Point, _: Shapes, _: Shapes) {}
    fn occupied(&mut self, _: Point, _: ByColor<Shapes>) {}
    fn emptied(&mut self, _: Point, _: ByColor<Shapes>) {}
    fn window_changed(&mut self, point: Point, direction: Direction, window: u16) {
        self.0.window_changed(point, direction, window);
    }
}

fn wander<R: Rules>(size: u8) {
    let network = network(R::RULE);
    let random = &mut Random(u64::from(size));
    let mut field = Field::<R>::new(size);
    let mut cells = Cells::of(&field);
    let pools = |field: &Field<R>, cells: &Cells| {
        Color::ALL.map(|us| network.pool(us, cells, &field.board().empty(), size))
    };
    let mut kept = vec![pools(&field, &cells)];
    assert_eq!(kept[0], [Pool::ZERO; 2]);
    for _ in 0..120 {
        let empty = field.board().empty();
        if kept.len() > 1 && (empty.is_empty() || random.below(3) == 0) {
            field.undo();
            cells.undo();
            kept.pop();
        } else {
            let point = empty.iter().nth(random.below(empty.len())).expect("there is room");
            cells.place(point);
            field.place_observed(point, &mut Keep(&mut cells));
            let before = kept.last().expect("the first one stays");
            kept.push(Color::ALL.map(|us| network.pool_after(us, &before[us as usize], &cells)));
        }
        let fresh = Cells::of(&field);
        for point in field.board().empty() {
            assert_eq!(cells.rows(point), fresh.rows(point));
        }
        assert_eq!(*kept.last().expect("the first one stays"), pools(&field, &fresh));
    }
}

#[test]
fn what_is_kept_is_what_is_computed_under_all_rules_and_sizes() {
    for rule in Rule::ALL {
        for size in [5, 9, 15, 22] {
            with_rule!(rule, R => wander::<R>(size));
        }
    }
}

#[test]
fn windows_are_what_a_walk_along_the_line_finds() {
    let position = gomoku::Position::parse("h8i9a1o15g7h9c3d3", Rule::Renju, 15).unwrap();
    let field = Field::<gomoku::Renju>::from_position(&position);
    for point in field.board().empty() {
        for direction in Direction::ALL {
            let steps = [-4, -3, -2, -1, 1, 2, 3, 4];
            let cell = |(i, step)| match field.board().look(point, direction, step) {
                Some(None) => 0,
                Some(Some(Color::Black)) => 1u16 << (2 * i),
                Some(Some(Color::White)) => 2u16 << (2 * i),
                None => 3u16 << (2 * i),
            };
            let walked = steps.into_iter().enumerate().map(cell).sum::<u16>();
            assert_eq!(field.window(point, direction), walked);
        }
    }
}

#[test]
fn wide_registers_change_nothing() {
    let network = network(Rule::Freestyle);
    let random = &mut Random(3);
    let mut field = Field::<gomoku::Freestyle>::new(15);
    let mut cells = Cells::of(&field);
    let (mut plain, mut wide) = (Moves::default(), Moves::default());
    for us in Color::ALL.repeat(15) {
        let empty = field.board().empty();
        let point = empty.iter().nth(random.below(empty.len())).unwrap();
        cells.place(point);
        field.place_observed(point, &mut Keep(&mut cells));
        let (side, empty) = (network.side(us), field.board().empty());
        kernel::check_twins(side, us, &cells, &empty, (&mut plain, &mut wide));
    }
}

#[test]
fn symmetries_and_colors_are_exact() {
    let network = network(Rule::Freestyle);
    let moves = ["h8", "i9", "g7", "h9", "h10", "f6", "j8", "c12"];
    let points: Vec<Point> = moves.iter().map(|text| text.parse().unwrap()).collect();
    let judge = |symmetry: Symmetry, first: Color| {
        let mut board = Board::new(15);
        for (i, &point) in points.iter().enumerate() {
            let color = if i % 2 == 0 { first } else { !first };
            board.place(symmetry.apply(point, 15), color);
        }
        let field = Field::<gomoku::Freestyle>::from_board(&board, first);
        let asked: Vec<Point> =
            board.empty().iter().map(|point| symmetry.inverse().apply(point, 15)).collect();
        let scores = network.policy(&field, &board.empty());
        let mut scores: Vec<(Point, i32)> = asked.into_iter().zip(scores).collect();
        scores.sort();
        (network.evaluate(&field), scores)
    };
    let expected = judge(Symmetry::IDENTITY, Color::Black);
    assert_ne!(expected.0, 0);
    for symmetry in Symmetry::all() {
        for first in Color::ALL {
            assert_eq!(judge(symmetry, first), expected);
        }
    }
}

#[test]
fn a_file_comes_back_and_a_damaged_one_is_refused() {
    for rule in [Rule::Standard, Rule::Renju] {
        let network = network(rule);
        let bytes = network.to_bytes();
        let read = Network::from_bytes(&bytes).unwrap();
        assert_eq!((read.rule(), read.sides()), (rule, network.sides()));
        let random = &mut Random(5);
        for _ in 0..20 {
            let mut damaged = bytes.clone();
            let at = random.below(damaged.len());
            damaged[at] ^= 1 << random.below(8);
            let same = Network::from_bytes(&damaged).is_ok_and(|n| n.sides() == network.sides());
            assert!(!same || at == 8, "byte {at}"); // byte 8 is the rule
            assert!(Network::from_bytes(&bytes[..at]).is_err());
        }
    }
    assert_eq!(Network::from_bytes(b"no").err(), Some(FileError::NotANetwork));
    let mut large = side(1);
    large.first.weights.fill(Row([i16::MAX; CHANNELS]));
    let bytes = Network::new(Rule::Caro, vec![large]).to_bytes();
    assert_eq!(Network::from_bytes(&bytes).err(), Some(FileError::OutOfRange));
}

#[test]
fn scores_do_not_depend_on_what_else_is_asked() {
    let network = network(Rule::Freestyle);
    let position = gomoku::Position::parse("h8i9g7h9h10", Rule::Freestyle, 15).unwrap();
    let field = Field::<gomoku::Freestyle>::from_position(&position);
    let (cells, empty, us) = (Cells::of(&field), field.board().empty(), field.to_move());
    let mut moves = Moves::default();
    let all = network.policy(&field, &empty);
    for (point, score) in empty.iter().zip(all) {
        let alone: PointSet = [point].into_iter().collect();
        network.score_moves(us, &cells, &empty, (&alone, 15), &mut moves);
        let linear = tables::linear_policy(&field, point, &network.side(us).tables);
        assert_eq!(moves.score(point) + linear, score);
    }
}
