//! What a run has shown, as data: from this the Markdown, CSV, JSON, SGF and HTML are written.

mod csv;
mod html;
mod markdown;
mod moves;
mod sgf;

use std::{collections::BTreeMap, fs, io, path::Path};

use gomoku::{Color, Ending, Rule};
use serde::Serialize;
use stats::{Estimate, Pentanomial, Ratings, Trinomial, UnbiasedElo, Verdict, Z95, unbiased_elo};

use crate::{
    plan::{Budget, Plan, Schedule},
    record::{PairRecord, digest, games_log},
    run::{RunEnd, Stop},
    tally::{Tally, ratings},
    text,
};

pub use moves::MoveCosts;
pub use sgf::played_game;

/// Version of the JSON document.
pub const REPORT_VERSION: u32 = 1;

/// What a run has shown. Infinite values (a perfect score) become `null` in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Version of this document.
    pub version: u32,
    /// Name of the run.
    pub run: String,
    /// What people called it, or empty.
    pub title: String,
    /// Seed of the run.
    pub seed: String,
    /// The rule.
    #[serde(with = "text")]
    pub rule: Rule,
    /// Board size, in points per side.
    pub size: u8,
    /// The schedule.
    pub schedule: Schedule,
    /// Name of the opening set.
    pub openings: String,
    /// Whether the same plan gives the same games again.
    pub reproducible: bool,
    /// SHA-256 of the games (of `games.log`), if they are reproducible.
    pub digest: Option<String>,
    /// Why the run ended.
    pub stop: Stop,
    /// Games counted.
    pub games: u64,
    /// Pairs counted.
    pub pairs: u64,
    /// Pairs played but not counted, because they came after the verdict of a test.
    pub uncounted_pairs: u64,
    /// The players, best first.
    pub players: Vec<PlayerLine>,
    /// All meetings.
    pub meetings: Vec<MeetingLine>,
    /// What moving first was worth in Elo, and the half width of its 95 % interval.
    pub first_move: Option<(f64, f64)>,
    /// The sequential test, if there was one.
    pub test: Option<TestLine>,
    /// The ladder from top to foot, if there was one.
    pub ladder: Option<Vec<String>>,
    /// Games won by Black, won by White, drawn.
    pub colors: [u64; 3],
    /// Games by ending.
    pub endings: BTreeMap<String, u64>,
}

/// A player's results against all others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerLine {
    /// Its name.
    pub name: String,
    /// Its spec.
    pub spec: String,
    /// What it could spend.
    pub budget: Budget,
    /// Elo, relative to the mean of the players.
    pub elo: Option<f64>,
    /// Half width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
    /// Points per game, 0 to 1.
    pub score: f64,
    /// Results as Black: wins, draws, losses.
    pub as_black: [u64; 3],
    /// Results as White: wins, draws, losses.
    pub as_white: [u64; 3],
    /// Games lost by its own fault, by ending.
    pub faults: BTreeMap<String, u64>,
    /// What its moves cost on average.
    pub costs: MoveCosts,
}

/// The results of two players against each other, seen by the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeetingLine {
    /// One player.
    pub first: String,
    /// The other.
    pub second: String,
    /// Games: losses, draws, wins.
    pub games: Trinomial,
    /// Pairs by half points, 0 to 4.
    pub pairs: Pentanomial,
    /// The difference this suggests.
    pub estimate: Estimate,
    /// Difference of their ratings over all games, and the half width of its 95 % interval.
    pub rating_difference: Option<(f64, f64)>,
}

/// A sequential test and its state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TestLine {
    /// The test.
    pub test: stats::Sprt,
    /// Log-likelihood ratio.
    pub llr: f64,
    /// Where it rejects, corrected for overshoot.
    pub lower: f64,
    /// Where it accepts, corrected for overshoot.
    pub upper: f64,
    /// The verdict.
    pub verdict: Verdict,
    /// Elo corrected for the stopping rule.
    pub unbiased: UnbiasedElo,
}

