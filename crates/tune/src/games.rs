//! Duels as games: who meets whom from which start, played by the arena's dispatcher.

use std::{collections::BTreeMap, time::Duration};

use arena::{
    Contender, Dispatcher, JOB_VERSION, OpeningList, Openings, PairError, PairJob, PairRecord,
    PairSpec, Plan, RunControl,
    seed::{self, SeedPart},
};
use player::SplitMix64;
use serde::{Deserialize, Serialize};

use crate::run::TuneError;

/// Where the games of a tuning run begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Starts {
    /// From a set of openings, one after the other, in an order that depends on the seed.
    Openings(Openings),
    /// From three random stones in the central 7x7: Xie 2022.
    Random,
}

/// Where the games are played, and who is told.
pub struct TuningContext<'a> {
    /// Plays the pairs.
    pub dispatcher: &'a mut dyn Dispatcher,
    /// Asks for the end.
    pub control: &'a RunControl,
}

impl std::fmt::Debug for TuningContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TuningContext").field("control", self.control).finish_non_exhaustive()
    }
}

/// Some games of one spec against another.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) games: u32,
    /// Number of the first start.
    pub(crate) first: u64,
}

impl Meeting {
    fn pairs(&self) -> u64 {
        u64::from(self.games.div_ceil(2))
    }
}

/// The games of a meeting.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    /// Half points of the first side in each game that counts.
    pub(crate) points: Vec<u8>,
    /// Everything that was played.
    pub(crate) pairs: Vec<PairRecord>,
}

impl Met {
    /// Score of the first side minus one half.
    pub(crate) fn advantage(points: &[u8]) -> f64 {
        let total: u32 = points.iter().map(|&p| u32::from(p)).sum();
        f64::from(total) / (2.0 * points.len().max(1) as f64) - 0.5
    }
}

/// The starts of a run, ready to be handed out.
pub(crate) struct Situations<'a> {
    plan: &'a Plan,
    book: Option<OpeningList>,
}

