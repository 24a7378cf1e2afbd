//! The time that a run has taken, in a journal of its own that adds up over interruptions.

use std::{collections::BTreeMap, path::Path, time::Instant};

use serde::{Deserialize, Serialize};

use crate::journal::{self, Rows, RowsError};

const JOURNAL: &str = "time.jsonl";
/// A run that is killed forgets at most so many seconds, or its longest game.
const STRETCH: f64 = 10.0;

/// Time spent on an experiment without a break.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Stretch {
    experiment: String,
    /// By the clock on the wall.
    seconds: f64,
    /// Games played at the same time.
    jobs: usize,
}

/// Writes down the time while experiments run.
#[derive(Debug)]
pub struct TimeLog {
    rows: Rows,
    jobs: usize,
    since: Instant,
}

impl TimeLog {
    /// Begins to measure a run in this folder, or goes on.
    ///
    /// # Errors
    /// When the journal cannot be used.
    pub fn start(folder: &Path, jobs: usize) -> Result<TimeLog, RowsError> {
        let setting = serde_json::json!({ "about": "seconds of wall time" });
        let (rows, _) = Rows::open::<Stretch>(&folder.join(JOURNAL), &setting)?;
        Ok(TimeLog { rows, jobs, since: Instant::now() })
    }

    /// The experiment is still running.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn running(&mut self, experiment: &str) -> Result<(), RowsError> {
        if self.since.elapsed().as_secs_f64() < STRETCH { Ok(()) } else { self.lap(experiment) }
    }

    /// The time since the last lap belongs to this experiment.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn lap(&mut self, experiment: &str) -> Result<(), RowsError> {
        let seconds = self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        let jobs = self.jobs;
        self.rows.append(&Stretch { experiment: experiment.to_owned(), seconds, jobs })
    }
}

/// The time that the runs in a folder have taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Spent {
    /// Seconds of each experiment.
    pub(crate) seconds: BTreeMap<String, f64>,
    /// The most games played at the same time.
    pub(crate) jobs: usize,
}

impl Spent {
    pub(crate) fn read(folder: &Path) -> Result<Spent, RowsError> {
        let mut spent = Spent::default();
        for stretch in journal::read::<Stretch>(&folder.join(JOURNAL))? {
            *spent.seconds.entry(stretch.experiment).or_default() += stretch.seconds;
            spent.jobs = spent.jobs.max(stretch.jobs);
        }
        Ok(spent)
    }

    pub(crate) fn total(&self) -> f64 {
        self.seconds.values().sum()
    }
}

/// A time in words.
pub fn rough_time(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_adds_up_over_interruptions() {
        let folder = std::env::temp_dir().join(format!("tengen-spent-{}", std::process::id()));
        for jobs in [1, 2] {
            let mut stopwatch = TimeLog::start(&folder, jobs).unwrap();
            stopwatch.running("a").unwrap();
            stopwatch.lap("a").unwrap();
            stopwatch.lap("b").unwrap();
        }
        let held = journal::read::<Stretch>(&folder.join(JOURNAL)).unwrap();
        let spent = Spent::read(&folder).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(held.len(), 4, "what is short is not written before the lap ends");
        assert_eq!(spent.jobs, 2);
        assert_eq!(spent.seconds["a"], held[0].seconds + held[2].seconds);
        assert_eq!(spent.total(), spent.seconds["a"] + spent.seconds["b"]);
    }
}
