//! Measures what needs a quiet machine: `clock stop` the time from the stop flag to the answer,
//! `clock threads DEPTH FILE` how much sooner two threads reach a depth than one, from the first 30
//! positions of a file that has one on each line (`tengen openings export` writes such files).

use std::{
    sync::{Arc, atomic::AtomicBool, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

use engine::{Engine, Options};
use gomoku::{Point, Position, Rule, zobrist::split_mix};
use player::{Limits, Player, Stopwatch, Task};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("stop") => stop(),
        Some("threads") if args.len() == 3 => threads(args[1].parse().expect("a depth"), &args[2]),
        _ => eprintln!("clock stop | clock threads DEPTH FILE"),
    }
}

/// Stops searches of all rules and sizes at odd moments.
fn stop() {
    let mut delays = Vec::new();
    let mut engines = [1, 2].map(warm);
    for i in 0..600u64 {
        let rule = Rule::ALL[i as usize % Rule::ALL.len()];
        let position = scattered(i, rule, [15, 20, 22][i as usize % 3], 4 + i % 20);
        let threads = 1 + i as usize % 2;
        let flag = Arc::new(AtomicBool::new(false));
        let watch = Stopwatch::with_flag(flag.clone());
        let engine = &mut engines[threads - 1];
        engine.new_game(i);
        let task = Task::new(position, Limits::nodes(u64::MAX / 200));
        std::thread::scope(|scope| {
            let stopper = scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(3 + split_mix(i) % 120));
                flag.store(true, Relaxed);
                Instant::now()
            });
            engine.choose(&task, &watch);
            let answered = Instant::now();
            // A search that had finished by itself was not stopped.
            let stopped = stopper.join().expect("the stopper does not panic");
            if let Some(delay) = answered.checked_duration_since(stopped) {
                if delay > Duration::from_millis(15) {
                    println!("search {i}: {rule}, {threads} threads, {delay:.1?}");
                }
                delays.push(delay);
            }
        });
    }
    delays.sort();
    let ms = |delay: Option<&Duration>| delay.map_or(0.0, |delay| delay.as_secs_f64() * 1e3);
    println!(
        "{} searches stopped: median {:.2} ms, worst {:.2} ms",
        delays.len(),
        ms(delays.get(delays.len() / 2)),
        ms(delays.last())
    );
}

/// Time to a depth over 30 positions, with one thread and with two in turn.
fn threads(depth: u32, file: &str) {
    let text = std::fs::read_to_string(file).expect("a file of positions");
    let mut logs = Vec::new();
    let mut engines = [1, 2].map(warm);
    for line in text.lines().filter(|line| !line.starts_with('#')).take(30) {
        let position = Position::parse(line, Rule::Freestyle, 15).expect("a position");
        let [one, two] = engines.each_mut().map(|engine| {
            engine.new_game(1);
            let watch = Stopwatch::start();
            let started = Instant::now();
            engine.choose(&Task::new(position.clone(), Limits::depth(depth)), &watch);
            started.elapsed().as_secs_f64()
        });
        println!("{:<40} {one:>8.3} s {two:>8.3} s  {:.2}", position.to_text(), one / two);
        logs.push((one / two).ln());
    }
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    println!("geometric mean of the speedup to depth {depth}: {mean:.2}");
}

/// An engine whose table has been in use: the system hands out memory when it is first touched, which
/// is not to be measured.
fn warm(threads: usize) -> Engine {
    let mut engine = Engine::new(Options { threads, ..Options::default() });
    let task = Task::new(Position::new(Rule::Freestyle, 15), Limits::nodes(3_000_000));
    engine.choose(&task, &Stopwatch::start());
    engine
}

/// Random stones in the middle.
fn scattered(seed: u64, rule: Rule, size: u8, n_stones: u64) -> Position {
    let mut random = split_mix(seed);
    let mut position = Position::new(rule, size);
    while (position.moves().len() as u64) < n_stones {
        random = split_mix(random);
        let at = |bits: u64| size / 2 - 3 + (bits % 7) as u8;
        let point = Point::new(at(random), at(random >> 20));
        let mut after = position.clone();
        if position.is_legal(point) && after.play(point) == Ok(None) {
            position = after;
        }
    }
    position
}
