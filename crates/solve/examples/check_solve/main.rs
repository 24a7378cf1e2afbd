//! Checks of the solver that take longer than tests may.
//!
//! ```text
//! check solve [--positions N] [--seed S]   no claimed win on random positions is rejected
//! check suite [--again] [FILE]             the problems: right, in time, every win verified
//! check times [RULE [N]]                   how long the wins of the suite take, one by one
//! check collect GAME MOVES MOVE LOG        the line of a book for the decisions of a log, where GAME
//!                                          is the second line of the book: 'freestyle 15 128'
//! check small                              small boards against a search of everything
//! check gather RULE|RULE=GAMES...          makes such a file, without asking the solver
//! ```

mod agree;
mod book;
#[path = "../../tests/common/mod.rs"]
mod common;
mod exact;
mod gather;
mod plain;
mod problem;
mod random;
mod small;
mod suite;
mod times;

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use player::Watch;

const USAGE: &str = "Expected: check solve [--positions N] [--seed S], check suite [--again] \
                     [FILE], check times [RULE [N]], \
                     check collect GAME MOVES MOVE LOG, check small, or check gather RULE|RULE=GAMES...";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["solve", options @ ..] => random::run(options),
        ["suite", options @ ..] => suite::run(options),
        ["times", options @ ..] => times::run(options),
        ["collect", game, moves, point, log] => book::collect(game, moves, point, log),
        ["small"] => small::run(),
        ["gather", games @ ..] => gather::run(games),
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

/// A clock that counts the time this thread was running, where the system tells, so that figures
/// mean something on a busy machine. The system counts in ticks: what takes less than a few is
/// measured by the wall clock.
struct Clock {
    started: Instant,
    ran_before: Option<Duration>,
}

impl Clock {
    fn start() -> Clock {
        Clock { started: Instant::now(), ran_before: time_ran() }
    }
}

/// Times below this are not told apart by the system's count.
const TICKS: Duration = Duration::from_millis(8);

fn time_ran() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

impl Watch for Clock {
    fn stopped(&self) -> bool {
        false
    }

    fn elapsed(&self) -> Duration {
        let wall = self.started.elapsed();
        let ran = time_ran().zip(self.ran_before).map(|(now, before)| now - before);
        ran.map_or(wall, |ran| wall.min(ran.max(TICKS)))
    }
}
