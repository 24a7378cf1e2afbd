//! The folder of runs: one folder each, with a journal or log, a report, and a mark while it is going.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use arena::{COMMAND_PREFIX, ReservedName, WireLogs};
use desk::{Answer, AnswerResult, Call, Jobs, Refusal, Route, Verb, Why, Work};
use player::Registry;

/// The file that says a run is going, and with how many threads.
const MARK: &str = "going";

/// The runs of one kind: those that have a file of this name.
#[derive(Debug)]
pub(crate) struct RunFolder {
    folder: PathBuf,
    record: &'static str,
}

impl RunFolder {
    pub(crate) fn new(data: &Path, record: &'static str) -> RunFolder {
        RunFolder { folder: data.join("runs"), record }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// A name for a new run: the time, and what people called it or what it is about.
    pub(crate) fn new_name(&self, name: &str, about: &str) -> Result<ReservedName, String> {
        let about = if name.trim().is_empty() { about } else { name };
        ReservedName::take(&self.folder, about).map_err(|error| {
            format!("No folder can be made in {}: {error}.", self.folder.display())
        })
    }

    /// Where the record of a new run is kept.
    pub(crate) fn new_record(&self, id: &str) -> PathBuf {
        self.folder.join(id).join(self.record)
    }

    /// The record of a run, if there is one. Names from outside never leave the folder.
    pub(crate) fn record(&self, id: &str) -> Option<PathBuf> {
        arena::check_run_name(id).ok()?;
        Some(self.new_record(id)).filter(|path| path.is_file())
    }

    /// A file of a run's report.
    pub(crate) fn report(&self, id: &str, file: &str) -> Option<PathBuf> {
        Some(self.record(id)?.with_file_name("report").join(file))
    }

    /// Where the logs of the external engines of a run are.
    pub(crate) fn logs(&self, id: &str) -> PathBuf {
        self.folder.join(id).join("logs")
    }

    /// The log of an external engine of a run, if there is one.
    pub(crate) fn log(&self, id: &str, engine: &str) -> Option<PathBuf> {
        self.record(id)?;
        Some(WireLogs::path(&self.logs(id), engine)).filter(|path| path.is_file())
    }

    /// Every run of this kind, with its record.
    pub(crate) fn all(&self) -> impl Iterator<Item = (String, PathBuf)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| {
            let id = entry.file_name().to_string_lossy().into_owned();
            let record = self.record(&id)?;
            Some((id, record))
        })
    }

    pub(crate) fn mark(&self, id: &str, threads: usize) -> Result<(), String> {
        fs::write(self.folder.join(id).join(MARK), threads.to_string())
            .map_err(|error| error.to_string())
    }

    pub(crate) fn unmark(&self, id: &str) {
        // A mark that stays only makes the run go on at the next start.
        let _ = fs::remove_file(self.folder.join(id).join(MARK));
    }

    pub(crate) fn marked(&self) -> Vec<String> {
        let is_marked = |path: &PathBuf| path.with_file_name(MARK).is_file();
        self.all().filter(|(_, path)| is_marked(path)).map(|(id, _)| id).collect()
    }

    /// The threads that a run goes on with: as many as before the server ended.
    pub(crate) fn threads(&self, id: &str) -> usize {
        let mark = fs::read_to_string(self.folder.join(id).join(MARK));
        mark.map_or(0, |text| text.trim().parse().unwrap_or(1))
    }
}

/// The threads for a run; zero is all cores but one.
pub(crate) fn threads(wanted: usize) -> usize {
    let most = std::thread::available_parallelism().map_or(1, usize::from);
    if wanted == 0 { most.saturating_sub(1).max(1) } else { wanted.min(most) }
}

/// Programs that were named when the studio was started: names and commands.
pub(crate) type Engines = Vec<(String, String)>;

/// Only players of the registry: no form and no journal can start a program.
pub(crate) fn check_spec(registry: &Registry, spec: &str) -> Result<(), String> {
    if spec.starts_with(COMMAND_PREFIX) {
        return Err("Programs can only be named on the command line.".to_owned());
    }
    registry.params(spec).map(drop).map_err(|error| error.to_string())
}

/// Something that can be asked about jobs.
pub(crate) fn route<W: Work>(
    jobs: &Arc<Jobs<W>>,
    path: &str,
    answer: fn(&Jobs<W>, &Call) -> AnswerResult,
) -> Route {
    let jobs = Arc::clone(jobs);
    Route::new(Verb::Get, path, move |call| answer(&jobs, call))
}

/// The file of a report that was asked for: to be saved, or with `?open` a page to be read.
pub(crate) fn file(call: &Call, bytes: Option<Vec<u8>>) -> AnswerResult {
    let missing = || Refusal::new(Why::Missing, "There is no such report.\n");
    let (name, bytes) = (call.name(1), bytes.ok_or_else(missing)?);
    Ok(match call.query.contains_key("open") && name.ends_with(".html") {
        true => Answer::Page(bytes),
        false => Answer::File(name.to_owned(), bytes),
    })
}
