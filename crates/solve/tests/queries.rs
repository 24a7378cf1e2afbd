//! Shortest wins, winning first moves, defenses and records, against what can be counted by hand or
//! by trying everything.

mod common;

use gomoku::{
    Color, Position, Rule,
    record::{Format, Hint, read, write},
    with_rule,
};
use player::{Limits, Unwatched};
use solve::{Decision, Finding, Kind, Solver};

fn freestyle(text: &str) -> Position {
    Position::parse(text, Rule::Freestyle, 15).unwrap()
}

fn names(points: impl IntoIterator<Item = gomoku::Point>) -> Vec<String> {
    points.into_iter().map(|point| point.to_string()).collect()
}

/// Whether the attacker, to move, makes five within so many plies: every move, every reply.
fn wins_within(position: &mut Position, attacker: Color, plies: u32) -> bool {
    if plies == 0 || position.outcome().is_some() {
        return false;
    }
    let attacking = position.to_move() == attacker;
    let mut tried = position.legal_points().iter().map(|point| {
        let outcome = position.play(point).expect("a legal point");
        let wins = outcome.and_then(gomoku::Outcome::winner) == Some(attacker)
            || outcome.is_none() && wins_within(position, attacker, plies - 1);
        position.undo();
        wins
    });
    if attacking { tried.any(|wins| wins) } else { tried.all(|wins| wins) }
}

#[test]
fn an_open_three_wins_in_three_and_nothing_is_shorter() {
    let position = freestyle("h8h9i8i9j8a1");
    let mut solver = Solver::new(1);
    let found =
        solver.shortest(&position, Color::Black, Kind::Vct, &Limits::nodes(100_000), &Unwatched);
    assert!(found.is_shortest);
    assert_eq!(found.answer.win().unwrap().plies, 3);
}

#[test]
fn shortest_wins_are_shortest() {
    let mut seen = [0; 2];
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        with_rule!(rule, R => for seed in 0..24 {
            let position = common::scatter::<R>(7, 20 + seed as usize % 8, seed);
            let attacker = position.to_move();
            let found = Solver::new(1).shortest(
                &position, attacker, Kind::Vct, &Limits::nodes(100_000), &Unwatched,
            );
            let Finding::Win(win) = &found.answer.finding else { continue };
            verify::check(&win.proof().bytes).unwrap_or_else(|fault| panic!("{fault}"));
            assert!(found.is_shortest);
            if win.plies <= 3 {
                let shorter = wins_within(&mut position.clone(), attacker, win.plies - 1);
                assert!(!shorter, "{rule} {} is won in fewer than {}", position.to_text(), win.plies);
                seen[usize::from(win.plies == 3)] += 1;
            }
        });
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

#[test]
fn every_winning_first_move_is_found() {
    let position = freestyle("h8h9i8i9j8a1");
    let moves =
        Solver::new(1).first_moves(&position, Kind::Vcf, &Limits::nodes(10_000), &Unwatched);
    let winning = moves.iter().filter(|(_, answer)| answer.win().is_some());
    let winning = names(winning.map(|&(point, _)| point));
    assert!(
        winning.contains(&"g8".to_owned()) && winning.contains(&"k8".to_owned()),
        "{winning:?}"
    );
    for (point, answer) in &moves {
        if let Some(win) = answer.win() {
            assert_eq!(win.point(), Some(*point));
            verify::check(&win.proof().bytes).unwrap_or_else(|fault| panic!("{fault}"));
        }
    }
}

/// White's four at h5 can only be stopped on a point where Black would have six in a row.
#[test]
fn white_wins_where_black_may_not_block() {
    let text = "b:g8,f8,e8,i8,j8 w:h7,h6,h5,h4,a1 w";
    let position = Position::parse(text, Rule::Renju, 15).unwrap();
    let limits = Limits::nodes(1000);
    let answer = Solver::new(1).solve(&position, Color::White, Kind::Vcf, &limits, &Unwatched);
    let win = answer.win().expect("a five or an unstoppable four");
    verify::check(&win.proof().bytes).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn a_tree_is_written_as_a_record_that_can_be_read() {
    let position = freestyle("h8h9i8i9j8a1");
    let limits = Limits::nodes(1000);
    let answer = Solver::new(1).solve(&position, Color::Black, Kind::Vcf, &limits, &Unwatched);
    let record = answer.win().unwrap().tree.record();
    let sgf = write(std::slice::from_ref(&record), Format::Sgf).unwrap();
    let again = read(&sgf, &Hint::default()).unwrap().remove(0);
    assert_eq!(again.len(), record.len());
    assert!(again.leaves().count() >= 2);
}

#[test]
fn decisions_are_read_back() {
    let text = "b:h8,g9 w:o14,o15 b f8";
    let decision = Decision::parse(text, Rule::Freestyle, 15).unwrap();
    assert_eq!(Decision::parse(&decision.to_text(), Rule::Freestyle, 15), Ok(decision));
    for bad in ["", "f8", "b:h8 w:a1 b h8", "b:h8 w:a1 b", "nonsense here"] {
        assert!(Decision::parse(bad, Rule::Freestyle, 15).is_err(), "{bad}");
    }
}
