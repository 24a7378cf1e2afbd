//! The papers' drawings of pruning, limits in the middle of a search, and what is remembered.

mod common;

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use common::{build, choose, game, random_position};
use gomoku::{Point, Position, Rule};
use lab::{
    faster::{MoveList, Shortcuts},
    search::{AlphaBeta, Control, Minimax, Switches},
    tree::{Over, SearchTree},
};
use player::{Bound, Limits, PlayerReply, Reason, Score, Stored, Task, Unwatched, Watch};

/// A tree as a paper draws it. Move number `i` is the point in column `i` of the bottom row.
enum Drawn {
    Leaf(i64),
    Branch(Vec<Drawn>),
}

struct Drawing<'a> {
    root: &'a Drawn,
    path: Vec<usize>,
    visited: Cell<Vec<i64>>,
}

impl Drawing<'_> {
    fn at(&self, path: &[usize]) -> &Drawn {
        path.iter().fold(self.root, |node, &i| match node {
            Drawn::Branch(children) => &children[i],
            Drawn::Leaf(_) => panic!("a leaf has no moves"),
        })
    }
}

impl SearchTree for Drawing<'_> {
    fn moves(&mut self, moves: &mut MoveList) {
        moves.clear();
        if let Drawn::Branch(children) = self.at(&self.path) {
            (0..children.len()).for_each(|i| moves.push(Point::new(i as u8, 0)));
        }
    }

    fn over(&self, _point: Point) -> Option<Over> {
        None
    }

    fn play(&mut self, point: Point) {
        self.path.push(point.col() as usize);
    }

    fn undo(&mut self, _point: Point) {
        self.path.pop();
    }

    fn value(&mut self) -> i64 {
        0
    }

    fn value_after(&mut self, point: Point) -> i64 {
        let mut path = self.path.clone();
        path.push(point.col() as usize);
        let Drawn::Leaf(value) = *self.at(&path) else { panic!("the drawing is deeper") };
        let mut visited = self.visited.take();
        visited.push(value);
        self.visited.set(visited);
        if self.is_maximizing() { value } else { -value }
    }

    fn key(&self) -> u64 {
        self.path.iter().fold(1, |key, &i| 31 * key + i as u64)
    }

    fn key_after(&self, point: Point) -> u64 {
        31 * self.key() + u64::from(point.col())
    }

    fn is_maximizing(&self) -> bool {
        self.path.len().is_multiple_of(2)
    }
}

impl Shortcuts for Drawing<'_> {}

fn leaves(values: &[i64]) -> Drawn {
    Drawn::Branch(values.iter().map(|&value| Drawn::Leaf(value)).collect())
}

/// Value, best move, leaves in the order they were looked at, cut-offs.
fn solve(root: &Drawn) -> (i64, Option<Point>, Vec<i64>, u64) {
    let infinite = Score::INFINITE.value();
    let drawing = || Drawing { root, path: Vec::new(), visited: Cell::default() };
    let mut control = Control::new(&Limits::default(), None, &Unwatched);
    let (value, best) = Minimax::default().solve(&mut drawing(), 2, &mut control);
    let mut control = Control::new(&Limits::default(), None, &Unwatched);
    let mut tree = drawing();
    let mut search = AlphaBeta::new(Switches::PLAIN);
    let pruned = search.solve(&mut tree, 2, (-infinite, infinite), &mut control);
    assert_eq!(pruned, (value, best), "alpha-beta agrees with minimax");
    (value, best, tree.visited.take(), control.counters.cutoffs)
}

#[test]
fn liaos_figure_1_1_cuts_the_rest_of_b() {
    // a = 3; the first leaf of b shows b <= 2; its other leaves are never looked at.
    let root = Drawn::Branch(vec![leaves(&[3, 5]), leaves(&[2, 9, 7])]);
    assert_eq!(solve(&root), (3, Some(Point::new(0, 0)), vec![3, 5, 2], 1));
}

#[test]
fn xies_figure_1_leaves_g_unvisited() {
    // d = 3, e = -1, f = -4: the window of c closes and g is never looked at.
    let root = Drawn::Branch(vec![leaves(&[3, -1]), leaves(&[-4, 100])]);
    assert_eq!(solve(&root), (-1, Some(Point::new(0, 0)), vec![3, -1, -4], 1));
}

