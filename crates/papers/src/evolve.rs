//! An evolution of parameters: set up from the experiment's file, run and logged by the tuner.

use std::path::Path;

use arena::{Budget, Contender, Openings, Plan, Schedule, seed};
use gomoku::Rule;
use player::ParamValue;
use serde::Serialize;
use tune::{
    Algorithm, Log, Optimizer, Options, Record, Setup, Snapshot, Space, SpaceSearch, Tournament,
};

use crate::{
    claim::Quantity,
    experiment::Evolve,
    measure::{Measure, Unit},
    run::{PapersError, RunContext},
    scale::Scale,
};

const LOG: &str = "tune.jsonl";

/// What an evolution has shown.
#[derive(Clone, Debug)]
pub(crate) struct Evolved {
    /// Generations between snapshots.
    pub(crate) every: u64,
    /// Each snapshot against the start.
    pub(crate) snapshots: Vec<Snapshot>,
    /// The individuals of the best snapshot among themselves.
    pub(crate) tournament: Option<Tournament>,
    /// What has become of the parameters.
    pub(crate) parameters: Vec<Parameter>,
}

/// A number that evolves.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// In the empirical set.
    pub(crate) start: f64,
    /// In the best individual.
    pub(crate) best: f64,
}

fn setup(
    part: &Evolve,
    place: &str,
    scale: Scale,
    context: &RunContext<'_>,
) -> Result<Setup, PapersError> {
    let chosen: Vec<_> = part.params.iter().map(|name| (name.clone(), Some(part.bounds))).collect();
    let space = Space::new(context.registry, &part.player, &chosen)?;
    let seed =
        seed::derive(&[seed::SeedPart::Text("papers/evolution"), seed::SeedPart::Text(place)]);
    let generations = scale.generations(part.generations);
    let start = Contender {
        name: "start".to_owned(),
        spec: part.player.clone(),
        budget: Budget::default(),
    };
    let no_test = Schedule::Duel { pairs: 0 };
    let (run, empty) = (place.replace('/', "-"), Openings::empty_board());
    let game = Plan::new(&run, Rule::Freestyle, 15, vec![start], no_test, empty);
    let most = if scale == Scale::Quick { 2 } else { u32::MAX };
    let options = Options {
        seed: Some(seed),
        generations: Some(generations),
        every: Some(generations / part.snapshots.max(1)),
        snapshot_games: scale.games(&part.amount) as u32,
        tournament_games: Some(part.tournament.min(most)),
        ..Options::new(Algorithm::DePublished)
    };
    Ok(Setup::new(Plan { seed: place.to_owned(), ..game }, space, &options)?)
}

/// Runs the evolution, or resumes it.
pub(crate) fn run(
    part: &Evolve,
    place: &str,
    folder: &Path,
    scale: Scale,
    context: &RunContext<'_>,
) -> Result<(), PapersError> {
    let setup = setup(part, place, scale, context)?;
    let path = folder.join(LOG);
    let mut log = if path.exists() {
        let log = Log::resume(&path)?;
        if *log.setup() != setup {
            return Err(crate::journal::RowsError::OtherSetting(path).into());
        }
        log
    } else {
        Log::create(&path, &setup)?
    };
    if log.tournament().is_some() {
        return Ok(());
    }
    let mut dispatcher = (context.dispatcher)(&path).map_err(PapersError::Dispatch)?;
    let mut tuning =
        tune::TuningContext { dispatcher: &mut *dispatcher, control: &context.control };
    let mut tell = |news: &tune::TuningProgress| {
        context.tell(&format!("{place}, {}", news.phase), news.done, news.total);
    };
    match tune::tune(&mut log, folder, context.registry, &mut tuning, &mut tell) {
        Err(tune::TuneError::Interrupted) => Err(PapersError::Interrupted),
        done => Ok(done.map(|_| ())?),
    }
}

/// Reads what has evolved.
pub(crate) fn read(folder: &Path) -> Result<Option<Evolved>, PapersError> {
    let path = folder.join(LOG);
    if !path.exists() {
        return Ok(None);
    }
    let log = Record::read(&path)?;
    let setup = log.setup();
    let tournament = log.tournament().cloned();
    let best = tournament.as_ref().and_then(|tournament| {
        let found = log.generations().find(|line| line.generation == tournament.generation);
        let population = match (found, &setup.search) {
            (Some(line), _) => line.state.population(),
            (None, SpaceSearch::Duels(initial)) => initial.population(),
            (None, SpaceSearch::Regression { .. }) => return None,
        };
        let ratings = tournament.ratings.iter().enumerate();
        let winner = ratings.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)))?.0;
        population.get(winner).cloned()
    });
    let start = setup.space.decode(&setup.space.start());
    let parameters = best.map_or_else(Vec::new, |best| {
        let values = setup.space.decode(&best).into_iter().zip(start);
        let number = |value| match value {
            ParamValue::Integer(number) => Some(number as f64),
            ParamValue::Real(number) => Some(number),
            _ => None,
        };
        let each = |((name, best), (_, start))| {
            Some(Parameter { name, start: number(start)?, best: number(best)? })
        };
        values.filter_map(each).collect()
    });
    let snapshots = log.snapshots().copied().collect();
    Ok(Some(Evolved { every: setup.every, snapshots, tournament, parameters }))
}

impl Evolved {
    /// What a claim is about.
    pub(crate) fn measure(&self, what: Quantity) -> Option<Measure> {
        let exact = |value: f64| Some(Measure::exact(value, Unit::Number));
        let ratings = || self.tournament.as_ref().map(|tournament| tournament.ratings.iter());
        match what {
            Quantity::SnapshotScore(number) => {
                let wanted = number * self.every;
                score(self.snapshots.iter().find(|s| s.generation == wanted)?)
            }
            Quantity::Peak => {
                let best = self.snapshots.iter().max_by(|a, b| {
                    a.score().total_cmp(&b.score()).then(b.generation.cmp(&a.generation))
                })?;
                exact(best.generation as f64 / self.every as f64)
            }
            Quantity::TournamentGames => exact(self.tournament.as_ref()?.games as f64),
            Quantity::RatingSpread => {
                let highest = ratings()?.copied().fold(f64::NEG_INFINITY, f64::max);
                exact(highest - ratings()?.copied().fold(f64::INFINITY, f64::min))
            }
            Quantity::RatingMean => exact(ratings()?.sum::<f64>() / ratings()?.len().max(1) as f64),
            // Claims are held against the kind of their part when they are read.
            _ => None,
        }
    }
}

/// A snapshot's score against the start.
pub(crate) fn score(snapshot: &Snapshot) -> Option<Measure> {
    let [wins, draws, losses] = [snapshot.wins, snapshot.draws, snapshot.losses].map(u64::from);
    Measure::score_of(wins, draws, losses)
}
