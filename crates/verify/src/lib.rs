//! Checks proofs of wins with its own board and its own rules, and depends on nothing.
//!
//! A proof file (`docs/proof-format.md`) claims that the attacker wins a position within some
//! number of plies, and holds a tree of the attacker's moves. The check plays that tree out on a
//! real board and, at every defender turn, tries every empty cell: no zones, no lemmas, no table.
//! What has to be trusted is `board` and `renju` (the rules), `tree` (the bytes) and `walk`.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod board;
mod fault;
mod renju;
mod sha256;
mod tree;
mod walk;

#[cfg(test)]
mod tests;

use std::{fmt, io::Read, ops::ControlFlow};

pub use board::{Color, Point, Rule};
pub use fault::{Fault, Flaw};
pub use sha256::Sha256;

use crate::{
    board::Board,
    tree::{Source, Stream, number},
    walk::Walk,
};

/// The trees kept for replaying may take this many bytes together.
const KEPT: usize = 1 << 28;

/// What a checked proof has shown. The fields that describe the claim come from the file: compare
/// them with what you asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedProof {
    /// The position and what is claimed about it.
    pub claim: WinClaim,
    /// The attacker's first move, if the attacker is to move.
    pub first: Option<Point>,
    /// Length in bytes, checksum included.
    pub bytes: u64,
    /// How much was checked.
    pub counts: Counts,
    /// SHA-256 of the file without its checksum, which is also what the checksum says.
    pub digest: [u8; 32],
}

/// A position, who is said to win it, and how fast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WinClaim {
    /// The rule played.
    pub rule: Rule,
    /// The side of the square board.
    pub size: usize,
    /// Black's stones, from a1 along the rows.
    pub black: Vec<Point>,
    /// White's stones, in the same order.
    pub white: Vec<Point>,
    /// Who moves next.
    pub to_move: Color,
    /// Who is said to win.
    pub attacker: Color,
    /// No line is longer than this many plies.
    pub plies: usize,
}

/// How much a check has looked at. Replays of one answer for several replies count each time,
/// except that a quick check of a four tries its five once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Attacker moves tried.
    pub nodes: u64,
    /// Defender turns at which every empty cell was examined.
    pub turns: u64,
    /// Empty cells examined at those turns.
    pub replies: u64,
    /// The longest line, in plies from the start position to the stone that ends it.
    pub longest: usize,
}

/// How to examine a four, that is, a defender turn whose default answer is to win at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// See once that the attacker's cell wins and that no cell wins for the defender. A defender's
    /// stone elsewhere cannot shorten a run, so outside caro each reply fails for the same reason.
    Quick,
    /// Place every reply and look again. Same verdict, many times slower.
    Literal,
}

/// Checks a whole proof file. A damaged file is reported as such before anything is played.
///
/// # Errors
/// A [`Fault`] says what is wrong with the proof and after which moves.
pub fn check(bytes: &[u8]) -> Result<CheckedProof, Fault> {
    if let Some((body, checksum)) = bytes.split_last_chunk::<32>()
        && Sha256::of(body) != *checksum
    {
        return Err(Flaw::Damaged.into());
    }
    check_stream(bytes, Manner::Quick, &mut |_| ControlFlow::Continue(()))
}

/// Checks a proof as it is read, holding only the trees that are replayed. `watch` is shown the
/// counts now and then and may stop the check.
///
/// # Errors
/// A [`Fault`] says what is wrong with the proof and after which moves.
pub fn check_stream(
    input: impl Read,
    manner: Manner,
    watch: &mut dyn FnMut(&Counts) -> ControlFlow<()>,
) -> Result<CheckedProof, Fault> {
    let mut input = Stream::new(input, KEPT);
    let claim = read_claim(&mut input)?;
    let board = set_up(&claim)?;
    let mut shared = Vec::new();
    for _ in 0..number(&mut input)? {
        shared.push(input.shared_tree(shared.len())?);
    }
    let walk = Walk::new(board, &claim, &shared, manner, watch);
    let (first, counts) = walk.check(claim.to_move, &mut input)?;
    let (digest, bytes) = input.finish()?;
    Ok(CheckedProof { claim, first, bytes, counts, digest })
}

fn read_claim(input: &mut Stream<impl Read>) -> Result<WinClaim, Flaw> {
    for expected in *b"TENGENPF" {
        if input.byte()? != expected {
            return Err(Flaw::NotAProof);
        }
    }
    match input.byte()? {
        1 => {}
        version => return Err(Flaw::Version(version)),
    }
    let rule = Rule::from_code(input.byte()?).ok_or(Flaw::Header("rule"))?;
    let size = usize::from(input.byte()?);
    if !(5..=22).contains(&size) {
        return Err(Flaw::Header("board size"));
    }
    let to_move = Color::from_code(input.byte()?).ok_or(Flaw::Header("side to move"))?;
    let attacker = Color::from_code(input.byte()?).ok_or(Flaw::Header("attacker"))?;
    let plies = number(input)? as usize;
    let black = read_stones(input, size)?;
    let white = read_stones(input, size)?;
    Ok(WinClaim { rule, size, black, white, to_move, attacker, plies })
}

fn read_stones(input: &mut Stream<impl Read>, size: usize) -> Result<Vec<Point>, Flaw> {
    let count = number(input)?;
    let mut last = None;
    let mut stones = Vec::new();
    for _ in 0..count {
        let cell = number(input)? as usize;
        if cell >= size * size || last.is_some_and(|last| cell <= last) {
            return Err(Flaw::Header("list of stones"));
        }
        last = Some(cell);
        stones.push(Point { col: cell % size, row: cell / size });
    }
    Ok(stones)
}

/// The board of a claim, if its stones are apart and nobody has won yet.
fn set_up(claim: &WinClaim) -> Result<Board, Flaw> {
    let mut board = Board::new(claim.rule, claim.size);
    let sides = [(Color::Black, &claim.black), (Color::White, &claim.white)];
    for (color, stones) in sides {
        for &point in stones {
            let at = board.index(point);
            if !board.is_empty(at) {
                return Err(Flaw::Header("list of stones"));
            }
            board.place(at, color);
        }
    }
    for (color, stones) in sides {
        if stones.iter().any(|&point| board.wins(board.index(point), color)) {
            return Err(Flaw::Decided(color));
        }
    }
    Ok(board)
}

impl CheckedProof {
    /// The digest as 64 hexadecimal digits.
    pub fn digest_text(&self) -> String {
        self.digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for CheckedProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WinClaim { rule, size, black, white, attacker, .. } = &self.claim;
        let Counts { nodes, turns, replies, longest } = self.counts;
        writeln!(f, "{attacker} wins within {longest} plies ({rule}, {size}x{size}).")?;
        if let Some(first) = self.first {
            writeln!(f, "first move           {first}")?;
        }
        writeln!(f, "stones at the start  {}", black.len() + white.len())?;
        writeln!(f, "attacker moves       {nodes}")?;
        writeln!(f, "defender turns       {turns}")?;
        writeln!(f, "replies checked      {replies}")?;
        writeln!(f, "digest               {}", self.digest_text())
    }
}
