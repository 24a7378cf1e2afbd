//! `cargo xtask site`: the studio as a folder of static files, for any web server and under any path.
//!
//! The page is the studio's own but for `wire.js`, its way to the desk, which is here a worker of the
//! browser. Beside it lie the module, the networks, and what lets a browser install the page and open it
//! without a network.

#[path = "../../crates/studio/pack.rs"]
mod pack;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use flate2::Crc;

use crate::{
    run::{root, step_with, target},
    tools,
};

const TARGET: &str = "wasm32-unknown-unknown";
/// Wide registers, a stack that is deep enough for proofs, and no names of functions.
const FLAGS: &str = "-C target-feature=+simd128 -C link-arg=-zstack-size=4194304 -C strip=symbols";
/// What is part of the program elsewhere, and here fetched when it is needed.
const LATER: [&str; 15] = [
    "engine/data/freestyle.net",
    "engine/data/standard.net",
    "engine/data/renju.net",
    "engine/data/caro.net",
    "engine/data/caro-exact.net",
    "book/data/freestyle-15.book",
    "book/data/standard-15.book",
    "book/data/renju-15.book",
    "book/data/freestyle-15.txt",
    "book/data/standard-15.txt",
    "book/data/renju-15.txt",
    "book/data/caro-15.txt",
    "book/data/caro-exact-15.txt",
    "book/data/freestyle-20.txt",
    "desk/data/puzzles.txt",
];
/// What only a page without a server has in its head: it may run the module, and ask nobody else.
const HEAD: &str = r##"<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'" />
    <meta name="theme-color" content="#f4efe6" />
    <link rel="manifest" href="manifest.webmanifest" />"##;

/// Makes the folder, and says where it is.
pub(crate) fn run(folder: Option<&str>) -> Result<PathBuf> {
    let folder = match folder {
        Some(named) => named.into(),
        None => target()?.join("www"),
    };
    make(&folder, &module()?)?;
    println!("{} holds the site; any web server can serve it.", folder.display());
    Ok(folder)
}

/// Builds the module, and says where it is.
fn module() -> Result<PathBuf> {
    tools::install_wasm()?;
    step_with(
        "",
        "cargo",
        &["build", "--locked", "-p", "site", "--target", TARGET, "--profile", "site"],
        &[("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", FLAGS)],
    )?;
    Ok(target()?.join(TARGET).join("site/site.wasm"))
}

fn make(folder: &Path, module: &Path) -> Result<()> {
    if folder.exists() {
        let is_site = folder.join("sw.js").is_file() || folder.read_dir()?.next().is_none();
        ensure!(is_site, "{} is there and is no site; name another folder.", folder.display());
        fs::remove_dir_all(folder)?;
    }
    let mut files = page()?;
    files.push(("site/tengen.wasm".to_owned(), read(module)?));
    for name in LATER {
        let path = root().join("crates").join(name);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        files.push((format!("site/{name}"), read(&path)?));
    }
    files.sort();
    let worker = files.iter().position(|(name, _)| name == "sw.js").context("there is a sw.js")?;
    let (name, script) = files.remove(worker);
    let names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
    let script = String::from_utf8(script)?
        .replace("\"{version}\"", &format!("`tengen ${{here.pathname}} {}`", version(&files)))
        .replace("(\"{files}\")", &serde_json::to_string(&names)?);
    files.push((name, script.into_bytes()));
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        fs::write(&path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// The studio's page with what takes the server's place.
fn page() -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for source in [root().join("crates/studio/web"), root().join("crates/site/web")] {
        let mut paths = Vec::new();
        pack::collect(&source, &mut paths);
        for path in paths {
            let name = path.strip_prefix(&source)?.to_string_lossy().replace('\\', "/");
            let bytes = pack::slim(&path, read(&path)?);
            files.retain(|(before, _)| *before != name);
            files.push((name, bytes));
        }
    }
    let page = files.iter_mut().find(|(name, _)| name == "index.html");
    let (_, page) = page.context("there is a page")?;
    let text = String::from_utf8(std::mem::take(page))?;
    *page = text.replacen("<meta charset=\"utf-8\" />", HEAD, 1).into_bytes();
    Ok(files)
}

/// A number that changes with any file.
fn version(files: &[(String, Vec<u8>)]) -> String {
    let mut crc = Crc::new();
    for (name, bytes) in files {
        crc.update(name.as_bytes());
        crc.update(bytes);
    }
    format!("{:08x}-{}", crc.sum(), crc.amount())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{} cannot be read", path.display()))
}