/// Stops after the stop flag has been asked for so many times.
struct StopAfter(AtomicU64);

impl Watch for StopAfter {
    fn stopped(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_err()
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn a_stop_inside_an_iteration_keeps_the_previous_answer() {
    let position = random_position(5, 8, Rule::Freestyle, 15);
    for spec in ["open-ends", "new-heuristic(book=off)", "static-table(deepening=on)"] {
        let mut n_cut_short = 0;
        for polls in [2, 5, 9, 20, 60] {
            let task = Task::new(position.clone(), Limits::depth(6));
            let choice = build(spec).choose(&task, &StopAfter(AtomicU64::new(polls)));
            let Some(last) = choice.iterations.last() else { continue };
            assert_eq!(choice.depth, last.depth, "{spec}");
            assert_eq!(choice.point(), Some(last.best), "{spec} stopped after {polls}");
            let whole = choose(&mut *build(spec), &position, Limits::depth(last.depth));
            assert_eq!(whole.point(), Some(last.best), "{spec} at depth {}", last.depth);
            let whole_nodes = last.counters.nodes;
            n_cut_short += usize::from(last.depth < 6 && choice.counters.nodes > whole_nodes);
        }
        assert!(n_cut_short >= 3, "{spec} was hardly ever stopped inside an iteration");
    }
}

#[test]
fn limits_on_nodes_and_evaluations_hold() {
    let position = random_position(6, 10, Rule::Freestyle, 15);
    for spec in
        ["minimax", "public-minimax", "alpha-beta", "new-heuristic(book=off)", "top12", "open-ends"]
    {
        let nodes = choose(&mut *build(spec), &position, Limits::nodes(500)).counters.nodes;
        assert!(nodes <= 500, "{spec} placed {nodes}");
        let counters = choose(&mut *build(spec), &position, Limits::evaluations(300)).counters;
        assert!(counters.evaluations <= 300, "{spec} made {}", counters.evaluations);
    }
    // The evaluations that put moves in order count as well: one for each point beside a stone.
    let alone = common::position("h8");
    let choice = choose(&mut *build("compositions-d1"), &alone, Limits::default());
    assert_eq!((choice.counters.nodes, choice.counters.evaluations), (4, 8 + 4));
}

#[test]
fn the_zobrist_cache_never_changes_a_move() {
    for seed in 0..12 {
        let position = random_position(seed, 6 + seed as usize, Rule::Freestyle, 15);
        for player in ["compositions", "alpha-beta"] {
            let with =
                choose(&mut *build(&format!("{player}(cache=on)")), &position, Limits::default());
            let without =
                choose(&mut *build(&format!("{player}(cache=off)")), &position, Limits::default());
            assert_eq!((with.reply, with.score), (without.reply, without.score));
            assert!(with.counters.evaluations <= without.counters.evaluations);
        }
    }
}

#[test]
fn best_paths_never_change_a_value_through_a_game() {
    let mut kept = build("new-heuristic(depth=4, book=off)");
    let start = random_position(3, 5, Rule::Freestyle, 15);
    let moves = game(&mut *build("greedy"), &mut *build("greedy"), start, Limits::default());
    let mut position = moves.start.clone();
    for &point in moves.moves().iter().take(12) {
        let with = choose(&mut *kept, &position, Limits::default());
        let mut plain = build("new-heuristic(depth=4, best-path=off, deepening=off, book=off)");
        assert_eq!(with.score, choose(&mut *plain, &position, Limits::default()).score);
        position.play(point).unwrap();
    }
}

#[test]
fn a_trace_shows_windows_and_cut_branches() {
    let position = random_position(8, 6, Rule::Freestyle, 15);
    let mut task = Task::new(position, Limits::depth(2));
    task.trace = true;
    let choice = build("alpha-beta(moves=near(1)|probability|top(6))").choose(&task, &Unwatched);
    let trace = choice.trace.unwrap();
    assert_eq!(trace.nodes[0].value, choice.score.map(Score::value));
    assert!(trace.nodes.iter().any(|node| node.n_cut > 0));
    assert!(trace.nodes[1..].iter().all(|node| node.window.is_some() && node.parent.is_some()));
    let whole = build("minimax(moves=near(1)|probability|top(6))").choose(&task, &Unwatched);
    let whole = whole.trace.unwrap();
    assert!(whole.nodes.len() > trace.nodes.len());
    assert_eq!(whole.nodes[0].value, trace.nodes[0].value);
}

#[test]
fn what_is_stored_survives_as_bytes() {
    let corner = Some(Point::new(0, 0));
    for stored in [
        Stored { value: -5, depth: 4, bound: Bound::AtMost, best: corner },
        Stored { value: 1 << 39, depth: 1, bound: Bound::Exact, best: None },
    ] {
        let bytes = stored.to_bytes();
        assert_eq!(Stored::from_bytes(&bytes), Some(stored));
        assert_eq!(Stored::from_bytes(&bytes[1..]), None);
        assert_eq!(Stored::from_bytes(&[&bytes[..14], &[3]].concat()), None);
    }
}

#[test]
fn tasks_restrict_the_root() {
    let position = random_position(2, 6, Rule::Freestyle, 15);
    let far = Point::new(0, 0);
    for name in ["greedy", "minimax", "alpha-beta", "fan-yuan-mcts(budget=200)", "random"] {
        let mut task = Task::new(position.clone(), Limits::depth(1));
        task.only = vec![far];
        assert_eq!(build(name).choose(&task, &Unwatched).point(), Some(far), "{name}");
        let mut task = Task::new(position.clone(), Limits::depth(1));
        let first = build(name).choose(&task, &Unwatched).point().unwrap();
        task.exclude = vec![first];
        assert_ne!(build(name).choose(&task, &Unwatched).point(), Some(first), "{name}");
    }
}

#[test]
fn several_best_moves_have_exact_values() {
    let position = random_position(4, 8, Rule::Freestyle, 15);
    let mut task = Task::new(position, Limits::depth(2));
    task.multi_pv = 3;
    let some = build("alpha-beta").choose(&task, &Unwatched);
    let all = build("minimax").choose(&task, &Unwatched);
    for (found, exact) in some.candidates.iter().zip(&all.candidates).take(3) {
        assert_eq!(found.score, exact.score);
    }
}

#[test]
fn one_empty_point_and_odd_set_ups_are_no_trouble() {
    // Columns in pairs of two: nobody has five in a row.
    let mut board = gomoku::Board::new(7);
    for point in Point::all(7).filter(|&point| point != Point::new(3, 3)) {
        let black = (point.col() / 2 + point.row()) % 2 == 0;
        board.place(point, if black { gomoku::Color::Black } else { gomoku::Color::White });
    }
    let names: Vec<_> = common::registry().players().map(|info| info.name).collect();
    for name in names {
        for rule in Rule::ALL {
            for to_move in gomoku::Color::ALL {
                let position = Position::from_board(rule, board, to_move);
                assert_eq!(position.outcome(), None);
                let choice = choose(&mut *build(name), &position, Limits::nodes(100));
                match choice.reply {
                    PlayerReply::Move(point) => assert!(position.is_legal(point), "{name}"),
                    _ => assert!(position.legal_points().is_empty(), "{name}"),
                }
                let odd = Position::parse("b:a1,c3,d3 w: b", rule, 7).unwrap();
                let choice = choose(&mut *build(name), &odd, Limits::nodes(100));
                assert!(odd.is_legal(choice.point().unwrap()), "{name}");
            }
        }
    }
}

#[test]
fn the_book_opens_with_the_named_openings() {
    let mut player = build("new-heuristic");
    player.new_game(11);
    let second = choose(&mut *player, &common::position("h8"), Limits::default());
    assert!(matches!(second.reason, Reason::Book(_)));
    assert_eq!(second.point().unwrap().distance(Point::center(15)), 1);
    let third = choose(&mut *player, &common::position("h8h9"), Limits::default());
    assert!(matches!(third.reason, Reason::Book(_)));
    assert!(third.point().unwrap().distance(Point::center(15)) <= 2);
    let without = choose(
        &mut *build("new-heuristic(book=off, depth=2)"),
        &common::position("h8"),
        Limits::default(),
    );
    assert_eq!(without.reason, Reason::Search);
}
