//! Who wins `k` in a row on a small board, by looking at everything.
//!
//! The one question is whether the attacker can force a line. Three facts end a line of play early,
//! all true of every such game. A side that cannot complete a line must stop the other's. A side
//! whose remaining lines are light cannot complete one at all (Erdős and Selfridge, "On a
//! combinatorial game", 1973: give a line that needs `e` more stones the weight 2^-e; if the weights
//! sum up to less than 1 with the defender to move, or to less than 1/2 with the attacker to move,
//! the defender stops them all). And if every remaining line has two empty cells of its own, the
//! defender answers one of a pair with the other.

use std::collections::HashMap;

/// A board of at most 64 cells and its lines.
pub(crate) struct Exact {
    cells: u32,
    k: u32,
    lines: Vec<u64>,
    /// The lines through each cell.
    through: Vec<Vec<u64>>,
    /// The images of each cell under the symmetries of the board.
    images: Vec<Vec<u8>>,
    /// By attacker's and defender's stones, the attacker to move.
    known: HashMap<(u64, u64), bool>,
    /// Turns still to be looked at before giving up.
    pub(crate) left: u64,
}

/// Positions of few stones are looked up in all their images.
const STONES_TURNED: u32 = 10;

impl Exact {
    /// A board of `m` columns and `n` rows.
    pub(crate) fn new(m: u32, n: u32, k: u32, most: u64) -> Exact {
        let cell = |x: u32, y: u32| 1_u64 << (y * m + x);
        let mut lines = Vec::new();
        for (x, y) in (0..n).flat_map(|y| (0..m).map(move |x| (x, y))) {
            let (right, up, left) = (x + k <= m, y + k <= n, x + 1 >= k);
            if right {
                lines.push((0..k).map(|i| cell(x + i, y)).sum());
            }
            if up {
                lines.push((0..k).map(|i| cell(x, y + i)).sum());
            }
            if right && up {
                lines.push((0..k).map(|i| cell(x + i, y + i)).sum());
            }
            if left && up {
                lines.push((0..k).map(|i| cell(x - i, y + i)).sum());
            }
        }
        let cells = m * n;
        let through =
            (0..cells).map(|c| lines.iter().copied().filter(|l| l >> c & 1 == 1).collect());
        let through = through.collect();
        let images = symmetries(m, n);
        Exact { cells, k, lines, through, images, known: HashMap::new(), left: most }
    }

    /// Whether the attacker, to move, can force a line before the defender has one; `None` if that
    /// took too long. Nobody has a line yet.
    pub(crate) fn attacker_wins(&mut self, attacker: u64, defender: u64) -> Option<bool> {
        let wins = self.attack(attacker, defender);
        (self.left > 0).then_some(wins)
    }

    fn attack(&mut self, own: u64, other: u64) -> bool {
        if self.completions(own, other) != 0 {
            return true;
        }
        let stops = self.completions(other, own);
        match stops.count_ones() {
            0 => {}
            1 => return self.defend(own | stops, other),
            _ => return false,
        }
        let (weight, worth) = self.weigh(own, other);
        if 2 * weight < 1 << self.k || self.left == 0 || self.can_be_paired(own, other) {
            return false;
        }
        let key = self.least_image(own, other);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.left -= 1;
        let moves = self.sorted(own | other, &worth);
        let wins = moves.into_iter().any(|cell| self.defend(own | 1 << cell, other));
        if self.left > 0 {
            self.known.insert(key, wins);
        }
        wins
    }

    /// The defender is to move.
    fn defend(&mut self, own: u64, other: u64) -> bool {
        if self.completions(other, own) != 0 || (own | other).count_ones() == self.cells {
            return false;
        }
        let stops = self.completions(own, other);
        match stops.count_ones() {
            0 => {}
            1 => return self.attack(own, other | stops),
            _ => return true,
        }
        let (weight, worth) = self.weigh(own, other);
        if weight < 1 << self.k || self.can_be_paired(own, other) {
            return false;
        }
        let replies = self.sorted(own | other, &worth);
        replies.into_iter().all(|cell| self.attack(own, other | 1 << cell))
    }

    /// The cells that complete a line.
    fn completions(&self, own: u64, other: u64) -> u64 {
        let lines = self.lines.iter().filter(|&line| line & other == 0);
        let gaps = lines.map(|line| line & !own).filter(|gap| gap.is_power_of_two());
        gaps.fold(0, |all, gap| all | gap)
    }

