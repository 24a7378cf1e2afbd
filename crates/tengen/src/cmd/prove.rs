//! `tengen prove`: looks for a forced win and writes its proof.

use std::{
    fs::File,
    io::{Read, Write},
    path::PathBuf,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use gomoku::{
    Field, Point, Position,
    record::{self, Format},
    with_rule,
};
use player::{Limits, Stopwatch, Watch};
use serde_json::json;
use solve::{Answer, Book, Decision, Finding, Kind, Prover, Solver, book_efforts, efforts};

use crate::{
    args::{GameArgs, parse_count, parse_duration},
    players::registry,
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
    /// Allow so many moves in a line that threaten nothing at once
    #[arg(long, default_value_t = 0, value_name = "N",
          value_parser = clap::value_parser!(u32).range(0..=20))]
    quiet: u32,
    /// Prove this move of the side to move, every reply to it (with --quiet)
    #[arg(long = "move", value_name = "POINT", requires = "quiet")]
    first: Option<Point>,
    /// Read decisions from this file and append new ones, to go on where a run ended (with --quiet)
    #[arg(long, value_name = "FILE", requires = "quiet")]
    log: Option<PathBuf>,
    /// Prove an opening of the built-in book again, trying nothing but its decisions
    #[arg(long, conflicts_with_all = ["quiet", "first", "log", "player", "shortest"])]
    from_book: bool,
    /// A player that suggests quiet moves
    #[arg(long, value_name = "PLAYER", requires = "quiet")]
    player: Option<String>,
    /// Find the shortest win of the mode vcf or vct
    #[arg(long, conflicts_with = "quiet")]
    shortest: bool,
    /// Write the proof of a win to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the tree of a win to this SGF file
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
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
    // Long proofs are resumed rather than cut short; only a search by force has a limit by itself.
    let needs_limit = limits == Limits::default() && args.quiet == 0 && !args.from_book;
    let limits = if needs_limit { Limits::turn(Duration::from_secs(60)) } else { limits };
    let watch = Timed { watch: Stopwatch::start(), time: limits.turn };
    let answer = if args.from_book {
        prove_from_book(args, &position, &watch)?
    } else if args.quiet > 0 {
        prove_with_quiet_moves(args, &position, &watch)?
    } else {
        prove_by_force(args, &position, &limits, &watch)?
    };
    if let Some(win) = answer.win() {
        write(&args.out, || win.proof().bytes)?;
        write(&args.sgf, || record::write(&[win.tree.record()], Format::Sgf).unwrap_or_default())?;
    }
    if args.json {
        print_json(args, &position, &answer, watch.elapsed())
    } else {
        print_text(args, &position, &answer, watch.elapsed());
        Ok(())
    }
}

fn write(path: &Option<PathBuf>, bytes: impl FnOnce() -> Vec<u8>) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    std::fs::write(path, bytes()).with_context(|| format!("Cannot write {}", path.display()))
}

fn prove_by_force(
    args: &Args,
    position: &Position,
    limits: &Limits,
    watch: &Timed,
) -> Result<Answer> {
    let (kind, megabytes) = (args.mode.kind(), args.memory as usize);
    if !args.shortest {
        return Ok(solve::solve_position(position, kind, megabytes, limits, watch));
    }
    let Some(kind) = kind else { bail!("--shortest needs --mode vcf or --mode vct.") };
    with_rule!(position.rule(), R => {
        let mut field = Field::<R>::from_position(position);
        let mut solver = Solver::<R>::new(megabytes);
        let side = position.to_move();
        let shortest = solver.shortest(&mut field, side, kind, limits, watch);
        if !shortest.is_shortest && shortest.answer.win().is_some() {
            eprintln!("There may be a shorter win: the limits were reached first.");
        }
        Ok(shortest.answer)
    })
}

fn prove_with_quiet_moves(args: &Args, position: &Position, watch: &Timed) -> Result<Answer> {
    let mut player = args.player.as_ref().map(|name| registry().build(name)).transpose()?;
    let mut log = DecisionLog::open(args.log.as_ref(), position)?;
    let known = std::mem::take(&mut log.known);
    with_rule!(position.rule(), R => {
        let mut field = Field::<R>::from_position(position);
        let mut prover =
            Prover::<R>::new(args.memory as usize).with_log(|decision| log.append(decision));
        known.iter().for_each(|decision| prover.remember(decision));
        if let Some(player) = &mut player {
            prover = prover.with_player(player.as_mut());
        }
        let efforts = efforts(args.quiet);
        let tree = match args.first {
            Some(point) if !position.is_legal(point) => bail!("{point} cannot be played there."),
            Some(point) => prover.prove_move(&mut field, point, &efforts, watch),
            None => efforts.iter().find_map(|&effort| prover.prove(&mut field, effort, watch)),
        };
        let nodes = prover.nodes();
        let finding = tree.map_or(Finding::Unknown, |tree| Finding::Win(Box::new(tree.into())));
        drop(prover);
        log.failed.map_or(Ok(Answer { finding, nodes }), |error| Err(error.into()))
    })
}

fn prove_from_book(args: &Args, position: &Position, watch: &Timed) -> Result<Answer> {
    let book = Book::far();
    let found = book.opening(position).filter(|_| position.rule() == book.rule);
    let Some(opening) = found else { bail!("The book has no such opening.") };
    let start = opening.start(&book);
    with_rule!(book.rule, R => {
        let mut field = Field::<R>::from_position(&start);
        let mut prover = Prover::<R>::new(args.memory as usize);
        opening.decisions(&book).iter().for_each(|decision| prover.remember(decision));
        let tree = prover.prove_move(&mut field, opening.point, &book_efforts(), watch);
        let finding = tree.map_or(Finding::Unknown, |tree| Finding::Win(Box::new(tree.into())));
        Ok(Answer { finding, nodes: prover.nodes() })
    })
}

/// The decisions of earlier runs, and where new ones go.
struct DecisionLog {
    known: Vec<Decision>,
    file: Option<File>,
    failed: Option<std::io::Error>,
}

impl DecisionLog {
    /// Reads what is there. The last line may be torn by a crash and is then ignored.
    fn open(path: Option<&PathBuf>, position: &Position) -> Result<DecisionLog> {
        let mut log = DecisionLog { known: Vec::new(), file: None, failed: None };
        let Some(path) = path else { return Ok(log) };
        let context = || format!("Cannot use {}", path.display());
        let mut file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .with_context(context)?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(context)?;
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            let decision = Decision::parse(line, position.rule(), position.size());
            log.known.push(decision.with_context(context)?);
        }
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file).with_context(context)?;
        }
        log.file = Some(file);
        Ok(log)
    }

    fn append(&mut self, decision: &Decision) {
        let Some(file) = &mut self.file else { return };
        if let Err(error) = writeln!(file, "{}", decision.to_text()) {
            self.failed.get_or_insert(error);
        }
    }
}

/// A watch that stops when the time is up.
struct Timed {
    watch: Stopwatch,
    time: Option<Duration>,
}

impl Watch for Timed {
    fn stopped(&self) -> bool {
        self.watch.stopped() || self.time.is_some_and(|time| self.watch.elapsed() >= time)
    }

    fn elapsed(&self) -> Duration {
        self.watch.elapsed()
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
