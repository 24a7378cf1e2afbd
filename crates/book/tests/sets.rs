//! Opening sets: reading, writing, halves, and the generator.

use std::collections::{BTreeMap, HashSet};

use book::{Half, Judge, OpeningSet, Recipe, fill, shipped, shipped_for, shipped_named};
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

/// A judge that any change of the stones moves up or down.
fn any_judge<'a>() -> Judge<'a> {
    Box::new(|position| Some(Score::new((position.key() % 401) as i64 - 200)))
}

fn starts(recipe: &Recipe, count: usize, judges: usize) -> Vec<(Position, Score)> {
    let judges = (0..judges).map(|_| any_judge()).collect();
    fill::<()>(recipe, count, &BTreeMap::new(), judges, &mut |_| Ok(())).unwrap()
}

#[test]
fn fair_starts_are_distinct_balanced_and_reproducible() {
    for rule in Rule::ALL {
        let recipe = Recipe { rule, size: 15, stones: (3, 6), even: -20, balance: 50, seed: 7 };
        let found = starts(&recipe, 200, 1);
        let keys: HashSet<_> = found.iter().map(|(p, _)| p.board().canonical().0.key()).collect();
        assert_eq!(keys.len(), 200);
        assert!(found.iter().all(|(_, score)| (-70..=30).contains(&score.value())));
        assert!(found.iter().all(|(p, _)| (3..=6).contains(&p.moves().len())));
        assert_eq!(found, starts(&recipe, 200, 1));
        assert_eq!(found, starts(&recipe, 200, 3), "however many judges there are");
    }
}

#[test]
fn a_run_that_was_cut_short_gives_the_same_set_and_judges_nothing_twice() {
    let (rule, stones) = (Rule::Freestyle, (3, 6));
    let recipe = Recipe { rule, size: 15, stones, even: 0, balance: 50, seed: 1 };
    let whole = starts(&recipe, 100, 1);
    let mut known = BTreeMap::new();
    // The log fails after fifty verdicts, as when the program is killed.
    let cut =
        fill(&recipe, 100, &BTreeMap::new(), vec![any_judge(), any_judge()], &mut |verdict| {
            known.insert(verdict.number, verdict.value);
            if known.len() < 50 { Ok(()) } else { Err("killed") }
        });
    assert_eq!(cut, Err("killed"));
    let mut new = 0;
    let resumed = fill::<()>(&recipe, 100, &known, vec![any_judge()], &mut |verdict| {
        assert!(!known.contains_key(&verdict.number));
        new += 1;
        Ok(())
    });
    assert_eq!(resumed.unwrap(), whole);
    assert!(new > 0);
}

#[test]
fn shipped_sets_are_large_distinct_undecided_and_their_halves_never_mix() {
    for set in shipped() {
        let wanted = match set.name.as_str() {
            "freestyle-15" | "standard-15" => 4_000,
            "caro-exact-15" => 400,
            _ => 1_000,
        };
        assert!(set.openings.len() >= wanted, "{} has {}", set.name, set.openings.len());
        let key = |set: &OpeningSet, n| set.position(n).board().canonical().0.key();
        let keys = |set: &OpeningSet| -> HashSet<u64> {
            (0..set.openings.len()).map(|n| key(set, n)).collect()
        };
        let all = keys(&set);
        assert_eq!(all.len(), set.openings.len(), "{} has two that are alike", set.name);
        let (tuning, validation) = (set.half(Half::Tuning), set.half(Half::Validation));
        assert!(keys(&tuning).is_disjoint(&keys(&validation)));
        assert_eq!(tuning.openings.len() + validation.openings.len(), all.len());
        assert_eq!(shipped_named(&tuning.name), Some(tuning));
        assert_eq!(shipped_for(set.rule, set.size), Some(set));
    }
}
