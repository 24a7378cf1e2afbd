//! Shapes as the papers draw them, `0` empty, `1` own, `2` blocked, and where they stand on a line.
//!
//! A shape stands wherever one of its pictures, or the mirror image of one, matches the line; the
//! cell beyond the edge is blocked. Shapes come in classes of falling priority, and a shape whose
//! stones all belong to shapes of higher classes on the same line is not counted again: 0111010 is a
//! four with a gap and not also a live three.

mod text;

use gomoku::{Point, Position};

use crate::{lines::LineStones, state::State};

/// One kind of shape.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    /// The name shown to people.
    pub name: &'static str,
    /// Pictures; the first is the one to show. The same stones are counted once.
    pub pictures: &'static [&'static str],
    /// Priority class; 0 is the highest.
    pub class: u8,
}

/// Where shapes stand: the shape's number and the cells of its stones.
pub type Found = (usize, Vec<u32>);

/// Shapes made ready for matching, in the order given.
#[derive(Clone, Debug)]
pub struct PatternSet {
    shapes: Vec<Pattern>,
    groups: Vec<Group>,
}

/// The pictures of a shape that have the same stones: alternatives, not additions.
#[derive(Clone, Debug)]
struct Group {
    shape: usize,
    class: u8,
    /// Offsets of the stones from the first one.
    stones: Vec<u32>,
    alternatives: Vec<Picture>,
}

#[derive(Clone, Debug, PartialEq)]
struct Picture {
    cells: Vec<u8>,
    first_stone: u32,
}

impl PatternSet {
    /// Prepares shapes. They must be listed by falling priority.
    pub fn new(shapes: &[Pattern]) -> PatternSet {
        debug_assert!(shapes.is_sorted_by_key(|shape| shape.class));
        let mut groups: Vec<Group> = Vec::new();
        for (number, shape) in shapes.iter().enumerate() {
            for picture in shape.pictures.iter().flat_map(|drawn| orientations(drawn)) {
                let offsets = picture.cells.iter().enumerate().filter(|(_, cell)| **cell == 1);
                let stones: Vec<u32> =
                    offsets.map(|(i, _)| i as u32 - picture.first_stone).collect();
                let known = groups.iter_mut().find(|g| g.shape == number && g.stones == stones);
                match known {
                    Some(group) if group.alternatives.contains(&picture) => {}
                    Some(group) => group.alternatives.push(picture),
                    None => groups.push(Group {
                        shape: number,
                        class: shape.class,
                        stones,
                        alternatives: vec![picture],
                    }),
                }
            }
        }
        PatternSet { shapes: shapes.to_vec(), groups }
    }

    /// The shapes in order.
    pub fn all(&self) -> &[Pattern] {
        &self.shapes
    }

    /// Counts the shapes of one color on a line given as bits: `count(shape, n)` for each found.
    pub fn count_bits(&self, own: u32, other: u32, length: u32, mut count: impl FnMut(usize, u32)) {
        if own == 0 {
            return;
        }
        self.scan(own, other, length, |group, starts| {
            count(group.shape, starts.count_ones());
        });
    }

    /// The shapes of one color on a line with the cells of their stones.
    pub fn find(&self, own: u32, other: u32, length: u32) -> Vec<Found> {
        let mut found = Vec::new();
        self.scan(own, other, length, |group, starts| {
            let cells = (1..=length).filter(|cell| starts >> cell & 1 != 0);
            for cell in cells {
                let stones = group.stones.iter().map(|offset| cell - 1 + offset);
                found.push((group.shape, stones.collect()));
            }
        });
        found
    }

    /// The highest class of shape that has a stone on this cell.
    pub fn best_through(&self, own: u32, other: u32, length: u32, cell: u32) -> Option<u8> {
        let mut best = None;
        self.scan(own, other, length, |group, starts| {
            let through = group.stones.iter().any(|i| starts << i >> (cell + 1) & 1 != 0);
            if through && best.is_none() {
                best = Some(group.class);
            }
        });
        best
    }

    /// Matches every picture at every cell at once. Bit 0 and bit `length + 1` are the walls.
    #[inline]
    fn scan(&self, own: u32, other: u32, length: u32, mut found: impl FnMut(&Group, u32)) {
        let inside = ((1u32 << length) - 1) << 1;
        let stones = own << 1;
        let words = [inside & !(stones | other << 1), stones, other << 1 | 1 | 1 << (length + 1)];
        let (mut claimed, mut newly, mut class) = (0, 0, 0);
        for group in &self.groups {
            if group.class != class {
                claimed |= newly;
                class = group.class;
            }
            let mut starts = 0;
            for picture in &group.alternatives {
                let mut hits = u32::MAX;
                for (i, &cell) in picture.cells.iter().enumerate() {
                    hits &= words[cell as usize] >> i;
                }
                starts |= hits << picture.first_stone;
            }
            if starts == 0 {
                continue;
            }
            let free = group.stones.iter().fold(0, |free, i| free | !claimed >> i);
            starts &= free;
            if starts != 0 {
                newly |= group.stones.iter().fold(0, |all, i| all | starts << i);
                found(group, starts);
            }
        }
    }

    /// The same count by walking cells (0 empty, 1 own, 2 other): the readable twin, and what a
    /// program without bitboards does.
    pub fn count_cells(&self, cells: &[u8], mut count: impl FnMut(usize, u32)) {
        let mut walled = vec![2];
        walled.extend_from_slice(cells);
        walled.push(2);
        let mut claimed = vec![false; walled.len()];
        let mut newly: Vec<usize> = Vec::new();
        let mut class = 0;
        for group in &self.groups {
            if group.class != class {
                newly.drain(..).for_each(|cell| claimed[cell] = true);
                class = group.class;
            }
            for first in 1..=cells.len() {
                let matches = group.alternatives.iter().any(|picture| {
                    let start = first.checked_sub(picture.first_stone as usize);
                    start.and_then(|s| walled.get(s..s + picture.cells.len()))
                        == Some(picture.cells.as_slice())
                });
                let stones = || group.stones.iter().map(|offset| first + *offset as usize);
                if matches && !stones().all(|cell| claimed[cell]) {
                    newly.extend(stones());
                    count(group.shape, 1);
                }
            }
        }
    }
}

fn orientations(drawn: &str) -> Vec<Picture> {
    let cells: Vec<u8> = drawn.bytes().map(|c| c - b'0').collect();
    let mirrored: Vec<u8> = cells.iter().rev().copied().collect();
    let picture = |cells: Vec<u8>| {
        let first = cells.iter().position(|&cell| cell == 1).expect("a shape has stones");
        Picture { cells, first_stone: first as u32 }
    };
    if mirrored == cells { vec![picture(cells)] } else { vec![picture(cells), picture(mirrored)] }
}

/// Three in a row with room to become an open four.
const OPEN_THREE: Pattern = Pattern { name: "open three", pictures: &["011100"], class: 0 };

/// Whether a stone of the side to move makes an open three without a gap, whatever else it makes.
pub fn makes_open_three(position: &Position, point: Point) -> bool {
    let (state, shapes) = (State::new(position), PatternSet::new(&[OPEN_THREE]));
    let (me, other) = (position.to_move() as usize, !position.to_move() as usize);
    state.lines().places(point).iter().any(|place| {
        let LineStones { stones, length } = state.line(place.line as usize);
        let own = stones[me] | 1 << place.cell;
        shapes.best_through(own, stones[other], length, place.cell.into()).is_some()
    })
}
