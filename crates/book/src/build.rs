//! Building a book: which positions are searched, and in what order.
//!
//! The walk starts from the roots and always goes on at the position that is *nearest*: every move
//! costs a step, and what it loses against the best move besides. So the main lines are followed
//! deep and poor moves are looked at briefly. What is searched next depends only on what was found
//! before; a build that was killed walks its stored entries again and goes on, to the same book.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
};

use gomoku::{Point, Position, Rule, Symmetry};
use player::{Choice, Limits, Player, Proof, Task, Watch};

use crate::{
    entry::{Decided, Entry, Key},
    position_book::{PositionBook, played},
};

/// What to build.
#[derive(Clone, Debug)]
pub struct BookBuild {
    /// Where to start.
    pub roots: Vec<Position>,
    /// Positions in all, those of earlier sittings included.
    pub entries: usize,
    /// Moves worked out in each position.
    pub width: usize,
    /// A move that loses more than this against the best one is not followed.
    pub margin: i64,
    /// What a move costs besides its loss: small numbers make the book narrow and deep.
    pub step: i64,
    /// Positions with this many stones are not followed further.
    pub stones: usize,
    /// How long each position is searched.
    pub limits: Limits,
    /// Who searches, in words: kept with each entry.
    pub by: String,
}

/// Checks a proof that came with a choice.
pub type Check<'a> = &'a dyn Fn(Rule, &Proof) -> bool;

/// Searches what the plan asks for and is not known yet. Each entry goes to `record` as soon as it is
/// found. Ends early when the watch says stop.
///
/// # Errors
/// Those of `record`.
pub fn build_book<E>(
    plan: &BookBuild,
    known: &PositionBook,
    player: &mut dyn Player,
    check: Check<'_>,
    watch: &dyn Watch,
    record: &mut dyn FnMut(&Key, &Entry) -> Result<(), E>,
) -> Result<usize, E> {
    let mut open: BinaryHeap<Reverse<(i64, Key)>> =
        plan.roots.iter().map(|root| Reverse((0, Key::of(root).0))).collect();
    let mut nearest: BTreeMap<Key, i64> = BTreeMap::new();
    let mut done = BTreeSet::new();
    while let Some(Reverse((cost, key))) = open.pop() {
        if done.len() >= plan.entries || watch.stopped() {
            break;
        }
        if !done.insert(key.clone()) {
            continue;
        }
        let position = key.position();
        let entry = match known.entry(&key).filter(|entry| entry.by == plan.by) {
            Some(entry) => entry.clone(),
            None => {
                let Some(entry) = search(plan, &position, player, check, watch) else { continue };
                if watch.stopped() {
                    break;
                }
                record(&key, &entry)?;
                entry
            }
        };
        if entry.decided != Decided::Searched || position.board().len() >= plan.stones {
            continue;
        }
        for &(point, score) in &entry.moves {
            let loss = entry.value.value() - score.value();
            let Some(child) = played(&position, point).filter(|_| loss <= plan.margin) else {
                continue;
            };
            let (key, cost) = (Key::of(&child).0, cost + plan.step + loss.max(0));
            if nearest.get(&key).is_none_or(|&before| cost < before) {
                nearest.insert(key.clone(), cost);
                open.push(Reverse((cost, key)));
            }
        }
    }
    Ok(done.len())
}

/// One entry. The player forgets everything before, so that it depends on the position alone.
fn search(
    plan: &BookBuild,
    position: &Position,
    player: &mut dyn Player,
    check: Check<'_>,
    watch: &dyn Watch,
) -> Option<Entry> {
    player.new_game(0);
    let exclude = images(position);
    let task = Task { multi_pv: plan.width, exclude, ..Task::new(position.clone(), plan.limits) };
    let choice = player.choose(&task, watch);
    found(position, &choice, check, &plan.by)
}

/// What a player found in a position of any orientation, as the book keeps it; `None` if the choice
/// has no value.
pub fn entry_of(
    position: &Position,
    choice: &Choice,
    check: Check<'_>,
    by: &str,
) -> Option<(Key, Entry)> {
    let (key, symmetry) = Key::of(position);
    let mut entry = found(position, choice, check, by)?;
    for (point, _) in &mut entry.moves {
        *point = symmetry.apply(*point, position.size());
    }
    Some((key, entry))
}

/// The entry, in the orientation of the position.
fn found(position: &Position, choice: &Choice, check: Check<'_>, by: &str) -> Option<Entry> {
    let value = choice.score?;
    let is_proved = choice.proof.as_ref().is_some_and(|proof| check(position.rule(), proof));
    let decided = match () {
        () if is_proved => Decided::Proved,
        () if value.is_decisive() => Decided::Claimed,
        () => Decided::Searched,
    };
    let moves = distinct_moves(position, choice);
    let (nodes, depth) = (choice.counters.nodes, choice.depth);
    Some(Entry { decided, nodes, depth, value, moves, by: by.to_owned() })
}

/// The moves that are images of others where the position looks the same from several sides: what
/// is known of one is known of all, and the width is for moves that differ.
fn images(position: &Position) -> Vec<Point> {
    let (board, size) = (position.board(), position.size());
    let own: Vec<Symmetry> =
        Symmetry::all().filter(|&symmetry| board.transformed(symmetry) == *board).collect();
    let is_first = |point: Point| own.iter().all(|s| s.apply(point, size).index() >= point.index());
    board.empty().iter().filter(|&point| !is_first(point)).collect()
}

/// The candidates with values, one for each position that they lead to; the chosen move first.
fn distinct_moves(position: &Position, choice: &Choice) -> Vec<(Point, player::Score)> {
    let chosen = choice.point().zip(choice.score);
    let others = choice.candidates.iter().filter_map(|c| Some((c.point, c.score?)));
    let mut seen = BTreeSet::new();
    chosen
        .into_iter()
        .chain(others)
        .filter(|&(point, _)| position.is_legal(point))
        .filter(|&(point, _)| {
            let mut child = position.clone();
            child.play(point).is_ok() && seen.insert(Key::of(&child).0)
        })
        .collect()
}
