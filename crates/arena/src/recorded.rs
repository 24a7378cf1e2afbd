//! All recorded games: what the journals below a folder say together.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

use gomoku::{Color, Rule};
use serde::{Deserialize, Serialize};
use stats::{Encounter, Z95};

use crate::{
    imported::ImportedGame,
    journal::{JournalContent, JournalError},
    plan::{Contender, Plan},
    record::digest,
    run::replay,
    tally::{encounters, rate_clusters},
};

/// A run in a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLine {
    /// Its name.
    pub run: String,
    /// Where its journal is.
    pub journal: String,
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// The rule.
    pub rule: String,
    /// Board size, in points per side.
    pub size: u8,
    /// The schedule in a word.
    pub schedule: String,
    /// Its seed.
    pub seed: String,
    /// Names of the players, separated by ", ".
    pub players: String,
    /// Pairs in the journal.
    pub pairs: u64,
    /// Digest of the games, if they are reproducible.
    pub digest: Option<String>,
}

/// Which games to look at; the default is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Of one run.
    pub run: Option<String>,
    /// Under one rule.
    pub rule: Option<Rule>,
    /// On one board size.
    pub size: Option<u8>,
}

/// A player's rating over many runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RatingLine {
    /// Spec and budget: what makes it this player, whatever a run called it.
    pub player: String,
    /// The name that the last of the runs gave it.
    pub name: String,
    /// Elo; the mean of all rated players is zero (or the phantom, see `stats::RatingOptions`).
    pub elo: f64,
    /// Half width of its 95 % interval.
    pub elo_error: f64,
    /// Games.
    pub games: u64,
    /// Points per game, 0 to 1.
    pub score: f64,
}

/// Hands every run below a folder (`*/journal.jsonl`) over, by name and each pair once, and returns
/// the journals that could not be read. A folder that does not exist holds no runs.
///
/// # Errors
/// When the folder cannot be read.
pub fn read_runs(
    folder: &Path,
    mut each: impl FnMut(&Path, JournalContent),
) -> io::Result<Vec<JournalError>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = entries
        .map(|entry| Ok(entry?.path().join("journal.jsonl")))
        .collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| path.is_file());
    paths.sort();
    let (mut seen, mut unreadable) = (BTreeSet::new(), Vec::new());
    for path in paths {
        match JournalContent::read(&path) {
            Err(error) => unreadable.push(error),
            Ok(content) if !seen.insert(content.plan.run.clone()) => {} // a copy of its folder
            Ok(mut content) => {
                // What is not of the plan is no game.
                content.pairs = replay(&content.plan, content.pairs)
                    .map_or_else(|_| Vec::new(), |end| [end.pairs, end.uncounted].concat());
                each(&path, content);
            }
        }
    }
    Ok(unreadable)
}

impl RunLine {
    /// What a journal says, in a word.
    pub fn new(journal: &Path, recorded: JournalContent) -> RunLine {
        let JournalContent { plan, began, pairs, .. } = recorded;
        let names: Vec<&str> = plan.players.iter().map(|player| player.name.as_str()).collect();
        RunLine {
            run: plan.run.clone(),
            journal: journal.display().to_string(),
            began,
            rule: plan.rule.name().to_owned(),
            size: plan.size,
            schedule: plan.schedule.name().to_owned(),
            seed: plan.seed.clone(),
            players: names.join(", "),
            pairs: pairs.len() as u64,
            digest: plan
                .is_reproducible()
                .then(|| replay(&plan, pairs).ok())
                .flatten()
                .map(|outcome| digest(&outcome.pairs)),
        }
    }
}

impl GameFilter {
    fn passes(&self, plan: &Plan) -> bool {
        self.run.as_ref().is_none_or(|run| *run == plan.run)
            && self.rule.is_none_or(|rule| rule == plan.rule)
            && self.size.is_none_or(|size| size == plan.size)
    }

    /// A game that does not say its rule or its size is taken for what is asked for.
    fn passes_game(&self, game: &ImportedGame) -> bool {
        self.rule.is_none_or(|rule| game.rule.is_none_or(|own| own == rule))
            && self.size.is_none_or(|size| game.size.is_none_or(|own| own == size))
    }
}

/// Rates the players of all games below a folder that pass the filter, best first; also returns the
/// journals that could not be read. The same spec with the same budget is one player in all runs.
///
/// # Errors
/// When the folder cannot be read.
pub fn rate_runs(
    folder: &Path,
    filter: &GameFilter,
) -> io::Result<(Vec<RatingLine>, Vec<JournalError>)> {
    rate_games(folder, filter, &[])
}

/// The same with games that were played elsewhere: their players are known by their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn rate_games(
    folder: &Path,
    filter: &GameFilter,
    imported: &[ImportedGame],
) -> io::Result<(Vec<RatingLine>, Vec<JournalError>)> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut lines: Vec<RatingLine> = Vec::new();
    let mut clusters = Vec::new();
    let unreadable = read_runs(folder, |_, JournalContent { plan, pairs, .. }| {
        for mut pair in pairs.into_iter().filter(|_| filter.passes(&plan)) {
            pair.players = pair.players.map(|player| {
                let Contender { name, .. } = &plan.players[player];
                let player = identity(&plan.players[player]);
                let place = *places.entry(player.clone()).or_insert(lines.len());
                if place == lines.len() {
                    lines.push(RatingLine { player, ..RatingLine::default() });
                }
                lines[place].name.clone_from(name);
                place
            });
            clusters.push(encounters(&pair));
        }
    })?;
    for game in imported.iter().filter(|game| filter.passes_game(game)) {
        let [first, second] = game.players.each_ref().map(|name| {
            let place = *places.entry(name.clone()).or_insert(lines.len());
            if place == lines.len() {
                let (player, name) = (name.clone(), name.clone());
                lines.push(RatingLine { player, name, ..RatingLine::default() });
            }
            place
        });
        let score = match game.winner {
            Some(Color::Black) => 1.0,
            Some(Color::White) => 0.0,
            None => 0.5,
        };
        // A game of a player against itself says nothing.
        if first != second {
            clusters.push(vec![Encounter { first, second, score, games: 1.0 }]);
        }
    }
    let Some(rated) = rate_clusters(lines.len(), &clusters) else {
        return Ok((Vec::new(), unreadable));
    };
    for (place, line) in lines.iter_mut().enumerate() {
        let games = clusters.iter().flatten();
        let scores = games.filter_map(|game| match place {
            _ if place == game.first => Some(game.score),
            _ if place == game.second => Some(1.0 - game.score),
            _ => None,
        });
        line.games = scores.clone().count() as u64;
        line.score = scores.sum::<f64>() / line.games as f64;
        (line.elo, line.elo_error) = (rated.elo[place], Z95 * rated.error[place]);
    }
    lines.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    Ok((lines, unreadable))
}

/// What makes a player the same in two runs.
fn identity(player: &Contender) -> String {
    match player.budget.describe() {
        budget if budget.is_empty() => player.spec.clone(),
        budget => format!("{} @ {budget}", player.spec),
    }
}
