//! `tengen ratings`: ratings from all recorded games.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena::{GameFilter, ImportedGame, RunLine};
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
    /// Count the games of these files too: SGF and psq with names and results, or the list of
    /// results (PGN) of c-gomoku-cli
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "runs")]
    import: Vec<PathBuf>,
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
    let mut imported = Vec::new();
    for path in &args.import {
        imported.extend(import(path)?);
    }
    let (ratings, unreadable) = arena::rate_games(&runs, &filter, &imported)?;
    unreadable.iter().for_each(|error| eprintln!("{error}"));
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&ratings)?);
        return Ok(());
    }
    if ratings.is_empty() {
        outln!("No games yet; 'tengen match' plays some.");
    }
    if !ratings.is_empty() {
        outln!("Elo with 95 % intervals; the mean of the players is zero");
    }
    for (rank, line) in ratings.iter().enumerate() {
        outln!(
            "{:>3}. {:>16} {:>6} games {:5.1} %  {}",
            rank + 1,
            stats::rating_text(line.score, line.elo, line.elo_error, 1),
            line.games,
            100.0 * line.score,
            line.player
        );
    }
    Ok(())
}

/// The games of a file, after saying how many there are.
fn import(path: &Path) -> Result<Vec<ImportedGame>> {
    let shown = path.display();
    let bytes = std::fs::read(path).with_context(|| format!("Cannot read {shown}"))?;
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let file =
        arena::read_results(&name, &bytes).with_context(|| format!("Cannot read {shown}"))?;
    let left_out = match file.left_out {
        0 => String::new(),
        n => format!("; {n} left out, for they do not say who played or who won"),
    };
    let n = file.games.len();
    eprintln!("{shown}: {n} {}{left_out}.", if n == 1 { "game" } else { "games" });
    Ok(file.games)
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
