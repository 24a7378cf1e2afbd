//! The Python package: its wheel in an environment with what its tests need, and in a bare one.

use std::{fs, path::Path};

use anyhow::{Context, Result};

use crate::{
    run::{root, step, target},
    tools,
};

const CRATE: &str = "crates/python";
/// What builds wheels, as in `pyproject.toml`.
const MATURIN: &str = "maturin>=1.9,<2";
/// Without numpy all but arrays is there.
const BARE: &str = "
import tengen
choice = tengen.player('engine(level=5)').choose(tengen.Position('h8 i9'), nodes=1000)
assert choice.move, choice
try:
    tengen.Position().board()
except ImportError as error:
    assert 'pip install numpy' in str(error), error
else:
    raise AssertionError('numpy is not there')
";

/// Builds the wheel of a release for this machine, in `dist` of cargo's target folder.
pub(crate) fn wheel() -> Result<()> {
    let (folder, out) = (target()?.join("python/release"), target()?.join("dist"));
    let python = environment(&folder)?;
    pip(&python, &[MATURIN])?;
    let build = ["-m", "maturin", "build", "--release", "--strip"];
    let out = out.to_string_lossy();
    step(CRATE, &python, &[&build[..], &["--interpreter", &python, "--out", &out]].concat())
}

/// Builds the wheel without optimization and tests it.
pub(crate) fn test() -> Result<()> {
    let folder = target()?.join("python");
    let (tests, bare, wheels) = (folder.join("tests"), folder.join("bare"), folder.join("wheels"));
    let requirements = root().join(CRATE).join("tests/requirements.txt");
    let python = environment(&tests)?;
    pip(&python, &["-r", &requirements.to_string_lossy()])?;
    if wheels.is_dir() {
        fs::remove_dir_all(&wheels)?;
    }
    let out = wheels.to_string_lossy();
    let build = ["-m", "maturin", "build", "--profile", "dev", "--auditwheel", "skip"];
    step(CRATE, &python, &[&build[..], &["--interpreter", &python, "--out", &out]].concat())?;
    let wheel = fs::read_dir(&wheels)?.next().context("maturin has built no wheel")??.path();
    let wheel = wheel.to_string_lossy();
    let install = ["--force-reinstall", "--no-deps", &wheel];
    pip(&python, &install)?;
    step(CRATE, &python, &["-m", "pytest", "-q", "-p", "no:cacheprovider"])?;
    let python = environment(&bare)?;
    pip(&python, &install)?;
    step(&bare, &python, &["-c", BARE])
}

pub(crate) fn pip(python: &str, args: &[&str]) -> Result<()> {
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    step("", python, &[&install[..], args].concat())
}

/// Makes a virtual environment if there is none, and gives its interpreter.
pub(crate) fn environment(folder: &Path) -> Result<String> {
    let bin = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = folder.join(bin);
    if !python.is_file() {
        tools::make_environment(folder)?;
    }
    Ok(python.to_string_lossy().into_owned())
}
