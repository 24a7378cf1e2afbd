//! The side that deals: leaves pairs in the queue and collects their records.

use std::{
    collections::{BTreeMap, BTreeSet, hash_map::RandomState},
    hash::BuildHasher,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    time::{Duration, Instant},
};

use arena::{
    COMMAND_PREFIX, DispatchError, Dispatcher, Factory, News, PairError, PairJob, PairRecord,
    RunControl,
};
use async_nats::{Client, Error, Event, jetstream::Context};
use futures_util::StreamExt;
use tokio::{
    runtime::Runtime,
    select,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{interval, sleep, timeout},
};

use crate::{
    Access, FleetError, Timing,
    recheck::Recheck,
    wire::{self, Answer, Hello, JOBS, Order, RESULTS, RETRY, WIRE_VERSION, Whisper},
};

/// How long one request for results waits.
const PULL: Duration = Duration::from_secs(2);
/// Orders that were in neither queue so many times in a row are lost.
const LOST: u32 = 3;
/// How long the server has for tidying up.
const TIDY: Duration = Duration::from_secs(3);
/// A worker that has missed this many hellos is gone.
const MISSED: u32 = 3;
/// A worker that has sent so many records that cannot be is not listened to any more.
const MOST_REJECTED: u32 = 3;
/// More is not told, or believed, of what others say.
const MOST_NOTES: usize = 1000;
const MOST_NOTE_CHARS: usize = 300;
const MOST_WORKERS: usize = 10_000;
const MOST_JOBS: usize = 1024;

/// What a coordinator is.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server.
    pub access: Access,
    /// Names the run on this server, the same when it is resumed: what an earlier sitting left in
    /// the queue is removed.
    pub run: String,
    /// What build this is. Only workers with the same signature play.
    pub signature: String,
    /// How often workers are to be heard.
    pub timing: Timing,
    /// Whether the games depend on nothing but the jobs: then some are played again here.
    pub reproducible: bool,
}

/// Machines that play pairs.
#[derive(Debug)]
pub struct Fleet {
    runtime: Option<Runtime>,
    desk: Arc<Desk>,
    jetstream: Context,
    news: mpsc::Receiver<News>,
    control: RunControl,
}

impl Fleet {
    /// Joins the fleet at a server.
    ///
    /// # Errors
    /// When the server cannot be reached or keeps no streams. A server that goes away later is
    /// waited for.
    pub fn connect(
        options: &Options,
        factory: &Factory,
        control: &RunControl,
    ) -> Result<Fleet, FleetError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| FleetError::Runtime(error.to_string()))?;
        let (mut desk, orders, news) = Desk::new(options);
        if options.reproducible {
            desk.recheck = Some(Recheck::start(factory, control, desk.news.clone()));
        }
        let desk = Arc::new(desk);
        let jetstream = runtime.block_on(open(options, &desk, orders))?;
        Ok(Fleet { runtime: Some(runtime), desk, jetstream, news, control: control.clone() })
    }

    /// Removes messages from the queue, as far as the server answers in time. What stays is
    /// removed when the run is resumed, or played for nothing.
    fn purge(&self, subjects: Vec<String>) {
        let Some(runtime) = &self.runtime else { return };
        let jetstream = self.jetstream.clone();
        let purge = async move {
            for subject in subjects {
                remove(&jetstream, JOBS, subject).await?;
            }
            Ok::<(), Error>(())
        };
        let _ = runtime.block_on(async { timeout(TIDY, purge).await });
    }
}

impl Dispatcher for Fleet {
    fn capacity(&self) -> usize {
        // One in hand and one waiting for each core; something to begin with if nobody is there.
        let cores: usize = self.desk.lock().workers.values().map(|seen| seen.jobs).sum();
        (2 * cores).max(2)
    }

    fn submit(&mut self, job: PairJob) -> Result<(), DispatchError> {
        self.desk.order(job);
        Ok(())
    }

