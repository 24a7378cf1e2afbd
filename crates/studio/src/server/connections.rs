//! How many connections there are at once, and for how long one may keep us waiting. When there are as
//! many as allowed and one more comes, the one that was never answered, or else has been silent longest,
//! is closed to make room: a crowd of idle sockets keeps nobody out, and costs no more than the limit.
//! Another machine has only a share, and makes room among its own.

use std::{
    collections::BTreeMap,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};

use axum::{
    extract::connect_info::Connected,
    serve::{IncomingStream, Listener},
};
use desk::lock;
use futures_util::task::AtomicWaker;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// Connections at once, of pages and of other programs.
pub(crate) const MAX_CONNECTIONS: usize = 256;
/// Connections at once of one other machine.
const MAX_OF_ANOTHER: usize = 64;
/// Who has asked for nothing for so long is gone; a page answers our pings more often than that.
const IDLE_TIME: Duration = Duration::from_secs(75);
/// How often that is looked after.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// A listener that keeps the number of open connections down.
#[derive(Debug)]
pub(crate) struct ConnectionLimiter {
    listener: TcpListener,
    open: Arc<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// Counts what happens, so that of two connections the one silent longer is known.
    events: AtomicU64,
    all: Mutex<BTreeMap<u64, Arc<Connection>>>,
}

/// What is known of one connection.
#[derive(Debug)]
pub(crate) struct Connection {
    peer: IpAddr,
    last_read: AtomicU64,
    is_answered: AtomicBool,
    is_closed: AtomicBool,
    /// Since when nothing is being answered on it, for one that is not a page's socket.
    waiting_since: Mutex<Option<Instant>>,
    reader: AtomicWaker,
    writer: AtomicWaker,
}

/// Stands while a request is being answered.
#[derive(Debug)]
pub(crate) struct Answering(Option<Arc<Connection>>);

impl Answering {
    /// The connection is a page's socket from now on, and may be silent.
    pub(crate) fn forever(mut self) {
        self.0 = None;
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        if let Some(connection) = &self.0 {
            *lock(&connection.waiting_since) = Some(Instant::now());
        }
    }
}

impl Connection {
    fn new(peer: IpAddr, event: u64) -> Connection {
        Connection {
            peer,
            last_read: AtomicU64::new(event),
            is_answered: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
            waiting_since: Mutex::new(Some(Instant::now())),
            reader: AtomicWaker::new(),
            writer: AtomicWaker::new(),
        }
    }

    /// Whose connection it is.
    pub(crate) fn peer(&self) -> IpAddr {
        self.peer
    }

    /// A request has come in whole and is being answered.
    pub(crate) fn answering(self: &Arc<Self>) -> Answering {
        *lock(&self.waiting_since) = None;
        Answering(Some(Arc::clone(self)))
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.reader.wake();
        self.writer.wake();
    }

