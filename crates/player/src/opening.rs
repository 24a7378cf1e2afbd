//! How a player answers an opening protocol: what to place, whether to swap, what to offer.
//!
//! Nothing here knows a good opening. The player is asked to balance what the opponent will choose
//! from, or to judge what it may choose itself, and takes the side that it prefers.

use gomoku::{
    Point, PointSet, Position,
    opening::{Action, Allowed, NamedOpening, are_symmetric},
    zobrist::split_mix,
};

use crate::{Choice, Goal, Limits, PlayerReply, Score, Task};

/// How many named openings are compared before one is placed.
const OPENINGS_TRIED: u32 = 3;
/// How many pairs of first stones are tried before the most even three stones are placed.
const PAIRS_TRIED: u32 = 4;

/// What a player may spend on an answer, and what it calls even.
#[derive(Clone, Copy, Debug)]
pub struct OpeningOptions {
    /// Limits of the whole answer, which may take several searches.
    pub limits: Limits,
    /// Makes one game's opening differ from another's.
    pub seed: u64,
    /// A score that misses 0 by no more is even: there is no side to prefer.
    pub even: u64,
}

impl Default for OpeningOptions {
    fn default() -> OpeningOptions {
        OpeningOptions { limits: Limits::default(), seed: 0, even: 20 }
    }
}

/// Answers what an [`Opening`](gomoku::opening::Opening) asks at this position with one of the kinds
/// of answer that are allowed.
///
/// `think` hands a task to the player; `None` means that it failed, and then the answer is any that
/// is allowed.
///
/// # Errors
/// The first error of `think`.
///
/// # Panics
/// If no answer is possible: nothing is allowed, or what is offered or allowed is not empty.
pub fn answer_opening<E>(
    position: &Position,
    allowed: &[Allowed],
    options: OpeningOptions,
    think: &mut dyn FnMut(Task) -> Result<Option<Choice>, E>,
) -> Result<Action, E> {
    let may_swap = allowed.contains(&Allowed::Swap);
    let may_place_two = allowed.contains(&Allowed::PlaceTwo);
    let mut answer = Answer { position, options, think };
    let Some(kind) = allowed.iter().find(|&kind| *kind != Allowed::Swap) else {
        assert!(may_swap, "an opening asks for something");
        return Ok(Action::Swap);
    };
    match kind {
        Allowed::PlaceThree { named: true } => Ok(Action::PlaceThree(answer.named()?)),
        Allowed::PlaceThree { named: false } => Ok(Action::PlaceThree(answer.three()?)),
        Allowed::Pick(offers) => answer.pick(offers),
        Allowed::Offer(count) => answer.offer(usize::from(*count), may_swap),
        Allowed::PlaceAndDeclare(max) => answer.declare(*max, may_swap),
        Allowed::Place(points) => answer.place(*points, may_swap, may_place_two),
        Allowed::PlaceTwo | Allowed::Swap => answer.place(PointSet::EMPTY, may_swap, may_place_two),
    }
}

/// An answer being worked out.
struct Answer<'a, E> {
    position: &'a Position,
    options: OpeningOptions,
    think: &'a mut dyn FnMut(Task) -> Result<Option<Choice>, E>,
}

