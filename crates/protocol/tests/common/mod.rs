//! A brain in this process, a player whose every move is known, and transcripts as data.
#![allow(dead_code, reason = "each test file uses a part")]

use std::{
    collections::HashMap,
    io::{self, Read, Write},
    sync::{Arc, Condvar, Mutex, mpsc},
    thread::JoinHandle,
    time::Duration,
};

use gomoku::{Point, Position, Rule};
use player::{
    Candidate, Choice, Explanation, Goal, Iteration, Player, PlayerReply, Progress, Reason, Score,
    Task, Term, Watch,
};
use protocol::serve::{Exchange, Resources, Settings, YixinBook, YixinEntry, YixinFilter, serve};

/// What the test knows and decides about the player.
#[derive(Debug, Default)]
pub(crate) struct Knobs {
    /// The score of its next answers, in order; the last one stays.
    pub(crate) scores: Vec<i64>,
    /// Whether it thinks until it is told to stop.
    pub(crate) endless: bool,
    /// Whether it panics.
    pub(crate) panics: bool,
    /// Whether it answers nonsense.
    pub(crate) nonsense: bool,
    /// The tasks it has been given.
    pub(crate) tasks: Vec<Task>,
    /// What it was made with, and how often it was made and told to forget.
    pub(crate) made: Vec<Resources>,
    pub(crate) new_games: usize,
    /// The rules under which it was told to be ready, before it was asked for anything.
    pub(crate) prepared: Vec<Rule>,
}

pub(crate) type Shared = Arc<Mutex<Knobs>>;

/// Plays the first allowed point in reading order, from the top left.
pub(crate) struct First(pub(crate) Shared);

impl First {
    fn points(task: &Task) -> Vec<Point> {
        let size = task.position.size();
        let mut points: Vec<_> = task.position.legal_points().iter().collect();
        points.retain(|&point| task.allows(point));
        points.sort_by_key(|point| (size - point.row(), point.col()));
        points
    }
}

impl Player for First {
    fn new_game(&mut self, _seed: u64) {
        self.0.lock().unwrap().new_games += 1;
    }

    fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Choice {
        if watch.stopped() && watch.elapsed().is_zero() {
            self.0.lock().unwrap().prepared.push(task.position.rule());
            return Choice::of(First::points(task)[0], Reason::Search);
        }
        let (score, endless, panics, nonsense) = {
            let mut knobs = self.0.lock().unwrap();
            knobs.tasks.push(task.clone());
            let score = match knobs.scores.len() {
                0 => 7,
                1 => knobs.scores[0],
                _ => knobs.scores.remove(0),
            };
            (score, knobs.endless, knobs.panics, knobs.nonsense)
        };
        while endless && !watch.stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(!panics, "the player panics, as the test wants");
        let points = First::points(task);
        let mut choice = Choice::of(points[0], Reason::Search);
        if nonsense {
            choice.reply = PlayerReply::Resign;
            return choice;
        }
        choice.score = Some(Score::new(score));
        choice.depth = 3;
        choice.candidates = (0..task.multi_pv.min(points.len()))
            .map(|i| Candidate {
                score: Some(if score < -1000 {
                    Score::loss_in(4)
                } else {
                    Score::new(score - 10 * i as i64)
                }),
                ..Candidate::new(points[i])
            })
            .collect();
        if let Goal::Balance { stones, .. } = task.goal {
            choice.reply = PlayerReply::Stones(points[..usize::from(stones)].to_vec());
        }
        let finished = Iteration {
            depth: 3,
            best: points[0],
            score: Score::new(score),
            counters: Default::default(),
        };
        watch.progress(&Progress {
            depth: 3,
            depth_max: 5,
            counters: Default::default(),
            candidates: choice.candidates.clone(),
            finished: Some(finished),
        });
        choice
    }

    fn explain(&mut self, _position: &Position) -> Explanation {
        let term = Term {
            name: "three".into(),
            color: gomoku::Color::Black,
            count: 2,
            weight: 5.0,
            points: 10.0,
            lines: Vec::new(),
        };
        Explanation { value: Some(Score::new(10)), terms: vec![term], ..Default::default() }
    }
}

/// A stream of bytes that a test feeds.
pub(crate) struct Pipe(mpsc::Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            match self.0.recv() {
                Ok(bytes) => self.1 = bytes,
                Err(_) => return Ok(0),
            }
        }
        let count = self.1.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// Where the brain prints.
#[derive(Clone, Default)]
pub(crate) struct Printed(Arc<(Mutex<Vec<u8>>, Condvar)>);

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.lock().unwrap().extend(bytes);
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A brain under test.
pub(crate) struct Brain {
    send: Option<mpsc::Sender<Vec<u8>>>,
    printed: Printed,
    heard: usize,
    thread: Option<JoinHandle<io::Result<()>>>,
    pub(crate) knobs: Shared,
}

impl Brain {
    pub(crate) fn new() -> Brain {
        Brain::with(Settings::default(), None)
    }

