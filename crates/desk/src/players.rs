//! Players kept for their next question, and the searches that are running.
//!
//! A player remembers what it learned while the game goes on, so it is kept after a search and used
//! again for the same game; a few are kept, the one unused longest is let go.

use std::{
    collections::BTreeMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use player::{Player, Registry};

use crate::{explanation::fair_advantage, lock};

/// Players kept between searches.
const MAX_IDLE: usize = 4;
/// Searches at the same time, for all pages together.
const MAX_RUNNING: usize = 8;

/// A player with the game it last played.
pub(crate) struct PooledPlayer {
    spec: String,
    game: String,
    pub(crate) player: Box<dyn Player>,
}

/// All players and searches.
pub(crate) struct PlayerPool {
    registry: Arc<Registry>,
    idle: Mutex<Vec<PooledPlayer>>,
    scales: Mutex<BTreeMap<String, Option<f64>>>,
    running: Arc<Running>,
}

/// The stop flags of the searches that are running.
type Running = Mutex<Vec<Arc<AtomicBool>>>;

/// The place of a search among those that are running, for as long as this lives.
pub(crate) struct SearchPlace {
    running: Arc<Running>,
    stop: Arc<AtomicBool>,
}

impl Drop for SearchPlace {
    fn drop(&mut self) {
        let mut running = lock(&self.running);
        // The searches of a batch share a flag, and each has a place.
        if let Some(own) = running.iter().position(|flag| Arc::ptr_eq(flag, &self.stop)) {
            running.swap_remove(own);
        }
    }
}

impl PlayerPool {
    pub(crate) fn new(registry: Arc<Registry>) -> PlayerPool {
        PlayerPool {
            registry,
            idle: Mutex::default(),
            scales: Mutex::default(),
            running: Arc::default(),
        }
    }

    /// The player that is meant: the first of all if none is named.
    pub(crate) fn named<'a>(&'a self, spec: &'a str) -> &'a str {
        let first = || self.registry.players().next().map_or("", |info| info.name);
        if spec.is_empty() { first() } else { spec }
    }

    /// A player for this game: the one that played it before, or one that starts afresh.
    pub(crate) fn acquire(
        &self,
        spec: &str,
        game: &str,
        seed: u64,
    ) -> Result<PooledPlayer, String> {
        let ready = catch_unwind(AssertUnwindSafe(|| self.make_ready(spec, game, seed)));
        ready.unwrap_or_else(|_| Err(format!("The player {spec} failed.")))
    }

    fn make_ready(&self, spec: &str, game: &str, seed: u64) -> Result<PooledPlayer, String> {
        let found = {
            let mut idle = lock(&self.idle);
            let same = |pooled: &PooledPlayer| pooled.spec == spec;
            let index = idle
                .iter()
                .position(|pooled| same(pooled) && pooled.game == game)
                .or_else(|| idle.iter().position(same));
            index.map(|index| idle.remove(index))
        };
        let mut pooled = match found {
            Some(pooled) => pooled,
            None => {
                let player = self.registry.build(spec).map_err(|problem| problem.to_string())?;
                PooledPlayer { spec: spec.to_owned(), game: String::new(), player }
            }
        };
        if pooled.game != game || game.is_empty() {
            pooled.player.new_game(seed);
            game.clone_into(&mut pooled.game);
        }
        Ok(pooled)
    }

    /// Gives a player back.
    pub(crate) fn release(&self, pooled: PooledPlayer) {
        let mut idle = lock(&self.idle);
        idle.push(pooled);
        if idle.len() > MAX_IDLE {
            idle.remove(0);
        }
    }

    /// Allows one more search, which stops when the flag turns true, unless there are too many.
    pub(crate) fn begin_search(&self, stop: &Arc<AtomicBool>) -> Option<SearchPlace> {
        let mut running = lock(&self.running);
        if running.len() >= MAX_RUNNING {
            return None;
        }
        running.push(Arc::clone(stop));
        Some(SearchPlace { running: Arc::clone(&self.running), stop: Arc::clone(stop) })
    }

    pub(crate) fn stop_all(&self) {
        for flag in lock(&self.running).iter() {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// The fair advantage of a player, see [`fair_advantage`].
    pub(crate) fn scale(&self, spec: &str) -> Option<f64> {
        if let Some(&scale) = lock(&self.scales).get(spec) {
            return scale;
        }
        let scale = fair_advantage(&self.registry, spec);
        let mut scales = lock(&self.scales);
        if scales.len() < 1000 {
            scales.insert(spec.to_owned(), scale);
        }
        scale
    }
}

impl fmt::Debug for PlayerPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayerPool").field("registry", &self.registry).finish_non_exhaustive()
    }
}
