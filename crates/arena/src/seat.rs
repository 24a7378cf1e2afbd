//! Those who sit at the table: players of this program, and programs of others.

use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use gomoku::{Ending, Position};
use player::{Choice, Player, Task};

use crate::{
    control::Turn,
    external::External,
    game::Failure,
    plan::{Contender, Timeouts},
    wire_log::WireLogs,
};

/// Makes a player from its spec. Called anew for every pair, by the thread that plays it.
pub type Factory = Arc<dyn Fn(&str) -> Result<Box<dyn Player>, String> + Send + Sync>;

/// Makes the seats of a run.
#[derive(Clone)]
pub struct Seats {
    factory: Factory,
    logs: Option<WireLogs>,
}

impl Seats {
    /// Writes down what is said to external engines and by them.
    #[must_use]
    pub fn logged(self, logs: WireLogs) -> Seats {
        Seats { logs: Some(logs), ..self }
    }
}

impl From<&Factory> for Seats {
    fn from(factory: &Factory) -> Seats {
        Seats { factory: Arc::clone(factory), logs: None }
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seats").field("logs", &self.logs).finish_non_exhaustive()
    }
}

/// A contender in a game: one of our players, or an external program.
pub(crate) trait Seat: Send {
    /// Gets ready for a new game and forgets the last one.
    fn start(
        &mut self,
        seed: u64,
        position: &Position,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Failure>;

    /// Answers, and says how long it took.
    fn choose(&mut self, task: &Task, turn: &Turn<'_>) -> Result<(Choice, Duration), Failure>;
}

/// The mark of an external engine in a spec.
pub const COMMAND_PREFIX: &str = "cmd:";

/// Seats a contender. A spec that makes no player is a failed start.
pub(crate) fn seat(
    contender: &Contender,
    seats: &Seats,
    timeouts: Timeouts,
) -> Result<Box<dyn Seat>, Failure> {
    if let Some(command) = contender.spec.strip_prefix(COMMAND_PREFIX) {
        let engine = External::new(command, contender.budget.limits(), timeouts);
        return Ok(Box::new(match &seats.logs {
            Some(logs) => engine.logged(logs, &contender.name),
            None => engine,
        }));
    }
    let failed = |detail: String| Failure::new(Ending::StartUp, detail);
    let player = catch_unwind(AssertUnwindSafe(|| (seats.factory)(&contender.spec)))
        .unwrap_or_else(|panic| Err(format!("Making the player panicked: {}", message(&*panic))))
        .map_err(failed)?;
    Ok(Box::new(InProcess(player)))
}

/// A player that lives in this process.
struct InProcess(Box<dyn Player>);

impl Seat for InProcess {
    fn start(
        &mut self,
        seed: u64,
        _position: &Position,
        _stopped: &dyn Fn() -> bool,
    ) -> Result<(), Failure> {
        let player = &mut self.0;
        catch_unwind(AssertUnwindSafe(|| player.new_game(seed))).map_err(|panic| {
            Failure::new(Ending::StartUp, format!("It panicked: {}", message(&*panic)))
        })
    }

    fn choose(&mut self, task: &Task, turn: &Turn<'_>) -> Result<(Choice, Duration), Failure> {
        let player = &mut self.0;
        let answer = catch_unwind(AssertUnwindSafe(|| player.choose(task, turn)));
        let used = turn.started.elapsed();
        match answer {
            Err(panic) => {
                Err(Failure::new(Ending::Crash, format!("It panicked: {}", message(&*panic))))
            }
            // Without a time limit nothing else would ever call this too long.
            Ok(_) if turn.hard.is_none() && used > turn.deadline => {
                Err(Failure::new(Ending::Stall, format!("It took {} s.", used.as_secs())))
            }
            Ok(choice) => Ok((choice, used)),
        }
    }
}

/// What a panic said.
pub(crate) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    text.or(owned).unwrap_or("no message").to_owned()
}
