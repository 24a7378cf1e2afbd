//! The incremental board against a slow twin that walks cells and shares no table with it.

mod twin;

use gomoku::{
    Board, ByColor, Code, Color, Direction, Field, Observer, Point, PointSet, Position, Rule,
    Rules, Shape, Shapes, Symmetry, Threat, renju, with_rule, zobrist::split_mix,
};

use twin::{Twin, threat_of};

/// A seeded stream of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (split_mix(self.0) % n as u64) as usize
    }
}

/// Compares everything with the twin.
fn check_against_twin<R: Rules>(field: &Field<R>, twin: &mut Twin) {
    let board = field.board();
    for color in Color::ALL {
        let mut sets = [PointSet::EMPTY; Threat::COUNT];
        for point in Point::all(field.size()) {
            if board.get(point).is_some() {
                assert_eq!(field.shapes(color, point), Shapes::NONE);
                assert_eq!(field.threat(color, point), Threat::None);
                continue;
            }
            let shapes = Direction::ALL.map(|d| twin.shape(board, point, d, color));
            let found = field.shapes(color, point);
            assert_eq!(found.to_array(), shapes, "{color} on {point} of {field:?}");
            let threat = threat_of(R::RULE, color, shapes);
            assert_eq!(field.threat(color, point), threat, "{color} on {point} of {field:?}");
            assert_eq!(field.is_five(color, point), board.is_five(R::RULE, point, color));
            let mut sorted = shapes;
            sorted.sort_unstable();
            assert_eq!(field.code(color, point).shapes(), sorted);
            sets[threat as usize].insert(point);
        }
        for threat in Threat::ALL {
            let expected = sets[threat as usize];
            assert_eq!(field.find(color, threat), expected, "{color} {threat:?} of {field:?}");
            if threat.is_kept() {
                let kept = field.points(color, threat);
                assert_eq!(*kept, expected, "{color} {threat:?} of {field:?}");
            }
            assert_eq!(field.count(color, threat), expected.len());
            assert_eq!(field.has(color, threat), !expected.is_empty());
            let stronger = sets[threat as usize..].iter().fold(PointSet::EMPTY, |a, &b| a | b);
            assert_eq!(field.points_at_least(color, threat), stronger);
            assert_eq!(field.has_at_least(color, threat), !stronger.is_empty());
        }
    }
}

/// Compares everything that can be seen of two fields.
fn check_same<R: Rules>(a: &Field<R>, b: &Field<R>) {
    assert_eq!((a.board(), a.to_move(), a.key()), (b.board(), b.to_move(), b.key()));
    for color in Color::ALL {
        for point in Point::all(a.size()) {
            assert_eq!(a.shapes(color, point), b.shapes(color, point), "{color} {point} {a:?}");
            assert_eq!(a.threat(color, point), b.threat(color, point), "{color} {point} {a:?}");
        }
        for threat in Threat::ALL.into_iter().filter(|threat| threat.is_kept()) {
            assert_eq!(a.points(color, threat), b.points(color, threat), "{color} {threat:?}");
            assert_eq!(a.count(color, threat), b.count(color, threat), "{color} {threat:?}");
        }
    }
}

/// Numbers the codes of all empty points, kept by observation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Census(ByColor<Vec<i32>>);

impl Census {
    fn of<R: Rules>(field: &Field<R>) -> Census {
        Census(ByColor::new_with(|color| {
            let mut counts = vec![0; Code::COUNT];
            for point in field.board().empty() {
                counts[field.code(color, point).index()] += 1;
            }
            counts
        }))
    }

    fn add(&mut self, color: Color, shapes: Shapes, amount: i32) {
        self.0[color][shapes.code().index()] += amount;
    }
}

impl Observer for Census {
    fn changed(&mut self, color: Color, _: Point, old: Shapes, new: Shapes) {
        assert_ne!(old, new);
        self.add(color, old, -1);
        self.add(color, new, 1);
    }

    fn occupied(&mut self, _: Point, old: ByColor<Shapes>) {
        Color::ALL.into_iter().for_each(|color| self.add(color, old[color], -1));
    }

    fn emptied(&mut self, _: Point, new: ByColor<Shapes>) {
        Color::ALL.into_iter().for_each(|color| self.add(color, new[color], 1));
    }
}

/// An empty point, usually beside stones so that lines fill up.
fn pick<R: Rules>(field: &Field<R>, random: &mut Random) -> Option<Point> {
    let board = field.board();
    let near = board.occupied().grow(board.size()).grow(board.size()) - board.occupied();
    let among = if near.is_empty() || random.below(8) == 0 { board.empty() } else { near };
    let points: Vec<Point> = among.iter().collect();
    (!points.is_empty()).then(|| points[random.below(points.len())])
}

