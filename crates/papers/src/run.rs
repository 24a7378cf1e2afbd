//! Runs experiments: each part into a folder of its own, where it can be gone on with.

use std::{fs, io, path::Path};

use arena::{Dispatcher, RunControl};
use gomoku::{Point, Position};
use player::{Registry, SpecError};
use thiserror::Error;

use crate::{
    evolve,
    experiment::{Experiment, ExperimentError, Part},
    find, games,
    journal::RowsError,
    readings,
    scale::Scale,
    walk,
};

/// Opens what plays the pairs of the match whose journal this is.
pub type Dispatching<'a> = dyn Fn(&Path) -> Result<Box<dyn Dispatcher>, String> + 'a;

/// Whether the side to move makes a shape by playing on a point.
pub type MakesShape = fn(&Position, Point) -> bool;

/// Who plays and who is told.
pub struct RunContext<'a> {
    /// All players.
    pub registry: &'a Registry,
    /// Whether a stone of the side to move makes an open three.
    pub makes_open_three: MakesShape,
    /// Asks for the end.
    pub control: RunControl,
    /// How many play at the same time.
    pub jobs: usize,
    /// Plays the pairs of matches whose journal this is.
    pub dispatcher: &'a Dispatching<'a>,
    /// Hears what is going on.
    pub listener: &'a dyn Fn(&PapersProgress),
    /// The program and its version.
    pub build: String,
}

impl std::fmt::Debug for RunContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunContext").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

/// What a thread needs to ask players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tools<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) control: &'a RunControl,
    pub(crate) makes_open_three: MakesShape,
}

impl RunContext<'_> {
    pub(crate) fn tools(&self) -> Tools<'_> {
        let RunContext { registry, control, makes_open_three, .. } = self;
        Tools { registry, control, makes_open_three: *makes_open_three }
    }

    pub(crate) fn tell(&self, place: &str, done: u64, total: u64) {
        (self.listener)(&PapersProgress { place: place.to_owned(), done, total });
    }
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PapersProgress {
    /// Experiment and part.
    pub place: String,
    /// Units finished.
    pub done: u64,
    /// Units in all.
    pub total: u64,
}

/// Why an experiment did not come to its end.
#[derive(Debug, Error)]
pub enum PapersError {
    /// Somebody asked for it.
    #[error("The run was interrupted; resume it with --resume.")]
    Interrupted,
    /// An experiment that cannot be used.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A journal of rows cannot be used.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// A player that does not exist.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Games could not be played.
    #[error(transparent)]
    Run(#[from] arena::RunError),
    /// A journal of games cannot be used.
    #[error(transparent)]
    Journal(#[from] arena::JournalError),
    /// The evolution failed.
    #[error(transparent)]
    Tune(#[from] tune::TuneError),
    /// The log of an evolution cannot be used.
    #[error(transparent)]
    Log(#[from] tune::LogError),
    /// The parameters of an evolution make no sense.
    #[error(transparent)]
    Space(#[from] tune::SpaceError),
    /// An evolution that cannot be set up.
    #[error(transparent)]
    Setup(#[from] tune::SetupError),
    /// Nobody plays.
    #[error("{0}")]
    Dispatch(String),
    /// A file cannot be written.
    #[error("{0}.")]
    Io(#[from] io::Error),
    /// The folder holds something else.
    #[error("{0}")]
    Folder(String),
}

/// Runs all parts of an experiment, or goes on with them.
///
/// # Errors
/// When a player does not exist or a file cannot be written; what is in the journals stays valid.
pub fn run(
    experiment: &Experiment,
    folder: &Path,
    scale: Scale,
    context: &RunContext<'_>,
) -> Result<(), PapersError> {
    for part in &experiment.parts {
        for spec in part.specs() {
            context.registry.params(spec)?;
        }
        if scale.games(&part.amount()) == 0 {
            continue;
        }
        let folder = folder.join(&experiment.id).join(part.name());
        fs::create_dir_all(&folder)?;
        let place = format!("{}/{}", experiment.id, part.name());
        match part {
            Part::Games(part) => games::run(part, &place, &folder, scale, context)?,
            Part::Walk(part) => walk::run(part, &place, &folder, scale, context)?,
            Part::Find(part) => find::run(part, &place, &folder, scale, context)?,
            Part::Evolve(part) => evolve::run(part, &place, &folder, scale, context)?,
            Part::Readings(part) => readings::run(part, &place, &folder, scale, context)?,
        }
        if context.control.is_finishing() {
            return Err(PapersError::Interrupted);
        }
    }
    Ok(())
}
