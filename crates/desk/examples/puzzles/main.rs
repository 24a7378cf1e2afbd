//! The puzzles of `data/puzzles.txt`: made from games, verified, and tried by the engine.
//!
//! ```text
//! puzzles mine FILE...     prints puzzles from games, a line each as `tengen selfplay` writes them
//! puzzles verify [N]       verifies every one, or every Nth
//! puzzles levels [N]       which levels of the engine find the first move of every Nth
//! ```

mod levels;
mod mine;

use std::process::ExitCode;

use desk::puzzles::puzzles;

const USAGE: &str = "Expected: mine FILE..., verify [N], or levels [N].";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["mine", files @ ..] if !files.is_empty() => mine::run(files),
        [] | ["verify"] => verify(1),
        ["verify", every] => number(every).and_then(verify),
        ["levels"] => levels::run(1),
        ["levels", every] => number(every).and_then(levels::run),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn number(word: &str) -> Result<usize, String> {
    word.parse().ok().filter(|&n| n > 0).ok_or_else(|| format!("'{word}' is no number. {USAGE}"))
}

fn verify(every: usize) -> Result<(), String> {
    let mut count = 0;
    for puzzle in puzzles().step_by(every) {
        puzzle.verify()?;
        count += 1;
    }
    println!("{count} puzzles, all of them right, every win and every loss verified");
    Ok(())
}
