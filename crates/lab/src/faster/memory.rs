//! What a search remembers: values of positions, best moves, static values, and what has refuted.

use gomoku::{GRID, Point, zobrist};
use player::{Bound, PositionStore, Stored};

use super::{BestPath, MoveList, Switches, database::Database, table::Table};
use crate::{
    search::{Ask, is_decisive},
    tree::{Play, SearchTree},
};

/// All that an alpha-beta search keeps besides the tree it stands in.
pub(crate) struct Memory {
    switches: Switches,
    /// Values, tagged by depth and bound.
    values: Table<i64>,
    statics: Table<i64>,
    /// Best moves as tags. A search of depth 8 meets some hundred thousand positions.
    paths: Table<()>,
    /// Positions on the line that the last search expected, with the move expected there.
    expected: Vec<(u64, Point)>,
    /// How much each point has refuted, for the side to move at the root and for the other one.
    history: [Vec<u32>; 2],
    database: Option<Database>,
    /// Tells rule and board from others.
    salt: u64,
}

impl Memory {
    pub(crate) fn new(switches: Switches) -> Memory {
        Memory {
            switches,
            values: Table::new(16),
            statics: Table::new(16),
            paths: Table::new(18),
            expected: Vec::new(),
            history: [vec![0; GRID], vec![0; GRID]],
            database: None,
            salt: 0,
        }
    }

    pub(crate) fn set_database(&mut self, store: Box<dyn PositionStore>, fingerprint: u64) {
        self.database = Some(Database::new(store, fingerprint));
    }

    pub(crate) fn has_database(&self) -> bool {
        self.database.is_some()
    }

    /// Forgets all but the database, which is saved.
    pub(crate) fn forget(&mut self) {
        self.values.forget();
        self.statics.forget();
        self.paths.forget();
        self.expected.clear();
        if let Some(database) = &mut self.database {
            database.save();
        }
    }

    /// Begins a search. The database is not asked under a limit that counts.
    pub(crate) fn start(&mut self, play: &Play, is_counted: bool) {
        let kind = (play.state.rule() as u64) << 8 | u64::from(play.state.size());
        self.salt = zobrist::split_mix(kind);
        self.history.iter_mut().for_each(|points| points.fill(0));
        if let Some(database) = &mut self.database {
            database.ask(!is_counted);
        }
    }

    /// Values are from the view of one side, so a position has one key for each.
    #[inline]
    pub(crate) fn key(&self, key: u64, is_maximizing: bool) -> u64 {
        let side = if is_maximizing { 0 } else { 0x5851_f42d_4c95_7f2d };
        key ^ self.salt ^ side
    }

    /// The static value of a position, worked out if it is not at hand.
    #[inline]
    pub(crate) fn static_value(&mut self, key: u64, compute: impl FnOnce() -> i64) -> i64 {
        if let Some((_, value)) = self.statics.get(key) {
            return value;
        }
        let value = compute();
        self.statics.put(key, 0, value);
        value
    }

    /// The value of a position, if what is remembered settles the question.
    #[inline]
    pub(crate) fn known(&self, key: u64, ask: &Ask) -> Option<i64> {
        let settle = |stored: Stored| {
            let stored = Stored { value: from_store(stored.value, ask.ply), ..stored };
            stored.settles(ask.depth, ask.alpha, ask.beta)
        };
        if self.switches.table
            && let Some(value) = self.values.get(key).map(stored).and_then(settle)
        {
            return Some(value);
        }
        self.database.as_ref()?.get(key, ask.depth).and_then(settle)
    }

    /// The best move of an earlier search, if such moves are used.
    #[inline]
    pub(crate) fn best_move(&self, key: u64) -> Option<Point> {
        if !self.switches.uses_paths() {
            return None;
        }
        let remembered = || self.paths.get(key).and_then(|(i, ())| Point::from_index(i.into()));
        self.expected_move(key).or_else(remembered)
    }

    /// The move that the search of the game's move before expected in a position on its line, if that
    /// line excludes anything.
    #[inline]
    fn expected_move(&self, key: u64) -> Option<Point> {
        self.expected.iter().find(|(at, _)| *at == key).map(|&(_, point)| point)
    }

    /// Keeps the line that a search expects, for the next one.
    pub(crate) fn expect(&mut self, play: &mut Play, line: &[Point]) {
        self.expected.clear();
        if self.switches.best_path != BestPath::ExcludeOnPath {
            return;
        }
        for &point in line {
            let key = self.key(play.key(), play.is_maximizing());
            self.expected.push((key, point));
            play.play(point);
        }
        line.iter().rev().for_each(|&point| play.undo(point));
    }

    /// Puts the best move of an earlier search first, if it is a candidate, and says where it was.
    /// What it excludes is dropped.
    pub(crate) fn arrange(
        &self,
        tree: &impl SearchTree,
        key: u64,
        moves: &mut MoveList,
    ) -> Option<usize> {
        let best = self.best_move(key)?;
        let place = moves.promote(best)?;
        match self.switches.best_path {
            BestPath::Off | BestPath::Order => {}
            BestPath::ExcludeOnPath if self.expected_move(key).is_none() => {}
            BestPath::Exclude | BestPath::ExcludeOnPath => moves.truncate(place + 1),
            BestPath::ExcludeLess => {
                let least = tree.probability(best);
                moves.retain(|point| tree.probability(point) >= least);
            }
        }
        Some(place)
    }

    pub(crate) fn put_best_move(&mut self, key: u64, point: Point) {
        self.paths.put(key, point.index() as u16, ());
    }

    /// Learns what a search of a position has shown; its value may be stored for another ply.
    pub(crate) fn remember(&mut self, key: u64, ply: u32, found: Stored) {
        if self.switches.uses_paths()
            && found.bound != Bound::AtMost
            && let Some(best) = found.best
        {
            self.put_best_move(key, best);
        }
        let stored = Stored { value: to_store(found.value, ply), ..found };
        if self.switches.table {
            self.values.put(key, tag(&stored), stored.value);
        }
        if let Some(database) = &mut self.database {
            database.put(key, stored);
        }
    }

    /// How much a point has refuted for the side to move at this ply.
    #[inline]
    pub(crate) fn refuted(&self, ply: u32, point: Point) -> u32 {
        self.history[ply as usize % 2][point.index()]
    }

    /// The point refuted a search of this depth.
    #[inline]
    pub(crate) fn praise(&mut self, ply: u32, depth: u32, point: Point) {
        if self.switches.history {
            let worth = &mut self.history[ply as usize % 2][point.index()];
            *worth = worth.saturating_add(depth * depth);
        }
    }
}

/// What a tag and a value say of a position, but for its best move.
#[inline]
fn stored((tag, value): (u16, i64)) -> Stored {
    let bound = match tag & 3 {
        0 => Bound::Exact,
        1 => Bound::AtLeast,
        _ => Bound::AtMost,
    };
    Stored { value, depth: u32::from(tag >> 2), bound, best: None }
}

#[inline]
fn tag(stored: &Stored) -> u16 {
    (stored.depth as u16) << 2 | stored.bound as u16
}

/// Wins are stored as so many plies from the position itself.
fn to_store(value: i64, ply: u32) -> i64 {
    if is_decisive(value) { value + value.signum() * i64::from(ply) } else { value }
}

fn from_store(value: i64, ply: u32) -> i64 {
    if is_decisive(value) { value - value.signum() * i64::from(ply) } else { value }
}
