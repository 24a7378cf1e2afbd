//! What a book says of the whole game, and how an opening of it is proved again.

use std::{collections::BTreeMap, io};

use gomoku::{Board, Color, Point};
use player::Watch;
use sha2::{Digest, Sha256};

use crate::{
    book::{ProvedBook, ProvedOpening},
    quiet::{Prover, book_efforts},
};

/// An opening that was proved again from its decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproved {
    /// A longest line, from the winning move on.
    pub line: Vec<Point>,
    /// Stones placed in search.
    pub nodes: u64,
}

impl ProvedBook {
    /// White's replies to a stone in the center, one for all that are images of each other, from the
    /// center outward, with the opening that begins so.
    pub fn second_moves(&self) -> Vec<(Point, Option<&ProvedOpening>)> {
        let center = Point::center(self.size);
        let after = |second: Point| {
            let mut board = Board::new(self.size);
            board.place(center, Color::Black);
            board.place(second, Color::White);
            board.canonical().0
        };
        // Of the images the last one stays, which is the highest and of these the one to the right.
        let others = Point::all(self.size).filter(|&second| second != center);
        let classes: BTreeMap<u64, Point> = others.map(|p| (after(p).key(), p)).collect();
        let mut seconds: Vec<Point> = classes.into_values().collect();
        seconds.sort_by_key(|second| (second.row(), second.col()));
        let opening = |second: Point| {
            let is_same = |opening: &&ProvedOpening| match opening.moves[..] {
                [first, other] => first == center && after(other) == after(second),
                _ => false,
            };
            (second, self.openings.iter().find(is_same))
        };
        seconds.into_iter().map(opening).collect()
    }

    /// The second moves that nothing is proved about.
    pub fn open(&self) -> Vec<Point> {
        let open = |(second, opening): (Point, Option<_>)| opening.is_none().then_some(second);
        self.second_moves().into_iter().filter_map(open).collect()
    }

    /// The opening with the longest win.
    pub fn longest(&self) -> Option<&ProvedOpening> {
        self.openings.iter().rev().max_by_key(|opening| opening.plies)
    }

    /// One digest for all proofs: SHA-256 of a line for each opening, its moves, the winning move and
    /// the digest of its proof. `None` if one of them has not been verified.
    pub fn digest(&self) -> Option<String> {
        let mut hash = Sha256::new();
        for opening in &self.openings {
            let name = opening.name();
            hash.update(format!("{name} {}\n", opening.digest.as_ref()?));
        }
        Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl ProvedOpening {
    /// Its moves and the winning move, such as `h8 o15 g9`.
    pub fn name(&self) -> String {
        let moves = self.moves.iter().chain([&self.point]);
        moves.map(Point::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Proves it again from its decisions and nothing else, with the book's memory, and writes the
    /// proof as it is found. `None` if the decisions do not suffice or the watch stopped it.
    ///
    /// # Errors
    /// If the proof cannot be written.
    pub fn prove(
        &self,
        book: &ProvedBook,
        watch: &dyn Watch,
        out: &mut dyn io::Write,
    ) -> io::Result<Option<Reproved>> {
        let mut prover = Prover::new(book.memory);
        self.decisions(book).iter().for_each(|decision| prover.remember(decision));
        let (start, efforts) = (self.start(book), book_efforts());
        let line = prover.stream_move(&start, self.point, &efforts, self.plies, watch, out)?;
        Ok(line.map(|line| Reproved { line, nodes: prover.nodes() }))
    }
}
