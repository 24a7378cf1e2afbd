//! Problems with one winning move each; a test solves and verifies every one of them.

use gomoku::{Point, Rule};
use player::Limits;
use serde_json::{Value, json};
use solve::{Finding, Solver};

use crate::wire::WirePosition;

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

/// Nodes for judging a move of a puzzle.
const TRY_NODES: u64 = 400_000;

/// Judges a move of the side to move: whether it still wins by force, and the reply that holds out
/// longest.
pub(crate) fn try_move(wanted: &WirePosition, point: &str) -> Result<Value, String> {
    let position = wanted.read().map_err(|bad| bad.text)?;
    let point: Point = point.parse().map_err(|error| format!("{error}"))?;
    let attacker = position.to_move();
    let mut after = position;
    after.play(point).map_err(|error| error.to_string())?;
    if let Some(outcome) = after.outcome() {
        let wins = outcome.winner() == Some(attacker);
        return Ok(json!({ "wins": wins, "over": true, "settled": true }));
    }
    let limits = Limits::nodes(TRY_NODES);
    let answer = Solver::new(16).any(&after, attacker, &limits, &player::Unwatched);
    Ok(match &answer.finding {
        Finding::Win(win) => json!({
            "wins": true, "over": false, "settled": true, "plies": win.plies,
            "reply": win.line().first().map(|reply| reply.to_string()),
        }),
        finding => json!({
            "wins": false, "over": false, "settled": *finding == Finding::NoWin,
        }),
    })
}

#[cfg(test)]
mod tests {
    use gomoku::Position;
    use player::Unwatched;
    use solve::Kind;

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
            let (mut solver, limits) = (Solver::new(8), Limits::nodes(100_000));
            let answer = solver.solve(&position, side, kind, &limits, &Unwatched);
            verify::check(&answer.win().expect("there is a win").proof().bytes).unwrap();
            // Every move of every problem was tried when they were made; some are tried again.
            if number % 7 == 0 {
                let moves = solver.first_moves(&position, kind, &limits, &Unwatched);
                let wins = moves.iter().filter(|(_, answer)| answer.win().is_some());
                assert_eq!(wins.count(), 1, "{puzzle:?}");
            }
        }
    }
}