/// Plays, passes and takes back at random, observed and not, checking after every step.
fn wander<R: Rules>(size: u8, steps: usize, seed: u64, twin: &mut Twin) {
    let mut random = Random(seed);
    let mut field = Field::<R>::new(size);
    let mut census = Census::of(&field);
    let mut boards = vec![(*field.board(), field.to_move())];
    for step in 0..steps {
        match random.below(10) {
            0 | 1 if field.ply() > 0 => {
                field.undo_observed(&mut census);
                boards.pop();
            }
            2 => {
                field.pass();
                boards.push((*field.board(), field.to_move()));
            }
            _ => {
                let Some(point) = pick(&field, &mut random) else { break };
                field.place_observed(point, &mut census);
                boards.push((*field.board(), field.to_move()));
                assert_eq!(field.last_move(0), Some(point));
            }
        }
        assert_eq!(boards.last(), Some(&(*field.board(), field.to_move())));
        assert_eq!(boards.len(), field.ply() + 1);
        check_same(&field, &Field::from_board(field.board(), field.to_move()));
        if step % 4 == 0 {
            assert_eq!(census, Census::of(&field));
        }
        if step == steps / 2 {
            check_against_twin(&field, twin);
        }
    }
    check_against_twin(&field, twin);
    while field.ply() > 0 {
        field.undo();
    }
    check_same(&field, &Field::new(size));
}

#[test]
fn everything_kept_equals_everything_computed_on_all_rules_and_sizes() {
    for rule in Rule::ALL {
        let mut twin = Twin::new(rule);
        for size in 5..=22 {
            let steps = usize::from(size) * 3;
            with_rule!(rule, R => wander::<R>(size, steps, u64::from(size) << 32, &mut twin));
        }
    }
}

#[test]
fn crowded_boards_equal_the_twin() {
    for rule in Rule::ALL {
        let mut twin = Twin::new(rule);
        for seed in 0..8 {
            let mut random = Random(seed << 40);
            let mut board = Board::new(15);
            let (fill, black) = (20 + random.below(60), 20 + random.below(60));
            for point in Point::all(15) {
                if random.below(100) < fill {
                    let is_black = random.below(100) < black;
                    board.place(point, if is_black { Color::Black } else { Color::White });
                }
            }
            with_rule!(rule, R => {
                check_against_twin(&Field::<R>::from_board(&board, Color::Black), &mut twin);
            });
        }
    }
}

fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// The shape of Black's stone at the star, in one row of a 15x15 board.
fn shape_in_row(rule: Rule, row: &str) -> Shape {
    let cells: Vec<char> = row.chars().filter(|c| !c.is_whitespace()).collect();
    let at_edge = cells[0] == '|';
    let cells = if at_edge { &cells[1..] } else { &cells[..] };
    let first = if at_edge { 0 } else { 7 - cells.len() / 2 };
    let mut board = Board::new(15);
    let mut star = None;
    for (i, &cell) in cells.iter().enumerate() {
        let point = Point::new((first + i) as u8, 7);
        match cell {
            'X' => board.place(point, Color::Black),
            'O' => board.place(point, Color::White),
            '*' => star = Some(point),
            _ => {}
        }
    }
    with_rule!(rule, R => {
        let field = Field::<R>::from_board(&board, Color::Black);
        field.shapes(Color::Black, star.expect("the row has a star")).dir(Direction::East)
    })
}

#[test]
fn shapes_are_what_players_call_them() {
    use Rule::{Caro, CaroExact, Freestyle, Renju, Standard};
    let all = Rule::ALL.as_slice();
    let cases: &[(&[Rule], &str, Shape)] = &[
        (all, "X X X X *", Shape::Five),
        (all, "X X * X X", Shape::Five),
        (all, "| X X X * X", Shape::Five),
        (&[Freestyle, Caro], "X X X * X X", Shape::Five),
        (&[Standard, Renju, CaroExact], "X X X * X X", Shape::Overline),
        (&[Freestyle, Standard, Renju], "O X X X X * O", Shape::Five),
        (&[Caro, CaroExact], "O X X X X * O", Shape::None),
        (all, ". X X X * .", Shape::OpenFour),
        (all, "O X X X * .", Shape::Four),
        (all, "| X X X * .", Shape::Four),
        (all, "X X . X *", Shape::Four),
        (&[Freestyle, Standard, Renju], "O . X X X * . .", Shape::OpenFour),
        (&[Caro, CaroExact], "O . X X X * . .", Shape::Four),
        (&[Freestyle, Standard, Caro, CaroExact], "X . X * X . X", Shape::OpenFour),
        (&[Renju], "X . X * X . X", Shape::Overline),
        (all, ". . X X * . .", Shape::WideThree),
        (&[Freestyle, Standard, Renju], "O . X X * . . .", Shape::OpenThree),
        (all, ". X X . * .", Shape::OpenThree),
        (all, "O X X * . .", Shape::BlockedThree),
        (&[Standard, Renju, CaroExact], "X . . X X * . . X", Shape::BlockedThree),
        (all, ". . . X * . . .", Shape::BroadTwo),
        (all, ". . X . * . .", Shape::WideTwo),
        (all, ". . X . . * . .", Shape::FreeTwo),
        (&[Freestyle, Standard, Renju], "O . X * . . . O", Shape::FreeTwo),
        (&[Caro, CaroExact], "O . X * . . . O", Shape::BlockedTwo),
        (all, "O X * . . . .", Shape::BlockedTwo),
        (all, ". . . . * . . . .", Shape::FreeOne),
        (&[Freestyle, Standard, Renju], "O * . . . . O", Shape::BlockedOne),
        (&[Freestyle, Standard, Renju], "O . * . . O", Shape::None),
    ];
    for &(rules, row, expected) in cases {
        for &rule in rules {
            assert_eq!(shape_in_row(rule, row), expected, "{rule}: {row}");
        }
    }
}

