//! One search: a player beside everything else, its progress sent to the page that asked.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Duration,
};

use gomoku::Point;
use player::{Choice, PlayerReply, Progress, Task, Trace, Watch};

use crate::{
    Desk,
    host::HostWatch,
    lock,
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
    desk: &Arc<Desk>,
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
    let (worker, page) = (Arc::clone(desk), Arc::clone(outbox));
    begin(desk, outbox, id, move |stop| run(&worker, &page, &request, &task, stop))
}

/// Runs work that searches beside everything else, unless too much is searched already.
pub(crate) fn begin(
    desk: &Arc<Desk>,
    outbox: &Arc<Outbox>,
    id: u64,
    work: impl FnOnce(&Arc<AtomicBool>) + Send + 'static,
) -> Option<Arc<AtomicBool>> {
    let busy = |detail| outbox.send(&Message::Error { id: Some(id), code: "busy", detail });
    let flag = Arc::default();
    if !desk.players.begin_search(&flag) {
        busy("Too many searches are running.".to_owned());
        return None;
    }
    let (worker, stop) = (Arc::clone(desk), Arc::clone(&flag));
    let work = move || {
        work(&stop);
        worker.players.end_search(&stop);
    };
    if let Err(problem) = desk.host.spawn("think", Box::new(work)) {
        desk.players.end_search(&flag);
        busy(problem);
        return None;
    }
    Some(flag)
}

/// The task that a request describes.
fn task(request: &ThinkRequest) -> Result<Task, String> {
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
    desk: &Desk,
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
    let scale = desk.players.scale(&request.player);
    let mut pooled = match desk.players.acquire(&request.player, &request.game, request.seed) {
        Ok(pooled) => pooled,
        Err(problem) => return error("player", problem.to_string()),
    };
    let watch = PageWatch {
        watch: HostWatch::start(&desk.host, stop),
        outbox: Arc::clone(outbox),
        slot: slot.clone(),
        news: Arc::default(),
        id: request.id,
        rev: request.rev,
        scale,
    };
    match ask(&mut pooled, task, &watch) {
        Some(choice) => {
            desk.players.release(pooled);
            outbox.clear(&slot);
            let best = best((request.id, request.rev), &choice, &watch, scale);
            outbox.send(&Message::Best(Box::new(best)));
        }
        None => error("crash", format!("The player {} failed.", request.player)),
    }
}

/// What a player answers; one that panics loses its memory and nothing else.
pub(crate) fn ask(pooled: &mut PooledPlayer, task: &Task, watch: &dyn Watch) -> Option<Choice> {
    catch_unwind(AssertUnwindSafe(|| pooled.player.choose(task, watch))).ok()
}

/// A search without a page: its answer.
pub(crate) fn choose(
    desk: &Desk,
    request: &ThinkRequest,
    stop: &Arc<AtomicBool>,
) -> Result<Best, String> {
    let task = task(request)?;
    let scale = desk.players.scale(&request.player);
    let pooled = desk.players.acquire(&request.player, &request.game, request.seed);
    let mut pooled = pooled.map_err(|problem| problem.to_string())?;
    let watch = HostWatch::start(&desk.host, stop);
    let choice = ask(&mut pooled, &task, &watch)
        .ok_or_else(|| format!("The player {} failed.", request.player))?;
    desk.players.release(pooled);
    Ok(best((request.id, request.rev), &choice, &watch, scale))
}

/// What is told of a choice, under the number of a request and of a position.
pub(crate) fn best(
    (id, rev): (u64, u64),
    choice: &Choice,
    watch: &dyn Watch,
    scale: Option<f64>,
) -> Best {
    let elapsed = watch.elapsed();
    let stones = match &choice.reply {
        PlayerReply::Move(point) => vec![point.to_string()],
        PlayerReply::Stones(points) => points.iter().map(Point::to_string).collect(),
        _ => Vec::new(),
    };
    Best {
        id,
        rev,
        stones,
        why: choice.reason.to_string(),
        depth: choice.depth,
        e: choice.score.map(WireScore::from),
        w: choice.score.and_then(|score| win_rate(score, scale)),
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
    watch: HostWatch,
    outbox: Arc<Outbox>,
    slot: String,
    news: Arc<Mutex<Option<Progress>>>,
    id: u64,
    rev: u64,
    scale: Option<f64>,
}

fn candidates(candidates: &[player::Candidate], scale: Option<f64>) -> Vec<WireCandidate> {
    let some = candidates.iter().take(MAX_CANDIDATES);
    some.map(|candidate| WireCandidate::new(candidate, scale)).collect()
}

impl Watch for PageWatch {
    fn stopped(&self) -> bool {
        self.watch.stopped()
    }

    fn elapsed(&self) -> Duration {
        self.watch.elapsed()
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