impl<'a> Situations<'a> {
    pub(crate) fn new(plan: &'a Plan, starts: &Starts) -> Situations<'a> {
        let book = match starts {
            Starts::Random => None,
            Starts::Openings(openings) => {
                Some(OpeningList::new(openings, plan.rule, plan.size, &plan.seed, true))
            }
        };
        Situations { plan, book }
    }

    fn seed(&self, purpose: &str, salt: &str, number: u64) -> u64 {
        let (purpose, salt) = (SeedPart::Text(purpose), SeedPart::Text(salt));
        seed::derive(&[purpose, SeedPart::Text(&self.plan.seed), salt, SeedPart::Number(number)])
    }

    /// Start number `number` of the games called `salt`.
    fn start(&self, salt: &str, number: u64) -> String {
        match &self.book {
            Some(book) => book.get(number).map(|start| start.to_text()).unwrap_or_default(),
            None => random_start(self.plan.size, self.seed("tune/v1/start", salt, number)),
        }
    }

    /// Plays all meetings. What is played depends on the plan, the salt and the meetings alone.
    pub(crate) fn play(
        &self,
        salt: &str,
        meetings: &[Meeting],
        context: &mut TuningContext<'_>,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<Vec<Met>, TuneError> {
        let jobs: Vec<PairJob> = self.jobs(salt, meetings);
        let total = jobs.len() as u64;
        let records = play_jobs(jobs, context, &mut |done| tell(done, total))?;
        let mut records = records.into_iter();
        Ok(meetings.iter().map(|meeting| self.collect(salt, meeting, &mut records)).collect())
    }

    fn jobs(&self, salt: &str, meetings: &[Meeting]) -> Vec<PairJob> {
        let mut jobs = Vec::new();
        for meeting in meetings {
            let contender = |name: &str, spec: &str| Contender {
                name: name.to_owned(),
                spec: spec.to_owned(),
                budget: self.plan.players[0].budget,
            };
            for number in meeting.first..meeting.first + meeting.pairs() {
                jobs.push(PairJob {
                    version: JOB_VERSION,
                    run: self.plan.run.clone(),
                    index: jobs.len() as u64,
                    players: [0, 1],
                    spec: PairSpec {
                        rule: self.plan.rule,
                        size: self.plan.size,
                        contenders: [contender("a", &meeting.a), contender("b", &meeting.b)],
                        opening: self.start(salt, number),
                        seed: self.seed("tune/v1/game", salt, number),
                        adjudication: self.plan.adjudication,
                        timeouts: self.plan.timeouts,
                    },
                });
            }
        }
        jobs
    }

    /// Takes the records of a meeting. Of the last pair of an odd number of games only one counts;
    /// chance decided beforehand which, and so who has the first hand in it.
    fn collect(
        &self,
        salt: &str,
        meeting: &Meeting,
        records: &mut impl Iterator<Item = PairRecord>,
    ) -> Met {
        let mut met = Met::default();
        for (k, pair) in records.take(meeting.pairs() as usize).enumerate() {
            let number = meeting.first + k as u64;
            let is_single = meeting.games % 2 == 1 && k as u64 + 1 == meeting.pairs();
            let single = (self.seed("tune/v1/hand", salt, number) & 1) as usize;
            for game in (0..2).filter(|&game| !is_single || game == single) {
                let color = PairRecord::first_player_color(game);
                met.points.push(pair.games[game].half_points(color) as u8);
            }
            met.pairs.push(pair);
        }
        met
    }
}

/// Plays jobs numbered from zero; the records come in that order.
fn play_jobs(
    jobs: Vec<PairJob>,
    context: &mut TuningContext<'_>,
    tell: &mut dyn FnMut(u64),
) -> Result<Vec<PairRecord>, TuneError> {
    let total = jobs.len();
    let mut waiting = jobs.into_iter();
    let mut done = BTreeMap::new();
    let mut in_flight = 0;
    while done.len() < total {
        if context.control.is_finishing() {
            context.dispatcher.withdraw();
            return Err(TuneError::Interrupted);
        }
        while in_flight < context.dispatcher.capacity().max(1)
            && let Some(job) = waiting.next()
        {
            context.dispatcher.submit(job)?;
            in_flight += 1;
        }
        match context.dispatcher.next(Duration::from_millis(100))? {
            Some(arena::News::Finished(pair)) => {
                // A message that was sent again is counted once.
                let is_new = done.insert(pair.index, *pair).is_none();
                in_flight -= usize::from(is_new);
                tell(done.len() as u64);
            }
            Some(arena::News::Failed { error: PairError::Stopped, .. }) => {
                return Err(TuneError::Interrupted);
            }
            Some(arena::News::Failed { error, .. }) => return Err(error.into()),
            Some(arena::News::Disputed { index, worker }) => {
                let text = format!(
                    "Pair {index} was played differently by {worker} and here; resume the run \
                     without {worker}."
                );
                return Err(arena::DispatchError(text).into());
            }
            _ => {}
        }
    }
    Ok(done.into_values().collect())
}

/// Three different points of the central 7x7 (or of the board, if it is smaller).
fn random_start(size: u8, seed: u64) -> String {
    let mut random = SplitMix64::new(seed);
    let side = u64::from(size.min(7));
    let corner = (size - size.min(7)) / 2;
    let mut cells: Vec<u64> = Vec::new();
    while cells.len() < 3 {
        let cell = random.below(side * side);
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    let name = |cell: u64| {
        let (col, row) = (corner + (cell % side) as u8, corner + (cell / side) as u8);
        format!("{}{}", char::from(b'a' + col), row + 1)
    };
    cells.into_iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gomoku::{Position, Rule};

    #[test]
    fn random_starts_are_three_stones_in_the_middle() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let text = random_start(15, seed);
            let position = Position::parse(&text, Rule::Freestyle, 15).unwrap();
            assert_eq!(position.moves().len(), 3, "{text}");
            for point in position.moves() {
                assert!((4..=10).contains(&point.col()) && (4..=10).contains(&point.row()));
            }
            seen.insert(text);
        }
        assert!(seen.len() > 190, "starts differ");
        assert_eq!(random_start(15, 5), random_start(15, 5));
    }

    #[test]
    fn advantages_are_scores_less_one_half() {
        assert_eq!(Met::advantage(&[2, 2, 1, 1, 2, 1, 2, 1]), 0.25);
        assert_eq!(Met::advantage(&[0, 0]), -0.5);
    }
}
