//! Games, clocks, external engines, schedules, journal and reports.
//!
//! A [`Plan`] is everything that decides the games of a run. [`run`] deals it out, pair by pair
//! (two games from one opening with colors swapped), to a [`Dispatcher`]: threads of this process
//! ([`Threads`]) or a fleet of machines. Each finished pair is written to the [`Journal`] before it
//! is counted, and counted in the order of the schedule, so that the result depends neither on how
//! many play at once nor on who finishes first. [`Report`] says what came out;
//! [`read_runs`] goes through every run.
//!
//! Players are made by a [`Factory`] from their spec; a spec that begins with `cmd:` is an
//! [`External`] engine in a process of its own.
//!
//! ```no_run
//! # fn demo(plan: arena::Plan, factory: arena::Factory) -> Result<(), Box<dyn std::error::Error>> {
//! use arena::{RunControl, Journal, Report, Threads};
//!
//! let folder = std::path::Path::new("runs").join(&plan.run);
//! let mut journal = Journal::create(&folder.join("journal.jsonl"), &plan)?;
//! let control = RunControl::default(); // interrupt() it on Ctrl-C: once finishes, twice stops
//! let mut threads = Threads::start(2, &factory, &control);
//! let outcome =
//!     arena::run(&plan, Vec::new(), &mut journal, &mut threads, &control, &mut |_event| {})?;
//! let report = Report::new(&plan, &outcome);
//! report.write(&plan, &outcome.pairs, &folder.join("report"))?;
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod check;
mod control;
mod dispatch;
mod external;
mod game;
mod imported;
mod journal;
mod name;
mod openings;
mod pair;
mod plan;
pub mod plot;
mod process;
mod record;
mod recorded;
mod report;
mod run;
mod schedule;
mod seat;
pub mod seed;
mod tally;
pub mod text;
mod watchdog;
mod wire_log;

pub use control::{RunControl, Turn};
pub use dispatch::{DispatchError, Dispatcher, News, Threads};
pub use external::External;
pub use game::{Failure, GameInProgress};
pub use imported::{ImportError, ImportedFile, ImportedGame, read_results};
pub use journal::{JOURNAL_VERSION, Journal, JournalContent, JournalError};
pub use name::{ReservedName, RunNameError, check_run_name, short_spec};
pub use openings::{OpeningList, Openings, OpeningsError};
pub use pair::{JOB_VERSION, Moved, PairError, PairJob, PairSpec};
pub use plan::{
    Adjudication, Agreement, Budget, Contender, DEFAULT_SEED, Plan, PlanError, Schedule, Timeouts,
};
pub use record::{GameRecord, PairRecord, Winner, digest, games_log};
pub use recorded::{GameFilter, RatingLine, RunLine, rate_games, rate_runs, read_runs};
pub use report::{
    MeetingLine, MoveCosts, PlayerLine, REPORT_VERSION, Report, TestLine, played_game,
};
pub use run::{Event, RunEnd, RunError, Standing, Stop, replay, run};
pub use schedule::{Next, Scheduler};
pub use seat::{COMMAND_PREFIX, Factory, Seats};
pub use tally::{Count, Tally, is_fault, ratings};
pub use wire_log::WireLogs;