/// The forbidden-point positions of `tests/rules.rs`: Black, White, forbidden.
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

fn forbidden_points<R: Rules>(field: &Field<R>) -> PointSet {
    field.board().empty().iter().filter(|&point| field.is_forbidden(point)).collect()
}

#[test]
fn forbidden_points_are_those_of_the_judge_in_every_symmetry() {
    for (black, white, expected) in VECTORS {
        let mut board = Board::new(15);
        points(black).into_iter().for_each(|p| board.place(p, Color::Black));
        points(white).into_iter().for_each(|p| board.place(p, Color::White));
        let missing = board.stones(Color::Black).len() - board.stones(Color::White).len();
        for filler in points("a1 a3 a5 a13 a15 o1 o3 o5 o13").into_iter().take(missing) {
            board.place(filler, Color::White);
        }
        for symmetry in Symmetry::all() {
            let image = board.transformed(symmetry);
            let expected: PointSet =
                points(expected).into_iter().map(|p| symmetry.apply(p, 15)).collect();
            let field = Field::<gomoku::Renju>::from_board(&image, Color::Black);
            assert_eq!(forbidden_points(&field), expected, "{symmetry:?} {image}");
            let free = Field::<gomoku::Freestyle>::from_board(&image, Color::Black);
            assert!(forbidden_points(&free).is_empty());
        }
    }
}

#[test]
fn forbidden_points_stay_exact_while_stones_come_and_go() {
    let mut random = Random(7);
    let mut field = Field::<gomoku::Renju>::new(15);
    for _ in 0..120 {
        // White passes often, so that black stones crowd together.
        match random.below(8) {
            0 if field.ply() > 0 => field.undo(),
            1 | 2 if field.to_move() == Color::White => field.pass(),
            _ => field.place(pick(&field, &mut random).expect("the board is not full")),
        }
        assert_eq!(forbidden_points(&field), renju::forbidden_points(field.board()), "{field:?}");
    }
}

#[test]
fn a_field_knows_the_moves_of_its_position() {
    let position = Position::parse("h8i9g9", Rule::Standard, 15).unwrap();
    let mut field = Field::<gomoku::Standard>::from_position(&position);
    assert_eq!((field.ply(), field.key()), (0, position.key()));
    assert_eq!(field.last_move(0), Some("g9".parse().unwrap()));
    field.place("a1".parse().unwrap());
    field.pass();
    assert_eq!(field.moves(), [Some("a1".parse().unwrap()), None]);
    let last: Vec<_> = (0..6).map(|back| field.last_move(back)).collect();
    let known = |text: &str| Some(text.parse().unwrap());
    assert_eq!(last, [None, known("a1"), known("g9"), known("i9"), known("h8"), None]);
}

#[test]
fn every_answer_to_a_five_is_found_and_no_other() {
    for rule in Rule::ALL {
        for seed in 0..6 {
            let mut random = Random(seed << 32 | 5);
            with_rule!(rule, R => {
                let mut field = Field::<R>::new(9);
                for _ in 0..40 {
                    if let Some(point) = pick(&field, &mut random) {
                        field.place(point);
                    }
                    check_defenses(&field);
                }
            });
        }
    }
}

fn check_defenses<R: Rules>(field: &Field<R>) {
    for color in Color::ALL {
        for five in *field.points(color, Threat::Five) {
            let stops = |answer: &Point| {
                let mut after = *field.board();
                after.place(*answer, !color);
                *answer == five || !after.is_five(R::RULE, five, color)
            };
            let expected: PointSet = field.board().empty().iter().filter(stops).collect();
            assert_eq!(field.defenses(color, five), expected, "{color} {five} {field:?}");
        }
    }
}
