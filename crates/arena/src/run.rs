//! Conducts a run: deals pairs out, writes results down, counts them in the order of the schedule.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use stats::{Trial, Verdict};
use thiserror::Error;

use crate::{
    control::RunControl,
    dispatch::{DispatchError, Dispatcher, News},
    journal::{Journal, JournalError},
    openings::OpeningList,
    pair::{JOB_VERSION, Moved, PairError, PairJob, PairSpec},
    plan::{Plan, PlanError, Schedule},
    record::PairRecord,
    schedule::{Next, Scheduler},
    seed,
    tally::Count,
};

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// Everything planned was played.
    Complete,
    /// The sequential test was decided.
    Decided,
    /// All openings were used up, and playing them again would repeat games.
    OpeningsUsedUp,
    /// Somebody asked for it.
    Interrupted,
}

impl Stop {
    /// The reason as a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Stop::Complete => "All planned games were played.",
            Stop::Decided => "The sequential test is decided.",
            Stop::OpeningsUsedUp => {
                "All openings are used up; playing them again would only repeat games."
            }
            Stop::Interrupted => "The run was interrupted and can be resumed.",
        }
    }
}

/// Why a run could not go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The plan makes no sense.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Nobody plays any more.
    #[error(transparent)]
    Dispatch(#[from] DispatchError),
    /// A pair cannot be played.
    #[error(transparent)]
    Pair(#[from] PairError),
    /// A pair of the journal is not one of the plan.
    #[error("Pair {0} of the journal does not belong to this plan.")]
    Foreign(u64),
    /// A pair was played twice with different games.
    #[error("Pair {0} was played twice with different games: some player is not deterministic.")]
    NotReproducible(u64),
}

/// What happens in a run, as it happens.
#[derive(Debug)]
pub enum Event<'a> {
    /// A pair has been begun.
    Started {
        /// Which.
        index: u64,
        /// The two players, by their place in the plan; the first has Black first.
        players: [usize; 2],
        /// By whom.
        worker: &'a str,
        /// Its opening.
        opening: &'a str,
    },
    /// A move was played.
    Moved(&'a Moved),
    /// A pair is finished and in the journal.
    Finished {
        /// The pair.
        pair: &'a PairRecord,
        /// Where the run stands.
        standing: &'a Standing,
    },
    /// Something people should know.
    Note(&'a str),
}

/// Where a run stands. Only pairs before which none is missing are counted.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Everything counted.
    pub count: Count,
    /// The sequential test, if this is one.
    pub trial: Option<Trial>,
    /// Pairs counted.
    pub counted: u64,
    /// Pairs in the journal.
    pub played: u64,
    /// Pairs in all (at most, for a test), if that is known.
    pub total: Option<u64>,
    /// The ladder from top to foot, if this is one.
    pub ladder: Option<Vec<usize>>,
    /// How long this session has been running.
    pub elapsed: Duration,
    /// Pairs played in this session, for estimating the time left.
    pub played_now: u64,
}

/// How a run ended, with the pairs that count.
#[derive(Clone, Debug)]
pub struct RunEnd {
    /// Why it ended.
    pub stop: Stop,
    /// The pairs that count, in the order of the schedule.
    pub pairs: Vec<PairRecord>,
    /// Pairs that were played but came after the verdict of a test, or after a gap.
    pub uncounted: Vec<PairRecord>,
    /// The final standing.
    pub standing: Standing,
}

/// Plays a plan to its end, or resumes it: `recorded` holds what the journal has already.
///
/// # Errors
/// When the plan makes no sense, a player does not start, or the journal cannot be written.
/// What is in the journal then stays valid.
pub fn run(
    plan: &Plan,
    recorded: Vec<PairRecord>,
    journal: &mut Journal,
    dispatcher: &mut dyn Dispatcher,
    control: &RunControl,
    listener: &mut dyn FnMut(Event<'_>),
) -> Result<RunEnd, RunError> {
    plan.check()?;
    let mut run = Run::new(plan, recorded)?;
    let result = run.conduct(journal, dispatcher, control, listener);
    journal.sync()?;
    let stop = result?;
    journal.write_note(stop.sentence())?;
    journal.sync()?;
    Ok(run.into_outcome(stop))
}

/// Counts again what a journal holds, without playing anything.
///
/// # Errors
/// When the plan makes no sense or the pairs do not belong to it.
pub fn replay(plan: &Plan, recorded: Vec<PairRecord>) -> Result<RunEnd, RunError> {
    plan.check()?;
    let mut run = Run::new(plan, recorded)?;
    run.next_job()?;
    let stop = run.ended.unwrap_or(Stop::Interrupted);
    Ok(run.into_outcome(stop))
}

struct Run<'a> {
    plan: &'a Plan,
    book: OpeningList,
    scheduler: Scheduler,
    /// Assignments dealt so far, by index.
    dealt: Vec<([usize; 2], String)>,
    /// Results by index, from the journal and from now.
    results: BTreeMap<u64, PairRecord>,
    in_flight: BTreeSet<u64>,
    standing: Standing,
    /// Why no more pairs are dealt.
    ended: Option<Stop>,
    began: Instant,
}

impl<'a> Run<'a> {
    fn new(plan: &'a Plan, recorded: Vec<PairRecord>) -> Result<Run<'a>, RunError> {
        let repeat = plan.openings.repeat || !plan.is_reproducible();
        let book = OpeningList::new(&plan.openings, plan.rule, plan.size, &plan.seed, repeat);
        let scheduler = Scheduler::new(plan.schedule, plan.players.len());
        let trial = match plan.schedule {
            Schedule::Sprt { test, .. } => Some(Trial::new(test)),
            _ => None,
        };
        let standing = Standing {
            count: Count::default(),
            trial,
            counted: 0,
            played: 0,
            total: scheduler.total(),
            ladder: scheduler.ladder().map(<[usize]>::to_vec),
            elapsed: Duration::ZERO,
            played_now: 0,
        };
        let mut run = Run {
            plan,
            book,
            scheduler,
            dealt: Vec::new(),
            results: BTreeMap::new(),
            in_flight: BTreeSet::new(),
            standing,
            ended: None,
            began: Instant::now(),
        };
        for pair in recorded {
            run.keep(pair)?;
        }
        Ok(run)
    }

    fn conduct(
        &mut self,
        journal: &mut Journal,
        dispatcher: &mut dyn Dispatcher,
        control: &RunControl,
        listener: &mut dyn FnMut(Event<'_>),
    ) -> Result<Stop, RunError> {
        let mut withdrawn = false;
        loop {
            self.count()?;
            if !control.is_finishing() && self.ended != Some(Stop::Decided) {
                self.deal(dispatcher)?;
            } else if !std::mem::replace(&mut withdrawn, true) {
                for index in dispatcher.withdraw() {
                    self.in_flight.remove(&index);
                }
            }
            if self.in_flight.is_empty() {
                return Ok(self.ended.unwrap_or(Stop::Interrupted));
            }
            if let Some(news) = dispatcher.next(Duration::from_millis(100))? {
                self.hear(news, journal, listener)?;
            }
            journal.tick()?;
        }
    }

    /// Deals pairs until everyone has work.
    fn deal(&mut self, dispatcher: &mut dyn Dispatcher) -> Result<(), RunError> {
        let capacity = dispatcher.capacity().max(1);
        while self.in_flight.len() < capacity
            && self.is_worth_dealing(capacity)
            && let Some(job) = self.next_job()?
        {
            self.in_flight.insert(job.index);
            dispatcher.submit(job)?;
        }
        Ok(())
    }

    /// The next pair to play, if there is one now. Pairs that the journal has are passed over.
    fn next_job(&mut self) -> Result<Option<PairJob>, RunError> {
        while self.ended.is_none() {
            let (players, opening) = match self.scheduler.deal() {
                Next::Pair { players, opening } => (players, opening),
                Next::Wait => break,
                Next::End => {
                    self.ended = Some(Stop::Complete);
                    break;
                }
            };
            let Some(position) = self.book.get(opening) else {
                self.ended = Some(Stop::OpeningsUsedUp);
                break;
            };
            let index = self.dealt.len() as u64;
            let opening = position.to_text();
            self.dealt.push((players, opening.clone()));
            if !self.results.contains_key(&index) {
                return Ok(Some(self.job(index, players, opening)));
            }
            self.count()?;
        }
        Ok(None)
    }

    /// A sequential test may end at any pair, so it does not run far ahead of what is counted.
    fn is_worth_dealing(&self, capacity: usize) -> bool {
        let ahead = self.dealt.len() as u64 - self.standing.counted;
        self.standing.trial.is_none() || ahead < 2 * capacity.max(4) as u64
    }

    fn job(&self, index: u64, players: [usize; 2], opening: String) -> PairJob {
        PairJob {
            version: JOB_VERSION,
            run: self.plan.run.clone(),
            index,
            players,
            spec: PairSpec {
                rule: self.plan.rule,
                size: self.plan.size,
                contenders: players.map(|player| self.plan.players[player].clone()),
                opening,
                seed: seed::of_pair(&self.plan.seed, index),
                adjudication: self.plan.adjudication,
                timeouts: self.plan.timeouts,
            },
        }
    }

    fn hear(
        &mut self,
        news: News,
        journal: &mut Journal,
        listener: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), RunError> {
        match news {
            News::Started { index, worker } => {
                if let Some((players, opening)) = self.dealt.get(index as usize) {
                    let players = *players;
                    listener(Event::Started { index, players, worker: &worker, opening });
                }
            }
            News::Moved(moved) => listener(Event::Moved(&moved)),
            News::Note(text) => {
                journal.write_note(&text)?;
                listener(Event::Note(&text));
            }
            News::Failed { index, error: PairError::Stopped } => {
                self.in_flight.remove(&index);
            }
            News::Failed { error, .. } => {
                journal.write_note(&error.to_string())?;
                return Err(error.into());
            }
            News::Finished(pair) => self.finish(*pair, journal, listener)?,
        }
        Ok(())
    }

    fn finish(
        &mut self,
        pair: PairRecord,
        journal: &mut Journal,
        listener: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), RunError> {
        let index = pair.index;
        self.in_flight.remove(&index);
        if self.results.contains_key(&index) {
            return self.keep(pair);
        }
        journal.write_pair(&pair)?;
        self.keep(pair)?;
        self.standing.played_now += 1;
        self.standing.elapsed = self.began.elapsed();
        self.count()?;
        let pair = &self.results[&index];
        if pair.attempts > 1 {
            let text = format!("Pair {index} took {} starts.", pair.attempts);
            listener(Event::Note(&text));
        }
        listener(Event::Finished { pair, standing: &self.standing });
        Ok(())
    }

    /// Keeps a result. The same pair may come twice, but then with the same games; timed games
    /// differ by nature, and the first that arrived counts.
    fn keep(&mut self, pair: PairRecord) -> Result<(), RunError> {
        match self.results.get(&pair.index) {
            Some(known) if self.plan.is_reproducible() && known.digest() != pair.digest() => {
                Err(RunError::NotReproducible(pair.index))
            }
            Some(_) => Ok(()),
            None => {
                self.standing.played += 1;
                self.results.insert(pair.index, pair);
                Ok(())
            }
        }
    }

    /// Counts what has become countable: pair after pair, as long as none is missing and the test
    /// is open.
    fn count(&mut self) -> Result<(), RunError> {
        while self.ended != Some(Stop::Decided) {
            let index = self.standing.counted;
            let Some((players, opening)) = self.dealt.get(index as usize) else { break };
            let Some(pair) = self.results.get(&index) else { break };
            let seed = seed::of_pair(&self.plan.seed, index);
            if pair.players != *players || pair.opening != *opening || pair.seed != seed {
                return Err(RunError::Foreign(index));
            }
            self.standing.counted += 1;
            self.standing.count.add(pair);
            self.scheduler.feed(pair.half_points());
            self.standing.ladder = self.scheduler.ladder().map(<[usize]>::to_vec);
            if let Some(trial) = &mut self.standing.trial
                && trial.push(pair.half_points()) != Verdict::Undecided
            {
                self.ended = Some(Stop::Decided);
            }
        }
        Ok(())
    }

    fn into_outcome(mut self, stop: Stop) -> RunEnd {
        self.standing.elapsed = self.began.elapsed();
        let after = self.results.split_off(&self.standing.counted);
        RunEnd {
            stop,
            pairs: self.results.into_values().collect(),
            uncounted: after.into_values().collect(),
            standing: self.standing,
        }
    }
}
