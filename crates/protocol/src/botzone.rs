//! Botzone: a bot is started for each turn with the whole history, or kept running between turns.
//!
//! Three games are freestyle on 15x15. In `Renju`, whose name misleads, the second player may take
//! over the first three stones instead of playing the fourth; in `Gomoku-Swap1` the first one instead
//! of playing the second. An exchange is the move -1 -1. It places no stone and hands the turn back,
//! so stones alternate in color whoever owns them.

use std::{
    io::{self, BufRead, Write},
    time::{Duration, Instant},
};

use gomoku::{Point, Position, Rule};
use player::{Choice, Goal, Limits, Player, PlayerReply, Score, Task, Watch};
use serde_json::{Value, json};
use thiserror::Error;

const SIZE: u8 = 15;
/// Asks Botzone to keep the process.
const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";
/// A turn cannot be longer than this: it is more than a line for every point of the board.
const MAX_TURNS: usize = 512;

/// The games of Botzone that are played here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BotzoneGame {
    /// Freestyle.
    #[default]
    Gomoku,
    /// Freestyle; the second player may exchange colors instead of the fourth stone.
    Renju,
    /// Freestyle; the second player may exchange colors instead of the second stone.
    GomokuSwap1,
    /// Renju with forbidden points.
    RenjuOfficial,
}

impl BotzoneGame {
    /// All games.
    pub const ALL: [BotzoneGame; 4] = [
        BotzoneGame::Gomoku,
        BotzoneGame::Renju,
        BotzoneGame::GomokuSwap1,
        BotzoneGame::RenjuOfficial,
    ];

    /// Botzone's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            BotzoneGame::Gomoku => "Gomoku",
            BotzoneGame::Renju => "Renju",
            BotzoneGame::GomokuSwap1 => "Gomoku-Swap1",
            BotzoneGame::RenjuOfficial => "Renju-Official",
        }
    }

    /// The game with this name, in any case.
    pub fn from_name(name: &str) -> Option<BotzoneGame> {
        BotzoneGame::ALL.into_iter().find(|game| game.name().eq_ignore_ascii_case(name))
    }

    const fn rule(self) -> Rule {
        match self {
            BotzoneGame::RenjuOfficial => Rule::Renju,
            _ => Rule::Freestyle,
        }
    }

    /// After how many stones the second player may exchange.
    const fn exchange_after(self) -> Option<usize> {
        match self {
            BotzoneGame::Renju => Some(3),
            BotzoneGame::GomokuSwap1 => Some(1),
            BotzoneGame::Gomoku | BotzoneGame::RenjuOfficial => None,
        }
    }
}

/// How to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which game.
    pub game: BotzoneGame,
    /// Whether to stay alive between turns.
    pub keep_running: bool,
    /// Time for a turn; Botzone's own limit is a second.
    pub turn: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            game: BotzoneGame::Gomoku,
            keep_running: false,
            turn: Duration::from_millis(850),
            memory: 256 << 20,
        }
    }
}

