//! Everything that only makes the searches faster: remembered values, what is tried first, narrow
//! windows, lists that are sorted only as far as somebody looks.
//!
//! No value depends on any of it, the forms of `best-path` that exclude candidates excepted: `tests/values.rs` holds every switch
//! against plain minimax, and `tests/database.rs` the positions kept from game to game. The plain
//! algorithms are in `search`, and a reader who compares those with a paper can leave this folder
//! closed.

mod database;
mod first;
mod line_table;
mod memory;
mod move_list;
mod near_top;
mod scout;
mod shortcuts;
mod table;

pub use database::MemoryStore;
pub use line_table::LineTable;
pub(crate) use memory::Memory;
pub use move_list::MoveList;
pub(crate) use near_top::NearTop;
pub use shortcuts::Shortcuts;

/// What can be switched on an alpha-beta search. Nothing here changes a value but a `best_path` that
/// [excludes](BestPath::excludes) candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Search depth 1, then 2, and so on.
    pub deepening: bool,
    /// Remember values and take them again at equal depth (Fan & Yuan's "already expanded, so
    /// pruned"; Figueira's look-up table).
    pub table: bool,
    /// Remember static values (Fan & Yuan's Zobrist cache).
    pub cache: bool,
    /// Remember best moves between the moves of a game.
    pub best_path: BestPath,
    /// Order by the results of shallower depths (Figueira's future work); implies deepening.
    pub shallow: bool,
    /// Look for a winning candidate before searching any other.
    pub win_first: bool,
    /// Order the candidates behind the first by how much they have refuted elsewhere in the tree.
    pub history: bool,
    /// Ask of most moves only whether they are better than the best, deepen by two plies, and try
    /// the reply that refuted a neighbor before any are listed.
    pub scout: bool,
    /// A node never answers with more than the window's upper bound or less than its lower one (Gu's
    /// code). The root, whose window is open, answers the same.
    pub fail_hard: bool,
}

impl Switches {
    /// Everything off.
    pub const PLAIN: Switches = Switches {
        deepening: false,
        table: false,
        cache: false,
        best_path: BestPath::Off,
        shallow: false,
        win_first: false,
        history: false,
        scout: false,
        fail_hard: false,
    };

    /// Whether best moves are remembered.
    pub(crate) fn uses_paths(&self) -> bool {
        self.best_path != BestPath::Off || self.shallow
    }
}

/// What to do with best paths remembered from earlier moves and iterations (Liao 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestPath {
    /// Nothing.
    Off,
    /// Look at the remembered move first, and where the position is new, at the move that last
    /// refuted a neighbor at the same ply. Never changes a value.
    Order,
    /// Look at nothing that the candidates put behind the remembered move. May change values.
    Exclude,
    /// The same, but only in positions on the line that the search of the move before expected. In
    /// all others as `Order`.
    ExcludeOnPath,
    /// Look at nothing that is less probable than the remembered move.
    ExcludeLess,
}

impl BestPath {
    /// Whether candidates are dropped, so that values may change.
    pub fn excludes(self) -> bool {
        matches!(self, BestPath::Exclude | BestPath::ExcludeOnPath | BestPath::ExcludeLess)
    }

    /// Whether a position of which no best move is remembered borrows a neighbor's refutation.
    pub(crate) fn borrows(self) -> bool {
        matches!(self, BestPath::Order | BestPath::ExcludeOnPath)
    }
}
