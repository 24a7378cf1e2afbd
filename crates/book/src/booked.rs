//! A player that opens by its books and then lets another think.

use std::sync::Arc;

use gomoku::{Point, Position, zobrist::split_mix};
use player::{Choice, Explanation, Goal, Player, Reason, Task, Watch};

use crate::{entry::Key, look::BookMove, position_book::PositionBook};

/// Finds the moves of a proved win.
pub type ProvedMove = Box<dyn FnMut(&Task, &dyn Watch) -> Option<Choice> + Send>;

/// Wins where a win is proved, plays from a book of positions where it can, and hands everything else
/// to another player.
pub struct Booked {
    proved: ProvedMove,
    book: Arc<PositionBook>,
    inner: Box<dyn Player>,
    variety: i64,
    seed: u64,
}

impl std::fmt::Debug for Booked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Booked").field("variety", &self.variety).finish_non_exhaustive()
    }
}

impl Booked {
    /// A player with a book. Among the moves that lose at most `variety` against the best one, the
    /// seed of the game chooses; 0 always plays the best.
    pub fn new(book: Arc<PositionBook>, inner: Box<dyn Player>, variety: i64) -> Booked {
        Booked { proved: Box::new(|_, _| None), book, inner, variety, seed: 0 }
    }

    /// The same player with proved wins before the book.
    pub fn with_proved(self, proved: ProvedMove) -> Booked {
        Booked { proved, ..self }
    }

    /// The book's move, if the position was searched and is not lost.
    fn book_move(&self, task: &Task) -> Option<(Point, BookMove, u32)> {
        let wants_one_move = task.goal == Goal::Best && task.multi_pv <= 1 && !task.trace;
        // Most positions of a game are not in the book: that must cost next to nothing.
        let depth = self.book.entry(&Key::of(&task.position).0).filter(|_| wants_one_move)?.depth;
        let look = self.book.look(&task.position)?;
        let best = look.value?;
        if best.decisive_in().is_some_and(|plies| plies < 0) {
            return None;
        }
        let mut good: Vec<(BookMove, Vec<Point>)> = look
            .moves
            .into_iter()
            .filter(|m| m.value.is_some_and(|value| value.value() >= best.value() - self.variety))
            .map(|m| {
                let allowed = m.same.iter().copied().filter(|&point| task.allows(point)).collect();
                (m, allowed)
            })
            .filter(|(_, allowed): &(_, Vec<Point>)| !allowed.is_empty())
            .collect();
        if self.variety == 0 {
            good.truncate(1); // moves of equal value would be variety, too
        }
        let chance = split_mix(self.seed ^ task.position.key());
        let number = (chance as usize).checked_rem(good.len())?;
        let (chosen, images) = good.swap_remove(number);
        let image = if self.variety == 0 { 0 } else { (chance >> 32) as usize % images.len() };
        Some((images[image], chosen, depth))
    }
}

impl Player for Booked {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.inner.new_game(seed);
    }

    fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Choice {
        if let Some(choice) = (self.proved)(task, watch) {
            return choice;
        }
        let Some((point, found, depth)) = self.book_move(task) else {
            return self.inner.choose(task, watch);
        };
        let name = found.name.unwrap_or_default().to_owned();
        let mut choice = Choice::of(point, Reason::Book(name));
        choice.score = found.value;
        choice.depth = depth;
        choice.counters.time = watch.elapsed();
        choice
    }

    fn explain(&mut self, position: &Position) -> Explanation {
        self.inner.explain(position)
    }
}
