//! All games of a run in one SGF file, with names, results, times and what the players believed.

use std::io;

use gomoku::{
    Color, Game, Position,
    record::{self, Format, NodeId, Tree},
};

use crate::{
    plan::Plan,
    record::{GameRecord, PairRecord},
};

pub(super) fn games(plan: &Plan, pairs: &[PairRecord]) -> io::Result<Vec<u8>> {
    let mut trees = Vec::new();
    for pair in pairs {
        for number in 0..2 {
            trees.push(tree(plan, pair, number).map_err(io::Error::other)?);
        }
    }
    if trees.is_empty() {
        return Ok(Vec::new());
    }
    record::write(&trees, Format::Sgf).map_err(io::Error::other)
}

/// Game `number` (0 or 1) of a pair, with the names of its players.
///
/// # Errors
/// When the record is not one of this plan.
pub fn played_game(plan: &Plan, pair: &PairRecord, number: usize) -> Result<Game, String> {
    let game = &pair.games[number];
    let sentence = |error: &dyn ToString| error.to_string();
    let start = Position::parse(&pair.opening, plan.rule, plan.size).map_err(|e| sentence(&e))?;
    let mut played = Game::new(start);
    for text in split_moves(&game.moves) {
        let point = text.parse().map_err(|e| sentence(&e))?;
        played.play(point).map_err(|e| sentence(&e))?;
    }
    played.names.black = plan.players[pair.player(number, Color::Black)].name.clone();
    played.names.white = plan.players[pair.player(number, Color::White)].name.clone();
    played.result = Some(game.game_result());
    Ok(played)
}

fn tree(plan: &Plan, pair: &PairRecord, number: usize) -> Result<Tree, String> {
    let (game, played) = (&pair.games[number], played_game(plan, pair, number)?);
    let mut tree = Tree::from_game(&played);
    tree.set_text(NodeId::ROOT, "EV", &plan.run);
    tree.set_text(NodeId::ROOT, "RO", &format!("{}.{}", pair.index + 1, number + 1));
    if !game.detail.is_empty() {
        tree.set_comment(NodeId::ROOT, game.detail.clone());
    }
    annotate(&mut tree, game);
    Ok(tree)
}

/// Times and scores on the moves after the opening: the last ones of the main line.
fn annotate(tree: &mut Tree, game: &GameRecord) {
    let nodes: Vec<NodeId> = tree.main_line().collect();
    let opening = nodes.len() - game.plies().min(nodes.len());
    for (ply, node) in nodes[opening..].iter().enumerate() {
        tree.set_milliseconds(*node, game.times[ply] / 1000);
        if let Some(Some(score)) = game.scores.get(ply) {
            tree.set_comment(*node, format!("{score}"));
        }
    }
}

/// Moves such as `h8i10` one by one.
fn split_moves(moves: &str) -> impl Iterator<Item = &str> {
    let starts: Vec<usize> =
        moves.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([moves.len()]).collect();
    starts.into_iter().zip(ends).map(|(from, to)| &moves[from..to])
}
