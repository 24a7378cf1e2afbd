//! A manager's side: what to send to a brain, and what its lines mean. No process, no clock.
//!
//! A [`Driver`] remembers which stones the brain knows, so that a request is `BEGIN`, `TURN` or
//! `BOARD` as managers send it, and holds each line of the brain against what was asked.
//!
//! ```
//! use gomoku::{Position, Rule};
//! use player::Limits;
//! use protocol::drive::{Driver, Heard};
//!
//! let mut driver = Driver::new(Rule::Freestyle, 15);
//! assert_eq!(driver.start(), "START 15\n");
//! assert_eq!(driver.hear(b"OK"), Heard::Ready);
//! let mut position = Position::new(Rule::Freestyle, 15);
//! assert_eq!(driver.request(&position, &Limits::default()), "BEGIN\n");
//! let Heard::Move(point) = driver.hear(b"7,7\r\n") else { panic!() };
//! position.play(point).unwrap();
//! position.play("h9".parse().unwrap()).unwrap();
//! assert_eq!(driver.request(&position, &Limits::default()), "TURN 7,6\n");
//! ```

use std::time::Duration;

use gomoku::{Color, Point, Position, Rule};
use player::Limits;

use crate::{
    gomocup::{Command, Info, InfoKey, Owner, Reply, Stone},
    wire::{Coord, Coordinates},
    yixin,
};

/// What a line of a brain means to the one who asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It is ready for the game.
    Ready,
    /// Its move: a point of the board, whether or not it may be played.
    Move(Point),
    /// Several points, in an opening protocol.
    Stones(Vec<Point>),
    /// It takes the other color.
    Swap,
    /// It answered with a point that is not on the board.
    OffBoard(Coord),
    /// It refused.
    Refused(String),
    /// It does not know the command.
    Unknown(String),
    /// It says who it is.
    About(Vec<(String, String)>),
    /// For people to read.
    Remark(String),
    /// Nothing that was asked for; managers skip it.
    Noise(String),
}

/// What was asked and not yet answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Nothing,
    Start,
    Move,
    Stones,
}

/// The manager's state of a conversation.
#[derive(Clone, Debug)]
pub struct Driver {
    rule: Rule,
    size: u8,
    coordinates: Coordinates,
    board_only: bool,
    asked: Asked,
    /// The position the brain knows, once it has been asked for a move; its answers included.
    known: Option<Vec<Point>>,
}

impl Driver {
    /// A conversation with a brain that has just been started.
    pub fn new(rule: Rule, size: u8) -> Driver {
        let coordinates = Coordinates::ColumnRow;
        Driver { rule, size, coordinates, board_only: false, asked: Asked::Nothing, known: None }
    }

    /// Sends the whole board every time, for brains that get `TURN` wrong.
    pub fn board_only(mut self, board_only: bool) -> Driver {
        self.board_only = board_only;
        self
    }

    /// Changes the order of coordinates.
    pub fn coordinates(mut self, coordinates: Coordinates) -> Driver {
        self.coordinates = coordinates;
        self
    }

    /// Starts a game, the first or another one.
    pub fn start(&mut self) -> String {
        self.asked = Asked::Start;
        self.known = None;
        line(&Command::Start(self.size.into(), self.size.into()))
    }

    /// The settings of a game. A turn limit that is not given is not sent: brains differ on zero.
    pub fn settings(&self, limits: &Limits) -> String {
        let mut lines = vec![Info::number(InfoKey::Rule, self.rule.gomocup_code())];
        let mut add = |key, value: Option<u64>| {
            lines.extend(value.map(|value| Info::number(key, value)));
        };
        add(InfoKey::TimeoutTurn, limits.turn.map(milliseconds));
        add(InfoKey::TimeoutMatch, Some(limits.clock.map_or(0, |clock| milliseconds(clock.left))));
        let increment = limits.clock.map(|clock| clock.increment).filter(|time| !time.is_zero());
        add(InfoKey::TimeIncrement, increment.map(milliseconds));
        add(InfoKey::MaxDepth, limits.depth.map(u64::from));
        add(InfoKey::MaxNode, limits.nodes);
        add(InfoKey::MaxMemory, limits.memory);
        add(InfoKey::GameType, Some(1));
        lines.into_iter().map(|info| line(&Command::Info(info))).collect()
    }

    /// Tells the brain its folder for files that last.
    pub fn folder(&self, path: &str) -> String {
        line(&Command::Info(Info { key: InfoKey::Folder, value: path.to_owned() }))
    }

