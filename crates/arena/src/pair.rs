//! The unit of work: one pair of games, described so completely that any machine can play it.

use std::{
    thread,
    time::{Duration, Instant},
};

use gomoku::{ByColor, Color, Ending, Point, Position, Rule};
use player::{Choice, SplitMix64, Task};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::{
    control::{RunControl, Turn},
    game::{Failure, GameInProgress},
    plan::{Adjudication, Contender, Timeouts},
    record::{GameRecord, PairRecord, Winner, hex},
    seat::{Seat, Seats, seat},
    text,
};

/// The version of the job format.
pub const JOB_VERSION: u32 = 1;

/// Pause after the first failed start; longer after each further one.
const START_PAUSE: Duration = Duration::from_millis(100);

/// A pair to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairJob {
    /// Version of this format.
    pub version: u32,
    /// The run it belongs to.
    pub run: String,
    /// Its place in the schedule.
    pub index: u64,
    /// The players, by their place in the plan.
    pub players: [usize; 2],
    /// All that decides the games.
    pub spec: PairSpec,
}

/// All that decides the games of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairSpec {
    /// The rule.
    #[serde(with = "text")]
    pub rule: Rule,
    /// Board size, in points per side.
    pub size: u8,
    /// The players; the first has Black in the first game.
    pub contenders: [Contender; 2],
    /// The opening as text.
    pub opening: String,
    /// The seed of the pair.
    pub seed: u64,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// How long programs are waited for.
    #[serde(rename = "patience")]
    pub timeouts: Timeouts,
}

/// Why a pair was not played.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum PairError {
    /// The run was broken off.
    #[error("The run was stopped.")]
    Stopped,
    /// A player could not be started, however often it was tried.
    #[error("'{player}' does not start: {detail}")]
    StartUp {
        /// Its name.
        player: String,
        /// What happened.
        detail: String,
    },
    /// The description makes no sense.
    #[error("The pair cannot be played: {0}")]
    Job(String),
}

/// A move, told while the game goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// The pair.
    pub index: u64,
    /// Which of its games, 0 or 1.
    pub game: usize,
    /// Stones on the board, this one included.
    pub stones: usize,
    /// Where.
    #[serde(with = "text")]
    pub point: Point,
    /// What the mover believes, in its own units.
    pub score: Option<i64>,
    /// Microseconds it took.
    pub micros: u64,
}

impl PairJob {
    /// Names the job by what decides its games.
    pub fn id(&self) -> String {
        let spec = serde_json::to_vec(&self.spec).expect("a job has no maps with odd keys");
        hex(&Sha256::digest(spec))
    }

