//! `tengen verify --solved`: every opening of a book is proved again from its decisions, and the
//! explicit proof goes to the checker while it is written. Nothing of it is kept but its digest.

use std::{
    io::{self, BufWriter, IsTerminal as _},
    ops::ControlFlow,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use gomoku::{Color, Point, Position};
use player::Unwatched;
use serde_json::{Value, json};
use solve::{ProvedBook, ProvedOpening};
use verify::{CheckedProof, Manner};

use super::Args;
use crate::{
    cmd::solved::{book_named, named, second},
    show::{self, outln},
};

/// An opening that was proved again and accepted by the checker.
struct Verified<'b> {
    opening: &'b ProvedOpening,
    verdict: CheckedProof,
    nodes: u64,
    time: Duration,
}

pub(super) fn run(args: &Args, name: &str) -> Result<()> {
    let book = read_book(name)?;
    let asked = asked(&book, &args.only)?;
    let progress = Progress::start(asked.len());
    if !args.json {
        outln!("{}, {} MB for each of {} threads", named(&book), book.memory, args.jobs);
    }
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let work = || {
        while let Some(opening) = asked.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = check(&book, opening, args.manner(), &progress);
            progress.end_line();
            if !args.json {
                outln!("{}", line(opening, &result));
            }
            progress.done.fetch_add(1, Ordering::Relaxed);
            results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
        }
    };
    std::thread::scope(|scope| (0..args.jobs).for_each(|_| drop(scope.spawn(work))));
    progress.end_line();
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let verified: Vec<&Verified> = results.iter().flatten().collect();
    let digest = digest_of_all(&book, &verified);
    if args.json {
        let document = document(&book, &verified, digest.as_deref(), progress.start.elapsed());
        outln!("{}", serde_json::to_string_pretty(&document)?);
    } else {
        print_end(&book, &verified, digest.as_deref(), progress.start.elapsed());
    }
    match asked.len() - verified.len() {
        0 if book.digest().is_some_and(|own| digest.is_some_and(|found| found != own)) => {
            bail!("The digest of all is not the one that the book says.")
        }
        0 => Ok(()),
        n => bail!("{n} of {} openings were not verified.", asked.len()),
    }
}

/// A built-in book by its name, or one in a file.
fn read_book(name: &str) -> Result<ProvedBook> {
    if !Path::new(name).is_file() {
        return book_named(name).cloned();
    }
    let text = std::fs::read_to_string(name).with_context(|| format!("Cannot read {name}"))?;
    text.parse().with_context(|| format!("Cannot read {name}"))
}

/// The openings with these second moves or their images; all if none is named.
fn asked<'b>(book: &'b ProvedBook, only: &[Point]) -> Result<Vec<&'b ProvedOpening>> {
    if only.is_empty() {
        return Ok(book.openings.iter().collect());
    }
    let find = |&second: &Point| {
        let moves = [Point::center(book.size), second];
        let start = Position::from_moves(book.rule, book.size, &moves);
        let opening = start.ok().and_then(|start| book.opening(&start));
        opening.with_context(|| format!("The book has no opening with the second move {second}."))
    };
    only.iter().map(find).collect()
}

/// The prover writes into a pipe that the checker reads.
fn check<'b>(
    book: &ProvedBook,
    opening: &'b ProvedOpening,
    manner: Manner,
    progress: &Progress,
) -> Result<Verified<'b>> {
    let start = Instant::now();
    let (reader, writer) = io::pipe().context("Cannot make a pipe")?;
    let (verdict, proved) = std::thread::scope(|scope| {
        let mut out = BufWriter::new(writer);
        let proving = scope.spawn(move || opening.prove(book, &Unwatched, &mut out));
        let mut before = 0;
        let mut watch = |counts: &verify::Counts| {
            progress.count(counts.replies - before);
            before = counts.replies;
            ControlFlow::Continue(())
        };
        let verdict = verify::check_stream(reader, manner, &mut watch);
        (verdict, proving.join().expect("the prover does not panic"))
    });
    let proved = match (proved, &verdict) {
        (Ok(Some(proved)), _) => proved,
        (Ok(None), _) => bail!("The book's decisions do not suffice."),
        // A proof that is refused is not read to its end.
        (Err(_), Err(fault)) => bail!("Not accepted: {fault}"),
        (Err(error), Ok(_)) => return Err(error.into()),
    };
    let longest = proved.line.len();
    let verdict =
        verdict.with_context(|| format!("Not accepted; the longest line has {longest} plies"))?;
    if !is_about(&verdict, book, opening) {
        bail!("The proof is about something else.");
    }
    if opening.digest.as_ref().is_some_and(|digest| *digest != verdict.digest_text()) {
        bail!("Accepted, but its digest {} is not the one in the book.", verdict.digest_text());
    }
    Ok(Verified { opening, verdict, nodes: proved.nodes, time: start.elapsed() })
}

