//! What it means to choose a move: tasks, limits, choices, parameters and the registry.
//!
//! A [`Player`] is handed a [`Task`] (a position, limits, what is wanted) and a [`Watch`] (the stop
//! flag, the clock, and where progress goes) and gives back a [`Choice`]: the move together with why
//! it was chosen and what it cost. Nothing here knows an algorithm.
//!
//! Players are named by text, `alpha-beta(depth=6, moves=near(1)|top(12))`. Its parameters are
//! declared once as [`ParamSpec`]s; the command line, the page, the tuner and the documents read the
//! same declaration. A [`Registry`] turns the text into a player.
//!
//! A player of one's own takes a few lines, and plays everywhere once it is in a registry:
//!
//! ```
//! use gomoku::{Point, Position, Rule};
//! use player::{Choice, Limits, ParamSpec, Player, PlayerInfo, Reason, Registry, Task, Unwatched, Watch};
//!
//! /// Plays the legal point nearest to the center, or farthest from it.
//! struct Central { is_shy: bool }
//!
//! impl Player for Central {
//!     fn new_game(&mut self, _seed: u64) {}
//!
//!     fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
//!         let center = Point::center(task.position.size());
//!         let legal = task.position.legal_points();
//!         let far = |point: &Point| point.distance(center);
//!         let point = if self.is_shy { legal.iter().max_by_key(far) } else { legal.iter().min_by_key(far) };
//!         Choice::of(point.expect("there is a legal point"), Reason::Evaluation)
//!     }
//! }
//!
//! let mut registry = Registry::default();
//! let info = PlayerInfo {
//!     name: "central",
//!     summary: "Plays near the center.",
//!     source: "",
//!     params: vec![ParamSpec::switch("shy", false, "Play far from it instead.")],
//!     tables: Vec::new(),
//! };
//! registry.add(info, Box::new(|params| Ok(Box::new(Central { is_shy: params.switch("shy") }))));
//!
//! let mut player = registry.build("central")?;
//! let task = Task::new(Position::new(Rule::Freestyle, 15), Limits::default());
//! assert_eq!(player.choose(&task, &Unwatched).point(), Some("h8".parse()?));
//! assert!(registry.build("central(shy=maybe)").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod choice;
mod limits;
mod memory;
mod opening;
mod param;
mod random;
mod registry;
mod score;
mod spec;
mod task;
mod trace;
mod watch;

pub use choice::{
    Candidate, Choice, Counters, Explanation, Iteration, LineValue, PlayerReply, PointValue, Proof,
    Reason, Term,
};
pub use limits::{Clock, Limits};
pub use memory::{Bound, PositionStore, Stored};
pub use opening::{OpeningOptions, answer_opening};
pub use param::{ParamKind, ParamSpec, ParamValue, ParamValues};
pub use random::{SplitMix64, permutation};
pub use registry::{BuildPlayer, PaperTable, PlayerInfo, Registry};
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
