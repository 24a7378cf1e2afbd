//! Other ways to read the papers: each switch changes what it says, and nothing else.

mod common;

use common::{build, choose, position, random_position, registry};
use gomoku::{Color, Point, Position, Rule};
use player::{Candidate, Choice, Limits, Player, Reason, Score, Task, Unwatched};

fn ask(spec: &str, position: &Position) -> Choice {
    choose(&mut *build(spec), position, Limits::default())
}

/// What must not change when a switch does not apply.
fn essence(choice: Choice) -> (Option<Point>, Option<Score>, Reason, u64, u64) {
    let counters = choice.counters;
    (choice.point(), choice.score, choice.reason, counters.nodes, counters.evaluations)
}

fn refused(spec: &str) -> String {
    match registry().build(spec) {
        Ok(_) => panic!("{spec} was accepted"),
        Err(error) => error.to_string(),
    }
}

fn with_to_move(position: &Position, color: Color) -> Position {
    Position::from_board(position.rule(), *position.board(), color)
}

#[test]
fn a_program_that_takes_itself_for_white_plays_whites_moves() {
    let mut n_other = 0;
    for seed in 0..12 {
        let position = random_position(seed, 6 + seed as usize % 5, Rule::Freestyle, 15);
        let [as_black, as_white] = Color::ALL.map(|color| with_to_move(&position, color));
        let white = ask("public-minimax", &as_white);
        let black = ask("public-minimax", &as_black);
        n_other += usize::from(black.point() != white.point());
        let unswapped = ask("public-minimax(swapped=off)", &as_black);
        assert_eq!(essence(unswapped).0, white.point());
        assert_eq!(essence(ask("public-minimax(swapped=off)", &as_white)), essence(white));
    }
    assert!(n_other > 4, "{n_other}");
}

#[test]
fn a_program_that_takes_itself_for_white_stops_what_it_believes_to_win() {
    // Black could win at j8; White could at f3, and that is what it sees.
    let position = position("b:f8,g8,h8,i8,a3 w:e8,b3,c3,d3,e3,a12 b");
    let choice = ask("public-minimax", &position);
    assert_eq!((choice.point(), choice.reason), ("j8".parse().ok(), Reason::Win));
    let choice = ask("public-minimax(swapped=off)", &position);
    assert_eq!((choice.point(), choice.reason), ("f3".parse().ok(), Reason::Block));
}

#[test]
fn without_an_end_a_five_is_worth_what_the_evaluation_says() {
    // At depth 1 the five at j8 is a win, or 100000 and what else Black's stones are worth.
    let four = position("b:f8,g8,h8,i8 w:e8,c3,d12,l3 b");
    let won = ask("alpha-beta(depth=1)", &four);
    assert_eq!(won.score, Some(Score::win_in(1)));
    for player in ["alpha-beta", "minimax", "new-heuristic(book=off)"] {
        let spec = match player.strip_suffix(')') {
            Some(open) => format!("{open}, depth=1, terminal=off)"),
            None => format!("{player}(depth=1, terminal=off)"),
        };
        let judged = ask(&spec, &four);
        assert_eq!(judged.point(), won.point(), "{spec}");
        assert_eq!(judged.score, Some(Score::new(100_000)), "{spec}");
    }
    // Both sides have a four and Black moves: it wins by the rules. When play goes on, White's five
    // comes after Black's and the two cancel.
    let both = position("b:f8,g8,h8,i8 w:e8,b3,c3,d3,e3,a12 b");
    assert_eq!(ask("minimax(depth=2)", &both).score, Some(Score::win_in(1)));
    let value = ask("minimax(depth=2, terminal=off)", &both).score.unwrap();
    assert!(value < Score::new(50_000), "{value:?}");
}

#[test]
fn where_nobody_gets_five_the_end_does_not_matter() {
    for seed in 0..8 {
        // Four stones: no five within three plies.
        let position = random_position(seed, 4, Rule::Freestyle, 15);
        for player in ["minimax(depth=2", "alpha-beta(depth=3", "top12(depth=3"] {
            let on = ask(&format!("{player})"), &position);
            assert_eq!(essence(ask(&format!("{player}, terminal=off)"), &position)), essence(on));
        }
    }
}

#[test]
fn the_quotient_in_alpha_beta_is_the_public_programs() {
    let text = include_str!("data/public_minimax.txt");
    let answers = text.lines().filter(|line| !line.starts_with('#') && !line.contains(" win "));
    let mut n_same_move = 0;
    for answer in answers.clone() {
        let position = position(answer.split(' ').next().unwrap());
        let public = ask("public-minimax", &position);
        let spec = "alpha-beta(depth=3, eval=ratio, moves=near(1)|rows, terminal=off)";
        let choice = ask(spec, &position);
        assert_eq!(choice.score, public.score, "{answer}");
        n_same_move += usize::from(choice.point() == public.point());
    }
    // Quotients that share their leading bits are equal here.
    assert!(n_same_move + 3 >= answers.count(), "{n_same_move}");
}

