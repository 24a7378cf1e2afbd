//! Problems with one winning move each; a test solves and verifies every one of them.

use gomoku::Rule;
use serde_json::{Value, json};

/// One a line: rule, board size, kind of win, plies of the shortest win found, stones and side.
const PUZZLES: &str = include_str!("../data/puzzles.txt");

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Puzzle {
    rule: Rule,
    size: u8,
    kind: &'static str,
    plies: u32,
    stones: &'static str,
}

fn puzzles() -> impl Iterator<Item = Puzzle> {
    PUZZLES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut words = line.splitn(5, ' ');
        Some(Puzzle {
            rule: words.next()?.parse().ok()?,
            size: words.next()?.parse().ok()?,
            kind: words.next()?,
            plies: words.next()?.parse().ok()?,
            stones: words.next()?,
        })
    })
}

/// All problems, the shortest first.
pub(crate) fn list() -> Vec<Value> {
    puzzles()
        .map(|one| {
            json!({
                "rule": one.rule.name(), "size": one.size, "kind": one.kind, "plies": one.plies,
                "setup": one.stones,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use gomoku::{Field, Position, with_rule};
    use player::{Limits, Unwatched};
    use solve::{Kind, Solver};

    use super::*;

    #[test]
    fn every_problem_has_a_proof_that_verifies_and_one_winning_move() {
        let lines = PUZZLES.lines().filter(|line| !line.starts_with('#')).count();
        let all: Vec<_> = puzzles().collect();
        assert_eq!(all.len(), lines, "every line is a problem");
        assert!(all.len() >= 20);
        for (number, puzzle) in all.into_iter().enumerate() {
            let position = Position::parse(puzzle.stones, puzzle.rule, puzzle.size).unwrap();
            let side = position.to_move();
            let kind = if puzzle.kind == "vcf" { Kind::Vcf } else { Kind::Vct };
            with_rule!(puzzle.rule, R => {
                let mut field = Field::<R>::from_position(&position);
                let mut solver = Solver::<R>::new(8);
                let limits = Limits::nodes(100_000);
                let answer = solver.solve(&mut field, side, kind, &limits, &Unwatched);
                verify::check(&answer.win().expect("there is a win").proof().bytes).unwrap();
                // Every move of every problem was tried when they were made; some are tried again.
                if number % 7 == 0 {
                    let moves = solver.first_moves(&mut field, kind, &limits, &Unwatched);
                    let wins = moves.iter().filter(|(_, answer)| answer.win().is_some());
                    assert_eq!(wins.count(), 1, "{puzzle:?}");
                }
            });
        }
    }
}
