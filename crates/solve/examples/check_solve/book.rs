//! Proves the openings of the book again, decision by decision, and hands the proofs to `verify`
//! while they are written: nothing of them is kept.

use std::{
    io::BufWriter,
    ops::ControlFlow,
    time::{Duration, Instant},
};

use gomoku::{Field, Freestyle, Position, Rule};
use player::Unwatched;
use solve::{Book, Decision, Opening, Prover, book_efforts};
use verify::{Manner, Verdict};

const MEGABYTES: usize = 128;

/// What proving one opening came to.
struct Proved {
    verdict: Verdict,
    decisions: usize,
    nodes: u64,
    time: Duration,
}

/// Proves and verifies the openings whose second moves are named, or all.
pub(crate) fn run(names: &[&str]) -> Result<(), String> {
    let book = Book::far();
    let is_asked = |opening: &&Opening| {
        names.is_empty() || opening.moves.last().is_some_and(|p| names.contains(&&*p.to_string()))
    };
    let mut failed = 0;
    let mut total = Duration::ZERO;
    for opening in book.openings.iter().filter(is_asked) {
        let moves: Vec<String> = opening.moves.iter().map(ToString::to_string).collect();
        let name = format!("{} {}", moves.join(" "), opening.point);
        match prove(&book, opening) {
            Ok(Proved { verdict, decisions, nodes, time }) => {
                total += time;
                println!(
                    "{name}: {decisions} decisions, {nodes} nodes, {:.0} s; verified, {} plies at most of {}, {} bytes, digest {}",
                    time.as_secs_f64(),
                    verdict.counts.longest,
                    opening.plies,
                    verdict.bytes,
                    verdict.digest_text()
                );
            }
            Err(error) => {
                failed += 1;
                println!("{name}: {error}");
            }
        }
    }
    println!("{:.0} s in all", total.as_secs_f64());
    if failed == 0 { Ok(()) } else { Err(format!("{failed} openings were not verified.")) }
}

/// The prover writes into a pipe that the verifier reads.
fn prove(book: &Book, opening: &Opening) -> Result<Proved, String> {
    let told = |error: std::io::Error| error.to_string();
    let start = Instant::now();
    let (reader, writer) = std::io::pipe().map_err(told)?;
    let decisions = opening.decisions(book);
    let (verdict, proved) = std::thread::scope(|scope| {
        let proving = scope.spawn(|| {
            let mut out = BufWriter::new(writer);
            let mut field = Field::<Freestyle>::from_position(&opening.start(book));
            let mut prover = Prover::<Freestyle>::new(MEGABYTES);
            decisions.iter().for_each(|decision| prover.remember(decision));
            let (point, claim) = (opening.point, opening.plies);
            let efforts = book_efforts();
            let line = prover.stream_move(&mut field, point, &efforts, claim, &Unwatched, &mut out);
            line.map(|line| (line, prover.nodes()))
        });
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
    Ok(Proved { verdict, decisions: decisions.len(), nodes, time: start.elapsed() })
}

/// Prints the line of the book for an opening whose decisions are in a log.
pub(crate) fn collect(moves: &str, point: &str, plies: &str, log: &str) -> Result<(), String> {
    let start = Position::parse(moves, Rule::Freestyle, 15).map_err(|error| error.to_string())?;
    let text = std::fs::read_to_string(log).map_err(|error| format!("{log}: {error}"))?;
    let parse = |line: &str| Decision::parse(line, Rule::Freestyle, 15);
    let decisions: Result<Vec<Decision>, _> = text.lines().map(parse).collect();
    let decisions = decisions.map_err(|error| error.to_string())?;
    let point = point.parse().map_err(|_| format!("'{point}' is no point."))?;
    let plies = plies.parse().map_err(|_| format!("'{plies}' is no number."))?;
    let opening = Opening::collect(&start, point, plies, &decisions);
    let book = Book { rule: Rule::Freestyle, size: 15, openings: vec![opening] };
    print!("{}", book.to_string().lines().nth(2).unwrap_or_default());
    println!();
    Ok(())
}