    pub(crate) fn with(settings: Settings, book: Option<Box<dyn YixinBook>>) -> Brain {
        let (send, receive) = mpsc::channel();
        let printed = Printed::default();
        let knobs = Shared::default();
        let (output, shared) = (printed.clone(), Arc::clone(&knobs));
        let thread = std::thread::spawn(move || {
            let mut make = |resources: &Resources| {
                shared.lock().unwrap().made.push(*resources);
                Ok(Box::new(First(Arc::clone(&shared))) as Box<dyn Player>)
            };
            serve(Pipe(receive, Vec::new()), output, &mut make, book, &settings)
        });
        Brain { send: Some(send), printed, heard: 0, thread: Some(thread), knobs }
    }

    pub(crate) fn set(&self, change: impl FnOnce(&mut Knobs)) {
        change(&mut self.knobs.lock().unwrap());
    }

    pub(crate) fn send(&self, bytes: &[u8]) {
        self.send.as_ref().unwrap().send(bytes.to_vec()).unwrap();
    }

    pub(crate) fn say(&self, line: &str) {
        self.send(format!("{line}\r\n").as_bytes());
    }

    /// The next line that is not about how a move was found.
    pub(crate) fn hear(&mut self) -> String {
        loop {
            let line = self.hear_all();
            if !is_summary(&line) {
                return line;
            }
        }
    }

    /// The next line of all. Waits long, so that a busy machine fails no test.
    pub(crate) fn hear_all(&mut self) -> String {
        let (lock, change) = &*self.printed.0;
        let mut bytes = lock.lock().unwrap();
        loop {
            if let Some(end) = bytes[self.heard..].iter().position(|&byte| byte == b'\n') {
                let line = bytes[self.heard..self.heard + end].to_vec();
                self.heard += end + 1;
                return String::from_utf8(line).expect("replies are plain text");
            }
            let (guard, waited) = change.wait_timeout(bytes, Duration::from_secs(60)).unwrap();
            bytes = guard;
            assert!(!waited.timed_out(), "the brain is silent");
        }
    }

    /// Checks that everything said so far has been answered and heard.
    pub(crate) fn is_quiet(&mut self) {
        self.say("ABOUT");
        let line = self.hear();
        assert!(line.starts_with("name=\"Tengen\", version="), "unexpected: {line}");
    }

    /// Plays a transcript: `>` is said, `<` must be heard, and nothing else.
    pub(crate) fn check(&mut self, transcript: &str) {
        self.follow(transcript);
        self.is_quiet();
    }

    /// Plays a transcript after which more will be heard.
    pub(crate) fn follow(&mut self, transcript: &str) {
        for line in transcript.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line.split_at_checked(1) {
                Some((">", said)) => self.say(said.trim()),
                Some(("<", wanted)) => assert_eq!(self.hear(), wanted.trim(), "in\n{transcript}"),
                _ => panic!("a transcript has > and < lines: {line}"),
            }
        }
    }

    /// Closes the input or says END, waits until the brain has gone, and gives what it still said.
    pub(crate) fn leave(mut self, last: Option<&str>) -> String {
        if let Some(last) = last {
            self.say(last);
        }
        self.send = None;
        self.thread.take().unwrap().join().unwrap().unwrap();
        let bytes = self.printed.0.0.lock().unwrap();
        let text = String::from_utf8(bytes[self.heard..].to_vec()).unwrap();
        text.split_inclusive('\n').filter(|line| !is_summary(line)).collect()
    }
}

/// Whether a line tells how a move was found: its time differs from run to run.
fn is_summary(line: &str) -> bool {
    line.starts_with("MESSAGE depth ")
}

/// A transcript with a fresh brain.
pub(crate) fn check(transcript: &str) {
    let mut brain = Brain::new();
    brain.check(transcript);
    assert_eq!(brain.leave(Some("END")), "", "nothing is printed after END");
}

/// A book in memory.
#[derive(Default)]
pub(crate) struct Notes {
    entries: HashMap<u64, YixinEntry>,
    path: String,
}

impl YixinBook for Notes {
    fn open(&mut self, path: &str) -> Result<(), String> {
        if path.contains("missing") {
            return Err(format!("There is no file {path}."));
        }
        self.path = path.into();
        Ok(())
    }

    fn save(&mut self) -> Result<String, String> {
        Ok(self.path.clone())
    }

    fn get(&self, position: &Position) -> Option<YixinEntry> {
        self.entries.get(&position.key()).cloned()
    }

    fn put(&mut self, position: &Position, entry: YixinEntry) -> Result<(), String> {
        self.entries.insert(position.key(), entry);
        Ok(())
    }

    fn delete(
        &mut self,
        position: &Position,
        filter: YixinFilter,
        all: bool,
    ) -> Result<usize, String> {
        if all && filter == YixinFilter::All {
            let gone = self.entries.len();
            self.entries.clear();
            return Ok(gone);
        }
        Ok(usize::from(self.entries.remove(&position.key()).is_some()))
    }

    fn exchange(&mut self, what: Exchange, path: &str, at: &Position) -> Result<String, String> {
        Ok(format!("{what:?} {path} {}", at.board().len()))
    }

    fn check(&mut self, fix: bool) -> Result<String, String> {
        Ok(if fix { "mended".into() } else { "sound".into() })
    }
}
