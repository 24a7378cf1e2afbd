//! Small boards: known values found again by a search of everything, and the solver agreeing.

#[path = "../examples/check_solve/agree.rs"]
mod agree;
mod common;
#[path = "../examples/check_solve/exact.rs"]
mod exact;

use exact::{Exact, VALUES};

#[test]
fn known_values_are_found_again() {
    for (m, n, k, wins) in VALUES {
        let mut exact = Exact::new(m, n, k, u64::MAX);
        assert_eq!(exact.attacker_wins(0, 0), Some(wins), "{m}x{n}, {k} in a row");
    }
}

#[test]
fn the_solver_claims_no_win_that_is_none() {
    let [both, _, none] = agree::compare(150, 20_000).unwrap_or_else(|error| panic!("{error}"));
    assert!(both > 10 && none > 10, "{both} wins, {none} without");
}
