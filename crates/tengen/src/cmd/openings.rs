//! `tengen openings`: fair starts for matches.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use book::{FairStarts, OpeningSet, Recipe};
use clap::Subcommand;
use gomoku::Position;
use player::{Limits, Task, Unwatched};
use serde_json::json;

use crate::{
    args::{GameArgs, LimitArgs},
    players,
    show::outln,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Make a set of distinct, balanced openings
    Generate(Generate),
    /// List the shipped sets
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a shipped set (or its half, such as freestyle-15-tuning)
    Export {
        /// Its name
        set: String,
    },
}

#[derive(Debug, clap::Args)]
struct Generate {
    #[command(flatten)]
    game: GameArgs,
    /// How many openings
    #[arg(long, default_value_t = 200, value_name = "N")]
    count: usize,
    /// Stones on the board: 5, or 3-7
    #[arg(long, default_value = "3-7", value_name = "N[-M]", value_parser = parse_range)]
    stones: (usize, usize),
    /// Largest value for either side that counts as even, in the judge's units
    #[arg(long, default_value_t = 100, value_name = "POINTS")]
    balance: i64,
    /// Who judges
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    #[command(flatten)]
    limits: LimitArgs,
    /// A cheaper look before the real one: most openings are refused here
    #[arg(long, value_name = "N", value_parser = crate::args::parse_count)]
    first_look: Option<u64>,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Name of the set (default: rule and size)
    #[arg(long)]
    name: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.what {
        What::Generate(args) => generate(args),
        What::List { json } => list(*json),
        What::Export { set } => {
            let found = book::shipped_named(set).with_context(|| {
                format!("There is no set '{set}'; shipped are {}", book::shipped_names().join(", "))
            })?;
            outln!("{}", found.to_text().trim_end());
            Ok(())
        }
    }
}

fn list(as_json: bool) -> Result<()> {
    let sets = book::shipped();
    if as_json {
        let sets: Vec<_> = sets
            .iter()
            .map(|set| {
                json!({"name": set.name, "rule": set.rule.name(), "size": set.size,
                       "count": set.openings.len()})
            })
            .collect();
        outln!("{}", serde_json::to_string_pretty(&json!({ "sets": sets }))?);
        return Ok(());
    }
    for set in sets {
        outln!(
            "{:<16} {:>6} openings, {} {}x{}",
            set.name,
            set.openings.len(),
            set.rule,
            set.size,
            set.size
        );
    }
    outln!("\nEach has two halves that never mix: NAME-tuning and NAME-validation.");
    Ok(())
}

fn generate(args: &Generate) -> Result<()> {
    let (rule, size) = (args.game.rule, args.game.size);
    if args.stones.1 > usize::from(size) * usize::from(size) / 4 {
        bail!("A board of {size}x{size} is too small for {} stones.", args.stones.1);
    }
    let mut judge = players::build(&args.player)?;
    let limits = args.limits.or(Limits::nodes(20_000));
    let mut value = |position: &Position, limits: Limits| {
        judge.new_game(0);
        judge.choose(&Task::new(position.clone(), limits), &Unwatched).score
    };
    let recipe = Recipe { rule, size, stones: args.stones, balance: args.balance, seed: args.seed };
    let look = |position: &Position| {
        if let Some(nodes) = args.first_look {
            let first = value(position, Limits::nodes(nodes))?;
            if first.is_decisive() || first.value().abs() > 2 * args.balance {
                return None;
            }
        }
        value(position, limits)
    };
    let starts: Vec<Position> = FairStarts::new(recipe, look).take(args.count).collect();
    if starts.len() < args.count {
        bail!("Only {} such openings were found; widen --stones or --balance.", starts.len());
    }
    let set = OpeningSet {
        name: args.name.clone().unwrap_or_else(|| format!("{rule}-{size}")),
        rule,
        size,
        openings: starts.iter().map(|position| position.moves().to_vec()).collect(),
    };
    match &args.out {
        Some(path) => std::fs::write(path, set.to_text())
            .with_context(|| format!("Cannot write {}", path.display()))?,
        None => outln!("{}", set.to_text().trim_end()),
    }
    Ok(())
}

/// Reads `5` or `3-7`.
fn parse_range(text: &str) -> Result<(usize, usize)> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    match (low.trim().parse(), high.trim().parse()) {
        (Ok(low), Ok(high)) if low <= high => Ok((low, high)),
        _ => bail!("expected a number or a range such as 3-7"),
    }
}