impl Report {
    /// Draws up the report of a run.
    pub fn new(plan: &Plan, outcome: &RunEnd) -> Report {
        let pairs = &outcome.pairs;
        let count = &outcome.standing.count;
        let ratings = ratings(plan.players.len(), pairs);
        let name = |player: usize| plan.players[player].name.clone();
        let reproducible = plan.is_reproducible();
        let mut players: Vec<PlayerLine> = (0..plan.players.len())
            .map(|i| player_line(plan, outcome, ratings.as_ref(), i))
            .collect();
        players.sort_by(|a, b| {
            let strength = |line: &PlayerLine| line.elo.unwrap_or(f64::NEG_INFINITY);
            strength(b).total_cmp(&strength(a))
        });
        let meetings = count.meetings.iter().map(|(&(a, b), tally)| MeetingLine {
            first: name(a),
            second: name(b),
            games: tally.games,
            pairs: tally.pairs,
            estimate: tally.estimate(),
            rating_difference: ratings
                .as_ref()
                .map(|r| (r.elo[a] - r.elo[b], Z95 * r.difference_error[a][b])),
        });
        let first_move =
            ratings.as_ref().and_then(|r| Some((r.advantage?, Z95 * r.advantage_error?)));
        Report {
            version: REPORT_VERSION,
            run: plan.run.clone(),
            title: plan.title.clone(),
            seed: plan.seed.clone(),
            rule: plan.rule,
            size: plan.size,
            schedule: plan.schedule,
            openings: plan.openings.name.clone(),
            reproducible,
            digest: reproducible.then(|| digest(pairs)),
            stop: outcome.stop,
            games: 2 * pairs.len() as u64,
            pairs: pairs.len() as u64,
            uncounted_pairs: outcome.uncounted.len() as u64,
            players,
            meetings: meetings.collect(),
            first_move,
            test: test_line(outcome),
            ladder: outcome.standing.ladder.as_ref().map(|l| l.iter().map(|p| name(*p)).collect()),
            colors: count.colors,
            endings: count.endings.iter().map(|(e, n)| (e.name().to_owned(), *n)).collect(),
        }
    }

    /// Writes `report.md`, `report.json`, `report.html`, `players.csv`, `meetings.csv`,
    /// `games.csv`, `games.sgf` and `games.log` (whose SHA-256 is the digest) into a folder.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn write(&self, plan: &Plan, pairs: &[PairRecord], folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let write = |name: &str, text: String| fs::write(folder.join(name), text);
        write("report.md", self.to_markdown())?;
        write("report.json", serde_json::to_string_pretty(self)? + "\n")?;
        write("report.html", html::page(self, plan, pairs))?;
        write("players.csv", csv::players(self))?;
        write("meetings.csv", csv::meetings(self))?;
        write("games.csv", csv::games(plan, pairs))?;
        fs::write(folder.join("games.sgf"), sgf::games(plan, pairs)?)?;
        write("games.log", games_log(pairs))
    }

    /// The report as Markdown.
    pub fn to_markdown(&self) -> String {
        markdown::page(self)
    }
}

fn player_line(
    plan: &Plan,
    outcome: &RunEnd,
    ratings: Option<&Ratings>,
    player: usize,
) -> PlayerLine {
    let contender = &plan.players[player];
    let count = &outcome.standing.count;
    let Tally { games, .. } = count.player(player);
    let faults = count.faults.iter().filter(|((p, _), _)| *p == player);
    let (as_black, as_white) = by_color(&outcome.pairs, player);
    PlayerLine {
        name: contender.name.clone(),
        spec: contender.spec.clone(),
        budget: contender.budget,
        elo: ratings.map(|r| r.elo[player]),
        elo_error: ratings.map(|r| Z95 * r.error[player]),
        wins: games.wins(),
        draws: games.draws(),
        losses: games.losses(),
        score: Estimate::of(&games).score,
        as_black,
        as_white,
        faults: faults
            .map(|((_, e), n): (&(usize, Ending), &u64)| (e.name().to_owned(), *n))
            .collect(),
        costs: MoveCosts::of_player(&outcome.pairs, player),
    }
}

/// Wins, draws and losses of a player as Black and as White.
fn by_color(pairs: &[PairRecord], player: usize) -> ([u64; 3], [u64; 3]) {
    let (mut black, mut white) = ([0; 3], [0; 3]);
    for pair in pairs {
        for (number, game) in pair.games.iter().enumerate() {
            if pair.player(number, Color::Black) == player {
                black[2 - game.half_points(Color::Black)] += 1;
            }
            if pair.player(number, Color::White) == player {
                white[2 - game.half_points(Color::White)] += 1;
            }
        }
    }
    (black, white)
}

fn test_line(outcome: &RunEnd) -> Option<TestLine> {
    let trial = outcome.standing.trial.as_ref()?;
    let (lower, upper) = trial.bounds();
    Some(TestLine {
        test: *trial.test(),
        llr: trial.llr(),
        lower,
        upper,
        verdict: trial.verdict(),
        unbiased: unbiased_elo(trial.counts(), trial.test()),
    })
}
