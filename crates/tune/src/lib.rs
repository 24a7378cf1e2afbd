//! Differential evolution, SPSA, CMA-ES and regression behind one ask/tell trait, and the runs that
//! tune players with them.
//!
//! An [`Optimizer`] asks for duels of genomes and is told how they went. [`tune()`] plays the duels
//! through the arena's dispatcher, writes each generation to the [`Log`] before it counts, compares
//! snapshots with the start, and tests the result on openings that were not tuned on.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod cma;
mod de;
mod games;
mod log;
pub mod logistic;
mod matrix;
mod optimizer;
mod regress;
mod report;
mod run;
mod setup;
mod space;
mod spsa;

pub use cma::CmaEs;
pub use de::{Evolution, Recommendation, Settings};
pub use games::{Starts, TuningContext};
pub use log::{Fit, Generation, LOG_VERSION, Log, LogError, LogLine, Record, Snapshot, Tournament};
pub use optimizer::{Duel, Method, Optimizer};
pub use regress::{Features, rescaled};
pub use report::Report;
pub use run::{TuneError, TuningProgress, TuningResult, tune};
pub use setup::{Algorithm, Options, Setup, SetupError, SpaceSearch, UnknownAlgorithm, final_test};
pub use space::{Gene, GeneKind, Genome, Space, SpaceError};
pub use spsa::Spsa;
