//! Feeds parsers with mutated input: `fuzz list`, `fuzz NAME|all [--seconds N] [--seed S]`.
//!
//! Inputs start from files that the writers made, and are cut, spliced and scribbled on. A parser
//! fails here by panicking, by taking more memory than 64 times its input, or by taking longer than
//! a second.
#![allow(unsafe_code, reason = "an allocator that counts is the only way to see all memory")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::{Duration, Instant},
};

use gomoku::{
    Point, Position, Rule,
    record::{Format, Hint, Tree, salvage, write},
    zobrist::split_mix,
};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; only sizes are counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a reader needs whatever it reads.
const CONSTANT: usize = 16 * 1024;

/// A parser under test; `None` reads positions, as the command line does.
type Target = Option<Format>;

fn targets() -> Vec<(String, Target)> {
    let formats = Format::ALL.into_iter().map(|format| (format.name().to_owned(), Some(format)));
    formats.chain([("position".to_owned(), None)]).collect()
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str, default: u64| {
        let at = words.iter().position(|word| word == name);
        at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let (seconds, seed) = (option("--seconds", 60), option("--seed", 1));
    let name = words.first().map_or("list", String::as_str);
    let chosen: Vec<_> =
        targets().into_iter().filter(|(target, _)| name == "all" || target == name).collect();
    if chosen.is_empty() {
        let names: Vec<_> = targets().into_iter().map(|(name, _)| name).collect();
        println!("Parsers: {}, all", names.join(", "));
        return if name == "list" { ExitCode::SUCCESS } else { ExitCode::from(2) };
    }
    for (name, target) in chosen {
        let inputs = fuzz(target, Duration::from_secs(seconds), seed);
        println!("{name}: {inputs} inputs in {seconds} s, no fault");
    }
    ExitCode::SUCCESS
}

fn fuzz(target: Target, time: Duration, seed: u64) -> u64 {
    let corpus = corpus(target);
    let started = Instant::now();
    let mut dice = Dice(seed);
    let mut inputs = 0;
    while started.elapsed() < time {
        let mut bytes = corpus[dice.below(corpus.len())].clone();
        for _ in 0..=dice.below(8) {
            mutate(&mut bytes, &corpus, &mut dice);
        }
        let begun = Instant::now();
        let before = NOW.load(Relaxed);
        PEAK.store(before, Relaxed);
        parse(target, &bytes);
        let used = PEAK.load(Relaxed).saturating_sub(before);
        let shown = bytes.escape_ascii();
        assert!(used <= 64 * bytes.len() + CONSTANT, "{used} bytes of memory for '{shown}'");
        assert!(begun.elapsed() < Duration::from_secs(1), "too slow on '{shown}'");
        inputs += 1;
    }
    inputs
}

fn parse(target: Target, bytes: &[u8]) {
    match target {
        Some(_) => {
            let hint = Hint { format: target, ..Hint::default() };
            let error = salvage(bytes, &hint).error;
            if let Some(error) = error {
                assert!(!error.to_string().is_empty());
            }
        }
        None => {
            let text = String::from_utf8_lossy(bytes);
            let _ = Position::parse(&text, Rule::Renju, 15).map_err(|error| error.to_string());
            let _ = text.parse::<Point>();
        }
    }
}

/// Valid inputs to start from.
fn corpus(target: Target) -> Vec<Vec<u8>> {
    let games = ["", "h8", "h8i9g9j10k11", "a1o15a15o1h8", "h8h9i8i9j8j9k8k9l8"];
    let Some(format) = target else {
        let set_ups = ["b:h8,g9 w:i9 b", "b: w:a1 w"];
        return games.iter().chain(&set_ups).map(|text| text.as_bytes().to_vec()).collect();
    };
    let mut trees: Vec<Tree> = Vec::new();
    for game in games {
        let position = Position::parse(game, Rule::Freestyle, 15).expect("these can be played");
        let mut tree = Tree::from_position(&position);
        let ids: Vec<_> = tree.nodes().collect();
        for (number, &id) in ids.iter().enumerate() {
            tree.set_comment(id, format!("comment [{number}] \\ äöü"));
        }
        let line = [Point::new(0, 7), Point::new(1, 7)];
        tree.add_line(ids[0], &line);
        trees.push(tree);
    }
    let mut files: Vec<Vec<u8>> =
        trees.iter().filter_map(|tree| write(std::slice::from_ref(tree), format).ok()).collect();
    files.extend(write(&trees, format));
    files.push(Vec::new());
    files
}

/// The choices of the mutations: the same for the same seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        split_mix(self.0)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

fn mutate(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], dice: &mut Dice) {
    let at = dice.below(bytes.len() + 1);
    match dice.below(7) {
        0 if at < bytes.len() => bytes[at] = dice.next() as u8,
        1 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
        2 => bytes.insert(at, b"()[];:,\\\r\n\0\xff 0129azAZ"[dice.below(21)]),
        3 => bytes.truncate(at),
        4 => {
            let end = (at + dice.below(16)).min(bytes.len());
            bytes.drain(at..end);
        }
        5 => {
            let other = &corpus[dice.below(corpus.len())];
            let from = dice.below(other.len() + 1);
            bytes.splice(at..at, other[from..].iter().copied());
        }
        _ => {
            let end = (at + dice.below(32)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            for _ in 0..dice.below(20) {
                bytes.splice(at..at, piece.iter().copied());
            }
        }
    }
    bytes.truncate(20_000);
}
