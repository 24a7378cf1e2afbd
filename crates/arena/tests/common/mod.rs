//! Small deterministic players and plans for the tests of the arena.
#![allow(dead_code, unreachable_pub, reason = "each test uses some of it")]

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use arena::*;
use gomoku::{Direction, Point, Rule};
use player::{Choice, Player, Reason, Score, SplitMix64, Task, Watch};

/// Plays at random next to other stones; with some skill it makes or stops the longest row.
pub struct Scatter {
    random: SplitMix64,
    skill: u64,
    panics: bool,
}

impl Player for Scatter {
    fn new_game(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
    }

    fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
        let position = &task.position;
        assert!(!(self.panics && position.board().len() > 12), "this player panics on purpose");
        let near: Vec<Point> = position
            .legal_points()
            .iter()
            .filter(|p| position.board().occupied().iter().any(|q| p.distance(q) == 1))
            .collect();
        let all: Vec<Point> = position.legal_points().iter().collect();
        let points = if near.is_empty() { &all } else { &near };
        let attentive = self.random.below(100) < self.skill;
        let pick = points[self.random.below(points.len() as u64) as usize];
        let longest = |point: Point| {
            let run = |color| {
                let runs = Direction::ALL.map(|d| position.board().run_through(point, d, color));
                runs.into_iter().max().unwrap_or(0)
            };
            let me = position.to_move();
            2 * run(me).max(run(!me)) + u32::from(run(me) >= run(!me))
        };
        let best = points.iter().copied().max_by_key(|p| longest(*p)).unwrap_or(pick);
        let point = if attentive { best } else { pick };
        let mut choice = Choice::of(point, Reason::Random);
        choice.score = Some(Score::new(self.skill as i64));
        choice.counters.evaluations = points.len() as u64;
        choice
    }
}

/// Knows `scatter:SKILL`, `panic`, and `shaky:N` whose making fails N times.
pub fn factory() -> Factory {
    let failures = Arc::new(AtomicU64::new(0));
    Arc::new(move |spec: &str| {
        let (name, value) = spec.split_once(':').unwrap_or((spec, "50"));
        let number: u64 = value.parse().map_err(|_| format!("'{value}' is not a number."))?;
        let scatter = |skill, panics| -> Result<Box<dyn Player>, String> {
            Ok(Box::new(Scatter { random: SplitMix64::new(0), skill, panics }))
        };
        match name {
            "scatter" => scatter(number, false),
            "panic" => scatter(50, true),
            "shaky" if failures.fetch_add(1, Ordering::Relaxed) < number => {
                Err("It is not in the mood.".to_owned())
            }
            "shaky" => scatter(50, false),
            _ => Err(format!("There is no player '{name}'.")),
        }
    })
}

pub fn contender(name: &str, spec: &str) -> Contender {
    Contender { name: name.to_owned(), spec: spec.to_owned(), budget: Budget::default() }
}

/// Openings of two stones around the center: 2 x 24 different ones and more by symmetry.
pub fn openings() -> Openings {
    let mut positions = Vec::new();
    for (first, col, row) in [("h8", 5, 5), ("i9", 9, 9)] {
        for c in 0..5 {
            for r in 0..5 {
                let point = Point::new(col + c, row + r);
                if point.to_string() != first {
                    positions.push(format!("{first}{point}"));
                }
            }
        }
    }
    Openings { name: "test".to_owned(), positions, symmetries: true, repeat: false }
}

pub fn plan(players: &[(&str, &str)], schedule: Schedule) -> Plan {
    let players = players.iter().map(|(name, spec)| contender(name, spec)).collect();
    let plan = Plan::new("test", Rule::Freestyle, 15, players, schedule, openings());
    Plan { seed: "test".to_owned(), ..plan }
}

/// A folder of its own for each test, emptied first.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Where [`play`] leaves its journal.
pub fn journal_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name).join("journal.jsonl")
}

/// Plays a plan from nothing with this many threads.
pub fn play(plan: &Plan, name: &str, jobs: usize) -> Result<RunEnd, RunError> {
    let path = folder(name).join("journal.jsonl");
    let mut journal = Journal::create(&path, plan)?;
    let control = RunControl::default();
    let mut threads = Threads::start(jobs, &factory(), &control);
    run(plan, Vec::new(), &mut journal, &mut threads, &control, &mut |_| {})
}
