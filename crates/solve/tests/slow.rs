//! The solver held against a search that knows nothing but the rules and the definitions.

mod common;

use std::collections::HashMap;

use gomoku::{Board, Color, Direction, Point, Position, Rule, renju, with_rule};
use player::{Limits, Unwatched};
use solve::{Finding, Kind, Solver};

/// Tries every empty point, remembering positions by their stones.
struct Slow {
    rule: Rule,
    attacker: Color,
    kind: Kind,
    known: HashMap<(Board, bool), bool>,
    /// Turns of the attacker still to be looked at before giving up.
    left: usize,
}

impl Slow {
    fn is_legal(&self, board: &Board, color: Color, point: Point) -> bool {
        self.rule != Rule::Renju
            || color == Color::White
            || renju::forbidden(board, point).is_none()
    }

    fn fives(&self, board: &Board, color: Color) -> Vec<Point> {
        board.empty().iter().filter(|&p| board.is_five(self.rule, p, color)).collect()
    }

    /// Whether the attacker makes five next turn whatever the defender does now.
    fn is_unstoppable(&self, board: &Board) -> bool {
        let fives = self.fives(board, self.attacker);
        !fives.is_empty()
            && board.empty().iter().all(|reply| {
                if !self.is_legal(board, !self.attacker, reply) {
                    return true;
                }
                let mut after = *board;
                after.place(reply, !self.attacker);
                !board.is_five(self.rule, reply, !self.attacker)
                    && fives
                        .iter()
                        .any(|&five| five != reply && after.is_five(self.rule, five, self.attacker))
            })
    }

    /// Whether the attacker, who has just played `last`, has a winning point; one whose four has
    /// the last stone in it, unless that stone answered a four.
    fn has_winning_point(&self, board: &Board, last: Point, answered: bool) -> bool {
        board.empty().iter().any(|point| {
            self.is_legal(board, self.attacker, point) && {
                let mut after = *board;
                after.place(point, self.attacker);
                (answered || self.has_part(&after, last, point)) && self.is_unstoppable(&after)
            }
        })
    }

    /// Whether a five is threatened that contains both stones.
    fn has_part(&self, board: &Board, a: Point, b: Point) -> bool {
        self.fives(board, self.attacker).into_iter().any(|five| {
            let mut after = *board;
            after.place(five, self.attacker);
            Direction::ALL.into_iter().any(|d| {
                let ahead = after.stones_beyond(five, d, 1, self.attacker) as i32;
                let behind = after.stones_beyond(five, d, -1, self.attacker) as i32;
                let run: Vec<_> = (-behind..=ahead).filter_map(|i| five.step(d, i)).collect();
                run.len() >= 5 && run.contains(&a) && run.contains(&b)
            })
        })
    }

    fn attack(&mut self, board: &Board) -> bool {
        if let Some(&known) = self.known.get(&(*board, true)) {
            return known;
        }
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let wins = self.find_attack(board);
        self.known.insert((*board, true), wins);
        wins
    }

    fn find_attack(&mut self, board: &Board) -> bool {
        if !self.fives(board, self.attacker).is_empty() {
            return true;
        }
        let answers_a_four = !self.fives(board, !self.attacker).is_empty();
        board.empty().iter().any(|point| {
            if !self.is_legal(board, self.attacker, point) {
                return false;
            }
            let mut after = *board;
            after.place(point, self.attacker);
            if !self.fives(&after, !self.attacker).is_empty() {
                return false;
            }
            let forces = !self.fives(&after, self.attacker).is_empty()
                || self.kind == Kind::Vct && self.has_winning_point(&after, point, answers_a_four);
            forces && self.defend(&after)
        })
    }

    fn defend(&mut self, board: &Board) -> bool {
        if let Some(&known) = self.known.get(&(*board, false)) {
            return known;
        }
        let wins = self.fives(board, !self.attacker).is_empty()
            && board.empty().iter().all(|reply| {
                let mut after = *board;
                let foul = !self.is_legal(board, !self.attacker, reply);
                after.place(reply, !self.attacker);
                foul || self.attack(&after)
            });
        self.known.insert((*board, false), wins);
        wins
    }
}

fn compare(position: &Position, attacker: Color, kind: Kind) -> Option<bool> {
    let rule = position.rule();
    let asked = Position::from_board(rule, *position.board(), attacker);
    let mut solver = Solver::new(1);
    let answer = solver.solve(&asked, attacker, kind, &Limits::nodes(20_000), &Unwatched);
    if answer.nodes > 1500 {
        return None;
    }
    let mut slow = Slow { rule, attacker, kind, known: HashMap::new(), left: 300 };
    let wins = slow.attack(position.board());
    if slow.left == 0 {
        return None;
    }
    let text = format!("{rule} {kind:?} for {attacker}\n{position}");
    match &answer.finding {
        Finding::Win(win) => {
            assert!(wins, "{text}\n{:?}", win.line());
            verify::check(&win.proof().bytes).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
        }
        Finding::NoWin => assert!(!wins, "the solver has missed a win: {text}"),
        Finding::Unknown => return None,
    }
    Some(wins)
}

#[test]
fn small_boards_agree_with_the_definitions() {
    let rounds: u64 = std::env::var("SLOW_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    for rule in Rule::ALL {
        let (mut wins, mut losses) = (0, 0);
        for seed in 0..rounds {
            let size = 6 + (seed % 3) as u8;
            let stones = 6 + (seed % 13) as usize;
            let kind = if seed % 2 == 0 { Kind::Vcf } else { Kind::Vct };
            with_rule!(rule, R => {
                for position in [
                    common::game::<R>(size, stones, seed),
                    common::scatter::<R>(size, 2 * stones, seed),
                ] {
                    for attacker in Color::ALL {
                        match compare(&position, attacker, kind) {
                            Some(true) => wins += 1,
                            Some(false) => losses += 1,
                            None => {}
                        }
                    }
                }
            });
        }
        println!("{rule}: {wins} wins, {losses} without");
        assert!(wins > rounds / 8 && losses > rounds / 4, "{rule}: {wins} wins, {losses} without");
    }
}
