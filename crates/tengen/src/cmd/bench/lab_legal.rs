//! Whole games of the lab's players under a short limit: `tengen bench lab --legal N`.

use std::{
    collections::BTreeMap,
    fmt,
    time::{Duration, Instant},
};

use gomoku::{Color, Game, Rule};
use player::{Limits, Player, PlayerReply, Registry, SpecError, Stopwatch, Task};
use serde_json::{Value, json};

use super::lab::{processor_time, start};

/// A limit may be passed by this much.
pub(crate) const ALLOWED: Duration = Duration::from_millis(50);

/// How often a move that took longer is asked for again. A virtual machine that stands still counts as
/// the player's time on every clock; a player that looks at its clock too seldom is late each time.
const REPEATS: usize = 2;

/// The games of one player under one rule on one board.
#[derive(Clone, Debug)]
pub(crate) struct Games {
    /// The player, on both sides.
    pub(crate) spec: String,
    /// The rule.
    pub(crate) rule: Rule,
    /// Board size, in points per side.
    pub(crate) size: u8,
    /// Games played.
    pub(crate) n_games: u64,
    /// Moves asked for.
    pub(crate) n_moves: u64,
    /// Games by the way they ended.
    pub(crate) endings: BTreeMap<&'static str, u64>,
    /// Moves that the rules do not allow, each with its position.
    pub(crate) illegal: Vec<String>,
    /// By how much the slowest move passed its limit, by the clock on the wall.
    pub(crate) overrun: Duration,
    /// The same in time on a processor, which leaves out what other programs did.
    pub(crate) overrun_cpu: Duration,
    /// Moves asked for again because they took too long; the shortest time counts.
    pub(crate) n_repeated: u64,
}

/// Every rule on 15x15, and freestyle on a small and a large board.
pub(crate) fn boards() -> Vec<(Rule, u8)> {
    let mut boards: Vec<(Rule, u8)> = Rule::ALL.into_iter().map(|rule| (rule, 15)).collect();
    boards.extend([(Rule::Freestyle, 8), (Rule::Freestyle, 20)]);
    boards
}

/// Every player of the lab.
pub(crate) fn players() -> Vec<String> {
    let mut registry = Registry::default();
    lab::register(&mut registry);
    registry.players().map(|info| info.name.to_owned()).collect()
}

impl Games {
    /// Lets a player play so many games against itself, so long a move, from seeded stones.
    pub(crate) fn play(
        registry: &Registry,
        spec: &str,
        (rule, size): (Rule, u8),
        n_games: u64,
        turn: Duration,
    ) -> Result<Games, SpecError> {
        let mut games = Games {
            spec: spec.to_owned(),
            rule,
            size,
            n_games,
            n_moves: 0,
            endings: BTreeMap::new(),
            illegal: Vec::new(),
            overrun: Duration::ZERO,
            overrun_cpu: Duration::ZERO,
            n_repeated: 0,
        };
        let (mut black, mut white) = (registry.build(spec)?, registry.build(spec)?);
        for seed in 0..n_games {
            black.new_game(seed);
            white.new_game(seed + 1);
            let ending = games.one(&mut *black, &mut *white, seed, turn);
            *games.endings.entry(ending).or_default() += 1;
        }
        Ok(games)
    }

    /// Plays one game and says how it ended.
    fn one(
        &mut self,
        black: &mut dyn Player,
        white: &mut dyn Player,
        seed: u64,
        turn: Duration,
    ) -> &'static str {
        let mut game = Game::new(start(seed, self.rule, self.size));
        loop {
            if let Some(result) = game.result {
                return result.ending.name();
            }
            let mover: &mut dyn Player =
                if game.position.to_move() == Color::Black { &mut *black } else { &mut *white };
            let reply = self.ask(mover, &game, turn);
            let can_move = !game.position.legal_points().is_empty();
            match reply {
                PlayerReply::Move(point) if game.position.is_legal(point) => {
                    game.play(point).expect("a legal point of a game that goes on can be played");
                }
                PlayerReply::Resign if !can_move => return "no move left",
                other => {
                    self.illegal.push(format!("{other:?} in {}", game.position.to_text()));
                    return "illegal";
                }
            }
        }
    }

    fn ask(&mut self, mover: &mut dyn Player, game: &Game, turn: Duration) -> PlayerReply {
        let limits = Limits { turn: Some(turn), ..Limits::default() };
        let task = Task::new(game.position.clone(), limits);
        let (reply, mut wall, mut cpu) = timed(mover, &task);
        let mut repeats = 0;
        while cpu.saturating_sub(turn) > ALLOWED && repeats < REPEATS {
            let (_, wall_again, cpu_again) = timed(mover, &task);
            (wall, cpu) = (wall.min(wall_again), cpu.min(cpu_again));
            repeats += 1;
        }
        self.n_repeated += u64::from(repeats > 0);
        self.n_moves += 1;
        self.overrun = self.overrun.max(wall.saturating_sub(turn));
        self.overrun_cpu = self.overrun_cpu.max(cpu.saturating_sub(turn));
        reply
    }

    /// Whether no move was illegal and none passed the limit by more than is allowed.
    pub(crate) fn is_clean(&self) -> bool {
        self.illegal.is_empty() && self.overrun_cpu <= ALLOWED
    }

    /// The games as JSON.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "player": self.spec,
            "rule": self.rule.name(),
            "size": self.size,
            "games": self.n_games,
            "moves": self.n_moves,
            "endings": self.endings,
            "illegal": self.illegal,
            "worst_overrun_ms": 1e3 * self.overrun.as_secs_f64(),
            "worst_overrun_processor_ms": 1e3 * self.overrun_cpu.as_secs_f64(),
            "repeated": self.n_repeated,
        })
    }

    /// The heading of the table that rows print themselves into.
    pub(crate) fn heading() -> String {
        format!(
            "{:<24} {:<11} {:>4} {:>6} {:>7} {:>8} {:>10} {:>10}  endings",
            "player", "rule", "size", "games", "moves", "illegal", "over wall", "over cpu"
        )
    }
}