impl<E> Answer<'_, E> {
    /// A task with one of `n_searches` equal parts of the limits.
    fn task(&self, position: &Position, n_searches: u32) -> Task {
        Task::new(position.clone(), self.options.limits.divided_by(n_searches))
    }

    /// The player's opinion of a position, and a stone that can be placed whatever the player says.
    fn judge(&mut self, task: Task) -> Result<(Point, Option<Score>), E> {
        let position = task.position.clone();
        let only: PointSet = task.only.iter().copied().collect();
        let free = if only.is_empty() { position.board().empty() } else { only };
        let choice = (self.think)(task)?;
        let is_allowed = |point: &Point| free.contains(*point) && position.is_legal(*point);
        let said = choice.iter().flat_map(Choice::stones).find(is_allowed);
        let near = position.moves().last().copied().unwrap_or(Point::center(position.size()));
        let rank = |point: &Point| (!position.is_legal(*point), point.distance(near), *point);
        let stone = said.or_else(|| free.iter().min_by_key(rank)).expect("a point is free");
        Ok((stone, choice.and_then(|choice| choice.score)))
    }

    /// Swaps when the side to move is behind, else goes on with it; when neither side is ahead, two
    /// more stones make the opponent choose.
    fn place(&mut self, points: PointSet, may_swap: bool, may_add: bool) -> Result<Action, E> {
        let n_searches = if may_add { 2 } else { 1 };
        let mut task = self.task(self.position, n_searches);
        // A stone that the opponent may then swap away should be even; the last one, good.
        if self.position.board().len() < 3 && !may_swap {
            task.goal = Goal::Balance { stones: 1, bias: 0 };
        }
        if points != self.position.board().empty() {
            task.only = points.iter().collect();
        }
        let (stone, score) = self.judge(task)?;
        let is_even = score.is_some_and(|score| miss(Some(score)) <= self.options.even);
        if may_add
            && is_even
            && let Some(two) = self.two(n_searches)?
        {
            return Ok(Action::PlaceTwo(two));
        }
        Ok(if may_swap && is_behind(score) { Action::Swap } else { Action::Place(stone) })
    }

    /// Two more stones that leave the game even; `None` from a player that finds no two.
    fn two(&mut self, n_searches: u32) -> Result<Option<[Point; 2]>, E> {
        let mut task = self.task(self.position, n_searches);
        task.goal = Goal::Balance { stones: 2, bias: 0 };
        let empty = self.position.board().empty();
        Ok((self.think)(task)?.and_then(|choice| match choice.reply {
            PlayerReply::Stones(points) => <[Point; 2]>::try_from(points)
                .ok()
                .filter(|[a, b]| a != b && empty.contains(*a) && empty.contains(*b)),
            _ => None,
        }))
    }

    /// One of the 26 openings: of a few, the one that the player finds most even.
    fn named(&mut self) -> Result<[Point; 3], E> {
        let (rule, size) = (self.position.rule(), self.position.size());
        let mut random = Random(self.options.seed);
        let mut best: Option<(u64, [Point; 3])> = None;
        for _ in 0..OPENINGS_TRIED {
            let opening = &NamedOpening::ALL[random.below(NamedOpening::ALL.len())];
            let task = self.task(&opening.position(rule, size), OPENINGS_TRIED);
            let (_, score) = self.judge(task)?;
            if best.is_none_or(|(least, _)| miss(score) < least) {
                best = Some((miss(score), opening.stones(size)));
            }
        }
        Ok(best.expect("at least one opening was tried").1)
    }

    /// Three stones. The first two come from the seed, far from where theory is; with the third Black
    /// balances the game, as far as the player can tell. Not every pair of stones can be balanced by
    /// one more, so a few are tried.
    fn three(&mut self) -> Result<[Point; 3], E> {
        let mut random = Random(self.options.seed);
        let mut best: Option<(u64, [Point; 3])> = None;
        for _ in 0..PAIRS_TRIED {
            let first = random.point_between(2, self.position.size() - 3);
            let after_first = after(self.position, first);
            let near = |point: &Point| (1..=3).contains(&point.distance(first));
            let seconds: Vec<_> = after_first.board().empty().iter().filter(near).collect();
            let second = seconds[random.below(seconds.len())];
            let mut task = self.task(&after(&after_first, second), PAIRS_TRIED);
            task.goal = Goal::Balance { stones: 1, bias: 0 };
            let (third, score) = self.judge(task)?;
            if best.is_none_or(|(least, _)| miss(score) < least) {
                best = Some((miss(score), [first, second, third]));
            }
            if miss(score) <= self.options.even {
                break;
            }
        }
        Ok(best.expect("at least one pair was tried").1)
    }

    /// The fourth stone, and the number of fifths that makes Black's last offer most even.
    fn declare(&mut self, max: u8, may_swap: bool) -> Result<Action, E> {
        let (fourth, score) = self.judge(self.task(self.position, 2))?;
        if may_swap && is_behind(score) {
            return Ok(Action::Swap);
        }
        let fifths = self.fifths(&after(self.position, fourth), usize::from(max), 2)?;
        let even = (0..fifths.len()).min_by_key(|&i| miss(fifths[i].1)).unwrap_or(0);
        Ok(Action::PlaceAndDeclare(fourth, even as u8 + 1))
    }

    /// Offers fifths, or swaps if the worst one, which White will keep, is bad for Black.
    fn offer(&mut self, count: usize, may_swap: bool) -> Result<Action, E> {
        let fifths = self.fifths(self.position, count, 1)?;
        let worst = fifths.iter().rev().find_map(|(_, score)| *score);
        if may_swap && is_behind(worst) {
            return Ok(Action::Swap);
        }
        Ok(Action::Offer(fifths.into_iter().map(|(point, _)| point).collect()))
    }

    /// The best fifths of Black, no two of them symmetric, with what they are worth to Black.
    fn fifths(
        &mut self,
        position: &Position,
        count: usize,
        n_searches: u32,
    ) -> Result<Vec<(Point, Option<Score>)>, E> {
        let mut task = self.task(position, n_searches);
        // Symmetric ones among the best are dropped, so a few more are asked for.
        task.multi_pv = 2 * count;
        let choice = (self.think)(task)?;
        let best = choice.iter().flat_map(Choice::considered).map(|best| (best.point, best.score));
        let mut near: Vec<_> = position.legal_points().iter().collect();
        let center = Point::center(position.size());
        near.sort_by_key(|point| point.distance(center));
        let mut fifths: Vec<(Point, Option<Score>)> = Vec::new();
        for (point, score) in best.chain(near.into_iter().map(|point| (point, None))) {
            let is_new = position.is_legal(point)
                && !fifths.iter().any(|(other, _)| are_symmetric(position, *other, point));
            if is_new && fifths.len() < count {
                fifths.push((point, score));
            }
        }
        Ok(fifths)
    }

    /// Of the offered fifths the one that White likes best, and White's answer to it.
    fn pick(&mut self, offers: &[Point]) -> Result<Action, E> {
        let mut best: Option<(Score, Point, Point)> = None;
        for &fifth in offers {
            let task = self.task(&after(self.position, fifth), offers.len() as u32);
            let (sixth, score) = self.judge(task)?;
            let score = score.unwrap_or_default();
            if best.is_none_or(|(most, ..)| score > most) {
                best = Some((score, fifth, sixth));
            }
        }
        let (_, fifth, sixth) = best.expect("at least one fifth is offered");
        Ok(Action::Pick { fifth, sixth })
    }
}

fn after(position: &Position, point: Point) -> Position {
    let mut after = position.clone();
    after.play(point).expect("the point is empty");
    after
}

fn is_behind(score: Option<Score>) -> bool {
    score.is_some_and(|score| score < Score::default())
}

/// By how much a score misses an even game.
fn miss(score: Option<Score>) -> u64 {
    score.map_or(u64::MAX, |score| score.value().unsigned_abs())
}

/// Numbers from a seed, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        let number = split_mix(self.0);
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        (number % limit as u64) as usize
    }

    /// A point whose column and row are within these, ends included.
    fn point_between(&mut self, low: u8, high: u8) -> Point {
        let mut number = || low + self.below(usize::from(high - low) + 1) as u8;
        Point::new(number(), number())
    }
}