    /// An error once the connection is closed; otherwise the task is woken when it is.
    fn check(&self, waker: &AtomicWaker, context: &Context<'_>) -> io::Result<()> {
        waker.register(context.waker());
        if self.is_closed.load(Ordering::Acquire) {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl ConnectionLimiter {
    /// Must be called within a runtime, which looks after the connections.
    pub(crate) fn new(listener: TcpListener) -> ConnectionLimiter {
        let open = Arc::default();
        tokio::spawn(look_after(Arc::downgrade(&open)));
        ConnectionLimiter { listener, open }
    }
}

async fn look_after(open: Weak<Open>) {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    loop {
        ticks.tick().await;
        let Some(open) = open.upgrade() else { return };
        open.close_idle(Instant::now());
    }
}

impl Open {
    fn tick(&self) -> u64 {
        self.events.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Lets a connection in, at the cost of another if there are too many, or too many of this machine.
    fn enter(&self, peer: IpAddr) -> (u64, Arc<Connection>) {
        let id = self.tick();
        let connection = Arc::new(Connection::new(peer, id));
        let mut all = lock(&self.all);
        let own = all.values().filter(|other| other.peer == peer).count();
        let has_its_share = !peer.is_loopback() && own >= MAX_OF_ANOTHER;
        if has_its_share || all.len() >= MAX_CONNECTIONS {
            let rank = |connection: &Connection| {
                let is_answered = connection.is_answered.load(Ordering::Relaxed);
                (is_answered, connection.last_read.load(Ordering::Relaxed))
            };
            let least = all
                .iter()
                .filter(|(_, other)| !has_its_share || other.peer == peer)
                .min_by_key(|(_, connection)| rank(connection))
                .map(|(id, _)| *id);
            if let Some(connection) = least.and_then(|id| all.remove(&id)) {
                connection.close();
            }
        }
        all.insert(id, Arc::clone(&connection));
        (id, connection)
    }

    /// Closes those that have kept us waiting for too long, whether or not bytes trickle in.
    fn close_idle(&self, now: Instant) {
        for connection in lock(&self.all).values() {
            let since = *lock(&connection.waiting_since);
            if since.is_some_and(|since| now.saturating_duration_since(since) > IDLE_TIME) {
                connection.close();
            }
        }
    }
}

/// The connection that a request came on.
#[derive(Clone, Debug)]
pub(crate) struct Peer(pub(crate) Arc<Connection>);

impl Connected<IncomingStream<'_, ConnectionLimiter>> for Peer {
    fn connect_info(stream: IncomingStream<'_, ConnectionLimiter>) -> Peer {
        Peer(Arc::clone(&stream.io().connection))
    }
}

impl Listener for ConnectionLimiter {
    type Io = LimitedStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (LimitedStream, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let (id, connection) = self.open.enter(address.ip());
        (LimitedStream { stream, id, connection, open: Arc::clone(&self.open) }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// The bytes of a connection, which counts while this lives.
#[derive(Debug)]
pub(crate) struct LimitedStream {
    stream: TcpStream,
    id: u64,
    connection: Arc<Connection>,
    open: Arc<Open>,
}

impl Drop for LimitedStream {
    fn drop(&mut self) {
        lock(&self.open.all).remove(&self.id);
    }
}

impl AsyncRead for LimitedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.connection.check(&self.connection.reader, context)?;
        let before = buffer.filled().len();
        let done = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.connection.last_read.store(self.open.tick(), Ordering::Relaxed);
        }
        done
    }
}

impl AsyncWrite for LimitedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.connection.check(&self.connection.writer, context)?;
        self.connection.is_answered.store(true, Ordering::Relaxed);
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    const THERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 5));

    fn is_closed(connection: &Connection) -> bool {
        connection.is_closed.load(Ordering::Relaxed)
    }

    #[test]
    fn the_silent_go_first_and_the_unanswered_before_them() {
        let open = Open::default();
        let (page, connection) = open.enter(HERE);
        connection.is_answered.store(true, Ordering::Relaxed);
        let others: Vec<_> = (1..MAX_CONNECTIONS).map(|_| open.enter(HERE)).collect();
        // An early one says something; it is still unanswered.
        others[0].1.last_read.store(open.tick(), Ordering::Relaxed);
        open.enter(HERE);
        assert!(is_closed(&others[1].1), "the longest silent is let go");
        for _ in 0..10 * MAX_CONNECTIONS {
            open.enter(HERE);
        }
        assert_eq!(lock(&open.all).len(), MAX_CONNECTIONS);
        assert!(lock(&open.all).contains_key(&page), "who has been answered stays");
        assert!(others.iter().all(|(_, connection)| is_closed(connection)));
    }

    #[test]
    fn another_machine_has_a_share_and_makes_room_among_its_own() {
        let open = Open::default();
        let (_, page) = open.enter(HERE);
        let theirs: Vec<_> = (0..2 * MAX_OF_ANOTHER).map(|_| open.enter(THERE).1).collect();
        assert!(!is_closed(&page));
        assert_eq!(lock(&open.all).len(), 1 + MAX_OF_ANOTHER);
        let closed: Vec<bool> = theirs.iter().map(|connection| is_closed(connection)).collect();
        assert_eq!(closed, [[true; MAX_OF_ANOTHER], [false; MAX_OF_ANOTHER]].concat());
    }

    #[test]
    fn who_keeps_us_waiting_is_let_go_and_who_waits_for_us_is_not() {
        let open = Open::default();
        let [idle, asking, page, quick] = [0; 4].map(|_| open.enter(HERE).1);
        let answering = asking.answering();
        page.answering().forever();
        drop(quick.answering());
        open.close_idle(Instant::now());
        let closed = || [&idle, &asking, &page, &quick].map(|one| is_closed(one));
        assert_eq!(closed(), [false; 4]);
        let later = Instant::now() + IDLE_TIME + Duration::from_secs(1);
        open.close_idle(later);
        assert_eq!(closed(), [true, false, false, true]);
        drop(answering);
        open.close_idle(Instant::now());
        assert_eq!(closed(), [true, false, false, true], "it has just been answered");
    }
}
