//! Matches: planned from the experiment's file, played and journaled by the arena.

use std::path::Path;

use arena::{
    Contender, Event, GameRecord, Journal, JournalContent, PairRecord, Plan, Schedule, Stop,
};
use gomoku::Color;

use crate::{
    claim::{Claim, Quantity},
    experiment::{Games, Meetings},
    measure::{Measure, Unit},
    run::{PapersError, RunContext},
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

fn plan(part: &Games, place: &str, scale: Scale, build: &str) -> Plan {
    let pairs = scale.games(&part.amount).div_ceil(2);
    let contender = |entrant: &crate::experiment::ExperimentPlayer| Contender {
        name: entrant.name.clone(),
        spec: entrant.spec.clone(),
        budget: entrant.budget(),
    };
    let players = part.players.iter().map(contender).collect();
    let schedule = match part.schedule {
        Meetings::Duel => Schedule::Duel { pairs },
        Meetings::Gauntlet => Schedule::Gauntlet { pairs },
        Meetings::League => Schedule::RoundRobin { pairs },
    };
    let openings = starts::openings(&part.start, place, pairs);
    let (run, rule) = (place.replace('/', "-"), part.start.rule);
    let plan = Plan::new(&run, rule, part.start.size, players, schedule, openings);
    Plan { seed: place.to_owned(), build: build.to_owned(), ..plan }
}

/// Plays the match, or resumes it.
pub(crate) fn run(
    part: &Games,
    place: &str,
    folder: &Path,
    scale: Scale,
    context: &RunContext<'_>,
) -> Result<(), PapersError> {
    let plan = plan(part, place, scale, &context.build);
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
    let mut dispatcher = (context.dispatcher)(&path).map_err(PapersError::Dispatch)?;
    let mut tell = |event: Event<'_>| {
        if let Event::Finished { standing, .. } = event {
            context.tell(place, 2 * standing.played, 2 * standing.total.unwrap_or(0));
        }
    };
    let outcome =
        arena::run(&plan, recorded, &mut journal, &mut *dispatcher, &context.control, &mut tell)?;
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
    let JournalContent { plan, pairs, .. } = JournalContent::read(&path)?;
    let outcome = arena::replay(&plan, pairs)?;
    Ok(Some(Played { plan, pairs: outcome.pairs }))
}

impl Played {
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

    /// What a claim is about.
    pub(crate) fn measure(&self, claim: &Claim) -> Option<Measure> {
        let player =
            |name: &String| self.plan.players.iter().position(|player| player.name == *name);
        let of = player(claim.of.as_ref()?)?;
        let per = match &claim.per {
            Some(name) => Some(player(name)?),
            None => None,
        };
        let share = |color: Color, place: usize| {
            let tally = self.tally(of, per, color);
            Measure::share(tally[place], tally.iter().sum())
        };
        match claim.what.get_ref() {
            Quantity::WinsAsBlack => share(Color::Black, 0),
            Quantity::LossesAsBlack => share(Color::Black, 1),
            Quantity::WinsAsWhite => share(Color::White, 0),
            Quantity::Score => self.pair_score(of, per),
            // Claims are held against the kind of their part when they are read.
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

    /// Elo in the rating list.
    pub(crate) fn elo(&self, of: usize) -> Option<Measure> {
        let ratings = arena::ratings(self.plan.players.len(), &self.pairs)?;
        let (value, half) = (ratings.elo[of], stats::Z95 * ratings.error[of]);
        let (low, high) = (value - half, value + half);
        Some(Measure { value, low, high, count: None, unit: Unit::Number })
    }
}
