//! Why the studio cannot start.

use std::{io, net::SocketAddr, path::PathBuf};

use thiserror::Error;

/// Why the studio cannot start.
#[derive(Debug, Error)]
pub enum StudioError {
    /// The port is taken, or the address is not this machine's.
    #[error(
        "Cannot listen on {address}: {error}. Name another port with --port, or none at all: then a free \
         one is taken."
    )]
    Listen {
        /// The address tried.
        address: SocketAddr,
        /// What the system said.
        error: io::Error,
    },
    /// The data folder cannot be used.
    #[error("Cannot use the folder {}: {error}.", path.display())]
    Data {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Another studio has the data folder.
    #[error(
        "The folder {} belongs to a studio that is running{}. Name another folder with --data.",
        folder.display(),
        url.as_ref().map(|url| format!(" at {url}")).unwrap_or_default()
    )]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// Where that studio is, if it has said so.
        url: Option<String>,
    },
    /// The system refuses threads or signals.
    #[error("Cannot start the server: {0}.")]
    Runtime(io::Error),
}
