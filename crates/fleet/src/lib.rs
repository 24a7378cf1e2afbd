//! Matches on many machines: the arena's dispatcher over NATS JetStream.
//!
//! [`Fleet`] is an [`arena::Dispatcher`] that leaves each pair as a message in a work queue; any
//! number of machines run [`work`], take one pair for each free core and send back its record. What
//! is played depends on the job alone, so a run on a fleet has the digest of the same run on one
//! machine, whoever dies meanwhile.
//!
//! Two streams are kept by the server. `JOBS` is a work queue: a pair leaves it when its result
//! has been stored, and comes back when its worker says nothing for a while. `RESULTS` holds the
//! records until the coordinator has read them. A pair may therefore be played twice but never be
//! lost, and the coordinator counts it once.
//!
//! Only workers with the coordinator's signature get its pairs: a different build could play
//! different games. A worker starts no program of others unless its own command line allows it.
//!
//! Nothing that comes back is believed: a result must answer an order that was given, and its games are
//! replayed under the rules. Some pairs that depend on nothing but their job (those that ended in a way
//! that the moves do not show, each worker's first, and a sample) are played again by the coordinator
//! and must come out the same. Who is trusted with what is in `docs/fleet.md`.
//!
//! The server is `nats-server` with `jetstream { store_dir: … }` in its configuration.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod coordinator;
mod recheck;
mod wire;
mod worker;

use std::time::Duration;

use thiserror::Error;

pub use coordinator::{Fleet, Options};
pub use wire::{Access, Login};
pub use worker::{Listener, Post, Told, work};

/// How often the two sides hear of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// After this long without a word from its worker, a pair is given to another.
    pub silence: Duration,
    /// How often a worker says that it is still playing a pair.
    pub progress: Duration,
    /// How often a worker says that it is there.
    pub hello: Duration,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing {
            silence: Duration::from_secs(8),
            progress: Duration::from_secs(2),
            hello: Duration::from_secs(2),
        }
    }
}

/// Why there is no fleet.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FleetError {
    /// Nobody there, or somebody who does not let us in.
    #[error(
        "No NATS server lets us in at {url}: {detail}. If it asks for a name and a password, name the \
         file that has them with --nats-login."
    )]
    Connect {
        /// Where.
        url: String,
        /// What happened.
        detail: String,
    },
    /// A server without streams.
    #[error(
        "The NATS server at {url} keeps no streams: {detail}. Its configuration needs a line \
         such as 'jetstream {{ store_dir: /var/lib/nats }}'."
    )]
    Streams {
        /// Where.
        url: String,
        /// What happened.
        detail: String,
    },
    /// The machine has no threads left.
    #[error("The network threads cannot be started: {0}.")]
    Runtime(String),
}
