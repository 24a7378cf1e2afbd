//! Feeds the line protocols with mutated conversations: `fuzz gomocup|yixin|botzone|protocol
//! [--seconds N] [--seed S]`, where `protocol` is all three by turns.
//!
//! Conversations start from the transcripts of the tests and are cut, spliced and scribbled on. The
//! engine sits behind the wire. A protocol fails here by panicking, by being silent for half a
//! minute, or by not answering the next valid command with a legal move.

use std::{
    io::{BufRead, BufReader, PipeWriter, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    sync::mpsc::{Receiver, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use engine::{Engine, Options};
use gomoku::zobrist::split_mix;
use player::Player;
use protocol::{
    botzone::{self, BotzoneGame},
    serve::{Resources, Settings, serve},
};

const GOMOCUP: &str = include_str!("../tests/transcripts/gomocup.txt");
const YIXIN: &str = include_str!("../tests/transcripts/yixin.txt");
const BOTZONE: &str = r#"{"requests":[{"x":-1,"y":-1}],"responses":[]}
{"requests":[{"x":7,"y":7},{"x":8,"y":8}],"responses":[{"x":7,"y":8}]}
{"requests":[{"x":7,"y":7},{"x":8,"y":8}],"responses":[{"x":-1,"y":-1}]}
{"x":3,"y":4}
2
7 7
7 8
8 8
1
-1 -1
>>>BOTZONE_REQUEST_KEEP_RUNNING<<<"#;
const PATIENCE: Duration = Duration::from_secs(30);

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (split_mix(self.0) % limit.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str, default: u64| {
        let at = words.iter().position(|word| word == name);
        at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let (seconds, seed) = (option("--seconds", 60), option("--seed", 1));
    let targets: &[&str] = match words.first().map(String::as_str) {
        Some("gomocup") => &["gomocup"],
        Some("yixin") => &["yixin"],
        Some("botzone") => &["botzone"],
        Some("protocol") => &["gomocup", "yixin", "botzone"],
        _ => {
            eprintln!("Expected gomocup, yixin, botzone or protocol.");
            return ExitCode::from(2);
        }
    };
    // Panics are caught and told with the input that led to them.
    std::panic::set_hook(Box::new(|_| {}));
    for target in targets {
        let until = Instant::now() + Duration::from_secs(seconds) / targets.len() as u32;
        let mut random = Random(seed << 32);
        let result = match *target {
            "botzone" => fuzz_botzone(&mut random, until),
            "yixin" => fuzz_brain(&corpus(&[GOMOCUP, YIXIN]), &mut random, until),
            _ => fuzz_brain(&corpus(&[GOMOCUP]), &mut random, until),
        };
        match result {
            Ok(count) => println!("{target}: {count} conversations, no failure"),
            Err(problem) => {
                println!("{target}: {problem}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// What managers say in the transcripts.
fn corpus(files: &[&'static str]) -> Vec<&'static str> {
    let lines = files.iter().flat_map(|file| file.lines());
    lines.filter_map(|line| line.strip_prefix("> ").or(line.strip_prefix(">> "))).collect()
}

/// A few lines of the corpus, some of them spoiled. `END` is left out: it would be obeyed.
fn conversation(corpus: &[&str], random: &mut Random) -> Vec<u8> {
    let mut all = Vec::new();
    let start = random.below(corpus.len());
    for i in 0..1 + random.below(14) {
        // Neighbors in a transcript belong together more often than not.
        let line = match random.below(3) {
            0 => random.pick(corpus),
            _ => corpus[(start + i) % corpus.len()],
        };
        let mut line = line.as_bytes().to_vec();
        for _ in 0..random.below(4) {
            spoil(&mut line, corpus, random);
        }
        if !line.windows(3).any(|word| word.eq_ignore_ascii_case(b"end")) {
            all.extend(line);
            all.extend(random.pick(&["\n", "\r\n", "\r", "\n\n", " ", "\n", "\n"]).as_bytes());
        }
    }
    all
}

fn spoil(line: &mut Vec<u8>, corpus: &[&str], random: &mut Random) {
    const WORDS: [&str; 12] = [
        "-1",
        "99999999999999999999",
        ",",
        " ",
        "DONE",
        "\u{0}",
        "é",
        "7,7",
        "0",
        "15",
        "-2147483648",
        "1e9",
    ];
    let at = random.below(line.len() + 1);
    match random.below(6) {
        0 if at < line.len() => line[at] = random.below(256) as u8,
        1 if at < line.len() => drop(line.remove(at)),
        2 => line.truncate(at),
        3 => {
            let other = random.pick(corpus).as_bytes();
            line.splice(at.., other[random.below(other.len())..].iter().copied());
        }
        4 => drop(line.splice(at..at, random.pick(&WORDS).bytes())),
        _ => line.extend_from_within(at..),
    }
}

/// A brain on two pipes.
struct Brain {
    input: PipeWriter,
    lines: Receiver<String>,
    thread: JoinHandle<bool>,
}

impl Brain {
    fn start() -> Brain {
        let (reader, input) = std::io::pipe().expect("pipes can be made");
        let (output, writer) = std::io::pipe().expect("pipes can be made");
        let thread = thread::spawn(move || {
            let mut make = |_: &Resources| {
                let options = Options { hash: 1, ..Options::default() };
                Ok(Box::new(Engine::new(options)) as Box<dyn Player>)
            };
            let settings = Settings::default();
            let run = || serve(reader, writer, &mut make, None, &settings);
            catch_unwind(AssertUnwindSafe(run)).is_ok()
        });
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Brain { input, lines, thread }
    }

    /// Says nonsense, then something sensible. The problem, if the answer to that is wrong.
    fn endures(&mut self, said: &[u8], size: usize) -> Result<(), String> {
        // A stop ends whatever the nonsense has set off. The two marks are off the board.
        let sensible = format!(
            "\nYXSTOP\nINFO show_detail 0\nINFO rule 0\nINFO timeout_turn 1000\n\
             INFO time_left 2147483647\nINFO max_node 20\nINFO pondering 0\nSTART {size}\n\
             yxblockreset\nyxblockpathreset\nTAKEBACK 998,998\nBOARD 2,2,1 3,3,2 DONE\n\
             TAKEBACK 999,999\n"
        );
        let said = [said, sensible.as_bytes()].concat();
        self.input.write_all(&said).map_err(|error| format!("it has gone: {error}"))?;
        while !self.hear()?.contains("998,998") {}
        let mut answers = Vec::new();
        loop {
            match self.hear()? {
                mark if mark.contains("999,999") => break,
                message if message.starts_with("MESSAGE") => {}
                answer => answers.push(answer),
            }
        }
        let numbers: Vec<usize> =
            answers.concat().split(',').filter_map(|number| number.parse().ok()).collect();
        match numbers[..] {
            [2, 2] | [3, 3] => {}
            [x, y] if x < size && y < size && answers.len() == 1 => return Ok(()),
            _ => {}
        }
        Err(format!("the answer to a valid BOARD is {answers:?}"))
    }

    fn hear(&mut self) -> Result<String, String> {
        self.lines.recv_timeout(PATIENCE).map_err(|_| "it is silent or has gone".to_owned())
    }
}

fn fuzz_brain(corpus: &[&str], random: &mut Random, until: Instant) -> Result<u64, String> {
    let mut brain = Brain::start();
    let mut count = 0;
    while Instant::now() < until {
        let said = conversation(corpus, random);
        let size = 5 + random.below(18);
        if let Err(problem) = brain.endures(&said, size) {
            let panicked = brain.thread.is_finished();
            return Err(format!(
                "after {count} conversations {problem} (gone: {panicked}); the last one was {:?}",
                String::from_utf8_lossy(&said)
            ));
        }
        count += 1;
    }
    Ok(count)
}

fn fuzz_botzone(random: &mut Random, until: Instant) -> Result<u64, String> {
    let corpus: Vec<&str> = BOTZONE.lines().collect();
    let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
    let mut count = 0;
    while Instant::now() < until {
        let said = conversation(&corpus, random);
        let options = botzone::Options {
            game: BotzoneGame::ALL[random.below(BotzoneGame::ALL.len())],
            keep_running: random.below(2) == 0,
            turn: Duration::from_millis(2),
            ..botzone::Options::default()
        };
        let began = Instant::now();
        let mut run = |input: &[u8]| {
            let mut output = Vec::new();
            // An input that is not Botzone's is an error, which is an answer.
            let run = || botzone::run(input, &mut output, &mut engine, &options).is_ok();
            catch_unwind(AssertUnwindSafe(run)).map(|fine| (fine, output))
        };
        let shown = String::from_utf8_lossy(&said);
        run(&said).map_err(|_| format!("panics on {shown:?}"))?;
        let valid = br#"{"requests":[{"x":7,"y":7},{"x":8,"y":8}],"responses":[{"x":7,"y":8}]}"#;
        let (fine, output) = run(valid).map_err(|_| format!("panics after {shown:?}"))?;
        let output = String::from_utf8_lossy(&output).into_owned();
        if !fine || !output.contains("\"response\"") || began.elapsed() > PATIENCE {
            return Err(format!("answers {output:?} after {shown:?}"));
        }
        count += 1;
    }
    Ok(count)
}
