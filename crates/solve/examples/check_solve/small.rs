//! Small boards solved by looking at everything, and the solver held against that.

use player::Watch;

use crate::{
    Clock,
    agree::compare,
    exact::{Exact, VALUES},
};

/// All known values, then many positions.
pub(crate) fn run() -> Result<(), String> {
    for (m, n, k, wins) in VALUES {
        let clock = Clock::start();
        let mut exact = Exact::new(m, n, k, u64::MAX);
        let found = exact.attacker_wins(0, 0);
        let value = if wins { "first player wins" } else { "draw" };
        let turns = u64::MAX - exact.left;
        let time = clock.elapsed();
        println!("{m}x{n}, {k} in a row: {value} ({turns} turns, {time:.2?})");
        if found != Some(wins) {
            return Err(format!("{m}x{n}, {k} in a row was found otherwise"));
        }
    }
    let [both, quiet, none] = compare(3_000, 1_000_000)?;
    println!("5x5 to 7x7: {both} forced wins of both, {quiet} wins by quiet moves, {none} without");
    Ok(())
}
