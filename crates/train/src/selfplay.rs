//! Games of a player against itself, varied enough to learn from.

use gomoku::{Color, Outcome, Point, Position, Rule, zobrist::split_mix};
use player::{Limits, Player, Task, Watch};

use crate::games::SelfplayGame;

/// How games are played.
#[derive(Clone, Debug)]
pub struct Selfplay {
    /// The rule.
    pub rule: Rule,
    /// Board size.
    pub size: u8,
    /// Nodes a move, half of it to half as many again by chance.
    pub nodes: u64,
    /// Where games start, most of the time.
    pub openings: Vec<Vec<Point>>,
    /// Where chance begins.
    pub seed: u64,
}

/// No game is played longer; it counts as a draw then.
const LONGEST: usize = 140;
/// One game in so many starts from chance stones.
const FREE_START: u64 = 10;
/// One move in so many is left to chance, before this ply.
const STRAY: u64 = 16;
const STRAY_END: usize = 24;
/// A game goes on after a win has been seen, to learn how it is made, until it is this short.
const SHORT_WIN: i64 = 3;

impl Selfplay {
    /// The game with this number: always the same one, whoever plays the others. `None` if the watch
    /// stopped it.
    pub fn game(
        &self,
        number: u64,
        player: &mut dyn Player,
        watch: &dyn Watch,
    ) -> Option<SelfplayGame> {
        let mut random = Random(split_mix(self.seed) ^ split_mix(number));
        player.new_game(number);
        let mut position = self.start(&mut random);
        let mut scores = vec![None; position.moves().len()];
        let mut claimed = None;
        while position.outcome().is_none() && position.moves().len() < LONGEST {
            let nodes = self.nodes / 2 + random.below(self.nodes.max(1));
            let task = Task::new(position.clone(), Limits::nodes(nodes));
            let choice = player.choose(&task, watch);
            if watch.stopped() {
                return None;
            }
            let score = choice.score.unwrap_or_default();
            if let Some(plies) = score.decisive_in() {
                let black_wins = (position.to_move() == Color::Black) == (plies > 0);
                claimed = Some(if black_wins { 2 } else { 0 });
                if plies.abs() <= SHORT_WIN {
                    break;
                }
            }
            let strays =
                claimed.is_none() && position.moves().len() < STRAY_END && random.below(STRAY) == 0;
            match near_move(&position, &mut random).filter(|_| strays) {
                Some(point) => {
                    scores.push(None);
                    position.play(point).ok()?;
                }
                None => {
                    scores.push(Some(score.value().clamp(-9_999, 9_999) as i16));
                    position.play(choice.point()?).ok()?;
                }
            }
        }
        let result = match position.outcome().and_then(Outcome::winner) {
            Some(Color::Black) => 2,
            Some(Color::White) => 0,
            None => claimed.unwrap_or(1),
        };
        let moves = position.moves().to_vec();
        Some(SelfplayGame { rule: self.rule, size: self.size, moves, scores, result })
    }

    fn start(&self, random: &mut Random) -> Position {
        loop {
            let mut position = Position::new(self.rule, self.size);
            let is_free = self.openings.is_empty() || random.below(FREE_START) == 0;
            if is_free {
                self.scatter(&mut position, random);
            } else {
                let chosen = &self.openings[random.below(self.openings.len() as u64) as usize];
                let opening = Position::from_moves(self.rule, self.size, chosen);
                position = opening.unwrap_or(position);
                for _ in 0..random.below(4) {
                    if let Some(point) = near_move(&position, random) {
                        let _ = position.play(point); // it is legal
                    }
                }
            }
            if position.outcome().is_none() {
                return position;
            }
        }
    }

    /// A few stones around the center.
    fn scatter(&self, position: &mut Position, random: &mut Random) {
        let reach = (2 + random.below(4)).min(u64::from(self.size / 2));
        let middle = u64::from(self.size / 2);
        for _ in 0..1 + random.below(8) {
            let mut coordinate = || (middle + random.below(2 * reach + 1) - reach) as u8;
            if let Some(point) = Point::try_new(coordinate(), coordinate())
                && point.is_on(self.size)
            {
                let _ = position.play(point); // or not, if it is taken or forbidden
            }
        }
    }
}

/// A legal point next to a stone, by chance.
fn near_move(position: &Position, random: &mut Random) -> Option<Point> {
    let occupied = position.board().occupied();
    let near = occupied.grow(position.size()) - occupied;
    let points: Vec<Point> = near.iter().filter(|&point| position.is_legal(point)).collect();
    let chosen = random.below(points.len().max(1) as u64);
    points.get(chosen as usize).copied()
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = split_mix(self.0);
        self.0 % n
    }
}
