//! The local web app: HTTP and WebSocket server, and the page.
//!
//! [`start`] opens a server on this machine and returns at once; [`serve`] also tells people where
//! it is, opens their browser, and waits for Ctrl-C. The page in `web/` draws; the server knows the
//! rules, runs the players that the [`Registry`] names, and keeps every game in
//! the data folder. The two talk JSON over one WebSocket, described in `wire.rs`.
//!
//! Nothing here knows an algorithm, and no request can start a program: players come from the
//! registry, which the command line filled.

mod books;
mod convert;
mod error;
mod explore;
mod jobs;
mod look;
mod opening_protocol;
mod outbox;
mod players;
mod proofs;
mod puzzles;
mod schema;
mod server;
mod store;
mod think;
mod wire;

use std::{
    io::Write as _,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::JoinHandle,
};

pub use error::StudioError;
use gomoku::{Color, Position};
use player::Registry;
use tokio::sync::{Semaphore, watch};

use crate::{
    explore::Explorer,
    jobs::{Jobs, Matches, Solving, Tuning},
    outbox::Clients,
    players::PlayerPool,
    proofs::Proofs,
    server::{Assets, ConnectionLimiter, Guard, MAX_REQUESTS},
    store::Store,
};

/// The finished games of the library in a data folder, each with its winner; games that do not
/// begin on the empty board are left out.
pub fn library_games(data: &Path) -> Vec<(Position, Option<Color>)> {
    let files = std::fs::read_dir(data.join("games")).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    paths.sort();
    let is_game = |path: &&PathBuf| path.extension().is_some_and(|kind| kind == "json");
    paths.iter().filter(is_game).filter_map(|path| explore::finished_game(path)).collect()
}

/// The port that people remember; another is taken when it is in use.
pub const DEFAULT_PORT: u16 = 7531;

/// How to run the studio.
#[derive(Debug)]
pub struct Options {
    /// The port; `None` is [`DEFAULT_PORT`] or, if that is taken, any free one. Zero is any.
    pub port: Option<u16>,
    /// The address to listen on; `None` is 127.0.0.1. Any other needs a token, which is made up and
    /// printed.
    pub listen: Option<IpAddr>,
    /// Whether [`serve`] opens the browser.
    pub open_browser: bool,
    /// The folder for games, runs and settings.
    pub data_dir: PathBuf,
    /// The players.
    pub registry: Arc<Registry>,
    /// The program and version, which runs record.
    pub build: String,
    /// Whether the page is served, or only the interface for other programs, as `/openapi.json`
    /// describes it.
    pub page: bool,
    /// Serve the page from this folder instead of from the program, for work on the page.
    pub web_dir: Option<PathBuf>,
}

impl Options {
    /// The usual way: 127.0.0.1, the default port, the browser opened.
    pub fn new(data_dir: PathBuf, registry: Arc<Registry>) -> Options {
        Options {
            port: None,
            listen: None,
            open_browser: true,
            data_dir,
            registry,
            build: format!("tengen {}", env!("CARGO_PKG_VERSION")),
            page: true,
            web_dir: None,
        }
    }
}

/// Everything the handlers share.
#[derive(Debug)]
pub(crate) struct Studio {
    pub(crate) registry: Arc<Registry>,
    pub(crate) assets: Assets,
    pub(crate) guard: Guard,
    /// How many more requests may be worked on now.
    pub(crate) turns: Semaphore,
    pub(crate) players: PlayerPool,
    pub(crate) store: Store,
    pub(crate) clients: Arc<Clients>,
    pub(crate) explorer: Explorer,
    pub(crate) proofs: Arc<Proofs>,
    pub(crate) matches: Arc<Jobs<Matches>>,
    pub(crate) solving: Arc<Jobs<Solving>>,
    pub(crate) tuning: Arc<Jobs<Tuning>>,
}

