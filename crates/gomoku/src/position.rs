//! A position: stones, the side to move and the rule.

use std::fmt;

use thiserror::Error;

use crate::{
    board::Board,
    color::Color,
    notation::{self, Pair},
    point::{Direction, MAX_SIZE, MIN_SIZE, Point},
    points::PointSet,
    renju::{self, Forbidden},
    rule::Rule,
    symmetry::Symmetry,
    zobrist,
};

/// Everything that decides what may be played and who has won.
///
/// ```
/// use gomoku::{Color, Outcome, Position, Rule};
/// let position = Position::parse("h8h9i8i9j8j9k8k9l8", Rule::Freestyle, 15).unwrap();
/// assert_eq!(position.outcome().and_then(Outcome::winner), Some(Color::Black));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    rule: Rule,
    board: Board,
    to_move: Color,
    moves: Vec<Point>,
    outcome: Option<Outcome>,
}

/// How a game is decided by the board alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side has made its five.
    Five(Color),
    /// Black has played a forbidden point and loses.
    Forbidden,
    /// The board is full.
    Draw,
}

impl Outcome {
    /// Who has won, if anyone.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Five(color) => Some(color),
            Outcome::Forbidden => Some(Color::White),
            Outcome::Draw => None,
        }
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The board is smaller.
    #[error("{0} is not on this board.")]
    OffBoard(Point),
    /// There is a stone already.
    #[error("{0} is occupied.")]
    Occupied(Point),
    /// The game has ended.
    #[error("The game is over.")]
    Over,
}

impl Position {
    /// The empty board, Black to move.
    ///
    /// # Panics
    /// If the size is not 5 to 22.
    pub fn new(rule: Rule, size: u8) -> Position {
        Position::from_board(rule, Board::new(size), Color::Black)
    }

    /// Any stones, either side to move. The order in which the stones were played is not known.
    pub fn from_board(rule: Rule, board: Board, to_move: Color) -> Position {
        let mut position = Position { rule, board, to_move, moves: Vec::new(), outcome: None };
        position.outcome = position.outcome_of_all_stones();
        position
    }

