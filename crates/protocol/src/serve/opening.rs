//! Decisions of opening protocols: what to place, whether to swap, what to offer.
//!
//! Nothing here knows a good opening. The player is asked to balance or to judge, and the side that
//! it prefers is taken.

use gomoku::{
    Color, Point, Position,
    opening::{NamedOpening, are_symmetric},
};
use player::{Goal, Score};

use super::{
    control::Request,
    session::{Question, Refusal, Session, candidates_of, stones_of},
    table::Table,
};
use crate::{
    gomocup::{Reply, Stone},
    wire::Coord,
};

/// How many named openings are compared before one is placed.
const OPENINGS_TRIED: u32 = 3;
/// How many pairs of first stones are tried before the most even offer of Swap2 is made.
const PAIRS_TRIED: u32 = 4;
/// An offer that misses an even game by no more is made at once.
const EVEN_ENOUGH: u64 = 20;
/// The most fifth stones that Soosyrv-8 lets White ask for.
const MAX_FIFTHS: usize = 8;

impl Session<'_> {
    /// Answers `SWAP2BOARD` with 0, 3 or 5 stones.
    pub(super) fn swap2(&mut self, request: &Request, stones: &[Stone]) -> Result<Reply, Refusal> {
        let moves: Vec<Coord> = stones.iter().map(|stone| stone.at).collect();
        self.table = Some(self.in_order(&moves)?);
        match moves.len() {
            0 => {
                let three = self.three_stones(request)?;
                Ok(Reply::Moves(self.coords(&three)?))
            }
            3 | 5 => {
                let (point, value) = self.judge(request, 1)?;
                if value.is_some_and(|value| value < Score::default()) {
                    return Ok(Reply::Swap);
                }
                self.table_mut()?.play(point);
                Ok(Reply::Move(self.coord(point)?))
            }
            count => Err(format!("A Swap2 opening has 0, 3 or 5 stones, not {count}.")),
        }
    }

    /// Stones of alternating colors on a board of the present size.
    pub(super) fn in_order(&self, moves: &[Coord]) -> Result<Table, Refusal> {
        let size = self.table()?.size();
        let mut table = Table::new(size.into()).ok_or("No game has been started.")?;
        for &at in moves {
            if !table.play(self.point(at)?) {
                return Err(format!("{at} is listed twice."));
            }
        }
        Ok(table)
    }

    pub(super) fn coords(&self, points: &[Point]) -> Result<Vec<Coord>, Refusal> {
        points.iter().map(|&point| self.coord(point)).collect()
    }

    /// The best move of the side to move and what the player thinks of the position.
    pub(super) fn judge(
        &mut self,
        request: &Request,
        share: u32,
    ) -> Result<(Point, Option<Score>), Refusal> {
        let question = Question { share, ..Question::default() };
        let (point, choice) = self.best(request, &question)?;
        Ok((point, choice.and_then(|choice| choice.score)))
    }

    /// Three stones for Swap2. The first two come from the seed, far from where theory is; with the
    /// third Black balances the game, as far as the player can tell. Not every pair of stones can be
    /// balanced by one more, so a few are tried.
    pub(super) fn three_stones(&mut self, request: &Request) -> Result<Vec<Point>, Refusal> {
        let empty = self.table()?.clone();
        let mut random = Random(self.seed());
        let mut best: Option<(u64, Table)> = None;
        for _ in 0..PAIRS_TRIED {
            let (miss, table) = self.offer(request, empty.clone(), &mut random)?;
            if best.as_ref().is_none_or(|(least, _)| miss < *least) {
                best = Some((miss, table));
            }
            if miss <= EVEN_ENOUGH {
                break;
            }
        }
        let (_, table) = best.ok_or("The board is full.")?;
        let stones = table.position(self.rule()).moves().to_vec();
        self.table = Some(table);
        Ok(stones)
    }

    /// Three stones on an empty table, and by how much the player misses an even game with them.
    fn offer(
        &mut self,
        request: &Request,
        mut table: Table,
        random: &mut Random,
    ) -> Result<(u64, Table), Refusal> {
        let first = random.point_between(2, table.size() - 3);
        table.play(first);
        let near = |point: &Point| (1..=3).contains(&point.distance(first));
        let seconds: Vec<_> = table.free().iter().filter(near).collect();
        table.play(seconds[random.below(seconds.len())]);
        let goal = Goal::Balance { stones: 1, bias: 0 };
        let question = Question { goal, share: PAIRS_TRIED, ..Question::default() };
        let choice = self.choose(request, table.position(self.rule()), &question)?;
        let third = choice.iter().flat_map(stones_of).find(|point| table.free().contains(*point));
        let third = third.or_else(|| table.any_move(self.rule())).ok_or("The board is full.")?;
        table.play(third);
        let score = choice.and_then(|choice| choice.score);
        Ok((score.map_or(u64::MAX, |score| score.value().unsigned_abs()), table))
    }

    /// One of the 26 openings: of a few, the one that the player finds most even.
    pub(super) fn named_opening(&mut self, request: &Request) -> Result<[Point; 3], Refusal> {
        let size = self.table()?.size();
        let mut random = Random(self.seed());
        let mut best: Option<(u64, [Point; 3])> = None;
        for _ in 0..OPENINGS_TRIED {
            let stones = NamedOpening::ALL[random.below(26)].stones(size);
            let position = Position::from_moves(self.rule(), size, &stones)
                .map_err(|error| error.to_string())?;
            let question = Question { share: OPENINGS_TRIED, ..Question::default() };
            let choice = self.choose(request, position, &question)?;
            let score = choice.and_then(|choice| choice.score);
            let miss = score.map_or(u64::MAX, |score| score.value().unsigned_abs());
            if best.is_none_or(|(least, _)| miss < least) {
                best = Some((miss, stones));
            }
        }
        Ok(best.expect("at least one opening was tried").1)
    }

    /// White's fourth stone and the number of fifths that makes Black's best offer most even.
    pub(super) fn fourth_stone(&mut self, request: &Request) -> Result<(Point, usize), Refusal> {
        let (fourth, _) = self.judge(request, 2)?;
        let mut table = self.table()?.clone();
        table.play(fourth);
        let fifths = self.fifths(request, &table, MAX_FIFTHS, 2)?;
        let miss = |(_, score): &(Point, Option<Score>)| {
            score.map_or(u64::MAX, |score| score.value().unsigned_abs())
        };
        let even = (0..fifths.len()).min_by_key(|&i| miss(&fifths[i])).unwrap_or(0);
        Ok((fourth, even + 1))
    }

    /// The best fifth stones of Black, no two of them symmetric, with what they are worth to Black.
    pub(super) fn fifths(
        &mut self,
        request: &Request,
        table: &Table,
        count: usize,
        share: u32,
    ) -> Result<Vec<(Point, Option<Score>)>, Refusal> {
        let position = table.position(self.rule());
        // Symmetric ones among the best are dropped, so a few more are asked for.
        let question = Question { multi_pv: 2 * count, share, ..Question::default() };
        let choice = self.choose(request, position.clone(), &question)?;
        let considered = choice.iter().flat_map(candidates_of).map(|best| (best.point, best.score));
        let mut near: Vec<_> = position.legal_points().iter().collect();
        let centre = Point::centre(position.size());
        near.sort_by_key(|point| point.distance(centre));
        let mut fifths: Vec<(Point, Option<Score>)> = Vec::new();
        for (point, score) in considered.chain(near.into_iter().map(|point| (point, None))) {
            let is_new = position.is_legal(point)
                && !fifths.iter().any(|(other, _)| are_symmetric(&position, *other, point));
            if is_new && fifths.len() < count {
                fifths.push((point, score));
            }
        }
        Ok(fifths)
    }

    /// Of the offered fifths the one that White likes best.
    pub(super) fn pick_fifth(
        &mut self,
        request: &Request,
        table: &Table,
        offers: &[Point],
    ) -> Result<Point, Refusal> {
        let mut best: Option<(Score, Point)> = None;
        for &fifth in offers {
            let mut after = table.clone();
            if !after.play(fifth) {
                return Err("An offered fifth move is not on an empty point.".into());
            }
            let position = after.position(self.rule());
            debug_assert_eq!(position.to_move(), Color::White);
            let question = Question { share: offers.len() as u32, ..Question::default() };
            let choice = self.choose(request, position, &question)?;
            let score = choice.and_then(|choice| choice.score).unwrap_or_default();
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, fifth));
            }
        }
        best.map(|(_, fifth)| fifth).ok_or_else(|| "No fifth moves are offered.".into())
    }
}

/// Numbers from a seed, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A point whose column and row are within these, ends included.
    fn point_between(&mut self, low: u8, high: u8) -> Point {
        let mut number = || low + self.below(usize::from(high - low) + 1) as u8;
        Point::new(number(), number())
    }
}