    /// The weight of all lines still possible, and of those through each cell, in units of 2^-k.
    fn weigh(&self, own: u64, other: u64) -> (u32, Vec<u32>) {
        let mut worth = vec![0; self.cells as usize];
        let mut sum = 0;
        for &line in self.lines.iter().filter(|&line| line & other == 0) {
            let weight = 1 << (line & own).count_ones();
            sum += weight;
            bits(line & !own).for_each(|cell| worth[cell] += weight);
        }
        (sum, worth)
    }

    /// Whether each line still possible can be given two empty cells of its own.
    fn can_be_paired(&self, own: u64, other: u64) -> bool {
        let lines = self.lines.iter().filter(|&line| line & other == 0);
        let gaps: Vec<u64> = lines.map(|line| line & !own).collect();
        let all = gaps.iter().fold(0, |all, gap| all | gap);
        if 2 * gaps.len() as u32 > all.count_ones() {
            return false;
        }
        let mut owner = vec![None; self.cells as usize];
        (0..gaps.len()).all(|line| (0..2).all(|_| find_cell(line, &gaps, &mut owner, &mut 0)))
    }

    /// The empty cells, the heaviest first.
    fn sorted(&self, occupied: u64, worth: &[u32]) -> Vec<usize> {
        let mut cells: Vec<usize> =
            (0..self.cells as usize).filter(|cell| occupied >> cell & 1 == 0).collect();
        cells.sort_by_key(|&cell| (std::cmp::Reverse(worth[cell]), cell));
        cells
    }

    fn least_image(&self, own: u64, other: u64) -> (u64, u64) {
        if (own | other).count_ones() > STONES_TURNED {
            return (own, other);
        }
        let turned = |stones: u64, image: &[u8]| bits(stones).map(|c| 1 << image[c]).sum::<u64>();
        let images = self.images.iter().map(|image| (turned(own, image), turned(other, image)));
        images.min().unwrap_or((own, other))
    }

    /// Whether these stones hold a line.
    pub(crate) fn has_line(&self, stones: u64) -> bool {
        bits(stones).any(|c| self.through[c].iter().any(|line| line & !stones == 0))
    }
}

/// Gives a line one more cell, moving other lines to other cells if need be.
fn find_cell(line: usize, gaps: &[u64], owner: &mut [Option<usize>], tried: &mut u64) -> bool {
    for cell in bits(gaps[line]) {
        if *tried >> cell & 1 == 1 || owner[cell] == Some(line) {
            continue;
        }
        *tried |= 1 << cell;
        let is_free = owner[cell].is_none_or(|other| find_cell(other, gaps, owner, tried));
        if is_free {
            owner[cell] = Some(line);
            return true;
        }
    }
    false
}

fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        cell
    })
}

fn symmetries(m: u32, n: u32) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for turn in 0..if m == n { 8 } else { 4 } {
        let image = |cell: u32| {
            let (mut x, mut y) = (cell % m, cell / m);
            if turn & 1 == 1 {
                x = m - 1 - x;
            }
            if turn & 2 == 2 {
                y = n - 1 - y;
            }
            if turn & 4 == 4 {
                (x, y) = (y, x);
            }
            (y * m + x) as u8
        };
        all.push((0..m * n).map(image).collect());
    }
    all
}

/// What is known of `m` x `n` boards and `k` in a row: does the first player win? (Uiterwijk and van
/// den Herik 2000; Uiterwijk 2019.) 7x7 with five in a row, a draw, takes this search too long.
pub(crate) const VALUES: [(u32, u32, u32, bool); 20] = [
    (3, 3, 3, false),
    (3, 4, 3, true),
    (4, 3, 3, true),
    (3, 5, 3, true),
    (4, 4, 3, true),
    (5, 5, 3, true),
    (2, 6, 3, false),
    (4, 4, 4, false),
    (4, 5, 4, false),
    (5, 4, 4, false),
    (4, 6, 4, false),
    (3, 8, 4, false),
    (5, 5, 4, false),
    (5, 6, 4, true),
    (6, 5, 4, true),
    (6, 6, 4, true),
    (4, 9, 5, false),
    (5, 5, 5, false),
    (5, 6, 5, false),
    (6, 6, 5, false),
];
