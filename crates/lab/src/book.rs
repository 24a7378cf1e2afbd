//! The opening book of a player: a short list of positions with a reply, found up to symmetry.

use gomoku::{Point, Position, Symmetry, zobrist::split_mix};

/// Lines of moves from the empty board, each with a name.
#[derive(Clone, Debug, Default)]
pub struct Book {
    lines: Vec<(String, Vec<Point>)>,
    size: u8,
}

/// The 26 named openings of renju: the second stone beside the first, the third within the central
/// five by five. Direct ones have White on h9, indirect ones on i9.
const NAMED: [(&str, &str); 26] = [
    ("Kansei", "h8h9h10"),
    ("Keigetsu", "h8h9i10"),
    ("Sosei", "h8h9j10"),
    ("Kagetsu", "h8h9i9"),
    ("Zangetsu", "h8h9j9"),
    ("Ugetsu", "h8h9i8"),
    ("Kinsei", "h8h9j8"),
    ("Shogetsu", "h8h9h7"),
    ("Kyugetsu", "h8h9i7"),
    ("Shingetsu", "h8h9j7"),
    ("Zuisei", "h8h9h6"),
    ("Sangetsu", "h8h9i6"),
    ("Yusei", "h8h9j6"),
    ("Chosei", "h8i9j10"),
    ("Kyogetsu", "h8i9j9"),
    ("Kosei", "h8i9j8"),
    ("Suigetsu", "h8i9j7"),
    ("Ryusei", "h8i9j6"),
    ("Ungetsu", "h8i9i8"),
    ("Hogetsu", "h8i9i7"),
    ("Rangetsu", "h8i9i6"),
    ("Gingetsu", "h8i9h7"),
    ("Myojo", "h8i9h6"),
    ("Shagetsu", "h8i9g7"),
    ("Meigetsu", "h8i9g6"),
    ("Suisei", "h8i9f6"),
];

impl Book {
    /// The 26 named openings on 15x15.
    pub fn named_openings() -> Book {
        let line = |(name, moves): (&str, &str)| {
            let position = Position::parse(moves, gomoku::Rule::Freestyle, 15);
            (name.to_owned(), position.expect("a named opening can be read").moves().to_vec())
        };
        Book::new(15, NAMED.into_iter().map(line).collect())
    }

    /// A book of lines for boards of one side. A position that begins a line, up to rotation and
    /// reflection, is answered by the line's next move.
    pub fn new(size: u8, lines: Vec<(String, Vec<Point>)>) -> Book {
        Book { lines, size }
    }

    /// The reply to a position and the name of the line, chosen by the seed among all that fit.
    pub fn look_up(&self, position: &Position, seed: u64) -> Option<(Point, String)> {
        let played = position.moves();
        if position.size() != self.size || played.len() != position.board().len() {
            return None;
        }
        let mut replies: Vec<(Point, &str)> = Vec::new();
        for (name, line) in &self.lines {
            let Some(&next) = line.get(played.len()) else { continue };
            for symmetry in Symmetry::all() {
                let image = |point: &Point| symmetry.apply(*point, self.size);
                if line[..played.len()].iter().map(image).eq(played.iter().copied()) {
                    replies.push((image(&next), name));
                }
            }
        }
        replies.retain(|(point, _)| position.is_legal(*point));
        if replies.is_empty() {
            return None;
        }
        let pick = split_mix(seed ^ position.key()) % replies.len() as u64;
        let (point, name) = replies[pick as usize];
        Some((point, name.to_owned()))
    }
}
