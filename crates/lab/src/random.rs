//! A player that chooses any legal point: a floor for ratings and a tool for tests.

use gomoku::{Point, zobrist::split_mix};
use player::{Choice, Player, PlayerReply, Reason, Task, Watch};

/// Chooses by chance, from its seed and the position alone.
#[derive(Clone, Debug, Default)]
pub struct Random {
    seed: u64,
}

impl Player for Random {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
        let legal: Vec<Point> =
            task.position.legal_points().iter().filter(|&point| task.allows(point)).collect();
        let number = split_mix(self.seed ^ split_mix(task.position.key()));
        match legal.get((number % legal.len().max(1) as u64) as usize) {
            Some(&point) => Choice::of(point, Reason::Random),
            None => Choice {
                reply: PlayerReply::Resign,
                ..Choice::of(Point::center(task.position.size()), Reason::Only)
            },
        }
    }
}
