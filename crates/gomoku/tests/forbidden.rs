//! The fast detector of forbidden points against the slow one, on a few positions; `cargo xtask check
//! forbidden` compares many.

#[path = "../examples/check/forbidden.rs"]
mod forbidden;

#[test]
fn the_fast_detector_agrees_with_the_slow_one() {
    let compared = forbidden::compare_detectors(1500, 1).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(compared.positions, 1500);
    // The positions must be worth comparing: every case of the rule occurs often.
    assert!(compared.overlines > 500, "{compared}");
    assert!(compared.double_fours > 500, "{compared}");
    assert!(compared.double_threes > 500, "{compared}");
    assert!(compared.false_threes > 50, "{compared}");
}
