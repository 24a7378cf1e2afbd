//! Where games begin: a set of openings, put in an order that depends on the seed alone.

use std::collections::BTreeSet;

use book::{Half, OpeningSet};
use gomoku::{
    Point, Position, Rule, Symmetry,
    record::{self, Hint},
};
use player::{SplitMix64, permutation};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{plan::PlanError, seed};

/// Why a file gives no openings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningsError {
    /// For another rule or board.
    #[error("{0} is for {1} on {2}x{2}.")]
    OtherGame(String, Rule, u8),
    /// Not readable.
    #[error("{0}: {1}")]
    Record(String, String),
    /// No such set.
    #[error("'{0}' is neither a shipped set nor a file; shipped are {1}.")]
    Unknown(String, String),
}

/// A set of openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// What the set is called.
    pub name: String,
    /// The openings as texts: moves (`h8i9g9`) or stones and side to move.
    pub positions: Vec<String>,
    /// Whether to play each opening in all its orientations before it counts as used up.
    #[serde(default)]
    pub symmetries: bool,
    /// Whether to begin again when all are used up. Deterministic players then repeat their
    /// games, which tells nothing new, so runs that could be reproduced stop instead unless this
    /// is set.
    #[serde(default)]
    pub repeat: bool,
}

impl Openings {
    /// The empty board alone.
    pub fn empty_board() -> Openings {
        Openings {
            name: "empty board".to_owned(),
            positions: vec![String::new()],
            symmetries: false,
            repeat: false,
        }
    }

    /// The shipped set for a game; where there is none, the empty board.
    pub fn default_for(rule: Rule, size: u8) -> Openings {
        match book::shipped_for(rule, size) {
            Some(set) => Openings::from_set(&set),
            None => Openings { symmetries: true, ..Openings::empty_board() },
        }
    }

    /// A shipped set or one of its halves; `none` is the empty board.
    ///
    /// # Errors
    /// When there is no such set, or it is for another game.
    pub fn named(name: &str, rule: Rule, size: u8) -> Result<Openings, OpeningsError> {
        if name == "none" {
            return Ok(Openings::empty_board());
        }
        let unknown = || OpeningsError::Unknown(name.to_owned(), book::shipped_names().join(", "));
        let set = book::shipped_named(name).ok_or_else(unknown)?;
        Openings::for_game(name, &set, rule, size)
    }

    fn for_game(
        name: &str,
        set: &OpeningSet,
        rule: Rule,
        size: u8,
    ) -> Result<Openings, OpeningsError> {
        if (set.rule, set.size) != (rule, size) {
            return Err(OpeningsError::OtherGame(name.to_owned(), set.rule, set.size));
        }
        Ok(Openings::from_set(set))
    }

    /// The openings to tune on and those to test on; they share none.
    pub fn halves(&self) -> (Openings, Openings) {
        let half = |half: Half| {
            let (name, positions) = (half.name(&self.name), half.of(&self.positions));
            Openings { name, positions, ..*self }
        };
        (half(Half::Tuning), half(Half::Validation))
    }

    /// The openings of a set from the book.
    pub fn from_set(set: &OpeningSet) -> Openings {
        let text = |moves: &Vec<Point>| moves.iter().map(Point::to_string).collect();
        Openings {
            name: set.name.clone(),
            positions: set.openings.iter().map(text).collect(),
            symmetries: false,
            repeat: false,
        }
    }

    /// The openings of a file: a set of the book, positions line by line (lines that begin with
    /// `#` are skipped), or any record format. Of a tree of variations each end is an opening.
    ///
    /// # Errors
    /// When the file is none of these, or holds moves that cannot be played.
    pub fn read(name: &str, bytes: &[u8], rule: Rule, size: u8) -> Result<Openings, OpeningsError> {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        if let Ok(set) = OpeningSet::parse(text) {
            return Openings::for_game(name, &set, rule, size);
        }
        let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
        let parsed: Result<Vec<Position>, _> =
            lines.map(|line| Position::parse(line, rule, size)).collect();
        let positions = match parsed {
            Ok(positions) if !positions.is_empty() => positions,
            _ => Openings::from_record(name, bytes, rule, size)?,
        };
        let positions = positions.iter().map(Position::to_text).collect();
        Ok(Openings { name: name.to_owned(), positions, symmetries: false, repeat: false })
    }

    fn from_record(
        name: &str,
        bytes: &[u8],
        rule: Rule,
        size: u8,
    ) -> Result<Vec<Position>, OpeningsError> {
        let hint = Hint { name, size: Some(size), rule: Some(rule), ..Hint::default() };
        let refuse = |error: String| OpeningsError::Record(name.to_owned(), error);
        let trees = record::read(bytes, &hint).map_err(|error| refuse(error.to_string()))?;
        let mut positions = Vec::new();
        for tree in &trees {
            if tree.size() != size {
                return Err(OpeningsError::OtherGame(name.to_owned(), rule, tree.size()));
            }
            for leaf in tree.leaves() {
                let position = tree.position_at(leaf, rule).map_err(|e| refuse(e.to_string()))?;
                // The run's rule decides, whatever the record was played under.
                let text = position.to_text();
                positions
                    .push(Position::parse(&text, rule, size).map_err(|e| refuse(e.to_string()))?);
            }
        }
        Ok(positions)
    }

