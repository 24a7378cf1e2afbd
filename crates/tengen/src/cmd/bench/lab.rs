//! How fast the lab's players are: the figures of `tengen bench lab`.

use std::{
    fmt,
    time::{Duration, Instant},
};

use gomoku::{Color, Game, Point, Position, Rule, zobrist::split_mix};
use player::{Counters, Limits, Player, Registry, SpecError, Stopwatch, Task};
use serde_json::{Value, json};

/// One measured player.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The player.
    pub(crate) spec: String,
    /// Time on a processor of every move that was searched rather than taken from a book, shortest
    /// first.
    pub(crate) times: Vec<Duration>,
    /// The same moves by the clock on the wall, together.
    pub(crate) wall: Duration,
    /// What they cost together.
    pub(crate) total: Counters,
    /// What is asked for, in words.
    pub(crate) goal: &'static str,
}

/// Players with a speed to keep.
const PLAYERS: [(&str, &str); 5] = [
    ("new-heuristic", "150 ms per move, goal 60"),
    ("static-table", "50 ms per move"),
    ("top12", "100 ms per move"),
    ("minimax", "200 ms per move"),
    ("fan-yuan-mcts(budget=20000)", "20000 simulations per second from an opening position"),
];

/// The players that are measured when none is named.
pub(crate) fn players() -> Vec<String> {
    PLAYERS.iter().map(|(spec, _)| (*spec).to_owned()).collect()
}

impl Row {
    /// Mean time of a move in milliseconds.
    pub(crate) fn ms_per_move(&self) -> f64 {
        let sum: Duration = self.times.iter().sum();
        1e3 * sum.as_secs_f64() / self.times.len().max(1) as f64
    }

    /// The time that so many percent of the moves stay below, in milliseconds.
    pub(crate) fn percentile_ms(&self, per_cent: usize) -> f64 {
        let last = self.times.len().saturating_sub(1);
        let at = (self.times.len() * per_cent / 100).min(last);
        self.times.get(at).map_or(0.0, |time| 1e3 * time.as_secs_f64())
    }

    /// Static evaluations a second; for Monte Carlo search these are simulations.
    pub(crate) fn evaluations_per_second(&self) -> f64 {
        let sum: Duration = self.times.iter().sum();
        self.total.evaluations as f64 / sum.as_secs_f64().max(1e-9)
    }

    /// The row as JSON.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "player": self.spec,
            "moves": self.times.len(),
            "ms_per_move": self.ms_per_move(),
            "percentile_95_ms": self.percentile_ms(95),
            "slowest_ms": self.percentile_ms(100),
            "wall_ms_per_move": 1e3 * self.wall.as_secs_f64() / self.times.len().max(1) as f64,
            "nodes": self.total.nodes,
            "evaluations": self.total.evaluations,
            "evaluations_per_second": self.evaluations_per_second(),
            "wanted": self.goal,
        })
    }

    /// The heading of the table that rows print themselves into.
    pub(crate) fn heading() -> String {
        format!(
            "{:<28} {:>6} {:>9} {:>9} {:>9} {:>9} {:>11} {:>11}  wanted",
            "player", "moves", "ms/move", "95 %", "slowest", "wall", "nodes/move", "evals/s"
        )
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.times.len().max(1) as f64;
        write!(
            f,
            "{:<28} {:>6} {:>9.2} {:>9.1} {:>9.1} {:>9.2} {:>11.0} {:>11.0}  {}",
            self.spec,
            self.times.len(),
            self.ms_per_move(),
            self.percentile_ms(95),
            self.percentile_ms(100),
            1e3 * self.wall.as_secs_f64() / n,
            self.total.nodes as f64 / n,
            self.evaluations_per_second(),
            self.goal
        )
    }
}

/// Measures one player in so many games against itself or, for simulations, on one move in each of
/// three openings. Games start from three seeded stones and are the same on every machine.
pub(crate) fn measure(registry: &Registry, spec: &str, games: u64) -> Result<Row, SpecError> {
    let known = PLAYERS.iter().find(|(known, _)| *known == spec);
    let mut row = Row {
        spec: spec.to_owned(),
        times: Vec::new(),
        wall: Duration::ZERO,
        total: Counters::default(),
        goal: known.map_or("", |(_, goal)| goal),
    };
    let (mut black, mut white) = (registry.build(spec)?, registry.build(spec)?);
    let is_simulation = spec.contains("mcts");
    for seed in 0..if is_simulation { 3 } else { games } {
        black.new_game(seed);
        white.new_game(seed + 1);
        let mut game = Game::new(start(seed, Rule::Freestyle, 15));
        while game.result.is_none() {
            let mover: &mut dyn Player =
                if game.position.to_move() == Color::Black { &mut *black } else { &mut *white };
            let Some(point) = row.choose(mover, &game.position) else { break };
            if is_simulation || game.play(point).is_err() {
                break;
            }
        }
    }
    row.times.sort_unstable();
    Ok(row)
}

impl Row {
    fn choose(&mut self, player: &mut dyn Player, position: &Position) -> Option<Point> {
        let task = Task::new(position.clone(), Limits::default());
        let (started, cpu) = (Instant::now(), processor_time());
        let choice = player.choose(&task, &Stopwatch::start());
        let wall = started.elapsed();
        let time = cpu.zip(processor_time()).map_or(wall, |(before, after)| after - before);
        if choice.counters.nodes > 0 {
            self.times.push(time);
            self.wall += wall;
            self.total.nodes += choice.counters.nodes;
            self.total.evaluations += choice.counters.evaluations;
            self.total.cutoffs += choice.counters.cutoffs;
        }
        choice.point()
    }
}

/// Time that this thread has spent on a processor, where the system tells: on a busy machine the
/// clock on the wall also counts what others did.
pub(crate) fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Three stones in the middle of the board, seven by seven points where there is room.
pub(crate) fn start(seed: u64, rule: Rule, size: u8) -> Position {
    let mut position = Position::new(rule, size);
    let width = size.min(7);
    let first = (size - width) / 2;
    let mut number = split_mix(seed);
    while position.board().len() < 3 {
        number = split_mix(number);
        let (col, row) = (number % u64::from(width), number / 7 % u64::from(width));
        // An occupied point is drawn again.
        let _ = position.play(Point::new(first + col as u8, first + row as u8));
    }
    position
}