impl fmt::Display for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endings: Vec<String> =
            self.endings.iter().map(|(ending, n)| format!("{n} {ending}")).collect();
        write!(
            f,
            "{:<24} {:<11} {:>4} {:>6} {:>7} {:>8} {:>7.1} ms {:>7.1} ms  {}",
            self.spec,
            self.rule.name(),
            self.size,
            self.n_games,
            self.n_moves,
            self.illegal.len(),
            1e3 * self.overrun.as_secs_f64(),
            1e3 * self.overrun_cpu.as_secs_f64(),
            endings.join(", ")
        )?;
        if self.n_repeated > 0 {
            write!(f, "; asked again for {} late moves", self.n_repeated)?;
        }
        Ok(())
    }
}

/// A player's answer with its time on the wall and on a processor.
fn timed(mover: &mut dyn Player, task: &Task) -> (PlayerReply, Duration, Duration) {
    let (started, cpu) = (Instant::now(), processor_time());
    let choice = mover.choose(task, &Stopwatch::start());
    let wall = started.elapsed();
    let cpu = cpu.zip(processor_time()).map_or(wall, |(before, after)| after - before);
    (choice.reply, wall, cpu)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small version of the command; how long moves took is not judged here.
    #[test]
    fn quick_players_play_legal_games_everywhere() {
        for spec in ["greedy", "compositions-d1", "random"] {
            for board in boards() {
                let registry = crate::players::registry();
                let turn = Duration::from_secs(5);
                let games = Games::play(registry, spec, board, 1, turn).unwrap();
                assert!(games.illegal.is_empty(), "{spec} {board:?}: {:?}", games.illegal);
                assert_eq!(games.endings.values().sum::<u64>(), 1);
                assert!(games.n_moves >= 6, "five in a row after three stones takes more moves");
            }
        }
    }

    /// Plays on the first point of the board whether it is empty or not.
    struct Stubborn;

    impl Player for Stubborn {
        fn new_game(&mut self, _seed: u64) {}

        fn choose(&mut self, _task: &Task, _watch: &dyn player::Watch) -> player::Choice {
            player::Choice::of(gomoku::Point::new(0, 0), player::Reason::Only)
        }
    }

    /// Plays well and much too late, every time.
    struct Late;

    impl Player for Late {
        fn new_game(&mut self, _seed: u64) {}

        fn choose(&mut self, task: &Task, _watch: &dyn player::Watch) -> player::Choice {
            let begun = processor_time().unwrap_or_default();
            let wall = Instant::now();
            while processor_time().map_or(wall.elapsed(), |now| now - begun) < 2 * ALLOWED {}
            let point = task.position.legal_points().iter().next().expect("the board is empty");
            player::Choice::of(point, player::Reason::Only)
        }
    }

    #[test]
    fn a_player_that_is_late_each_time_is_found() {
        let mut games =
            Games::play(crate::players::registry(), "random", (Rule::Freestyle, 15), 0, ALLOWED)
                .unwrap();
        let game = Game::new(gomoku::Position::new(Rule::Freestyle, 15));
        games.ask(&mut Late, &game, Duration::ZERO);
        assert_eq!((games.n_moves, games.n_repeated), (1, 1));
        assert!(!games.is_clean());
    }

    #[test]
    fn an_illegal_move_is_found() {
        let mut games =
            Games::play(crate::players::registry(), "random", (Rule::Renju, 15), 0, ALLOWED)
                .unwrap();
        assert!(games.is_clean());
        assert_eq!(games.one(&mut Stubborn, &mut Stubborn, 0, ALLOWED), "illegal");
        assert!(!games.is_clean());
    }
}
