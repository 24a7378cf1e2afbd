//! `tengen ratings`: ratings from all recorded games.

use std::path::PathBuf;

use anyhow::Result;
use arena::{GameFilter, Index};
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
    /// Rebuild the index from all journals
    #[arg(long)]
    rebuild: bool,
    /// Folder for runs and books (default: the platform's data folder)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let data = data::folder(args.data.as_deref())?;
    let mut index = Index::open(&data.join("index.sqlite"))?;
    if args.rebuild {
        for unreadable in index.rebuild(&data.join("runs"))? {
            eprintln!("{unreadable}");
        }
    }
    if args.runs {
        return list_runs(&index, args.json);
    }
    let filter = GameFilter { run: args.run.clone(), rule: args.rule, size: args.size };
    let ratings = index.ratings(&filter)?;
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

fn list_runs(index: &Index, json: bool) -> Result<()> {
    let runs = index.runs()?;
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
