//! Shapes and threats by their definitions, slowly: shares no table and no function with the board
//! that keeps them.

use std::collections::HashMap;

use gomoku::{Board, Color, Direction, Point, Rule, Shape, Threat};

/// Shapes by the definition, on whole lines of a [`Board`].
pub(crate) struct Twin {
    rule: Rule,
    known: HashMap<(Color, usize, u64), Shape>,
}

/// Letters of a line: the side that is looked at, the other side, nothing, and the edge.
const OWN: u8 = b'x';
const OTHER: u8 = b'o';
const NOTHING: u8 = b'.';
const EDGE: u8 = b'|';

impl Twin {
    pub(crate) fn new(rule: Rule) -> Twin {
        Twin { rule, known: HashMap::new() }
    }

    /// What a stone of this color makes of the line.
    pub(crate) fn shape(
        &mut self,
        board: &Board,
        point: Point,
        direction: Direction,
        color: Color,
    ) -> Shape {
        let cell = |steps| match board.look(point, direction, steps) {
            None => EDGE,
            Some(None) => NOTHING,
            Some(Some(stone)) => {
                if stone == color {
                    OWN
                } else {
                    OTHER
                }
            }
        };
        let before = (1..).take_while(|&i| cell(-i) != EDGE).count() as i32;
        let after = (1..).take_while(|&i| cell(i) != EDGE).count() as i32;
        let mut line: Vec<u8> = (-before - 1..=after + 1).map(cell).collect();
        let at = before as usize + 1;
        line[at] = OWN;
        self.of_line(color, at, &line)
    }

    fn of_line(&mut self, color: Color, at: usize, line: &[u8]) -> Shape {
        let letter = |cell| [OWN, OTHER, NOTHING, EDGE].iter().position(|&x| x == cell).unwrap();
        let number = line.iter().fold(0, |all, &cell| 4 * all + letter(cell) as u64);
        if let Some(&shape) = self.known.get(&(color, at, number)) {
            return shape;
        }
        let shape = self.by_definition(color, at, line);
        self.known.insert((color, at, number), shape);
        shape
    }

    fn by_definition(&mut self, color: Color, at: usize, line: &[u8]) -> Shape {
        if self.wins(color, at, line) {
            return Shape::Five;
        }
        let (first, last) = run(at, line);
        if last - first >= 4 {
            return if last - first > 4 { Shape::Overline } else { Shape::None };
        }
        let fives = self.five_cells(color, at, line);
        if !fives.is_empty() {
            let in_one_run = last - first == 3;
            let black_in_renju = self.rule == Rule::Renju && color == Color::Black;
            return match fives.len() {
                1 => Shape::Four,
                _ if black_in_renju && !in_one_run => Shape::Overline,
                _ if self.can_be_stopped(color, at, line) => Shape::Four,
                _ => Shape::OpenFour,
            };
        }
        let next: Vec<Shape> =
            near(at, line).map(|cell| self.of_line(color, at, &with(line, cell, OWN))).collect();
        let ways = |shapes: &[Shape]| next.iter().filter(|shape| shapes.contains(shape)).count();
        if ways(&[Shape::OpenFour]) > 0 {
            return if ways(&[Shape::OpenFour]) == 1 { Shape::OpenThree } else { Shape::WideThree };
        }
        if ways(&[Shape::Four]) > 0 {
            return Shape::BlockedThree;
        }
        match ways(&[Shape::OpenThree, Shape::WideThree]) {
            0 => {}
            1 | 2 => return Shape::FreeTwo,
            3 => return Shape::WideTwo,
            _ => return Shape::BroadTwo,
        }
        if ways(&[Shape::BlockedThree]) > 0 {
            return Shape::BlockedTwo;
        }
        if ways(&[Shape::FreeTwo, Shape::WideTwo, Shape::BroadTwo]) > 0 {
            return Shape::FreeOne;
        }
        if ways(&[Shape::BlockedTwo]) > 0 { Shape::BlockedOne } else { Shape::None }
    }

    /// Whether the run through the stone wins by the text of the rule.
    fn wins(&self, color: Color, at: usize, line: &[u8]) -> bool {
        let (first, last) = run(at, line);
        let length = last - first + 1;
        let closed = line[first - 1] == OTHER && line[last + 1] == OTHER;
        match self.rule {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju => length == 5 || color == Color::White && length > 5,
            Rule::Caro => length > 5 || length == 5 && !closed,
            Rule::CaroExact => length == 5 && !closed,
        }
    }

    fn five_cells(&self, color: Color, at: usize, line: &[u8]) -> Vec<usize> {
        near(at, line).filter(|&cell| self.wins(color, at, &with(line, cell, OWN))).collect()
    }

    /// Whether some answer leaves no five.
    fn can_be_stopped(&self, color: Color, at: usize, line: &[u8]) -> bool {
        let empties = (0..line.len()).filter(|&cell| line[cell] == NOTHING);
        empties
            .into_iter()
            .any(|cell| self.five_cells(color, at, &with(line, cell, OTHER)).is_empty())
    }
}

/// The first and last stone of the run through a stone.
fn run(at: usize, line: &[u8]) -> (usize, usize) {
    let first = (0..at).rev().take_while(|&i| line[i] == OWN).last().unwrap_or(at);
    let last = (at + 1..line.len()).take_while(|&i| line[i] == OWN).last().unwrap_or(at);
    (first, last)
}

/// The empty cells that can be in one five with a stone.
fn near(at: usize, line: &[u8]) -> impl Iterator<Item = usize> + use<'_> {
    (at.saturating_sub(4)..line.len().min(at + 5)).filter(|&cell| line[cell] == NOTHING)
}

fn with(line: &[u8], cell: usize, letter: u8) -> Vec<u8> {
    let mut line = line.to_vec();
    line[cell] = letter;
    line
}

/// The class of four shapes, told in another order than the library tells it.
pub(crate) fn threat_of(rule: Rule, color: Color, shapes: [Shape; 4]) -> Threat {
    let n = |wanted: &[Shape]| shapes.iter().filter(|s| wanted.contains(s)).count();
    let fours = n(&[Shape::Four]) + 2 * n(&[Shape::OpenFour]);
    let threes = n(&[Shape::OpenThree, Shape::WideThree]);
    let blocked = n(&[Shape::BlockedThree]);
    let twos = n(&[Shape::FreeTwo, Shape::WideTwo, Shape::BroadTwo]);
    if n(&[Shape::Five]) > 0 {
        return Threat::Five;
    }
    if rule == Rule::Renju && color == Color::Black {
        let fours = n(&[Shape::Four, Shape::OpenFour]);
        if n(&[Shape::Overline]) > 0 || fours > 1 || threes > 1 {
            return Threat::Forbidden;
        }
    }
    match (fours, threes, blocked, twos) {
        (2.., ..) => Threat::OpenFour,
        (1, 1.., ..) => Threat::FourThree,
        (1, 0, 0, 0) => Threat::Four,
        (1, 0, ..) => Threat::FourPlus,
        (0, 2.., ..) => Threat::DoubleThree,
        (0, 1, 0, 0) => Threat::OpenThree,
        (0, 1, ..) => Threat::OpenThreePlus,
        (0, 0, 0, 0) => Threat::None,
        (0, 0, 0, 1) => Threat::Two,
        (0, 0, 0, _) => Threat::TwoTwo,
        (0, 0, 1, 0) => Threat::Three,
        (0, 0, ..) => Threat::ThreePlus,
    }
}
