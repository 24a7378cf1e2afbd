//! Which levels of the engine find the first move of a puzzle: the difficulty measured another way.

use std::collections::BTreeMap;

use desk::puzzles::{Puzzle, puzzles};
use player::{Limits, Registry, Task, Unwatched};

const LEVELS: usize = 10;
/// Nodes a move, for the levels that have no limit of their own.
const NODES: u64 = 200_000;

/// Prints, for each difficulty, how many puzzles there are, their median work, and the median of the
/// lowest level from which on every level finds a right move.
pub(crate) fn run(every: usize) -> Result<(), String> {
    let mut registry = Registry::default();
    engine::register(&mut registry);
    let mut rows: BTreeMap<usize, Vec<(u64, usize)>> = BTreeMap::new();
    for puzzle in puzzles().step_by(every) {
        let first = first_level(&registry, &puzzle)?;
        rows.entry(puzzle.level()).or_default().push((puzzle.work, first));
    }
    println!("| difficulty | puzzles | nodes, median | first level, mean | found by none |");
    println!("|---|---|---|---|---|");
    for (level, mut found) in rows {
        found.sort_unstable();
        let n = found.len();
        let mean = found.iter().map(|(_, first)| first).sum::<usize>() as f64 / n as f64;
        let none = found.iter().filter(|(_, first)| *first > LEVELS).count();
        println!("| {level} | {n} | {} | {mean:.1} | {none} |", found[n / 2].0);
    }
    Ok(())
}

/// The lowest level from which on all find a right move; one more than there are, if none does.
fn first_level(registry: &Registry, puzzle: &Puzzle) -> Result<usize, String> {
    for level in (1..=LEVELS).rev() {
        let spec = format!("engine(level={level})");
        let mut player = registry.build(&spec).map_err(|error| error.to_string())?;
        let task = Task::new(puzzle.position.clone(), Limits::nodes(NODES));
        let choice = player.choose(&task, &Unwatched);
        if !choice.point().is_some_and(|point| puzzle.keys.contains(&point)) {
            return Ok(level + 1);
        }
    }
    Ok(1)
}
