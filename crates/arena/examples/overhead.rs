//! Measures what the arena itself costs: a thousand games between players that think of nothing.
//!
//! `cargo run --release -p arena --example overhead [GAMES] [JOBS]`

use std::{error::Error, sync::Arc, time::Instant};

use arena::*;
use gomoku::Rule;
use player::{Choice, Player, Reason, SplitMix64, Task, Watch};

/// Plays anywhere.
struct Anywhere(SplitMix64);

impl Player for Anywhere {
    fn new_game(&mut self, seed: u64) {
        self.0 = SplitMix64::new(seed);
    }

    fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
        let points = task.position.legal_points();
        let pick = self.0.below(points.len() as u64) as usize;
        let point = points.iter().nth(pick).expect("a legal point");
        Choice::of(point, Reason::Random)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().map_or(Ok(1000), |n| n.parse())?;
    let jobs: usize = arguments.next().map_or(Ok(2), |n| n.parse())?;
    let contender = |name: &str| Contender {
        name: name.to_owned(),
        spec: "anywhere".to_owned(),
        budget: Budget::default(),
    };
    let players = vec![contender("a"), contender("b")];
    let openings = Openings { repeat: true, ..Openings::empty_board() };
    let schedule = Schedule::match_of(Some(games), None);
    let plan = Plan::new("overhead", Rule::Freestyle, 15, players, schedule, openings);
    let path = std::env::temp_dir().join(format!("arena-overhead-{}.jsonl", std::process::id()));
    let factory: Factory = Arc::new(|_| Ok(Box::new(Anywhere(SplitMix64::new(0)))));
    let control = RunControl::default();
    let began = Instant::now();
    let mut journal = Journal::create(&path, &plan)?;
    let mut threads = Threads::start(jobs, &factory, &control);
    let outcome = run(&plan, Vec::new(), &mut journal, &mut threads, &control, &mut |_| {})?;
    let seconds = began.elapsed().as_secs_f64();
    let moves: usize =
        outcome.pairs.iter().flat_map(|pair| &pair.games).map(GameRecord::plies).sum();
    println!("{games} games, {moves} moves, {jobs} jobs: {seconds:.2} s");
    std::fs::remove_file(path)?;
    Ok(())
}
