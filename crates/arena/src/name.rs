//! Names of runs, which are names of folders: `2026-11-18-0701-engine-vs-greedy`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use thiserror::Error;

use crate::journal::now;

/// A name that cannot be that of a run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "'{0}' cannot be the name of a run: letters, digits, spaces, '-', '_' and '.' are possible, up to \
     120 of them and no '.' in front."
)]
pub struct RunNameError(String);

/// A name that a run can have: a folder of it stays within the folder of runs.
///
/// # Errors
/// When it is empty, too long, or has characters that mean something to file systems.
pub fn check_run_name(name: &str) -> Result<(), RunNameError> {
    let is_fit = |c: char| c.is_alphanumeric() || "-_ .".contains(c);
    let is_plain = (1..=120).contains(&name.chars().count())
        && name.chars().all(is_fit)
        && !name.starts_with('.')
        && name.trim() == name;
    if is_plain { Ok(()) } else { Err(RunNameError(name.chars().take(120).collect())) }
}

/// A name that no other run has, and its folder. If nothing is put there, the folder goes away again.
#[derive(Debug)]
pub struct ReservedName {
    name: String,
    folder: PathBuf,
}

impl ReservedName {
    /// Makes a folder below `runs` for a run about something, such as `engine vs greedy`, begun now.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn take(runs: &Path, about: &str) -> io::Result<ReservedName> {
        ReservedName::take_at(runs, about, now())
    }

    fn take_at(runs: &Path, about: &str, seconds: u64) -> io::Result<ReservedName> {
        fs::create_dir_all(runs)?;
        let first = match plain(about) {
            about if about.is_empty() => date(seconds),
            about => format!("{}-{about}", date(seconds)),
        };
        let mut number = 1;
        loop {
            let name = if number == 1 { first.clone() } else { format!("{first}-{number}") };
            let folder = runs.join(&name);
            match fs::create_dir(&folder) {
                Ok(()) => return Ok(ReservedName { name, folder }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for ReservedName {
    fn drop(&mut self) {
        // Only an empty folder can be removed like this.
        let _ = fs::remove_dir(&self.folder);
    }
}

/// What players are called in names: the first word of a spec, or the program of an external engine.
pub fn short_spec(spec: &str) -> &str {
    let command = spec.strip_prefix(crate::COMMAND_PREFIX).map(str::trim_start);
    let program = command.map(|command| {
        let program = command.split_whitespace().next().unwrap_or(command);
        program.rsplit(['/', '\\']).next().unwrap_or(program)
    });
    program.unwrap_or_else(|| spec.split('(').next().unwrap_or(spec).trim())
}

/// Letters and digits, with dashes between words.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    joined.chars().take(60).collect::<String>().trim_end_matches('-').to_owned()
}

/// Date and time of day in UTC, `2026-11-18-0701`.
fn date(seconds: u64) -> String {
    // Days since 1 March of the year 0, in cycles of 400 years.
    let days = seconds / 86_400 + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = 400 * cycle + year + u64::from(month <= 2);
    let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{year}-{month:02}-{of_month:02}-{hour:02}{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01-0000"),
            (951_782_399, "2000-02-28-2359"),
            (951_782_400, "2000-02-29-0000"),
            (951_868_800, "2000-03-01-0000"),
            (1_795_000_000, "2026-11-18-1106"),
            (4_107_542_399, "2100-02-28-2359"),
            (4_107_542_400, "2100-03-01-0000"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }

    #[test]
    fn names_differ_and_unused_folders_go_away() {
        let runs = std::env::temp_dir().join(format!("arena-names-{}", std::process::id()));
        let about = "Strong(level=3) vs ../weak!";
        let first = ReservedName::take_at(&runs, about, 0).unwrap();
        let second = ReservedName::take_at(&runs, about, 0).unwrap();
        assert_eq!(first.name(), "1970-01-01-0000-strong-level-3-vs-weak");
        assert_eq!(second.name(), "1970-01-01-0000-strong-level-3-vs-weak-2");
        assert_eq!(ReservedName::take_at(&runs, "", 0).unwrap().name(), "1970-01-01-0000");
        fs::write(runs.join(first.name()).join("journal.jsonl"), "").unwrap();
        drop((first, second));
        let left: Vec<_> =
            fs::read_dir(&runs).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["1970-01-01-0000-strong-level-3-vs-weak"]);
        fs::remove_dir_all(&runs).unwrap();
    }

    #[test]
    fn names_stay_in_their_folder() {
        for name in ["a", "match 3", "2026-11-18-0701-strong-vs-weak", "日本", "v1.2_b"] {
            assert_eq!(check_run_name(name), Ok(()), "{name}");
        }
        let long = "x".repeat(121);
        for name in
            ["", " ", ".", "..", "../x", "a/b", "/etc", "a\\b", "C:x", ".hidden", "a\n", &long]
        {
            assert!(check_run_name(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn specs_have_short_names() {
        assert_eq!(short_spec("strong(level=3, threads=1)"), "strong");
        assert_eq!(short_spec("cmd:./bin/pbrain-x --fast"), "pbrain-x");
    }
}
