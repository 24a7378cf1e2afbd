//! Liao's 57 openings: the 26 named openings of renju and 31 continuations by a fourth stone.
//!
//! Liao gives his player "57 opening styles" in a figure that is lost. Ours are derived in the open:
//! a player looks at the fourth move of each named opening; the best reply to each comes first, then
//! the replies that lose least against the best one, until 31 positions are found of which no two
//! are alike under the symmetries of the board. `docs/openings.md` has the command.

use std::collections::HashSet;

use gomoku::{Point, Position, Rule, opening::NamedOpening};
use player::{Limits, Player, Task, Unwatched};

/// How many openings Liao's player has.
pub const LIAO_COUNT: usize = 57;

const SIZE: u8 = 15;
const DATA: &str = include_str!("../data/liao-57.txt");

/// One of the 57.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiaoOpening {
    /// The named opening it is or continues.
    pub named: &'static NamedOpening,
    /// Three or four moves on 15x15, from the center.
    pub moves: Vec<Point>,
}

impl LiaoOpening {
    /// Its name: `Kansei`, or `Kansei g9` for a continuation.
    pub fn name(&self) -> String {
        match self.moves.get(3) {
            Some(fourth) => format!("{} {fourth}", self.named.romaji),
            None => self.named.romaji.to_owned(),
        }
    }

    /// The position, under the rule they are chosen for.
    pub fn position(&self) -> Position {
        Position::from_moves(Rule::Renju, SIZE, &self.moves).expect("they can be played")
    }
}

/// The 57 openings.
pub fn liao() -> Vec<LiaoOpening> {
    let lines = DATA.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| parse(line).expect("the shipped 57 can be read")).collect()
}

/// The text of the data file.
pub fn liao_text(openings: &[LiaoOpening]) -> String {
    let mut text = String::from("# Liao's 57 openings: id and moves; see docs/openings.md\n");
    for opening in openings {
        text += &format!("{} {}\n", opening.named.id, opening.position().to_text());
    }
    text
}

fn parse(line: &str) -> Option<LiaoOpening> {
    let (id, moves) = line.split_once(' ')?;
    let position = Position::parse(moves, Rule::Renju, SIZE).ok()?;
    Some(LiaoOpening { named: NamedOpening::find(id)?, moves: position.moves().to_vec() })
}

/// Chooses the 57 anew: the player looks at `width` replies to each named opening.
pub fn derive_liao(player: &mut dyn Player, limits: Limits, width: usize) -> Vec<LiaoOpening> {
    let named: Vec<&'static NamedOpening> = const { &NamedOpening::ALL }.iter().collect();
    let mut replies = Vec::new();
    for (number, opening) in named.iter().enumerate() {
        let position = opening.position(Rule::Renju, SIZE);
        player.new_game(0);
        let task = Task { multi_pv: width, ..Task::new(position, limits) };
        let found = player.choose(&task, &Unwatched).candidates;
        let best = found.first().and_then(|candidate| candidate.score);
        for (rank, candidate) in found.iter().enumerate() {
            let (Some(best), Some(score)) = (best, candidate.score) else { continue };
            let loss = best.value().saturating_sub(score.value());
            replies.push((rank > 0, loss, number, rank, candidate.point));
        }
    }
    // The best replies first, in the order of the openings; then by how little they lose.
    replies.sort_by_key(|&(later, loss, number, rank, _)| {
        (later, if later { loss } else { 0 }, number, rank)
    });
    let mut chosen: Vec<_> = named
        .iter()
        .map(|named| LiaoOpening { named, moves: named.stones(SIZE).to_vec() })
        .collect();
    let mut seen = HashSet::new();
    for (_, _, number, _, fourth) in replies {
        let mut moves = named[number].stones(SIZE).to_vec();
        moves.push(fourth);
        let opening = LiaoOpening { named: named[number], moves };
        if chosen.len() < LIAO_COUNT && seen.insert(opening.position().board().canonical().0.key())
        {
            chosen.push(opening);
        }
    }
    chosen
}
