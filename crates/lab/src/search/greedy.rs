//! Liao's greedy player: attack when ahead on the board, defend when behind (section 1.2.5).

use gomoku::{Point, zobrist::split_mix};
use player::Reason;

use super::{Control, Found, Order, RootMove, Search, deepen::iteration};
use crate::tree::Play;

/// Compares both sides' board scores, then takes the point that is best for the larger.
#[derive(Debug, Default)]
pub struct Greedy {
    seed: u64,
}

impl Search for Greedy {
    fn forget(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn search(&mut self, play: &mut Play, order: &Order, control: &mut Control<'_>) -> Found {
        let me = play.me;
        control.evaluation();
        let own = play.eval.score(&play.state, me);
        let other = play.eval.score(&play.state, !me);
        let attack = own >= other;
        let side = if attack { me } else { !me };
        play.state.set_to_move(side);
        let center = Point::center(play.state.size());
        let mut moves: Vec<_> = order
            .moves
            .iter()
            .map(|&point| {
                control.node();
                control.evaluation();
                let value = score_after(play, point, side);
                let probability = play.candidates.probability(point).unwrap_or(0.0);
                let tie = split_mix(self.seed ^ point.index() as u64);
                let key = ((probability * 100.0) as i64, -i64::from(point.distance(center)), tie);
                (value, key, point)
            })
            .collect();
        play.state.set_to_move(me);
        moves.sort_by_key(|&(value, tie, _)| std::cmp::Reverse((value, tie)));
        let moves: Vec<RootMove> = moves
            .into_iter()
            .map(|(value, _, point)| RootMove {
                value: Some(value),
                nodes: 1,
                ..RootMove::new(point)
            })
            .collect();
        let iterations = moves.first().map(|best| iteration(best, 1, play.eval.scale(), control));
        Found {
            moves,
            depth: 1,
            iterations: iterations.into_iter().collect(),
            reason: Some(if attack { Reason::Attack } else { Reason::Defense }),
            trace: None,
        }
    }
}

/// The score of a side after it plays on a point.
fn score_after(play: &mut Play, point: Point, side: gomoku::Color) -> i64 {
    play.state.place(point);
    play.eval.place(&play.state, point);
    let score = play.eval.score(&play.state, side);
    play.state.undo(point);
    play.eval.undo(&play.state, point);
    score
}
