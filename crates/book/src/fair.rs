//! Fair starts: random stones that a judge finds even.

use std::collections::HashSet;

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
    /// The judge's value must lie within plus and minus this.
    pub balance: i64,
    /// Where chance begins.
    pub seed: u64,
}

/// An endless stream of distinct, balanced openings: the same for the same recipe and judge.
///
/// Stones are scattered near the centre, each within two points of another, so that openings look
/// like the beginning of a game. The judge gives the value for the side to move; `None` refuses.
#[derive(Debug)]
pub struct FairStarts<J> {
    recipe: Recipe,
    judge: J,
    rng: ChaCha8Rng,
    seen: HashSet<u64>,
}

impl<J: FnMut(&Position) -> Option<Score>> FairStarts<J> {
    /// Starts the stream.
    pub fn new(recipe: Recipe, judge: J) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(recipe.seed);
        FairStarts { recipe, judge, rng, seen: HashSet::new() }
    }

    /// Keeps these openings (of an earlier run or another set) from coming again.
    pub fn exclude<'a>(&mut self, openings: impl IntoIterator<Item = &'a Position>) {
        self.seen.extend(openings.into_iter().map(canonical_key));
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
        let centre = [Point::centre(size)].into_iter().collect::<PointSet>();
        let middle = grow(centre, size, if size >= 15 { 4 } else { 2 });
        if position.board().is_empty() {
            return grow(centre, size, if size >= 15 { 2 } else { 1 });
        }
        let near = grow(position.board().occupied(), size, 2);
        (near & middle) - position.board().occupied()
    }
}

impl<J: FnMut(&Position) -> Option<Score>> Iterator for FairStarts<J> {
    type Item = Position;

    /// The next opening; `None` when a hundred thousand scatters in a row were refused.
    fn next(&mut self) -> Option<Position> {
        for _ in 0..100_000 {
            let Some(position) = self.scatter() else { continue };
            if !self.seen.insert(canonical_key(&position)) {
                continue;
            }
            let value = (self.judge)(&position);
            let is_fair = value.is_some_and(|score| {
                !score.is_decisive() && score.value().abs() <= self.recipe.balance
            });
            if is_fair {
                return Some(position);
            }
        }
        None
    }
}

fn grow(set: PointSet, size: u8, steps: u32) -> PointSet {
    (0..steps).fold(set, |set, _| set.grow(size))
}

/// The same for all eight images of a position.
fn canonical_key(position: &Position) -> u64 {
    position.board().canonical().0.key()
}
