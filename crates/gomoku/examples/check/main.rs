//! Compares fast answers with slow ones on many positions: `check forbidden [--positions N]
//! [--seed S]`.

mod forbidden;

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((positions, seed)) = read(&words) else {
        eprintln!("Expected: check forbidden [--positions N] [--seed S].");
        return ExitCode::from(2);
    };
    match forbidden::compare_detectors(positions, seed) {
        Ok(compared) => {
            println!("{compared}: no difference");
            ExitCode::SUCCESS
        }
        Err(difference) => {
            eprintln!("{difference}");
            ExitCode::FAILURE
        }
    }
}

/// How many positions, and the seed.
fn read(words: &[String]) -> Option<(u64, u64)> {
    let (first, options) = words.split_first()?;
    if first != "forbidden" || !options.len().is_multiple_of(2) {
        return None;
    }
    let (mut positions, mut seed) = (1_000_000, 1);
    for pair in options.chunks(2) {
        let number = pair[1].parse().ok()?;
        match pair[0].as_str() {
            "--positions" => positions = number,
            "--seed" => seed = number,
            _ => return None,
        }
    }
    Some((positions, seed))
}
