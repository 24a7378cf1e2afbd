//! The side that deals: leaves pairs in the queue and collects their records.

use std::{
    collections::{BTreeMap, BTreeSet, hash_map::RandomState},
    hash::BuildHasher,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    time::{Duration, Instant},
};

use arena::{DispatchError, Dispatcher, News, PairError, PairJob, RunControl};
use async_nats::{Client, Error, Event, jetstream::Context};
use futures_util::StreamExt;
use tokio::{
    runtime::Runtime,
    select,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{interval, sleep, timeout},
};

use crate::{
    FleetError, Timing,
    wire::{self, Answer, Hello, JOBS, Order, RESULTS, RETRY, WIRE_VERSION, Whisper},
};

/// How long one request for results waits.
const PULL: Duration = Duration::from_secs(2);
/// How long the server has for tidying up.
const TIDY: Duration = Duration::from_secs(3);
/// A worker that has missed this many hellos is gone.
const MISSED: u32 = 5;

/// What a coordinator is.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server, `nats://host:4222`.
    pub url: String,
    /// Names the run on this server, the same when it is resumed: what an earlier sitting left in
    /// the queue is removed.
    pub run: String,
    /// What build this is. Only workers with the same signature play.
    pub signature: String,
    /// How often workers are to be heard.
    pub timing: Timing,
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
    pub fn connect(options: &Options, control: &RunControl) -> Result<Fleet, FleetError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| FleetError::Runtime(error.to_string()))?;
        let (desk, orders, news) = Desk::new(options);
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
        let index = job.index;
        let mut state = self.desk.lock();
        state.serial += 1;
        let sent = self.desk.sent(job, state.serial);
        state.orders.insert(index, sent);
        drop(state);
        self.desk.send(Errand::Post(index));
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
    let (client, jetstream) = wire::connect(&options.url, &name, heard).await?;
    let problem =
        |error: Error| FleetError::Streams { url: options.url.clone(), detail: error.to_string() };
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
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Pairs without a result.
    orders: BTreeMap<u64, Sent>,
    /// Results by pair: the order's number and name, and the digest.
    finished: BTreeMap<u64, (u64, String, String)>,
    workers: BTreeMap<String, Seen>,
    /// Orders given so far.
    serial: u64,
    /// What has been said once is not said again.
    notes: BTreeSet<String>,
    was_away: bool,
}

