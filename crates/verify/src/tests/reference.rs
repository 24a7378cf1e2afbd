//! A second checker for the tests, on trees instead of bytes and with rules stated by windows
//! instead of runs, and an exhaustive search for boards with few empty cells.

use std::collections::HashMap;

use super::builder::{Attack, Defense, Proof, Root};
use crate::{Color, Rule};

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[derive(Clone)]
pub(super) struct Grid {
    rule: Rule,
    size: i32,
    pub(super) cells: Vec<Option<Color>>,
}

/// A cell by column and row, possibly off the board.
type Place = (i32, i32);

impl Grid {
    pub(super) fn new(rule: Rule, size: usize, black: &[usize], white: &[usize]) -> Grid {
        let mut cells = vec![None; size * size];
        black.iter().for_each(|&cell| cells[cell] = Some(Color::Black));
        white.iter().for_each(|&cell| cells[cell] = Some(Color::White));
        Grid { rule, size: size as i32, cells }
    }

    fn place(&self, cell: usize) -> Place {
        (cell as i32 % self.size, cell as i32 / self.size)
    }

    fn on_board(&self, (col, row): Place) -> bool {
        (0..self.size).contains(&col) && (0..self.size).contains(&row)
    }

    fn number(&self, (col, row): Place) -> usize {
        (row * self.size + col) as usize
    }

    fn holds(&self, place: Place, color: Color) -> bool {
        self.on_board(place) && self.cells[self.number(place)] == Some(color)
    }

    fn is_empty(&self, place: Place) -> bool {
        self.on_board(place) && self.cells[self.number(place)].is_none()
    }

    pub(super) fn empties(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| self.cells[cell].is_none()).collect()
    }

    /// The windows of this many cells in this direction, all of this color and containing `place`,
    /// each with its two neighbors.
    fn full_windows(
        &self,
        place: Place,
        (dc, dr): (i32, i32),
        length: i32,
        color: Color,
    ) -> Vec<[Place; 2]> {
        let at = |i: i32| (place.0 + i * dc, place.1 + i * dr);
        (1 - length..=0)
            .filter(|&start| (start..start + length).all(|i| self.holds(at(i), color)))
            .map(|start| [at(start - 1), at(start + length)])
            .collect()
    }

    /// Whether there is a row of exactly five through this stone in this direction.
    fn exact_five(&self, place: Place, direction: (i32, i32), color: Color) -> bool {
        let windows = self.full_windows(place, direction, 5, color);
        windows.iter().any(|ends| ends.iter().all(|&end| !self.holds(end, color)))
    }

    /// Whether the stone that stands here wins.
    fn wins_here(&self, cell: usize, color: Color) -> bool {
        let place = self.place(cell);
        DIRECTIONS.iter().any(|&direction| {
            let long = !self.full_windows(place, direction, 6, color).is_empty();
            let fives = self.full_windows(place, direction, 5, color);
            let open =
                fives.iter().any(|ends| ends.iter().any(|&end| !self.holds(end, color.opponent())));
            match self.rule {
                Rule::Freestyle => !fives.is_empty(),
                Rule::Standard => !fives.is_empty() && !long,
                Rule::Renju if color == Color::White => !fives.is_empty(),
                Rule::Renju => self.exact_five(place, direction, color),
                Rule::Caro => long || open,
                Rule::CaroExact => !long && open,
            }
        })
    }

    pub(super) fn wins(&mut self, cell: usize, color: Color) -> bool {
        self.cells[cell] = Some(color);
        let wins = self.wins_here(cell, color);
        self.cells[cell] = None;
        wins
    }

    pub(super) fn forbids(&mut self, cell: usize, color: Color) -> bool {
        self.rule == Rule::Renju && color == Color::Black && self.forbidden(cell)
    }

    pub(super) fn forbidden(&self, cell: usize) -> bool {
        let black = Color::Black;
        let mut with = self.clone();
        with.cells[cell] = Some(black);
        let place = self.place(cell);
        if DIRECTIONS.iter().any(|&direction| with.exact_five(place, direction, black)) {
            return false;
        }
        let long =
            |&direction: &(i32, i32)| !with.full_windows(place, direction, 6, black).is_empty();
        let fours: usize = DIRECTIONS.iter().map(|&direction| with.fours(place, direction)).sum();
        let threes = DIRECTIONS.iter().filter(|&&direction| with.three(place, direction)).count();
        DIRECTIONS.iter().any(long) || fours >= 2 || threes >= 2
    }

    fn fours(&self, place: Place, (dc, dr): (i32, i32)) -> usize {
        let completes = |&i: &i32| {
            let other = (place.0 + i * dc, place.1 + i * dr);
            self.is_empty(other) && {
                let mut with = self.clone();
                with.cells[self.number(other)] = Some(Color::Black);
                with.exact_five(place, (dc, dr), Color::Black)
            }
        };
        let count = (-4..=4).filter(completes).count();
        let straight = !self.full_windows(place, (dc, dr), 4, Color::Black).is_empty();
        if straight { count.min(1) } else { count }
    }

    fn three(&self, place: Place, (dc, dr): (i32, i32)) -> bool {
        (-3..=3).any(|i| {
            let key = (place.0 + i * dc, place.1 + i * dr);
            if !self.is_empty(key) {
                return false;
            }
            let mut with = self.clone();
            with.cells[self.number(key)] = Some(Color::Black);
            let fours = with.full_windows(place, (dc, dr), 4, Color::Black);
            let through_key = with.full_windows(key, (dc, dr), 4, Color::Black);
            let straight = fours.iter().any(|ends| {
                through_key.contains(ends)
                    && ends.iter().all(|&end| {
                        with.is_empty(end) && {
                            let mut five = with.clone();
                            five.cells[self.number(end)] = Some(Color::Black);
                            five.exact_five(end, (dc, dr), Color::Black)
                        }
                    })
            });
            let five = DIRECTIONS.iter().any(|&d| with.exact_five(key, d, Color::Black));
            straight && !five && !self.forbidden(self.number(key))
        })
    }
}

