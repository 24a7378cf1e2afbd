//! Fair starts: random stones that a judge finds even.
//!
//! [`Scatters`] is the stream of candidates: the same for the same recipe, no two alike under the
//! symmetries of the board. [`fill`] has them judged, by several judges at once, and keeps the first
//! that are fair: candidates are judged independently and counted in their order, so the set does
//! not depend on how many judges there are, nor on a run having been cut short and taken up again.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Mutex, mpsc},
};

use gomoku::{Point, PointSet, Position, Rule};
use player::Score;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

/// What kind of openings are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The rule.
    pub rule: Rule,
    /// The board size.
    pub size: u8,
    /// Fewest and most stones.
    pub stones: (usize, usize),
    /// The judge's value for the side to move where both sides have the same chances.
    pub even: i64,
    /// How far from that the value may be.
    pub balance: i64,
    /// Where chance begins.
    pub seed: u64,
}

impl Recipe {
    /// Whether a judge's value makes a fair start. A win found for either side never does.
    pub fn is_fair(&self, value: Option<Score>) -> bool {
        let is_near = |value: i64| (value - self.even).abs() <= self.balance;
        value.is_some_and(|score| !score.is_decisive() && is_near(score.value()))
    }
}

/// Says what a position is worth to the side to move; `None` refuses it.
pub type Judge<'a> = Box<dyn FnMut(&Position) -> Option<Score> + Send + 'a>;

/// What was found about one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fairness {
    /// The number of the candidate in its stream, from 0.
    pub number: u64,
    /// Its value; `None` was refused.
    pub value: Option<Score>,
}

/// The first `count` fair starts of a recipe's candidates, each with its value; fewer when a hundred
/// thousand candidates in a row were unfair.
///
/// What is in `known` is not judged again. Every new verdict goes to `record`, in the order in which
/// they are found, before it counts.
///
/// # Errors
/// Those of `record`.
pub fn fill<E>(
    recipe: &Recipe,
    count: usize,
    known: &BTreeMap<u64, Option<Score>>,
    judges: Vec<Judge<'_>>,
    record: &mut dyn FnMut(Fairness) -> Result<(), E>,
) -> Result<Vec<(Position, Score)>, E> {
    let candidates = Mutex::new(Scatters::new(*recipe).enumerate());
    let (sender, verdicts) = mpsc::sync_channel::<(Fairness, Position, bool)>(64);
    std::thread::scope(|scope| {
        for mut judge in judges {
            let (sender, candidates) = (sender.clone(), &candidates);
            scope.spawn(move || {
                loop {
                    let next =
                        candidates.lock().expect("no judge panics while it holds this").next();
                    let Some((number, position)) = next else { return };
                    let number = number as u64;
                    let (value, is_new) = match known.get(&number) {
                        Some(value) => (*value, false),
                        None => (judge(&position), true),
                    };
                    // The other end hangs up when the set is full.
                    if sender.send((Fairness { number, value }, position, is_new)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut fair = Vec::new();
        let (mut next, mut last_fair) = (0, 0);
        for (verdict, position, is_new) in verdicts {
            if is_new {
                record(verdict)?;
            }
            early.insert(verdict.number, (verdict.value, position));
            while let Some((value, position)) = early.remove(&next) {
                next += 1;
                if let Some(score) = value.filter(|_| recipe.is_fair(value)) {
                    fair.push((position, score));
                    last_fair = next;
                }
                if fair.len() == count || next - last_fair > 100_000 {
                    return Ok(fair);
                }
            }
        }
        Ok(fair)
    })
}

/// The candidates of a recipe: stones scattered near the center, each within two points of another,
/// so that they look like the beginning of a game. No two are alike under symmetry.
#[derive(Debug)]
pub struct Scatters {
    recipe: Recipe,
    rng: ChaCha8Rng,
    seen: HashSet<u64>,
}

impl Scatters {
    /// Starts the stream.
    pub fn new(recipe: Recipe) -> Scatters {
        Scatters { recipe, rng: ChaCha8Rng::seed_from_u64(recipe.seed), seen: HashSet::new() }
    }

    /// One random scatter of stones, undecided.
    fn scatter(&mut self) -> Option<Position> {
        let (fewest, most) = self.recipe.stones;
        let n_stones = self.rng.random_range(fewest..=most);
        let mut position = Position::new(self.recipe.rule, self.recipe.size);
        while position.moves().len() < n_stones {
            let candidates: Vec<Point> = self.reach(&position).iter().collect();
            let &point = candidates.choose(&mut self.rng)?;
            if position.forbidden(point).is_some() || position.play(point).ok()?.is_some() {
                return None;
            }
        }
        Some(position)
    }

    /// Where the next stone may go: the middle of the board, near the stones that are there.
    fn reach(&self, position: &Position) -> PointSet {
        let size = self.recipe.size;
        let center = [Point::center(size)].into_iter().collect::<PointSet>();
        let middle = grow(center, size, if size >= 15 { 4 } else { 2 });
        if position.board().is_empty() {
            return grow(center, size, if size >= 15 { 2 } else { 1 });
        }
        let near = grow(position.board().occupied(), size, 2);
        (near & middle) - position.board().occupied()
    }
}

impl Iterator for Scatters {
    type Item = Position;

    /// The next candidate; `None` when a hundred thousand scatters in a row gave nothing new.
    fn next(&mut self) -> Option<Position> {
        (0..100_000).find_map(|_| {
            let position = self.scatter()?;
            self.seen.insert(canonical_key(&position)).then_some(position)
        })
    }
}

fn grow(set: PointSet, size: u8, steps: u32) -> PointSet {
    (0..steps).fold(set, |set, _| set.grow(size))
}

/// The same for all eight images of a position.
fn canonical_key(position: &Position) -> u64 {
    position.board().canonical().0.key()
}