    fn next(&mut self, wait: Duration) -> Result<Option<News>, DispatchError> {
        if self.control.is_stopped()
            && let Some((index, _)) = self.desk.lock().orders.pop_first()
        {
            return Ok(Some(News::Failed { index, error: PairError::Stopped }));
        }
        match self.news.recv_timeout(wait) {
            Ok(news) => Ok(Some(news)),
            Err(mpsc::RecvTimeoutError::Timeout) => Ok(None),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                Err(DispatchError("The connection to the fleet has ended.".to_owned()))
            }
        }
    }

    fn withdraw(&mut self) -> Vec<u64> {
        let mut state = self.desk.lock();
        let waiting: Vec<u64> = state
            .orders
            .iter()
            .filter(|(_, sent)| !sent.started)
            .map(|(index, _)| *index)
            .collect();
        let subjects = waiting
            .iter()
            .filter_map(|index| state.orders.remove(index))
            .map(|sent| sent.subject)
            .collect();
        drop(state);
        self.purge(subjects);
        waiting
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.desk.lock().orders.clear();
        let Some(runtime) = self.runtime.take() else { return };
        let (jetstream, desk) = (self.jetstream.clone(), Arc::clone(&self.desk));
        let leave = async move {
            remove(&jetstream, JOBS, format!("{}.>", desk.subject)).await?;
            let (reader, _) = wire::reader(&desk.session);
            jetstream.delete_consumer_from_stream(reader, RESULTS).await?;
            remove(&jetstream, RESULTS, format!("results.{}.>", desk.session)).await
        };
        // If the server is gone, what is left there is forgotten after a while.
        let _ = runtime.block_on(async { timeout(TIDY, leave).await });
        runtime.shutdown_timeout(TIDY);
    }
}

/// Connects and starts what goes on in the background.
async fn open(
    options: &Options,
    desk: &Arc<Desk>,
    orders: UnboundedReceiver<Errand>,
) -> Result<Context, FleetError> {
    let watched = Arc::clone(desk);
    let heard = move |event| {
        watched.hear_of_connection(&event);
        async {}
    };
    let name = format!("coordinator of {}", options.run);
    let (client, jetstream) = wire::connect(&options.access, &name, heard).await?;
    let problem = |error: Error| FleetError::Streams {
        url: options.access.url.clone(),
        detail: error.to_string(),
    };
    let left_over = format!("jobs.*.{}.>", wire::token(&options.run));
    remove(&jetstream, JOBS, left_over).await.map_err(problem)?;
    let listen = Arc::clone(desk).listen(client.clone(), options.timing);
    tokio::spawn(listen);
    tokio::spawn(Arc::clone(desk).post(jetstream.clone(), orders));
    tokio::spawn(Arc::clone(desk).collect(jetstream.clone()));
    Ok(jetstream)
}

async fn remove(jetstream: &Context, stream: &str, subject: String) -> Result<(), Error> {
    jetstream.get_stream_no_info(stream).await?.purge().filter(subject).await?;
    Ok(())
}

/// Something to be put into the queue.
#[derive(Clone, Copy, Debug)]
enum Errand {
    /// One pair.
    Post(u64),
    /// All that are out: the server was away and may have forgotten some. It suppresses those it
    /// remembers.
    PostAgain,
    /// All that are out, under new names: they have been in neither queue so many times.
    PostLost(u32),
}

/// What the tasks in the background share.
#[derive(Debug)]
struct Desk {
    session: String,
    signature: String,
    /// Where pairs are put, without their index.
    subject: String,
    news: mpsc::Sender<News>,
    errands: UnboundedSender<Errand>,
    recheck: Option<Recheck>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Pairs without a result.
    orders: BTreeMap<u64, Sent>,
    /// Results by pair: the order, and the digest.
    finished: BTreeMap<u64, (Sent, String)>,
    workers: BTreeMap<String, Seen>,
    /// How many records of each worker could not be.
    rejected: BTreeMap<String, u32>,
    /// Orders given so far.
    serial: u64,
    /// What has been said once is not said again.
    notes: BTreeSet<String>,
    was_away: bool,
}

#[derive(Clone, Debug)]
struct Sent {
    serial: u64,
    secret: String,
    id: String,
    job: PairJob,
    subject: String,
    payload: Vec<u8>,
    started: bool,
}

#[derive(Debug)]
struct Seen {
    jobs: usize,
    at: Instant,
}

