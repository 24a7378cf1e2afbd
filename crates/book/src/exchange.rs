//! Books as records that other programs read: trees of variations out, games in.

use std::collections::BTreeSet;

use gomoku::{
    Color, Point, Position, Rule,
    record::{Mark, Move, NodeId, Tree},
};

use crate::{
    entry::Key,
    position_book::{BookGame, PositionBook, played},
};

/// The positions of one rule and size as a tree, with values and notes as comments and texts as
/// labels. Lines that meet again are followed once. Positions whose stones do not alternate are left
/// out.
pub fn book_tree(book: &PositionBook, rule: Rule, size: u8) -> Tree {
    let mut tree = Tree::new(size);
    tree.set_rule(rule);
    let mut seen = BTreeSet::new();
    let mut roots: Vec<(usize, &Key, Position)> = book
        .keys()
        .into_iter()
        .map(|key| (key, key.position()))
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
    if !book.knows(&key) || !seen.insert(key.clone()) {
        return;
    }
    describe(book, tree, at, &key);
    let mut children: Vec<(Key, Point, Position)> = Vec::new();
    for point in position.legal_points().iter() {
        let Some(child) = played(position, point) else { continue };
        let (key, _) = Key::of(&child);
        if let Some(note) = book.note(&key).filter(|note| !note.text.is_empty()) {
            tree.add_mark(at, Mark::Label(point, note.text.as_str().into()));
        }
        if book.knows(&key) {
            children.push((key, point, child));
        }
    }
    // What is worst for the other side comes first, what was not searched last.
    children.sort_by_key(|(key, ..)| {
        let value = book.value(key);
        (value.is_none(), value)
    });
    for (key, point, child) in children {
        if !seen.contains(&key) {
            let to = add_moves(tree, at, &[point]);
            add_below(book, tree, to, &child, seen);
        }
    }
}

/// What was found and what was written, as the comment of a node.
fn describe(book: &PositionBook, tree: &mut Tree, at: NodeId, key: &Key) {
    let found = book.entry(key).map(|entry| {
        let value = book.value(key).unwrap_or(entry.value);
        format!("{value}, {}: {} nodes, depth {}", entry.decided, entry.nodes, entry.depth)
    });
    let written = book.note(key).map(|note| note.comment.clone()).filter(|text| !text.is_empty());
    let text: Vec<String> = written.into_iter().chain(found).collect();
    if !text.is_empty() {
        tree.set_comment(at, text.join("\n"));
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
