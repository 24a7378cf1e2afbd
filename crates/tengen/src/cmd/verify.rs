//! `tengen verify`: checks proofs with the crate `verify`, which shares no code with us.

mod solved;

use std::{fs::File, ops::ControlFlow, path::PathBuf, time::Instant};

use anyhow::{Context, Result, bail};
use gomoku::Point;
use serde_json::json;
use verify::{CheckedProof, Manner};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The proof file, or - for standard input
    #[arg(required_unless_present = "solved")]
    file: Option<PathBuf>,
    /// Prove every opening of a book again and check each proof while it is written: a built-in book
    /// such as freestyle-15 (see 'tengen solved'), or a book file
    #[arg(long, value_name = "BOOK", conflicts_with = "file")]
    solved: Option<String>,
    /// Only the openings with these second moves: o15,n14 (with --solved)
    #[arg(long, value_name = "POINTS", value_delimiter = ',', requires = "solved")]
    only: Vec<Point>,
    /// Openings checked at the same time, each with the book's memory (with --solved)
    #[arg(long, default_value_t = 2, value_name = "J", requires = "solved",
          value_parser = clap::value_parser!(u32).range(1..=64))]
    jobs: u32,
    /// Also place every reply to a four on the board: many times slower, same verdict
    #[arg(long)]
    literal: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn manner(&self) -> Manner {
        if self.literal { Manner::Literal } else { Manner::Quick }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match (&args.solved, &args.file) {
        (Some(book), _) => solved::run(args, book),
        (None, Some(file)) => check_file(args, file),
        (None, None) => bail!("Name a proof file, or a book with --solved."),
    }
}

fn check_file(args: &Args, file: &PathBuf) -> Result<()> {
    let start = Instant::now();
    let mut go_on = |_: &verify::Counts| ControlFlow::Continue(());
    let name = file.display();
    let checked = if file.as_os_str() == "-" {
        verify::check_stream(std::io::stdin().lock(), args.manner(), &mut go_on)
    } else {
        let file = File::open(file).with_context(|| format!("Cannot read {name}"))?;
        verify::check_stream(file, args.manner(), &mut go_on)
    };
    let seconds = start.elapsed().as_secs_f64();
    match checked {
        Ok(verdict) if args.json => print_json(&verdict, seconds),
        Ok(verdict) => {
            println!("{verdict}bytes                {}", verdict.bytes);
            println!("time                 {seconds:.2} s");
            Ok(())
        }
        Err(fault) => bail!("{name} is not a valid proof: {fault}"),
    }
}

fn print_json(verdict: &CheckedProof, seconds: f64) -> Result<()> {
    let stones =
        |points: &[verify::Point]| points.iter().map(|p| p.to_string()).collect::<Vec<_>>();
    let claim = &verdict.claim;
    let document = json!({
        "result": "win",
        "rule": claim.rule.to_string(),
        "size": claim.size,
        "attacker": claim.attacker.to_string(),
        "to_move": claim.to_move.to_string(),
        "black": stones(&claim.black),
        "white": stones(&claim.white),
        "claimed_plies": claim.plies,
        "plies": verdict.counts.longest,
        "moves": verdict.counts.nodes,
        "turns": verdict.counts.turns,
        "replies": verdict.counts.replies,
        "bytes": verdict.bytes,
        "digest": verdict.digest_text(),
        "time_ms": seconds * 1e3,
    });
    println!("{}", serde_json::to_string_pretty(&document)?);
    Ok(())
}
