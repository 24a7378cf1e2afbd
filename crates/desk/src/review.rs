//! A game judged move by move: what each move gave away, what it missed, and how well each side played.
//!
//! Positions are searched from the last to the first, so that what was learned helps. A forced reply is
//! not searched: it is worth what the position after it is worth. What looks like a mistake is searched
//! again for longer before it is called one. A review of the last move alone judges a single try.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use gomoku::{Color, Field, Point, Position, Rules, Threat, with_rule};
use player::{Candidate, Choice, Limits, Reason, Score, Task, Watch};
use serde::{Deserialize, Serialize};

use crate::{
    Desk,
    host::HostWatch,
    outbox::Outbox,
    players::PooledPlayer,
    think,
    wire::{Message, WireLimits, WirePosition, win_rate},
};

/// A move that gives away this share of the chance to win is a mistake.
const MISTAKE: f64 = 0.1;
/// And this share a blunder.
const BLUNDER: f64 = 0.25;
/// A move that gives away this share counts half.
const HALF: f64 = 0.15;
/// No position is judged by a search less deep than this, unless the player can do no better.
const FLOOR: u32 = 8;
/// How often a search that is not deep enough gets twice the time.
const DOUBLINGS: u32 = 3;
/// How much longer the ends of a seeming mistake are searched.
const AGAIN: u32 = 3;
/// Time for a position if the page does not say, and at most.
const USUAL_TIME: Duration = Duration::from_secs(1);
const MAX_TIME: Duration = Duration::from_secs(600);

/// What is to be judged: the moves of a position, from one of them on.
#[derive(Debug, Deserialize)]
pub(crate) struct ReviewRequest {
    pub(crate) id: u64,
    position: WirePosition,
    player: String,
    #[serde(default)]
    limits: WireLimits,
    /// The game it belongs to: a player remembers while this stays the same.
    #[serde(default)]
    game: String,
    /// The first move to be judged, counted from 1.
    #[serde(default)]
    from: usize,
}

/// A move and what became of it, from the view of its side.
#[derive(Debug, Serialize)]
pub(crate) struct WireVerdict {
    /// Its number in the game.
    ply: usize,
    kind: &'static str,
    /// The share of the chance to win that it gave away.
    loss: f64,
    /// The chance to win after it.
    w: f64,
    /// What was better, with its line; for a missed block, how the other side wins.
    line: Vec<String>,
    /// Plies of the forced win that was missed or allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<i64>,
    /// Whether the other side is the favorite from here on.
    turn: bool,
}

/// A review, when it is complete.
#[derive(Debug, Serialize)]
pub(crate) struct WireReview {
    pub(crate) id: u64,
    /// Whether it was told to stop; then it says nothing else.
    stopped: bool,
    moves: Vec<WireVerdict>,
    /// How well Black and White played, as a share of one; nothing for a side that had no choice.
    accuracy: [Option<f64>; 2],
    /// The shares from which a move is a mistake and a blunder.
    limits: [f64; 2],
}

/// Starts a review and returns its stop flag; problems are reported to the page.
pub(crate) fn start(
    desk: &Arc<Desk>,
    outbox: &Arc<Outbox>,
    request: ReviewRequest,
) -> Option<Arc<AtomicBool>> {
    let positions = match positions(&request.position) {
        Ok(positions) => positions,
        Err(detail) => {
            outbox.send(&Message::Error { id: Some(request.id), code: "position", detail });
            return None;
        }
    };
    let (worker, page) = (Arc::clone(desk), Arc::clone(outbox));
    think::begin(desk, outbox, request.id, move |stop| {
        let pooled = worker.players.acquire(&request.player, &request.game, 0);
        let pooled = pooled.map_err(|problem| ("player", problem));
        let review = pooled.and_then(|pooled| {
            let scale = worker.players.scale(&request.player);
            if scale.is_none() {
                let detail = format!("The scores of {} are no chances.", request.player);
                worker.players.release(pooled);
                return Err(("no-chances", detail));
            }
            let limits = Limits::from(request.limits);
            let time = limits.turn.unwrap_or(USUAL_TIME).min(MAX_TIME);
            let first = request.from.clamp(1, positions.len());
            let judged = positions.iter().map(|_| None).collect();
            let (desk, page, id) = (&*worker, &*page, request.id);
            let reviewer =
                Reviewer { desk, page, id, stop, pooled, scale, limits, time, positions, judged };
            reviewer.run(first)
        });
        match review {
            Ok(review) => page.send(&Message::Review(review)),
            Err((code, detail)) => {
                page.send(&Message::Error { id: Some(request.id), code, detail });
            }
        }
    })
}

