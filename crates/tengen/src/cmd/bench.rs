//! `tengen bench`: speed, and the signature of the search.

mod board;
mod lab;
mod lab_legal;
pub(crate) mod search;
mod solve;

use std::{fs, path::PathBuf, time::Duration};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::{players::registry, show, show::outln};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to measure
    #[arg(value_enum, default_value_t = What::Search)]
    what: What,
    /// Depth of the search (default: that of the signature)
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Games of self-play for each of the lab's players
    #[arg(long, default_value_t = 50, value_name = "N")]
    games: u64,
    /// Games for the board, one per line (h8i9g9...), instead of its own
    #[arg(long, value_name = "FILE")]
    lists: Option<PathBuf>,
    /// One of the lab's players, with or without parameters; may be given several times
    #[arg(long = "player", value_name = "SPEC")]
    players: Vec<String>,
    /// With lab: instead of timing, play N games per player and rule on 15x15, 8x8 and 20x20, and
    /// check that every move is legal and in time
    #[arg(long, value_name = "N")]
    legal: Option<u64>,
    /// Time per move in these games, in milliseconds
    #[arg(long, default_value_t = 10, value_name = "MS")]
    turn_ms: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum What {
    /// Fixed positions over all rules on one thread: nodes (the signature) and nodes per second
    Search,
    /// Stones placed and taken back per second, with all shapes and threats kept up to date
    Board,
    /// Time per move of the papers' players in self-play
    Lab,
    /// Forced wins on fixed positions, on one thread: nodes and nodes per second, by rule
    Solve,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let document = match args.what {
        What::Search => search(args),
        What::Board => board(args)?,
        What::Lab => match args.legal {
            Some(games) => lab_legal(args, games)?,
            None => lab(args)?,
        },
        What::Solve => solve(args.json),
    };
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&document)?);
    }
    Ok(())
}

fn search(args: &Args) -> Value {
    let done = search::run(args.depth);
    if !args.json {
        outln!(
            "nodes {}\ntime  {:.2} s\nspeed {} nodes/s",
            done.nodes,
            done.time.as_secs_f64(),
            show::count(done.nodes_per_second() as u64)
        );
    }
    json!({
        "nodes": done.nodes,
        "seconds": done.time.as_secs_f64(),
        "nodes_per_second": done.nodes_per_second(),
    })
}

fn board(args: &Args) -> Result<Value> {
    let games = match &args.lists {
        Some(path) => {
            let text = fs::read_to_string(path)
                .with_context(|| format!("Cannot read '{}'.", path.display()))?;
            board::read_games(&text)?
        }
        None => gomoku::exercise::games(),
    };
    let lines = board::run(&games);
    if !args.json {
        for line in &lines {
            let speed = show::count(line.pairs_per_second as u64);
            outln!("{:<11} {speed:>8} pairs/s  checksum {:016x}", line.rule, line.checksum);
        }
    }
    let by_rule = |value: &dyn Fn(&board::BoardBench) -> Value| -> Value {
        lines.iter().map(|line| (line.rule.name().to_owned(), value(line))).collect()
    };
    Ok(json!({
        "pairs_per_second": by_rule(&|line| json!(line.pairs_per_second)),
        "checksum": by_rule(&|line| json!(format!("{:016x}", line.checksum))),
    }))
}

fn solve(is_json: bool) -> Value {
    let lines = solve::run();
    if !is_json {
        for line in &lines {
            let speed = show::count(line.nodes_per_second() as u64);
            let (wins, none, open) = (line.wins, line.none, line.open);
            outln!(
                "{:<11} {speed:>8} nodes/s  {} nodes, {wins} wins, {none} without, {open} open",
                line.rule,
                line.nodes
            );
        }
    }
    let nodes: u64 = lines.iter().map(|line| line.nodes).sum();
    let seconds: f64 = lines.iter().map(|line| line.time.as_secs_f64()).sum();
    let by_rule = |value: &dyn Fn(&solve::SolveBench) -> Value| -> Value {
        lines.iter().map(|line| (line.rule.name().to_owned(), value(line))).collect()
    };
    json!({
        "nodes": nodes,
        "seconds": seconds,
        "nodes_per_second": nodes as f64 / seconds.max(1e-9),
        "nodes_by_rule": by_rule(&|line| json!(line.nodes)),
        "nodes_per_second_by_rule": by_rule(&|line| json!(line.nodes_per_second())),
    })
}

fn lab(args: &Args) -> Result<Value> {
    let default = lab::players();
    let specs = if args.players.is_empty() { &default } else { &args.players };
    if !args.json {
        outln!("{}", lab::Row::heading());
    }
    let mut rows = Vec::new();
    for spec in specs {
        let row = lab::measure(registry(), spec, args.games)?;
        if !args.json {
            outln!("{row}");
        }
        rows.push(row.to_json());
    }
    Ok(json!({ "games": args.games, "players": rows }))
}

fn lab_legal(args: &Args, n_games: u64) -> Result<Value> {
    let default = lab_legal::players();
    let specs = if args.players.is_empty() { &default } else { &args.players };
    let turn = Duration::from_millis(args.turn_ms);
    if !args.json {
        outln!("{}", lab_legal::Games::heading());
    }
    let mut rows = Vec::new();
    for spec in specs {
        for board in lab_legal::boards() {
            let games = lab_legal::Games::play(registry(), spec, board, n_games, turn)?;
            if !args.json {
                outln!("{games}");
            }
            rows.push(games);
        }
    }
    if let Some(bad) = rows.iter().find(|games| !games.is_clean()) {
        let first = bad.illegal.first().map_or("", String::as_str);
        bail!("Not every game was played legally and in time:\n{bad}\n{first}");
    }
    let rows: Vec<Value> = rows.iter().map(lab_legal::Games::to_json).collect();
    Ok(json!({ "turn_ms": args.turn_ms, "players": rows }))
}
