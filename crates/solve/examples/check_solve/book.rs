//! Proves the openings of the book again, decision by decision, and hands the proofs to `verify`
//! while they are written: nothing of them is kept.

use std::{
    io::{self, BufWriter},
    ops::ControlFlow,
    sync::atomic::{AtomicUsize, Ordering},
    thread::available_parallelism,
    time::{Duration, Instant},
};

use gomoku::{Point, Position, Rule};
use player::Unwatched;
use solve::{Decision, ProvedBook, ProvedOpening, Prover, book_efforts};
use verify::{CheckedProof, Manner};

const MEGABYTES: usize = 128;
/// A board holds no longer line.
const MOST_PLIES: u32 = 225;

/// What proving one opening came to.
struct Proved {
    verdict: CheckedProof,
    decisions: usize,
    nodes: u64,
    time: Duration,
}

/// Proves and verifies the openings whose second moves are named, or all, one on each core.
pub(crate) fn run(names: &[&str]) -> Result<(), String> {
    let book = ProvedBook::shipped();
    let is_asked = |opening: &&ProvedOpening| {
        names.is_empty() || opening.moves.last().is_some_and(|p| names.contains(&&*p.to_string()))
    };
    let asked: Vec<&ProvedOpening> = book.openings.iter().filter(is_asked).collect();
    let (next, n_failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let start = Instant::now();
    let work = || {
        while let Some(opening) = asked.get(next.fetch_add(1, Ordering::Relaxed)) {
            let moves: Vec<String> = opening.moves.iter().map(ToString::to_string).collect();
            let name = format!("{} {}", moves.join(" "), opening.point);
            match prove(&book, opening) {
                Ok(Proved { verdict, decisions, nodes, time }) => println!(
                    "{name}: {decisions} decisions, {nodes} nodes, {:.0} s; verified, {} plies at \
                     most of {}, {} bytes, digest {}",
                    time.as_secs_f64(),
                    verdict.counts.longest,
                    opening.plies,
                    verdict.bytes,
                    verdict.digest_text()
                ),
                Err(error) => {
                    n_failed.fetch_add(1, Ordering::Relaxed);
                    println!("{name}: {error}");
                }
            }
        }
    };
    let n_cores = available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..n_cores).for_each(|_| drop(scope.spawn(work))));
    println!("{} openings, {:.0} s in all", asked.len(), start.elapsed().as_secs_f64());
    match n_failed.into_inner() {
        0 => Ok(()),
        n => Err(format!("{n} openings were not verified.")),
    }
}

/// Proves an opening by its decisions and writes the proof: the longest line if they are enough, and
/// the nodes.
fn write(
    book: &ProvedBook,
    opening: &ProvedOpening,
    mut out: impl io::Write,
) -> io::Result<(Option<Vec<Point>>, u64)> {
    let mut prover = Prover::new(MEGABYTES);
    opening.decisions(book).iter().for_each(|decision| prover.remember(decision));
    let (point, claim, efforts) = (opening.point, opening.plies, book_efforts());
    let line =
        prover.stream_move(&opening.start(book), point, &efforts, claim, &Unwatched, &mut out)?;
    Ok((line, prover.nodes()))
}

/// The prover writes into a pipe that the verifier reads.
fn prove(book: &ProvedBook, opening: &ProvedOpening) -> Result<Proved, String> {
    let told = |error: io::Error| error.to_string();
    let start = Instant::now();
    let (reader, writer) = io::pipe().map_err(told)?;
    let (verdict, proved) = std::thread::scope(|scope| {
        let proving = scope.spawn(|| write(book, opening, BufWriter::new(writer)));
        let mut go_on = |_: &verify::Counts| ControlFlow::Continue(());
        let verdict = verify::check_stream(reader, Manner::Quick, &mut go_on);
        (verdict, proving.join().expect("the prover does not panic"))
    });
    let (line, nodes) = match proved {
        Ok((Some(line), nodes)) => (line, nodes),
        Ok((None, _)) => return Err("the book's decisions are not enough".to_owned()),
        Err(error) => match verdict {
            Err(fault) => return Err(format!("not accepted: {fault}")),
            Ok(_) => return Err(error.to_string()),
        },
    };
    let verdict =
        verdict.map_err(|fault| format!("{fault} The longest line has {} plies.", line.len()))?;
    let decisions = opening.decisions(book).len();
    Ok(Proved { verdict, decisions, nodes, time: start.elapsed() })
}

/// Prints the line of the book for an opening whose decisions are in a log, after proving it by
/// them: the plies it takes depend on which forced wins the solver finds.
pub(crate) fn collect(moves: &str, point: &str, log: &str) -> Result<(), String> {
    let start = Position::parse(moves, Rule::Freestyle, 15).map_err(|error| error.to_string())?;
    let text = std::fs::read_to_string(log).map_err(|error| format!("{log}: {error}"))?;
    let parse = |line: &str| Decision::parse(line, Rule::Freestyle, 15);
    let decisions: Result<Vec<Decision>, _> = text.lines().map(parse).collect();
    let decisions = decisions.map_err(|error| error.to_string())?;
    let point = point.parse().map_err(|_| format!("'{point}' is no point."))?;
    let opening = ProvedOpening::collect(&start, point, MOST_PLIES, &decisions);
    let mut book = ProvedBook { rule: Rule::Freestyle, size: 15, openings: vec![opening] };
    let (line, _) = write(&book, &book.openings[0], io::sink()).map_err(|e| e.to_string())?;
    let line = line.ok_or("The decisions are not enough.")?;
    book.openings[0].plies = line.len() as u32;
    print!("{}", book.to_string().lines().nth(2).unwrap_or_default());
    println!();
    Ok(())
}
