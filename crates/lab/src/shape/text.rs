//! Shapes found as Fan and Yuan describe it: a line is a string, a picture an expression that is looked
//! for in it. The slowest twin, kept to measure what it costs.

use std::collections::BTreeSet;

use super::{Group, PatternSet, Picture};

impl PatternSet {
    /// The same count over a line of characters (0 empty, 1 own, 2 other).
    pub fn count_text(&self, line: &str, mut count: impl FnMut(usize, u32)) {
        let walled = format!("2{line}2");
        let (mut claimed, mut newly) = (BTreeSet::new(), BTreeSet::new());
        let mut class = 0;
        for group in &self.groups {
            if group.class != class {
                claimed.append(&mut newly);
                class = group.class;
            }
            for first in group.places(&walled) {
                let mut stones = group.stones.iter().map(|offset| first + *offset as usize);
                if !stones.clone().all(|cell| claimed.contains(&cell)) {
                    newly.extend(&mut stones);
                    count(group.shape, 1);
                }
            }
        }
    }
}

impl Group {
    /// Where the first stone is, wherever one of the pictures matches.
    fn places(&self, line: &str) -> BTreeSet<usize> {
        self.alternatives.iter().flat_map(|picture| picture.places(line)).collect()
    }
}

impl Picture {
    /// Matches may overlap, so the next one is looked for one character on.
    fn places(&self, line: &str) -> Vec<usize> {
        let expression: String = self.cells.iter().map(|cell| char::from(b'0' + cell)).collect();
        let mut places = Vec::new();
        let mut from = 0;
        while let Some(at) = line[from..].find(&expression) {
            places.push(from + at + self.first_stone as usize);
            from += at + 1;
        }
        places
    }
}
