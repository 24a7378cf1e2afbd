//! One search: a player beside everything else, its progress sent to the page that asked.

use std::{
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use gomoku::{Point, Position};
use player::{Choice, Limits, PlayerReply, Progress, Task, Trace, Unwatched, Watch};
use solve::{Root, Solver};

use crate::{
    Desk,
    host::HostWatch,
    lock,
    outbox::Outbox,
    players::PooledPlayer,
    proofs,
    wire::{
        Best, Info, Message, ThinkRequest, WireCandidate, WireCost, WireIteration, WireScore,
        WireTrace, win_rate,
    },
};

/// Candidates sent to the page.
const MAX_CANDIDATES: usize = 60;

/// A proof that is larger, or takes longer to check, leaves a win claimed.
const MAX_PROOF: usize = 4 << 20;
const CHECK_TIME: Duration = Duration::from_secs(1);
/// What is spent on proving a win that came without a proof.
const PROOF_NODES: u64 = 50_000;
const PROOF_MEGABYTES: usize = 4;

const OVER: &str = "The game is over.";
pub(crate) const TOO_MANY: &str = "Too many searches are running.";
/// Time for a search without a page, if no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(1);
/// Positions in one batch.
const MAX_BATCH: usize = 256;

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
    let Some(place) = desk.players.begin_search(&flag) else {
        busy(TOO_MANY.to_owned());
        return None;
    };
    let (page, stop) = (Arc::clone(outbox), Arc::clone(&flag));
    let work = move || {
        let _place = place;
        if catch_unwind(AssertUnwindSafe(|| work(&stop))).is_err() {
            let detail = "The search failed.".to_owned();
            page.send(&Message::Error { id: Some(id), code: "crash", detail });
        }
    };
    if let Err(problem) = desk.host.spawn("think", Box::new(work)) {
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
    let player = desk.players.named(&request.player);
    let scale = desk.players.scale(player);
    let mut pooled = match desk.players.acquire(player, &request.game, request.seed) {
        Ok(pooled) => pooled,
        Err(problem) => return error("player", problem),
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
            let best = best((request.id, request.rev), &choice, &task.position, &watch, scale);
            outbox.send(&Message::Best(Box::new(best)));
        }
        None => error("crash", format!("The player {player} failed.")),
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
    let mut task = task(request)?;
    // Some players think until they are told to stop, and nobody is there to tell them.
    if task.limits == Limits::default() {
        task.limits.turn = Some(USUAL_TIME);
    }
    let player = desk.players.named(&request.player);
    let scale = desk.players.scale(player);
    let mut pooled = desk.players.acquire(player, &request.game, request.seed)?;
    let watch = HostWatch::start(&desk.host, stop);
    let choice =
        ask(&mut pooled, &task, &watch).ok_or_else(|| format!("The player {player} failed."))?;
    desk.players.release(pooled);
    Ok(best((request.id, request.rev), &choice, &task.position, &watch, scale))
}

/// Refuses a batch of too many.
pub(crate) fn check_batch<T>(batch: Vec<T>) -> Result<Vec<T>, String> {
    match batch.len() {
        0..=MAX_BATCH => Ok(batch),
        many => Err(format!("A batch has at most {MAX_BATCH} positions, not {many}.")),
    }
}

/// Many searches side by side, as many at once as there are cores and places: their answers, in order.
pub(crate) fn choose_all(
    desk: &Arc<Desk>,
    requests: Vec<ThinkRequest>,
    stop: &Arc<AtomicBool>,
) -> Vec<Result<Best, String>> {
    let requests = Arc::new(requests);
    let next = Arc::new(AtomicUsize::new(0));
    let (send, answers) = mpsc::channel();
    let work = {
        let (desk, requests, stop) = (Arc::clone(desk), Arc::clone(&requests), Arc::clone(stop));
        move || {
            let mine = std::iter::from_fn(|| {
                let index = next.fetch_add(1, Ordering::Relaxed);
                requests.get(index).map(|request| (index, request))
            });
            for (index, request) in mine {
                // Nobody hears it when nobody waits any more.
                let _ = send.send((index, choose(&desk, request, &stop)));
            }
        }
    };
    for _ in 1..desk.host.cores().min(requests.len()) {
        let Some(place) = desk.players.begin_search(stop) else { break };
        let work = work.clone();
        let beside = move || {
            let _place = place;
            work();
        };
        if desk.host.spawn("batch", Box::new(beside)).is_err() {
            break;
        }
    }
    work();
    drop(work);
    let mut found: Vec<_> = requests.iter().map(|_| Err("The search failed.".to_owned())).collect();
    answers.iter().for_each(|(index, answer)| found[index] = answer);
    found
}

/// What is told of a choice, under the number of a request and of a position.
pub(crate) fn best(
    (id, rev): (u64, u64),
    choice: &Choice,
    position: &Position,
    watch: &dyn Watch,
    scale: Option<f64>,
) -> Best {
    let elapsed = watch.elapsed();
    let proof = proved(choice, position, watch);
    let mut cand = candidates(&choice.candidates, scale);
    for (one, sent) in choice.candidates.iter().zip(&mut cand) {
        let is_win = one.score.is_some_and(|score| choice.score.is_some_and(|best| score >= best));
        sent.proved = is_win && proof == Some(Some(one.point));
    }
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
        proved: proof.is_some(),
        cost: WireCost::new(&choice.counters, elapsed),
        cand,
        iterations: choice
            .iterations
            .iter()
            .map(|iteration| WireIteration::new(iteration, scale, elapsed))
            .collect(),
        stopped: watch.stopped(),
        trace: choice.trace.as_ref().map(trace),
    }
}