    /// The position after these moves from the empty board.
    pub fn from_moves(rule: Rule, size: u8, moves: &[Point]) -> Result<Position, PlayError> {
        let mut position = Position::new(rule, size);
        moves.iter().try_for_each(|&point| position.play(point).map(drop))?;
        Ok(position)
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The stones.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Board size, in points per side.
    pub fn size(&self) -> u8 {
        self.board.size()
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The moves played since the set-up, in order; all stones if there was none.
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }

    /// The last move played, if it is known.
    pub fn last_move(&self) -> Option<Point> {
        self.moves.last().copied()
    }

    /// How the game is decided, or `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Key of stones and side to move.
    pub fn key(&self) -> u64 {
        match self.to_move {
            Color::Black => self.board.key(),
            Color::White => self.board.key() ^ zobrist::WHITE_TO_MOVE,
        }
    }

    /// Plays a move and says whether it ended the game. A forbidden point may be played, and loses.
    pub fn play(&mut self, point: Point) -> Result<Option<Outcome>, PlayError> {
        self.check(point)?;
        let color = self.to_move;
        let foul = self.forbidden(point).is_some();
        self.board.place(point, color);
        self.moves.push(point);
        self.to_move = !color;
        self.outcome = if foul {
            Some(Outcome::Forbidden)
        } else if self.board.is_five(self.rule, point, color) {
            Some(Outcome::Five(color))
        } else {
            self.board.is_full().then_some(Outcome::Draw)
        };
        Ok(self.outcome)
    }

    /// Takes the last move back, and passes after it; `None` if no move is known.
    pub fn undo(&mut self) -> Option<Point> {
        let point = self.moves.pop()?;
        self.to_move = self.board.get(point)?;
        self.board.remove(point, self.to_move);
        self.outcome = None;
        Some(point)
    }

    /// Hands the move to the other side without a stone.
    pub fn pass(&mut self) {
        self.to_move = !self.to_move;
    }

    /// Whether the side to move may play here: empty, not forbidden, and the game is not over.
    pub fn is_legal(&self, point: Point) -> bool {
        self.check(point).is_ok() && self.forbidden(point).is_none()
    }

    /// Every legal point of the side to move.
    pub fn legal_points(&self) -> PointSet {
        if self.outcome.is_some() {
            return PointSet::EMPTY;
        }
        let empty = self.board.empty();
        if self.black_is_restricted() {
            empty - renju::forbidden_points(&self.board)
        } else {
            empty
        }
    }

    /// Why the side to move may not play on an empty point; `None` for every point but Black's in renju.
    pub fn forbidden(&self, point: Point) -> Option<Forbidden> {
        if self.black_is_restricted() { renju::forbidden(&self.board, point) } else { None }
    }

    /// The stones of a winning line through the last move, for display.
    pub fn winning_line(&self) -> Vec<Point> {
        let Some(Outcome::Five(color)) = self.outcome else { return Vec::new() };
        let stones = self.board.stones(color);
        let last = self.last_move().filter(|&point| stones.contains(point));
        let through = last.into_iter().chain(stones.iter()).find_map(|point| {
            self.board.winning_direction(self.rule, point, color).map(|d| (point, d))
        });
        through.map_or_else(Vec::new, |(point, direction)| {
            let behind = self.board.stones_beyond(point, direction, -1, color) as i32;
            let ahead = self.board.stones_beyond(point, direction, 1, color) as i32;
            (-behind..=ahead).filter_map(|i| point.step(direction, i)).collect()
        })
    }

    /// The image of the position, its moves included.
    pub fn transformed(&self, symmetry: Symmetry) -> Position {
        let size = self.size();
        Position {
            board: self.board.transformed(symmetry),
            moves: self.moves.iter().map(|&point| symmetry.apply(point, size)).collect(),
            ..*self
        }
    }

    fn black_is_restricted(&self) -> bool {
        self.rule == Rule::Renju && self.to_move == Color::Black
    }

    fn check(&self, point: Point) -> Result<(), PlayError> {
        if self.outcome.is_some() {
            return Err(PlayError::Over);
        }
        if !point.is_on(self.size()) {
            return Err(PlayError::OffBoard(point));
        }
        if self.board.get(point).is_some() {
            return Err(PlayError::Occupied(point));
        }
        Ok(())
    }

    fn outcome_of_all_stones(&self) -> Option<Outcome> {
        let won = Color::ALL.into_iter().find(|&color| {
            self.board.stones(color).iter().any(|p| self.board.is_five(self.rule, p, color))
        });
        won.map(Outcome::Five).or_else(|| self.board.is_full().then_some(Outcome::Draw))
    }
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParsePositionError {
    /// The board cannot have this side.
    #[error("A board of {0}x{0} is not possible: the board size is 5 to 22.")]
    Size(u8),
    /// Not a move.
    #[error("Column {column}: expected a move such as h8, found '{found}'.")]
    Move {
        /// Where, counted in characters from 1.
        column: usize,
        /// The text found there.
        found: String,
    },
    /// A move that cannot be played.
    #[error("Column {column}: {error}")]
    Play {
        /// Where, counted in characters from 1.
        column: usize,
        /// What is wrong with it.
        error: PlayError,
    },
    /// The set-up form lacks something.
    #[error("Expected stones and the side to move, such as 'b:h8,g9 w:i9 b', found '{0}'.")]
    SetUp(String),
}

impl Position {
    /// Reads moves (`h8i9g9`, with separators and numbers of moves if need be), stones and the side to
    /// move (`b:h8,g9 w:i9 b`), or moves as `8,8 9,9`. Rows count from the bottom, but in the last form
    /// columns and rows from the top left, from 1.
    pub fn parse(text: &str, rule: Rule, size: u8) -> Result<Position, ParsePositionError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(ParsePositionError::Size(size));
        }
        if text.contains(':') {
            parse_set_up(text, rule, size)
        } else {
            parse_moves(text, rule, size)
        }
    }

