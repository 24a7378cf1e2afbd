//! `tengen match`: who of two is stronger.

use anyhow::{Result, bail};
use arena::Schedule;
use stats::Sprt;

use crate::runs::{self, RunArgs};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The first player (a preset, a spec, a preset file, or cmd:./program)
    #[arg(required_unless_present = "resume")]
    a: Option<String>,
    /// The second player
    #[arg(required_unless_present = "resume")]
    b: Option<String>,
    /// How many games; with --sprt the most that are played
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Stop as soon as the difference is known: elo0,elo1 in normalized Elo
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let schedule = Schedule::match_of(args.games, args.sprt);
    let players = [&args.a, &args.b].into_iter().flatten().cloned().collect::<Vec<_>>();
    runs::run(&args.run, "match", &players, schedule)
}

/// Reads `0,5`.
pub(crate) fn parse_sprt(text: &str) -> Result<Sprt> {
    let bounds: Option<(f64, f64)> = text
        .split_once(',')
        .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    match bounds {
        Some((elo0, elo1)) => Ok(Sprt::new(elo0, elo1)?),
        None => bail!("expected two numbers such as 0,5"),
    }
}
