//! GTP, the protocol of Go programs, version 2: any player for front ends such as Sabaki and GoGui.
//!
//! Each line is a command and has one answer, `= text` or `? text`, with the command's number if it
//! has one, and an empty line after it. Columns are letters without I. There is nothing to stop a
//! search with: it ends by its limits.

use std::{
    fmt::Write as _,
    io::{self, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use gomoku::{Board, Color, Point, Position, Rule};
use player::{Choice, Clock, Limits, Player, PlayerReply, Task, Watch};

use super::{manager_board::ManagerBoard, time::less_reserve};
use crate::wire::{LineSplitter, split_word, text_of};

/// Every command that is known, in the order in which they are listed.
const COMMANDS: [&str; 25] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "query_boardsize",
    "time_settings",
    "time_left",
    "final_score",
    "move_history",
    "gogui-rules_game_id",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
];

/// What is played, and how long is thought about a move.
#[derive(Clone, Copy, Debug)]
pub struct GtpOptions {
    /// The rule: GTP has no word for it.
    pub rule: Rule,
    /// The side of the board until the front end names another.
    pub size: u8,
    /// What a move may cost while the front end has said nothing of time.
    pub limits: Limits,
    /// Where the player's chance begins.
    pub seed: u64,
}

impl Default for GtpOptions {
    fn default() -> GtpOptions {
        let limits = Limits::turn(Duration::from_secs(5));
        GtpOptions { rule: Rule::Freestyle, size: 15, limits, seed: 0 }
    }
}

/// Makes the player; called again only if it has failed.
pub type MakeGtpPlayer<'a> = dyn FnMut() -> Result<Box<dyn Player>, String> + 'a;

/// Serves a player until `quit` or the end of the input.
///
/// # Errors
/// If the streams fail.
pub fn run(
    mut input: impl Read,
    mut output: impl Write,
    make: &mut MakeGtpPlayer<'_>,
    options: &GtpOptions,
) -> io::Result<()> {
    let mut session = GtpSession::new(make, options);
    let mut lines = LineSplitter::default();
    let mut buffer = [0; 4096];
    loop {
        let read = match input.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let mut commands = Vec::new();
        match read {
            0 => lines.finish(|line| commands.push(text_of(line))),
            _ => lines.push(&buffer[..read], |line| commands.push(text_of(line))),
        }
        for command in commands {
            let Some(answer) = session.answer(&command) else { continue };
            output.write_all(answer.as_bytes())?;
            output.flush()?;
            if session.has_quit {
                return Ok(());
            }
        }
        if read == 0 {
            return Ok(());
        }
    }
}

/// What the front end has said of time.
#[derive(Clone, Copy, Debug)]
struct TimeSettings {
    main: Duration,
    /// For each move of a period after the main time.
    each: Duration,
}

struct GtpSession<'a> {
    options: &'a GtpOptions,
    make: &'a mut MakeGtpPlayer<'a>,
    player: Option<Box<dyn Player>>,
    board: ManagerBoard,
    /// Moves with their colors, for `undo`.
    moves: Vec<(Point, Color)>,
    time: Option<TimeSettings>,
    /// What is left to each side: the time, and the moves it is for if it is a period.
    left: [Option<(Duration, u32)>; 2],
    used: [Duration; 2],
    games: u64,
    has_quit: bool,
}

/// What stands after `=`, or after `?`.
type GtpResult = Result<String, String>;

