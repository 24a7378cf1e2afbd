//! `tengen solved`: what is proved about whole games, and how to see it for yourself.

use anyhow::{Context, Result};
use clap::Subcommand;
use gomoku::Point;
use serde_json::{Value, json};
use solve::{ProvedBook, ProvedOpening};

use super::play;
use crate::show::{self, outln};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print every second move with Black's answer, the plies it takes at most, and its digest
    Show {
        /// The book: freestyle-15
        #[arg(default_value = "freestyle-15")]
        book: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Play White against the proof
    Play {
        /// The book: freestyle-15
        #[arg(default_value = "freestyle-15")]
        book: String,
    },
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.what {
        None => list(args.json),
        Some(What::Show { book, json }) => show_book(book_named(book)?, *json || args.json),
        Some(What::Play { book }) => {
            let book = book_named(book)?;
            if !book.open().is_empty() {
                outln!("After {} nothing is proved: there the engine thinks.", or(&book.open()));
            }
            play::run(&play::Args::against_engine(book.rule, book.size))
        }
    }
}

/// A built-in book.
pub(crate) fn book_named(name: &str) -> Result<&'static ProvedBook> {
    let books = ProvedBook::shipped();
    books.iter().find(|book| book.name() == name).with_context(|| {
        let names: Vec<String> = books.iter().map(ProvedBook::name).collect();
        format!("There is no book '{name}'; the built-in books are {}.", names.join(" and "))
    })
}

/// A game as people say it: `freestyle 15x15`.
pub(crate) fn named(book: &ProvedBook) -> String {
    let ProvedBook { rule, size, .. } = book;
    format!("{rule} {size}x{size}")
}

/// White's move in an opening.
pub(crate) fn second(opening: &ProvedOpening) -> String {
    opening.moves.last().map(Point::to_string).unwrap_or_default()
}

fn or(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" or ")
}

fn list(as_json: bool) -> Result<()> {
    let books = ProvedBook::shipped();
    if as_json {
        let all: Vec<Value> = books.iter().map(document).collect();
        outln!("{}", serde_json::to_string_pretty(&json!({ "books": all }))?);
        return Ok(());
    }
    for book in books {
        summary(book);
    }
    outln!("More: tengen solved show BOOK, tengen solved play BOOK, docs/solved.md");
    Ok(())
}

fn summary(book: &ProvedBook) {
    let (all, open) = (book.second_moves().len(), book.open());
    let proved = all - open.len();
    if open.is_empty() {
        outln!("{}: Black wins, whatever White plays", named(book));
    } else {
        outln!("{}: Black wins against {proved} of {all} second moves", named(book));
        outln!("  open         {}", show::line(&open));
    }
    if let Some(longest) = book.longest() {
        outln!("  longest win  {} plies after {}", longest.plies, second(longest));
    }
    let decisions: usize = book.openings.iter().map(|one| one.decisions(book).len()).sum();
    outln!("  book         {decisions} decisions in {} bytes", book.to_string().len());
    if let Some(digest) = book.digest() {
        outln!("  digest       {digest}");
    }
    outln!("  check        tengen verify --solved {}\n", book.name());
}

fn show_book(book: &ProvedBook, as_json: bool) -> Result<()> {
    if as_json {
        outln!("{}", serde_json::to_string_pretty(&document(book))?);
        return Ok(());
    }
    summary(book);
    outln!("White  Black  plies at most  decisions  digest of the proof");
    for (second, opening) in book.second_moves() {
        match opening {
            None => outln!("{:<5}  open", second.to_string()),
            Some(one) => outln!(
                "{:<5}  {:<5}  {:>13}  {:>9}  {}",
                second.to_string(),
                one.point.to_string(),
                one.plies,
                one.decisions(book).len(),
                one.digest.as_deref().unwrap_or("not verified")
            ),
        }
    }
    Ok(())
}

fn document(book: &ProvedBook) -> Value {
    let seconds = book.second_moves().into_iter().map(|(second, opening)| {
        json!({
            "second": second.to_string(), "proved": opening.is_some(),
            "move": opening.map(|one| one.point.to_string()),
            "plies": opening.map(|one| one.plies),
            "decisions": opening.map(|one| one.decisions(book).len()),
            "digest": opening.and_then(|one| one.digest.as_ref()),
        })
    });
    json!({
        "name": book.name(), "rule": book.rule.name(), "size": book.size, "memory": book.memory,
        "first": Point::center(book.size).to_string(),
        "open": book.open().iter().map(Point::to_string).collect::<Vec<_>>(),
        "plies": book.longest().map(|one| one.plies), "bytes": book.to_string().len(),
        "digest": book.digest(), "seconds": seconds.collect::<Vec<_>>(),
    })
}
