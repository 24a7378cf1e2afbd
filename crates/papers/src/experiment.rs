//! Experiments as data: one small file for each table or figure of a paper.
//!
//! A file says who plays, from where, how often, and what the paper printed. The papers' numbers
//! stand in these files and nowhere else.

use arena::Budget;
use gomoku::Rule;
use serde::{Deserialize, Serialize};
use thiserror::Error;

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Start {
    /// The rule.
    pub rule: String,
    /// Points a side.
    pub size: u8,
    /// `balanced` for the shipped set, `random` for three random stones near the centre.
    pub openings: String,
}

impl Default for Start {
    fn default() -> Start {
        Start { rule: "freestyle".to_owned(), size: 15, openings: "balanced".to_owned() }
    }
}

impl Start {
    /// The rule by type.
    ///
    /// # Errors
    /// When there is no such rule.
    pub fn rule(&self) -> Result<Rule, ExperimentError> {
        self.rule.parse().map_err(|_| ExperimentError::Rule(self.rule.clone()))
    }
}

/// A player of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
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

impl Entrant {
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
    pub players: Vec<Entrant>,
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
    pub players: Vec<Entrant>,
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
    pub shallow: Entrant,
    /// The deep player.
    pub deep: Entrant,
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

/// Something a paper says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The claim as a sentence.
    pub text: String,
    /// The part that measures it; `ID/PART` for one of another experiment.
    pub part: String,
    /// Whose quantity.
    #[serde(default)]
    pub of: String,
    /// Against or in relation to whom.
    #[serde(default)]
    pub per: String,
    /// Which quantity.
    pub what: String,
    /// Plies, where the quantity needs them.
    #[serde(default)]
    pub depth: u32,
    /// What was printed: so many of so many.
    #[serde(default)]
    pub count: Option<(u64, u64)>,
    /// What was printed: a number.
    #[serde(default)]
    pub printed: Option<f64>,
    /// Factor within which a printed number counts as met.
    #[serde(default)]
    pub within: Option<f64>,
    /// What must hold: `> 0.5` or `< 1`.
    #[serde(default)]
    pub holds: Option<String>,
    /// Why the paper cannot be held to it.
    #[serde(default)]
    pub unclear: Option<String>,
    /// Why ours differs, if it does.
    #[serde(default)]
    pub why: Option<String>,
    /// Whether the quick run must show it too.
    #[serde(default)]
    pub essential: bool,
}

/// Why an experiment cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExperimentError {
    /// No such experiment.
    #[error("There is no experiment '{0}'; 'tengen papers list' names them.")]
    Unknown(String),
    /// No such rule.
    #[error("'{0}' is not a rule.")]
    Rule(String),
    /// A file that is not an experiment.
    #[error("The experiment file cannot be read: {0}")]
    File(String),
}

fn one() -> f64 {
    1.0
}

fn one_move() -> usize {
    1
}

impl Part {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Part::Games(part) => &part.name,
            Part::Walk(part) => &part.name,
            Part::Find(part) => &part.name,
            Part::Evolve(part) => &part.name,
        }
    }

    /// What is done, in a sentence.
    pub fn about(&self) -> &str {
        match self {
            Part::Games(part) => &part.about,
            Part::Walk(part) => &part.about,
            Part::Find(part) => &part.about,
            Part::Evolve(part) => &part.about,
        }
    }

    /// How much is done.
    pub fn amount(&self) -> Amount {
        match self {
            Part::Games(part) => part.amount,
            Part::Walk(part) => part.amount,
            Part::Find(part) => part.amount,
            Part::Evolve(part) => part.amount,
        }
    }

    /// Its players.
    pub fn entrants(&self) -> Vec<&Entrant> {
        match self {
            Part::Games(part) => part.players.iter().collect(),
            Part::Walk(part) => part.players.iter().collect(),
            Part::Find(part) => vec![&part.shallow, &part.deep],
            Part::Evolve(_) => Vec::new(),
        }
    }
}

/// Reads an experiment.
///
/// # Errors
/// When the text is not an experiment.
pub fn parse(text: &str) -> Result<Experiment, ExperimentError> {
    toml::from_str(text).map_err(|error| ExperimentError::File(error.to_string()))
}
