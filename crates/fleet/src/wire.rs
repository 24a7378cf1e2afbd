//! What goes over the wire: subjects, streams and messages.

use std::time::Duration;

use arena::{PairError, PairJob, PairRecord};
use async_nats::{
    Client, ConnectOptions, Event,
    jetstream::{
        self, Context,
        consumer::{AckPolicy, pull},
        message::PublishMessage,
        stream::{Config, RetentionPolicy, StorageType},
    },
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::time::{Instant, sleep, timeout};

use crate::{FleetError, Timing};

/// The version of the messages.
pub(crate) const WIRE_VERSION: u32 = 2;
pub(crate) const JOBS: &str = "JOBS";
pub(crate) const RESULTS: &str = "RESULTS";
/// Where workers say that they are there.
pub(crate) const HELLO: &str = "fleet.hello";
/// Pause before something that failed is tried again.
pub(crate) const RETRY: Duration = Duration::from_millis(200);

/// The server suppresses messages it has seen in this time.
const DUPLICATES: Duration = Duration::from_secs(3600);
/// Results that nobody fetched, and pairs that nobody played, are forgotten after this time.
const KEEP: Duration = Duration::from_secs(7 * 24 * 3600);
/// Consumers that nobody uses are forgotten after this time.
const IDLE: Duration = Duration::from_secs(24 * 3600);
/// How long the server has to confirm something.
const ANSWER: Duration = Duration::from_secs(3);

/// A pair to be played, and for whom.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) version: u32,
    /// Names the coordinator's sitting; a resumed run has another.
    pub(crate) session: String,
    /// What a worker must be to play it.
    pub(crate) signature: String,
    /// Counts the orders of a sitting: two may ask for the same games.
    pub(crate) serial: u64,
    /// SHA-256 of what decides the games.
    pub(crate) id: String,
    pub(crate) job: PairJob,
}

/// What became of an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) version: u32,
    pub(crate) serial: u64,
    pub(crate) id: String,
    pub(crate) index: u64,
    pub(crate) result: Result<PairRecord, PairError>,
}

impl Answer {
    /// Names what was played, so that the same result is stored once and a different one is seen.
    pub(crate) fn digest(&self) -> String {
        match &self.result {
            Ok(pair) => pair.digest(),
            Err(error) => token(&error.to_string()),
        }
    }
}

/// A worker that is there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub(crate) worker: String,
    pub(crate) signature: String,
    pub(crate) jobs: usize,
}

/// News that may get lost without harm.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Whisper {
    Started { index: u64, worker: String },
    Note(String),
}

/// Sixteen hexadecimal digits that stand for a text, fit for subjects and names.
pub(crate) fn token(text: &str) -> String {
    Sha256::digest(text)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The pairs that workers with this signature may take.
pub(crate) fn jobs_for(signature: &str) -> String {
    format!("jobs.{}.>", token(signature))
}

/// Where the results of a session go.
pub(crate) fn result_subject(session: &str, index: u64) -> String {
    format!("results.{session}.{index}")
}

/// Where small news of a session goes.
pub(crate) fn whisper_subject(session: &str) -> String {
    format!("fleet.{session}")
}

pub(crate) fn to_bytes(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages have no maps with odd keys")
}

/// Connects, for as long as it takes after the first time, and makes sure of the streams.
pub(crate) async fn connect<F, Fut>(
    url: &str,
    name: &str,
    heard: F,
) -> Result<(Client, Context), FleetError>
where
    F: Fn(Event) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ()> + Send + Sync + 'static,
{
    let client = ConnectOptions::new()
        .name(name)
        .max_reconnects(None)
        .reconnect_delay_callback(|attempts| (RETRY * attempts as u32).min(Duration::from_secs(2)))
        .event_callback(heard)
        .connect(url)
        .await
        .map_err(|error| FleetError::Connect { url: url.to_owned(), detail: error.to_string() })?;
    let mut jetstream = jetstream::new(client.clone());
    jetstream.set_timeout(ANSWER);
    for config in streams() {
        ensure_stream(&jetstream, config)
            .await
            .map_err(|detail| FleetError::Streams { url: url.to_owned(), detail })?;
    }
    Ok((client, jetstream))
}

/// Makes sure of a stream. A server that has just started, or that is asked by several at once, may
/// refuse at first.
async fn ensure_stream(jetstream: &Context, config: Config) -> Result<(), String> {
    let deadline = Instant::now() + ANSWER;
    loop {
        match jetstream.get_or_create_stream(config.clone()).await {
            Ok(_) => return Ok(()),
            Err(error) if Instant::now() >= deadline => return Err(error.to_string()),
            Err(_) => sleep(RETRY).await,
        }
    }
}

fn streams() -> [Config; 2] {
    let stream = |name: &str, subjects: &str, retention| Config {
        name: name.to_owned(),
        subjects: vec![subjects.to_owned()],
        retention,
        storage: StorageType::File,
        duplicate_window: DUPLICATES,
        max_age: KEEP,
        num_replicas: 1,
        ..Config::default()
    };
    [
        stream(JOBS, "jobs.>", RetentionPolicy::WorkQueue),
        stream(RESULTS, "results.>", RetentionPolicy::Limits),
    ]
}

/// The queue of pairs for workers with this signature: its name and what it is.
pub(crate) fn queue(signature: &str, timing: &Timing) -> (String, pull::Config) {
    let name = format!("workers-{}", token(signature));
    let config = pull::Config { ack_wait: timing.silence, ..consumer(&name, jobs_for(signature)) };
    (name, config)
}

/// The results of a session: the name of their reader and what it is.
pub(crate) fn reader(session: &str) -> (String, pull::Config) {
    let name = format!("coordinator-{session}");
    let config = consumer(&name, format!("results.{session}.>"));
    (name, config)
}

fn consumer(name: &str, subjects: String) -> pull::Config {
    pull::Config {
        durable_name: Some(name.to_owned()),
        filter_subject: subjects,
        ack_policy: AckPolicy::Explicit,
        inactive_threshold: IDLE,
        ..pull::Config::default()
    }
}

/// Stores a message, trying until the server confirms it or `given_up` says so.
pub(crate) async fn store(
    jetstream: &Context,
    subject: &str,
    id: &str,
    payload: Vec<u8>,
    given_up: impl Fn() -> bool,
) -> bool {
    while !given_up() {
        let message = PublishMessage::build().payload(payload.clone().into()).message_id(id);
        let stored = timeout(ANSWER, async {
            jetstream.send_publish(subject.to_owned(), message).await?.await
        });
        if matches!(stored.await, Ok(Ok(_))) {
            return true;
        }
        sleep(RETRY).await;
    }
    false
}
