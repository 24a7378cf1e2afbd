//! `tengen bench`: speed, and the signature of the search.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::{
    bench_board, bench_lab, bench_search, bench_solve, players::registry, show, show::outln,
};

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
    /// Games for the board, one a line (h8i9g9...), instead of its own
    #[arg(long, value_name = "FILE")]
    lists: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum What {
    /// Fixed positions over all rules on one thread: nodes (the signature) and nodes a second
    Search,
    /// Stones placed and taken back a second, all shapes and sets kept
    Board,
    /// Time a move of the papers' players in self-play
    Lab,
    /// Forced wins sought on fixed positions, one thread: nodes and nodes a second by rule
    Solve,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let document = match args.what {
        What::Search => search(args),
        What::Board => board(args)?,
        What::Lab => lab(args),
        What::Solve => solve(args.json),
    };
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&document)?);
    }
    Ok(())
}

fn search(args: &Args) -> Value {
    let done = bench_search::run(args.depth);
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
            bench_board::read_games(&text)?
        }
        None => bench_board::games(),
    };
    let lines = bench_board::run(&games);
    if !args.json {
        for line in &lines {
            let speed = show::count(line.pairs_per_second as u64);
            outln!("{:<11} {speed:>8} pairs/s  checksum {:016x}", line.rule, line.checksum);
        }
    }
    let by_rule = |value: &dyn Fn(&bench_board::BoardBench) -> Value| -> Value {
        lines.iter().map(|line| (line.rule.name().to_owned(), value(line))).collect()
    };
    Ok(json!({
        "pairs_per_second": by_rule(&|line| json!(line.pairs_per_second)),
        "checksum": by_rule(&|line| json!(format!("{:016x}", line.checksum))),
    }))
}

fn solve(is_json: bool) -> Value {
    let lines = bench_solve::run();
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
    let by_rule = |value: &dyn Fn(&bench_solve::SolveBench) -> Value| -> Value {
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

fn lab(args: &Args) -> Value {
    let rows = bench_lab::run(registry(), args.games);
    if !args.json {
        outln!("{}", bench_lab::to_text(&rows).trim_end());
    }
    let row = |row: &bench_lab::Row| {
        json!({
            "player": row.spec,
            "moves": row.n_moves,
            "ms_per_move": row.ms_per_move(),
            "slowest_ms": 1e3 * row.slowest.as_secs_f64(),
            "evaluations_per_second": row.evaluations_per_second(),
        })
    };
    json!({ "players": rows.iter().map(row).collect::<Vec<_>>() })
}
