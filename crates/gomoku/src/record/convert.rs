//! Between trees and games: what was played, by whom, under which rule, and how it ended.

use thiserror::Error;

use super::{Move, NodeId, Tree};
use crate::{
    board::Board,
    color::Color,
    game::{Ending, Game, GameResult},
    point::Point,
    position::{PlayError, Position},
    rule::Rule,
};

/// What a record says about the end of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedEnd {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// How it ended, if the record says.
    pub ending: Option<Ending>,
}

impl From<GameResult> for RecordedEnd {
    fn from(GameResult { winner, ending }: GameResult) -> RecordedEnd {
        RecordedEnd { winner, ending: Some(ending) }
    }
}

/// Why the moves of a record cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("Move {number}: {error}")]
pub struct UnplayableError {
    /// Which move of the line, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub error: PlayError,
}

impl Tree {
    /// The rule that the record names (`RU`), if it is one of ours.
    pub fn rule(&self) -> Option<Rule> {
        let text = self.text(NodeId::ROOT, "RU")?;
        let text = text.trim().to_ascii_lowercase();
        if let Ok(code) = text.parse::<u32>() {
            return Some(Rule::from_gomocup_code(code));
        }
        text.parse().ok().or_else(|| match text.as_str() {
            _ if text.contains("renju") => Some(Rule::Renju),
            _ if text.contains("standard") || text.contains("exact") => Some(Rule::Standard),
            _ if text.contains("free") => Some(Rule::Freestyle),
            _ if text.contains("caro") => Some(Rule::Caro),
            _ => None,
        })
    }

    /// Names the rule.
    pub fn set_rule(&mut self, rule: Rule) {
        self.set_text(NodeId::ROOT, "RU", rule.name());
    }

    /// The name of a player (`PB`, `PW`).
    pub fn name(&self, color: Color) -> Option<String> {
        self.text(NodeId::ROOT, name_ident(color))
    }

    /// Names a player.
    pub fn set_name(&mut self, color: Color, name: &str) {
        self.set_text(NodeId::ROOT, name_ident(color), name);
    }

    /// How the record says that its game ended (`RE`, and the reason in `TE` of the first node).
    pub fn result(&self) -> Option<RecordedEnd> {
        let text = self.text(NodeId::ROOT, "RE")?;
        let text = text.trim();
        let (winner, how) = match text.split_once('+') {
            Some(("B" | "b" | "Black", how)) => (Some(Color::Black), how),
            Some(("W" | "w" | "White", how)) => (Some(Color::White), how),
            _ if text == "0" || text.eq_ignore_ascii_case("draw") => (None, ""),
            _ if text == "1/2-1/2" || text == "Jigo" => (None, ""),
            _ => return None,
        };
        let reason = self.text(NodeId::ROOT, "TE").unwrap_or_default();
        let ending = Ending::from_name(&reason).or(match how {
            "R" | "Resign" => Some(Ending::Resign),
            "T" | "Time" => Some(Ending::Time),
            _ => None,
        });
        Some(RecordedEnd { winner, ending })
    }

    /// Records how the game ended, without a reason if none is known.
    pub fn set_result(&mut self, result: impl Into<RecordedEnd>) {
        let result = result.into();
        let how = match result.ending {
            None => "",
            Some(Ending::Five) => "1",
            Some(Ending::Resign) => "R",
            Some(Ending::Time) => "T",
            Some(_) => "F",
        };
        let text = match result.winner {
            Some(Color::Black) => format!("B+{how}"),
            Some(Color::White) => format!("W+{how}"),
            None => "0".into(),
        };
        self.set_text(NodeId::ROOT, "RE", &text);
        match result.ending {
            Some(ending) => self.set_text(NodeId::ROOT, "TE", ending.name()),
            None => self.remove_property(NodeId::ROOT, "TE"),
        }
    }

    /// The milliseconds that a move took, if the record says (`MS`).
    pub fn milliseconds(&self, id: NodeId) -> Option<u64> {
        self.text(id, "MS")?.trim().parse().ok()
    }

    /// Records how many milliseconds a move took.
    pub fn set_milliseconds(&mut self, id: NodeId, ms: u64) {
        self.set_text(id, "MS", &ms.to_string());
    }

    /// Adds moves of alternating colors after a node and gives the last node.
    pub fn add_line(&mut self, from: NodeId, points: &[Point]) -> NodeId {
        let mut color = self.to_move(from);
        let mut at = from;
        for &point in points {
            at = self.add_child(at, Some(Move::stone(color, point)));
            color = !color;
        }
        at
    }