/// What went wrong.
#[derive(Debug, Error)]
pub enum BotzoneError {
    /// The input is neither of Botzone's forms.
    #[error("Expected {expected}, found '{found}'.")]
    Input {
        /// What should have come.
        expected: &'static str,
        /// The beginning of what came.
        found: String,
    },
    /// The history has a move that cannot be played.
    #[error("Move {number} of the history, {x} {y}, cannot be played.")]
    Move {
        /// Counted from 1.
        number: usize,
        /// Column.
        x: i64,
        /// Row from the top.
        y: i64,
    },
    /// A single request came before any history.
    #[error("The history is missing: the first line must have all requests.")]
    NoHistory,
    /// There is no empty point.
    #[error("The board is full.")]
    Full,
    /// The streams failed.
    #[error("Cannot talk to Botzone: {0}.")]
    Stream(#[from] io::Error),
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotzoneAnswer {
    /// A stone.
    Stone(Point),
    /// Colors are exchanged.
    Exchange,
}

impl BotzoneAnswer {
    fn xy(self) -> (i64, i64) {
        match self {
            BotzoneAnswer::Exchange => (-1, -1),
            BotzoneAnswer::Stone(point) => {
                let (x, y) = point.to_xy(SIZE);
                (x.into(), y.into())
            }
        }
    }
}

/// A game under way, from the bot's view.
#[derive(Clone, Debug)]
pub struct Match {
    game: BotzoneGame,
    moves: Vec<Point>,
    is_first: bool,
    exchanged: bool,
    /// Requests and responses so far.
    said: usize,
}

impl Match {
    /// A game before the first request.
    pub fn new(game: BotzoneGame) -> Match {
        Match { game, moves: Vec::new(), is_first: false, exchanged: false, said: 0 }
    }

    /// Takes a request or an own response, which come by turns.
    ///
    /// # Errors
    /// If it is neither a stone on an empty point nor an exchange where there can be one.
    pub fn take(&mut self, x: i64, y: i64) -> Result<(), BotzoneError> {
        self.said += 1;
        let number = self.said;
        let point = u8::try_from(x).ok().zip(u8::try_from(y).ok());
        match point.and_then(|(x, y)| Point::from_xy(x, y, SIZE)) {
            Some(point) if !self.moves.contains(&point) => self.moves.push(point),
            None if (x, y) == (-1, -1) && number == 1 => self.is_first = true,
            None if (x, y) == (-1, -1) && self.may_exchange() => self.exchanged = true,
            _ => return Err(BotzoneError::Move { number, x, y }),
        }
        Ok(())
    }

    fn may_exchange(&self) -> bool {
        !self.exchanged && self.game.exchange_after() == Some(self.moves.len())
    }

    /// The position, the bot to move.
    pub fn position(&self) -> Option<Position> {
        Position::from_moves(self.game.rule(), SIZE, &self.moves).ok()
    }

    /// What the bot answers.
    ///
    /// # Errors
    /// If there is no empty point.
    pub fn answer(
        &self,
        player: &mut dyn Player,
        options: &Options,
        started: Instant,
    ) -> Result<BotzoneAnswer, BotzoneError> {
        let any = || {
            let center = Point::center(SIZE);
            let free = Point::all(SIZE).filter(|point| !self.moves.contains(point));
            free.min_by_key(|point| (point.distance(center), point.index()))
        };
        let any = any().ok_or(BotzoneError::Full)?;
        let open = self.position().filter(|position| position.outcome().is_none());
        let Some(position) = open else { return Ok(BotzoneAnswer::Stone(any)) };
        let limits = Limits { memory: Some(options.memory), ..Limits::turn(options.turn) };
        let mut task = Task::new(position.clone(), limits);
        // Whoever sets a game up for an exchange wants it even.
        let stones = self.moves.len();
        let sets_up = self.is_first && self.game.exchange_after() == Some(stones + 1);
        if sets_up {
            task.goal = Goal::Balance { stones: 1, bias: 0 };
        }
        let choice = player.choose(&task, &Deadline { started, turn: options.turn });
        let prefers_other_side = choice.score.is_some_and(|score| score < Score::default());
        if !self.is_first && self.may_exchange() && prefers_other_side {
            return Ok(BotzoneAnswer::Exchange);
        }
        let point = point_of(&choice).filter(|&point| position.is_legal(point));
        let fallback = || position.legal_points().first().unwrap_or(any);
        Ok(BotzoneAnswer::Stone(point.unwrap_or_else(fallback)))
    }
}

fn point_of(choice: &Choice) -> Option<Point> {
    match &choice.reply {
        PlayerReply::Move(point) => Some(*point),
        PlayerReply::Stones(points) => points.first().copied(),
        PlayerReply::Resign => None,
    }
}

struct Deadline {
    started: Instant,
    turn: Duration,
}

impl Watch for Deadline {
    fn stopped(&self) -> bool {
        self.elapsed() >= self.turn
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// One turn of input.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Input {
    /// All requests and responses by turns, beginning and ending with a request.
    History(Vec<(i64, i64)>),
    /// The current request of a bot that was kept running.
    Request(i64, i64),
}

/// The form of input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json,
    Simple,
}

/// Plays one turn, or turns until the input ends if the bot is to be kept running.
///
/// # Errors
/// If the input is not Botzone's, or a stream fails.
pub fn run(
    mut input: impl BufRead,
    mut output: impl Write,
    player: &mut dyn Player,
    options: &Options,
) -> Result<(), BotzoneError> {
    let mut game: Option<Match> = None;
    while let Some((form, turn)) = read_turn(&mut input, game.is_some())? {
        let started = crate::now();
        let mut state = match (turn, game.take()) {
            (Input::History(said), _) => {
                let mut state = Match::new(options.game);
                player.new_game(0);
                said.iter().try_for_each(|&(x, y)| state.take(x, y))?;
                state
            }
            (Input::Request(x, y), Some(mut state)) => {
                state.take(x, y)?;
                state
            }
            (Input::Request(..), None) => return Err(BotzoneError::NoHistory),
        };
        let (x, y) = state.answer(player, options, started)?.xy();
        match form {
            Form::Json => writeln!(output, "{}", json!({ "response": { "x": x, "y": y } }))?,
            Form::Simple => writeln!(output, "{x} {y}")?,
        }
        if !options.keep_running {
            return Ok(output.flush()?);
        }
        writeln!(output, "{KEEP_RUNNING}")?;
        output.flush()?;
        state.take(x, y)?;
        game = Some(state);
    }
    Ok(())
}

/// Reads a turn in either form; `None` at the end of the input.
fn read_turn(
    input: &mut impl BufRead,
    is_running: bool,
) -> Result<Option<(Form, Input)>, BotzoneError> {
    let Some(line) = next_line(input)? else { return Ok(None) };
    if line.starts_with('{') {
        return Ok(Some((Form::Json, parse_json(&line)?)));
    }
    let numbers = integers(&line);
    match numbers[..] {
        [x, y] if is_running => Ok(Some((Form::Simple, Input::Request(x, y)))),
        [turns] if (1..=MAX_TURNS as i64).contains(&turns) => {
            let mut said = Vec::new();
            for _ in 0..2 * turns - 1 {
                let line = next_line(input)?.unwrap_or_default();
                match integers(&line)[..] {
                    [x, y] => said.push((x, y)),
                    _ => return Err(unexpected("a move such as 7 7", &line)),
                }
            }
            Ok(Some((Form::Simple, Input::History(said))))
        }
        _ => Err(unexpected("a JSON object or the number of the turn", &line)),
    }
}

/// The next line that is not empty, whatever bytes it has.
fn next_line(input: &mut impl BufRead) -> Result<Option<String>, BotzoneError> {
    loop {
        let mut bytes = Vec::new();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_start_matches('\u{feff}').trim();
        if !line.is_empty() {
            return Ok(Some(line.to_owned()));
        }
    }
}

fn integers(line: &str) -> Vec<i64> {
    let words = line.split_whitespace().map(|word| word.parse().ok());
    words.collect::<Option<Vec<_>>>().unwrap_or_default()
}

fn parse_json(line: &str) -> Result<Input, BotzoneError> {
    let value: Value = serde_json::from_str(line).map_err(|_| unexpected("a JSON object", line))?;
    let Some(requests) = value.get("requests") else {
        let (x, y) = coordinates(&value, line)?;
        return Ok(Input::Request(x, y));
    };
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let requests = list(Some(requests));
    let responses = list(value.get("responses"));
    if requests.len() != responses.len() + 1 || requests.len() > MAX_TURNS {
        return Err(unexpected("one request more than responses", line));
    }
    let mut said = Vec::new();
    for (i, request) in requests.iter().enumerate() {
        said.push(coordinates(request, line)?);
        if let Some(response) = responses.get(i) {
            said.push(coordinates(response, line)?);
        }
    }
    Ok(Input::History(said))
}

fn coordinates(value: &Value, line: &str) -> Result<(i64, i64), BotzoneError> {
    let number = |key| value.get(key).and_then(Value::as_i64);
    number("x").zip(number("y")).ok_or_else(|| unexpected("whole numbers x and y", line))
}

fn unexpected(expected: &'static str, found: &str) -> BotzoneError {
    BotzoneError::Input { expected, found: found.chars().take(60).collect() }
}
