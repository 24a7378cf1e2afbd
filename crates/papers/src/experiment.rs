//! Experiments as data: one small file for each table or figure of a paper.
//!
//! A file says who plays, from where, how often, and what the paper printed. The papers' numbers
//! stand in these files and nowhere else.

use std::{collections::BTreeMap, ops::Range};

use arena::Budget;
use gomoku::{Position, Rule};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::claim::Claim;

/// One table or figure.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// What the command line calls it.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The paper and the place in it.
    pub paper: String,
    /// What is asked, in one sentence.
    pub question: String,
    /// What a reader who does not know the paper has to know.
    #[serde(default)]
    pub background: String,
    /// Experiments whose measurements are judged here too.
    #[serde(default)]
    pub uses: Vec<String>,
    /// What is measured.
    #[serde(default, rename = "part")]
    pub parts: Vec<Part>,
    /// What the paper says.
    #[serde(default, rename = "claim")]
    pub claims: Vec<Claim>,
    /// Results that cannot be repeated, quoted.
    #[serde(default)]
    pub context: Vec<String>,
}

/// A measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Part {
    /// Games of players against each other.
    Games(Games),
    /// What players spend on the positions of games.
    Walk(Walk),
    /// Positions in which a deep search wins and a shallow one takes something else.
    Find(Find),
    /// An evolution of parameters.
    Evolve(Evolve),
    /// A table of games under several readings of its text.
    Readings(Readings),
}

/// How much of a part is done.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amount {
    /// Games in the whole run; for two players both colors together.
    pub games: u64,
    /// Games in the quick run; none skips the part.
    pub quick: u64,
    /// Games for each one of `--games`.
    #[serde(default = "one")]
    pub weight: f64,
    /// Core seconds a game, for the estimate.
    #[serde(default = "one")]
    pub cost: f64,
}

/// Where games begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Start {
    /// The rule.
    #[serde(with = "arena::text")]
    pub rule: Rule,
    /// Board size, in points per side.
    pub size: u8,
    /// The first stones.
    pub openings: FirstStones,
}

/// The first stones of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstStones {
    /// The shipped set of balanced openings.
    Balanced,
    /// Three random stones near the center.
    Random,
    /// One random stone near the center.
    One,
    /// Liao's 57 openings.
    Styles,
}

impl Default for Start {
    fn default() -> Start {
        Start { rule: Rule::Freestyle, size: 15, openings: FirstStones::Balanced }
    }
}

impl Start {
    pub(crate) fn empty_board(&self) -> Position {
        Position::new(self.rule, self.size)
    }
}

/// A player of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentPlayer {
    /// What the report calls it.
    pub name: String,
    /// What it is.
    pub spec: String,
    /// The paper's limit in seconds a move.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// What a second of the paper's machine is taken to be worth.
    #[serde(default)]
    pub evaluations_per_second: Option<f64>,
    /// Static evaluations a move.
    #[serde(default)]
    pub evaluations: Option<u64>,
    /// Milliseconds a move by the clock of this machine.
    #[serde(default)]
    pub ms: Option<u64>,
}

impl ExperimentPlayer {
    /// What it may spend on a move. Seconds of a paper become evaluations.
    pub fn budget(&self) -> Budget {
        let converted = self.seconds.zip(self.evaluations_per_second);
        let converted = converted.map(|(seconds, speed)| (seconds * speed).round() as u64);
        Budget {
            evaluations: self.evaluations.or(converted),
            turn_ms: self.ms,
            ..Budget::default()
        }
    }

    /// How seconds became evaluations, if they did.
    pub fn conversion(&self) -> Option<String> {
        let (seconds, speed) = self.seconds.zip(self.evaluations_per_second)?;
        let budget = (seconds * speed).round();
        Some(format!(
            "{}: {seconds} s a move x {speed} evaluations a second (assumed for the paper's \
             machine) = {budget} evaluations a move",
            self.name
        ))
    }
}

/// Games of players against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Games {
    /// Its name in claims and folders.
    pub name: String,
    /// What is done, in a sentence.
    pub about: String,
    /// Who plays.
    pub players: Vec<ExperimentPlayer>,
    /// Who meets whom.
    #[serde(default)]
    pub schedule: Meetings,
    /// Where games begin.
    #[serde(default)]
    pub start: Start,
    /// How many games each two play.
    pub amount: Amount,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meetings {
    /// The first against the second.
    #[default]
    Duel,
    /// The first against each of the others.
    Gauntlet,
    /// Everyone against everyone.
    League,
}

/// What players spend on the positions of games. Serialized as the setting of its journal, so
/// without what changes no row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Walk {
    /// Its name in claims and folders.
    pub name: String,
    /// What is done, in a sentence.
    #[serde(skip_serializing)]
    pub about: String,
    /// Who plays the games; without it each player plays against itself.
    #[serde(default)]
    pub guide: Option<String>,
    /// Who is measured.
    pub players: Vec<ExperimentPlayer>,
    /// Where games begin.
    #[serde(default)]
    pub start: Start,
    /// Moves between two positions that are looked at.
    #[serde(default = "one_move")]
    pub every: usize,
    /// Stones at which a guided game ends.
    #[serde(default)]
    pub most_stones: Option<usize>,
    /// Whether to draw evaluations by the number of stones.
    #[serde(default)]
    pub curve: bool,
    /// How many games.
    #[serde(skip_serializing)]
    pub amount: Amount,
}

