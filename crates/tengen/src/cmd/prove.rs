//! `tengen prove`: looks for a forced win and writes its proof.

use std::{
    fs::File,
    io::{BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use gomoku::{
    Point, Position,
    record::{self, Format},
};
use linelog::{LineLog, LineLogError};
use player::{Limits, Stopwatch, Watch};
use serde_json::json;
use solve::{
    Decision, Finding, Guidance, GuidedProgress, Kind, ProvedBook, Prover, Reproved, Solver,
    SolverAnswer, efforts,
};

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
    /// Maximum number of stones placed in the search: 20000, 20k or 2M
    #[arg(long, value_name = "N", value_parser = parse_count)]
    nodes: Option<u64>,
    /// Maximum time: 500ms, 2s, 1m
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Memory for the table, in megabytes; the built-in book has its own
    #[arg(long, default_value_t = 256, value_name = "MB", conflicts_with = "from_book",
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    memory: u32,
    /// Allow this many quiet moves (without an immediate threat) in a line
    #[arg(long, default_value_t = 0, value_name = "N",
          value_parser = clap::value_parser!(u32).range(0..=20))]
    quiet: u32,
    /// Prove that this move wins against every reply (with --quiet)
    #[arg(long = "move", value_name = "POINT", requires = "quiet")]
    first: Option<Point>,
    /// Read decisions from this file and append new ones, to resume a run (with --quiet)
    #[arg(long, value_name = "FILE", requires = "quiet")]
    log: Option<PathBuf>,
    /// Workers that share the replies to the move, and the memory (with --move)
    #[arg(long, default_value_t = 1, value_name = "J", requires = "first",
          value_parser = clap::value_parser!(u32).range(1..=64))]
    jobs: u32,
    /// Prove an opening of the built-in book again from its recorded decisions; the proof is written
    /// as it is found
    #[arg(long, conflicts_with_all = ["quiet", "first", "log", "player", "shortest", "sgf"])]
    from_book: bool,
    /// A player that suggests quiet moves
    #[arg(long, value_name = "PLAYER", requires = "quiet")]
    player: Option<String>,
    /// Let the player lead: look first where it sees the best chances, however many quiet moves that
    /// takes; --quiet is for what is left then (with --move and --player)
    #[arg(long, requires_all = ["first", "player"])]
    guided: bool,
    /// Find the shortest win (with --mode vcf or vct)
    #[arg(long, conflicts_with = "quiet")]
    shortest: bool,
    /// Write the proof of a win to this file (with --from-book, - means standard output)
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
    let watch = Timed::start(limits.turn);
    if args.from_book {
        return prove_from_book(args, &position, &watch);
    }
    let answer = if args.quiet > 0 {
        prove_with_quiet_moves(args, &position, &watch)?
    } else {
        prove_by_force(args, &position, &limits, &watch)?
    };
    watch.end_line();
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
) -> Result<SolverAnswer> {
    let (kind, megabytes) = (args.mode.kind(), args.memory as usize);
    if !args.shortest {
        return Ok(solve::solve_position(position, kind, megabytes, limits, watch));
    }
    let Some(kind) = kind else { bail!("--shortest needs --mode vcf or --mode vct.") };
    let side = position.to_move();
    let shortest = Solver::new(megabytes).shortest(position, side, kind, limits, watch);
    if !shortest.is_shortest && shortest.answer.win().is_some() {
        eprintln!("There may be a shorter win: the limits were reached first.");
    }
    Ok(shortest.answer)
}

fn prove_with_quiet_moves(args: &Args, position: &Position, watch: &Timed) -> Result<SolverAnswer> {
    let build = |_| args.player.as_ref().map(|name| registry().build(name)).transpose();
    let mut players = (0..args.jobs).map(build).collect::<Result<Vec<_>, _>>()?;
    let mut log = DecisionLog::open(args.log.as_ref(), position)?;
    let known = std::mem::take(&mut log.known);
    let log = Mutex::new(log);
    let append = |decision: &Decision| {
        watch.decisions.fetch_add(1, Ordering::Relaxed);
        log.lock().unwrap_or_else(PoisonError::into_inner).append(decision);
    };
    // What wins under one rule often wins under another.
    let books = ProvedBook::shipped().iter().filter(|book| book.size == position.size());
    let openings = books.flat_map(|book| book.openings.iter().map(|one| one.decisions(book)));
    let examples: Vec<Decision> = openings.flatten().collect();
    let megabytes = (args.memory / args.jobs).max(1) as usize;
    let mut provers = Vec::new();
    for player in &mut players {
        let mut prover = Prover::new(megabytes).with_log(append);
        examples.iter().for_each(|decision| prover.learn(decision));
        known.iter().for_each(|decision| prover.remember(decision));
        provers.push(match player {
            Some(player) => prover.with_player(player.as_mut()),
            None => prover,
        });
    }
    let efforts = efforts(args.quiet);
    let tree = match args.first {
        Some(point) if !position.is_legal(point) => bail!("{point} cannot be played there."),
        Some(point) if args.guided && !find_decisions(&mut provers, position, point, watch) => None,
        Some(point) if args.jobs > 1 => {
            Prover::prove_move_together(&mut provers, position, point, &efforts, watch)
        }
        Some(point) => provers[0].prove_move(position, point, &efforts, watch),
        None => efforts.iter().find_map(|&effort| provers[0].prove(position, effort, watch)),
    };
    let nodes = provers.iter().map(Prover::nodes).sum();
    let finding = tree.map_or(Finding::Unknown, |tree| Finding::Win(Box::new(tree.into())));
    drop(provers);
    let log = log.into_inner().unwrap_or_else(PoisonError::into_inner);
    log.failed.map_or(Ok(SolverAnswer { finding, nodes }), |error| Err(error.into()))
}

