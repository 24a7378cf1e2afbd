//! `cargo xtask test`: the gate, fast checks first.

use anyhow::{Result, bail};

use crate::{
    crash, interface, python,
    run::{build_release, step, step_with},
    site, tools,
};

/// The crates that also run in a browser.
const WASM: [&str; 9] =
    ["gomoku", "player", "lab", "engine", "solve", "verify", "book", "roster", "desk"];
const PAGE: &str = "crates/studio/e2e";
/// The variable that names the folder of the site for the tests.
const SITE: &str = "TENGEN_SITE";

/// Everything.
pub(crate) fn all() -> Result<()> {
    tools::install_all()?;
    for part in [rust, wasm, python::test, interface::test, page, browser] {
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
        "python" => python::test(),
        "interface" => interface::test(),
        "page" => page(),
        "browser" => browser(),
        "crash" => crash(),
        _ => bail!(
            "'{name}' is not a part of the tests: expected rust, wasm, python, interface, page, \
             browser or crash."
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
    // What is not built by default.
    step(
        "",
        "cargo",
        &["test", "--locked", "-p", "gomoku", "--features", "serde", "--test", "serde"],
    )?;
    // What stands outside the workspace; with a name in place of libFuzzer, that is not compiled.
    step_with(
        "fuzz",
        "cargo",
        &["check", "--locked", "--bins"],
        &[("CUSTOM_LIBFUZZER_PATH", "./none")],
    )?;
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
    step("", "cargo", &args)?;
    let mut module = vec!["clippy", "--locked", "--target", "wasm32-unknown-unknown"];
    module.extend(["-p", "site", "--", "-D", "warnings"]);
    step("", "cargo", &module)?;
    let site = site::run(None)?;
    step_with("crates/site/test", "node", &["--test"], &[(SITE, &site.to_string_lossy())])
}

fn page() -> Result<()> {
    step(PAGE, "npm", &["ci", "--no-audit", "--no-fund"])?;
    step(
        PAGE,
        "npx",
        &[
            "--no-install",
            "prettier",
            "--check",
            "../web",
            "../../site/web",
            "../../site/test",
            ".",
        ],
    )?;
    step(PAGE, "npx", &["--no-install", "tsc", "-p", "."])?;
    step(PAGE, "npm", &["run", "--silent", "unit"])
}

fn browser() -> Result<()> {
    let program = build_release()?.join("tengen");
    step(PAGE, "npm", &["ci", "--no-audit", "--no-fund"])?;
    let (program, chromium, site) =
        (program.to_string_lossy(), tools::chromium()?, site::run(None)?);
    let site = site.to_string_lossy();
    let environment = [("TENGEN_BIN", &*program), (tools::CHROMIUM, &chromium), (SITE, &site)];
    step_with(PAGE, "npm", &["run", "--silent", "e2e"], &environment)
}

/// A minute of accidents, on request; nightly runs have ten.
fn crash() -> Result<()> {
    crash::run(&["--minutes", "1"])
}
