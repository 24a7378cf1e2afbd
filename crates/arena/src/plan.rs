//! The plan of a run: who plays whom, how often, from where, and under which limits.
//!
//! A plan is everything that decides the games. It is the first line of the run's journal, so a
//! run can be resumed, repeated or checked from that file alone.

use std::{collections::BTreeSet, time::Duration};

use gomoku::{MAX_SIZE, MIN_SIZE, Rule};
use player::{Clock, Limits};
use serde::{Deserialize, Serialize};
use stats::Sprt;
use thiserror::Error;

use crate::{openings::Openings, text};

/// Everything that decides the games of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Name of the run, for people and folders. It has no say in the games.
    pub run: String,
    /// What people called it, in their own letters, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Names the random numbers of the run: the same seed gives the same openings and seeds.
    pub seed: String,
    /// The rule.
    #[serde(with = "text")]
    pub rule: Rule,
    /// Board size, in points per side.
    pub size: u8,
    /// Who takes part; schedules refer to them by place.
    pub players: Vec<Contender>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// Where games begin.
    pub openings: Openings,
    /// When games are ended early.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// How long programs are waited for.
    #[serde(default, rename = "patience")]
    pub timeouts: Timeouts,
    /// Cleared by the caller when a player is known to play differently each time, say because
    /// it uses several threads.
    #[serde(default = "yes")]
    pub deterministic: bool,
    /// The program and version that made the plan.
    #[serde(default)]
    pub build: String,
}

fn yes() -> bool {
    true
}

/// The seed of a run that names none.
pub const DEFAULT_SEED: &str = "1";

/// A player in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contender {
    /// What reports call it; different for each player of a run.
    pub name: String,
    /// What it is: a spec for the factory, or `cmd:program arguments` for an external engine.
    pub spec: String,
    /// What it may spend on a move.
    #[serde(default)]
    pub budget: Budget,
}

impl Contender {
    /// Players by name, spec and budget; one that has the spec of another before it gets a number.
    pub fn numbered(players: impl IntoIterator<Item = (String, String, Budget)>) -> Vec<Contender> {
        let mut contenders: Vec<Contender> = Vec::new();
        for (mut name, spec, budget) in players {
            let same = contenders.iter().filter(|other| other.spec == spec).count();
            if same > 0 {
                name += &format!(" #{}", same + 1);
            }
            contenders.push(Contender { name, spec, budget });
        }
        contenders
    }

    /// Players with several threads play differently each time, also those within others.
    pub fn is_deterministic(&self) -> bool {
        let spec: String = self.spec.split_whitespace().collect();
        let threads = spec.split("threads=").skip(1).map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..end].parse::<u32>().unwrap_or(1)
        });
        threads.max().unwrap_or(1) <= 1
    }
}

/// What a player may spend. Several limits hold at once; without any, the player's own
/// parameters decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Plies of search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Static evaluations a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
    /// Milliseconds a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_ms: Option<u64>,
    /// Milliseconds a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_ms: Option<u64>,
    /// Milliseconds added to the game's time after each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
    /// Bytes of memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

impl Budget {
    /// The limits of the first move.
    pub fn limits(&self) -> Limits {
        let increment = Duration::from_millis(self.increment_ms.unwrap_or(0));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            evaluations: self.evaluations,
            turn: self.turn_ms.map(Duration::from_millis),
            clock: self.game_ms.map(|ms| Clock { left: Duration::from_millis(ms), increment }),
            memory: self.memory,
        }
    }

    /// The budget in a few characters, `10000 nodes` or `1000 ms`; empty without limits.
    pub fn describe(&self) -> String {
        let mut parts = Vec::new();
        let mut add = |value: Option<u64>, unit: &str| {
            parts.extend(value.map(|value| format!("{value} {unit}")));
        };
        add(self.depth.map(u64::from), "plies");
        add(self.nodes, "nodes");
        add(self.evaluations, "evaluations");
        add(self.turn_ms, "ms");
        match (self.game_ms, self.increment_ms) {
            (Some(game), Some(increment)) => parts.push(format!("{game}+{increment} ms a game")),
            (Some(game), None) => parts.push(format!("{game} ms a game")),
            _ => {}
        }
        parts.join(", ")
    }
}

impl From<Limits> for Budget {
    fn from(limits: Limits) -> Budget {
        let ms = |time: Duration| time.as_millis() as u64;
        Budget {
            depth: limits.depth,
            nodes: limits.nodes,
            evaluations: limits.evaluations,
            turn_ms: limits.turn.map(ms),
            game_ms: limits.clock.map(|clock| ms(clock.left)),
            increment_ms: limits.clock.map(|clock| ms(clock.increment)),
            memory: limits.memory,
        }
    }
}

/// Who meets whom. A pair is two games from one opening with colors swapped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Schedule {
    /// The first player against the second.
    Duel {
        /// How many pairs.
        pairs: u64,
    },
    /// The first player against each of the others.
    Gauntlet {
        /// How many pairs against each.
        pairs: u64,
    },
    /// Everyone against everyone.
    RoundRobin {
        /// How many pairs for each two.
        pairs: u64,
    },
    /// One after the other enters at the foot of the ladder and climbs while it beats the player
    /// above.
    Ladder {
        /// How many pairs decide a rung.
        pairs: u64,
    },
    /// The first player against the second until a sequential test is decided.
    Sprt {
        /// The test.
        test: Sprt,
        /// Pairs after which it ends undecided.
        max_pairs: u64,
    },
}

/// When a game is ended before the board decides it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// Stones on the board at which the game is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_stones: Option<u32>,
    /// A win both players agree on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<Agreement>,
    /// A draw both players agree on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Agreement>,
}

