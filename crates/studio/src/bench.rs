//! Players waiting for their next question, and the searches that are running.
//!
//! A player remembers what it learned while the game goes on, so it is kept after a search and used
//! again for the same game; a few are kept, the one unused longest is let go.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use gomoku::{Position, Rule};
use player::{Player, Registry, SpecError};

/// Players kept between searches.
const MAX_IDLE: usize = 4;
/// Searches at the same time, for all pages together.
const MAX_RUNNING: usize = 8;

/// A player with the game it last played.
pub(crate) struct Seat {
    spec: String,
    game: String,
    pub(crate) player: Box<dyn Player>,
}

/// All players and searches of the server.
pub(crate) struct Bench {
    registry: Arc<Registry>,
    idle: Mutex<Vec<Seat>>,
    scales: Mutex<BTreeMap<String, f64>>,
    running: Mutex<Vec<Arc<AtomicBool>>>,
}

impl Bench {
    pub(crate) fn new(registry: Arc<Registry>) -> Bench {
        Bench {
            registry,
            idle: Mutex::default(),
            scales: Mutex::default(),
            running: Mutex::default(),
        }
    }

    /// A player for this game: the one that played it before, or one that starts afresh.
    pub(crate) fn take(&self, spec: &str, game: &str, seed: u64) -> Result<Seat, SpecError> {
        let found = {
            let mut idle = lock(&self.idle);
            let same = |seat: &Seat| seat.spec == spec;
            let index = idle
                .iter()
                .position(|seat| same(seat) && seat.game == game)
                .or_else(|| idle.iter().position(same));
            index.map(|index| idle.remove(index))
        };
        let mut seat = match found {
            Some(seat) => seat,
            None => {
                let player = self.registry.build(spec)?;
                Seat { spec: spec.to_owned(), game: String::new(), player }
            }
        };
        if seat.game != game || game.is_empty() {
            seat.player.new_game(seed);
            game.clone_into(&mut seat.game);
        }
        Ok(seat)
    }

    /// Gives a player back.
    pub(crate) fn give(&self, seat: Seat) {
        let mut idle = lock(&self.idle);
        idle.push(seat);
        if idle.len() > MAX_IDLE {
            idle.remove(0);
        }
    }

    /// Allows one more search, unless there are too many.
    pub(crate) fn begin(&self) -> Option<Arc<AtomicBool>> {
        let mut running = lock(&self.running);
        if running.len() >= MAX_RUNNING {
            return None;
        }
        let flag = Arc::new(AtomicBool::new(false));
        running.push(Arc::clone(&flag));
        Some(flag)
    }

    pub(crate) fn end(&self, flag: &Arc<AtomicBool>) {
        lock(&self.running).retain(|other| !Arc::ptr_eq(other, flag));
    }

    pub(crate) fn stop_all(&self) {
        for flag in lock(&self.running).iter() {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// The evaluation that stands for a fair advantage of this player, to draw win percentages.
    ///
    /// Each player has units of its own. An open three of one's own against nothing wins nine games
    /// of ten, so its value is worth the logarithm of nine.
    pub(crate) fn scale(&self, spec: &str) -> f64 {
        if let Some(&scale) = lock(&self.scales).get(spec) {
            return scale;
        }
        let three = Position::parse("b:h8,i8,j8 w:b2,n13 b", Rule::Freestyle, 15);
        let value = match (self.registry.build(spec), three) {
            (Ok(mut player), Ok(position)) => player.explain(&position).value,
            _ => None,
        };
        let scale = match value {
            Some(score) if !score.is_decisive() && score.value() > 0 => {
                score.value() as f64 / 9f64.ln()
            }
            _ => 200.0,
        };
        let mut scales = lock(&self.scales);
        if scales.len() < 1000 {
            scales.insert(spec.to_owned(), scale);
        }
        scale
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What these guard stays whole whatever a panicking holder was doing.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bench").field("registry", &self.registry).finish_non_exhaustive()
    }
}
