//! A program of somebody else as a child process: lines in, lines out, and a certain end.
//!
//! One thread reads its output and stamps each line with the time it arrived, another keeps the
//! end of its error output. The child leads a process group of its own, and the whole group is
//! killed when the child is dropped, or when this program is: whatever it started dies with it.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use crate::{
    watchdog::{self, Leash},
    wire_log::{Wire, WireLog},
};

/// Lines kept while nobody reads them. A program that floods its output has to wait.
const LINES_KEPT: usize = 4096;
/// Bytes of a line that are kept; Piskvork reads about as many.
const LINE_LENGTH: usize = 8192;
/// Bytes of error output that are kept.
const ERRORS_KEPT: usize = 8192;
/// How often the child is looked after while nothing arrives.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A running program.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    leash: Leash,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    errors: Arc<Mutex<Vec<u8>>>,
    exited: Option<ExitStatus>,
    log: Option<WireLog>,
}

/// What came from a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// A line, without its end, and when it arrived.
    Line(String, Instant),
    /// The program has ended; how, in words.
    Ended(String),
    /// Nothing until the deadline.
    Nothing,
    /// The caller gave up waiting.
    GivenUp,
}

impl Process {
    /// Starts a program with its arguments.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub(crate) fn start(
        program: &str,
        arguments: &[String],
        log: Option<WireLog>,
    ) -> io::Result<Process> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        lead_a_group(&mut command);
        let leash = Leash::on(&mut command);
        let mut child = command.spawn()?;
        watchdog::watch(child.id());
        let (send, lines) = bounded(LINES_KEPT);
        let errors = Arc::default();
        if let Some(output) = child.stdout.take() {
            let log = log.clone();
            thread::spawn(move || read_lines(output, &send, log.as_ref()));
        }
        if let Some(output) = child.stderr.take() {
            let errors = Arc::clone(&errors);
            let log = log.clone();
            thread::spawn(move || keep_errors(output, &errors, log.as_ref()));
        }
        let input = child.stdin.take();
        Ok(Process { child, leash, input, lines, errors, exited: None, log })
    }

    /// Sends a text; lines end with a line feed.
    ///
    /// # Errors
    /// When the program does not read any more, usually because it has ended.
    pub(crate) fn send(&mut self, text: &str) -> io::Result<()> {
        if let Some(log) = &self.log {
            log.write(Wire::Sent, text);
        }
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(text.as_bytes())?;
        input.flush()
    }

    /// The next line, waiting until `deadline` at most, or until `give_up` says so.
    pub(crate) fn receive(&mut self, deadline: Instant, give_up: impl Fn() -> bool) -> Received {
        loop {
            if give_up() {
                return Received::GivenUp;
            }
            let now = Instant::now();
            let wait = deadline.saturating_duration_since(now).min(LOOK_EVERY);
            match self.lines.recv_timeout(wait) {
                Ok((arrived, line)) if arrived <= deadline => return Received::Line(line, arrived),
                // A flood of late lines must not keep us here for ever.
                Ok(_) => return Received::Nothing,
                Err(RecvTimeoutError::Timeout) if now >= deadline => return Received::Nothing,
                Err(RecvTimeoutError::Timeout) if self.has_ended() => return self.last_words(),
                Err(RecvTimeoutError::Timeout) => {}
                // Its output is closed. It may take a moment to be gone, or live on without one.
                Err(RecvTimeoutError::Disconnected) => {
                    self.wait_for_end(Duration::from_millis(200));
                    return Received::Ended(self.how_it_ended());
                }
            }
        }
    }

    /// What it said last. Its output may be held open by something it started, so this does not
    /// wait for it to be closed.
    fn last_words(&mut self) -> Received {
        match self.lines.recv_timeout(Duration::from_millis(100)) {
            Ok((arrived, line)) => Received::Line(line, arrived),
            Err(_) => Received::Ended(self.how_it_ended()),
        }
    }

    /// Forgets what has arrived and not been asked for; bounded, for it may be flooding.
    pub(crate) fn discard(&mut self) {
        self.lines.try_iter().take(LINES_KEPT).for_each(drop);
    }

    /// The end of what it wrote to its error output.
    pub(crate) fn errors(&self) -> String {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&errors).trim().to_owned()
    }

    /// Waits a while for it to end by itself.
    pub(crate) fn wait_for_end(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        while !self.has_ended() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        self.has_ended()
    }

    /// Kills it and everything it started.
    pub(crate) fn kill(&mut self) {
        // First the group: as long as anyone of it lives, its number belongs to nobody else.
        kill_group(&self.child);
        // The two fail only if it has ended already.
        let _ = self.child.kill();
        if let Ok(status) = self.child.wait() {
            self.exited = Some(status);
        }
    }

    fn has_ended(&mut self) -> bool {
        if self.exited.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.exited = Some(status);
        }
        self.exited.is_some()
    }

    fn how_it_ended(&self) -> String {
        let how = match self.exited {
            None => "It closed its output.".to_owned(),
            Some(status) => match status.code() {
                Some(code) => format!("It ended with exit code {code}."),
                None => format!("It was ended: {status}."),
            },
        };
        match self.errors() {
            errors if errors.is_empty() => how,
            errors => format!("{how} Its last words: {}", last_lines(&errors)),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let has_left = self.has_ended();
        self.kill();
        if let Some(log) = &self.log {
            let fate = if has_left { self.how_it_ended() } else { "It was killed.".to_owned() };
            log.write(Wire::Fate, &fate);
        }
        self.leash.kill_strays();
        watchdog::forget(self.child.id());
    }
}