    /// A record of how a position came about, as far as it knows.
    pub fn from_position(position: &Position) -> Tree {
        let board = position.board();
        let mut start = *board;
        // Sides may have passed, so each stone says itself whose it is.
        let mut moves = Vec::new();
        for &point in position.moves() {
            if let Some(color) = board.get(point) {
                start.remove(point, color);
                moves.push(Move::stone(color, point));
            }
        }
        let mut tree = Tree::new(position.size());
        tree.set_rule(position.rule());
        for color in Color::ALL {
            tree.add_set_up(NodeId::ROOT, Some(color), *start.stones(color));
        }
        let first = moves.first().map_or(position.to_move(), |played| played.color);
        if tree.to_move(NodeId::ROOT) != first {
            tree.set_to_move(NodeId::ROOT, Some(first));
        }
        let mut last = NodeId::ROOT;
        for played in moves {
            last = tree.add_child(last, Some(played));
        }
        if tree.to_move(last) != position.to_move() {
            tree.set_to_move(last, Some(position.to_move()));
        }
        tree
    }

    /// A record of a game.
    pub fn from_game(game: &Game) -> Tree {
        let mut tree = Tree::from_position(&game.position);
        for color in Color::ALL {
            if !game.names[color].is_empty() {
                tree.set_name(color, &game.names[color]);
            }
        }
        if let Some(result) = game.result {
            tree.set_result(result);
        }
        tree
    }

    /// The position at a node. `rule` is that of records which do not name one.
    ///
    /// Moves before the last set-up are no longer known to the position as moves.
    ///
    /// # Errors
    /// If a move on the way cannot be played.
    pub fn position_at(&self, id: NodeId, rule: Rule) -> Result<Position, UnplayableError> {
        let rule = self.rule().unwrap_or(rule);
        let mut position = Position::new(rule, self.size());
        let mut number = 0;
        for id in self.path_to(id) {
            self.set_up_stones(id, &mut position);
            self.play_move(id, &mut position, &mut number)?;
        }
        Ok(position)
    }

    /// The game of the main line. `rule` is that of records which do not name one.
    ///
    /// # Errors
    /// If a move cannot be played.
    pub fn game(&self, rule: Rule) -> Result<Game, UnplayableError> {
        let rule = self.rule().unwrap_or(rule);
        let mut position = Position::new(rule, self.size());
        let mut start = position.clone();
        let mut number = 0;
        for id in self.main_line() {
            self.set_up_stones(id, &mut position);
            if position.moves().is_empty() {
                start = position.clone();
            }
            self.play_move(id, &mut position, &mut number)?;
        }
        let mut game = Game::new(start);
        for color in Color::ALL {
            game.names[color] = self.name(color).unwrap_or_default();
        }
        game.result = position.outcome().map(GameResult::from).or_else(|| {
            // A record without a reason: whoever stopped before the end has given up.
            let RecordedEnd { winner, ending } = self.result()?;
            let usual = if winner.is_some() { Ending::Resign } else { Ending::Draw };
            Some(GameResult { winner, ending: ending.unwrap_or(usual) })
        });
        game.position = position;
        Ok(game)
    }

    fn set_up_stones(&self, id: NodeId, position: &mut Position) {
        if self.has_set_up(id) {
            let board = self.with_set_up(id, position.board());
            let to_move = if id == NodeId::ROOT { self.to_move(id) } else { position.to_move() };
            *position = Position::from_board(position.rule(), board, to_move);
        }
        let declared = self.declared_to_move(id).filter(|_| self.played(id).is_none());
        if declared.is_some_and(|color| color != position.to_move()) {
            position.pass();
        }
    }

    /// Plays the move of a node; a move by the wrong side is taken for a pass before it.
    fn play_move(
        &self,
        id: NodeId,
        position: &mut Position,
        number: &mut usize,
    ) -> Result<(), UnplayableError> {
        let Some(played) = self.played(id) else { return Ok(()) };
        *number += 1;
        if played.color != position.to_move() {
            position.pass();
        }
        match played.point {
            None => position.pass(),
            Some(point) => {
                let done = position.play(point);
                done.map_err(|error| UnplayableError { number: *number, error })?;
            }
        }
        if self.declared_to_move(id).is_some_and(|color| color != position.to_move()) {
            position.pass();
        }
        Ok(())
    }

    fn with_set_up(&self, id: NodeId, board: &Board) -> Board {
        let mut board = *board;
        for color in [None, Some(Color::Black), Some(Color::White)] {
            for point in self.set_up(id, color) {
                if let Some(old) = board.get(point) {
                    board.remove(point, old);
                }
                if let Some(color) = color {
                    board.place(point, color);
                }
            }
        }
        board
    }
}

fn name_ident(color: Color) -> &'static str {
    match color {
        Color::Black => "PB",
        Color::White => "PW",
    }
}
