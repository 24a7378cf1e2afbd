//! Opening sets: reading, writing, halves, and the generator.

use std::collections::HashSet;

use book::{FairStarts, Half, OpeningSet, Recipe};
use gomoku::{Position, Rule};
use player::Score;

#[test]
fn sets_are_read_and_written() {
    let text = "# tiny renju 15\nh8h9i10\nh8i9j10\nh8h9j9\n";
    let set = OpeningSet::parse(text).unwrap();
    assert_eq!(set.to_text(), text);
    assert_eq!(set.position(1).to_text(), "h8i9j10");
    assert_eq!(set.half(Half::Tuning).openings.len(), 2);
    assert_eq!(set.half(Half::Validation).to_text(), "# tiny-validation renju 15\nh8i9j10\n");
}

#[test]
fn broken_sets_say_where() {
    let message = |text| OpeningSet::parse(text).unwrap_err().to_string();
    assert!(message("h8h9").starts_with("Line 1: expected"));
    assert_eq!(message("# a freestyle 15\nh8\nh8h8\n"), "Line 3: Column 3: h8 is occupied.");
    assert_eq!(
        message("# a freestyle 15\na1b1a2b2a3b3a4b4a5"),
        "Line 2: the game is over in this opening."
    );
}

#[test]
fn fair_starts_are_distinct_balanced_and_reproducible() {
    // A judge that any change of the stones moves up or down.
    let judge = |position: &Position| Some(Score::new((position.key() % 401) as i64 - 200));
    for rule in Rule::ALL {
        let recipe = Recipe { rule, size: 15, stones: (3, 6), balance: 50, seed: 7 };
        let starts: Vec<_> = FairStarts::new(recipe, judge).take(200).collect();
        let keys: HashSet<_> = starts.iter().map(|p| p.board().canonical().0.key()).collect();
        assert_eq!(keys.len(), 200);
        assert!(starts.iter().all(|p| judge(p).unwrap().value().abs() <= 50));
        assert!(starts.iter().all(|p| (3..=6).contains(&p.moves().len())));
        let again: Vec<_> = FairStarts::new(recipe, judge).take(200).collect();
        assert_eq!(starts, again);
        let mut more = FairStarts::new(recipe, judge);
        more.exclude(&starts);
        assert!(more.take(50).all(|p| !starts.contains(&p)));
    }
}