/// Positions in which a deep search wins and a shallow one takes something else. Serialized as the
/// setting of its journal, so without what changes no row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Find {
    /// Its name in claims and folders.
    pub name: String,
    /// What is done, in a sentence.
    #[serde(skip_serializing)]
    pub about: String,
    /// Who plays the games that are searched.
    pub guide: String,
    /// The shallow player.
    pub shallow: ExperimentPlayer,
    /// The deep player.
    pub deep: ExperimentPlayer,
    /// Where games begin.
    #[serde(default)]
    pub start: Start,
    /// How many games are searched.
    #[serde(skip_serializing)]
    pub amount: Amount,
}

/// An evolution of parameters, as published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evolve {
    /// Its name in claims and folders.
    pub name: String,
    /// What is done, in a sentence.
    pub about: String,
    /// The start: the empirical set.
    pub player: String,
    /// The parameters that evolve.
    pub params: Vec<String>,
    /// What the paper found for each of them.
    #[serde(default)]
    pub printed: Vec<f64>,
    /// Bounds of each.
    pub bounds: (f64, f64),
    /// Generations, in the whole run and in the quick one.
    pub generations: (u64, u64),
    /// Snapshots taken on the way, without the first.
    pub snapshots: u64,
    /// Games of each snapshot against the start, and of each two individuals of the best.
    pub amount: Amount,
    /// Games of each two individuals of the best snapshot.
    pub tournament: u32,
}

/// A printed table of games, and what its text may mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Readings {
    /// Its name in claims and folders.
    pub name: String,
    /// What is done, in a sentence.
    pub about: String,
    /// The players by the names that the table has for them.
    pub players: BTreeMap<String, String>,
    /// The rows of the table.
    #[serde(rename = "row")]
    pub rows: Vec<PrintedRow>,
    /// The readings, the usual one first.
    #[serde(rename = "reading")]
    pub readings: Vec<PaperReading>,
    /// Games for each row and reading.
    pub amount: Amount,
}

/// A row of a printed table of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedRow {
    /// Who has Black.
    pub black: String,
    /// Who has White.
    pub white: String,
    /// Games won by Black, won by White, and drawn.
    pub printed: [u64; 3],
}

/// One way to read the text of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperReading {
    /// A few words.
    pub name: String,
    /// What it supposes, in a sentence.
    pub about: String,
    /// Players that are different from those of the part.
    #[serde(default)]
    pub players: BTreeMap<String, String>,
    /// Where games begin.
    #[serde(default)]
    pub start: Start,
    /// Stones after which a game is called drawn.
    #[serde(default)]
    pub cap: Option<usize>,
}

/// Why an experiment cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExperimentError {
    /// No such experiment.
    #[error("There is no experiment '{0}'; 'tengen papers list' names them.")]
    Unknown(String),
    /// A file that is not an experiment, or a claim that does not fit the part that measures it.
    #[error("{file}, line {line}: {reason}")]
    File {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

fn one() -> f64 {
    1.0
}

fn one_move() -> usize {
    1
}

impl Part {
    /// Its kind as files spell it, its name, what is done in a sentence, and how much.
    fn common(&self) -> (&'static str, &str, &str, Amount) {
        match self {
            Part::Games(part) => ("games", &part.name, &part.about, part.amount),
            Part::Walk(part) => ("walk", &part.name, &part.about, part.amount),
            Part::Find(part) => ("find", &part.name, &part.about, part.amount),
            Part::Evolve(part) => ("evolve", &part.name, &part.about, part.amount),
            Part::Readings(part) => ("readings", &part.name, &part.about, part.amount),
        }
    }

    /// Its kind, as files spell it.
    pub fn kind(&self) -> &'static str {
        self.common().0
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.common().1
    }

    /// What is done, in a sentence.
    pub fn about(&self) -> &str {
        self.common().2
    }

    /// How much is done.
    pub fn amount(&self) -> Amount {
        self.common().3
    }

    /// Its players.
    pub fn entrants(&self) -> Vec<&ExperimentPlayer> {
        match self {
            Part::Games(part) => part.players.iter().collect(),
            Part::Walk(part) => part.players.iter().collect(),
            Part::Find(part) => vec![&part.shallow, &part.deep],
            Part::Evolve(_) | Part::Readings(_) => Vec::new(),
        }
    }

    /// The texts of all its players.
    pub fn specs(&self) -> Vec<&str> {
        match self {
            Part::Readings(part) => {
                let of_readings = part.readings.iter().flat_map(|reading| reading.players.values());
                part.players.values().chain(of_readings).map(String::as_str).collect()
            }
            _ => self.entrants().into_iter().map(|entrant| entrant.spec.as_str()).collect(),
        }
    }
}

impl Experiment {
    /// Whether it tries readings of a text, which is asked for by itself.
    pub fn is_about_readings(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Readings(_)))
    }
}

/// Reads experiments from files, given by name and text, and holds every claim against the part that
/// measures it.
///
/// # Errors
/// When a text is not an experiment, or a claim does not fit its part.
pub fn read(files: &[(&str, &str)]) -> Result<Vec<Experiment>, ExperimentError> {
    let wrong = |&(file, text): &(&str, &str), span: Range<usize>, reason: &str| {
        let line = 1 + text.get(..span.start).unwrap_or(text).matches('\n').count();
        ExperimentError::File { file: file.to_owned(), line, reason: reason.to_owned() }
    };
    let mut all: Vec<Experiment> = Vec::new();
    for file in files {
        let experiment = toml::from_str(file.1);
        all.push(experiment.map_err(|error: toml::de::Error| {
            wrong(file, error.span().unwrap_or_default(), error.message())
        })?);
    }
    for (file, experiment) in files.iter().zip(&all) {
        for claim in &experiment.claims {
            let checked = claim.check(experiment, &all);
            checked.map_err(|(span, reason)| wrong(file, span, &reason))?;
        }
    }
    Ok(all)
}