    pub(crate) fn check(&self, rule: Rule, size: u8) -> Result<(), PlanError> {
        if self.positions.is_empty() {
            return Err(PlanError::NoOpenings(self.name.clone()));
        }
        for (number, text) in (1..).zip(&self.positions) {
            let refuse = |error: String| PlanError::Opening { number, text: text.clone(), error };
            let position =
                Position::parse(text, rule, size).map_err(|error| refuse(error.to_string()))?;
            if position.outcome().is_some() {
                return Err(refuse("The game is decided already.".to_owned()));
            }
        }
        Ok(())
    }
}

/// The openings of a run in the order they are played.
#[derive(Clone, Debug)]
pub struct OpeningList {
    positions: Vec<Position>,
    repeat: bool,
}

impl OpeningList {
    /// Shuffles a checked set: every opening once, then (with symmetries) every opening once more
    /// in another orientation, until all that differ are used.
    pub fn new(openings: &Openings, rule: Rule, size: u8, seed_text: &str, repeat: bool) -> Self {
        let seed = seed::of_openings(seed_text);
        let bases: Vec<Position> = openings
            .positions
            .iter()
            .filter_map(|text| Position::parse(text, rule, size).ok())
            .collect();
        let order = permutation(bases.len(), seed);
        if !openings.symmetries {
            let positions = order.into_iter().map(|i| bases[i].clone()).collect();
            return OpeningList { positions, repeat };
        }
        let mut random = SplitMix64::new(seed);
        let orientations: Vec<Vec<usize>> =
            bases.iter().map(|_| permutation(8, random.next_u64())).collect();
        let mut seen = BTreeSet::new();
        let mut positions = Vec::new();
        for turn in 0..8 {
            for &i in &order {
                let symmetry = Symmetry::new(orientations[i][turn] as u8);
                let image = bases[i].transformed(symmetry);
                if seen.insert(image.key()) {
                    positions.push(image);
                }
            }
        }
        OpeningList { positions, repeat }
    }

    /// How many different openings there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Opening number `number`, from 0; `None` when all are used up.
    pub fn get(&self, number: u64) -> Option<&Position> {
        let count = self.positions.len() as u64;
        if count == 0 || number >= count && !self.repeat {
            return None;
        }
        self.positions.get((number % count) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(texts: &[&str], symmetries: bool, repeat: bool) -> OpeningList {
        let openings = Openings {
            name: "test".to_owned(),
            positions: texts.iter().map(|t| (*t).to_owned()).collect(),
            symmetries,
            repeat,
        };
        openings.check(Rule::Freestyle, 15).unwrap();
        OpeningList::new(&openings, Rule::Freestyle, 15, "seed", repeat)
    }

    #[test]
    fn every_opening_is_played_once_and_then_no_more() {
        let book = book(&["h8", "h8h9", "a1", "c3d4e6"], false, false);
        let mut texts: Vec<String> = (0..4).map(|n| book.get(n).unwrap().to_text()).collect();
        texts.sort();
        assert_eq!(texts, ["a1", "c3d4e6", "h8", "h8h9"]);
        assert!(book.get(4).is_none());
    }

    #[test]
    fn orientations_that_look_the_same_count_once() {
        assert_eq!(book(&["h8"], true, false).len(), 1, "the center has one image");
        assert_eq!(book(&["h8h9"], true, false).len(), 4, "a neighbor of the center has four");
        assert_eq!(book(&["h8i10"], true, false).len(), 8, "a knight's move away has eight");
        assert_eq!(book(&["h8h9", "h8i8"], true, false).len(), 4, "these two are images");
    }

    #[test]
    fn a_repeating_book_begins_again() {
        let book = book(&["h8", "a1"], false, true);
        assert_eq!(book.get(0), book.get(2));
        assert_ne!(book.get(0), book.get(1));
    }

    #[test]
    fn openings_are_read_from_files() {
        let read = |name: &str, text: &str| {
            Openings::read(name, text.as_bytes(), Rule::Freestyle, 15).map(|o| o.positions)
        };
        let set = "# tiny freestyle 15\nh8i9\nh8h9i10\n";
        assert_eq!(read("x", set).unwrap(), ["h8i9", "h8h9i10"]);
        assert_eq!(read("x.txt", "# comment\nh8 i9\n\nb:h8 w:i9 b\n").unwrap().len(), 2);
        // Offsets count from the center.
        assert_eq!(read("o.txt", "0,0, 1,0\n0,0, 2,2\n").unwrap().len(), 2);
        let sgf = "(;GM[4]FF[4]SZ[15];B[hh](;W[ih])(;W[ii];B[gg]))";
        assert_eq!(read("t.sgf", sgf).unwrap().len(), 2, "both variations");
        let other = read("x", "# tiny renju 15\nh8i9\n").unwrap_err();
        assert_eq!(other.to_string(), "x is for renju on 15x15.");
        assert!(read("x", "complete nonsense").is_err());
        assert!(read("s.sgf", "(;GM[4]FF[4]SZ[19];B[aa])").is_err());
    }

    #[test]
    fn openings_that_cannot_be_played_are_named() {
        let mut openings = Openings::empty_board();
        openings.positions.push("h8h8".to_owned());
        let error = openings.check(Rule::Freestyle, 15).unwrap_err().to_string();
        assert!(error.starts_with("Opening 2 ('h8h8'):"), "{error}");
        openings.positions[1] = "a1a2b1b2c1c2d1d2e1".to_owned();
        let error = openings.check(Rule::Freestyle, 15).unwrap_err().to_string();
        assert!(error.contains("decided"), "{error}");
    }
}