/// The length of a proof's longest line, or `None` if it proves nothing.
pub(super) fn longest_line(proof: &Proof) -> Option<usize> {
    let mut grid = Grid::new(proof.rule, proof.size, &proof.black, &proof.white);
    let stones = (0..grid.cells.len()).filter_map(|cell| Some((cell, grid.cells[cell]?)));
    if stones.into_iter().any(|(cell, color)| grid.wins_here(cell, color)) {
        return None;
    }
    let player = Player { attacker: proof.attacker, shared: &proof.shared };
    let right_turn = matches!(proof.root, Root::Attack(_)) == (proof.to_move == proof.attacker);
    let longest = match &proof.root {
        _ if !right_turn => None,
        Root::Attack(node) => player.attack(&mut grid, node),
        Root::Defense(node) => player.defend(&mut grid, node),
    };
    longest.filter(|&plies| plies <= proof.plies)
}

struct Player<'a> {
    attacker: Color,
    shared: &'a [Attack],
}

impl Player<'_> {
    fn attack(&self, grid: &mut Grid, node: &Attack) -> Option<usize> {
        let (cell, next) = match node {
            Attack::Win(cell) => (*cell, None),
            Attack::Move(cell, next) => (*cell, Some(next)),
            Attack::Shared(index) => return self.attack(grid, &self.shared[*index]),
            Attack::None => return None,
        };
        if grid.cells.get(cell)?.is_some() {
            return None;
        }
        if grid.wins(cell, self.attacker) {
            return Some(1);
        }
        if grid.forbids(cell, self.attacker) {
            return None;
        }
        grid.cells[cell] = Some(self.attacker);
        let longest = self.defend(grid, next?);
        grid.cells[cell] = None;
        Some(1 + longest?)
    }

    fn defend(&self, grid: &mut Grid, node: &Defense) -> Option<usize> {
        let defender = self.attacker.opponent();
        let mut longest = None;
        let mut listed: Vec<usize> =
            node.groups.iter().flat_map(|(cells, _)| cells.clone()).collect();
        listed.sort_unstable();
        if listed.windows(2).any(|pair| pair[0] == pair[1])
            || listed.last().is_some_and(|&last| last >= grid.cells.len())
        {
            return None;
        }
        for reply in grid.empties() {
            if grid.wins(reply, defender) {
                return None;
            }
            let mut plies = 1;
            if !grid.forbids(reply, defender) {
                let group = node.groups.iter().find(|(cells, _)| cells.contains(&reply));
                let answer = group.map_or(&node.default, |(_, answer)| answer);
                grid.cells[reply] = Some(defender);
                let won = self.attack(grid, answer);
                grid.cells[reply] = None;
                plies += won?;
            }
            longest = longest.max(Some(plies));
        }
        longest
    }
}

/// Finds the shortest win by trying everything; for positions with few empty cells.
pub(super) struct Exhaustive {
    pub(super) attacker: Color,
    seen: HashMap<Vec<u8>, Option<usize>>,
}

impl Exhaustive {
    pub(super) fn new(attacker: Color) -> Exhaustive {
        Exhaustive { attacker, seen: HashMap::new() }
    }

    /// In how many plies the attacker wins against the best defense, if at all.
    pub(super) fn plies(&mut self, grid: &mut Grid, to_move: Color) -> Option<usize> {
        let mut key: Vec<u8> =
            grid.cells.iter().map(|cell| cell.map_or(0, |color| color as u8 + 1)).collect();
        key.push(to_move as u8);
        if let Some(&known) = self.seen.get(&key) {
            return known;
        }
        let moves = grid.empties();
        let attacking = to_move == self.attacker;
        let values = moves.iter().map(|&cell| self.after(grid, cell, to_move));
        let value = if attacking {
            values.flatten().min()
        } else {
            let all: Option<Vec<usize>> = values.collect();
            all.and_then(|all| all.into_iter().max())
        };
        self.seen.insert(key, value);
        value
    }

    /// The same, if this move is played now; its own ply counts.
    pub(super) fn after(&mut self, grid: &mut Grid, cell: usize, color: Color) -> Option<usize> {
        if grid.wins(cell, color) {
            return (color == self.attacker).then_some(1);
        }
        if grid.forbids(cell, color) {
            return (color != self.attacker).then_some(1);
        }
        grid.cells[cell] = Some(color);
        let value = self.plies(grid, color.opponent());
        grid.cells[cell] = None;
        value.map(|plies| plies + 1)
    }
}
