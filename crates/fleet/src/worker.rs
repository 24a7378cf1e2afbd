//! The side that plays: takes pairs from the queue, one for each free core, and sends back records.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use arena::{COMMAND_PREFIX, Factory, PairError, PairJob, PairRecord, RunControl, Seats};
use async_nats::{
    Client, Error, Event,
    jetstream::{AckKind, Context, Message},
};
use futures_util::StreamExt;
use tokio::{
    pin, select, task,
    time::{interval, sleep, timeout},
};

use crate::{
    Access, FleetError, Login, Timing,
    wire::{self, Answer, Hello, JOBS, Order, RETRY, WIRE_VERSION, Whisper},
};

/// How long one request for a pair waits: the time after which a worker notices that it is to stop.
const PULL: Duration = Duration::from_secs(1);
/// How long a pair that this worker may not play is left to others.
const REFUSED: Duration = Duration::from_secs(2);
/// A pair that came back this often seems to kill its workers.
const MOST_DELIVERIES: i64 = 20;

/// What a worker is and may do.
#[derive(Clone, Debug)]
pub struct Post {
    /// The server.
    pub access: Access,
    /// What reports call the worker; different for each. One that logs in has the name it does so with.
    pub name: String,
    /// How many pairs it plays at once.
    pub jobs: usize,
    /// What build it is. Only pairs of coordinators with the same signature are played.
    pub signature: String,
    /// The commands of external engines that it may start, word for word and without `cmd:`.
    pub allowed: Vec<String>,
    /// How often it speaks.
    pub timing: Timing,
}

/// What a worker tells those who watch it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A pair has been begun.
    Started {
        /// The run.
        run: String,
        /// Its place in the schedule.
        index: u64,
    },
    /// Its result has been stored.
    Finished {
        /// The run.
        run: String,
        /// Its place in the schedule.
        index: u64,
    },
    /// Something else.
    Note(String),
}

/// Hears what a worker does.
pub type Listener = Arc<dyn Fn(&Told) + Send + Sync>;

/// Plays pairs until `control` asks for the end: once, and pairs in hand are played to their end;
/// twice, and they are handed back at once. Returns how many were played.
///
/// # Errors
/// When the server cannot be reached at first or keeps no streams. A server that goes away later
/// is waited for.
pub fn work(
    post: &Post,
    factory: &Factory,
    control: &RunControl,
    listener: &Listener,
) -> Result<u64, FleetError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| FleetError::Runtime(error.to_string()))?;
    runtime.block_on(async {
        let told = Arc::clone(listener);
        let heard = move |event| {
            let told = Arc::clone(&told);
            async move {
                if let Event::Disconnected = event {
                    told(&Told::Note("The server is gone; waiting for it.".to_owned()));
                }
            }
        };
        let (client, jetstream) = wire::connect(&post.access, &post.name, heard).await?;
        let worker = Arc::new(Worker {
            client,
            jetstream,
            post: Post { name: subject_name(post), ..post.clone() },
            factory: Arc::clone(factory),
            control: control.clone(),
            listener: Arc::clone(listener),
            played: AtomicU64::new(0),
        });
        let hello = tokio::spawn(Arc::clone(&worker).say_hello());
        let slots: Vec<_> =
            (0..post.jobs.max(1)).map(|_| tokio::spawn(Arc::clone(&worker).serve())).collect();
        for slot in slots {
            // A slot does not panic; if it does, its pair comes back to the queue by itself.
            let _ = slot.await;
        }
        hello.abort();
        // What was handed back should arrive; if the server is gone it comes back by itself.
        let _ = timeout(PULL, worker.client.flush()).await;
        Ok(worker.played.load(Ordering::Relaxed))
    })
}

/// What a worker is called in subjects.
fn subject_name(post: &Post) -> String {
    match &post.access.login {
        Some(Login::User { name, .. }) => wire::subject_name(name),
        _ => wire::subject_name(&post.name),
    }
}

struct Worker {
    client: Client,
    jetstream: Context,
    post: Post,
    factory: Factory,
    control: RunControl,
    listener: Listener,
    played: AtomicU64,
}

impl Worker {
    async fn say_hello(self: Arc<Self>) {
        let Post { name, signature, jobs, .. } = self.post.clone();
        let hello = wire::to_bytes(&Hello { signature, jobs: jobs.max(1) });
        let subject = wire::hello_subject(&name);
        let mut ticks = interval(self.post.timing.hello);
        loop {
            ticks.tick().await;
            // It is said again soon.
            let _ = self.client.publish(subject.clone(), hello.clone().into()).await;
        }
    }

    /// One free core: a pair after the other.
    async fn serve(self: Arc<Self>) {
        while !self.control.is_finishing() {
            if self.serve_while_connected().await.is_err() {
                sleep(RETRY).await;
            }
        }
    }

