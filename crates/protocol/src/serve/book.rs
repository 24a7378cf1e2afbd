//! What the database commands of Yixin-Board need of a position book.

use gomoku::{Point, Position};
use player::Choice;

/// How a stored value is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum YixinBound {
    /// There is no value.
    #[default]
    None = 0,
    /// At most this.
    Upper = 1,
    /// At least this.
    Lower = 2,
    /// This.
    Exact = 3,
}

/// What a book knows of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct YixinEntry {
    /// `w` win, `l` loss, `d` draw, `x` blocked, `!` forced, by the view of the side to move.
    pub label: Option<u8>,
    /// The value for the side to move.
    pub value: i32,
    /// Plies searched.
    pub depth: i32,
    /// What the value means.
    pub bound: YixinBound,
    /// For people.
    pub comment: String,
    /// The text on the point of the last move, as seen from the position before it.
    pub board_text: String,
}

/// Which entries to delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YixinFilter {
    /// All.
    All,
    /// Wins and losses.
    WinLoss,
    /// All but wins and losses.
    NotWinLoss,
    /// Wins.
    Win,
    /// Losses.
    Loss,
    /// Wins, losses and draws.
    WinLossDraw,
    /// All but wins, losses and draws.
    NotWinLossDraw,
    /// Wins and losses that do not say in how many plies.
    WinLossNoStep,
    /// Wins and losses within this many plies.
    WinLossInStep(u32),
}

impl YixinFilter {
    /// Reads `wl`, `wlinstep 12` and so on, and whether `recursive` follows.
    pub(super) fn parse(text: &str) -> Option<(YixinFilter, bool)> {
        let words: Vec<_> = text.split_whitespace().collect();
        let recursive = words.last() == Some(&"recursive");
        let words = &words[..words.len() - usize::from(recursive)];
        let filter = match words {
            [] => YixinFilter::All,
            ["wl"] => YixinFilter::WinLoss,
            ["nonwl"] => YixinFilter::NotWinLoss,
            ["w"] => YixinFilter::Win,
            ["l"] => YixinFilter::Loss,
            ["wld"] => YixinFilter::WinLossDraw,
            ["nonwld"] => YixinFilter::NotWinLossDraw,
            ["wlnostep"] => YixinFilter::WinLossNoStep,
            ["wlinstep", plies] => YixinFilter::WinLossInStep(plies.parse().ok()?),
            _ => return None,
        };
        Some((filter, recursive))
    }
}

/// Ways to carry a book to and from other files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Writes positions.
    ToPos,
    /// Writes text.
    ToText,
    /// Writes all as text.
    ToTextAll,
    /// Reads text.
    FromText,
    /// Reads a RenLib library.
    FromLibrary,
    /// Writes a RenLib library.
    ToLibrary,
    /// Writes the part below a position.
    Split,
    /// Reads another book into this one.
    Merge,
}

/// A position book that a Yixin-Board can look at and change. Positions that are symmetric are one.
pub trait YixinBook: Send {
    /// Opens another file, after saving the one that is open.
    ///
    /// # Errors
    /// A sentence about what went wrong; so for all others.
    fn open(&mut self, path: &str) -> Result<(), String>;

    /// Saves, and gives the path.
    fn save(&mut self) -> Result<String, String>;

    /// What is known of a position.
    fn get(&self, position: &Position) -> Option<YixinEntry>;

    /// Stores what is known of a position.
    fn put(&mut self, position: &Position, entry: YixinEntry) -> Result<(), String>;

    /// Forgets a position, and with it all that follow if asked. Gives the number of entries.
    fn delete(
        &mut self,
        position: &Position,
        filter: YixinFilter,
        recursive: bool,
    ) -> Result<usize, String>;

    /// Reads or writes another file, at or below a position. Gives a sentence about it.
    fn exchange(
        &mut self,
        exchange: Exchange,
        path: &str,
        position: &Position,
    ) -> Result<String, String>;

    /// Looks for mistakes, mends them if asked, and gives a sentence about it.
    fn check(&mut self, fix: bool) -> Result<String, String>;

    /// Takes note of what the player found in a position: for `yxhashdump`, and in the database
    /// itself where the Board wants it used.
    fn learn(&mut self, position: &Position, choice: &Choice, in_database: bool) {
        let _ = (position, choice, in_database);
    }

    /// Writes what was learned since the table was last cleared to a file, and gives a sentence about
    /// it.
    fn dump(&mut self, path: &str) -> Result<String, String> {
        Err(format!("What was learned cannot be written to {path}."))
    }

    /// Reads what [`YixinBook::dump`] wrote into the database, and gives a sentence about it.
    fn load(&mut self, path: &str) -> Result<String, String> {
        Err(format!("What was learned cannot be read from {path}."))
    }

    /// Forgets what was learned and is not in the database.
    fn forget_learned(&mut self) {}

    /// How many positions were learned.
    fn n_learned(&self) -> usize {
        0
    }

    /// What is known of the positions one move on.
    fn children(&self, position: &Position) -> Vec<(Point, YixinEntry)> {
        let mut next = position.clone();
        let mut found = Vec::new();
        for point in position.board().empty() {
            if next.play(point).is_ok() {
                found.extend(self.get(&next).map(|entry| (point, entry)));
                next.undo();
            }
        }
        found
    }
}