impl Desk {
    fn new(options: &Options) -> (Desk, UnboundedReceiver<Errand>, mpsc::Receiver<News>) {
        let session = format!("{:016x}", RandomState::new().hash_one(&options.run));
        let (class, run) = (wire::token(&options.signature), wire::token(&options.run));
        let (errands, orders) = unbounded_channel();
        let (news, heard) = mpsc::channel();
        let desk = Desk {
            subject: format!("jobs.{class}.{run}.{session}"),
            session,
            signature: options.signature.clone(),
            news,
            errands,
            recheck: None,
            state: Mutex::default(),
        };
        (desk, orders, heard)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a pair into the queue.
    fn order(&self, job: PairJob) {
        let index = job.index;
        let mut state = self.lock();
        state.serial += 1;
        let sent = self.sent(job, state.serial);
        state.orders.insert(index, sent);
        drop(state);
        self.send(Errand::Post(index));
    }

    fn sent(&self, job: PairJob, serial: u64) -> Sent {
        let (id, index) = (job.id(), job.index);
        let secret = format!("{:016x}", RandomState::new().hash_one(serial));
        let order = Order {
            version: WIRE_VERSION,
            session: self.session.clone(),
            signature: self.signature.clone(),
            serial,
            secret: secret.clone(),
            id: id.clone(),
            job: job.clone(),
        };
        let subject = format!("{}.{index}", self.subject);
        let payload = wire::to_bytes(&order);
        Sent { serial, secret, id, job, subject, payload, started: false }
    }

    fn send(&self, errand: Errand) {
        // The task that takes errands lives as long as the fleet.
        let _ = self.errands.send(errand);
    }

    fn tell(&self, news: News) {
        // Nobody listens any more when the fleet is being dropped.
        let _ = self.news.send(news);
    }

    fn note(&self, text: String) {
        let text: String = text.chars().filter(|c| !c.is_control()).take(MOST_NOTE_CHARS).collect();
        let mut state = self.lock();
        let is_new = state.notes.len() < MOST_NOTES && state.notes.insert(text.clone());
        drop(state);
        if is_new {
            self.tell(News::Note(text));
        }
    }

    fn hear_of_connection(&self, event: &Event) {
        match event {
            Event::Disconnected => {
                self.lock().was_away = true;
                self.tell(News::Note("The NATS server is gone; waiting for it.".to_owned()));
            }
            Event::Connected => {
                let was_away = std::mem::take(&mut self.lock().was_away);
                if was_away {
                    self.tell(News::Note("The NATS server is back.".to_owned()));
                    self.send(Errand::PostAgain);
                }
            }
            _ => {}
        }
    }

    /// Puts pairs into the queue.
    async fn post(self: Arc<Self>, jetstream: Context, mut errands: UnboundedReceiver<Errand>) {
        while let Some(errand) = errands.recv().await {
            let all = || self.lock().orders.keys().copied().collect();
            // The server drops what it has had before; what it has lost is new to it.
            let (indices, again): (Vec<u64>, String) = match errand {
                Errand::Post(index) => (vec![index], String::new()),
                Errand::PostAgain => (all(), String::new()),
                Errand::PostLost(times) => (all(), format!(".{times}")),
            };
            for index in indices {
                let sent = self.lock().orders.get(&index).cloned();
                let Some(Sent { serial, subject, payload, .. }) = sent else { continue };
                let id = format!("{}.{serial}{again}", self.session);
                let given_up = || !self.lock().orders.contains_key(&index);
                wire::store(&jetstream, &subject, &id, payload, given_up).await;
            }
        }
    }

    /// Fetches results, for ever.
    async fn collect(self: Arc<Self>, jetstream: Context) {
        loop {
            // The server went away; it is asked again until it is back.
            let _ = self.collect_while_connected(&jetstream).await;
            sleep(RETRY).await;
        }
    }

    async fn collect_while_connected(&self, jetstream: &Context) -> Result<(), Error> {
        let (name, config) = wire::reader(&self.session);
        let stream = jetstream.get_stream_no_info(RESULTS).await?;
        let reader = stream.get_or_create_consumer(&name, config).await?;
        let mut times_lost = 0;
        loop {
            times_lost = if self.has_lost_orders(jetstream).await { times_lost + 1 } else { 0 };
            if times_lost > 0 && times_lost % LOST == 0 {
                self.send(Errand::PostLost(times_lost));
            }
            let mut batch = reader.batch().max_messages(64).expires(PULL).messages().await?;
            while let Some(message) = timeout(2 * PULL, batch.next()).await? {
                let message = message?;
                match serde_json::from_slice::<Answer>(&message.payload) {
                    Ok(answer) if answer.version == WIRE_VERSION => {
                        self.hear(answer, wire::sender(&message.subject));
                    }
                    _ => self.note("A result that makes no sense was dropped.".to_owned()),
                }
                message.ack().await?;
            }
        }
    }

    /// Whether there are orders that stand in neither queue. A server that was killed may have lost what
    /// it had just stored; it may also be on its way, so this must be so for a while.
    async fn has_lost_orders(&self, jetstream: &Context) -> bool {
        if self.lock().orders.is_empty() {
            return false;
        }
        for name in [JOBS, RESULTS] {
            match jetstream.get_stream(name).await {
                Ok(stream) if stream.cached_info().state.messages == 0 => {}
                _ => return false,
            }
        }
        true
    }

    /// Hears a result, perhaps not for the first time. One that differs from the first is passed
    /// on: the run knows whether that is an error.
    fn hear(&self, answer: Answer, worker: &str) {
        let (index, digest) = (answer.index, answer.digest());
        let mut state = self.lock();
        let sent = match (state.orders.get(&index), state.finished.get(&index)) {
            (Some(sent), _) => sent.clone(),
            (None, Some((_, known))) if *known == digest => return,
            (None, Some((sent, _))) => sent.clone(),
            // It was withdrawn.
            (None, None) => return,
        };
        if answer.serial < sent.serial {
            return; // late news of pairs that had this number before
        }
        let is_known = answer.serial == sent.serial && answer.secret == sent.secret;
        if !is_known || answer.id != sent.id {
            drop(state);
            return self.note(format!("A result for pair {index} from {worker} answers no order."));
        }
        let pair = match answer.result {
            Ok(pair) => PairRecord { worker: worker.to_owned(), ..pair },
            Err(error) => {
                state.orders.remove(&index);
                state.finished.insert(index, (sent, digest));
                drop(state);
                return self.tell(News::Failed { index, error });
            }
        };
        if let Err(reason) = sent.job.check(&pair) {
            let times = state.rejected.entry(worker.to_owned()).or_default();
            *times += 1;
            let is_too_much = *times >= MOST_REJECTED;
            drop(state);
            self.note(format!("A record of pair {index} from {worker} was dropped: {reason}."));
            return match is_too_much {
                true => self.tell(News::Disputed { index, worker: worker.to_owned() }),
                false => self.order(sent.job),
            };
        }
        let is_first = state.orders.remove(&index).is_some();
        let job = sent.job.clone();
        state.finished.insert(index, (sent, digest));
        drop(state);
        let is_ours = !job.spec.contenders.iter().any(|one| one.spec.starts_with(COMMAND_PREFIX));
        let unchecked = match &self.recheck {
            Some(recheck) if is_first && is_ours => recheck.take(&job, pair),
            _ => Some(pair),
        };
        if let Some(pair) = unchecked {
            self.tell(News::Finished(Box::new(pair)));
        }
    }

    /// Hears who is there and what they have begun, for ever.
    async fn listen(self: Arc<Self>, client: Client, timing: Timing) {
        let subscribed = async {
            let hellos = client.subscribe(wire::HELLOS).await?;
            let whispers = client.subscribe(wire::whisper_subject(&self.session, "*")).await?;
            Ok::<_, Error>((hellos, whispers))
        };
        let Ok((mut hellos, mut whispers)) = subscribed.await else { return };
        let mut ticks = interval(timing.hello);
        loop {
            select! {
                Some(message) = hellos.next() => {
                    if let Ok(hello) = serde_json::from_slice(&message.payload) {
                        self.greet(wire::sender(&message.subject), hello);
                    }
                }
                Some(message) = whispers.next() => {
                    if let Ok(whisper) = serde_json::from_slice(&message.payload) {
                        self.hear_whisper(wire::sender(&message.subject), whisper);
                    }
                }
                _ = ticks.tick() => self.miss(MISSED * timing.hello),
            }
        }
    }

    fn greet(&self, worker: &str, hello: Hello) {
        let Hello { signature, jobs } = hello;
        if signature != self.signature {
            return self.note(format!(
                "Worker {worker} takes no part: it is '{signature}' and this is '{}'.",
                self.signature
            ));
        }
        let jobs = jobs.clamp(1, MOST_JOBS);
        let seen = Seen { jobs, at: Instant::now() };
        let mut state = self.lock();
        if state.workers.len() >= MOST_WORKERS && !state.workers.contains_key(worker) {
            return;
        }
        let is_new = state.workers.insert(worker.to_owned(), seen).is_none();
        drop(state);
        if is_new {
            let pairs = if jobs == 1 { "pair" } else { "pairs" };
            self.tell(News::Note(format!("Worker {worker} is there for {jobs} {pairs} at once.")));
        }
    }

    fn hear_whisper(&self, worker: &str, whisper: Whisper) {
        match whisper {
            Whisper::Started { index } => {
                if let Some(sent) = self.lock().orders.get_mut(&index) {
                    sent.started = true;
                    self.tell(News::Started { index, worker: worker.to_owned() });
                }
            }
            Whisper::Note(text) => self.note(text),
        }
    }

    /// Workers that have been silent for too long are not counted on.
    fn miss(&self, patience: Duration) {
        let is_gone = |_: &String, seen: &mut Seen| seen.at.elapsed() > patience;
        let gone: Vec<_> = self.lock().workers.extract_if(.., is_gone).collect();
        for (worker, _) in gone {
            self.tell(News::Note(format!("Worker {worker} is gone.")));
        }
    }
}

#[cfg(test)]
mod tests {
    use arena::{
        Adjudication, Budget, Contender, GameRecord, JOB_VERSION, PairRecord, PairSpec, Timeouts,
        Winner,
    };

