//! Running programs, with the command shown and its failure told in one sentence.

use std::{path::PathBuf, process::Command, time::Instant};

use anyhow::{Context, Result, bail};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask lies in the repository").to_owned()
}

/// Runs a program in a folder of the repository and fails if it does.
pub(crate) fn step(folder: &str, program: &str, args: &[&str]) -> Result<()> {
    step_with(folder, program, args, &[])
}

/// Like [`step`], with environment variables.
pub(crate) fn step_with(
    folder: &str,
    program: &str,
    args: &[&str],
    environment: &[(&str, &str)],
) -> Result<()> {
    let shown = format!("{program} {}", args.join(" "));
    eprintln!("\n==> {shown}");
    let started = Instant::now();
    let status = Command::new(program)
        .args(args)
        .envs(environment.iter().copied())
        .current_dir(root().join(folder))
        .status()
        .with_context(|| format!("'{program}' cannot be started"))?;
    eprintln!("    {:.1} s", started.elapsed().as_secs_f64());
    if !status.success() {
        bail!("'{shown}' failed");
    }
    Ok(())
}

/// Runs an example of a crate in release mode.
pub(crate) fn example(package: &str, name: &str, args: &[&str]) -> Result<()> {
    let cargo = ["run", "--quiet", "--release", "-p", package, "--example", name, "--"];
    step("", "cargo", &[&cargo, args].concat())
}
