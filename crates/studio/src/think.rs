//! One search: a player on a thread of its own, its progress sent to the page that asked.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use gomoku::Point;
use player::{Choice, Progress, Reply, Task, Trace, Watch};

use crate::{
    Studio, lock,
    outbox::Outbox,
    players::PooledPlayer,
    wire::{
        Best, Info, Message, ThinkRequest, WireCandidate, WireCost, WireIteration, WireScore,
        WireTrace, win_rate,
    },
};

/// Candidates sent to the page.
const MAX_CANDIDATES: usize = 60;

const OVER: &str = "The game is over.";

/// Starts a search and returns its stop flag; problems are reported to the page.
pub(crate) fn start(
    studio: &Arc<Studio>,
    outbox: &Arc<Outbox>,
    request: ThinkRequest,
) -> Option<Arc<AtomicBool>> {
    let id = request.id;
    let fail = |code, detail: String| {
        outbox.send(&Message::Error { id: Some(id), code, detail });
    };
    let task = match task(&request) {
        Ok(task) => task,
        Err(detail) => {
            let code = if detail == OVER { "over" } else { "position" };
            fail(code, detail);
            return None;
        }
    };
    let Some(flag) = studio.players.begin_search() else {
        fail("busy", "Too many searches are running.".to_owned());
        return None;
    };
    let (studio, outbox, stop) = (Arc::clone(studio), Arc::clone(outbox), Arc::clone(&flag));
    let spawned = std::thread::Builder::new().name("think".to_owned()).spawn(move || {
        run(&studio, &outbox, &request, &task, &stop);
        studio.players.end_search(&stop);
    });
    spawned.is_ok().then_some(flag)
}

/// The task that a request describes.
pub(crate) fn task(request: &ThinkRequest) -> Result<Task, String> {
    let position = request.position.read().map_err(|bad| bad.text)?;
    if position.outcome().is_some() {
        return Err(OVER.to_owned());
    }
    let points = |texts: &[String]| {
        texts.iter().map(|text| text.parse::<Point>()).collect::<Result<Vec<_>, _>>()
    };
    let mut task = Task::new(position, request.limits.into());
    task.multi_pv = request.multi_pv.clamp(1, 40);
    task.only = points(&request.only).map_err(|error| error.to_string())?;
    task.exclude = points(&request.exclude).map_err(|error| error.to_string())?;
    task.goal = request.goal();
    task.trace = request.trace;
    if !task.position.legal_points().iter().any(|point| task.allows(point)) {
        return Err("There is no move to choose from.".to_owned());
    }
    Ok(task)
}

fn run(
    studio: &Studio,
    outbox: &Arc<Outbox>,
    request: &ThinkRequest,
    task: &Task,
    stop: &Arc<AtomicBool>,
) {
    let slot = format!("think-{}", request.id);
    let error = |code, detail| {
        outbox.clear(&slot);
        outbox.send(&Message::Error { id: Some(request.id), code, detail });
    };
    let scale = studio.players.scale(&request.player);
    let mut pooled = match studio.players.acquire(&request.player, &request.game, request.seed) {
        Ok(pooled) => pooled,
        Err(problem) => return error("player", problem.to_string()),
    };
    let watch = PageWatch {
        stop: Arc::clone(stop),
        started: Instant::now(),
        outbox: Arc::clone(outbox),
        slot: slot.clone(),
        news: Arc::default(),
        id: request.id,
        rev: request.rev,
        scale,
    };
    // A player that panics loses its memory and nothing else.
    let choose = |pooled: &mut PooledPlayer| pooled.player.choose(task, &watch);
    match catch_unwind(AssertUnwindSafe(|| choose(&mut pooled))) {
        Ok(choice) => {
            studio.players.release(pooled);
            outbox.clear(&slot);
            let best = best(request, &choice, &watch, scale);
            outbox.send(&Message::Best(Box::new(best)));
        }
        Err(_) => error("crash", format!("The player {} failed.", request.player)),
    }
}

/// What is told of a choice.
pub(crate) fn best(request: &ThinkRequest, choice: &Choice, watch: &dyn Watch, scale: f64) -> Best {
    let elapsed = watch.elapsed();
    let stones = match &choice.reply {
        Reply::Move(point) => vec![point.to_string()],
        Reply::Stones(points) => points.iter().map(Point::to_string).collect(),
        _ => Vec::new(),
    };
    Best {
        id: request.id,
        rev: request.rev,
        stones,
        why: choice.reason.to_string(),
        depth: choice.depth,
        e: choice.score.map(WireScore::from),
        w: choice.score.map(|score| win_rate(score, scale)),
        cost: WireCost::new(&choice.counters, elapsed),
        cand: candidates(&choice.candidates, scale),
        iterations: choice
            .iterations
            .iter()
            .map(|iteration| WireIteration::new(iteration, scale, elapsed))
            .collect(),
        stopped: watch.stopped(),
        trace: choice.trace.as_ref().map(trace),
    }
}

fn trace(trace: &Trace) -> WireTrace {
    let nodes = trace.nodes.iter().map(|node| {
        (
            node.parent.map_or(-1, i64::from),
            node.point.map(|point| point.to_string()),
            node.is_maximizing,
            node.window,
            node.value,
            node.n_cut,
        )
    });
    WireTrace { truncated: trace.is_truncated, nodes: nodes.collect() }
}

/// The watch of a search that a page follows.
struct PageWatch {
    stop: Arc<AtomicBool>,
    started: Instant,
    outbox: Arc<Outbox>,
    slot: String,
    news: Arc<Mutex<Option<Progress>>>,
    id: u64,
    rev: u64,
    scale: f64,
}

fn candidates(candidates: &[player::Candidate], scale: f64) -> Vec<WireCandidate> {
    let some = candidates.iter().take(MAX_CANDIDATES);
    some.map(|candidate| WireCandidate::new(candidate, scale)).collect()
}

impl Watch for PageWatch {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn progress(&self, progress: &Progress) {
        let elapsed = self.elapsed();
        if let Some(iteration) = &progress.finished {
            let iteration = WireIteration::new(iteration, self.scale, elapsed);
            self.outbox.send(&Message::Iter { id: self.id, rev: self.rev, iteration });
        }
        let first = {
            let mut news = lock(&self.news);
            news.replace(progress.clone()).is_none()
        };
        if !first {
            return; // The slot is filled already and will take the newer news.
        }
        let (news, id, rev, scale) = (Arc::clone(&self.news), self.id, self.rev, self.scale);
        self.outbox.put(self.slot.clone(), move || {
            let progress = lock(&news).take()?;
            let info = Info {
                id,
                rev,
                depth: progress.depth,
                seldepth: progress.depth_max,
                cost: WireCost::new(&progress.counters, elapsed),
                cand: candidates(&progress.candidates, scale),
            };
            serde_json::to_string(&Message::Info(info)).ok()
        });
    }
}