impl<'a> GtpSession<'a> {
    fn new<'m: 'a>(make: &'a mut MakeGtpPlayer<'m>, options: &'a GtpOptions) -> GtpSession<'a> {
        let board = ManagerBoard::empty(Board::new(options.size));
        GtpSession {
            options,
            make,
            player: None,
            board,
            moves: Vec::new(),
            time: None,
            left: [None; 2],
            used: [Duration::ZERO; 2],
            games: 0,
            has_quit: false,
        }
    }

    /// The answer to a line, if it has a command.
    fn answer(&mut self, line: &str) -> Option<String> {
        let line = line.split('#').next().unwrap_or("").replace(char::is_control, " ");
        let (first, after) = split_word(&line);
        let is_number = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
        let (number, rest) = if is_number { (first, after) } else { ("", line.trim()) };
        if first.is_empty() {
            return None;
        }
        let (command, arguments) = split_word(rest);
        let arguments: Vec<_> = arguments.split_whitespace().collect();
        let (sign, text) = match self.carry_out(command, &arguments) {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let space = if text.is_empty() { "" } else { " " };
        Some(format!("{sign}{number}{space}{text}\n\n"))
    }

    fn carry_out(&mut self, command: &str, arguments: &[&str]) -> GtpResult {
        let done = Ok(String::new());
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".into()),
            ("name", _) => Ok("Tengen".into()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").into()),
            ("known_command", [name, ..]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit", _) => {
                self.has_quit = true;
                done
            }
            ("boardsize", [side, ..]) => {
                let side = side.parse().map_err(|_| syntax("a board size"))?;
                self.board = ManagerBoard::new(side).ok_or("unacceptable size")?;
                self.new_game();
                done
            }
            ("query_boardsize" | "gogui-rules_board_size", _) => Ok(self.board.size().to_string()),
            ("clear_board", _) => {
                self.board = ManagerBoard::empty(Board::new(self.board.size()));
                self.new_game();
                done
            }
            // Stones are not counted here.
            ("komi", [komi, ..]) => match komi.parse::<f64>() {
                Ok(_) => done,
                Err(_) => Err(syntax("a number")),
            },
            ("play", [color, vertex, ..]) => {
                let color = color_named(color)?;
                let point = self.vertex(vertex)?;
                self.play(color, point).map(|()| String::new())
            }
            ("genmove", [color, ..]) => {
                let color = color_named(color)?;
                let said = self.think(color)?;
                if let Ok(point) = self.vertex(&said) {
                    self.play(color, point)?;
                }
                Ok(said)
            }
            ("reg_genmove", [color, ..]) => {
                let color = color_named(color)?;
                self.think(color)
            }
            ("undo", _) => {
                let (point, _) = self.moves.pop().ok_or("cannot undo")?;
                self.board.take_back(point);
                done
            }
            ("showboard", _) => Ok(format!("\n{}", self.drawn())),
            ("time_settings", [main, period, stones, ..]) => {
                self.time_settings(main, period, stones)?;
                done
            }
            ("time_left", [color, time, stones, ..]) => {
                let color = color_named(color)?;
                let stones = stones.parse().map_err(|_| syntax("a number of stones"))?;
                self.left[color as usize] = Some((seconds(time)?, stones));
                done
            }
            ("final_score", _) => match self.position().outcome() {
                Some(outcome) => Ok(match outcome.winner() {
                    Some(Color::Black) => "B+1".into(),
                    Some(Color::White) => "W+1".into(),
                    None => "0".into(),
                }),
                None => Err("cannot score".into()),
            },
            ("move_history", _) => {
                let lines = self.moves.iter().rev();
                let lines = lines.map(|(point, color)| format!("{color} {}", vertex_of(*point)));
                Ok(lines.collect::<Vec<_>>().join("\n"))
            }
            ("gogui-rules_game_id", _) => Ok("Gomoku".into()),
            ("gogui-rules_board", _) => Ok(self.rows()),
            ("gogui-rules_side_to_move", _) => Ok(self.position().to_move().to_string()),
            ("gogui-rules_legal_moves", _) => {
                let legal = self.position().legal_points();
                Ok(legal.iter().map(vertex_of).collect::<Vec<_>>().join(" "))
            }
            ("gogui-rules_final_result", _) => Ok(match self.position().outcome() {
                None => "unknown".into(),
                Some(outcome) => outcome.winner().map_or("draw".into(), |color| color.to_string()),
            }),
            (known, _) if COMMANDS.contains(&known) => Err(syntax("more arguments")),
            _ => Err("unknown command".into()),
        }
    }

    fn new_game(&mut self) {
        self.moves.clear();
        (self.left, self.used) = ([None; 2], [Duration::ZERO; 2]);
        self.games += 1;
        self.forget();
    }

    fn seed(&self) -> u64 {
        self.options.seed.wrapping_add(self.games)
    }

    fn forget(&mut self) {
        let seed = self.seed();
        if let Some(player) = &mut self.player
            && catch_unwind(AssertUnwindSafe(|| player.new_game(seed))).is_err()
        {
            self.player = None;
        }
    }

    fn position(&self) -> Position {
        self.board.position(self.options.rule)
    }

    /// The position with this side to move, whoever moved last.
    fn position_for(&self, color: Color) -> (ManagerBoard, Position) {
        let mut board = self.board.clone();
        board.set_to_move(color);
        let position = board.position(self.options.rule);
        (board, position)
    }

    fn play(&mut self, color: Color, point: Point) -> Result<(), String> {
        let (mut board, position) = self.position_for(color);
        if !position.is_legal(point) || !board.play(point) {
            return Err("illegal move".into());
        }
        self.board = board;
        self.moves.push((point, color));
        Ok(())
    }

    /// What the player does: a vertex, or a word.
    fn think(&mut self, color: Color) -> GtpResult {
        let (board, position) = self.position_for(color);
        if let Some(outcome) = position.outcome() {
            let is_lost = outcome.winner() == Some(!color);
            return Ok(if is_lost { RESIGN } else { "pass" }.into());
        }
        let any = board.any_move(self.options.rule).ok_or("the board is full")?;
        let limits = self.limits(color);
        let choice = self.choose(Task::new(position.clone(), limits))?;
        let said = match choice.map(|choice| choice.reply) {
            Some(PlayerReply::Resign) => return Ok(RESIGN.into()),
            Some(PlayerReply::Move(point)) => Some(point),
            _ => None,
        };
        let point = said.filter(|&point| position.is_legal(point)).unwrap_or(any);
        Ok(vertex_of(point))
    }

    /// Asks the player; `None` if it failed.
    fn choose(&mut self, task: Task) -> Result<Option<Choice>, String> {
        if self.player.is_none() {
            self.player = Some((self.make)()?);
            self.forget();
        }
        let watch = Until { began: crate::now(), hard: task.limits.hard_time() };
        let Some(player) = &mut self.player else { return Ok(None) };
        let choice = catch_unwind(AssertUnwindSafe(|| player.choose(&task, &watch)));
        self.used[task.position.to_move() as usize] += watch.elapsed();
        if choice.is_err() {
            self.player = None;
        }
        Ok(choice.ok())
    }

    fn time_settings(&mut self, main: &str, period: &str, stones: &str) -> Result<(), String> {
        let (main, period) = (seconds(main)?, seconds(period)?);
        let stones: u32 = stones.parse().map_err(|_| syntax("a number of stones"))?;
        // A period for no stones is the word for no limit.
        let is_limited = stones > 0 || period.is_zero() && !main.is_zero();
        let each = period.checked_div(stones).unwrap_or_default();
        self.time = is_limited.then_some(TimeSettings { main, each });
        self.left = [None; 2];
        Ok(())
    }

    fn limits(&self, color: Color) -> Limits {
        let side = color as usize;
        let each = self.time.map_or(Duration::ZERO, |time| time.each);
        let clock = |left| Some(Clock { left: less_reserve(left), increment: each });
        match (self.left[side], self.time) {
            (Some((left, stones @ 1..)), _) => Limits::turn(less_reserve(left / stones)),
            (Some((left, 0)), _) => Limits { clock: clock(left), ..Limits::default() },
            (None, Some(time)) => match time.main.saturating_sub(self.used[side]) {
                Duration::ZERO if !each.is_zero() => Limits::turn(less_reserve(each)),
                left => Limits { clock: clock(left), ..Limits::default() },
            },
            (None, None) => self.options.limits,
        }
    }

    fn vertex(&self, text: &str) -> Result<Point, String> {
        if text.eq_ignore_ascii_case("pass") {
            return Err("illegal move".into());
        }
        let size = self.board.size();
        let column = text.bytes().next().map(|letter| letter.to_ascii_uppercase());
        let column = match column {
            Some(letter @ b'A'..=b'H') => letter - b'A',
            Some(letter @ b'J'..=b'Z') => letter - b'A' - 1,
            _ => return Err(syntax("a vertex")),
        };
        let row = text.get(1..).and_then(|row| row.parse::<u8>().ok()).filter(|row| *row > 0);
        let row = row.ok_or_else(|| syntax("a vertex"))? - 1;
        let point = (column < size && row < size).then(|| Point::new(column, row));
        // Nothing lies outside of the board.
        point.ok_or_else(|| "illegal move".into())
    }

    /// The rows from the top, a letter for each point.
    fn rows(&self) -> String {
        let size = self.board.size();
        let sign = |point| match self.board.board().get(point) {
            Some(Color::Black) => "X",
            Some(Color::White) => "O",
            None => ".",
        };
        let row =
            |row| (0..size).map(|col| sign(Point::new(col, row))).collect::<Vec<_>>().join(" ");
        (0..size).rev().map(row).collect::<Vec<_>>().join("\n")
    }

    fn drawn(&self) -> String {
        let size = self.board.size();
        let letters = (0..size).map(|col| column_letter(col).to_string());
        let letters = letters.collect::<Vec<_>>().join(" ");
        let mut text = format!("   {letters}");
        for (line, row) in self.rows().lines().zip((1..=size).rev()) {
            // A text takes all that is written to it.
            let _ = write!(text, "\n{row:>2} {line} {row}");
        }
        text + &format!("\n   {letters}")
    }
}

const RESIGN: &str = "resign";

fn syntax(expected: &str) -> String {
    format!("syntax error: expected {expected}")
}

fn color_named(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(syntax("a color")),
    }
}

/// The letter of a column: I is left out.
fn column_letter(col: u8) -> char {
    char::from(b'A' + col + u8::from(col >= 8))
}

fn vertex_of(point: Point) -> String {
    format!("{}{}", column_letter(point.col()), point.row() + 1)
}

/// A time in seconds, which may be less than none.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| seconds.is_finite());
    let seconds = seconds.ok_or_else(|| syntax("a time in seconds"))?;
    Ok(Duration::from_secs_f64(seconds.clamp(0.0, 1e9)))
}

/// The watch of a search that nobody can stop.
struct Until {
    began: Instant,
    hard: Option<Duration>,
}

impl Watch for Until {
    fn stopped(&self) -> bool {
        self.hard.is_some_and(|hard| self.began.elapsed() >= hard)
    }

    fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}