/// Whether a claimed win is proved: by a proof that came with it or that the solver finds at once, of this
/// position, no longer than claimed, and accepted by the checker. With it the move that begins it.
fn proved(choice: &Choice, position: &Position, watch: &dyn Watch) -> Option<Option<Point>> {
    let claimed = choice.score?.decisive_in()?;
    let attacker = if claimed >= 0 { position.to_move() } else { !position.to_move() };
    let own = choice.proof.as_ref().map(|proof| proof.bytes.clone());
    let bytes = own.or_else(|| {
        let limits = Limits::nodes(PROOF_NODES);
        let found = Solver::new(PROOF_MEGABYTES).any(position, attacker, &limits, &Unwatched);
        found.win().map(|win| win.proof().bytes)
    });
    let bytes = bytes.filter(|bytes| bytes.len() <= MAX_PROOF)?;
    let tree = proofs::read(&bytes).ok()?;
    let is_here = (tree.rule, tree.attacker, tree.to_move())
        == (position.rule(), attacker, position.to_move())
        && tree.board == *position.board();
    if !is_here {
        return None;
    }
    let end = watch.elapsed() + CHECK_TIME;
    let mut go_on = |_: &verify::Counts| match watch.elapsed() < end {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let checked = verify::check_stream(&bytes[..], verify::Manner::Quick, &mut go_on).ok()?;
    let plies = i64::try_from(checked.counts.longest).ok()?;
    (plies <= claimed.abs()).then_some(match &tree.root {
        Root::Attack(attack) => Some(attack.point()),
        Root::Defense(_) => None,
    })
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

#[cfg(test)]
mod tests {
    use gomoku::Rule;
    use player::{Counters, Score};

    use super::*;

    #[test]
    fn a_win_is_proved_where_the_checker_accepts_its_proof_of_this_position() {
        let open_three = "b:h8,i8,j8 w:a1,b2,c3 b";
        let position = Position::parse(open_three, Rule::Freestyle, 15).unwrap();
        let solved =
            Solver::new(1).any(&position, position.to_move(), &Limits::nodes(100_000), &Unwatched);
        let choice = solved.win().unwrap().choice(Counters::default(), &Unwatched).unwrap();
        let sent = best((1, 1), &choice, &position, &Unwatched, None);
        assert!(sent.proved && sent.cand[0].proved);
        assert!(serde_json::to_string(&sent).unwrap().contains(r#""proved":true"#));

        let mut bare = choice.clone();
        bare.proof = None;
        let sent = best((1, 1), &bare, &position, &Unwatched, None);
        assert!(sent.proved, "the solver finds one at once");

        // After the four White has lost, which is proved as well.
        let mut after = position.clone();
        after.play(choice.point().unwrap()).unwrap();
        let mut lost = Choice::of("a15".parse().unwrap(), player::Reason::Search);
        lost.score = Some(Score::loss_in(choice.score.unwrap().decisive_in().unwrap() as u32 - 1));
        assert!(best((1, 1), &lost, &after, &Unwatched, None).proved);

        let other = Position::parse("b:h8,i8,j8 w:a1,b2,c4 b", Rule::Freestyle, 15).unwrap();
        let mut damaged = choice.clone();
        damaged.proof.as_mut().unwrap().bytes[9] ^= 1;
        let mut shorter = choice.clone();
        shorter.score = Some(Score::win_in(1));
        for (choice, position) in
            [(&choice, &other), (&damaged, &position), (&shorter, &position), (&lost, &position)]
        {
            let sent = best((1, 1), choice, position, &Unwatched, None);
            assert!(!sent.proved && !sent.cand.iter().any(|one| one.proved), "{position:?}");
        }
    }
}