/// Finds the decisions of a move, and says which replies are open if there is not one for each.
fn find_decisions(
    provers: &mut [Prover<'_>],
    position: &Position,
    point: Point,
    watch: &Timed,
) -> bool {
    let last = Mutex::new(GuidedProgress::default());
    let told = |progress: &GuidedProgress| {
        watch.settled.store(progress.settled as u64, Ordering::Relaxed);
        watch.open.store(progress.open.len() as u64, Ordering::Relaxed);
        *last.lock().unwrap_or_else(PoisonError::into_inner) = progress.clone();
    };
    let guidance = Guidance::default();
    let is_found = Prover::find_decisions(provers, position, point, guidance, watch, &told);
    let GuidedProgress { settled, open, hardest } =
        last.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !is_found {
        watch.end_line();
        eprintln!("{settled} replies are settled. Open, with the quiet moves looked into:");
        open.iter()
            .for_each(|(reply, looked_into)| eprintln!("  {:<4} {looked_into}", reply.to_string()));
        if !hardest.is_empty() {
            eprintln!("The search would go on with {}", show::line(&hardest));
        }
    }
    is_found
}

/// Proves an opening again and tells what the book says of it, or fails.
fn prove_from_book(args: &Args, position: &Position, watch: &Timed) -> Result<()> {
    let book = ProvedBook::of(position.rule(), position.size());
    let found = book.and_then(|book| Some((book, book.opening(position)?)));
    let Some((book, opening)) = found else { bail!("The book has no such opening.") };
    let start = opening.start(book);
    let mut out: Box<dyn Write> = match &args.out {
        None => Box::new(std::io::sink()),
        Some(path) if path == Path::new("-") => Box::new(BufWriter::new(std::io::stdout())),
        Some(path) => {
            let file = File::create(path);
            Box::new(BufWriter::new(
                file.with_context(|| format!("Cannot write {}", path.display()))?,
            ))
        }
    };
    let proved = opening.prove(book, watch, &mut out)?;
    watch.end_line();
    let Some(Reproved { line, nodes }) = proved else {
        bail!("The book's decisions did not suffice in the given time.");
    };
    if line.len() > opening.plies as usize {
        bail!("The book says {} plies, the proof takes {}.", opening.plies, line.len());
    }
    let text = json!({
        "result": "win",
        "position": start.to_text(),
        "rule": book.rule.name(),
        "size": book.size,
        "attacker": start.to_move().to_string(),
        "plies": line.len(),
        "claimed_plies": opening.plies,
        "move": opening.point.to_string(),
        "line": line.iter().map(Point::to_string).collect::<Vec<_>>(),
        "nodes": nodes,
        "time_ms": watch.elapsed().as_secs_f64() * 1e3,
        "proof": args.out.as_ref().map(|path| path.display().to_string()),
    });
    if args.json && args.out.as_deref() != Some(Path::new("-")) {
        println!("{}", serde_json::to_string_pretty(&text)?);
    } else {
        // Standard output may be the proof.
        eprintln!("win      {} wins within {} plies", start.to_move(), line.len());
        eprintln!("line     {}", show::line(&line));
        let seconds = watch.elapsed().as_secs_f64();
        eprintln!("cost     {} nodes, {seconds:.2} s", show::count(nodes));
    }
    Ok(())
}

/// The decisions of earlier runs, and where new ones go.
#[derive(Default)]
struct DecisionLog {
    known: Vec<Decision>,
    file: Option<LineLog>,
    failed: Option<LineLogError>,
}

impl DecisionLog {
    fn open(path: Option<&PathBuf>, position: &Position) -> Result<DecisionLog> {
        let Some(path) = path else { return Ok(DecisionLog::default()) };
        let (file, lines) = LineLog::open_text(path)?;
        let mut known = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            let decision = Decision::parse(line, position.rule(), position.size());
            let told = || format!("Line {} of {} is no decision", i + 1, path.display());
            known.push(decision.with_context(told)?);
        }
        Ok(DecisionLog { known, file: Some(file), failed: None })
    }

    fn append(&mut self, decision: &Decision) {
        let Some(file) = &mut self.file else { return };
        if let Err(error) = file.append_text(&decision.to_text()) {
            self.failed.get_or_insert(error);
        }
    }
}