/// A second move of a game, when the opponent answers as the first search expected.
struct Followed {
    player: Box<dyn Player>,
    position: Position,
    /// The move that was expected next.
    expected: Point,
}

fn followed(spec: &str, start: &Position) -> Option<Followed> {
    let mut player = build(spec);
    player.new_game(0);
    let first = choose(&mut *player, start, Limits::default());
    let line = &first.candidates[0].line;
    let &[own, reply, expected, ..] = &line[..] else { return None };
    let mut position = start.clone();
    position.play(own).unwrap();
    position.play(reply).unwrap();
    Some(Followed { player, position, expected })
}

fn points(candidates: &[Candidate]) -> Vec<Point> {
    let mut points: Vec<_> = candidates.iter().map(|candidate| candidate.point).collect();
    points.sort_by_key(|point| point.index());
    points
}

const PATH: &str = "new-heuristic(book=off, depth=4, width=12, deepening=off, best-path";

#[test]
fn each_form_of_the_best_path_excludes_what_it_says() {
    let mut n_fewer = [0; 3];
    for seed in 0..12 {
        let start = random_position(seed, 5, Rule::Freestyle, 15);
        for (number, form) in ["exclude", "exclude-on-path", "exclude-less"].iter().enumerate() {
            let Some(mut followed) = followed(&format!("{PATH}={form})"), &start) else { continue };
            let all = build(&format!("{PATH}={form})")).explain(&followed.position).candidates;
            let place = all.iter().position(|one| one.point == followed.expected).unwrap();
            let least = all[place].probability;
            let kept: Vec<Candidate> = match *form {
                "exclude-less" => {
                    all.iter().filter(|one| one.probability >= least).cloned().collect()
                }
                _ => all[..=place].to_vec(),
            };
            let searched =
                choose(&mut *followed.player, &followed.position, Limits::default()).candidates;
            if kept.len() > 1 {
                assert_eq!(points(&searched), points(&kept), "{form} {}", start.to_text());
            }
            n_fewer[number] += usize::from(kept.len() < all.len());
        }
    }
    assert!(n_fewer.iter().all(|&n| n > 2), "{n_fewer:?}");
}

#[test]
fn a_path_that_was_left_excludes_nothing() {
    for seed in 0..8 {
        let start = random_position(seed, 5, Rule::Freestyle, 15);
        let mut players =
            ["order", "exclude-on-path"].map(|form| build(&format!("{PATH}={form})")));
        let firsts =
            players.each_mut().map(|player| choose(&mut **player, &start, Limits::default()));
        let line = firsts[0].candidates[0].line.clone();
        let mut position = start.clone();
        position.play(line[0]).unwrap();
        let other = position.legal_points().iter().find(|point| Some(point) != line.get(1));
        position.play(other.unwrap()).unwrap();
        let seconds =
            players.each_mut().map(|player| choose(&mut **player, &position, Limits::default()));
        for [order, on_path] in [firsts, seconds] {
            assert_eq!(essence(on_path), essence(order), "{}", start.to_text());
        }
    }
}

#[test]
fn a_reversed_order_costs_more_and_changes_no_value() {
    let order = |moves: &str, position: &Position| -> Vec<Point> {
        let candidates = build(&format!("alpha-beta(moves={moves})")).explain(position).candidates;
        candidates.iter().map(|candidate| candidate.point).collect()
    };
    let (mut forward, mut backward) = (0, 0);
    for seed in 0..8 {
        let position = random_position(seed, 8, Rule::Freestyle, 15);
        for moves in ["near(1)|probability|top(10)", "near(1)|point-value|top(10)"] {
            let mut reversed = order(&format!("{moves}|reverse"), &position);
            reversed.reverse();
            assert_eq!(reversed, order(moves, &position));
            let best = ask(&format!("alpha-beta(moves={moves})"), &position);
            let worst = ask(&format!("alpha-beta(moves={moves}|reverse)"), &position);
            assert_eq!(worst.score, best.score, "{moves}");
            forward += best.counters.nodes;
            backward += worst.counters.nodes;
        }
    }
    assert!(backward > 2 * forward, "{backward} nodes backward and {forward} forward");
}

