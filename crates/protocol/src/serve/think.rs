//! Watching a player think: the stop flag, the clock, and news for those who want to see them.

use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::{Duration, Instant},
};

use gomoku::Point;
use player::{Candidate, Choice, Progress, Score, Watch};

use super::control::{Control, Output, Request};
use crate::{gomocup::Reply, wire::Coordinates};

/// What a manager wants to see of the thinking, `INFO show_detail`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    /// One `MESSAGE` line before each move: for managers that have never said what they want.
    pub(super) summary: bool,
    /// `MESSAGE REALTIME` lines.
    pub(super) realtime: bool,
    /// Rapfi's `INFO` lines.
    pub(super) info: bool,
}

impl Default for Detail {
    fn default() -> Detail {
        Detail { summary: true, realtime: false, info: false }
    }
}

impl Detail {
    pub(super) fn from_code(code: i64) -> Detail {
        Detail { summary: false, realtime: code & 1 != 0, info: code & 2 != 0 }
    }
}

/// The outside of one search.
pub(super) struct Thinking<'a> {
    pub(super) request: &'a Request,
    pub(super) control: &'a Control,
    pub(super) output: &'a Output,
    pub(super) started: Instant,
    /// The search is stopped by force when this is over.
    pub(super) hard: Option<Duration>,
    pub(super) detail: Detail,
    pub(super) coordinates: Coordinates,
    pub(super) size: u8,
    /// The depth that was shown last.
    pub(super) shown: AtomicU32,
}

impl Watch for Thinking<'_> {
    fn stopped(&self) -> bool {
        self.control.is_stopped(self.request.number, self.request.chunk)
            || self.hard.is_some_and(|hard| self.started.elapsed() >= hard)
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn progress(&self, progress: &Progress) {
        let is_news = progress.finished.is_some() || progress.depth > self.shown.load(Relaxed);
        if !is_news || !(self.detail.realtime || self.detail.info) {
            return;
        }
        self.shown.fetch_max(progress.depth, Relaxed);
        if self.detail.realtime {
            self.realtime(&progress.candidates);
        }
        if self.detail.info {
            self.info(progress);
        }
    }
}

impl Thinking<'_> {
    pub(super) fn message(&self, text: String) {
        self.output.say(self.request.chunk, &Reply::Message(text));
    }

    /// Clears the marks of the last search.
    pub(super) fn begin(&self) {
        if self.detail.realtime {
            self.message("REALTIME REFRESH".into());
        }
    }

    /// Shows the best move, and which moves lose.
    fn realtime(&self, candidates: &[Candidate]) {
        let at = |point: Point| self.coordinates.coord(point, self.size);
        for candidate in candidates {
            let loses = candidate.score.and_then(Score::decisive_in).is_some_and(|plies| plies < 0);
            if loses {
                self.message(format!("REALTIME LOSE {}", at(candidate.point)));
            }
        }
        let Some(best) = candidates.first() else { return };
        self.message(format!("REALTIME BEST {}", at(best.point)));
        if let Some(score) = best.score {
            self.message(format!("REALTIME VAL {}", value_of(score)));
        }
        let line: Vec<_> = best.line.iter().map(Point::to_string).collect();
        self.message(format!("REALTIME PV {}", line.join(" ")));
    }

    fn info(&self, progress: &Progress) {
        let say = |text: String| {
            self.output.say(self.request.chunk, &Reply::Noise(format!("INFO {text}")));
        };
        say(format!("NUMPV {}", progress.candidates.len()));
        let milliseconds = self.elapsed().as_millis().max(1);
        for (i, candidate) in progress.candidates.iter().enumerate() {
            say(format!("PV {i}"));
            say(format!("DEPTH {}", progress.depth));
            say(format!("SELDEPTH {}", progress.depth_max));
            say(format!("NODES {}", candidate.nodes));
            say(format!("TOTALNODES {}", progress.counters.nodes));
            say(format!("TOTALTIME {milliseconds}"));
            say(format!("SPEED {}", u128::from(progress.counters.nodes) * 1000 / milliseconds));
            if let Some(score) = candidate.score {
                say(format!("EVAL {}", eval_of(score)));
            }
            let line =
                candidate.line.iter().map(|&p| self.coordinates.coord(p, self.size).to_string());
            say(format!("BESTLINE {}", line.collect::<Vec<_>>().join(" ")));
            say("PV DONE".into());
        }
    }

    /// A sentence about the finished search, for those who asked for details.
    pub(super) fn conclude(&self, choice: &Choice) {
        if self.detail.realtime {
            self.message(summary(choice, self.elapsed()));
        }
    }
}

/// Depth, value, nodes, milliseconds and line in the words that managers look for, such as
/// `depth 9 ev 35 n 20000 tm 57 pv h8 i9`.
pub(super) fn summary(choice: &Choice, time: Duration) -> String {
    let score = choice.score.map_or_else(String::new, |score| format!(" ev {}", eval_of(score)));
    let (depth, nodes, milliseconds) = (choice.depth, choice.counters.nodes, time.as_millis());
    let mut text = format!("depth {depth}{score} n {nodes} tm {milliseconds} pv");
    let only = choice.point();
    let line = if choice.line().is_empty() { only.as_slice() } else { choice.line() };
    line.iter().for_each(|point| text += &format!(" {point}"));
    text
}

/// A score as a plain number; wins are 30000 less their plies, as in Yixin's databases.
pub(super) fn value_of(score: Score) -> i64 {
    match score.decisive_in() {
        Some(plies) if plies >= 0 => (30_000 - plies).max(20_001),
        Some(plies) => (-30_000 - plies).min(-20_001),
        None => score.value().clamp(-20_000, 20_000),
    }
}

/// A score as Rapfi prints it: a number, or `+M7` and `-M6`.
fn eval_of(score: Score) -> String {
    match score.decisive_in() {
        Some(plies) if plies >= 0 => format!("+M{plies}"),
        Some(plies) => format!("-M{}", -plies),
        None => score.value().to_string(),
    }
}
