//! Sees to it that external engines end with this program, also when it is killed without warning, and
//! with them whatever they started.
//!
//! A small shell script waits for the end of a pipe that only this program holds, and then kills the
//! process groups it was told of. What an engine starts carries a mark in its environment, so that on
//! Linux also those are found that have left its group; a program that hides by clearing its
//! environment is not. On Windows nothing watches: engines end when their input is closed.

use std::process::Command;

/// The variable that marks what an engine has started.
const MARK: &str = "TENGEN_ENGINE";

/// Names one engine of this process.
#[derive(Debug)]
pub(crate) struct Leash {
    mark: String,
}

impl Leash {
    /// Marks a command that is about to be started.
    pub(crate) fn on(command: &mut Command) -> Leash {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mark = format!("{}{}.", own_mark(), NEXT.fetch_add(1, Ordering::Relaxed));
        command.env(MARK, &mark);
        Leash { mark }
    }

    /// Kills whatever the engine has started and that is still there.
    pub(crate) fn kill_strays(&self) {
        kill_marked(&format!("{MARK}={}", self.mark));
    }
}

/// What the marks of all engines of this process begin with.
fn own_mark() -> &'static str {
    static OWN: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    OWN.get_or_init(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let nanos = now.map_or(0, |now| now.as_nanos());
        format!("{}-{nanos}/", std::process::id())
    })
}

#[cfg(unix)]
pub(crate) use unix::{forget, watch};

#[cfg(not(unix))]
pub(crate) fn watch(_group: u32) {}

#[cfg(not(unix))]
pub(crate) fn forget(_group: u32) {}

#[cfg(target_os = "linux")]
fn kill_marked(mark: &str) {
    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };
    // Some may start others while they are being found.
    for _ in 0..5 {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let is_marked = |id: &i32| {
            let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes())
        };
        let found: Vec<i32> = ids.filter(is_marked).collect();
        if found.is_empty() {
            break;
        }
        for id in found {
            let _ = kill(Pid::from_raw(id), Signal::SIGKILL); // it may be gone already
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(_mark: &str) {}

#[cfg(unix)]
mod unix {
    use std::{
        io::Write,
        os::unix::process::CommandExt,
        process::{ChildStdin, Command, Stdio},
        sync::{Mutex, PoisonError},
    };

    /// Reads `+ GROUP` and `- GROUP`; at the end it kills the groups that are left, and whatever bears
    /// the mark that is its name.
    const SCRIPT: &str = r#"
        trap '' INT TERM HUP
        groups=
        while read -r sign group; do
            kept=
            for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done
            [ "$sign" = + ] && kept="$kept $group"
            groups=$kept
        done
        for group in $groups; do kill -9 -- "-$group" 2>/dev/null; done
        for round in 1 2 3; do
            for file in /proc/[0-9]*/environ; do
                if grep -aqsF "$0" "$file" 2>/dev/null; then
                    id=${file#/proc/}
                    kill -9 "${id%/environ}" 2>/dev/null
                fi
            done
        done
    "#;

    static INPUT: Mutex<Option<ChildStdin>> = Mutex::new(None);

    /// A process group is to end with this program.
    pub(crate) fn watch(group: u32) {
        let mut input = INPUT.lock().unwrap_or_else(PoisonError::into_inner);
        if input.is_none() {
            *input = start();
        }
        tell(&mut input, '+', group);
    }

    /// A process group has ended.
    pub(crate) fn forget(group: u32) {
        tell(&mut INPUT.lock().unwrap_or_else(PoisonError::into_inner), '-', group);
    }

    /// Without a watchdog everything else works.
    fn tell(input: &mut Option<ChildStdin>, sign: char, group: u32) {
        if let Some(pipe) = input
            && writeln!(pipe, "{sign} {group}").is_err()
        {
            *input = None;
        }
    }

    fn start() -> Option<ChildStdin> {
        let mark = format!("{}={}", super::MARK, super::own_mark());
        let child = Command::new("/bin/sh")
            .args(["-c", SCRIPT, &mark])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C is for the program; the watchdog outlives it.
            .process_group(0)
            .spawn();
        child.ok()?.stdin.take()
    }
}