#[test]
fn the_versions_without_pruning_are_minimax() {
    for seed in 0..6 {
        let position = random_position(seed, 7, Rule::Freestyle, 11);
        for (plain, minimax) in [
            (
                "top12(search=minimax, value=max, depth=2, time=0)",
                "minimax(depth=2, eval=points(of=max), moves=near(1)|point-value|top(12))",
            ),
            (
                "open-ends(search=minimax, moves=all, forced=off, depth=2, time=0)",
                "minimax(depth=2, eval=open-ends, moves=all)",
            ),
            ("alpha-beta(search=minimax, terminal=off)", "minimax(terminal=off)"),
        ] {
            let wanted = essence(ask(minimax, &position));
            assert_eq!(essence(ask(plain, &position)), wanted, "{plain}");
            let pruned = ask(&plain.replace("minimax", "alpha-beta"), &position);
            assert_eq!((pruned.point(), pruned.score), (wanted.0, wanted.1), "{plain}");
            assert!(pruned.counters.nodes < wanted.3, "{plain}");
        }
    }
}

#[test]
fn fail_hard_answers_the_same_within_its_windows() {
    let mut n_clipped = 0;
    for seed in 0..6 {
        let position = random_position(seed, 8, Rule::ALL[seed as usize % 3], 11);
        let traced = |search: &str| {
            let spec = format!("top12(search={search}, depth=3, width=6, time=0)");
            let task = Task { trace: true, ..Task::new(position.clone(), Limits::default()) };
            build(&spec).choose(&task, &Unwatched)
        };
        let (soft, hard) = (traced("alpha-beta"), traced("fail-hard"));
        let (soft_tree, hard_tree) = (soft.trace.clone().unwrap(), hard.trace.clone().unwrap());
        assert_eq!(essence(hard), essence(soft));
        // A child is searched in its parent's window, from the same side's view.
        let inner = |n: usize| hard_tree.nodes.iter().any(|node| node.parent == Some(n as u32));
        for (n, (hard, soft)) in hard_tree.nodes.iter().zip(&soft_tree.nodes).enumerate() {
            let (Some((alpha, beta)), Some(value)) = (hard.window, hard.value) else { continue };
            if inner(n) {
                assert!((alpha..=beta).contains(&value), "{value} in {alpha} to {beta}");
            }
            n_clipped += usize::from(hard.value != soft.value);
        }
    }
    assert!(n_clipped > 20, "{n_clipped}");
    // With values remembered, weaker bounds settle less.
    let position = random_position(3, 9, Rule::Freestyle, 15);
    let table = |search: &str| {
        let moves = "near(1)|board|top(10)";
        ask(&format!("alpha-beta(search={search}, table=on, depth=4, moves={moves})"), &position)
    };
    let (soft, hard) = (table("alpha-beta"), table("fail-hard"));
    assert_eq!((hard.point(), hard.score), (soft.point(), soft.score));
    assert!(hard.counters.nodes >= soft.counters.nodes);
}

#[test]
fn switches_that_do_not_go_together_are_refused() {
    assert!(refused("alpha-beta(best-path=exclude-less)").contains("'probability'"));
    for form in ["exclude", "exclude-on-path", "exclude-less"] {
        assert!(refused(&format!("new-heuristic(best-path={form}, database=on)")).contains(form));
        let spec = format!("new-heuristic(best-path={form}, search=minimax)");
        assert!(refused(&spec).contains("excludes"));
    }
    assert!(refused("top12(search=minimax, database=on)").contains("database=on"));
    assert!(refused("greedy(terminal=off)").contains("no parameter 'terminal'"));
    assert!(refused("alpha-beta(swapped=off)").contains("no parameter 'swapped'"));
}

#[test]
fn gus_evaluators_sort_by_the_larger_the_smaller_or_one_of_them() {
    // At f8 Black (A) makes an open four, at c4 White (B) an open three; at l5 both make a two.
    let position = Position::parse("b:g8,h8,i8,k11 w:c2,c3,m6,k12 b", Rule::Freestyle, 15).unwrap();
    for (by, first, value) in [
        ("larger", "f8", 10_000.0),
        ("smaller", "l5", 50.0),
        ("a", "f8", 10_000.0),
        ("b", "c4", 800.0),
    ] {
        let explained = build(&format!("top12(evaluators={by})")).explain(&position);
        assert_eq!(explained.candidates[0].point.to_string(), first, "{by}");
        let by_points = explained.points.iter().map(|point| match by {
            "larger" => point.black.max(point.white),
            "smaller" => point.black.min(point.white),
            "a" => point.black,
            _ => point.white,
        });
        assert_eq!(by_points.fold(0.0, f64::max), value, "{by}");
        let stages = format!("near(1)|point-value(of={by})|top(12)");
        let alike = build(&format!("top12(moves={stages})")).explain(&position);
        assert_eq!(alike.candidates, explained.candidates, "{by}");
    }
}
