//! The opening book of a player: a short list of positions with a reply, found up to symmetry.

use gomoku::{Point, Position, Symmetry, opening::NamedOpening, zobrist::split_mix};

/// Lines of moves from the empty board, each with a name.
#[derive(Clone, Debug, Default)]
pub struct LineBook {
    lines: Vec<(String, Vec<Point>)>,
    size: u8,
}

impl LineBook {
    /// The 26 named openings of renju on 15x15: the second stone beside the first, the third within
    /// the central five by five.
    pub fn named_openings() -> LineBook {
        let line = |opening: NamedOpening| (opening.romaji.to_owned(), opening.stones(15).to_vec());
        LineBook::new(15, NamedOpening::ALL.into_iter().map(line).collect())
    }

    /// A book of lines for boards of one side. A position that begins a line, up to rotation and
    /// reflection, is answered by the line's next move.
    pub fn new(size: u8, lines: Vec<(String, Vec<Point>)>) -> LineBook {
        LineBook { lines, size }
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
