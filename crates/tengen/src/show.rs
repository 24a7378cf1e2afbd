//! How positions, scores and choices are printed, for people and as JSON.

use gomoku::{Color, Point, Position};
use player::{Candidate, Choice};
use serde_json::{Value, json};

/// The board with the last move marked, side to move below.
pub(crate) fn board(position: &Position) -> String {
    let size = position.size();
    let mut text = String::new();
    for row in (0..size).rev() {
        text += &format!("{:>3} ", row + 1);
        for col in 0..size {
            let point = Point::new(col, row);
            let stone = match position.board().get(point) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None if position.forbidden(point).is_some() => '!',
                None => '.',
            };
            let is_last = position.last_move() == Some(point);
            text += &if is_last { format!("({stone})") } else { format!(" {stone} ") };
        }
        text += "\n";
    }
    text += "    ";
    for col in 0..size {
        text += &format!(" {} ", (b'a' + col) as char);
    }
    text
}

/// Moves separated by spaces.
pub(crate) fn line(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

/// A count with thousands humanised: 1234567 as 1.23M.
pub(crate) fn count(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{:.1}k", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2}M", n as f64 / 1e6),
        _ => format!("{:.2}G", n as f64 / 1e9),
    }
}

/// A candidate as JSON; `#n` is only ever written for a proof.
pub(crate) fn candidate_json(candidate: &Candidate) -> Value {
    json!({
        "move": candidate.point.to_string(),
        "probability": candidate.probability,
        "score": candidate.score.map(|score| score.to_string()),
        "value": candidate.score.filter(|score| !score.is_decisive()).map(|score| score.value()),
        "depth": candidate.depth,
        "nodes": candidate.nodes,
        "line": candidate.line.iter().map(Point::to_string).collect::<Vec<_>>(),
    })
}

/// A choice as JSON.
pub(crate) fn choice_json(choice: &Choice) -> Value {
    json!({
        "move": choice.point().map(|point| point.to_string()),
        "score": choice.score.map(|score| score.to_string()),
        "proved_in": choice.proof.as_ref().map(|proof| proof.plies),
        "reason": choice.reason.to_string(),
        "depth": choice.depth,
        "nodes": choice.counters.nodes,
        "evaluations": choice.counters.evaluations,
        "cutoffs": choice.counters.cutoffs,
        "time_ms": choice.counters.time.as_secs_f64() * 1e3,
        "candidates": choice.candidates.iter().map(candidate_json).collect::<Vec<_>>(),
    })
}

/// Writes to standard output. A reader such as `head` may close it early: then there is nobody left
/// to work for, and the program ends quietly.
pub(crate) fn write(text: std::fmt::Arguments<'_>) {
    use std::io::Write;
    if let Err(error) = std::io::stdout().lock().write_fmt(text) {
        std::process::exit(if error.kind() == std::io::ErrorKind::BrokenPipe { 0 } else { 1 });
    }
}

/// `println!` for commands; see [`write`].
macro_rules! outln {
    () => { $crate::show::write(format_args!("\n")) };
    ($($arg:tt)*) => { $crate::show::write(format_args!("{}\n", format_args!($($arg)*))) };
}
pub(crate) use outln;
