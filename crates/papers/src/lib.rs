//! The papers' experiments as data, and their report.
//!
//! An [`Experiment`] is a small file that says who plays, from where, how often, and what the paper
//! printed. [`run()`] measures its parts, each into a journal that can be gone on with; [`Report`]
//! reads the journals, sets our numbers beside the paper's and judges each claim by its interval.
//! No player is named here by type: experiments name them by text, and a registry is handed in, as
//! is the one shape that an experiment looks for.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod claim;
mod evolve;
mod experiment;
mod find;
mod games;
mod journal;
mod measure;
mod readings;
mod report;
mod run;
mod scale;
mod shipped;
mod spent;
mod starts;
mod verdict;
mod walk;

pub use claim::{Claim, ClaimReason, Expected, Quantity};
pub use experiment::{
    Amount, Evolve, Experiment, ExperimentError, ExperimentPlayer, Find, FirstStones, Games,
    Meetings, PaperReading, Part, PrintedRow, Readings, Start, Walk, read,
};
pub use journal::RowsError;
pub use measure::{Measure, Unit};
pub use report::Report;
pub use run::{Dispatching, MakesShape, PapersError, PapersProgress, RunContext, run};
pub use scale::Scale;
pub use shipped::{all, find};
pub use spent::{TimeLog, rough_time};
pub use verdict::{ClaimVerdict, Judged, judge};
