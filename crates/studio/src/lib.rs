//! The local web app: HTTP and WebSocket server, and the page.
//!
//! [`start`] opens a server on this machine and returns at once; [`serve`] also tells people where
//! it is, opens their browser, and waits for Ctrl-C. The page in `web/` draws; what it asks is answered
//! by a [`Desk`], with the players that the [`Registry`] names. The studio is what stands around that:
//! the server, the threads, the data folder, and the jobs that need them.
//!
//! Nothing here knows an algorithm, and no request can start a program: players come from the
//! registry, which the command line filled.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod data;
mod error;
mod jobs;
mod network;
mod server;

use std::{
    io::{IsTerminal as _, Write as _},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener},
    path::PathBuf,
    sync::Arc,
    thread::JoinHandle,
    time::Duration,
};

pub use data::library_games;
use desk::{Desk, Jobs, Route};
pub use error::StudioError;
use player::Registry;
use tokio::sync::watch;

use crate::{
    data::{DataArchive, DataFolder, FolderLock, Machine},
    jobs::{Matches, Tuning},
    server::{Assets, ConnectionLimiter, Guard, Peer, Turns},
};

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
    /// Programs that may play in matches: their names, and the commands that start them. No request can
    /// name another.
    pub engines: Vec<(String, String)>,
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
            engines: Vec::new(),
            build: format!("tengen {}", env!("CARGO_PKG_VERSION")),
            page: true,
            web_dir: None,
        }
    }
}

/// Everything the handlers share.
#[derive(Debug)]
pub(crate) struct Studio {
    pub(crate) assets: Assets,
    pub(crate) guard: Guard,
    /// The requests that are being worked on.
    pub(crate) turns: Turns,
    pub(crate) desk: Arc<Desk>,
    matches: Arc<Jobs<Matches>>,
    tuning: Arc<Jobs<Tuning>>,
}

impl Studio {
    /// Opens the data folder, and goes on with what was going.
    fn open(options: &Options, guard: Guard, assets: Assets) -> Result<Arc<Studio>, StudioError> {
        let Options { data_dir: data, registry, engines, build, .. } = options;
        let store = Arc::new(DataFolder::open(data)?);
        let archive = Box::new(DataArchive::new(data));
        let desk = Desk::new(Arc::clone(registry), Arc::new(Machine::new()), store, archive);
        Ok(Arc::new(Studio {
            matches: desk.open_jobs(Matches::new(data, registry, engines, build)),
            tuning: desk.open_jobs(Tuning::new(data, registry, build)),
            turns: Turns::default(),
            assets,
            guard,
            desk,
        }))
    }

    /// What the page and other programs ask.
    fn routes(&self) -> Vec<Route> {
        let mut routes = self.desk.routes();
        routes.extend(Jobs::routes(&self.matches, "/api/runs"));
        routes.extend(Matches::routes(&self.matches));
        routes
    }

    /// What only the page asks.
    fn page_routes(&self) -> Vec<Route> {
        let mut routes = self.desk.page_routes();
        routes.push(Matches::rating_route(&self.matches));
        routes.extend(Jobs::routes(&self.tuning, "/api/tunes"));
        routes.extend(Tuning::routes(&self.tuning));
        routes
    }

    /// Breaks off every search and job; the jobs go on at the next start. Waits a moment, so that
    /// journals are closed before the program ends.
    fn close(&self) {
        self.desk.close();
        self.matches.close();
        self.tuning.close();
        let is_idle = || self.desk.is_idle() && self.matches.is_idle() && self.tuning.is_idle();
        for _ in 0..200 {
            if is_idle() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A running studio. Dropping it stops the server.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    url: String,
    others: Vec<String>,
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

    /// The addresses to open on other machines, with the token; none if they cannot reach it.
    pub fn other_urls(&self) -> &[String] {
        &self.others
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
    let query = token.as_ref().map(|token| format!("?token={token}")).unwrap_or_default();
    let url_of = |ip: IpAddr| format!("http://{}/{query}", SocketAddr::new(ip, address.port()));
    // "Every address" is none that a browser could open.
    let url = match listen {
        IpAddr::V4(ip) if ip.is_unspecified() => url_of(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => url_of(Ipv6Addr::LOCALHOST.into()),
        ip => url_of(ip),
    };
    let others = network::addresses(listen).into_iter().map(url_of).collect();
    let lock = FolderLock::take(&options.data_dir, &url)?;
    let assets = options.web_dir.clone().map_or(Assets::Embedded, Assets::Folder);
    let guard = Guard { port: address.port(), token };
    let studio = Studio::open(&options, guard, assets)?;
    let router = match options.page {
        true => server::page_router(Arc::clone(&studio)),
        false => server::program_router(Arc::clone(&studio)),
    };
    let (stop, stopped) = watch::channel(false);
    let thread = std::thread::Builder::new()
        .name("studio".to_owned())
        .spawn(move || {
            run(runtime, listener, router, studio, stopped);
            drop(lock);
        })
        .map_err(StudioError::Runtime)?;
    Ok(Running { address, url, others, stop, thread: Some(thread) })
}

/// Runs the studio until Ctrl-C, and tells where it is. If one is running on the same data folder, that
/// one is opened in the browser.
pub fn serve(options: Options) -> Result<(), StudioError> {
    let (open, page) = (options.open_browser, options.page);
    let running = match start(options) {
        Err(StudioError::InUse { folder, url: Some(url) }) if page => {
            println!("Tengen is running already, at {url} with the data in {}.", folder.display());
            println!("Name another folder with --data to start a second one.");
            if open {
                open_browser(&url);
            }
            return Ok(());
        }
        started => started?,
    };
    println!("Tengen is at {}", running.url());
    tell_others(running.other_urls());
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

/// Says what to open on another machine, and shows it to a phone's camera.
fn tell_others(urls: &[String]) {
    for url in urls {
        println!("From another machine: {url}");
    }
    if let Some(url) = urls.first().filter(|_| std::io::stdout().is_terminal()) {
        println!("{}", network::qr_code(url));
    }
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
        let service = router.into_make_service_with_connect_info::<Peer>();
        let server = axum::serve(ConnectionLimiter::new(listener), service).into_future();
        tokio::select! {
            // An error here means the listener is gone; there is nothing left to serve.
            _ = server => {}
            _ = until.wait_for(|stop| *stop) => {}
        }
    });
    studio.close();
    runtime.shutdown_timeout(Duration::from_secs(2));
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

#[allow(clippy::disallowed_types, reason = "this program is the user's own")]
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
