//! Playing by the proved openings that come with the program.

use gomoku::Point;
use player::{Candidate, Choice, Counters, Goal, Limits, Reason, Task, Watch};

use crate::{lookup::Lookup, solver::solve_position};

/// Nodes to find a win that the book calls forced: what sufficed when the book was proved.
const FORCED_NODES: u64 = 520_000;
/// Megabytes of the table for it.
const MEGABYTES: usize = 16;

/// The winning move of the proved book, if it has one and the task allows it.
pub fn choice_by_book(task: &Task, watch: &dyn Watch) -> Option<Choice> {
    let wants_one_move = task.goal == Goal::Best && task.multi_pv <= 1 && !task.trace;
    let known = Lookup::shipped().get(&task.position).filter(|_| wants_one_move)?;
    let choice = match known.point {
        Some(point) => quiet(point, known.plies, watch),
        None => forced(task, watch)?,
    };
    choice.point().is_some_and(|point| task.allows(point)).then_some(choice)
}

/// A quiet move: its proof is too long to be handed over with every move, so there is no score of a
/// win, but anyone can make it again from the book.
fn quiet(point: Point, plies: u32, watch: &dyn Watch) -> Choice {
    let counters = Counters { time: watch.elapsed(), ..Counters::default() };
    let candidate = Candidate { line: vec![point], ..Candidate::new(point) };
    Choice {
        counters,
        candidates: vec![candidate],
        ..Choice::of(point, Reason::Book(format!("proved win, at most {plies} plies")))
    }
}

/// The first move of a win by fours and threats, with its proof.
fn forced(task: &Task, watch: &dyn Watch) -> Option<Choice> {
    let nodes = task.limits.nodes.unwrap_or(FORCED_NODES).min(FORCED_NODES);
    let limits = Limits { nodes: Some(nodes), ..task.limits };
    let answer = solve_position(&task.position, None, MEGABYTES, &limits, watch);
    let counters = Counters { nodes: answer.nodes, time: watch.elapsed(), ..Counters::default() };
    answer.win()?.choice(counters, watch)
}
