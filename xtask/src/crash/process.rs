//! Processes that are started, disturbed and counted.

use std::{
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use super::Random;

/// Marks everything that the crash test starts, and what that starts.
const MARK: &str = "TENGEN_CRASH_TEST";
/// Nothing that is tested takes as long as this.
const TOO_LONG: Duration = Duration::from_secs(120);

/// A command that bears the mark.
pub(super) fn command(program: &Path, args: &[String]) -> Command {
    let mut command = Command::new(program);
    command.args(args).env(MARK, std::process::id().to_string()).stdin(Stdio::null());
    command
}

/// The same, on a disk that takes no file longer than so many blocks of 512 bytes.
pub(super) fn command_on_full_disk(program: &Path, args: &[String], blocks: u64) -> Command {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut words = vec!["-c".to_owned(), script, program.display().to_string()];
    words.extend_from_slice(args);
    command(Path::new("sh"), &words)
}

/// Runs to the end.
pub(super) fn run(mut command: Command) -> Result<Output> {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    finish(child)
}

/// Waits for the end, but not for ever.
pub(super) fn finish(child: Child) -> Result<Output> {
    let id = child.id();
    let (done, wait) = std::sync::mpsc::channel();
    let waiter = thread::spawn(move || {
        let output = child.wait_with_output();
        let _ = done.send(()); // nobody listens after the time is up
        output
    });
    if wait.recv_timeout(TOO_LONG).is_err() {
        signal(id, "KILL");
        bail!("a process hangs");
    }
    Ok(waiter.join().expect("waiting does not panic")?)
}

/// Kills a process after a while. False if it had ended by then.
pub(super) fn kill_after(mut command: Command, wait: Duration) -> Result<bool> {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let is_hit = runs_for(&mut child, wait)?;
    child.kill()?;
    child.wait()?;
    Ok(is_hit)
}

/// Stops a process for a while, and lets it run to the end. False if it had ended before.
pub(super) fn stop_after(
    mut command: Command,
    wait: Duration,
    random: &mut Random,
) -> Result<(Output, bool)> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let is_hit = runs_for(&mut child, wait)?;
    if is_hit {
        signal(child.id(), "STOP");
        thread::sleep(random.within(Duration::from_millis(300)));
        signal(child.id(), "CONT");
    }
    Ok((finish(child)?, is_hit))
}

/// Waits, and says whether the process still runs.
fn runs_for(child: &mut Child, wait: Duration) -> Result<bool> {
    let deadline = Instant::now() + wait;
    while Instant::now() < deadline && child.try_wait()?.is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    Ok(child.try_wait()?.is_none())
}

/// Sends a signal; the process may be gone.
pub(super) fn signal(id: u32, name: &str) {
    let _ = Command::new("kill")
        .args([format!("-{name}"), id.to_string()])
        .stderr(Stdio::null())
        .status();
}

/// Whether everything that bears the mark is gone. A killed process takes a moment.
pub(super) fn no_orphans() -> Result<()> {
    let mark = format!("{MARK}={}", std::process::id());
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let left = marked(&mark);
        if left.is_empty() {
            return Ok(());
        }
        if Instant::now() > deadline {
            bail!("these processes are left over: {}", left.join(", "));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn marked(mark: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().into_string().ok());
    ids.filter(|id| id.bytes().all(|b| b.is_ascii_digit()))
        .filter(|id| {
            let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes())
        })
        .filter_map(|id| {
            let words = std::fs::read(format!("/proc/{id}/cmdline")).ok()?;
            Some(format!("{id} {}", String::from_utf8_lossy(&words).replace('\0', " ")))
        })
        .collect()
}

/// What a process that should have succeeded printed.
pub(super) fn expect_success(output: Output) -> Result<String> {
    if !output.status.success() {
        bail!("it failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).context("it printed no text")
}
