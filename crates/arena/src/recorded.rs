//! The index of all recorded games: an SQLite file that can be made anew from the journals.

use std::{collections::BTreeMap, fs, path::Path};

use gomoku::{Color, Rule};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use stats::{Encounter, RatingOptions, Z95, rate};
use thiserror::Error;

use crate::{
    journal::{JournalContent, JournalError},
    plan::{Contender, Plan},
    record::{PairRecord, digest},
    run::replay,
};

/// Version of the tables. Another version is simply made anew from the journals.
const SCHEMA_VERSION: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE runs (
    run TEXT PRIMARY KEY, journal TEXT NOT NULL, began INTEGER NOT NULL, rule TEXT NOT NULL,
    size INTEGER NOT NULL, schedule TEXT NOT NULL, seed TEXT NOT NULL, players TEXT NOT NULL,
    pairs INTEGER NOT NULL, digest TEXT, build TEXT NOT NULL
) STRICT;
CREATE TABLE players (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;
CREATE TABLE games (
    run TEXT NOT NULL REFERENCES runs(run) ON DELETE CASCADE, pair INTEGER NOT NULL,
    game INTEGER NOT NULL, black INTEGER NOT NULL REFERENCES players(id),
    white INTEGER NOT NULL REFERENCES players(id), rule TEXT NOT NULL, size INTEGER NOT NULL,
    opening TEXT NOT NULL, moves TEXT NOT NULL, half_points INTEGER NOT NULL,
    ending TEXT NOT NULL, plies INTEGER NOT NULL, micros INTEGER NOT NULL,
    PRIMARY KEY (run, pair, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX games_by_black ON games(black);
CREATE INDEX games_by_white ON games(white);
";

/// The index file.
#[derive(Debug)]
pub struct Index {
    db: Connection,
}

/// Why the index cannot be used.
#[derive(Debug, Error)]
pub enum IndexError {
    /// SQLite refused.
    #[error("The index of games cannot be used: {0}.")]
    Sqlite(#[from] rusqlite::Error),
    /// A journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The folder of runs cannot be read.
    #[error("{path}: {error}.")]
    Folder {
        /// The folder.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
}

/// A run in the index.
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

/// A game in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredGame {
    /// The run it belongs to.
    pub run: String,
    /// Its pair.
    pub pair: u64,
    /// Which of the pair's games.
    pub game: u8,
    /// Who had Black.
    pub black: String,
    /// Who had White.
    pub white: String,
    /// The rule.
    pub rule: String,
    /// Board size, in points per side.
    pub size: u8,
    /// The opening.
    pub opening: String,
    /// The moves after it.
    pub moves: String,
    /// What Black scored, in half points.
    pub black_half_points: u8,
    /// How it ended.
    pub ending: String,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingLine {
    /// Spec and budget: what makes it this player, whatever a run called it.
    pub player: String,
    /// The name that the run added last gave it.
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

impl Index {
    /// Opens the index, making it if there is none. One of another version is emptied: call
    /// [`Index::rebuild`] when [`Index::runs`] is unexpectedly short.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn open(path: &Path) -> Result<Index, IndexError> {
        if let Some(folder) = path.parent() {
            let failed = |error| IndexError::Folder { path: folder.display().to_string(), error };
            fs::create_dir_all(folder).map_err(failed)?;
        }
        Index::prepare(Connection::open(path)?)
    }

    /// An index in memory, for looking at a few journals.
    ///
    /// # Errors
    /// When SQLite cannot be used.
    pub fn in_memory() -> Result<Index, IndexError> {
        Index::prepare(Connection::open_in_memory()?)
    }

    fn prepare(db: Connection) -> Result<Index, IndexError> {
        db.busy_timeout(std::time::Duration::from_secs(10))?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "foreign_keys", true)?;
        let index = Index { db };
        let version: i64 = index.db.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version != SCHEMA_VERSION {
            index.reset()?;
        }
        Ok(index)
    }

    fn reset(&self) -> Result<(), IndexError> {
        self.db.execute_batch(&format!(
            "BEGIN; DROP TABLE IF EXISTS games; DROP TABLE IF EXISTS players; \
             DROP TABLE IF EXISTS runs; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        ))?;
        Ok(())
    }

    /// Adds a run, or brings it up to date.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, recorded: &JournalContent, journal: &Path) -> Result<(), IndexError> {
        let plan = &recorded.plan;
        // A pair may be in the journal twice, with the same games.
        let pairs: BTreeMap<u64, &PairRecord> =
            recorded.pairs.iter().rev().map(|pair| (pair.index, pair)).collect();
        let digest = plan
            .is_reproducible()
            .then(|| replay(plan, recorded.pairs.clone()).ok())
            .flatten()
            .map(|outcome| digest(&outcome.pairs));
        let names: Vec<&str> = plan.players.iter().map(|p| p.name.as_str()).collect();
        let transaction = self.db.transaction()?;
        transaction.execute("DELETE FROM runs WHERE run = ?1", [&plan.run])?;
        transaction.execute(
            "INSERT INTO runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            params![
                plan.run,
                journal.display().to_string(),
                recorded.began as i64,
                plan.rule.name(),
                plan.size,
                plan.schedule.name(),
                plan.seed,
                names.join(", "),
                pairs.len() as i64,
                digest,
                plan.build,
            ],
        )?;
        let ids = player_ids(&transaction, plan)?;
        for pair in pairs.values() {
            add_pair(&transaction, plan, &ids, pair)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Forgets everything and reads all journals (`*/journal.jsonl`) below a folder again. Says
    /// which files could not be read.
    ///
    /// # Errors
    /// When the folder cannot be read or the index cannot be written.
    pub fn rebuild(&mut self, runs: &Path) -> Result<Vec<JournalError>, IndexError> {
        self.reset()?;
        let failed = |error| IndexError::Folder { path: runs.display().to_string(), error };
        let mut folders: Vec<_> = fs::read_dir(runs)
            .map_err(failed)?
            .collect::<Result<Vec<_>, _>>()
            .map_err(failed)?
            .into_iter()
            .map(|entry| entry.path().join("journal.jsonl"))
            .filter(|path| path.is_file())
            .collect();
        folders.sort();
        let mut unreadable = Vec::new();
        for path in folders {
            match JournalContent::read(&path) {
                Ok(recorded) => self.add(&recorded, &path)?,
                Err(error) => unreadable.push(error),
            }
        }
        Ok(unreadable)
    }

    /// All runs, the latest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn runs(&self) -> Result<Vec<RunLine>, IndexError> {
        let mut query = self.db.prepare("SELECT * FROM runs ORDER BY began DESC, run")?;
        let rows = query.query_map([], run_line)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// One run by name.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn run(&self, run: &str) -> Result<Option<RunLine>, IndexError> {
        let mut query = self.db.prepare("SELECT * FROM runs WHERE run = ?1")?;
        Ok(query.query_row([run], run_line).optional()?)
    }

    /// Some of the games, in the order of runs and pairs.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn games(
        &self,
        filter: &GameFilter,
        offset: u64,
        limit: u64,
    ) -> Result<Vec<StoredGame>, IndexError> {
        let mut query = self.db.prepare(
            "SELECT g.run, g.pair, g.game, b.name, w.name, g.rule, g.size, g.opening, g.moves, \
                    g.half_points, g.ending \
             FROM games g JOIN players b ON b.id = g.black JOIN players w ON w.id = g.white \
             WHERE (?1 IS NULL OR g.run = ?1) AND (?2 IS NULL OR g.rule = ?2) \
                   AND (?3 IS NULL OR g.size = ?3) \
             ORDER BY g.run, g.pair, g.game LIMIT ?4 OFFSET ?5",
        )?;
        let rule = filter.rule.map(Rule::name);
        let rows = query.query_map(
            params![filter.run, rule, filter.size, limit as i64, offset as i64],
            |row| {
                Ok(StoredGame {
                    run: row.get(0)?,
                    pair: row.get::<_, i64>(1)? as u64,
                    game: row.get(2)?,
                    black: row.get(3)?,
                    white: row.get(4)?,
                    rule: row.get(5)?,
                    size: row.get(6)?,
                    opening: row.get(7)?,
                    moves: row.get(8)?,
                    black_half_points: row.get(9)?,
                    ending: row.get(10)?,
                })
            },
        )?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Ratings over all games that pass the filter, best first. The same spec with the same
    /// budget is one player in all runs.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn ratings(&self, filter: &GameFilter) -> Result<Vec<RatingLine>, IndexError> {
        let (ids, clusters) = self.encounters(filter)?;
        let options = RatingOptions { advantage: true, phantom_draws: 0.0 };
        let helped = RatingOptions { phantom_draws: 1.0, ..options };
        let rated =
            rate(ids.len(), &clusters, options).or_else(|_| rate(ids.len(), &clusters, helped));
        let Ok(rated) = rated else { return Ok(Vec::new()) };
        let mut points = vec![(0.0, 0u64); ids.len()];
        for e in clusters.iter().flatten() {
            points[e.first].0 += e.score;
            points[e.second].0 += 1.0 - e.score;
            points[e.first].1 += 1;
            points[e.second].1 += 1;
        }
        let mut lines = Vec::new();
        for (player, id) in ids.iter().enumerate() {
            let (identity, name) = self.db.query_row(
                "SELECT identity, name FROM players WHERE id = ?1",
                [id],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            let (score, games) = points[player];
            lines.push(RatingLine {
                player: identity,
                name,
                elo: rated.elo[player],
                elo_error: Z95 * rated.error[player],
                games,
                score: score / games.max(1) as f64,
            });
        }
        lines.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        Ok(lines)
    }

    /// The games that pass a filter, as the rating model sees them, clustered by pair; and the
    /// ids of their players.
    fn encounters(
        &self,
        filter: &GameFilter,
    ) -> Result<(Vec<i64>, Vec<Vec<Encounter>>), IndexError> {
        let mut query = self.db.prepare(
            "SELECT run, pair, black, white, half_points FROM games \
             WHERE (?1 IS NULL OR run = ?1) AND (?2 IS NULL OR rule = ?2) \
                   AND (?3 IS NULL OR size = ?3) ORDER BY run, pair, game",
        )?;
        let rule = filter.rule.map(Rule::name);
        let mut rows = query.query(params![filter.run, rule, filter.size])?;
        let mut ids: Vec<i64> = Vec::new();
        let mut places: BTreeMap<i64, usize> = BTreeMap::new();
        let mut clusters: Vec<Vec<Encounter>> = Vec::new();
        let mut last: Option<(String, i64)> = None;
        while let Some(row) = rows.next()? {
            let mut place = |id: i64| {
                *places.entry(id).or_insert_with(|| {
                    ids.push(id);
                    ids.len() - 1
                })
            };
            let encounter = Encounter {
                first: place(row.get(2)?),
                second: place(row.get(3)?),
                score: row.get::<_, f64>(4)? / 2.0,
                games: 1.0,
            };
            let pair = Some((row.get(0)?, row.get(1)?));
            match clusters.last_mut() {
                Some(cluster) if pair == last => cluster.push(encounter),
                _ => clusters.push(vec![encounter]),
            }
            last = pair;
        }
        Ok((ids, clusters))
    }
}

/// What makes a player the same in two runs.
fn identity(player: &Contender) -> String {
    match player.budget.describe() {
        budget if budget.is_empty() => player.spec.clone(),
        budget => format!("{} @ {budget}", player.spec),
    }
}

fn player_ids(db: &Connection, plan: &Plan) -> Result<Vec<i64>, IndexError> {
    let mut insert = db.prepare(
        "INSERT INTO players (identity, name) VALUES (?1, ?2) \
         ON CONFLICT (identity) DO UPDATE SET name = excluded.name RETURNING id",
    )?;
    let mut ids = Vec::new();
    for player in &plan.players {
        ids.push(insert.query_row(params![identity(player), player.name], |row| row.get(0))?);
    }
    Ok(ids)
}

fn add_pair(
    db: &Connection,
    plan: &Plan,
    ids: &[i64],
    pair: &PairRecord,
) -> Result<(), IndexError> {
    let mut insert = db.prepare_cached(
        "INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?;
    for (number, game) in pair.games.iter().enumerate() {
        insert.execute(params![
            plan.run,
            pair.index as i64,
            number as i64,
            ids[pair.player(number, Color::Black)],
            ids[pair.player(number, Color::White)],
            plan.rule.name(),
            plan.size,
            pair.opening,
            game.moves,
            game.half_points(Color::Black) as i64,
            game.ending.name(),
            game.plies() as i64,
            game.times.iter().sum::<u64>() as i64,
        ])?;
    }
    Ok(())
}

fn run_line(row: &Row<'_>) -> rusqlite::Result<RunLine> {
    Ok(RunLine {
        run: row.get("run")?,
        journal: row.get("journal")?,
        began: row.get::<_, i64>("began")? as u64,
        rule: row.get("rule")?,
        size: row.get("size")?,
        schedule: row.get("schedule")?,
        seed: row.get("seed")?,
        players: row.get("players")?,
        pairs: row.get::<_, i64>("pairs")? as u64,
        digest: row.get("digest")?,
    })
}
