//! The board as the manager tells it, whether or not a game could have led there.

use gomoku::{Board, Color, Point, PointSet, Position, Rule};

/// A board with the order of its stones.
#[derive(Clone, Debug)]
pub(super) struct ManagerBoard {
    board: Board,
    stones: Vec<(Point, Color)>,
    /// Points of finished lines in a continuous game: nobody may play there.
    dead: PointSet,
    to_move: Color,
}

impl ManagerBoard {
    /// An empty board, if the side is one that we can play on.
    pub(super) fn new(size: i32) -> Option<ManagerBoard> {
        u8::try_from(size).ok().and_then(Board::try_new).map(ManagerBoard::empty)
    }

    /// A game on a board without stones.
    pub(super) fn empty(board: Board) -> ManagerBoard {
        ManagerBoard { board, stones: Vec::new(), dead: PointSet::EMPTY, to_move: Color::Black }
    }

    pub(super) fn size(&self) -> u8 {
        self.board.size()
    }

    pub(super) fn len(&self) -> usize {
        self.stones.len()
    }

    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    pub(super) fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    pub(super) fn dead(&self) -> PointSet {
        self.dead
    }

    /// The points where a stone may still be placed.
    pub(super) fn free(&self) -> PointSet {
        self.board.empty() - self.dead
    }

    /// Places a stone of a given color; false if the point is taken.
    pub(super) fn put(&mut self, point: Point, color: Color) -> bool {
        let is_free = self.free().contains(point);
        if is_free {
            self.board.place(point, color);
            self.stones.push((point, color));
        }
        is_free
    }

    /// Makes a point unusable; false if it is taken.
    pub(super) fn kill(&mut self, point: Point) -> bool {
        let is_free = self.free().contains(point);
        self.dead.insert(point);
        is_free
    }

    /// Places a stone of the side to move; false if the point is taken.
    pub(super) fn play(&mut self, point: Point) -> bool {
        let played = self.put(point, self.to_move);
        if played {
            self.to_move = !self.to_move;
        }
        played
    }

    /// Takes a stone back; its side is to move again. False if there is none.
    pub(super) fn take_back(&mut self, point: Point) -> bool {
        let Some(index) = self.stones.iter().position(|(at, _)| *at == point) else { return false };
        let (point, color) = self.stones.remove(index);
        self.board.remove(point, color);
        self.to_move = color;
        true
    }

    /// The position for a player: with its moves if they alternate, else as stones set up.
    pub(super) fn position(&self, rule: Rule) -> Position {
        let colors = self.stones.iter().map(|(_, color)| *color);
        let alternate = colors.eq((0..self.stones.len()).map(Color::of_turn))
            && self.to_move == Color::of_turn(self.stones.len());
        let moves: Vec<_> = self.stones.iter().map(|(point, _)| *point).collect();
        let played = alternate.then(|| Position::from_moves(rule, self.size(), &moves).ok());
        played.flatten().unwrap_or_else(|| Position::from_board(rule, self.board, self.to_move))
    }

    /// Something to play when no player can help: the free point nearest to the last stone.
    pub(super) fn any_move(&self, rule: Rule) -> Option<Point> {
        let near = self.stones.last().map_or(Point::center(self.size()), |(point, _)| *point);
        let position = self.position(rule);
        let rank = |point: &Point| {
            (position.forbidden(*point).is_some(), point.distance(near), point.index())
        };
        self.free().iter().min_by_key(rank)
    }
}
