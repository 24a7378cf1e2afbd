//! `tengen prove`: looks for a forced win and writes its proof.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use gomoku::{Point, Position};
use player::{Limits, Stopwatch, Watch};
use serde_json::json;
use solve::{Answer, Finding, Kind};

use crate::{
    args::{GameArgs, parse_count, parse_duration},
    show,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Moves (h8i9g9), stones and the side to move ("b:h8,g9 w:i9 b"), or a record file
    position: String,
    #[command(flatten)]
    game: GameArgs,
    /// What the side to move may play
    #[arg(long, default_value = "any")]
    mode: Mode,
    /// Stones placed in search, at most: 20000, 20k or 2M
    #[arg(long, value_name = "N", value_parser = parse_count)]
    nodes: Option<u64>,
    /// Time, at most: 500ms, 2s, 1m
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Memory for the table, in megabytes
    #[arg(long, default_value_t = 256, value_name = "MB",
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    memory: u32,
    /// Write the proof of a win to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// Fours only
    Vcf,
    /// Fours, and threats to win in three plies
    Vct,
    /// Fours first, then threats
    Any,
}

impl Mode {
    fn kind(self) -> Option<Kind> {
        match self {
            Mode::Vcf => Some(Kind::Vcf),
            Mode::Vct => Some(Kind::Vct),
            Mode::Any => None,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let position = args.game.position(&args.position)?;
    if let Some(outcome) = position.outcome() {
        let who = outcome.winner().map_or("a draw".into(), |color| format!("{color} has won"));
        bail!("The game is over: {who}.");
    }
    let limits = Limits { nodes: args.nodes, turn: args.time, ..Limits::default() };
    let limits =
        if limits == Limits::default() { Limits::turn(Duration::from_secs(60)) } else { limits };
    let watch = Stopwatch::start();
    let megabytes = args.memory as usize;
    let answer = solve::solve_position(&position, args.mode.kind(), megabytes, &limits, &watch);
    if let (Some(win), Some(path)) = (answer.win(), &args.out) {
        let bytes = win.proof().bytes;
        std::fs::write(path, bytes).with_context(|| format!("Cannot write {}", path.display()))?;
    }
    if args.json {
        print_json(args, &position, &answer, watch.elapsed())
    } else {
        print_text(args, &position, &answer, watch.elapsed());
        Ok(())
    }
}

fn result(answer: &Answer) -> &'static str {
    match answer.finding {
        Finding::Win(_) => "win",
        Finding::NoWin => "no-win",
        Finding::Unknown => "unknown",
    }
}

fn print_json(args: &Args, position: &Position, answer: &Answer, time: Duration) -> Result<()> {
    let win = answer.win();
    let line = win.map(|win| win.line().iter().map(Point::to_string).collect::<Vec<_>>());
    let document = json!({
        "result": result(answer),
        "mode": args.mode.to_possible_value().map(|value| value.get_name().to_owned()),
        "position": position.to_text(),
        "rule": position.rule().name(),
        "size": position.size(),
        "attacker": position.to_move().to_string(),
        "plies": win.map(|win| win.plies),
        "move": win.and_then(|win| win.point()).map(|point| point.to_string()),
        "line": line,
        "tree": win.map(|win| win.tree.move_count()),
        "nodes": answer.nodes,
        "time_ms": time.as_secs_f64() * 1e3,
        "proof": win.and(args.out.as_ref()).map(|path| path.display().to_string()),
    });
    println!("{}", serde_json::to_string_pretty(&document)?);
    Ok(())
}

fn print_text(args: &Args, position: &Position, answer: &Answer, time: Duration) {
    let side = position.to_move();
    let what = match args.mode {
        Mode::Vcf => "fours",
        Mode::Vct | Mode::Any => "fours and threats",
    };
    println!("{}\n", show::board(position));
    match &answer.finding {
        Finding::Win(win) => {
            println!("win      {side} wins within {} plies", win.plies);
            println!("line     {}", show::line(&win.line()));
            println!("tree     {} moves of {side}", win.tree.move_count());
        }
        Finding::NoWin => println!("no win   {side} has no win by {what}: proved"),
        Finding::Unknown => println!("unknown  not settled within the limits"),
    }
    let seconds = time.as_secs_f64();
    println!("cost     {} nodes, {seconds:.2} s", show::count(answer.nodes));
    if let (Some(_), Some(path)) = (answer.win(), &args.out) {
        println!("proof    {} (check it with: tengen verify {0})", path.display());
    }
}
