//! Conducts a tuning run: generations, snapshots against the start, tournament, final test.

use std::{fs, io, path::Path};

use arena::{Contender, DispatchError, Journal, JournalError, PairError, Plan, RunError, digest};
use player::{Registry, Spec, SpecError};
use stats::ClassicElo;
use thiserror::Error;

use crate::{
    games::{Meeting, Met, Situations, Starts, TuningContext},
    log::{Fit, Generation, Log, LogError, LogLine, Snapshot, Tournament},
    logistic::{self, FitError},
    optimizer::{Method, Optimizer},
    regress::{Features, rescaled},
    setup::{Setup, SpaceSearch},
    space::Genome,
};

/// How much a game moves a classic rating. The paper does not say; 16 is common among masters.
const K: f64 = 16.0;

/// Why a tuning run did not come to its end.
#[derive(Debug, Error)]
pub enum TuneError {
    /// Somebody asked for it.
    #[error("The run was interrupted and can be resumed.")]
    Interrupted,
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Nobody plays any more.
    #[error(transparent)]
    Dispatch(#[from] DispatchError),
    /// A pair cannot be played.
    #[error(transparent)]
    Pair(#[from] PairError),
    /// The final test failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The journal of the final test cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The start is no player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A game that cannot be played through.
    #[error("A recorded game cannot be played through: {0}")]
    Record(String),
    /// Nothing to learn from.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The player's evaluation does not name the parameters.
    #[error(
        "The evaluation of this player does not say what its parameters count, so nothing can be learned from games. Use another method."
    )]
    NotLinear,
    /// The file system refused.
    #[error("The result cannot be written: {0}.")]
    Io(#[from] io::Error),
    /// The setup has no player.
    #[error("The setup names no player to tune.")]
    NoPlayer,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningProgress {
    /// What is going on, in a few words.
    pub phase: String,
    /// Pairs of it that are finished.
    pub done: u64,
    /// Pairs in it.
    pub total: u64,
    /// Generations that are finished.
    pub generation: u64,
}

/// What a run has found.
#[derive(Clone, Debug)]
pub struct TuningResult {
    /// The recommended genome.
    pub best: Genome,
    /// The player with it.
    pub spec: String,
    /// The final test, if there was one.
    pub test: Option<(Plan, arena::RunEnd)>,
}

struct Run<'a, 'h> {
    log: &'a mut Log,
    setup: Setup,
    typed: Spec,
    context: &'a mut TuningContext<'h>,
    listener: &'a mut dyn FnMut(&TuningProgress),
}

/// Runs a setup to its end, or resumes it: what the log holds is not played again. The final
/// test's journal is in `folder`.
///
/// # Errors
/// When a player does not start or a file cannot be written; what is in the log stays valid.
pub fn tune(
    log: &mut Log,
    folder: &Path,
    registry: &Registry,
    context: &mut TuningContext<'_>,
    listener: &mut dyn FnMut(&TuningProgress),
) -> Result<TuningResult, TuneError> {
    let setup = log.setup().clone();
    let start = setup.game.players.first().ok_or(TuneError::NoPlayer)?;
    let typed: Spec = start.spec.parse()?;
    let mut run = Run { log, setup, typed, context, listener };
    let best = match run.setup.search.clone() {
        SpaceSearch::Duels(method) => run.search(method)?,
        SpaceSearch::Regression { games } => run.regress(games, registry)?,
    };
    let spec = run.spec(&best);
    fs::write(folder.join("best.toml"), preset(&spec))?;
    let test = run.test(&spec, folder)?;
    Ok(TuningResult { best, spec, test })
}

/// The preset file of a spec.
fn preset(spec: &str) -> String {
    let text = spec.replace('\\', "\\\\").replace('"', "\\\"");
    format!("player = \"{text}\"\n")
}

impl Run<'_, '_> {
    fn spec(&self, genome: &Genome) -> String {
        self.setup.space.spec(&self.typed, genome).to_string()
    }

    fn start(&self) -> String {
        self.setup.game.players[0].spec.clone()
    }

    fn play(
        &mut self,
        situations: &Situations<'_>,
        salt: &str,
        phase: &str,
        meetings: &[Meeting],
    ) -> Result<Vec<Met>, TuneError> {
        let generation = self.log.generations().count() as u64;
        let listener = &mut *self.listener;
        let mut tell = |done, total| {
            listener(&TuningProgress { phase: phase.to_owned(), done, total, generation });
        };
        situations.play(salt, meetings, self.context, &mut tell)
    }

    fn search(&mut self, initial: Method) -> Result<Genome, TuneError> {
        let game = self.setup.game.clone();
        let tuning = Situations::new(&game, &self.setup.starts.clone());
        let mut method =
            self.log.generations().next_back().map_or(initial.clone(), |last| last.state.clone());
        while method.generation() < self.setup.generations {
            self.generation(&mut method, &tuning)?;
        }
        self.snapshots(&initial, &game)?;
        match self.setup.tournament_games {
            Some(games) => self.tournament(&initial, games, &game),
            None => Ok(method.answer()),
        }
    }

    fn generation(
        &mut self,
        method: &mut Method,
        tuning: &Situations<'_>,
    ) -> Result<(), TuneError> {
        let number = method.generation();
        let duels = method.ask();
        let most = duels.iter().map(|duel| duel.games.div_ceil(2)).max().unwrap_or(0);
        // All duels of a generation begin from the same starts.
        let first = number * u64::from(most);
        let meetings: Vec<Meeting> = duels
            .iter()
            .map(|duel| Meeting {
                a: self.spec(&duel.a),
                b: self.spec(&duel.b),
                games: duel.games,
                first,
            })
            .collect();
        let phase = format!("generation {} of {}", number + 1, self.setup.generations);
        let met = self.play(tuning, "tuning", &phase, &meetings)?;
        let digest = digest(met.iter().flat_map(|met| &met.pairs));
        let points: Vec<Vec<u8>> = met.into_iter().map(|met| met.points).collect();
        let told: Vec<f64> = points.iter().map(|points| Met::advantage(points)).collect();
        method.tell(&told);
        let (state, answer) = (method.clone(), method.answer());
        let generation = method.generation();
        let line = Generation { generation, duels: points, digest, state, answer };
        Ok(self.log.append(LogLine::Generation(line))?)
    }

    /// The state after some generations.
    fn state(&self, initial: &Method, generation: u64) -> Method {
        let found = self.log.generations().find(|line| line.generation == generation);
        found.map_or_else(|| initial.clone(), |line| line.state.clone())
    }

    /// Snapshots meet the start: the first individual in the published method, else the answer.
    fn snapshots(&mut self, initial: &Method, game: &Plan) -> Result<(), TuneError> {
        if self.setup.snapshot_games == 0 {
            return Ok(());
        }
        let is_published = self.setup.tournament_games.is_some();
        let starts = match is_published {
            true => Starts::Random,
            false => Starts::Openings(game.openings.clone()),
        };
        let situations = Situations::new(game, &starts);
        let mut generation = 0;
        while generation <= self.setup.generations {
            if !self.log.snapshots().any(|known| known.generation == generation) {
                let state = self.state(initial, generation);
                let genome = match is_published {
                    true => state.population().remove(0),
                    false => state.answer(),
                };
                let games = self.setup.snapshot_games;
                let (a, b) = (self.spec(&genome), self.start());
                let meeting = Meeting { a, b, games, first: 0 };
                let phase = format!("snapshot {generation} against the start");
                let met = self.play(&situations, "snapshot", &phase, &[meeting])?;
                let points = &met[0].points;
                let count = |wanted| points.iter().filter(|&&p| p == wanted).count() as u32;
                let (wins, draws, losses) = (count(2), count(1), count(0));
                self.log.append(LogLine::Snapshot(Snapshot { generation, wins, draws, losses }))?;
            }
            generation += self.setup.every.max(1);
        }
        Ok(())
    }

    /// The individuals of the best snapshot meet each other; the best rated is the answer.
    fn tournament(
        &mut self,
        initial: &Method,
        games: u32,
        game: &Plan,
    ) -> Result<Genome, TuneError> {
        // The earliest of the best, when several snapshots score the same.
        let better = |a: &&Snapshot, b: &&Snapshot| a.score().total_cmp(&b.score()).reverse();
        let best =
            self.log.snapshots().min_by(better).map_or(self.setup.generations, |s| s.generation);
        let population = self.state(initial, best).population();
        if self.log.tournament().is_none() {
            let n = population.len();
            let couples: Vec<(usize, usize)> =
                (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect();
            let pairs = u64::from(games.div_ceil(2));
            let meeting = |(number, &(i, j)): (usize, &(usize, usize))| Meeting {
                a: self.spec(&population[i]),
                b: self.spec(&population[j]),
                games,
                first: number as u64 * pairs,
            };
            let meetings: Vec<Meeting> = couples.iter().enumerate().map(meeting).collect();
            let situations = Situations::new(game, &Starts::Random);
            let met = self.play(&situations, "tournament", "tournament", &meetings)?;
            let mut elo = ClassicElo::new(n, K);
            for ((i, j), met) in couples.iter().zip(&met) {
                met.points.iter().for_each(|&p| elo.update(*i, *j, f64::from(p) / 2.0));
            }
            let games = met.iter().map(|met| met.points.len() as u64).sum();
            let ratings = elo.ratings().to_vec();
            self.log.append(LogLine::Tournament(Tournament {
                generation: best,
                ratings,
                games,
            }))?;
        }
        let ratings = self.log.tournament().map(|t| t.ratings.clone()).unwrap_or_default();
        let mut winner = 0;
        for (i, rating) in ratings.iter().enumerate() {
            if *rating > ratings[winner] {
                winner = i;
            }
        }
        Ok(population[winner].clone())
    }

    fn regress(&mut self, games: u32, registry: &Registry) -> Result<Genome, TuneError> {
        if let Some(fit) = self.log.fit() {
            return Ok(fit.answer.clone());
        }
        let game = self.setup.game.clone();
        let situations = Situations::new(&game, &self.setup.starts.clone());
        let meeting = Meeting { a: self.start(), b: self.start(), games, first: 0 };
        let met = self.play(&situations, "regression", "games to learn from", &[meeting])?;
        let space = &self.setup.space;
        let mut features = Features::new(space, registry, &self.start())?;
        let examples = features.examples(&met[0].pairs, game.rule, game.size)?;
        if examples.is_empty() {
            return Err(TuneError::NotLinear);
        }
        let fitted = logistic::fit(space.len(), &examples, 1.0)?;
        let is_seen =
            |gene| examples.iter().any(|example| example.features.iter().any(|(i, _)| *i == gene));
        let weights: Vec<Option<f64>> = fitted
            .weights
            .iter()
            .enumerate()
            .map(|(gene, &weight)| is_seen(gene).then_some(weight))
            .collect();
        let answer = rescaled(space, &weights);
        let line = Fit {
            games: met[0].points.len() as u64,
            positions: examples.len() as u64,
            digest: digest(&met[0].pairs),
            loss: fitted.loss,
            weights,
            answer: answer.clone(),
        };
        self.log.append(LogLine::Fit(line))?;
        Ok(answer)
    }

    /// The result against the start, on openings that were not tuned on.
    fn test(
        &mut self,
        spec: &str,
        folder: &Path,
    ) -> Result<Option<(Plan, arena::RunEnd)>, TuneError> {
        let mut plan = self.setup.game.clone();
        if plan.schedule.pairs() == 0 {
            return Ok(None);
        }
        let start = plan.players.remove(0);
        let tuned =
            Contender { name: "tuned".to_owned(), spec: spec.to_owned(), budget: start.budget };
        plan.players = vec![tuned, Contender { name: "start".to_owned(), ..start }];
        plan.check().map_err(RunError::from)?;
        let path = folder.join("test").join("journal.jsonl");
        let (mut journal, recorded) = if path.exists() {
            let (journal, recorded) = Journal::resume(&path)?;
            (journal, recorded.pairs)
        } else {
            (Journal::create(&path, &plan)?, Vec::new())
        };
        let generation = self.log.generations().count() as u64;
        let listener = &mut *self.listener;
        let mut tell = |event: arena::Event<'_>| {
            if let arena::Event::Finished { standing, .. } = event {
                let llr = standing.trial.as_ref().map_or(0.0, |trial| trial.llr());
                let phase = format!("final test, LLR {llr:+.2}");
                let total = standing.total.unwrap_or(0);
                let done = standing.played;
                listener(&TuningProgress { phase, done, total, generation });
            }
        };
        let (dispatcher, control) = (&mut *self.context.dispatcher, self.context.control);
        let outcome = arena::run(&plan, recorded, &mut journal, dispatcher, control, &mut tell)?;
        if outcome.stop == arena::Stop::Interrupted {
            return Err(TuneError::Interrupted);
        }
        Ok(Some((plan, outcome)))
    }
}
