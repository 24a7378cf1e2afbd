//! What it means to choose a move: tasks, limits, choices, parameters and the registry.
//!
//! A [`Player`] is handed a [`Task`] (a position, limits, what is wanted) and a [`Watch`] (the stop
//! flag, the clock, and where progress goes) and gives back a [`Choice`]: the move together with why
//! it was chosen and what it cost. Nothing here knows an algorithm.
//!
//! Players are named by text, `alpha-beta(depth=6, moves=near(1)|top(12))`. Its parameters are
//! declared once as [`ParamSpec`]s; the command line, the page, the tuner and the documents read the
//! same declaration. A [`Registry`] turns the text into a player.

mod choice;
mod limits;
mod param;
mod registry;
mod score;
mod spec;
mod task;
mod trace;
mod watch;

pub use choice::{
    Candidate, Choice, Counters, Explanation, Iteration, PointValue, Proof, Reason, Reply, Term,
};
pub use limits::{Clock, Limits};
pub use param::{ParamKind, ParamSpec, ParamValue, Params};
pub use registry::{Build, PlayerInfo, Registry, Table};
pub use score::Score;
pub use spec::{Arg, Spec, SpecError};
pub use task::{Goal, Task};
pub use trace::{Trace, TraceNode};
#[cfg(not(target_arch = "wasm32"))]
pub use watch::Stopwatch;
pub use watch::{Progress, Unwatched, Watch};

use gomoku::Position;

/// Anything that can choose a move.
///
/// A player keeps what it learns between the moves of one game, and [`Player::new_game`] makes it
/// forget: the same seed, tasks and untimed limits then give the same choices on every machine.
pub trait Player: Send {
    /// Forgets everything learned and starts from this seed.
    fn new_game(&mut self, seed: u64);

    /// Chooses what to play. The position is not decided and the side to move has an empty point.
    ///
    /// Returns soon after [`Watch::stopped`] turns true, with the best answer known by then.
    fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Choice;

    /// The static evaluation of a position with its breakdown, and what each point is worth.
    fn explain(&mut self, position: &Position) -> Explanation {
        let _ = position;
        Explanation::default()
    }
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn new_game(&mut self, seed: u64) {
        (**self).new_game(seed);
    }

    fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Choice {
        (**self).choose(task, watch)
    }

    fn explain(&mut self, position: &Position) -> Explanation {
        (**self).explain(position)
    }
}
