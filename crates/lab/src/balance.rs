//! Balanced openings: the next one or two stones after which the evaluation is nearest to a goal.

use gomoku::Point;
use player::{Choice, PlayerReply, Reason, Task};

use crate::{
    search::{Control, to_score},
    tree::{Play, SearchTree},
};

/// How many first stones are tried when two are wanted.
const FIRST_STONES: usize = 40;

/// Tries every candidate stone, or every pair, and keeps the one nearest to the goal.
pub(crate) fn choose(
    play: &mut Play,
    task: &Task,
    stones: u8,
    bias: i64,
    control: &mut Control<'_>,
) -> Choice {
    let mut firsts: Vec<Point> = task.position.legal_points().iter().collect();
    firsts.retain(|&point| task.allows(point) && !play.state.wins(point));
    let anchor = task.position.last_move().unwrap_or(Point::center(task.position.size()));
    firsts.sort_by_key(|point| point.distance(anchor));
    if stones > 1 {
        firsts.truncate(FIRST_STONES);
    }
    let mut best: Option<(i64, i64, Vec<Point>)> = None;
    let mut consider = |play: &mut Play, stones: Vec<Point>, control: &mut Control<'_>| {
        control.node();
        control.evaluation();
        // From the view of the side that moves next.
        let value = play.value() / play.eval.scale();
        let miss = (value - bias).abs();
        if best.as_ref().is_none_or(|(least, ..)| miss < *least) {
            best = Some((miss, value, stones));
        }
    };
    for &first in &firsts {
        play.play(first);
        if stones <= 1 {
            consider(play, vec![first], control);
        } else {
            for second in play.list().into_iter().filter(|&point| point != first) {
                if play.over(second).is_none() {
                    play.play(second);
                    consider(play, vec![first, second], control);
                    play.undo(second);
                }
            }
        }
        play.undo(first);
        if control.stopped() {
            break;
        }
    }
    let Some((_, value, stones)) = best else {
        let point = task.position.legal_points().iter().find(|&point| task.allows(point));
        return Choice {
            reply: point.map_or(PlayerReply::Resign, PlayerReply::Move),
            counters: control.spent(),
            ..Choice::of(Point::center(task.position.size()), Reason::Only)
        };
    };
    Choice {
        score: Some(to_score(-value, 1)),
        counters: control.spent(),
        reply: PlayerReply::Stones(stones),
        ..Choice::of(Point::center(task.position.size()), Reason::Evaluation)
    }
}