/// A watch that stops when the time is up and says now and then how far the proof is.
struct Timed {
    watch: Stopwatch,
    time: Option<Duration>,
    /// Decisions found in this run.
    decisions: AtomicU64,
    /// Replies of a guided search with and without an answer.
    settled: AtomicU64,
    open: AtomicU64,
    /// When the line of progress is to be written next, in milliseconds; never if nobody looks.
    next_line: AtomicU64,
}

/// Milliseconds between lines of progress.
const LINE_MS: u64 = 1000;

impl Timed {
    /// Proofs that take longer than a moment tell their progress if standard error is a terminal.
    fn start(time: Option<Duration>) -> Timed {
        let shown = std::io::stderr().is_terminal();
        let next_line = AtomicU64::new(if shown { LINE_MS } else { u64::MAX });
        let [decisions, settled, open] = [const { AtomicU64::new(0) }; 3];
        Timed { watch: Stopwatch::start(), time, decisions, settled, open, next_line }
    }

    fn show_progress(&self, elapsed: Duration) {
        let now = elapsed.as_millis() as u64;
        let due = self.next_line.load(Ordering::Relaxed);
        let next = now + LINE_MS;
        let order = Ordering::Relaxed;
        if now < due || self.next_line.compare_exchange(due, next, order, order).is_err() {
            return;
        }
        let [decisions, settled, open] =
            [&self.decisions, &self.settled, &self.open].map(|number| number.load(order));
        let line = progress(elapsed, self.time, decisions, (settled, open));
        eprint!("\r\x1b[K{line}");
    }

    /// Takes the line of progress away.
    fn end_line(&self) {
        let due = self.next_line.swap(u64::MAX, Ordering::Relaxed);
        if (LINE_MS + 1..u64::MAX).contains(&due) {
            eprint!("\r\x1b[K");
        }
    }
}

/// How much of the time has passed, if there is an end to it, how many quiet moves were decided, and how
/// many replies have an answer, if they are counted.
fn progress(
    elapsed: Duration,
    limit: Option<Duration>,
    decisions: u64,
    (settled, open): (u64, u64),
) -> String {
    let seconds = elapsed.as_secs();
    let time = match limit {
        Some(limit) => {
            let (bar, total) = (show::bar(seconds, limit.as_secs()), limit.as_secs());
            format!("{bar} {seconds}/{total} s, {} s left", total.saturating_sub(seconds))
        }
        None => format!("{seconds} s"),
    };
    let rate = decisions as f64 / elapsed.as_secs_f64().max(1e-3);
    let replies = match settled + open {
        0 => String::new(),
        all => format!(", {settled} of {all} replies settled"),
    };
    match decisions {
        0 => format!("proving {time}{replies}"),
        _ => format!("proving {time}, {decisions} new decisions, {rate:.1}/s{replies}"),
    }
}

impl Watch for Timed {
    fn stopped(&self) -> bool {
        let elapsed = self.watch.elapsed();
        self.show_progress(elapsed);
        self.watch.stopped() || self.time.is_some_and(|time| elapsed >= time)
    }

    fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }
}

fn result(answer: &SolverAnswer) -> &'static str {
    match answer.finding {
        Finding::Win(_) => "win",
        Finding::NoWin => "no-win",
        Finding::Unknown => "unknown",
    }
}

fn print_json(
    args: &Args,
    position: &Position,
    answer: &SolverAnswer,
    time: Duration,
) -> Result<()> {
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

fn print_text(args: &Args, position: &Position, answer: &SolverAnswer, time: Duration) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_says_how_much_of_its_time_is_left() {
        let second = Duration::from_secs;
        let by_force = progress(second(15), Some(second(60)), 0, (0, 0));
        assert_eq!(by_force, "proving [#####...............] 15/60 s, 45 s left");
        let guided = progress(second(8), None, 20, (207, 15));
        assert_eq!(guided, "proving 8 s, 20 new decisions, 2.5/s, 207 of 222 replies settled");
    }
}
