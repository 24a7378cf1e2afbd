//! Makes the line of a book from the log of a proof.

use std::io;

use gomoku::{Position, Rule};
use player::Unwatched;
use solve::{Decision, ProvedBook, ProvedOpening};

/// A board holds no longer line.
const MOST_PLIES: u32 = 484;

/// Prints the line of the book for an opening whose decisions are in a log, after proving it by
/// them: the plies it takes depend on which forced wins the solver finds with this memory.
pub(crate) fn collect(game: &str, moves: &str, point: &str, log: &str) -> Result<(), String> {
    let mut book: ProvedBook = format!("tengen proved book 2\n{game}\n")
        .parse()
        .map_err(|_| format!("'{game}' is no rule, board size and megabytes."))?;
    let (rule, size): (Rule, u8) = (book.rule, book.size);
    let start = Position::parse(moves, rule, size).map_err(|error| error.to_string())?;
    let text = std::fs::read_to_string(log).map_err(|error| format!("{log}: {error}"))?;
    let decisions: Result<Vec<Decision>, _> =
        text.lines().map(|line| Decision::parse(line, rule, size)).collect();
    let decisions = decisions.map_err(|error| error.to_string())?;
    let point = point.parse().map_err(|_| format!("'{point}' is no point."))?;
    let opening = ProvedOpening::collect(&start, point, MOST_PLIES, &decisions);
    book.openings = vec![opening];
    let proved = book.openings[0].prove(&book, &Unwatched, &mut io::sink());
    let proved = proved.map_err(|error| error.to_string())?;
    let proved = proved.ok_or("The decisions are not enough.")?;
    book.openings[0].plies = proved.line.len() as u32;
    println!("{}", book.to_string().lines().nth(2).unwrap_or_default());
    Ok(())
}
