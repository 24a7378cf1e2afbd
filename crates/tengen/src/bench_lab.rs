//! How fast the lab's players are: the figures of `tengen bench lab`.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use gomoku::{Color, Game, Position, Rule, zobrist::split_mix};
use player::{Choice, Counters, Limits, Player, Registry, Task, Watch};

/// One measured player.
#[derive(Clone, Debug)]
pub struct Row {
    /// The player.
    pub spec: &'static str,
    /// Moves that were searched rather than taken from a book.
    pub n_moves: u64,
    /// What they cost together.
    pub total: Counters,
    /// The slowest move.
    pub slowest: Duration,
    /// What is asked for, in words.
    pub goal: &'static str,
}

impl Row {
    /// Mean time of a move in milliseconds.
    pub fn ms_per_move(&self) -> f64 {
        1e3 * self.total.time.as_secs_f64() / self.n_moves.max(1) as f64
    }

    /// Static evaluations a second; for `fan-yuan-mcts` these are simulations.
    pub fn evaluations_per_second(&self) -> f64 {
        self.total.evaluations as f64 / self.total.time.as_secs_f64().max(1e-9)
    }
}

/// Players with a speed to keep.
const PLAYERS: [(&str, &str); 5] = [
    ("new-heuristic", "150 ms a move, goal 60"),
    ("static-table", "50 ms a move"),
    ("top12", "100 ms a move"),
    ("minimax", "200 ms a move"),
    ("fan-yuan-mcts(budget=20000)", "20000 simulations a second from an opening position"),
];

/// Lets each player play against itself, or, for the simulations, choose one move in an opening.
/// Games start from three seeded stones and are the same on every machine.
pub fn run(registry: &Registry, games: u64) -> Vec<Row> {
    PLAYERS.into_iter().map(|(spec, goal)| measure(registry, spec, goal, games)).collect()
}

/// The rows as a table for people.
pub fn to_text(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<30} {:>7} {:>10} {:>10} {:>12} {:>12}  {}\n",
        "player", "moves", "ms/move", "slowest", "nodes/move", "evals/s", "wanted"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:<30} {:>7} {:>10.2} {:>10.1} {:>12} {:>12.0}  {}",
            row.spec,
            row.n_moves,
            row.ms_per_move(),
            1e3 * row.slowest.as_secs_f64(),
            row.total.nodes / row.n_moves.max(1),
            row.evaluations_per_second(),
            row.goal
        );
    }
    text
}

/// The rows as one JSON document.
pub fn to_json(rows: &[Row]) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|row| {
            format!(
                "{{\"player\":\"{}\",\"moves\":{},\"ms_per_move\":{:.3},\"slowest_ms\":{:.3},\
                 \"nodes\":{},\"evaluations\":{},\"evaluations_per_second\":{:.0},\
                 \"wanted\":\"{}\"}}",
                row.spec,
                row.n_moves,
                row.ms_per_move(),
                1e3 * row.slowest.as_secs_f64(),
                row.total.nodes,
                row.total.evaluations,
                row.evaluations_per_second(),
                row.goal
            )
        })
        .collect();
    format!("{{\"players\":[{}]}}", rows.join(","))
}

/// Measures one player in so many games against itself.
pub fn measure(registry: &Registry, spec: &'static str, goal: &'static str, games: u64) -> Row {
    let mut row =
        Row { spec, n_moves: 0, total: Counters::default(), slowest: Duration::ZERO, goal };
    let build = || registry.build(spec).expect("the lab has the player");
    let (mut black, mut white) = (build(), build());
    let is_simulation = spec.contains("mcts");
    for seed in 0..if is_simulation { 3 } else { games } {
        black.new_game(seed);
        white.new_game(seed + 1);
        let mut game = Game::new(start(seed));
        while game.result.is_none() {
            let mover: &mut dyn Player =
                if game.position.to_move() == Color::Black { &mut *black } else { &mut *white };
            let choice = row.choose(mover, &game.position);
            let Some(point) = choice.point() else { break };
            if is_simulation || game.play(point).is_err() {
                break;
            }
        }
    }
    row
}

impl Row {
    fn choose(&mut self, player: &mut dyn Player, position: &Position) -> Choice {
        let clock = Clock(Instant::now());
        let choice = player.choose(&Task::new(position.clone(), Limits::default()), &clock);
        let time = clock.elapsed();
        if choice.counters.nodes > 0 {
            self.n_moves += 1;
            self.total.nodes += choice.counters.nodes;
            self.total.evaluations += choice.counters.evaluations;
            self.total.cutoffs += choice.counters.cutoffs;
            self.total.time += time;
            self.slowest = self.slowest.max(time);
        }
        choice
    }
}

/// Three stones in the central seven by seven.
pub fn start(seed: u64) -> Position {
    let mut position = Position::new(Rule::Freestyle, 15);
    let mut number = split_mix(seed);
    while position.board().len() < 3 {
        number = split_mix(number);
        let point = gomoku::Point::new(4 + (number % 7) as u8, 4 + (number / 7 % 7) as u8);
        // An occupied point is drawn again.
        let _ = position.play(point);
    }
    position
}

struct Clock(Instant);

impl Watch for Clock {
    fn stopped(&self) -> bool {
        false
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
