//! What goes over the wire: subjects, streams and messages.

use std::{fmt, path::PathBuf, time::Duration};

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
pub(crate) const WIRE_VERSION: u32 = 3;
pub(crate) const JOBS: &str = "JOBS";
pub(crate) const RESULTS: &str = "RESULTS";
/// Where workers say that they are there; the last part is the worker's name.
pub(crate) const HELLOS: &str = "fleet.hello.*";
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
    /// Known to whoever got the order: an answer without it is from somebody else.
    pub(crate) secret: String,
    /// SHA-256 of what decides the games.
    pub(crate) id: String,
    pub(crate) job: PairJob,
}

/// What became of an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) version: u32,
    pub(crate) serial: u64,
    pub(crate) secret: String,
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
    pub(crate) signature: String,
    pub(crate) jobs: usize,
}

/// News that may get lost without harm.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Whisper {
    Started { index: u64 },
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

/// Where a worker's results of a session go. Subjects end with the worker's name, so that a server can
/// see to it that nobody speaks for another.
pub(crate) fn result_subject(session: &str, index: u64, worker: &str) -> String {
    format!("results.{session}.{index}.{worker}")
}

/// Where a worker's small news of a session goes.
pub(crate) fn whisper_subject(session: &str, worker: &str) -> String {
    format!("fleet.{session}.{worker}")
}

/// Where a worker says that it is there.
pub(crate) fn hello_subject(worker: &str) -> String {
    format!("fleet.hello.{worker}")
}

/// Who sent a message on one of these subjects.
pub(crate) fn sender(subject: &str) -> &str {
    subject.rsplit('.').next().unwrap_or(subject)
}

/// A name as a part of a subject.
pub(crate) fn subject_name(name: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    name.chars().take(60).map(fit).collect()
}

/// A server, and how it lets us in.
#[derive(Clone, Default)]
pub struct Access {
    /// The server, `nats://host:4222`, or `tls://host:4222` if nothing else will do.
    pub url: String,
    /// Who we are, if the server asks.
    pub login: Option<Login>,
    /// A file with the certificate of whoever vouches for the server.
    pub authority: Option<PathBuf>,
    /// Files with a certificate of our own and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl Access {
    /// A server that lets everybody in.
    pub fn open(url: &str) -> Access {
        Access { url: url.to_owned(), ..Access::default() }
    }

    fn options(&self) -> ConnectOptions {
        let mut options = match &self.login {
            None => ConnectOptions::new(),
            Some(Login::Token(token)) => ConnectOptions::with_token(token.clone()),
            Some(Login::User { name, password }) => ConnectOptions::new()
                .user_and_password(name.clone(), password.clone())
                // Each user has a place of its own for answers, which nobody else may read.
                .custom_inbox_prefix(format!("_INBOX.{}", subject_name(name))),
        };
        if let Some(file) = &self.authority {
            options = options.add_root_certificates(file.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        options
    }
}

/// Secrets are not for logs.
impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("url", &self.url).finish_non_exhaustive()
    }
}

/// How to prove who we are.
#[derive(Clone, PartialEq, Eq)]
pub enum Login {
    /// A word that all share.
    Token(String),
    /// A name and its password.
    User {
        /// The name.
        name: String,
        /// The password.
        password: String,
    },
}

impl Login {
    /// Reads `name password` or a token alone.
    pub fn parse(text: &str) -> Option<Login> {
        let mut words = text.split_whitespace();
        match (words.next()?, words.next(), words.next()) {
            (token, None, _) => Some(Login::Token(token.to_owned())),
            (name, Some(password), None) => {
                Some(Login::User { name: name.to_owned(), password: password.to_owned() })
            }
            _ => None,
        }
    }
}

/// Secrets are not for logs.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Login")
    }
}

pub(crate) fn to_bytes(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages have no maps with odd keys")
}

/// Connects, for as long as it takes after the first time, and makes sure of the streams.
pub(crate) async fn connect<F, Fut>(
    access: &Access,
    name: &str,
    heard: F,
) -> Result<(Client, Context), FleetError>
where
    F: Fn(Event) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ()> + Send + Sync + 'static,
{
    let url = &access.url;
    let client = access
        .options()
        .name(name)
        .max_reconnects(None)
        .reconnect_delay_callback(|attempts| (RETRY * attempts as u32).min(Duration::from_secs(2)))
        .event_callback(heard)
        .connect(url)
        .await
        .map_err(|error| FleetError::Connect { url: url.clone(), detail: error.to_string() })?;
    let mut jetstream = jetstream::new(client.clone());
    jetstream.set_timeout(ANSWER);
    for config in streams() {
        ensure_stream(&jetstream, config)
            .await
            .map_err(|detail| FleetError::Streams { url: url.clone(), detail })?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_read_and_not_shown() {
        let user = Login::User { name: "far".to_owned(), password: "s3cret".to_owned() };
        assert_eq!(Login::parse(" far s3cret\n"), Some(user.clone()));
        assert_eq!(Login::parse("s3cret"), Some(Login::Token("s3cret".to_owned())));
        assert_eq!((Login::parse(""), Login::parse("a b c")), (None, None));
        let access = Access { login: Some(user), ..Access::open("nats://here") };
        assert!(!format!("{access:?}{:?}", access.login).contains("s3cret"));
    }

    #[test]
    fn names_are_single_parts_of_subjects() {
        assert_eq!(subject_name("host.example/17 >*"), "host-example-17---");
        assert_eq!(sender(&result_subject("s", 3, "far")), "far");
    }
}
