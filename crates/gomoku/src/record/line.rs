//! One line of play: what the formats without variations hold.

use super::{Format, Move, NodeId, RecordError, Tree, no_place, text};
use crate::{
    color::Color,
    point::{MAX_SIZE, Point},
    points::PointSet,
};

/// Adds moves to a tree, of alternating colors unless a color is told, and refuses a point that is
/// taken.
pub(super) struct Line<'a> {
    format: Format,
    bytes: &'a [u8],
    tree: &'a mut Tree,
    at: NodeId,
    turn: usize,
    taken: PointSet,
}

impl<'a> Line<'a> {
    pub(super) fn new(format: Format, bytes: &'a [u8], tree: &'a mut Tree) -> Line<'a> {
        Line { format, bytes, tree, at: NodeId::ROOT, turn: 0, taken: PointSet::EMPTY }
    }

    /// Adds the move found at a byte of the file; `None` is off the board.
    pub(super) fn add(
        &mut self,
        point: Option<Point>,
        offset: usize,
    ) -> Result<NodeId, RecordError> {
        self.add_for(Color::of_turn(self.turn), point, offset)
    }

    /// Adds a move of a color.
    pub(super) fn add_for(
        &mut self,
        color: Color,
        point: Option<Point>,
        offset: usize,
    ) -> Result<NodeId, RecordError> {
        let size = self.tree.size();
        let wrong =
            |expected: String| Err(text::unexpected(self.format, self.bytes, offset, expected));
        let Some(point) = point.filter(|point| point.is_on(size)) else {
            return wrong(format!("a point of the {size}x{size} board"));
        };
        if self.taken.contains(point) {
            return wrong("an empty point".into());
        }
        self.taken.insert(point);
        let played = Move::stone(color, point);
        self.at = self.tree.add_child(self.at, Some(played));
        self.turn += 1;
        Ok(self.at)
    }

    pub(super) fn tree(&mut self) -> &mut Tree {
        self.tree
    }
}

/// The points of a tree's main line, if it is moves of alternating colors and nothing else.
pub(super) fn points_of(tree: &Tree, format: Format) -> Result<Vec<(NodeId, Point)>, RecordError> {
    let mut points = Vec::new();
    let mut taken = PointSet::EMPTY;
    for id in tree.main_line() {
        if tree.has_set_up(id) {
            return Err(no_place(format, "set-up stones"));
        }
        let Some(played) = tree.played(id) else { continue };
        let point = played.point.ok_or_else(|| no_place(format, "a pass"))?;
        if played.color != Color::of_turn(points.len()) {
            return Err(no_place(format, "two moves in a row by one side"));
        }
        if taken.contains(point) || !point.is_on(tree.size()) {
            return Err(no_place(format, format!("the impossible move {point}")));
        }
        taken.insert(point);
        points.push((id, point));
    }
    Ok(points)
}

/// The side of a board for a file that does not say: the one that is told, else the first usual one
/// that has room for a column or row of this number (from 0).
pub(super) fn size_for(told: Option<u8>, usual: u8, highest: i64) -> u8 {
    let fits = |size: &u8| i64::from(*size) > highest;
    told.unwrap_or_else(|| [usual, 15, 19, 20].into_iter().find(fits).unwrap_or(MAX_SIZE))
}
