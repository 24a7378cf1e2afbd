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

use crate::{
    run::{build_release, root, step},
    tools,
};

/// The script that measures the page in a browser, one JSON line for each figure.
const PAGE: &str = "crates/studio/e2e";

/// One figure and what it may be at most.
struct Figure {
    what: String,
    value: f64,
    unit: String,
    budget: f64,
}

impl Figure {
    fn is_within(&self) -> bool {
        self.value <= self.budget
    }
}

/// Builds the program, measures, and prints each figure beside its budget. Fails if one is missed.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let soak = match args {
        ["--load", minutes] => return load(minutes, "50"),
        ["--load", minutes, "--pages", pages] => return load(minutes, pages),
        [] => 30,
        ["--soak", seconds] => {
            seconds.parse().with_context(|| format!("'{seconds}' is no number of seconds"))?
        }
        _ => bail!(
            "'cargo xtask perf' knows --soak SECONDS and --load MINUTES [--pages N], not '{}'.",
            args.join(" ")
        ),
    };
    let binary = build_release()?.join("tengen");
    step(PAGE, "npm", &["ci", "--no-audit", "--no-fund"])?;
    let mut figures = vec![start_up(&binary)?];
    figures.extend(page(&binary, soak)?);
    print_table(&figures);
    let board = output(&binary, &["bench", "board"])?;
    println!("\nboard (budgets: freestyle 2.0M, standard and renju 1.4M pairs/s)\n{board}");
    let search = output(&binary, &["bench"])?;
    println!("search (goal: 850k nodes/s)\n{search}");
    let missed = figures.iter().filter(|figure| !figure.is_within()).count();
    if missed > 0 {
        bail!("{missed} of {} budgets were missed", figures.len());
    }
    Ok(())
}

fn start_up(binary: &Path) -> Result<Figure> {
    let mut starts = (0..9).map(|_| start_to_page(binary)).collect::<Result<Vec<f64>>>()?;
    starts.sort_by(f64::total_cmp);
    Ok(Figure {
        what: "start to served page, median of 9".to_owned(),
        value: starts[4],
        unit: "ms".to_owned(),
        budget: 300.0,
    })
}

/// What the browser measures.
fn page(binary: &Path, soak: u32) -> Result<Vec<Figure>> {
    eprintln!("\n==> node perf.js ({soak} s of analysis)");
    script(binary, "perf.js", &[("SOAK", &soak.to_string())])
}

/// Many pages at once, for some minutes.
fn load(minutes: &str, pages: &str) -> Result<()> {
    let binary = build_release()?.join("tengen");
    step(PAGE, "npm", &["ci", "--no-audit", "--no-fund"])?;
    eprintln!("\n==> node load.js ({pages} pages, {minutes} minutes)");
    let figures = script(&binary, "load.js", &[("MINUTES", minutes), ("PAGES", pages)])?;
    print_table(&figures);
    if !figures.iter().all(Figure::is_within) {
        bail!("a budget was missed");
    }
    Ok(())
}

/// Runs a script of the page's, which prints a figure a line.
fn script(binary: &Path, name: &str, environment: &[(&str, &str)]) -> Result<Vec<Figure>> {
    let output = Command::new("node")
        .arg(name)
        .current_dir(root().join(PAGE))
        .env("TENGEN_BIN", binary)
        .env(tools::CHROMIUM, tools::chromium()?)
        .envs(environment.iter().copied())
        .stderr(Stdio::inherit())
        .output()
        .context("'node' cannot be started")?;
    if !output.status.success() {
        bail!("'node {name}' failed");
    }
    String::from_utf8_lossy(&output.stdout).lines().map(figure).collect()
}

fn figure(line: &str) -> Result<Figure> {
    let json: serde_json::Value =
        serde_json::from_str(line).with_context(|| format!("'{line}' is no figure"))?;
    let text = |key: &str| json[key].as_str().map(str::to_owned);
    let found =
        text("what").zip(text("unit")).zip(json["value"].as_f64().zip(json["budget"].as_f64()));
    let ((what, unit), (value, budget)) =
        found.with_context(|| format!("'{line}' is no figure"))?;
    Ok(Figure { what, value, unit, budget })
}

fn print_table(figures: &[Figure]) {
    println!("\n{:<50} {:>10} {:>10}      verdict", "figure", "budget", "measured");
    for figure in figures {
        let verdict = if figure.is_within() { "within" } else { "MISSED" };
        let Figure { what, value, unit, budget } = figure;
        println!("{what:<50} {budget:>10} {value:>10.1} {unit:<4} {verdict}");
    }
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

/// Milliseconds from starting the binary to the page.
fn start_to_page(binary: &Path) -> Result<f64> {
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
    get(&address, "/")?;
    let elapsed = begun.elapsed().as_secs_f64() * 1000.0;
    drop(studio);
    let _ = std::fs::remove_dir_all(&data); // a folder left in the temporary folder does no harm
    Ok(elapsed)
}

/// Fetches a page to its end.
fn get(address: &str, path: &str) -> Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    if !answer.starts_with(b"HTTP/1.1 200") {
        bail!("{path} is not served");
    }
    Ok(())
}
