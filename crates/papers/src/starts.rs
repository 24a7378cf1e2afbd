//! Where the games of an experiment begin.

use std::collections::BTreeSet;

use arena::{
    OpeningList, Openings,
    seed::{self, SeedPart},
};
use gomoku::{Point, Position};
use player::SplitMix64;

use crate::experiment::{FirstStones, Start};

/// Side of the middle of the board in which random stones are set.
const MIDDLE: u8 = 7;

/// The openings of a start; `count` of them at least, where chance makes them.
pub(crate) fn openings(start: &Start, seed: &str, count: u64) -> Openings {
    let again = |set| Openings { symmetries: true, repeat: true, ..set };
    match start.openings {
        FirstStones::Balanced => match book::shipped_for(start.rule, start.size) {
            Some(set) => again(Openings::from_set(&set)),
            None => random(start, 3, seed, count),
        },
        FirstStones::Random => random(start, 3, seed, count),
        FirstStones::One => random(start, 1, seed, count),
        FirstStones::Styles => again(styles()),
    }
}

/// Liao's 57 openings.
fn styles() -> Openings {
    let positions = book::liao().iter().map(|opening| opening.position().to_text()).collect();
    Openings { name: "Liao's 57 openings".to_owned(), positions, ..Openings::empty_board() }
}

/// The openings of a start in the order they are played.
pub(crate) fn book(start: &Start, seed: &str, count: u64) -> OpeningList {
    OpeningList::new(&openings(start, seed, count), start.rule, start.size, seed, true)
}

/// Random stones in the middle of the board.
fn random(start: &Start, stones: usize, seed: &str, count: u64) -> Openings {
    let Start { rule, size, .. } = *start;
    let side = MIDDLE.min(size - 2);
    let corner = (size - side) / 2;
    let mut random =
        SplitMix64::new(seed::derive(&[SeedPart::Text("papers/start"), SeedPart::Text(seed)]));
    let mut texts = BTreeSet::new();
    let mut positions = Vec::new();
    while (positions.len() as u64) < count.max(1) {
        let mut position = Position::new(rule, size);
        while position.moves().len() < stones {
            let cell = random.below(u64::from(side) * u64::from(side)) as u8;
            // An occupied point is drawn again.
            let _ = position.play(Point::new(corner + cell % side, corner + cell / side));
        }
        let text = position.to_text();
        // Past all that differ, or thousands of them, chance may repeat.
        let all = if stones == 1 { usize::from(side) * usize::from(side) } else { 5000 };
        if texts.insert(text.clone()) || texts.len() >= all {
            positions.push(text);
        }
    }
    let stones = if stones == 1 { "one random stone" } else { "three random stones" };
    let name = format!("{stones} in the middle {side}x{side}");
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
        let different = |set: &Openings| set.positions.iter().collect::<BTreeSet<_>>().len();
        assert_eq!(different(&set), 50);
        let one = openings(&Start { openings: FirstStones::One, ..Start::default() }, "a", 60);
        assert_eq!((one.positions.len(), different(&one)), (60, 49));
        let styles = Start { openings: FirstStones::Styles, ..Start::default() };
        assert_eq!(book(&styles, "a", 5).get(4).map(|start| start.moves().len() > 2), Some(true));
        let balanced = openings(&Start::default(), "a", 5);
        assert!(balanced.positions.len() >= 400);
    }
}
