//! A Gomocup engine for tests that plays its first move well and then misbehaves as it is told.
//!
//! `misbehave MODE [FILE]`; the process ids of the engine and of the child it starts go to FILE.

use std::{
    env, fs,
    io::{self, BufRead, Write},
    process::{self, Command},
    thread,
    time::Duration,
};

use gomoku::{Board, Color, Point};

const FOR_EVER: Duration = Duration::from_secs(3600);

struct Engine {
    mode: String,
    board: Board,
    moves: u32,
}

fn main() {
    let mut arguments = env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    if let Some(file) = arguments.next() {
        note_processes(&mode, &file);
    }
    let mut engine = Engine { mode, board: Board::new(15), moves: 0 };
    for line in io::stdin().lock().lines() {
        match line {
            Ok(line) => engine.hear(line.trim()),
            Err(_) => break,
        }
    }
    if engine.mode == "deaf" {
        // Not even the end of its input makes it leave.
        thread::sleep(FOR_EVER);
    }
}

/// Writes down who it is, and starts a child that would outlive it.
fn note_processes(mode: &str, file: &str) {
    let mut ids = vec![process::id()];
    if mode != "good" {
        ids.extend(Command::new("sleep").arg("3600").spawn().map(|child| child.id()));
    }
    let mut text = fs::read_to_string(file).unwrap_or_default();
    ids.iter().for_each(|id| text += &format!("{id}\n"));
    fs::write(file, text).expect("the file for process ids can be written");
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    // When nobody listens any more the engine is about to be killed.
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

impl Engine {
    fn hear(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "START" => self.start(rest),
            "BEGIN" => self.answer(),
            "TURN" => {
                self.place(rest);
                self.answer();
            }
            "BOARD" => self.board = Board::new(self.board.size()),
            "DONE" => self.answer(),
            "END" if self.mode != "deaf" => process::exit(0),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => self.place(word),
            _ => {}
        }
    }

    fn start(&mut self, size: &str) {
        match self.mode.as_str() {
            "refuse-start" => return say("ERROR unsupported size"),
            "hang-at-start" => thread::sleep(FOR_EVER),
            "crash-at-start" => {
                eprintln!("no weights found");
                process::exit(7);
            }
            _ => {}
        }
        self.board = Board::new(size.parse().unwrap_or(15));
        self.moves = 0;
        say("OK");
    }

    /// Colors do not matter here: only which points are taken.
    fn place(&mut self, coordinates: &str) {
        let mut numbers = coordinates.split(',').map(|n| n.trim().parse::<u8>());
        if let (Some(Ok(x)), Some(Ok(y))) = (numbers.next(), numbers.next())
            && let Some(point) = Point::from_xy(x, y, self.board.size())
            && self.board.is_empty_at(point)
        {
            self.board.place(point, Color::Black);
        }
    }

    fn answer(&mut self) {
        self.moves += 1;
        if self.moves > 1 {
            self.misbehave();
        }
        self.play();
    }

    fn play(&mut self) {
        let size = self.board.size();
        if let Some(point) = Point::all(size).find(|p| self.board.is_empty_at(*p)) {
            self.board.place(point, Color::Black);
            let (x, y) = point.to_xy(size);
            say(&format!("{x},{y}"));
        }
    }

    fn misbehave(&mut self) {
        match self.mode.as_str() {
            "hang" | "deaf" => thread::sleep(FOR_EVER),
            "crash" => {
                eprintln!("thread 'search' ran into trouble");
                process::exit(3);
            }
            "abort" => process::abort(),
            "late" => thread::sleep(Duration::from_millis(1200)),
            "occupied" => {
                let taken = Point::all(15).find(|p| !self.board.is_empty_at(*p));
                let (x, y) = taken.map_or((0, 0), |p| p.to_xy(self.board.size()));
                say(&format!("{x},{y}"));
            }
            "off-board" => say("99,99"),
            "flood" => loop {
                say("MESSAGE depth 1 ev 0 and so on and on");
            },
            "chatter" => (0..20_000).for_each(|_| say("MESSAGE thinking")),
            "nonsense" => loop {
                say("\u{1}\u{2} seven,eight ~~ 1;2");
                thread::sleep(Duration::from_millis(5));
            },
            "error" => {
                say("ERROR I do not want to");
                thread::sleep(FOR_EVER);
            }
            "error-then-play" => say("ERROR never mind"),
            "freeze" => {
                // Stops itself as a debugger would.
                let _ = Command::new("sh")
                    .args(["-c", &format!("kill -STOP {}", process::id())])
                    .status();
            }
            _ => {}
        }
    }
}
