//! Growing depths: the last complete answer is kept, and root moves are put in order for people.

use player::{Candidate, Iteration, Score};

use super::{Control, Found, Order, RootMove, is_decisive, win};
use crate::tree::Play;

/// Runs a search at one depth or, with a stride, at growing depths, and keeps the last complete
/// answer. Two plies at a time leave the last word to the same side.
pub(super) fn deepen(
    play: &mut Play,
    order: &Order,
    stride: Option<u32>,
    control: &mut Control<'_>,
    mut iterate: impl FnMut(&mut Play, u32, &mut Control<'_>) -> Vec<RootMove>,
) -> Found {
    let mut found = Found::default();
    let last = order.depth.max(1);
    let first = stride.map_or(last, |stride| (last - 1) % stride + 1);
    for depth in (first..=last).step_by(stride.unwrap_or(1) as usize) {
        let done = iterate(play, depth, control);
        if control.stopped() {
            if found.moves.is_empty() {
                found.moves = with_rest(sorted(done), order);
            }
            break;
        }
        found.moves = sorted(done);
        found.depth = depth;
        let Some(best) = found.moves.first() else { break };
        let scale = play.eval.scale();
        let is_decided = best.value.is_some_and(is_decisive);
        let iteration = iteration(best, depth, scale, control);
        control.finished(iteration.clone(), candidates(&found, play, scale));
        found.iterations.push(iteration);
        if is_decided {
            break;
        }
    }
    found
}

/// The answer after a depth is complete.
pub(super) fn iteration(
    best: &RootMove,
    depth: u32,
    scale: i64,
    control: &Control<'_>,
) -> Iteration {
    let score = to_score(best.value.unwrap_or(0), scale);
    Iteration { depth, best: best.point, score, counters: control.spent() }
}

/// Best first; moves of equal or unknown value stay in the order they were searched.
pub(super) fn sorted(mut moves: Vec<RootMove>) -> Vec<RootMove> {
    moves.sort_by_key(|found| std::cmp::Reverse(found.value));
    moves
}

/// The same moves and after them those that have not been looked at.
pub(super) fn with_rest(mut moves: Vec<RootMove>, order: &Order) -> Vec<RootMove> {
    for &point in &order.moves {
        if moves.iter().all(|found| found.point != point) {
            moves.push(RootMove::new(point));
        }
    }
    moves
}

/// The root moves as people are shown them.
pub(crate) fn candidates(found: &Found, play: &Play, scale: i64) -> Vec<Candidate> {
    let candidate = |found_move: &RootMove| Candidate {
        point: found_move.point,
        probability: play.candidates.probability(found_move.point),
        score: found_move.value.map(|value| to_score(value, scale)),
        depth: found.depth,
        nodes: found_move.nodes,
        line: found_move.line.clone(),
    };
    found.moves.iter().map(candidate).collect()
}

/// A value in the units of the paper.
pub(crate) fn to_score(value: i64, scale: i64) -> Score {
    const LIMIT: i64 = 1 << 39;
    if !is_decisive(value) {
        return Score::new((value / scale).clamp(-LIMIT, LIMIT));
    }
    let plies = (win(0) - value.abs()) as u32;
    if value > 0 { Score::win_in(plies) } else { Score::loss_in(plies) }
}
