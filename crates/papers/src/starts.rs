//! Where the games of an experiment begin.

use std::collections::BTreeSet;

use arena::{
    OpeningList, Openings,
    seed::{self, SeedPart},
};
use gomoku::{Point, Position, Rule};
use player::SplitMix64;

use crate::experiment::{FirstStones, Start};

/// Side of the middle of the board in which random stones are set.
const MIDDLE: u8 = 7;

/// The openings of a start; `count` of them at least, where chance makes them.
pub(crate) fn openings(start: &Start, seed: &str, count: u64) -> Openings {
    let wants_shipped = start.openings == FirstStones::Balanced;
    match book::shipped_for(start.rule, start.size).filter(|_| wants_shipped) {
        Some(set) => Openings { symmetries: true, repeat: true, ..Openings::from_set(&set) },
        None => random(start.rule, start.size, seed, count),
    }
}

/// The openings of a start in the order they are played.
pub(crate) fn book(start: &Start, seed: &str, count: u64) -> OpeningList {
    OpeningList::new(&openings(start, seed, count), start.rule, start.size, seed, true)
}

/// Three random stones in the middle of the board.
fn random(rule: Rule, size: u8, seed: &str, count: u64) -> Openings {
    let side = MIDDLE.min(size - 2);
    let corner = (size - side) / 2;
    let mut random =
        SplitMix64::new(seed::derive(&[SeedPart::Text("papers/start"), SeedPart::Text(seed)]));
    let mut texts = BTreeSet::new();
    let mut positions = Vec::new();
    while (positions.len() as u64) < count.max(1) {
        let mut position = Position::new(rule, size);
        while position.moves().len() < 3 {
            let cell = random.below(u64::from(side) * u64::from(side)) as u8;
            // An occupied point is drawn again.
            let _ = position.play(Point::new(corner + cell % side, corner + cell / side));
        }
        let text = position.to_text();
        // There are thousands of starts; past those that differ, chance may repeat.
        if texts.insert(text.clone()) || texts.len() > 5000 {
            positions.push(text);
        }
    }
    let name = format!("three random stones in the middle {side}x{side}");
    Openings { name, positions, symmetries: false, repeat: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_starts_repeat_and_differ() {
        let start = Start { size: 8, openings: FirstStones::Random, ..Start::default() };
        let set = openings(&start, "a", 50);
        assert_eq!(set, openings(&start, "a", 50));
        assert_ne!(set, openings(&start, "b", 50));
        let different: BTreeSet<_> = set.positions.iter().collect();
        assert_eq!(different.len(), 50);
        let balanced = openings(&Start::default(), "a", 5);
        assert!(balanced.positions.len() >= 400);
    }
}
