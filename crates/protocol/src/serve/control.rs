//! What the reading thread tells the thinking one: stop, and that the manager has left.

use std::{
    io::{self, Write},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use crate::{
    gomocup::{Command, InfoKey, Reply},
    yixin,
};

/// How long a script may still have its answers computed after its end. The process has to be gone
/// 200 ms after it.
const GRACE: Duration = Duration::from_millis(60);

/// A command with its place in the stream.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) command: Command,
    /// Counts commands.
    pub(super) number: u64,
    /// Counts reads.
    pub(super) chunk: u64,
    /// When it was read: the manager's clock is running since then.
    pub(super) at: Instant,
}

/// Shared by the two threads.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// The number of the last command that ends thinking.
    last_stop: AtomicU64,
    /// The number of the last command of all.
    last_read: AtomicU64,
    closing: OnceLock<Closing>,
}

#[derive(Clone, Copy, Debug)]
struct Closing {
    at: Instant,
    chunk: u64,
    by_command: bool,
}

impl Control {
    /// Looks at a command as soon as it has been read. True if it is the last one.
    pub(super) fn note(&self, command: &Command, number: u64, chunk: u64) -> bool {
        self.last_read.store(number, Relaxed);
        match command {
            Command::End => {
                // Only the first goodbye counts.
                let _ = self.closing.set(Closing { at: crate::now(), chunk, by_command: true });
                return true;
            }
            Command::Yixin(yixin::Command::Stop) => self.last_stop.store(number, Relaxed),
            // Piskvork's button for "move now".
            Command::Info(info)
                if info.key == InfoKey::TimeoutTurn && info.as_number() == Some(0) =>
            {
                self.last_stop.store(number, Relaxed);
            }
            _ => {}
        }
        false
    }

    pub(super) fn note_end_of_input(&self, chunk: u64) {
        let _ = self.closing.set(Closing { at: crate::now(), chunk, by_command: false });
    }

    /// Whether thinking on a command has to end.
    pub(super) fn is_stopped(&self, number: u64, chunk: u64) -> bool {
        let closed = self.closing.get().is_some_and(|closing| {
            let is_script = !closing.by_command || closing.chunk == chunk;
            !is_script || closing.at.elapsed() >= GRACE
        });
        closed || self.last_stop.load(Relaxed) > number
    }

    /// Whether nothing has come after a command: there is time to ponder.
    pub(super) fn is_idle(&self, number: u64) -> bool {
        self.closing.get().is_none() && self.last_read.load(Relaxed) == number
    }

    /// Whether the manager said `END` after it had sent a command: then the answer is not wanted.
    fn is_unwanted(&self, chunk: u64) -> bool {
        self.closing.get().is_some_and(|closing| closing.by_command && closing.chunk != chunk)
    }
}

/// Where replies go. Each is one line, written and flushed at once.
pub(super) struct Output {
    stream: Mutex<(Box<dyn Write + Send>, Option<io::Error>)>,
    control: Arc<Control>,
}

impl Output {
    pub(super) fn new(stream: impl Write + Send + 'static, control: Arc<Control>) -> Output {
        Output { stream: Mutex::new((Box::new(stream), None)), control }
    }

    /// Prints a reply to a command that arrived with this chunk, unless the manager has left.
    pub(super) fn say(&self, chunk: u64, reply: &Reply) {
        if self.control.is_unwanted(chunk) {
            return;
        }
        let line = format!("{reply}\n");
        // A thread that panicked while printing leaves a stream that can still be used.
        let mut guard = self.stream.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (stream, failure) = &mut *guard;
        if let Err(error) = stream.write_all(line.as_bytes()).and_then(|()| stream.flush()) {
            failure.get_or_insert(error);
        }
    }

    /// The first error of the stream.
    pub(super) fn failure(&self) -> io::Result<()> {
        let mut guard = self.stream.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        guard.1.take().map_or(Ok(()), Err)
    }
}
