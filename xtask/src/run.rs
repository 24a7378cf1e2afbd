//! Running programs, with the command shown and its failure told in one sentence.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context, Result, bail};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    // What cargo says now is right even if the repository has moved since this was compiled.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR");
    let manifest = manifest.map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    manifest.parent().expect("xtask lies in the repository").to_owned()
}

/// The folder where cargo puts what it builds, `target` unless it has been told otherwise.
pub(crate) fn target() -> Result<PathBuf> {
    let output = Command::new("cargo")
        .args(["metadata", "--locked", "--no-deps", "--format-version", "1"])
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .context("'cargo' cannot be started")?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let folder = metadata["target_directory"].as_str();
    Ok(folder.context("'cargo metadata' names no target folder")?.into())
}

/// Builds the program in release mode and says in which folder it is.
pub(crate) fn build_release() -> Result<PathBuf> {
    step("", "cargo", &["build", "--locked", "--release", "-p", "tengen"])?;
    Ok(target()?.join("release"))
}

/// Runs a program in a folder, given from the root of the repository, and fails if it does.
pub(crate) fn step(folder: impl AsRef<Path>, program: &str, args: &[&str]) -> Result<()> {
    step_with(folder, program, args, &[])
}

/// Like [`step`], with environment variables.
pub(crate) fn step_with(
    folder: impl AsRef<Path>,
    program: &str,
    args: &[&str],
    environment: &[(&str, &str)],
) -> Result<()> {
    let shown = format!("{program} {}", args.join(" "));
    eprintln!("\n==> {shown}");
    let started = Instant::now();
    let mut command = Command::new(program);
    command.args(args).envs(environment.iter().copied()).current_dir(root().join(folder));
    // What cargo says of this program is not for the ones that it builds: some would be built again.
    let is_own =
        |name: &String| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in names.filter(is_own) {
        command.env_remove(name);
    }
    let status = command.status().with_context(|| format!("'{program}' cannot be started"))?;
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