/// Scores on which both players have agreed for some moves. Scores are in each player's own
/// units, so this is for players of one family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// At least this much for one side (win), or at most this much for either (draw).
    pub score: i64,
    /// For this many moves of each player in a row.
    pub moves: u32,
    /// Stones before which it does not count.
    #[serde(default)]
    pub after_stones: u32,
}

/// How long programs are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Timeouts {
    /// Milliseconds by which an answer may be late: a busy machine is not the player's fault.
    pub tolerance_ms: u64,
    /// Milliseconds beyond that, in which a lost program's answer is waited for to tell a late
    /// one from none.
    pub late_ms: u64,
    /// Milliseconds in which a program must have started.
    pub start_ms: u64,
    /// Milliseconds after which a move without a time limit counts as a stall.
    pub stall_ms: u64,
    /// How often a start is tried before the run gives up.
    pub start_attempts: u32,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            tolerance_ms: 1000,
            late_ms: 500,
            start_ms: 10_000,
            stall_ms: 300_000,
            start_attempts: 3,
        }
    }
}

/// Why a plan cannot be played.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlanError {
    /// Too few or too many players for the schedule.
    #[error("This schedule needs {needs}, and the plan has {has}.")]
    Players {
        /// What the schedule asks for.
        needs: &'static str,
        /// How many there are.
        has: usize,
    },
    /// Two players with one name.
    #[error("Two players are called '{0}'.")]
    SameName(String),
    /// A name that would confuse files.
    #[error("'{0}' cannot be a name: it is empty or has control characters.")]
    BadName(String),
    /// A board that does not exist.
    #[error("A board of {0}x{0} is not possible: the board size is 5 to 22.")]
    Size(u8),
    /// No games.
    #[error("The schedule has no pairs to play.")]
    NoPairs,
    /// An opening that cannot be played.
    #[error("Opening {number} ('{text}'): {error}")]
    Opening {
        /// Its place in the set, from 1.
        number: usize,
        /// The opening.
        text: String,
        /// What is wrong with it.
        error: String,
    },
    /// No openings.
    #[error("The opening set '{0}' is empty.")]
    NoOpenings(String),
    /// A test that makes no sense.
    #[error("The sequential test cannot be run: {0}")]
    Sprt(#[from] stats::SprtError),
}

impl Plan {
    /// A plan with the default seed, without adjudication, and of no named build.
    pub fn new(
        run: &str,
        rule: Rule,
        size: u8,
        players: Vec<Contender>,
        schedule: Schedule,
        openings: Openings,
    ) -> Plan {
        Plan {
            run: run.to_owned(),
            title: String::new(),
            seed: DEFAULT_SEED.to_owned(),
            rule,
            size,
            players,
            schedule,
            openings,
            adjudication: Adjudication::default(),
            timeouts: Timeouts::default(),
            deterministic: true,
            build: String::new(),
        }
    }

    /// Whether the games depend on nothing but the plan.
    pub fn is_reproducible(&self) -> bool {
        let timed = |player: &Contender| player.budget.limits().is_timed();
        self.deterministic && !self.players.iter().any(timed)
    }

    /// Checks everything that can be checked before the first game.
    ///
    /// # Errors
    /// When the plan cannot be played, with the reason.
    pub fn check(&self) -> Result<(), PlanError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&self.size) {
            return Err(PlanError::Size(self.size));
        }
        self.check_players()?;
        if self.schedule.pairs() == 0 {
            return Err(PlanError::NoPairs);
        }
        if let Schedule::Sprt { test, .. } = self.schedule {
            test.validated()?;
        }
        self.openings.check(self.rule, self.size)
    }

    fn check_players(&self) -> Result<(), PlanError> {
        let has = self.players.len();
        let two_only = matches!(self.schedule, Schedule::Duel { .. } | Schedule::Sprt { .. });
        if two_only && has != 2 {
            return Err(PlanError::Players { needs: "two players", has });
        }
        if has < 2 {
            return Err(PlanError::Players { needs: "at least two players", has });
        }
        let mut names = BTreeSet::new();
        for player in &self.players {
            let name = &player.name;
            if name.trim().is_empty() || name.chars().any(char::is_control) {
                return Err(PlanError::BadName(name.clone()));
            }
            if !names.insert(name) {
                return Err(PlanError::SameName(name.clone()));
            }
        }
        Ok(())
    }
}

impl Schedule {
    /// A match of two: so many games (100), or a sequential test that ends after so many (20,000).
    pub fn match_of(games: Option<u64>, test: Option<Sprt>) -> Schedule {
        match test {
            Some(test) => Schedule::Sprt { test, max_pairs: games.unwrap_or(20_000).div_ceil(2) },
            None => Schedule::Duel { pairs: games.unwrap_or(100).div_ceil(2) },
        }
    }

    /// The kind of schedule in a word.
    pub const fn name(&self) -> &'static str {
        match self {
            Schedule::Duel { .. } => "duel",
            Schedule::Gauntlet { .. } => "gauntlet",
            Schedule::RoundRobin { .. } => "round-robin",
            Schedule::Ladder { .. } => "ladder",
            Schedule::Sprt { .. } => "sprt",
        }
    }

    /// Pairs for each two players that meet (at most, for a sequential test).
    pub fn pairs(&self) -> u64 {
        match *self {
            Schedule::Duel { pairs }
            | Schedule::Gauntlet { pairs }
            | Schedule::RoundRobin { pairs }
            | Schedule::Ladder { pairs }
            | Schedule::Sprt { max_pairs: pairs, .. } => pairs,
        }
    }
}
