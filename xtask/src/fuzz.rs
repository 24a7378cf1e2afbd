//! `cargo xtask fuzz learn`: libFuzzer on the targets in `fuzz/`, with a stable compiler.
//!
//! The flags below are what `cargo fuzz` would pass, without the sanitizer that needs a nightly compiler.
//! A target starts from `fuzz/seeds/NAME`; what it learns is kept in `fuzz/corpus/NAME` and grows from one
//! run to the next.

use std::{path::Path, process::Command};

use anyhow::{Context, Result, bail};

use crate::run::root;

/// The targets; each has files to begin with in `fuzz/seeds`.
const TARGETS: [&str; 5] = ["records", "protocols", "store", "journal", "proof"];

/// Coverage that libFuzzer learns from.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Fuzzes one target, or all one after the other, for so many minutes each.
pub(crate) fn learn(args: &[&str]) -> Result<()> {
    let (name, minutes) = match args {
        [name] => (*name, 1.0),
        [name, "--minutes", minutes] => {
            (*name, minutes.parse().context("--minutes wants a number")?)
        }
        _ => bail!("expected a target or 'all', and perhaps --minutes N"),
    };
    let chosen: Vec<_> = TARGETS.iter().filter(|one| name == "all" || **one == name).collect();
    if chosen.is_empty() {
        bail!("'{name}' is not a target: expected all, {}", TARGETS.join(", "));
    }
    chosen.into_iter().try_for_each(|name| run(name, minutes))
}

fn run(name: &str, minutes: f64) -> Result<()> {
    let folder = root().join("fuzz");
    let host = host()?;
    // With a target named, only the program is instrumented, and not what builds it.
    let built = Command::new("cargo")
        .args(["build", "--release", "--target", &host, "--bin", name])
        .env("RUSTFLAGS", FLAGS)
        .current_dir(&folder)
        .status()?;
    if !built.success() {
        bail!("the target {name} cannot be built");
    }
    let corpus = folder.join("corpus").join(name);
    let artifacts = folder.join("artifacts").join(name);
    std::fs::create_dir_all(&corpus)?;
    std::fs::create_dir_all(&artifacts)?;
    let program = folder.join("target").join(&host).join("release").join(name);
    let status = Command::new(program)
        .arg(&corpus)
        .arg(folder.join("seeds").join(name))
        .arg(format!("-max_total_time={}", (60.0 * minutes) as u64))
        .args(["-timeout=20", "-rss_limit_mb=1024", "-max_len=65536", "-print_final_stats=1"])
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .status()?;
    println!("{name}: {} inputs in {}", count(&corpus), corpus.display());
    if !status.success() {
        bail!("{name} has failed; what did it is in {}", artifacts.display());
    }
    Ok(())
}

fn count(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

/// The machine that this compiler compiles for.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{TARGETS, count, root};

    #[test]
    fn every_target_has_something_to_begin_with() {
        for name in TARGETS {
            assert!(count(&root().join("fuzz/seeds").join(name)) > 0, "{name} has no seeds");
        }
    }
}