/// A running studio. Dropping it stops the server.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    url: String,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser, with the token if there is one.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stops the server and waits until it has.
    pub fn stop(mut self) {
        self.finish();
    }

    fn finish(&mut self) {
        // Nobody listens any more if the server has stopped by itself.
        let _ = self.stop.send(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Starts the server on a thread of its own.
pub fn start(options: Options) -> Result<Running, StudioError> {
    let store = Store::open(&options.data_dir)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(StudioError::Runtime)?;
    let listen = options.listen.unwrap_or(Ipv4Addr::LOCALHOST.into());
    let listener = bind(listen, options.port)?;
    listener.set_nonblocking(true).map_err(StudioError::Runtime)?;
    let address = listener.local_addr().map_err(StudioError::Runtime)?;
    let token = (!listen.is_loopback()).then(make_token);
    let url = match &token {
        Some(token) => format!("http://{address}/?token={token}"),
        None => format!("http://{address}/"),
    };
    let clients = Arc::new(Clients::default());
    let (data, registry) = (&options.data_dir, options.registry);
    let proofs = Arc::new(Proofs::new(data));
    let solving = Solving::new(data, Arc::clone(&proofs));
    let studio = Arc::new(Studio {
        tuning: Jobs::open(Tuning::new(data, &registry, &options.build), Arc::clone(&clients)),
        solving: Jobs::open(solving, Arc::clone(&clients)),
        matches: Jobs::open(Matches::new(data, &registry, &options.build), Arc::clone(&clients)),
        players: PlayerPool::new(Arc::clone(&registry)),
        proofs,
        explorer: Explorer::new(data),
        registry,
        assets: options.web_dir.map_or(Assets::Embedded, Assets::Folder),
        guard: Guard { port: address.port(), token },
        turns: Semaphore::new(MAX_REQUESTS),
        store,
        clients,
    });
    let router = server::router(Arc::clone(&studio), options.page);
    let (stop, stopped) = watch::channel(false);
    let thread = std::thread::Builder::new()
        .name("studio".to_owned())
        .spawn(move || run(runtime, listener, router, studio, stopped))
        .map_err(StudioError::Runtime)?;
    Ok(Running { address, url, stop, thread: Some(thread) })
}

/// Runs the studio until Ctrl-C, and tells where it is.
pub fn serve(options: Options) -> Result<(), StudioError> {
    let open = options.open_browser;
    let running = start(options)?;
    println!("Tengen is at {}", running.url());
    // Whoever reads the address from a pipe must get it now.
    let _ = std::io::stdout().flush();
    if open {
        open_browser(running.url());
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(StudioError::Runtime)?;
    runtime.block_on(tokio::signal::ctrl_c()).map_err(StudioError::Runtime)?;
    running.stop();
    Ok(())
}

fn run(
    runtime: tokio::runtime::Runtime,
    listener: TcpListener,
    router: axum::Router,
    studio: Arc<Studio>,
    stopped: watch::Receiver<bool>,
) {
    runtime.block_on(async move {
        let mut until = stopped;
        // Only a runtime that is shutting down refuses a listener.
        let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
        let server = axum::serve(ConnectionLimiter::new(listener), router).into_future();
        tokio::select! {
            // An error here means the listener is gone; there is nothing left to serve.
            _ = server => {}
            _ = until.wait_for(|stop| *stop) => {}
        }
    });
    studio.players.stop_all();
    studio.solving.shut_down();
    studio.matches.shut_down();
    studio.tuning.shut_down();
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
}

fn bind(listen: IpAddr, port: Option<u16>) -> Result<TcpListener, StudioError> {
    let first = SocketAddr::new(listen, port.unwrap_or(DEFAULT_PORT));
    let bound = match (TcpListener::bind(first), port) {
        (Err(_), None) => TcpListener::bind(SocketAddr::new(listen, 0)),
        (bound, _) => bound,
    };
    bound.map_err(|error| StudioError::Listen { address: first, error })
}

/// A token that cannot be guessed: the standard library's hash keys come from the system.
fn make_token() -> String {
    use std::hash::{BuildHasher as _, RandomState};
    (0..4u64).map(|i| format!("{:016x}", RandomState::new().hash_one(i))).collect()
}

fn open_browser(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    // The address has been printed, so a machine without a browser loses nothing.
    let _ = std::process::Command::new(program)
        .arg(url)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
}

/// What the studio's locks guard stays whole whatever a panicking holder was doing.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
