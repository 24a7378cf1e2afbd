//! `cargo xtask perf`: the timed budgets, measured on the release binary and never asserted in tests.
//!
//! Figures mean something only on an otherwise idle machine.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::run::{root, step};

/// Builds the program, measures, and prints each figure beside its budget.
pub(crate) fn run() -> Result<()> {
    step("", "cargo", &["build", "--locked", "--release", "-p", "tengen"])?;
    let binary = root().join("target/release/tengen");
    let mut starts: Vec<f64> = Vec::new();
    let mut first_load = 0;
    for _ in 0..9 {
        let (ms, bytes) = start_to_page(&binary)?;
        starts.push(ms);
        first_load = bytes;
    }
    starts.sort_by(f64::total_cmp);
    report("start to served page, median of 9", starts[4], "ms", 300.0);
    report("first load, gzip", first_load as f64 / 1000.0, "KB", 60.0);
    let board = output(&binary, &["bench", "board"])?;
    println!("\nboard (budgets: freestyle 2.0M, standard and renju 1.4M pairs/s)\n{board}");
    let search = output(&binary, &["bench"])?;
    println!("search (goal: 850k nodes/s)\n{search}");
    Ok(())
}

fn report(what: &str, value: f64, unit: &str, budget: f64) {
    let verdict = if value <= budget { "within" } else { "OVER" };
    println!("{what}: {value:.1} {unit} ({verdict} the budget of {budget} {unit})");
}

fn output(binary: &Path, args: &[&str]) -> Result<String> {
    let output = Command::new(binary).args(args).output()?;
    if !output.status.success() {
        bail!("tengen {} failed", args.join(" "));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A studio that is ended when it goes out of scope.
struct Studio(Child);

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.0.kill(); // it may have ended by itself
        let _ = self.0.wait();
    }
}

/// Milliseconds from starting the binary to the page, and the bytes of everything the page's head
/// asks for at once.
fn start_to_page(binary: &Path) -> Result<(f64, usize)> {
    let data = std::env::temp_dir().join(format!("tengen-perf-{}", std::process::id()));
    let begun = Instant::now();
    let child = Command::new(binary)
        .args(["studio", "--no-open", "--port", "0", "--data"])
        .arg(&data)
        .stdout(Stdio::piped())
        .spawn()
        .context("the studio does not start")?;
    let mut studio = Studio(child);
    let mut line = String::new();
    let out = studio.0.stdout.take().context("the studio has no output")?;
    BufReader::new(out).read_line(&mut line)?;
    let address = line
        .split("http://")
        .nth(1)
        .map(|rest| rest.trim().trim_end_matches('/').to_owned())
        .with_context(|| format!("no address in '{line}'"))?;
    let (page, page_bytes) = get(&address, "/")?;
    let elapsed = begun.elapsed().as_secs_f64() * 1000.0;
    let mut bytes = page_bytes;
    for path in links(&page) {
        bytes += get(&address, &path)?.1;
    }
    drop(studio);
    let _ = std::fs::remove_dir_all(&data); // a folder left in the temporary folder does no harm
    Ok((elapsed, bytes))
}

/// What the page loads by itself: `src` and `href` of its own files.
fn links(page: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for mark in ["src=\"", "href=\""] {
        for rest in page.split(mark).skip(1) {
            let path = rest.split('"').next().unwrap_or_default();
            let is_file = path.contains('.') && !path.contains("://") && !path.starts_with('#');
            let path = format!("/{}", path.trim_start_matches(['.', '/']));
            if is_file && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// The body of a page (as text, if it is not compressed) and the bytes of the body as served.
fn get(address: &str, path: &str) -> Result<(String, usize)> {
    let fetch = |encoding: &str| -> Result<Vec<u8>> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept-Encoding: {encoding}\r\nConnection: close\r\n\r\n"
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let head = answer.windows(4).position(|w| w == b"\r\n\r\n").context("no HTTP answer")?;
        if !answer.starts_with(b"HTTP/1.1 200") {
            bail!("{path} is not served");
        }
        Ok(answer.split_off(head + 4))
    };
    let plain = fetch("identity")?;
    Ok((String::from_utf8_lossy(&plain).into_owned(), fetch("gzip")?.len()))
}
