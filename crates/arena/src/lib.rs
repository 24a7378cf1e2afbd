//! Games, clocks, external engines, schedules, journal and reports.

mod control;
mod dispatch;
mod external;
mod game;
mod index;
mod journal;
mod openings;
mod pair;
mod plan;
pub mod plot;
mod process;
mod record;
mod report;
mod run;
mod schedule;
mod seat;
pub mod seed;
mod tally;
mod text;

pub use control::{Control, Turn};
pub use dispatch::{DispatchError, Dispatcher, News, Threads};
pub use external::External;
pub use game::{Failure, Table};
pub use index::{Filter, Index, IndexError, RatingLine, RunLine, StoredGame};
pub use journal::{JOURNAL_VERSION, Journal, JournalError, Recorded};
pub use openings::{OpeningBook, Openings, OpeningsError};
pub use pair::{JOB_VERSION, Job, Moved, PairError, PairSpec};
pub use plan::{Adjudication, Agreement, Budget, Contender, Patience, Plan, PlanError, Schedule};
pub use record::{GameRecord, PairRecord, Winner, digest, games_log};
pub use report::{MeetingLine, MoveCosts, PlayerLine, REPORT_VERSION, Report, TestLine};
pub use run::{Event, Outcome, RunError, Standing, Stop, replay, run};
pub use schedule::{Next, Scheduler};
pub use seat::{COMMAND_PREFIX, Factory};
pub use tally::{Count, Tally, encounters, is_fault, ratings};
