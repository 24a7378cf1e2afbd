//! Plays transcripts of the line protocols against the built program.
//!
//! The program is the one that cargo built, or with `TENGEN_BIN=target/release/tengen` another one.
//! No test looks at a clock; a program that is silent for two minutes is taken to hang.

use std::{
    collections::HashSet,
    io::{BufRead, BufReader, Read, Write},
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        atomic::{AtomicU32, Ordering::Relaxed},
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

const WATCHDOG: Duration = Duration::from_secs(120);

#[test]
fn gomocup() {
    play(include_str!("transcripts/gomocup.txt"));
}

#[test]
fn yixin_board() {
    play(include_str!("transcripts/yixin.txt"));
}

/// The program with this name, beside `TENGEN_BIN` if that is set.
fn program(name: &str) -> PathBuf {
    let built = match name {
        "pbrain-tengen" => env!("CARGO_BIN_EXE_pbrain-tengen"),
        _ => env!("CARGO_BIN_EXE_tengen"),
    };
    match std::env::var_os("TENGEN_BIN") {
        Some(tengen) => PathBuf::from(tengen).with_file_name(name),
        None => built.into(),
    }
}

fn play(file: &str) {
    let transcripts: Vec<_> = file.split("\n== ").skip(1).collect();
    assert!(transcripts.len() > 20);
    for transcript in transcripts {
        let (title, lines) = transcript.split_once('\n').unwrap_or((transcript, ""));
        let mut brain = Brain::start(title);
        for line in lines.lines().filter(|line| !line.is_empty()) {
            brain.step(line);
        }
        brain.finish();
    }
}

struct Brain {
    title: String,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: thread::JoinHandle<String>,
    /// The last lines of the conversation, to be shown when something is wrong.
    said: Vec<String>,
    size: i32,
    stones: HashSet<(i32, i32)>,
    is_gone: bool,
    /// For files, empty at first.
    folder: PathBuf,
}

impl Brain {
    fn start(title: &str) -> Brain {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Relaxed);
        let name = format!("tengen-transcript-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let mut child = Command::new(program("pbrain-tengen"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (send, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { return };
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let mut stderr = child.stderr.take().expect("piped");
        let errors = thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).map(|_| text).unwrap_or_default()
        });
        Brain {
            title: title.to_owned(),
            input: child.stdin.take(),
            child,
            lines,
            errors,
            said: Vec::new(),
            size: 0,
            stones: HashSet::new(),
            is_gone: false,
            folder,
        }
    }

    fn step(&mut self, line: &str) {
        self.said.push(line.to_owned());
        match line.split_once(' ') {
            Some((">", text)) => {
                let folder = self.folder.to_string_lossy();
                self.send(format!("{}\n", text.replace("{folder}", &folder)).as_bytes());
            }
            Some((">>", text)) => self.send(&unescaped(text)),
            Some(("<", pattern)) => self.expect(pattern),
            Some(("!", "close")) => self.input = None,
            Some(("!", "gone")) => self.wait_until_gone(),
            Some(("!", "leaves")) => self.wait_until_left(),
            Some(("!", "suspend")) => self.signal("STOP"),
            Some(("!", "resume")) => self.signal("CONT"),
            // Lets the program do in the meantime what it wants to; nothing depends on how long.
            Some(("!", "pause")) => thread::sleep(Duration::from_millis(50)),
            _ if line.starts_with('#') => {}
            _ => self.fail("a transcript has lines with > >> < and !"),
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.follow(&String::from_utf8_lossy(bytes));
        let input = self.input.as_mut().expect("the input is open");
        // A program that has gone cannot be written to; what it should have said will be missed.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    /// Keeps track of the board that the manager speaks of.
    fn follow(&mut self, text: &str) {
        for line in text.split(['\n', '\r']) {
            let upper = line.to_ascii_uppercase();
            let (word, rest) = upper.split_once(' ').unwrap_or((&upper, ""));
            match word.trim_start_matches('\u{feff}') {
                "START" | "RECTSTART" => {
                    let side = rest.split([' ', ',']).next().and_then(|side| side.parse().ok());
                    self.size = side.unwrap_or(0);
                    self.stones.clear();
                }
                "RESTART" => self.stones.clear(),
                "BOARD" | "YXBOARD" | "SWAP2BOARD" => {
                    self.stones.clear();
                    self.stones.extend(rest.split(' ').filter_map(coord));
                }
                "TAKEBACK" => self.stones.retain(|stone| Some(*stone) != coord(rest)),
                "TURN" => self.stones.extend(coord(rest)),
                _ => self.stones.extend(coord(&upper)),
            }
        }
    }

    /// The next line, or `None` when the program has closed its output.
    fn hear(&mut self) -> Option<String> {
        match self.lines.recv_timeout(WATCHDOG) {
            Ok(line) => {
                self.said.push(format!("      heard: {line}"));
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("the program is silent"),
        }
    }

    fn expect(&mut self, pattern: &str) {
        let is_message = pattern.starts_with("MESSAGE");
        loop {
            let Some(line) = self.hear() else { self.fail("the program has gone") };
            if pattern.split(" || ").any(|pattern| self.matches(pattern, &line)) {
                return;
            }
            if !line.starts_with("MESSAGE") {
                self.fail(&format!("expected '{pattern}', heard '{line}'"));
            }
            if is_message && !pattern.starts_with("MESSAGE REALTIME") {
                self.fail(&format!("expected '{pattern}', heard '{line}'"));
            }
        }
    }

    /// Holds a line against one pattern. Moves that are heard lie on the board from then on.
    fn matches(&mut self, pattern: &str, line: &str) -> bool {
        let wanted = if pattern == "{move}" {
            Some((1, ""))
        } else if let Some(not) = pattern.strip_prefix("{move not ") {
            Some((1, not.trim_end_matches('}')))
        } else {
            let count = pattern.strip_prefix("{moves ").map(|rest| rest.trim_end_matches('}'));
            count.map(|count| (count.parse().expect("a number of moves"), ""))
        };
        let points: Option<Vec<_>> = line.split(' ').map(coord).collect();
        let points = points.unwrap_or_default();
        if let Some((count, not)) = wanted {
            let are_free = points.iter().enumerate().all(|(i, &(x, y))| {
                (0..self.size).contains(&x)
                    && (0..self.size).contains(&y)
                    && !self.stones.contains(&(x, y))
                    && !points[..i].contains(&(x, y))
            });
            if points.len() != count || !are_free || line == not {
                return false;
            }
        } else if !fits(pattern, line) {
            return false;
        }
        self.stones.extend(points);
        true
    }

    fn wait_until_gone(&mut self) {
        while let Some(line) = self.hear() {
            if !line.starts_with("MESSAGE") {
                self.fail(&format!("'{line}' is said after the end"));
            }
        }
        self.is_gone = true;
    }

    /// Like `gone`, for an end at which the last answer may still be printed.
    fn wait_until_left(&mut self) {
        while self.hear().is_some() {}
        self.is_gone = true;
    }

    fn signal(&self, name: &str) {
        if cfg!(unix) {
            let id = self.child.id().to_string();
            let done = Command::new("kill").args(["-s", name, &id]).status();
            assert!(done.expect("kill is there").success());
        }
    }

    /// Whatever was left over is found, and nothing comes after END.
    fn finish(mut self) {
        if !self.is_gone {
            self.step("> ABOUT");
            self.step("< name=\"Tengen\"{any}");
            self.step("> END");
            self.wait_until_gone();
        }
        self.input = None;
        std::fs::remove_dir_all(&self.folder).expect("the folder can be removed");
        let status = self.child.wait().expect("the program can be waited for");
        let errors = self.errors.join().expect("standard error can be read");
        assert!(status.success(), "{}: ends with {status}", self.title);
        assert_eq!(errors, "", "{}: standard error is not empty", self.title);
    }

    fn fail(&mut self, problem: &str) -> ! {
        let _ = self.child.kill(); // it may have gone by itself
        let said = &self.said[self.said.len().saturating_sub(12)..];
        panic!("{}: {problem}\n{}", self.title, said.join("\n"));
    }
}

/// `7,8`, or the first two numbers of `7,8,1`.
fn coord(text: &str) -> Option<(i32, i32)> {
    let mut numbers = text.split(',').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// Whether a line is like a pattern with {int} and {any}.
fn fits(pattern: &str, line: &str) -> bool {
    let Some((literal, rest)) = pattern.split_once('{') else { return pattern == line };
    let Some(line) = line.strip_prefix(literal) else { return false };
    let (kind, rest) = rest.split_once('}').expect("a closing brace");
    match kind {
        "any" => (0..=line.len()).any(|n| line.is_char_boundary(n) && fits(rest, &line[n..])),
        "int" => {
            let digits = line.strip_prefix('-').unwrap_or(line);
            let n = digits.bytes().take_while(u8::is_ascii_digit).count();
            n > 0 && fits(rest, &digits[n..])
        }
        _ => panic!("{{{kind}}} is not a pattern"),
    }
}

/// Bytes written with \r, \n, \\ and \xNN.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'r') => bytes.push(b'\r'),
            Some(b'n') => bytes.push(b'\n'),
            Some(b'x') => {
                let digits: Vec<u8> = rest.by_ref().take(2).collect();
                let digits = String::from_utf8(digits).expect("two digits");
                bytes.push(u8::from_str_radix(&digits, 16).expect("two digits"));
            }
            other => bytes.extend(other),
        }
    }
    bytes
}

#[test]
fn patterns_can_fail() {
    assert!(fits("MESSAGE {any} 7 {int}", "MESSAGE a b 7 -12"));
    assert!(!fits("MESSAGE {any} 7 {int}", "MESSAGE a b 7 x"));
    assert!(!fits("OK", "OK ") && !fits("{int}", ""));
    assert_eq!(unescaped(r"a\r\x41\\"), b"a\rA\\");
}
