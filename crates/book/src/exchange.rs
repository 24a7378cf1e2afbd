//! Books as records that other programs read: trees of variations out, games in.

use std::collections::BTreeSet;

use gomoku::{
    Color, Point, Position, Rule,
    record::{Move, NodeId, Tree},
};

use crate::{
    entry::Key,
    position_book::{BookGame, PositionBook, played},
};

/// The searched positions of one rule and size as a tree with the values as comments. Lines that
/// meet again are followed once. Positions whose stones do not alternate are left out.
pub fn book_tree(book: &PositionBook, rule: Rule, size: u8) -> Tree {
    let mut tree = Tree::new(size);
    tree.set_rule(rule);
    let mut seen = BTreeSet::new();
    let mut roots: Vec<(usize, &Key, Position)> = book
        .entries()
        .map(|(key, _)| (key, key.position()))
        .filter(|(_, position)| position.rule() == rule && position.size() == size)
        .map(|(key, position)| (position.board().len(), key, position))
        .collect();
    roots.sort_by_key(|&(stones, key, _)| (stones, key));
    for (_, key, position) in roots {
        // Whatever an earlier root leads to has been written below it.
        if seen.contains(key) {
            continue;
        }
        if let Some(moves) = alternating(&position)
            && let Ok(start) = Position::from_moves(rule, size, &moves)
        {
            let at = add_moves(&mut tree, NodeId::ROOT, &moves);
            add_below(book, &mut tree, at, &start, &mut seen);
        }
    }
    tree
}

/// The stones of a position as moves in turn, if there are as many of each side as there should be.
fn alternating(position: &Position) -> Option<Vec<Point>> {
    let stones = |color| position.board().stones(color).iter().collect::<Vec<Point>>();
    let (black, white) = (stones(Color::Black), stones(Color::White));
    let moves: Vec<Point> = (0..black.len() + white.len())
        .map(|turn| if turn % 2 == 0 { black.get(turn / 2) } else { white.get(turn / 2) })
        .map(Option::<&Point>::copied)
        .collect::<Option<_>>()?;
    (Color::of_turn(moves.len()) == position.to_move()).then_some(moves)
}

fn add_moves(tree: &mut Tree, from: NodeId, moves: &[Point]) -> NodeId {
    moves.iter().fold(from, |at, &point| {
        let played = Move::stone(tree.to_move(at), point);
        tree.child_with(at, played).unwrap_or_else(|| tree.add_child(at, Some(played)))
    })
}

fn add_below(
    book: &PositionBook,
    tree: &mut Tree,
    at: NodeId,
    position: &Position,
    seen: &mut BTreeSet<Key>,
) {
    let (key, _) = Key::of(position);
    let Some(entry) = book.entry(&key) else { return };
    if !seen.insert(key) {
        return;
    }
    let Some(look) = book.look(position) else { return };
    let value = look.value.unwrap_or(entry.value);
    tree.set_comment(
        at,
        format!("{value}, {}: {} nodes, depth {}", entry.decided, entry.nodes, entry.depth),
    );
    for next in look.moves.iter().filter(|next| next.entry.is_some()) {
        if let Some(child) = played(position, next.point).filter(|c| !seen.contains(&Key::of(c).0))
        {
            let to = add_moves(tree, at, &[next.point]);
            add_below(book, tree, to, &child, seen);
        }
    }
}

/// The games of a record: the main line with its result, every other line without one. Lines that
/// cannot be played or do not start from the empty board are left out.
pub fn games_of(tree: &Tree, rule: Rule) -> Vec<BookGame> {
    let rule = tree.rule().unwrap_or(rule);
    let main_end = tree.main_line().last();
    let mut games = Vec::new();
    for leaf in tree.leaves() {
        let Ok(position) = tree.position_at(leaf, rule) else { continue };
        if position.moves().is_empty() || position.moves().len() != position.board().len() {
            continue;
        }
        let winner = match position.outcome() {
            Some(outcome) => Some(outcome.winner()),
            None => tree.result().filter(|_| main_end == Some(leaf)).map(|result| result.winner),
        };
        let result = match winner {
            Some(Some(Color::Black)) => 'b',
            Some(Some(Color::White)) => 'w',
            Some(None) => 'd',
            None => '?',
        };
        let game = (rule.name().to_owned(), position.size());
        games.push(BookGame { game, result, moves: position.to_text() });
    }
    games
}