/// The end of a text, at most three lines and not too long.
fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().rev().take(3).collect();
    let joined = lines.into_iter().rev().collect::<Vec<_>>().join(" / ");
    let skip = joined.chars().count().saturating_sub(400);
    joined.chars().skip(skip).collect()
}

fn read_lines(output: impl Read, send: &Sender<(Instant, String)>, log: Option<&WireLog>) {
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match read_line(&mut reader, &mut line) {
            Ok(true) => {}
            Ok(false) | Err(_) => return,
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if let Some(log) = log {
            log.write(Wire::Received, &text);
        }
        // Nobody waits for it any more when the process was dropped.
        if !text.is_empty() && send.send((Instant::now(), text)).is_err() {
            return;
        }
    }
}

/// Reads up to a line feed or carriage return; what exceeds the length kept is dropped. False at
/// the end.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let available = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if available.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = available.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let part = &available[..end.unwrap_or(available.len())];
        let room = LINE_LENGTH.saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

fn keep_errors(output: impl Read, errors: &Mutex<Vec<u8>>, log: Option<&WireLog>) {
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    while let Ok(true) = read_line(&mut reader, &mut line) {
        if let Some(log) = log {
            log.write(Wire::Error, &String::from_utf8_lossy(&line));
        }
        line.push(b'\n');
        let mut kept = errors.lock().unwrap_or_else(PoisonError::into_inner);
        kept.append(&mut line);
        let excess = kept.len().saturating_sub(ERRORS_KEPT);
        kept.drain(..excess);
    }
}

#[cfg(unix)]
fn lead_a_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(unix)]
fn kill_group(child: &Child) {
    use nix::{
        sys::signal::{Signal, killpg},
        unistd::Pid,
    };
    if let Ok(id) = i32::try_from(child.id()) {
        // Fails only if nobody of the group is left.
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}

#[cfg(windows)]
fn lead_a_group(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

#[cfg(windows)]
fn kill_group(child: &Child) {
    // Ends the whole tree of processes; fails only if it is gone already.
    let _ = Command::new("taskkill")
        .args(["/T", "/F", "/PID", &child.id().to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
}

#[cfg(not(any(unix, windows)))]
fn lead_a_group(_command: &mut Command) {}

#[cfg(not(any(unix, windows)))]
fn kill_group(_child: &Child) {}

/// Splits a command line into words; double quotes hold words with spaces together.
pub(crate) fn split_command(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_at_spaces_outside_quotes() {
        assert_eq!(split_command("./a  b \"c d\" \"\""), ["./a", "b", "c d", ""]);
        assert_eq!(split_command("  "), Vec::<String>::new());
        assert_eq!(split_command("\"/with space/x\" -y"), ["/with space/x", "-y"]);
    }

    #[test]
    fn lines_end_with_any_line_end_and_are_cut() {
        let long = "x".repeat(3 * LINE_LENGTH);
        let text = format!("a\r\nb\rc\n{long}\nlast");
        let (send, lines) = bounded(100);
        read_lines(text.as_bytes(), &send, None);
        drop(send);
        let lines: Vec<String> = lines.iter().map(|(_, line)| line).collect();
        assert_eq!(lines.len(), 5);
        assert_eq!(
            (&lines[..3], lines[4].as_str()),
            (&["a", "b", "c"].map(String::from)[..], "last")
        );
        assert_eq!(lines[3].len(), LINE_LENGTH);
    }
}
