//! All players by name: what the command line and Python have in common.
//!
//! Files and a database that lasts are not the same everywhere, so each program hands over its own
//! as an [`Outside`].
//!
//! ```
//! let players = roster::players(roster::Outside::default());
//! assert!(players.build("engine(level=5)").is_ok());
//! assert!(players.build("book(player=greedy)").is_ok());
//! let error = players.build("engine(net=my.net)").err().unwrap();
//! assert_eq!(error.to_string(), "Cannot read the network my.net: there are no files here");
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod booked;
mod nets;

use std::sync::Arc;

use ::book::PositionBook;
use player::{PositionStore, Registry};

pub use booked::{NONE, SHIPPED};

/// What players get from the program that they are part of.
#[derive(Clone)]
pub struct Outside {
    /// Reads a file, or says why it cannot.
    pub read_file: fn(&str) -> Result<Vec<u8>, String>,
    /// Makes the database of positions of a player with `database=on`.
    pub positions: Arc<dyn Fn() -> Box<dyn PositionStore> + Send + Sync>,
    /// The names of the position books besides the built-in one.
    pub books: Vec<&'static str>,
    /// Reads one of them, or says why it cannot.
    pub load_book: fn(&str) -> Result<PositionBook, String>,
}

impl std::fmt::Debug for Outside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outside").field("books", &self.books).finish_non_exhaustive()
    }
}

impl Default for Outside {
    /// No files; databases that live as long as their players.
    fn default() -> Outside {
        Outside {
            read_file: |_| Err("there are no files here".to_owned()),
            positions: lab::LabResources::default().positions,
            books: Vec::new(),
            load_book: |_| Err("there are no books here".to_owned()),
        }
    }
}

/// Every player of this program.
pub fn players(outside: Outside) -> Registry {
    let mut registry = thinkers(&outside);
    booked::register(&mut registry, &outside, Arc::new(thinkers(&outside)));
    registry
}

/// The players that find their moves themselves.
fn thinkers(outside: &Outside) -> Registry {
    let mut registry = Registry::default();
    engine::register_with(&mut registry, nets::loader(outside.read_file));
    let liao = ::book::liao().into_iter().map(|opening| (opening.name(), opening.moves)).collect();
    let resources = lab::LabResources {
        book: lab::LineBook::new(15, liao),
        positions: outside.positions.clone(),
        network: Some(engine::evaluate),
    };
    lab::register_with(&mut registry, &resources);
    registry
}
