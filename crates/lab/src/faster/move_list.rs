//! A list of moves that is put in order only as far as somebody looks.
//!
//! Alpha-beta often stops after the first move or two, so sorting all of them would be wasted. Each
//! move is one number (sort key, then rank before sorting, then point), and the next best one is
//! found when it is asked for.

use std::cmp::Reverse;

use gomoku::Point;

/// Moves, best first, the order being worked out on demand.
#[derive(Clone, Debug, Default)]
pub struct MoveList {
    entries: Vec<u64>,
    /// So many entries are in their final place.
    n_settled: usize,
    /// Only so many moves count.
    limit: usize,
}

const RANKS: u64 = 0xffff;

/// So many moves are picked one by one before the rest is sorted at once.
const PICKED: usize = 2;

#[inline(always)]
fn entry(key: i64, rank: usize, index: usize) -> u64 {
    let key = (key.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) - i64::from(i32::MIN)) as u64;
    key << 32 | (RANKS - rank as u64) << 16 | index as u64
}

#[inline(always)]
fn point_of(entry: u64) -> Point {
    Point::from_index(entry as usize & 0xffff).expect("only points are put in a list")
}

impl MoveList {
    /// Takes all moves out.
    pub fn clear(&mut self) {
        self.entries.clear();
        (self.n_settled, self.limit) = (0, usize::MAX);
    }

    /// A list of these moves, in this order.
    pub fn of(points: &[Point]) -> MoveList {
        let mut moves = MoveList::default();
        moves.clear();
        points.iter().for_each(|&point| moves.push(point));
        moves
    }

    /// Adds a move behind all others. Only for lists that have not been ranked.
    #[inline(always)]
    pub fn push(&mut self, point: Point) {
        let rank = self.entries.len();
        self.entries.push(entry(0, rank, point.index()));
        self.n_settled = rank + 1;
    }

    /// Adds a move that goes before all of a smaller key and behind earlier ones of the same key.
    /// Only for lists that hold no others.
    #[inline(always)]
    pub fn push_ranked(&mut self, point: Point, key: u32) {
        let rank = self.entries.len() as u64;
        self.entries.push(u64::from(key) << 32 | (RANKS - rank) << 16 | point.index() as u64);
    }

    /// Number of moves.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.entries.len().min(self.limit)
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The move in place `i`.
    #[inline]
    pub fn get(&mut self, i: usize) -> Option<Point> {
        if i >= self.len() {
            return None;
        }
        while self.n_settled <= i {
            self.settle_more();
        }
        Some(point_of(self.entries[i]))
    }

    /// Puts the next move in its place, or all that count once it is clear that many are wanted.
    fn settle_more(&mut self) {
        if self.n_settled < PICKED {
            let rest = &mut self.entries[self.n_settled..];
            let (mut best, mut at) = (rest[0], 0);
            for (j, &entry) in rest.iter().enumerate() {
                if entry > best {
                    (best, at) = (entry, j);
                }
            }
            rest.swap(0, at);
            self.n_settled += 1;
            return;
        }
        self.settle_all();
    }

    /// Puts all moves that count in their places.
    fn settle_all(&mut self) {
        let n_wanted = self.len().saturating_sub(self.n_settled);
        let rest = &mut self.entries[self.n_settled..];
        if n_wanted < rest.len() {
            rest.select_nth_unstable_by(n_wanted, |a, b| b.cmp(a));
        }
        rest[..n_wanted].sort_unstable_by(|a, b| b.cmp(a));
        self.n_settled += n_wanted;
    }

    /// Sorts by falling key; moves of equal key keep their order.
    pub fn rank(&mut self, mut key: impl FnMut(Point) -> i64) {
        self.settle();
        for (rank, slot) in self.entries.iter_mut().enumerate() {
            let point = point_of(*slot);
            *slot = entry(key(point), rank, point.index());
        }
        self.n_settled = 0;
    }

    /// Sorts by a key kept for every cell of the padded grid, see [`Point::index`].
    #[inline]
    pub fn rank_by_cell(&mut self, keys: &[u32]) {
        self.settle();
        for (rank, slot) in self.entries.iter_mut().enumerate() {
            let index = *slot & 0xffff;
            *slot = u64::from(keys[index as usize]) << 32 | (RANKS - rank as u64) << 16 | index;
        }
        self.n_settled = 0;
    }

    /// Keeps only the first so many.
    pub fn truncate(&mut self, n: usize) {
        self.limit = self.limit.min(n);
    }

    /// Keeps only the moves that pass, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Point) -> bool) {
        let is_ranked = self.n_settled == 0 && self.limit == usize::MAX;
        if !is_ranked {
            self.settle();
        }
        self.entries.retain(|&entry| keep(point_of(entry)));
        self.n_settled = if is_ranked { 0 } else { self.entries.len() };
    }

    /// Puts a move first, if it is among those that count, and says in which place it was.
    pub fn promote(&mut self, point: Point) -> Option<usize> {
        let index = point.index() as u64;
        let at = self.entries.iter().position(|&entry| entry & 0xffff == index)?;
        let place = if at < self.n_settled {
            at
        } else {
            let entry = self.entries[at];
            self.entries.iter().filter(|&&other| other > entry).count()
        };
        if place >= self.len() {
            return None;
        }
        if at < self.n_settled {
            self.entries[..=at].rotate_right(1);
        } else {
            // Whatever was settled before stays in order behind it; the rest is found on demand.
            self.entries.swap(self.n_settled, at);
            self.entries[..=self.n_settled].rotate_right(1);
            self.n_settled += 1;
        }
        Some(place)
    }

    /// Sorts what comes after the first `n` by falling key; moves of equal key keep their order.
    pub fn reorder(&mut self, n: usize, key: impl Fn(Point) -> u32) {
        if self.len() > n + 1 {
            self.settle();
            self.entries[n..].sort_by_key(|&entry| Reverse(key(point_of(entry))));
        }
    }

    /// All moves in order, without a copy.
    pub fn settled(&mut self) -> impl Iterator<Item = Point> {
        self.settle();
        self.entries.iter().map(|&entry| point_of(entry))
    }

    /// All moves in order.
    pub fn to_vec(&mut self) -> Vec<Point> {
        self.settled().collect()
    }

    /// Finishes the order and drops what is beyond the limit.
    fn settle(&mut self) {
        self.settle_all();
        self.entries.truncate(self.limit);
        self.n_settled = self.entries.len();
        self.limit = usize::MAX;
    }
}
