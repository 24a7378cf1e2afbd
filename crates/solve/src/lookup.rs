//! What a proved book says of one position, looked up by its stones.

use std::{
    collections::BTreeMap,
    sync::{LazyLock, OnceLock},
};

use gomoku::{Board, Color, Point, Position, Rule};

use crate::book::ProvedBook;

/// A proved win of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The quiet move that wins; `None` if the win is by fours and threats, which the solver finds.
    pub point: Option<Point>,
    /// The win comes within this many plies.
    pub plies: u32,
}

/// A book, arranged by position. Positions that are images of each other are the same.
#[derive(Clone, Debug)]
pub struct Lookup {
    game: (Rule, u8),
    /// Quiet moves and plies, by the least image with the attacker to move.
    decisions: BTreeMap<String, (Point, u32)>,
    /// Plies, by the least image after a quiet move, the defender to move.
    after: BTreeMap<String, u32>,
    /// The most stones of a position after a quiet move.
    most_stones: usize,
}

impl Lookup {
    /// The shipped book for the game of this position, arranged on first use.
    pub fn shipped(position: &Position) -> Option<&'static Lookup> {
        type Shelf = Vec<(&'static ProvedBook, OnceLock<Lookup>)>;
        static SHELF: LazyLock<Shelf> =
            LazyLock::new(|| ProvedBook::shipped().iter().map(|b| (b, OnceLock::new())).collect());
        let is_same =
            |book: &ProvedBook| (book.rule, book.size) == (position.rule(), position.size());
        let (book, lookup) = SHELF.iter().find(|(book, _)| is_same(book))?;
        Some(lookup.get_or_init(|| Lookup::new(book)))
    }

    /// Arranges a book.
    pub fn new(book: &ProvedBook) -> Lookup {
        let (decisions, after) = (BTreeMap::new(), BTreeMap::new());
        let game = (book.rule, book.size);
        let mut lookup = Lookup { game, decisions, after, most_stones: 0 };
        for opening in &book.openings {
            let start = opening.start(book);
            let attacker = start.to_move();
            let plies_at = |board: &Board| {
                (opening.plies + start.board().len() as u32).saturating_sub(board.len() as u32)
            };
            let of_opening = (*start.board(), opening.point);
            let others = opening.decisions(book);
            let others = others.iter().map(|d| (*d.position.board(), d.point));
            for (board, point) in std::iter::once(of_opening).chain(others) {
                lookup.add(&board, attacker, point, plies_at(&board));
            }
        }
        lookup
    }

    /// Of two claims about a position the shorter one is kept.
    fn add(&mut self, board: &Board, attacker: Color, point: Point, plies: u32) {
        let (image, symmetry) = board.canonical();
        let point = symmetry.apply(point, board.size());
        let known = self.decisions.entry(text(&image, attacker)).or_insert((point, plies));
        if plies < known.1 {
            *known = (point, plies);
        }
        let mut after = image;
        after.place(point, attacker);
        self.most_stones = self.most_stones.max(after.len());
        let left = plies.saturating_sub(1);
        let known = self.after.entry(text(&after.canonical().0, !attacker)).or_insert(left);
        *known = left.min(*known);
    }

    /// The plies within which the side to move loses by the book.
    pub fn lost_within(&self, position: &Position) -> Option<u32> {
        let is_same_game = (position.rule(), position.size()) == self.game;
        let image = position.board().canonical().0;
        self.after.get(&text(&image, position.to_move())).copied().filter(|_| is_same_game)
    }

    /// What the book says of a position, if the side to move wins by it.
    pub fn get(&self, position: &Position) -> Option<Known> {
        let board = position.board();
        let is_same_game = (position.rule(), position.size()) == self.game;
        if !is_same_game || board.len() > self.most_stones + 1 || position.outcome().is_some() {
            return None;
        }
        let attacker = position.to_move();
        let (image, symmetry) = board.canonical();
        if let Some(&(point, plies)) = self.decisions.get(&text(&image, attacker)) {
            let point = symmetry.inverse().apply(point, board.size());
            return Some(Known { point: Some(point), plies });
        }
        // A reply for which nothing is written loses by force.
        let before = board.stones(!attacker).iter().filter_map(|reply| {
            let mut before = *board;
            before.remove(reply, !attacker);
            self.after.get(&text(&before.canonical().0, !attacker))
        });
        before.min().map(|&plies| Known { point: None, plies: plies.saturating_sub(1) })
    }
}

/// The stones and the side to move.
fn text(board: &Board, to_move: Color) -> String {
    let names = |color| board.stones(color).iter().map(|p| p.to_string()).collect::<Vec<_>>();
    let [black, white] = Color::ALL.map(|color| names(color).join(","));
    format!("{black} {white} {to_move}")
}
