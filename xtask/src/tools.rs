//! What the tests need beside Rust, and how to get it.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Result, bail};

use crate::run;

/// A program, the Debian packages that bring it, and what it is for.
struct Tool {
    program: &'static str,
    packages: &'static [&'static str],
    purpose: &'static str,
}

/// The variable that names the browser for the tests.
pub(crate) const CHROMIUM: &str = "TENGEN_CHROMIUM";
/// What the browser is called, if no variable says so.
const CHROMIUMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

const BROWSER: Tool = Tool {
    program: CHROMIUMS[0],
    packages: &["chromium", "fonts-noto-cjk"],
    purpose: "the browser tests",
};

const PYTHON: Tool = Tool {
    program: "python3",
    packages: &["python3", "python3-venv"],
    purpose: "the Python package",
};

const TOOLS: [Tool; 4] = [
    PYTHON,
    Tool { program: "node", packages: &["nodejs"], purpose: "the page's tests" },
    Tool { program: "npm", packages: &["npm"], purpose: "the page's test packages" },
    Tool {
        program: "nats-server",
        packages: &["nats-server"],
        purpose: "the tests of many machines",
    },
];

/// Installs every tool that is missing.
pub(crate) fn install_all() -> Result<()> {
    if chromium().is_err() {
        install(&BROWSER)?;
    }
    for tool in &TOOLS {
        if !exists(tool.program) {
            install(tool)?;
        }
    }
    install_wasm()
}

/// Installs what a build for browsers needs.
pub(crate) fn install_wasm() -> Result<()> {
    install_target("wasm32-unknown-unknown")
}

/// The browser: the one that the variable names, or one on the path.
pub(crate) fn chromium() -> Result<String> {
    if let Ok(named) = std::env::var(CHROMIUM) {
        return Ok(named);
    }
    match CHROMIUMS.into_iter().find_map(find) {
        Some(path) => Ok(path.to_string_lossy().into_owned()),
        None => bail!("There is no Chromium on the path, and {CHROMIUM} does not name one."),
    }
}

fn install(tool: &Tool) -> Result<()> {
    let packages = tool.packages.join(" ");
    let advice = format!(
        "'{}' is needed for {}. Install it (on Debian: apt-get install {packages}) and run again.",
        tool.program, tool.purpose
    );
    if !exists("apt-get") {
        bail!("{advice}");
    }
    let sudo: &[&str] = if is_root() { &[] } else { &["sudo"] };
    // A stale package list is the usual reason for a failed install, so it is renewed first.
    let update = [sudo, &["apt-get", "update", "-qq"]].concat();
    let fetch = [sudo, &["apt-get", "install", "-y", "-qq", "--no-install-recommends"]].concat();
    let fetch = [&fetch, tool.packages].concat();
    for command in [update, fetch] {
        if run::step("", command[0], &command[1..]).is_err() {
            bail!("{advice}");
        }
    }
    Ok(())
}

/// Makes a virtual environment for Python. Debian has a package of its own for that.
pub(crate) fn make_environment(folder: &Path) -> Result<()> {
    let folder = folder.to_string_lossy();
    let make = || run::step("", PYTHON.program, &["-m", "venv", "--clear", &folder]);
    make().or_else(|_| install(&PYTHON).and_then(|()| make()))
}

/// Installs what a build for Windows needs.
pub(crate) fn install_windows() -> Result<()> {
    let linker = Tool {
        program: "x86_64-w64-mingw32-gcc",
        packages: &["gcc-mingw-w64-x86-64"],
        purpose: "the Windows program",
    };
    if !exists(linker.program) {
        install(&linker)?;
    }
    install_target("x86_64-pc-windows-gnu")
}

fn install_target(target: &str) -> Result<()> {
    let output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output()?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && Path::new(&folder).is_dir() {
        return Ok(());
    }
    if run::step("", "rustup", &["target", "add", target]).is_err() {
        bail!("The Rust target {target} is missing and 'rustup target add {target}' failed.");
    }
    Ok(())
}

fn exists(program: &str) -> bool {
    find(program).is_some()
}

fn find(program: &str) -> Option<PathBuf> {
    let search = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&search).map(|folder| folder.join(program)).find(|path| path.is_file())
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