/// Whether a proof says what the book says: this move wins here within so many plies.
fn is_about(verdict: &CheckedProof, book: &ProvedBook, opening: &ProvedOpening) -> bool {
    let verify::WinClaim { rule, size, black, white, to_move, attacker, plies } = &verdict.claim;
    let start = opening.start(book);
    let side = start.to_move();
    let same_stones = |points: &[verify::Point], color: Color| {
        let stones = start.board().stones(color);
        points.iter().map(ToString::to_string).eq(stones.iter().map(|point| point.to_string()))
    };
    let same_side =
        |color: &verify::Color| (*color == verify::Color::Black) == (side == Color::Black);
    rule.to_string() == book.rule.name()
        && *size == usize::from(book.size)
        && same_stones(black, Color::Black)
        && same_stones(white, Color::White)
        && same_side(to_move)
        && same_side(attacker)
        && *plies == opening.plies as usize
        && verdict.first.map(|point| point.to_string()) == Some(opening.point.to_string())
}

fn line(opening: &ProvedOpening, result: &Result<Verified>) -> String {
    let name = opening.name();
    match result {
        Err(error) => format!("{name:<11} FAILED: {error:#}"),
        Ok(Verified { verdict, nodes, time, .. }) => format!(
            "{name:<11} verified, {} plies, {} bytes, {} nodes, {:.0} s, digest {}{}",
            verdict.counts.longest,
            verdict.bytes,
            show::count(*nodes),
            time.as_secs_f64(),
            verdict.digest_text(),
            if opening.digest.is_some() { " as in the book" } else { "" }
        ),
    }
}

/// One digest for all proofs of a book, if all have been verified.
fn digest_of_all(book: &ProvedBook, verified: &[&Verified]) -> Option<String> {
    let mut found = book.clone();
    for opening in &mut found.openings {
        let own = verified.iter().find(|one| one.opening.moves == opening.moves)?;
        opening.digest = Some(own.verdict.digest_text());
    }
    found.digest()
}

fn print_end(book: &ProvedBook, verified: &[&Verified], digest: Option<&str>, time: Duration) {
    let (all, open) = (book.second_moves().len(), book.open());
    let n = n_second_moves(book, verified);
    outln!("\n{n} of {all} second moves verified; open: {}", or_none(&open));
    if let Some(longest) = verified.iter().max_by_key(|one| one.verdict.counts.longest) {
        let plies = longest.verdict.counts.longest;
        outln!("longest win          {plies} plies after {}", second(longest.opening));
    }
    let replies: u64 = verified.iter().map(|one| one.verdict.counts.replies).sum();
    outln!("replies checked      {}", show::count(replies));
    if let Some(digest) = digest {
        let said = if book.digest().as_deref() == Some(digest) { " as in the book" } else { "" };
        outln!("digest of all        {digest}{said}");
    }
    outln!("time                 {:.0} s", time.as_secs_f64());
}

/// How many of White's second moves have been verified.
fn n_second_moves(book: &ProvedBook, verified: &[&Verified]) -> usize {
    let is_verified = |opening: &ProvedOpening| verified.iter().any(|one| one.opening == opening);
    book.second_moves().into_iter().filter(|(_, one)| one.is_some_and(is_verified)).count()
}

fn or_none(points: &[Point]) -> String {
    if points.is_empty() { "none".to_owned() } else { show::line(points) }
}

fn document(
    book: &ProvedBook,
    verified: &[&Verified],
    digest: Option<&str>,
    time: Duration,
) -> Value {
    let openings = verified.iter().map(|Verified { opening, verdict, nodes, time }| {
        json!({
            "second": second(opening), "move": opening.point.to_string(),
            "plies": verdict.counts.longest, "replies": verdict.counts.replies,
            "bytes": verdict.bytes, "digest": verdict.digest_text(), "nodes": nodes,
            "time_ms": time.as_secs_f64() * 1e3,
        })
    });
    json!({
        "rule": book.rule.name(), "size": book.size, "memory": book.memory,
        "second_moves": book.second_moves().len(), "verified": n_second_moves(book, verified),
        "open": book.open().iter().map(Point::to_string).collect::<Vec<_>>(),
        "openings": openings.collect::<Vec<_>>(), "digest": digest,
        "is_digest_of_book": digest.is_some() && digest == book.digest().as_deref(),
        "time_ms": time.as_secs_f64() * 1e3,
    })
}

/// How far the check is, told once a second if somebody watches.
struct Progress {
    start: Instant,
    total: usize,
    done: AtomicUsize,
    replies: AtomicU64,
    /// Seconds after the start at which the next line is due; never if nobody looks.
    due: AtomicU64,
}

impl Progress {
    fn start(total: usize) -> Progress {
        let due = if io::stderr().is_terminal() { 1 } else { u64::MAX };
        Progress {
            start: Instant::now(),
            total,
            done: AtomicUsize::new(0),
            replies: AtomicU64::new(0),
            due: AtomicU64::new(due),
        }
    }

    fn count(&self, replies: u64) {
        let replies = replies + self.replies.fetch_add(replies, Ordering::Relaxed);
        let (now, due) = (self.start.elapsed().as_secs(), self.due.load(Ordering::Relaxed));
        let order = Ordering::Relaxed;
        if now >= due && self.due.compare_exchange(due, now + 1, order, order).is_ok() {
            let (done, total) = (self.done.load(order) as u64, self.total as u64);
            let bar = show::bar(done, total);
            let replies = show::count(replies);
            eprint!("\r\x1b[K{bar} {done}/{total} openings, {replies} replies checked, {now} s");
        }
    }

    /// Takes the line of progress away.
    fn end_line(&self) {
        if self.due.load(Ordering::Relaxed) != u64::MAX {
            eprint!("\r\x1b[K");
        }
    }
}
