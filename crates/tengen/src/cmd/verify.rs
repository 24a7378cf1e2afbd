//! `tengen verify`: checks a proof file with the crate `verify`, which shares no code with us.

use std::{fs::File, ops::ControlFlow, path::PathBuf, time::Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;
use verify::{CheckedProof, Manner};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The proof file, or - for standard input
    file: PathBuf,
    /// Also place every reply to a four on the board: many times slower, same verdict
    #[arg(long)]
    literal: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let start = Instant::now();
    let manner = if args.literal { Manner::Literal } else { Manner::Quick };
    let mut go_on = |_: &verify::Counts| ControlFlow::Continue(());
    let checked = if args.file.as_os_str() == "-" {
        verify::check_stream(std::io::stdin().lock(), manner, &mut go_on)
    } else {
        let name = args.file.display();
        let file = File::open(&args.file).with_context(|| format!("Cannot read {name}"))?;
        verify::check_stream(file, manner, &mut go_on)
    };
    let seconds = start.elapsed().as_secs_f64();
    match checked {
        Ok(verdict) if args.json => print_json(&verdict, seconds),
        Ok(verdict) => {
            println!("{verdict}bytes                {}", verdict.bytes);
            println!("time                 {seconds:.2} s");
            Ok(())
        }
        Err(fault) => bail!("{} is not a valid proof: {fault}", args.file.display()),
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
