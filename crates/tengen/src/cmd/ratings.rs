//! `tengen ratings`: ratings from all recorded games.

use std::path::Path;

use anyhow::Result;
use arena::{GameFilter, RunLine};
use gomoku::Rule;

use crate::{data, show::outln};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only games under this rule
    #[arg(long, value_name = "RULE")]
    rule: Option<Rule>,
    /// Only games with this board size
    #[arg(long, value_name = "N")]
    size: Option<u8>,
    /// Only games of this run
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// List the runs instead
    #[arg(long)]
    runs: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let data = data::folder()?;
    let runs = data.join("runs");
    if args.runs {
        return list_runs(&runs, args.json);
    }
    let filter = GameFilter { run: args.run.clone(), rule: args.rule, size: args.size };
    let (ratings, unreadable) = arena::rate_runs(&runs, &filter)?;
    unreadable.iter().for_each(|error| eprintln!("{error}"));
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&ratings)?);
        return Ok(());
    }
    if ratings.is_empty() {
        outln!("No games yet; 'tengen match' plays some.");
    }
    for (rank, line) in ratings.iter().enumerate() {
        outln!(
            "{:>3}. {:+7.1} ± {:<6.1} {:>6} games {:5.1} %  {}",
            rank + 1,
            line.elo,
            line.elo_error,
            line.games,
            100.0 * line.score,
            line.player
        );
    }
    Ok(())
}

fn list_runs(folder: &Path, json: bool) -> Result<()> {
    let mut runs = Vec::new();
    let unreadable = arena::read_runs(folder, |path, run| runs.push(RunLine::new(path, run)))?;
    unreadable.iter().for_each(|error| eprintln!("{error}"));
    runs.sort_by_key(|line| std::cmp::Reverse(line.began));
    if json {
        outln!("{}", serde_json::to_string_pretty(&runs)?);
        return Ok(());
    }
    for line in runs {
        outln!(
            "{:<28} {:>6} games  {} {}  {}",
            line.run,
            2 * line.pairs,
            line.rule,
            line.size,
            line.players
        );
    }
    Ok(())
}
