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
    /// Whoever plays sends nothing but records that cannot be.
    #[error(
        "Pair {index} was sent {MOST_REJECTED} times and never was one of this plan: {reason}."
    )]
    Rejected {
        /// Which.
        index: u64,
        /// What was wrong the last time.
        reason: String,
    },
    /// A pair was played twice with different games.
    #[error(
        "Pair {0} was played twice with different games: some player is not deterministic, or \
         somebody lies. It was struck from the journal; resume the run to play it again."
    )]
    NotReproducible(u64),
    /// A worker sent something else than what is played here.
    #[error(
        "Pair {index} was played differently by {worker} and here: {worker} is not to be believed, or \
         some player is not deterministic. What it sent ({struck} pairs) was struck from the journal; \
         resume the run without it to play that again."
    )]
    Disputed {
        /// Which.
        index: u64,
        /// Who sent it.
        worker: String,
        /// How many pairs of the journal were its own.
        struck: usize,
    },
}

/// A pair that was rejected this often is not asked for again.
const MOST_REJECTED: u32 = 3;

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
    let mut run = Run::new(plan);
    for pair in recorded {
        run.keep_recorded(pair, journal)?;
    }
    let result = run.conduct(journal, dispatcher, control, listener);
    journal.sync()?;
    let stop = result?;
    journal.write_note(stop.sentence())?;
    journal.sync()?;
    Ok(run.into_outcome(stop))
}

/// Counts again what a journal holds, without playing anything. What comes after a pair that does not
/// belong to the plan is not counted.
///
/// # Errors
/// When the plan makes no sense or a pair is there twice with different games.
pub fn replay(plan: &Plan, recorded: Vec<PairRecord>) -> Result<RunEnd, RunError> {
    plan.check()?;
    let mut run = Run::new(plan);
    for pair in recorded {
        run.keep(pair)?;
    }
    run.next_job();
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
    /// How often a record of a pair was refused.
    rejected: BTreeMap<u64, u32>,
    /// Pairs of the journal that are not of the plan, with what is wrong.
    foreign: Vec<(u64, String)>,
    standing: Standing,
    /// Why no more pairs are dealt.
    ended: Option<Stop>,
    began: Instant,
}

impl<'a> Run<'a> {
    fn new(plan: &'a Plan) -> Run<'a> {
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
        Run {
            plan,
            book,
            scheduler,
            dealt: Vec::new(),
            results: BTreeMap::new(),
            in_flight: BTreeSet::new(),
            rejected: BTreeMap::new(),
            foreign: Vec::new(),
            standing,
            ended: None,
            began: Instant::now(),
        }
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
            self.count();
            if !control.is_finishing() && self.ended != Some(Stop::Decided) {
                self.deal(dispatcher)?;
                self.strike_foreign(journal, listener)?;
            } else if !std::mem::replace(&mut withdrawn, true) {
                for index in dispatcher.withdraw() {
                    self.in_flight.remove(&index);
                }
            }
            if self.in_flight.is_empty() {
                return Ok(self.ended.unwrap_or(Stop::Interrupted));
            }
            if let Some(news) = dispatcher.next(Duration::from_millis(100))? {
                self.hear(news, journal, dispatcher, listener)?;
            }
            journal.tick()?;
        }
    }

    /// Deals pairs until everyone has work.
    fn deal(&mut self, dispatcher: &mut dyn Dispatcher) -> Result<(), RunError> {
        let capacity = dispatcher.capacity().max(1);
        while self.in_flight.len() < capacity
            && self.is_worth_dealing(capacity)
            && let Some(job) = self.next_job()
        {
            self.in_flight.insert(job.index);
            dispatcher.submit(job)?;
        }
        Ok(())
    }

    /// The next pair to play, if there is one now. Pairs that the journal has are passed over, unless
    /// they are not what the plan asks for.
    fn next_job(&mut self) -> Option<PairJob> {
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
            let job = self.job(index, players, opening);
            match self.results.get(&index).map(|known| job.check(known)) {
                Some(Ok(())) => self.count(),
                None => return Some(job),
                Some(Err(reason)) => {
                    self.results.remove(&index);
                    self.standing.played -= 1;
                    self.foreign.push((index, reason));
                    return Some(job);
                }
            }
        }
        None
    }

    /// Says in the journal which of its pairs are played again, and why.
    fn strike_foreign(
        &mut self,
        journal: &mut Journal,
        listener: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), RunError> {
        for (index, reason) in self.foreign.drain(..) {
            let text = format!("Pair {index} of the journal is played again: {reason}.");
            journal.strike(&[index], &text)?;
            listener(Event::Note(&text));
        }
        Ok(())
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
        dispatcher: &mut dyn Dispatcher,
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
            News::Finished(pair) => match self.objection(&pair) {
                None => self.finish(*pair, journal, listener)?,
                Some(reason) => self.reject(&pair, &reason, journal, dispatcher, listener)?,
            },
            News::Disputed { index, worker } => {
                let sent = self.results.values().filter(|pair| pair.worker == worker);
                let pairs: Vec<u64> = sent.map(|pair| pair.index).collect();
                let error = RunError::Disputed { index, worker, struck: pairs.len() };
                journal.strike(&pairs, &error.to_string())?;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Why a record is not what was asked for, if so.
    fn objection(&self, pair: &PairRecord) -> Option<String> {
        match self.dealt.get(pair.index as usize) {
            None => Some("nobody asked for it".to_owned()),
            Some((players, opening)) => {
                self.job(pair.index, *players, opening.clone()).check(pair).err()
            }
        }
    }

    /// Drops a record that cannot be, and has the pair played again.
    fn reject(
        &mut self,
        pair: &PairRecord,
        reason: &str,
        journal: &mut Journal,
        dispatcher: &mut dyn Dispatcher,
        listener: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), RunError> {
        let (index, worker) = (pair.index, &pair.worker);
        let text = format!("A record of pair {index} from {worker} was dropped: {reason}.");
        journal.write_note(&text)?;
        listener(Event::Note(&text));
        if !self.in_flight.contains(&index) {
            return Ok(());
        }
        let times = self.rejected.entry(index).or_default();
        *times += 1;
        if *times >= MOST_REJECTED {
            return Err(RunError::Rejected { index, reason: reason.to_owned() });
        }
        let (players, opening) = self.dealt[index as usize].clone();
        dispatcher.submit(self.job(index, players, opening))?;
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
            return self.keep_recorded(pair, journal);
        }
        journal.write_pair(&pair)?;
        self.keep(pair)?;
        self.standing.played_now += 1;
        self.standing.elapsed = self.began.elapsed();
        self.count();
        let pair = &self.results[&index];
        if pair.attempts > 1 {
            let text = format!("Pair {index} took {} starts.", pair.attempts);
            listener(Event::Note(&text));
        }
        listener(Event::Finished { pair, standing: &self.standing });
        Ok(())
    }

    /// Keeps a result that is in the journal. One that is there with other games is struck from it.
    fn keep_recorded(&mut self, pair: PairRecord, journal: &mut Journal) -> Result<(), RunError> {
        let index = pair.index;
        let kept = self.keep(pair);
        if let Err(error) = &kept {
            journal.strike(&[index], &error.to_string())?;
        }
        kept
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
    fn count(&mut self) {
        while self.ended != Some(Stop::Decided) {
            let index = self.standing.counted;
            if index >= self.dealt.len() as u64 {
                break;
            }
            let Some(pair) = self.results.get(&index) else { break };
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
