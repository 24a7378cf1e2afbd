//! What the page asks, answered: positions, searches, games, openings, proofs, puzzles, long jobs.
//!
//! The [`Desk`] knows neither sockets nor threads nor files nor a clock: it is handed a [`Store`] to
//! keep things in and a [`Host`] that runs work, so it can stand behind a server or in a browser. What
//! is asked once is a [`Route`]; a page that is there to stay has a [`Session`], which takes the
//! messages of `wire.rs` and leaves its own in an [`Outbox`].

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod books;
mod convert;
mod document;
mod documents;
mod explanation;
mod explore;
mod host;
mod jobs;
mod look;
mod memory;
mod opening_protocol;
mod outbox;
mod players;
mod proofs;
pub mod puzzles;
mod review;
mod route;
mod routes;
mod schema;
mod session;
mod solved;
mod solving;
mod think;
mod wire;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use player::Registry;

use crate::{
    documents::Documents, explore::Explorer, outbox::Clients, players::PlayerPool, proofs::Proofs,
    solving::Solving,
};
pub use crate::{
    documents::MAX_DOC,
    explanation::{WireExplanation, fair_advantage},
    explore::{Archive, CountGame, finished_game},
    host::{Hear, Host, Store, StoredFile},
    jobs::{End, Ended, Job, Jobs, Work},
    memory::Memory,
    outbox::{Outbox, SLOT_INTERVAL},
    route::{Answer, AnswerResult, Body, Call, Refusal, Route, Verb, Why},
    session::Session,
    solving::do_errand,
    wire::WireLimits,
};

/// Everything that answers.
#[derive(Debug)]
pub struct Desk {
    registry: Arc<Registry>,
    host: Arc<dyn Host>,
    players: PlayerPool,
    documents: Documents,
    explorer: Explorer,
    proofs: Arc<Proofs>,
    clients: Arc<Clients>,
    solving: Arc<Jobs<Solving>>,
}

impl Desk {
    /// Opens the store, and asks again what was being solved.
    pub fn new(
        registry: Arc<Registry>,
        host: Arc<dyn Host>,
        store: Arc<dyn Store>,
        archive: Box<dyn Archive>,
    ) -> Arc<Desk> {
        let clients = Arc::new(Clients::default());
        let proofs = Arc::new(Proofs::new(&store, &host));
        let solving = Solving::new(&store, &host, &proofs);
        Arc::new(Desk {
            players: PlayerPool::new(Arc::clone(&registry)),
            documents: Documents::open(&store, host.date()),
            explorer: Explorer::new(&store, archive),
            solving: Jobs::open(solving, &host, &clients),
            registry,
            host,
            proofs,
            clients,
        })
    }

    /// Jobs of another kind, of which every page is told; those that were going are resumed.
    pub fn open_jobs<W: Work>(&self, work: W) -> Arc<Jobs<W>> {
        Jobs::open(work, &self.host, &self.clients)
    }

    /// Stops every search and job of its own; what was being solved is asked again the next time.
    pub fn close(&self) {
        self.players.stop_all();
        self.solving.close();
    }

    /// Whether nothing is being solved.
    pub fn is_idle(&self) -> bool {
        self.solving.is_idle()
    }
}

/// Locks what stays whole whatever a panicking holder was doing.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
