//! Matches: planned from the experiment's file, played and journalled by the arena.

use std::path::Path;

use arena::{
    Adjudication, Contender, Event, GameRecord, Journal, PairRecord, Patience, Plan, Recorded,
    Schedule, Stop, Winner,
};
use gomoku::Color;

use crate::{
    experiment::{Games, Meetings},
    measure::{Measure, Unit},
    run::{Hall, PapersError},
    scale::Scale,
    starts,
};

const JOURNAL: &str = "journal.jsonl";

/// What a match has shown so far.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) plan: Plan,
    pub(crate) pairs: Vec<PairRecord>,
}

fn plan(part: &Games, place: &str, scale: Scale, build: &str) -> Result<Plan, PapersError> {
    let pairs = scale.games(&part.amount).div_ceil(2);
    let contender = |entrant: &crate::experiment::Entrant| Contender {
        name: entrant.name.clone(),
        spec: entrant.spec.clone(),
        budget: entrant.budget(),
    };
    Ok(Plan {
        run: place.replace('/', "-"),
        seed: place.to_owned(),
        rule: part.start.rule()?,
        size: part.start.size,
        players: part.players.iter().map(contender).collect(),
        schedule: match part.schedule {
            Meetings::Duel => Schedule::Duel { pairs },
            Meetings::Gauntlet => Schedule::Gauntlet { pairs },
            Meetings::League => Schedule::RoundRobin { pairs },
        },
        openings: starts::openings(&part.start, place, pairs)?,
        adjudication: Adjudication::default(),
        patience: Patience::default(),
        deterministic: true,
        build: build.to_owned(),
    })
}

/// Plays the match, or goes on with it.
pub(crate) fn run(
    part: &Games,
    place: &str,
    folder: &Path,
    scale: Scale,
    hall: &Hall<'_>,
) -> Result<(), PapersError> {
    let plan = plan(part, place, scale, &hall.build)?;
    let path = folder.join(JOURNAL);
    let (mut journal, recorded) = if path.exists() {
        let (journal, recorded) = Journal::resume(&path)?;
        // The games depend on everything in the plan but the build that made it.
        if (Plan { build: plan.build.clone(), ..recorded.plan }) != plan {
            return Err(crate::journal::RowsError::OtherSetting(path).into());
        }
        (journal, recorded.pairs)
    } else {
        (Journal::create(&path, &plan)?, Vec::new())
    };
    let done = arena::replay(&plan, recorded.clone())?;
    if done.standing.counted > 0 && Some(done.standing.counted) == done.standing.total {
        return Ok(());
    }
    let mut dispatcher = (hall.dispatcher)(&path).map_err(PapersError::Dispatch)?;
    let mut tell = |event: Event<'_>| {
        if let Event::Finished { standing, .. } = event {
            hall.tell(place, 2 * standing.played, 2 * standing.total.unwrap_or(0));
        }
    };
    let outcome =
        arena::run(&plan, recorded, &mut journal, &mut *dispatcher, &hall.control, &mut tell)?;
    match outcome.stop {
        Stop::Interrupted => Err(PapersError::Interrupted),
        _ => Ok(()),
    }
}

/// Reads what has been played.
pub(crate) fn read(folder: &Path) -> Result<Option<Played>, PapersError> {
    let path = folder.join(JOURNAL);
    if !path.exists() {
        return Ok(None);
    }
    let Recorded { plan, pairs, .. } = Recorded::read(&path)?;
    let outcome = arena::replay(&plan, pairs)?;
    Ok(Some(Played { plan, pairs: outcome.pairs }))
}

impl Played {
    /// The place of a player by name.
    pub(crate) fn player(&self, name: &str) -> Option<usize> {
        self.plan.players.iter().position(|player| player.name == name)
    }

    /// Games of two players in which the first had this color.
    pub(crate) fn games(
        &self,
        of: usize,
        per: Option<usize>,
        color: Color,
    ) -> impl Iterator<Item = &GameRecord> {
        self.pairs.iter().flat_map(move |pair| {
            (0..2).filter_map(move |game| {
                let met = pair.player(game, !color);
                let fits = pair.player(game, color) == of && per.is_none_or(|per| met == per);
                fits.then_some(&pair.games[game])
            })
        })
    }

    /// Games of a player as one color: won, lost, drawn.
    pub(crate) fn tally(&self, of: usize, per: Option<usize>, color: Color) -> [u64; 3] {
        let mut tally = [0; 3];
        for game in self.games(of, per, color) {
            tally[match game.result.color() {
                Some(winner) if winner == color => 0,
                Some(_) => 1,
                None => 2,
            }] += 1;
        }
        tally
    }

    /// A quantity by its name in claims.
    pub(crate) fn measure(&self, of: &str, per: &str, what: &str) -> Option<Measure> {
        let share =
            |tally: [u64; 3], place: usize| Measure::share(tally[place], tally.iter().sum());
        if of.is_empty() {
            let winner = match what {
                "black-wins" => Winner::Black,
                "white-wins" => Winner::White,
                _ => Winner::Nobody,
            };
            let all = || self.pairs.iter().flat_map(|pair| &pair.games);
            let matching = all().filter(|game| game.result == winner).count() as u64;
            return Measure::share(matching, all().count() as u64);
        }
        let of = self.player(of)?;
        let per = if per.is_empty() { None } else { Some(self.player(per)?) };
        let [black, white] = [Color::Black, Color::White].map(|color| self.tally(of, per, color));
        match what {
            "wins-as-black" => share(black, 0),
            "losses-as-black" => share(black, 1),
            "draws-as-black" => share(black, 2),
            "wins-as-white" => share(white, 0),
            "losses-as-white" => share(white, 1),
            "draws-as-white" => share(white, 2),
            "score-as-black" => score(&[black]),
            "score-as-white" => score(&[white]),
            "score" => self.pair_score(of, per),
            "elo" => self.elo(of, per),
            _ => None,
        }
    }

    /// The score by pairs, whose two games share an opening.
    pub(crate) fn pair_score(&self, of: usize, per: Option<usize>) -> Option<Measure> {
        let samples: Vec<f64> = self
            .pairs
            .iter()
            .filter_map(|pair| {
                let place = pair.players.iter().position(|player| *player == of)?;
                let other = pair.players[1 - place];
                let half_points = pair.half_points() as f64 / 4.0;
                per.is_none_or(|per| per == other).then_some(if place == 0 {
                    half_points
                } else {
                    1.0 - half_points
                })
            })
            .collect();
        Measure::score(&samples)
    }

    /// Elo in the rating list, or above another player of it.
    fn elo(&self, of: usize, per: Option<usize>) -> Option<Measure> {
        let ratings = arena::ratings(self.plan.players.len(), &self.pairs)?;
        let (value, error) = match per {
            None => (ratings.elo[of], ratings.error[of]),
            Some(per) => (ratings.elo[of] - ratings.elo[per], ratings.difference_error[of][per]),
        };
        let half = stats::Z95 * error;
        let (low, high) = (value - half, value + half);
        Some(Measure { value, low, high, count: None, unit: Unit::Number })
    }
}

fn score(tallies: &[[u64; 3]]) -> Option<Measure> {
    let samples = |tally: &[u64; 3]| {
        let repeat = |value: f64, times: u64| std::iter::repeat_n(value, times as usize);
        repeat(1.0, tally[0]).chain(repeat(0.0, tally[1])).chain(repeat(0.5, tally[2]))
    };
    Measure::score(&tallies.iter().flat_map(samples).collect::<Vec<f64>>())
}