    /// The text that [`Position::parse`] reads back.
    pub fn to_text(&self) -> String {
        if self.moves.len() == self.board.len() && self.to_move == Color::of_turn(self.moves.len())
        {
            return self.moves.iter().map(Point::to_string).collect();
        }
        let list = |color| {
            let points: Vec<_> = self.board.stones(color).iter().map(|p| p.to_string()).collect();
            points.join(",")
        };
        let side = if self.to_move == Color::Black { 'b' } else { 'w' };
        format!("b:{} w:{} {side}", list(Color::Black), list(Color::White))
    }
}

fn parse_moves(text: &str, rule: Rule, size: u8) -> Result<Position, ParsePositionError> {
    let mut position = Position::new(rule, size);
    if let Some(pairs) = notation::pairs(text.as_bytes()) {
        for Pair { at, x, y } in pairs {
            let word = text[at..].split_whitespace().next().unwrap_or_default();
            let point = Point::from_xy(x - 1, y - 1, size);
            let point = point.ok_or_else(|| no_move(text, at, word))?;
            position.play(point).map_err(|error| unplayable(text, at, error))?;
        }
        return Ok(position);
    }
    for (at, word) in words(text) {
        let point: Point = word.parse().map_err(|_| no_move(text, at, word))?;
        position.play(point).map_err(|error| unplayable(text, at, error))?;
    }
    Ok(position)
}

fn parse_set_up(text: &str, rule: Rule, size: u8) -> Result<Position, ParsePositionError> {
    let bad = || ParsePositionError::SetUp(text.chars().take(60).collect());
    let mut board = Board::new(size);
    let mut to_move = None;
    for word in text.split_whitespace() {
        let (color, stones) = match word.split_at_checked(2) {
            Some(("b:" | "B:", stones)) => (Color::Black, stones),
            Some(("w:" | "W:", stones)) => (Color::White, stones),
            _ => {
                to_move = match (word, to_move) {
                    ("b" | "B" | "black", None) => Some(Color::Black),
                    ("w" | "W" | "white", None) => Some(Color::White),
                    _ => return Err(bad()),
                };
                continue;
            }
        };
        for (_, word) in words(stones) {
            let point: Point = word.parse().map_err(|_| bad())?;
            if !board.is_empty_at(point) {
                return Err(bad());
            }
            board.place(point, color);
        }
    }
    Ok(Position::from_board(rule, board, to_move.ok_or_else(bad)?))
}

/// The words of a text that should be moves, and where each begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    notation::words(text.as_bytes()).map(|word| (word.at, &text[word.at..word.at + word.length]))
}

fn no_move(text: &str, at: usize, word: &str) -> ParsePositionError {
    ParsePositionError::Move { column: column_of(text, at), found: word.chars().take(20).collect() }
}

fn unplayable(text: &str, at: usize, error: PlayError) -> ParsePositionError {
    ParsePositionError::Play { column: column_of(text, at), error }
}

/// In characters, from 1.
fn column_of(text: &str, at: usize) -> usize {
    text[..at].chars().count() + 1
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.board)
    }
}

/// Counts the positions after `depth` more moves, move orders told apart: a check of make and undo.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 || position.outcome().is_some() {
        return 1;
    }
    let mut total = 0;
    for point in position.legal_points() {
        position.play(point).expect("a legal point can be played");
        total += perft(position, depth - 1);
        position.undo();
    }
    total
}

/// The five-cell lines of a board of this side: 572 on 15x15.
pub fn five_cell_lines(size: u8) -> Vec<[Point; 5]> {
    let mut lines = Vec::new();
    for direction in Direction::ALL {
        for start in Point::all(size) {
            let cell = |i| start.step(direction, i).filter(|point| point.is_on(size));
            if let (Some(b), Some(c), Some(d), Some(e)) = (cell(1), cell(2), cell(3), cell(4)) {
                lines.push([start, b, c, d, e]);
            }
        }
    }
    lines
}