/// The positions before, between and after the moves.
fn positions(wire: &WirePosition) -> Result<Vec<Position>, String> {
    let start = WirePosition { moves: Vec::new(), ..wire.clone() };
    let mut all = vec![start.read().map_err(|bad| bad.text)?];
    for text in &wire.moves {
        let point: Point = text.parse().map_err(|error| format!("{error}"))?;
        let mut next = all[all.len() - 1].clone();
        next.play(point).map_err(|error| error.to_string())?;
        all.push(next);
    }
    Ok(all)
}

/// What is known of a position.
struct Judged {
    /// The chance of the side to move.
    w: f64,
    /// What the player said; nothing where the game is over.
    choice: Option<Choice>,
}

impl Judged {
    /// Plies to the claimed win of the side to move (positive) or its loss (negative).
    fn decided(&self) -> Option<i64> {
        self.choice.as_ref()?.score?.decisive_in()
    }

    fn is_won(&self) -> bool {
        self.decided().is_some_and(|plies| plies >= 0)
    }

    fn is_lost(&self) -> bool {
        self.decided().is_some_and(|plies| plies < 0)
    }

    fn best(&self) -> Option<Point> {
        self.choice.as_ref()?.point()
    }

    fn is_forced(&self) -> bool {
        self.choice.as_ref().is_some_and(|choice| choice.reason == Reason::Only)
    }
}

type Failure = (&'static str, String);

struct Reviewer<'a> {
    desk: &'a Desk,
    page: &'a Outbox,
    id: u64,
    stop: &'a Arc<AtomicBool>,
    pooled: PooledPlayer,
    scale: Option<f64>,
    limits: Limits,
    time: Duration,
    positions: Vec<Position>,
    judged: Vec<Option<Judged>>,
}

impl Reviewer<'_> {
    /// Judges the moves from this one on.
    fn run(mut self, first: usize) -> Result<WireReview, Failure> {
        let last = self.positions.len() - 1;
        let mut total = last + 2 - first;
        let mut done = 0;
        for ply in (first - 1..=last).rev() {
            self.judge(ply, self.time)?;
            done += 1;
            self.tell(ply, done, total);
        }
        // What looks like a mistake may be a search that was too short.
        let doubtful: Vec<usize> = (first..=last).rev().filter(|&ply| self.is_fault(ply)).collect();
        total += doubtful.len();
        for ply in doubtful {
            for end in [ply, ply - 1] {
                if self.judged[end].as_ref().is_some_and(|judged| judged.decided().is_none()) {
                    self.judge(end, self.time * AGAIN)?;
                    self.tell(end, done, total);
                }
            }
            done += 1;
        }
        let stopped = self.watch().stopped();
        let moves: Vec<WireVerdict> = if stopped {
            Vec::new()
        } else {
            (first..=last).filter_map(|ply| self.verdict(ply)).collect()
        };
        let accuracy = Color::ALL.map(|side| self.accuracy(side, &moves));
        self.desk.players.release(self.pooled);
        Ok(WireReview { id: self.id, stopped, moves, accuracy, limits: [MISTAKE, BLUNDER] })
    }

    fn watch(&self) -> HostWatch {
        HostWatch::start(&self.desk.host, self.stop)
    }

    fn tell(&self, ply: usize, done: usize, total: usize) {
        let choice = self.judged[ply].as_ref().and_then(|judged| judged.choice.as_ref());
        let position = &self.positions[ply];
        let best = choice.map(|choice| {
            Box::new(think::best((self.id, 0), choice, position, &self.watch(), self.scale))
        });
        self.page.send(&Message::Judged { id: self.id, ply, done, total, best });
    }

    /// Finds out what a position is worth; those after it are known.
    fn judge(&mut self, ply: usize, time: Duration) -> Result<(), Failure> {
        let position = self.positions[ply].clone();
        let judged = match (position.outcome(), only_move(&position)) {
            (Some(outcome), _) => {
                let w = outcome.winner().map_or(0.5, |winner| winner_share(winner, &position));
                Judged { w, choice: None }
            }
            (None, Some(only)) => {
                let mut after = position;
                after.play(only).map_err(|error| ("position", error.to_string()))?;
                let is_next = self.positions.get(ply + 1) == Some(&after);
                let known = self.judged.get(ply + 1).and_then(Option::as_ref);
                let then = match known.filter(|_| is_next) {
                    Some(known) => known.choice.clone(),
                    None if after.outcome().is_some() => None,
                    None => Some(self.search(&after, time)?),
                };
                self.judgment(forced(only, then.as_ref()))
            }
            (None, None) => {
                let choice = self.search(&position, time)?;
                self.judgment(choice)
            }
        };
        self.judged[ply] = Some(judged);
        Ok(())
    }

    fn judgment(&self, choice: Choice) -> Judged {
        let w = choice.score.and_then(|score| win_rate(score, self.scale)).unwrap_or(0.5);
        Judged { w, choice: Some(choice) }
    }

    /// Asks the player, again for longer if it has not seen far enough.
    fn search(&mut self, position: &Position, time: Duration) -> Result<Choice, Failure> {
        let mut turn = time;
        for doubling in 0.. {
            let limits = Limits { turn: Some(turn), ..self.limits };
            let task = Task::new(position.clone(), limits);
            let watch = self.watch();
            let choice = think::ask(&mut self.pooled, &task, &watch)
                .ok_or_else(|| ("crash", "The player failed.".to_owned()))?;
            let is_settled = choice.score.is_some_and(Score::is_decisive);
            // Whoever stops before the time is up would not go deeper.
            let has_ended = watch.elapsed() < turn / 2;
            let is_deep = choice.depth >= FLOOR;
            if is_settled || has_ended || is_deep || watch.stopped() || doubling == DOUBLINGS {
                return Ok(choice);
            }
            turn *= 2;
        }
        unreachable!("the last doubling returns")
    }

    /// The chance that a move gave away.
    fn loss(&self, ply: usize) -> Option<f64> {
        let (before, after) = (self.judged[ply - 1].as_ref()?, self.judged[ply].as_ref()?);
        let played = self.positions[ply].last_move();
        // The best move is no mistake, whatever the two searches say; nor is the only one.
        let is_best = before.best() == played;
        Some(if is_best { 0.0 } else { (before.w - (1.0 - after.w)).max(0.0) })
    }

    fn is_fault(&self, ply: usize) -> bool {
        self.loss(ply).is_some_and(|loss| loss >= MISTAKE)
    }

    fn verdict(&self, ply: usize) -> Option<WireVerdict> {
        let (before, after) = (self.judged[ply - 1].as_ref()?, self.judged[ply].as_ref()?);
        let loss = self.loss(ply)?;
        let is_best = before.best() == self.positions[ply].last_move();
        let kind = match loss {
            _ if is_best && before.is_forced() => "only",
            _ if is_best => "best",
            loss if loss < MISTAKE => "good",
            _ if before.is_won() => "missed-win",
            _ if after.is_won() && !before.is_lost() => "missed-block",
            loss if loss >= BLUNDER => "blunder",
            _ => "mistake",
        };
        let shown = if kind == "missed-block" { after } else { before };
        let line = shown.choice.as_ref().map_or(&[][..], Choice::line);
        Some(WireVerdict {
            ply,
            kind,
            loss: rounded(loss),
            w: rounded(1.0 - after.w),
            line: line.iter().map(Point::to_string).collect(),
            plies: shown.decided().filter(|_| kind.starts_with("missed")),
            turn: loss >= MISTAKE && before.w > 0.5 && after.w > 0.5,
        })
    }

    /// How well a side played where it had a choice.
    fn accuracy(&self, side: Color, moves: &[WireVerdict]) -> Option<f64> {
        let free = moves
            .iter()
            .filter(|one| one.kind != "only" && self.positions[one.ply - 1].to_move() == side);
        let shares: Vec<f64> = free.map(|one| 0.5f64.powf(one.loss / HALF)).collect();
        (!shares.is_empty()).then(|| rounded(shares.iter().sum::<f64>() / shares.len() as f64))
    }
}

fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

fn winner_share(winner: Color, position: &Position) -> f64 {
    if winner == position.to_move() { 1.0 } else { 0.0 }
}

/// The one move that stops a five, where there is no five to make.
fn only_move(position: &Position) -> Option<Point> {
    if position.outcome().is_some() {
        return None;
    }
    let only = with_rule!(position.rule(), R => only_block::<R>(position));
    only.filter(|&point| position.forbidden(point).is_none())
}

fn only_block<R: Rules>(position: &Position) -> Option<Point> {
    let field = Field::<R>::from_position(position);
    let us = field.to_move();
    let fives = field.points_at_least(!us, Threat::Five);
    let is_forced = fives.len() == 1 && !field.has(us, Threat::Five);
    fives.first().filter(|_| is_forced)
}

/// The answer where there is one move alone, from what is known of the position after it.
fn forced(only: Point, then: Option<&Choice>) -> Choice {
    let mut choice = Choice::of(only, Reason::Only);
    let mut line = vec![only];
    choice.score = Some(Score::new(0));
    if let Some(then) = then {
        choice.score = then.score.map(one_ply_before);
        choice.depth = then.depth + 1;
        choice.counters = then.counters;
        line.extend(then.line());
    }
    choice.candidates = vec![Candidate {
        score: choice.score,
        depth: choice.depth,
        nodes: choice.counters.nodes,
        line,
        ..Candidate::new(only)
    }];
    choice
}

/// What a score after a move says before it.
fn one_ply_before(score: Score) -> Score {
    let plies = |n: i64| u32::try_from(n.abs() + 1).unwrap_or(u32::MAX);
    match score.decisive_in() {
        Some(n) if n >= 0 => Score::loss_in(plies(n)),
        Some(n) => Score::win_in(plies(n)),
        None => -score,
    }
}