    use super::*;

    fn job(index: u64) -> PairJob {
        let contender = |name: &str| Contender {
            name: name.to_owned(),
            spec: name.to_owned(),
            budget: Budget::default(),
        };
        let spec = PairSpec {
            rule: "freestyle".parse().unwrap(),
            size: 15,
            contenders: [contender("a"), contender("b")],
            opening: "h8".to_owned(),
            seed: index,
            adjudication: Adjudication::default(),
            timeouts: Timeouts::default(),
        };
        PairJob { version: JOB_VERSION, run: "test".to_owned(), index, players: [0, 1], spec }
    }

    /// A record of five in a row, then one that goes another way there.
    const ONE: &str = "a1i8a2j8a3k8a4l8";
    const OTHER: &str = "a1i8a2j8a3k8a5l8";

    /// What a worker that got the order sends.
    fn answer(desk: &Desk, job: &PairJob, moves: &str) -> Answer {
        let game = || -> GameRecord {
            let times = vec![1; moves.matches(char::is_alphabetic).count()];
            let text =
                format!(r#"{{"moves":"{moves}","result":"B","ending":"five","times":{times:?}}}"#);
            serde_json::from_str(&text).unwrap()
        };
        let result = PairRecord {
            index: job.index,
            players: job.players,
            opening: job.spec.opening.clone(),
            seed: job.spec.seed,
            games: [game(), game()],
            worker: "a name of its own choice".to_owned(),
            attempts: 1,
            wall_ms: 1,
        };
        let state = desk.lock();
        let done = || state.finished.get(&job.index).map(|(sent, _)| sent);
        let sent = state.orders.get(&job.index).or_else(done);
        let (serial, secret) = sent.map_or_else(Default::default, |s| (s.serial, s.secret.clone()));
        let (id, index) = (job.id(), job.index);
        Answer { version: WIRE_VERSION, serial, secret, id, index, result: Ok(result) }
    }

    fn desk() -> (Desk, mpsc::Receiver<News>) {
        let options = Options {
            access: Access::open(""),
            run: "test".to_owned(),
            signature: "this".to_owned(),
            timing: Timing::default(),
            reproducible: true,
        };
        let (desk, _, news) = Desk::new(&options);
        for index in [0, 1] {
            desk.order(job(index));
        }
        (desk, news)
    }

    fn moves(news: Result<News, mpsc::TryRecvError>) -> Option<(String, String)> {
        match news {
            Ok(News::Finished(pair)) => Some((pair.worker, pair.games[0].moves.clone())),
            _ => None,
        }
    }

    #[test]
    fn a_result_is_told_once_unless_it_differs() {
        let (desk, news) = desk();
        desk.hear(answer(&desk, &job(0), ONE), "far");
        desk.hear(answer(&desk, &job(0), ONE), "far");
        assert_eq!(moves(news.try_recv()), Some(("far".to_owned(), ONE.to_owned())));
        assert!(news.try_recv().is_err());
        desk.hear(answer(&desk, &job(0), OTHER), "near");
        assert_eq!(moves(news.try_recv()), Some(("near".to_owned(), OTHER.to_owned())));
    }

    #[test]
    fn the_same_games_can_be_ordered_again() {
        let (desk, news) = desk();
        let early = answer(&desk, &job(0), ONE);
        desk.hear(early.clone(), "far");
        assert!(moves(news.try_recv()).is_some());
        desk.order(job(0));
        desk.hear(early, "far");
        assert!(news.try_recv().is_err(), "that was the first order's");
        desk.hear(answer(&desk, &job(0), ONE), "far");
        assert!(moves(news.try_recv()).is_some());
    }

    #[test]
    fn what_answers_no_order_is_refused() {
        let (desk, news) = desk();
        let right = answer(&desk, &job(0), ONE);
        for (wrong, is_told) in [
            (Answer { secret: "0123456789abcdef".to_owned(), ..right.clone() }, true),
            (Answer { serial: right.serial + 1, ..right.clone() }, false), // the same sentence
            (Answer { id: job(1).id(), ..right.clone() }, false),
            (Answer { index: 1, ..right.clone() }, false), // late news, by its number
            (Answer { index: 7, ..right.clone() }, false),
        ] {
            desk.hear(wrong, "far");
            assert_eq!(matches!(news.try_recv(), Ok(News::Note(_))), is_told);
        }
        assert_eq!(desk.lock().orders.len(), 2);
        desk.hear(right, "far");
        assert!(moves(news.try_recv()).is_some());
    }

    #[test]
    fn a_record_that_cannot_be_is_dropped_and_its_sender_at_last_disputed() {
        let (desk, news) = desk();
        for time in 1..=3 {
            let mut wrong = answer(&desk, &job(0), ONE);
            let Ok(pair) = &mut wrong.result else { unreachable!() };
            pair.games[time % 2].result = Winner::White;
            desk.hear(wrong, "far");
            assert!(desk.lock().orders.contains_key(&0), "the pair is ordered again");
        }
        let told: Vec<_> = news.try_iter().collect();
        assert!(matches!(&told[0], News::Note(text) if text.contains("did not end as W by five")));
        assert_eq!(told.last(), Some(&News::Disputed { index: 0, worker: "far".to_owned() }));
    }

    #[test]
    fn results_that_the_moves_do_not_show_are_played_again() {
        let (mut desk, news) = desk();
        // Here both players always give up, Black first: White wins both games.
        struct Quitter;
        impl player::Player for Quitter {
            fn new_game(&mut self, _seed: u64) {}
            fn choose(&mut self, task: &player::Task, _: &dyn player::Watch) -> player::Choice {
                let point = task.position.legal_points().iter().next().unwrap();
                let choice = player::Choice::of(point, player::Reason::Only);
                player::Choice { reply: player::PlayerReply::Resign, ..choice }
            }
        }
        let factory: Factory = Arc::new(|_| Ok(Box::new(Quitter)));
        let control = RunControl::default();
        desk.recheck = Some(Recheck::start(&factory, &control, desk.news.clone()));
        let resigned = |index: u64, winner: Winner| {
            let mut answer = answer(&desk, &job(index), "");
            let Ok(pair) = &mut answer.result else { unreachable!() };
            for game in &mut pair.games {
                game.ending = gomoku::Ending::Resign;
                game.result = winner;
            }
            answer
        };
        // White is to move after the opening, so Black wins when somebody gives up.
        desk.hear(resigned(0, Winner::Black), "far");
        assert_eq!(
            moves(news.recv().map_err(|_| mpsc::TryRecvError::Disconnected)),
            Some(("far".to_owned(), String::new()))
        );
        let mut lie = answer(&desk, &job(1), "a1");
        let Ok(pair) = &mut lie.result else { unreachable!() };
        for game in &mut pair.games {
            game.ending = gomoku::Ending::Resign;
            game.result = Winner::White;
        }
        desk.hear(lie, "far");
        assert_eq!(news.recv(), Ok(News::Disputed { index: 1, worker: "far".to_owned() }));
    }

    #[test]
    fn strangers_are_named_once_and_not_counted_on() {
        let (desk, news) = desk();
        let hello = |signature: &str| Hello { signature: signature.to_owned(), jobs: 3 };
        desk.greet("far", hello("that"));
        desk.greet("far", hello("that"));
        assert_eq!(
            news.try_recv(),
            Ok(News::Note("Worker far takes no part: it is 'that' and this is 'this'.".to_owned()))
        );
        assert!(news.try_recv().is_err() && desk.lock().workers.is_empty());
        desk.greet("far", hello("this"));
        assert_eq!(desk.lock().workers["far"].jobs, 3);
        desk.greet("far", Hello { jobs: usize::MAX, ..hello("this") });
        assert_eq!(desk.lock().workers["far"].jobs, MOST_JOBS);
        desk.miss(Duration::ZERO);
        assert!(desk.lock().workers.is_empty());
    }
}