    /// Plays both games. A pair in which a player does not start is tried again from the
    /// beginning, and never counted.
    ///
    /// # Errors
    /// When a player never starts, the run is stopped, or the job makes no sense.
    pub fn play(
        &self,
        seats: &Seats,
        control: &RunControl,
        worker: &str,
        tell: &mut dyn FnMut(Moved),
    ) -> Result<PairRecord, PairError> {
        let began = Instant::now();
        let start = Position::parse(&self.spec.opening, self.spec.rule, self.spec.size)
            .map_err(|error| PairError::Job(error.to_string()))?;
        if start.outcome().is_some() {
            return Err(PairError::Job("its opening is decided.".to_owned()));
        }
        let mut attempts = 0;
        loop {
            attempts += 1;
            match self.attempt(&start, seats, control, tell) {
                Ok(games) => {
                    return Ok(PairRecord {
                        index: self.index,
                        players: self.players,
                        opening: self.spec.opening.clone(),
                        seed: self.spec.seed,
                        games,
                        worker: worker.to_owned(),
                        attempts,
                        wall_ms: began.elapsed().as_millis() as u64,
                    });
                }
                Err(_) if control.is_stopped() => return Err(PairError::Stopped),
                Err(PairError::StartUp { .. }) if attempts < self.spec.timeouts.start_attempts => {
                    // A machine that is too busy to start a program may be less so in a moment.
                    thread::sleep(START_PAUSE * attempts);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn attempt(
        &self,
        start: &Position,
        seats: &Seats,
        control: &RunControl,
        tell: &mut dyn FnMut(Moved),
    ) -> Result<[GameRecord; 2], PairError> {
        let sit = |player: usize| {
            seat(&self.spec.contenders[player], seats, self.spec.timeouts)
                .map_err(|failure| self.not_started(player, failure))
        };
        let mut seats = [sit(0)?, sit(1)?];
        let mut random = SplitMix64::new(self.spec.seed);
        let mut play = |game: usize| {
            let seeds = [random.next_u64(), random.next_u64()];
            self.play_game(game, start, &mut seats, seeds, control, tell)
        };
        Ok([play(0)?, play(1)?])
    }

    fn play_game(
        &self,
        game: usize,
        start: &Position,
        seats: &mut [Box<dyn Seat>; 2],
        seeds: [u64; 2],
        control: &RunControl,
        tell: &mut dyn FnMut(Moved),
    ) -> Result<GameRecord, PairError> {
        let player_of = |color: Color| usize::from(PairRecord::first_player_color(game) != color);
        for player in 0..2 {
            seats[player]
                .start(seeds[player], start, &|| control.is_stopped())
                .map_err(|failure| self.not_started(player, failure))?;
        }
        let budgets = ByColor::new_with(|color| self.spec.contenders[player_of(color)].budget);
        let tolerance = Duration::from_millis(self.spec.timeouts.tolerance_ms);
        let mut running =
            GameInProgress::new(start.clone(), budgets, self.spec.adjudication, tolerance);
        let mut costs = Costs::default();
        while running.result().is_none() {
            if control.is_stopped() {
                return Err(PairError::Stopped);
            }
            let player = player_of(running.to_move());
            let limits = running.limits();
            let task = Task::new(running.game().position.clone(), limits);
            let stall = Duration::from_millis(self.spec.timeouts.stall_ms);
            let turn = Turn {
                started: Instant::now(),
                hard: limits.hard_time(),
                deadline: running.deadline().unwrap_or(stall),
                control,
            };
            match seats[player].choose(&task, &turn) {
                Ok((choice, used)) => {
                    let moves = running.game().moves().len();
                    running.answer(&choice.reply, choice.score, used);
                    let stones = running.game().position.board().len();
                    if running.game().moves().len() > moves {
                        costs.add(&choice, used);
                        tell_move(tell, self.index, game, stones, &choice, used);
                    }
                }
                Err(failure) if failure.ending == Ending::StartUp => {
                    return Err(self.not_started(player, failure));
                }
                Err(failure) => running.fail(failure),
            }
        }
        if control.is_stopped() {
            // The last answers may have been cut short by the stop.
            return Err(PairError::Stopped);
        }
        Ok(costs.into_record(&running))
    }

    fn not_started(&self, player: usize, failure: Failure) -> PairError {
        let player = self.spec.contenders[player].name.clone();
        PairError::StartUp { player, detail: failure.detail }
    }
}

fn tell_move(
    tell: &mut dyn FnMut(Moved),
    index: u64,
    game: usize,
    stones: usize,
    choice: &Choice,
    used: Duration,
) {
    if let Some(point) = choice.point() {
        let score = choice.score.map(|score| score.value());
        tell(Moved { index, game, stones, point, score, micros: used.as_micros() as u64 });
    }
}

/// What the moves of a game cost.
#[derive(Default)]
struct Costs {
    times: Vec<u64>,
    nodes: Vec<u64>,
    evaluations: Vec<u64>,
    depths: Vec<u32>,
    scores: Vec<Option<i64>>,
}

impl Costs {
    fn add(&mut self, choice: &Choice, used: Duration) {
        self.times.push(used.as_micros() as u64);
        self.nodes.push(choice.counters.nodes);
        self.evaluations.push(choice.counters.evaluations);
        self.depths.push(choice.depth);
        self.scores.push(choice.score.map(|score| score.value()));
    }

    fn into_record(self, running: &GameInProgress) -> GameRecord {
        let result = running.result().expect("the game is over");
        GameRecord {
            moves: running.game().moves().iter().map(ToString::to_string).collect(),
            result: Winner::from(result.winner),
            ending: result.ending,
            detail: running.detail().to_owned(),
            times: self.times,
            nodes: or_nothing(self.nodes),
            evaluations: or_nothing(self.evaluations),
            depths: or_nothing(self.depths),
            scores: or_nothing(self.scores),
        }
    }
}

/// The list, or an empty one if no entry says anything: journals stay small.
fn or_nothing<T: Default + PartialEq>(list: Vec<T>) -> Vec<T> {
    if list.iter().all(|entry| *entry == T::default()) { Vec::new() } else { list }
}