#[derive(Clone, Debug)]
struct Sent {
    serial: u64,
    id: String,
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
            state: Mutex::default(),
        };
        (desk, orders, heard)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sent(&self, job: PairJob, serial: u64) -> Sent {
        let (id, index) = (job.id(), job.index);
        let order = Order {
            version: WIRE_VERSION,
            session: self.session.clone(),
            signature: self.signature.clone(),
            serial,
            id: id.clone(),
            job,
        };
        let subject = format!("{}.{index}", self.subject);
        Sent { serial, id, subject, payload: wire::to_bytes(&order), started: false }
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
        if self.lock().notes.insert(text.clone()) {
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
            let indices: Vec<u64> = match errand {
                Errand::Post(index) => vec![index],
                Errand::PostAgain => self.lock().orders.keys().copied().collect(),
            };
            for index in indices {
                let sent = self.lock().orders.get(&index).cloned();
                let Some(Sent { serial, subject, payload, .. }) = sent else { continue };
                let id = format!("{}.{serial}", self.session);
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
        loop {
            let mut batch = reader.batch().max_messages(64).expires(PULL).messages().await?;
            while let Some(message) = timeout(2 * PULL, batch.next()).await? {
                let message = message?;
                match serde_json::from_slice::<Answer>(&message.payload) {
                    Ok(answer) if answer.version == WIRE_VERSION => self.hear(answer),
                    _ => self.note("A result that makes no sense was dropped.".to_owned()),
                }
                message.ack().await?;
            }
        }
    }

    /// Hears a result, perhaps not for the first time. One that differs from the first is passed
    /// on: the run knows whether that is an error.
    fn hear(&self, answer: Answer) {
        let (index, digest) = (answer.index, answer.digest());
        let mut state = self.lock();
        let (serial, id) = match (state.orders.get(&index), state.finished.get(&index)) {
            (Some(sent), _) => (sent.serial, &sent.id),
            (None, Some((_, _, known))) if *known == digest => return,
            (None, Some((serial, id, _))) => (*serial, id),
            // It was withdrawn.
            (None, None) => return,
        };
        if answer.serial < serial {
            return; // late news of pairs that had this number before
        }
        let says_what_it_is = answer.result.as_ref().map_or(true, |pair| pair.index == index);
        if *id != answer.id || !says_what_it_is {
            drop(state);
            return self.note(format!("A result for pair {index} belongs to another pair."));
        }
        state.orders.remove(&index);
        state.finished.insert(index, (answer.serial, answer.id, digest));
        drop(state);
        self.tell(match answer.result {
            Ok(pair) => News::Finished(Box::new(pair)),
            Err(error) => News::Failed { index, error },
        });
    }

    /// Hears who is there and what they have begun, for ever.
    async fn listen(self: Arc<Self>, client: Client, timing: Timing) {
        let subscribed = async {
            let hellos = client.subscribe(wire::HELLO).await?;
            let whispers = client.subscribe(wire::whisper_subject(&self.session)).await?;
            Ok::<_, Error>((hellos, whispers))
        };
        let Ok((mut hellos, mut whispers)) = subscribed.await else { return };
        let mut ticks = interval(timing.hello);
        loop {
            select! {
                Some(message) = hellos.next() => {
                    if let Ok(hello) = serde_json::from_slice(&message.payload) {
                        self.greet(hello);
                    }
                }
                Some(message) = whispers.next() => {
                    if let Ok(whisper) = serde_json::from_slice(&message.payload) {
                        self.hear_whisper(whisper);
                    }
                }
                _ = ticks.tick() => self.miss(MISSED * timing.hello),
            }
        }
    }

    fn greet(&self, hello: Hello) {
        let Hello { worker, signature, jobs } = hello;
        if signature != self.signature {
            return self.note(format!(
                "Worker {worker} takes no part: it is '{signature}' and this is '{}'.",
                self.signature
            ));
        }
        let seen = Seen { jobs, at: Instant::now() };
        if self.lock().workers.insert(worker.clone(), seen).is_none() {
            let pairs = if jobs == 1 { "pair" } else { "pairs" };
            self.tell(News::Note(format!("Worker {worker} is there for {jobs} {pairs} at once.")));
        }
    }

    fn hear_whisper(&self, whisper: Whisper) {
        match whisper {
            Whisper::Started { index, worker } => {
                if let Some(sent) = self.lock().orders.get_mut(&index) {
                    sent.started = true;
                    self.tell(News::Started { index, worker });
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

    fn answer(job: &PairJob, moves: &str) -> Answer {
        let game = || -> GameRecord {
            let text = format!(r#"{{"moves":"{moves}","result":"B","ending":"five","times":[1]}}"#);
            serde_json::from_str(&text).unwrap()
        };
        let games = [game(), game()];
        assert_eq!(games[0].result, Winner::Black);
        let result = PairRecord {
            index: job.index,
            players: job.players,
            opening: job.spec.opening.clone(),
            seed: job.spec.seed,
            games,
            worker: String::new(),
            attempts: 1,
            wall_ms: 1,
        };
        let serial = job.index;
        Answer { version: WIRE_VERSION, serial, id: job.id(), index: job.index, result: Ok(result) }
    }

    fn desk() -> (Desk, mpsc::Receiver<News>) {
        let options = Options {
            url: String::new(),
            run: "test".to_owned(),
            signature: "this".to_owned(),
            timing: Timing::default(),
        };
        let (desk, _, news) = Desk::new(&options);
        for index in [0, 1] {
            desk.lock().orders.insert(index, desk.sent(job(index), index));
        }
        (desk, news)
    }

    #[test]
    fn a_result_is_told_once_unless_it_differs() {
        let (desk, news) = desk();
        desk.hear(answer(&job(0), "i9"));
        desk.hear(answer(&job(0), "i9"));
        assert!(matches!(news.try_recv(), Ok(News::Finished(pair)) if pair.games[0].moves == "i9"));
        assert!(news.try_recv().is_err());
        desk.hear(answer(&job(0), "i10"));
        assert!(
            matches!(news.try_recv(), Ok(News::Finished(pair)) if pair.games[0].moves == "i10")
        );
    }

    #[test]
    fn the_same_games_can_be_ordered_again() {
        let (desk, news) = desk();
        desk.hear(answer(&job(0), "i9"));
        assert!(matches!(news.try_recv(), Ok(News::Finished(_))));
        let again = desk.sent(job(0), 9);
        desk.lock().orders.insert(0, again);
        desk.hear(answer(&job(0), "i9"));
        assert!(news.try_recv().is_err(), "that was the first order's");
        desk.hear(Answer { serial: 9, ..answer(&job(0), "i9") });
        assert!(matches!(news.try_recv(), Ok(News::Finished(_))));
    }

    #[test]
    fn results_of_other_pairs_are_refused() {
        let (desk, news) = desk();
        desk.hear(Answer { serial: 1, index: 1, ..answer(&job(0), "i9") });
        assert!(matches!(news.try_recv(), Ok(News::Note(_))));
        desk.hear(Answer { serial: 1, id: job(1).id(), index: 1, ..answer(&job(0), "i9") });
        assert!(desk.lock().orders.contains_key(&1));
        desk.hear(answer(&job(7), "i9"));
        assert!(news.try_recv().is_err());
    }

    #[test]
    fn strangers_are_named_once_and_not_counted_on() {
        let (desk, news) = desk();
        let hello = |signature: &str| Hello {
            worker: "far".to_owned(),
            signature: signature.to_owned(),
            jobs: 3,
        };
        desk.greet(hello("that"));
        desk.greet(hello("that"));
        assert_eq!(
            news.try_recv(),
            Ok(News::Note("Worker far takes no part: it is 'that' and this is 'this'.".to_owned()))
        );
        assert!(news.try_recv().is_err() && desk.lock().workers.is_empty());
        desk.greet(hello("this"));
        assert_eq!(desk.lock().workers["far"].jobs, 3);
        desk.miss(Duration::ZERO);
        assert!(desk.lock().workers.is_empty());
    }
}
