//! `cargo xtask test`: the gate, fast checks first.

use anyhow::{Result, bail};

use crate::{
    crash,
    run::{build_release, step, step_with},
    tools,
};

/// The crates that also run in a browser.
const WASM: [&str; 8] = ["gomoku", "player", "lab", "engine", "solve", "verify", "book", "desk"];
const PAGE: &str = "crates/studio/e2e";

/// Everything.
pub(crate) fn all() -> Result<()> {
    tools::install_all()?;
    for part in [rust, wasm, page, browser] {
        part()?;
    }
    eprintln!("\nEverything passed.");
    Ok(())
}

/// One part by name.
pub(crate) fn part(name: &str) -> Result<()> {
    tools::install_all()?;
    match name {
        "rust" => rust(),
        "wasm" => wasm(),
        "page" => page(),
        "browser" => browser(),
        "crash" => crash(),
        _ => bail!(
            "'{name}' is not a part of the tests: expected rust, wasm, page, browser or crash."
        ),
    }
}

fn rust() -> Result<()> {
    step("", "cargo", &["fmt", "--all", "--check"])?;
    step(
        "",
        "cargo",
        &["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"],
    )?;
    step("", "cargo", &["test", "--locked", "--workspace"])?;
    step_with(
        "",
        "cargo",
        &["doc", "--locked", "--workspace", "--no-deps"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )
}

fn wasm() -> Result<()> {
    let mut args = vec!["check", "--locked", "--target", "wasm32-unknown-unknown"];
    for name in WASM {
        args.extend(["-p", name]);
    }
    step("", "cargo", &args)
}

fn page() -> Result<()> {
    step(PAGE, "npm", &["ci", "--no-audit", "--no-fund"])?;
    step(PAGE, "npx", &["--no-install", "prettier", "--check", "../web", "."])?;
    step(PAGE, "npx", &["--no-install", "tsc", "-p", "."])?;
    step(PAGE, "npm", &["run", "--silent", "unit"])
}

fn browser() -> Result<()> {
    let program = build_release()?.join("tengen");
    step(PAGE, "npm", &["ci", "--no-audit", "--no-fund"])?;
    let (program, chromium) = (program.to_string_lossy(), tools::chromium()?);
    let environment = [("TENGEN_BIN", &*program), (tools::CHROMIUM, &chromium)];
    step_with(PAGE, "npm", &["run", "--silent", "e2e"], &environment)
}

/// A minute of accidents, on request; nightly runs have ten.
fn crash() -> Result<()> {
    crash::run(&["--minutes", "1"])
}