    /// Asks for a move: the time left, then `BEGIN`, `TURN` or `BOARD`.
    pub fn request(&mut self, position: &Position, limits: &Limits) -> String {
        let mut text = String::new();
        if let Some(clock) = limits.clock {
            let left = Info::number(InfoKey::TimeLeft, milliseconds(clock.left));
            text += &line(&Command::Info(left));
        }
        let command = self.move_command(position);
        self.known = is_whole_game(position).then(|| position.moves().to_vec());
        self.asked = Asked::Move;
        text + &line(&command)
    }

    fn move_command(&self, position: &Position) -> Command {
        let moves = position.moves();
        let known = self.known.as_deref().filter(|_| is_whole_game(position) && !self.board_only);
        match known.and_then(|known| moves.strip_prefix(known)) {
            Some(&[last]) => Command::Turn(self.coord(last)),
            _ if position.board().is_empty() && !self.board_only => Command::Begin,
            _ => Command::Board(self.stones(position)),
        }
    }

    /// The stones in the order of play as far as it is known, owners from the view of the side to
    /// move.
    fn stones(&self, position: &Position) -> Vec<Stone> {
        let board = position.board();
        let mut order: Vec<Point> = board.occupied().iter().collect();
        order.retain(|point| !position.moves().contains(point));
        order.extend(position.moves());
        let own = position.to_move();
        let owner = |color| if color == own { Owner::Own } else { Owner::Opponent };
        order
            .into_iter()
            .filter_map(|point| {
                let color: Color = board.get(point)?;
                Some(Stone { at: self.coord(point), owner: Some(owner(color)) })
            })
            .collect()
    }

    /// Asks what to do after these stones of a Swap2 opening.
    pub fn swap2(&mut self, stones: &[Point], limits: &Limits) -> String {
        let mut text = String::new();
        if let Some(clock) = limits.clock {
            let left = Info::number(InfoKey::TimeLeft, milliseconds(clock.left));
            text += &line(&Command::Info(left));
        }
        self.asked = Asked::Stones;
        self.known = None;
        let stones = stones.iter().map(|&point| Stone { at: self.coord(point), owner: None });
        text + &line(&Command::Swap2Board(stones.collect()))
    }

    /// Asks who the brain is.
    pub fn about(&self) -> String {
        line(&Command::About)
    }

    /// Asks a brain that knows Yixin's commands to move now.
    pub fn hurry(&self) -> String {
        line(&Command::Yixin(yixin::Command::Stop)).to_ascii_uppercase()
    }

    /// Takes leave.
    pub fn end(&self) -> String {
        line(&Command::End)
    }

    /// Takes a line of the brain.
    pub fn hear(&mut self, bytes: &[u8]) -> Heard {
        let reply = Reply::parse(bytes.trim_ascii());
        let asked = self.asked;
        match (reply, asked) {
            (Reply::Ok, Asked::Start) => {
                self.asked = Asked::Nothing;
                Heard::Ready
            }
            (Reply::Move(at), Asked::Move | Asked::Stones) => match self.point(at) {
                Some(point) => {
                    self.asked = Asked::Nothing;
                    if let Some(known) = &mut self.known {
                        known.push(point);
                    }
                    Heard::Move(point)
                }
                None => Heard::OffBoard(at),
            },
            (Reply::Moves(list), Asked::Stones) => {
                let points: Result<Vec<_>, _> =
                    list.iter().map(|&at| self.point(at).ok_or(at)).collect();
                self.asked = Asked::Nothing;
                points.map_or_else(Heard::OffBoard, Heard::Stones)
            }
            (Reply::Swap, Asked::Stones) => {
                self.asked = Asked::Nothing;
                Heard::Swap
            }
            (Reply::Error(text), _) => Heard::Refused(text),
            (Reply::Unknown(text), _) => Heard::Unknown(text),
            (Reply::About(pairs), _) => Heard::About(pairs),
            (Reply::Message(text) | Reply::Debug(text), _) => Heard::Remark(text),
            (other, _) => Heard::Noise(other.to_string()),
        }
    }

    fn coord(&self, point: Point) -> Coord {
        self.coordinates.coord(point, self.size)
    }

    fn point(&self, at: Coord) -> Option<Point> {
        self.coordinates.point(at, self.size)
    }
}

/// Whether all stones were played one by one from the empty board.
fn is_whole_game(position: &Position) -> bool {
    let moves = position.moves().len();
    moves == position.board().len() && position.to_move() == Color::of_turn(moves)
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn line(command: &Command) -> String {
    format!("{command}\n")
}
