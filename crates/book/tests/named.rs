//! The 26 named openings under every rule, and Liao's 57.

use std::collections::HashSet;

use book::{LIAO_COUNT, Language, liao, liao_text, local_name};
use gomoku::{
    Position, Rule, Symmetry,
    opening::{NamedOpening, name_of},
};

#[test]
fn all_26_are_recognized_in_every_symmetry_and_order_under_every_rule() {
    for rule in Rule::ALL {
        for opening in &NamedOpening::ALL {
            let [first, white, third] = opening.stones(15);
            for symmetry in Symmetry::all() {
                let image = |point| symmetry.apply(point, 15);
                for order in [[first, white, third], [third, white, first]] {
                    let position = Position::from_moves(rule, 15, &order.map(image)).unwrap();
                    assert_eq!(name_of(&position), Some(opening), "{rule} {position:?}");
                }
            }
        }
    }
}

#[test]
fn every_language_has_26_different_names() {
    for language in Language::ALL {
        let names: HashSet<_> =
            NamedOpening::ALL.iter().map(|opening| local_name(opening, language)).collect();
        assert_eq!(names.len(), 26, "{}", language.code());
    }
    assert_eq!(local_name(NamedOpening::find("D4").unwrap(), Language::Japanese), "花月");
}

#[test]
fn the_57_are_distinct_legal_and_continue_the_26() {
    let all = liao();
    assert_eq!(all.len(), LIAO_COUNT);
    let keys: HashSet<_> =
        all.iter().map(|opening| opening.position().board().canonical().0.key()).collect();
    assert_eq!(keys.len(), LIAO_COUNT);
    assert_eq!(all.iter().filter(|opening| opening.moves.len() == 3).count(), 26);
    for opening in &all {
        assert_eq!(opening.moves[..3], opening.named.stones(15), "{}", opening.name());
        assert!(opening.position().outcome().is_none());
    }
    assert_eq!(liao_text(&all), include_str!("../data/liao-57.txt"));
}