    async fn serve_while_connected(&self) -> Result<(), Error> {
        let (name, config) = wire::queue(&self.post.signature, &self.post.timing);
        let stream = self.jetstream.get_stream_no_info(JOBS).await?;
        let queue = stream.get_or_create_consumer(&name, config).await?;
        while !self.control.is_finishing() {
            let mut batch = queue.batch().max_messages(1).expires(PULL).messages().await?;
            while let Some(message) = timeout(3 * PULL, batch.next()).await? {
                self.handle(&message?).await;
            }
        }
        Ok(())
    }

    async fn handle(&self, message: &Message) {
        let order = match serde_json::from_slice::<Order>(&message.payload) {
            Ok(order) if order.version == WIRE_VERSION && order.id == order.job.id() => order,
            _ => {
                self.tell(Told::Note("An order that makes no sense was dropped.".to_owned()));
                return self.reply(message, AckKind::Term).await;
            }
        };
        if self.control.is_finishing() {
            return self.reply(message, AckKind::Nak(None)).await;
        }
        if let Some(reason) = self.objection(&order) {
            self.tell(Told::Note(reason.clone()));
            self.whisper(&order.session, &Whisper::Note(reason)).await;
            return self.reply(message, AckKind::Nak(Some(REFUSED))).await;
        }
        let (run, index) = (order.job.run.clone(), order.job.index);
        self.tell(Told::Started { run: run.clone(), index });
        self.whisper(&order.session, &Whisper::Started { index }).await;
        let result = match given_up(message, &order.job) {
            Some(error) => Err(error),
            None => self.keeping(message, self.play(order.job)).await,
        };
        if result == Err(PairError::Stopped) {
            return self.reply(message, AckKind::Nak(None)).await;
        }
        let Order { serial, secret, id, .. } = order;
        let answer = Answer { version: WIRE_VERSION, serial, secret, id, index, result };
        if self.keeping(message, self.deliver(&order.session, &answer)).await {
            // If this gets lost the pair is played again, and its result found to be known.
            let _ = timeout(3 * PULL, message.double_ack()).await;
            self.played.fetch_add(1, Ordering::Relaxed);
            self.tell(Told::Finished { run, index });
        }
    }

    /// Why this worker does not play the order, if so.
    fn objection(&self, order: &Order) -> Option<String> {
        let Post { name, signature, allowed, .. } = &self.post;
        if order.signature != *signature {
            let theirs = &order.signature;
            return Some(format!("Worker {name} is '{signature}' and not '{theirs}'."));
        }
        let mut commands = commands(&order.job);
        let refused = commands.find(|command| !allowed.iter().any(|known| known == command))?;
        Some(format!("Worker {name} may not start '{refused}': it was not allowed where it runs."))
    }

    async fn play(&self, job: PairJob) -> Result<PairRecord, PairError> {
        let (seats, control) = (Seats::from(&self.factory), self.control.clone());
        let name = self.post.name.clone();
        task::spawn_blocking(move || job.play(&seats, &control, &name, &mut |_| {}))
            .await
            .unwrap_or_else(|error| Err(PairError::Job(format!("its worker failed: {error}."))))
    }

    async fn deliver(&self, session: &str, answer: &Answer) -> bool {
        let subject = wire::result_subject(session, answer.index, &self.post.name);
        // A different result of the same pair must get through: it is an error to be seen.
        let id = format!("{session}.{}.{}", answer.serial, answer.digest());
        let given_up = || self.control.is_stopped();
        wire::store(&self.jetstream, &subject, &id, wire::to_bytes(answer), given_up).await
    }

    /// Waits for something, and tells the server meanwhile that the pair is in good hands.
    async fn keeping<T>(&self, message: &Message, future: impl Future<Output = T>) -> T {
        pin!(future);
        let mut ticks = interval(self.post.timing.progress);
        ticks.tick().await; // the first is immediate
        loop {
            select! {
                done = &mut future => return done,
                _ = ticks.tick() => self.reply(message, AckKind::Progress).await,
            }
        }
    }

    /// If the server does not hear it, it acts on our silence.
    async fn reply(&self, message: &Message, kind: AckKind) {
        let _ = timeout(PULL, message.ack_with(kind)).await;
    }

    async fn whisper(&self, session: &str, whisper: &Whisper) {
        let subject = wire::whisper_subject(session, &self.post.name);
        // Nothing depends on it.
        let _ = timeout(PULL, self.client.publish(subject, wire::to_bytes(whisper).into())).await;
    }

    fn tell(&self, told: Told) {
        (self.listener)(&told);
    }
}

/// The external engines a job names.
fn commands(job: &PairJob) -> impl Iterator<Item = &str> {
    let specs = job.spec.contenders.iter();
    specs.filter_map(|contender| contender.spec.strip_prefix(COMMAND_PREFIX)).map(str::trim)
}

/// A pair of our own players that comes back again and again brings its workers down. (Pairs with
/// external engines also come back because workers refuse them.)
fn given_up(message: &Message, job: &PairJob) -> Option<PairError> {
    let delivered = message.info().map_or(1, |info| info.delivered);
    let is_deadly = delivered > MOST_DELIVERIES && commands(job).next().is_none();
    is_deadly.then(|| PairError::Job(format!("{MOST_DELIVERIES} workers began and none ended it.")))
}
