//! One position of the book: what a player found there, and how.

use std::fmt::{self, Write};

use gomoku::{Color, Point, Position, Rule, Symmetry};
use player::Score;

use crate::score::score_of;

/// A position up to rotation and reflection: its rule, size, stones and side to move as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// The key of a position, and the symmetry that turns the position into the key's.
    pub fn of(position: &Position) -> (Key, Symmetry) {
        let (board, symmetry) = position.board().canonical();
        let mut text = format!("{} {}", position.rule(), position.size());
        text.reserve(8 + 4 * board.len());
        for (color, before) in [(Color::Black, " b:"), (Color::White, " w:")] {
            text.push_str(before);
            for (i, point) in board.stones(color).iter().enumerate() {
                let comma = if i == 0 { "" } else { "," };
                // Writing into a string cannot fail.
                let _ = write!(text, "{comma}{point}");
            }
        }
        text.push_str(if position.to_move() == Color::Black { " b" } else { " w" });
        (Key(text), symmetry)
    }

    /// Reads a key back. What is not the text of a key, in the orientation of keys, is refused.
    pub fn parse(text: &str) -> Option<Key> {
        let key = Key(text.to_owned());
        (Key::of(&read_position(text)?).0 == key).then_some(key)
    }

    /// The position, in the key's orientation. How it came about is not known.
    pub fn position(&self) -> Position {
        read_position(&self.0).expect("keys are made of positions")
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn read_position(text: &str) -> Option<Position> {
    let mut parts = text.splitn(3, ' ');
    let rule: Rule = parts.next()?.parse().ok()?;
    let size: u8 = parts.next()?.parse().ok()?;
    let position = Position::parse(parts.next()?, rule, size).ok()?;
    position.board().occupied().iter().all(|point| point.is_on(size)).then_some(position)
}

/// How the value of an entry was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decided {
    /// The search stopped at its limit: the value is an opinion.
    Searched,
    /// The search claims a win or a loss.
    Claimed,
    /// A proof came with the claim and was checked.
    Proved,
}

impl Decided {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Decided::Searched => "searched",
            Decided::Claimed => "claimed",
            Decided::Proved => "proved",
        }
    }

    fn from_name(name: &str) -> Option<Decided> {
        [Decided::Searched, Decided::Claimed, Decided::Proved]
            .into_iter()
            .find(|d| d.name() == name)
    }
}

impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a player found in a position. Points are in the orientation of the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// How it was decided.
    pub decided: Decided,
    /// Nodes searched.
    pub nodes: u64,
    /// Plies searched completely.
    pub depth: u32,
    /// The value for the side to move.
    pub value: Score,
    /// The best moves with their values, best first.
    pub moves: Vec<(Point, Score)>,
    /// Who searched, within which limits.
    pub by: String,
}

impl Entry {
    /// `searched 20000 9 35 h8:35,h9:20 engine nodes=20000`.
    pub fn to_text(&self) -> String {
        let moves: Vec<_> =
            self.moves.iter().map(|(point, score)| format!("{point}:{}", score.value())).collect();
        let Entry { decided, nodes, depth, value, by, .. } = self;
        let moves = if moves.is_empty() { "-".to_owned() } else { moves.join(",") };
        format!("{decided} {nodes} {depth} {} {moves} {by}", value.value())
    }

    /// Reads an entry back; its moves must be legal in the position of its key.
    pub fn parse(text: &str, key: &Key) -> Option<Entry> {
        let mut parts = text.splitn(6, ' ');
        let decided = Decided::from_name(parts.next()?)?;
        let nodes = parts.next()?.parse().ok()?;
        let depth = parts.next()?.parse().ok()?;
        let value = score_of(parts.next()?.parse().ok()?)?;
        let position = key.position();
        let moves = match parts.next()? {
            "-" => Vec::new(),
            list => list
                .split(',')
                .map(|part| {
                    let (point, score) = part.split_once(':')?;
                    let point: Point = point.parse().ok()?;
                    let is_legal = point.is_on(position.size()) && position.is_legal(point);
                    Some((point, score_of(score.parse().ok()?)?)).filter(|_| is_legal)
                })
                .collect::<Option<_>>()?,
        };
        let by = parts.next()?.to_owned();
        Some(Entry { decided, nodes, depth, value, moves, by })
    }

    /// The better founded of two entries for the same position. The order of the two does not
    /// matter.
    #[must_use]
    pub fn better(self, other: Entry) -> Entry {
        let rank = |entry: &Entry| (entry.decided, entry.nodes, entry.depth, entry.to_text());
        if rank(&self) >= rank(&other) { self } else { other }
    }
}
