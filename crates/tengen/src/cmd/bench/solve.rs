//! How many stones a second the solver places, looking for forced wins on fixed positions.

use std::time::{Duration, Instant};

use gomoku::{Board, Color, Position, Rule, exercise};
use player::{Limits, Unwatched};
use solve::{Finding, Kind, Solver};

/// Stones on the board, one question for each and either color.
const STONES: [usize; 4] = [12, 20, 28, 40];
/// Every fourth game is used.
const STEP: usize = 4;
const NODES: u64 = 20_000;

/// The solver's work under one rule.
#[derive(Clone, Debug)]
pub(crate) struct SolveBench {
    /// The rule.
    pub(crate) rule: Rule,
    /// Stones placed in search: the same on every machine.
    pub(crate) nodes: u64,
    /// Questions answered with a win.
    pub(crate) wins: u32,
    /// Questions answered with a proof that there is none.
    pub(crate) none: u32,
    /// Questions left open.
    pub(crate) open: u32,
    /// Time taken.
    pub(crate) time: Duration,
}

impl SolveBench {
    /// Stones placed in search, a second.
    pub(crate) fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Asks about forced wins by threats under every rule.
pub(crate) fn run() -> Vec<SolveBench> {
    Rule::ALL.into_iter().map(|rule| run_rule(rule, STEP)).collect()
}

fn run_rule(rule: Rule, step: usize) -> SolveBench {
    let mut solver = Solver::new(64);
    let mut bench = SolveBench { rule, nodes: 0, wins: 0, none: 0, open: 0, time: Duration::ZERO };
    let start = Instant::now();
    for game in exercise::games().iter().step_by(step) {
        for stones in STONES {
            let mut board = Board::new(exercise::SIZE);
            for (turn, &point) in game.iter().take(stones).enumerate() {
                board.place(point, Color::of_turn(turn));
            }
            for attacker in Color::ALL {
                let position = Position::from_board(rule, board, attacker);
                let limits = Limits::nodes(NODES);
                let answer = solver.solve(&position, attacker, Kind::Vct, &limits, &Unwatched);
                bench.nodes += answer.nodes;
                match answer.finding {
                    Finding::Win(_) => bench.wins += 1,
                    Finding::NoWin => bench.none += 1,
                    Finding::Unknown => bench.open += 1,
                }
            }
        }
    }
    bench.time = start.elapsed();
    bench
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_the_same_every_time() {
        let [first, second] = [(); 2].map(|()| run_rule(Rule::Freestyle, 50));
        assert_eq!((first.nodes, first.wins), (second.nodes, second.wins));
        assert!(first.nodes > 1_000);
    }
}
