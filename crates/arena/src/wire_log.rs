//! What external engines were told and what they said, in a file for each engine.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

/// Bytes that the log of an engine may have. One that chatters does not fill the disk.
const LARGEST: u64 = 16 << 20;

/// The logs of a run, in a folder of their own.
#[derive(Clone, Debug)]
pub struct WireLogs {
    folder: PathBuf,
    began: Instant,
    /// Processes that have been started, by whichever thread.
    started: Arc<AtomicU64>,
}

impl WireLogs {
    /// Logs in a folder, which is made when there is something to write.
    pub fn new(folder: PathBuf) -> WireLogs {
        WireLogs { folder, began: Instant::now(), started: Arc::default() }
    }

    /// Where the log of an engine is.
    pub fn path(folder: &Path, engine: &str) -> PathBuf {
        let kept = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
        folder.join(engine.chars().map(kept).collect::<String>() + ".log")
    }

    /// The log of a process that is about to be started. A log that cannot be written is none: games
    /// matter more.
    pub(crate) fn of(&self, engine: &str) -> Option<WireLog> {
        fs::create_dir_all(&self.folder).ok()?;
        let path = WireLogs::path(&self.folder, engine);
        let file = OpenOptions::new().create(true).append(true).open(path).ok()?;
        let process = 1 + self.started.fetch_add(1, Ordering::Relaxed);
        Some(WireLog { file: Arc::new(Mutex::new(file)), began: self.began, process })
    }
}

/// The part of a log that is about one process.
#[derive(Clone, Debug)]
pub(crate) struct WireLog {
    file: Arc<Mutex<File>>,
    began: Instant,
    process: u64,
}

/// What a line of a log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    /// Told to the engine.
    Sent,
    /// Said by the engine.
    Received,
    /// Written to its error output.
    Error,
    /// What became of the process.
    Fate,
}

impl WireLog {
    /// Writes lines: seconds since the run began or was resumed, the number of the process, a sign, and
    /// the text.
    pub(crate) fn write(&self, wire: Wire, text: &str) {
        let sign = match wire {
            Wire::Sent => '>',
            Wire::Received => '<',
            Wire::Error => '!',
            Wire::Fate => '-',
        };
        let (seconds, process) = (self.began.elapsed().as_secs_f64(), self.process);
        let lines = text.lines().map(|line| format!("{seconds:.3} {process} {sign} {line}\n"));
        // A disk that is full must not end a game.
        let _ = self.append(&lines.collect::<String>());
    }

    fn append(&self, text: &str) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.metadata()?.len() < LARGEST { file.write_all(text.as_bytes()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_never_leaves_the_folder() {
        let path = WireLogs::path(Path::new("logs"), "../../rapfi #2");
        assert_eq!(path, Path::new("logs/______rapfi__2.log"));
    }

    #[test]
    fn a_log_goes_on_where_it_ended_and_does_not_grow_for_ever() {
        let folder = std::env::temp_dir().join(format!("tengen-logs-{}", std::process::id()));
        for _ in 0..2 {
            WireLogs::new(folder.clone()).of("a").unwrap().write(Wire::Sent, "BEGIN\nEND\n");
        }
        let path = WireLogs::path(&folder, "a");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!((text.lines().count(), text.matches(" 1 > END").count()), (4, 2), "{text}");
        let log = WireLogs::new(folder.clone()).of("a").unwrap();
        log.write(Wire::Received, &"x".repeat(LARGEST as usize));
        let full = fs::metadata(&path).unwrap().len();
        log.write(Wire::Received, "more");
        assert_eq!(fs::metadata(&path).unwrap().len(), full);
        fs::remove_dir_all(folder).unwrap();
    }
}
