//! How many connections there are at once. When there are as many as allowed and one more comes, the
//! one that was never answered, or else has been silent longest, is closed to make room: a crowd of
//! idle sockets keeps nobody out, and costs no more than the limit.

use std::{
    collections::BTreeMap,
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use axum::serve::Listener;
use desk::lock;
use futures_util::task::AtomicWaker;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// Connections at once, of pages and of other programs.
pub(crate) const MAX_CONNECTIONS: usize = 256;

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
#[derive(Debug, Default)]
struct Connection {
    last_read: AtomicU64,
    is_answered: AtomicBool,
    is_closed: AtomicBool,
    reader: AtomicWaker,
    writer: AtomicWaker,
}

impl Connection {
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
    pub(crate) fn new(listener: TcpListener) -> ConnectionLimiter {
        ConnectionLimiter { listener, open: Arc::default() }
    }
}

impl Open {
    fn tick(&self) -> u64 {
        self.events.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Lets a connection in, at the cost of another if there are too many.
    fn enter(&self) -> (u64, Arc<Connection>) {
        let id = self.tick();
        let connection =
            Arc::new(Connection { last_read: AtomicU64::new(id), ..Connection::default() });
        let mut all = lock(&self.all);
        if all.len() >= MAX_CONNECTIONS {
            let rank = |connection: &Connection| {
                let is_answered = connection.is_answered.load(Ordering::Relaxed);
                (is_answered, connection.last_read.load(Ordering::Relaxed))
            };
            let least =
                all.iter().min_by_key(|(_, connection)| rank(connection)).map(|(id, _)| *id);
            if let Some(connection) = least.and_then(|id| all.remove(&id)) {
                connection.close();
            }
        }
        all.insert(id, Arc::clone(&connection));
        (id, connection)
    }
}

impl Listener for ConnectionLimiter {
    type Io = LimitedStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (LimitedStream, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let (id, connection) = self.open.enter();
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
    use super::*;

    #[test]
    fn the_silent_go_first_and_the_unanswered_before_them() {
        let open = Open::default();
        let (page, connection) = open.enter();
        connection.is_answered.store(true, Ordering::Relaxed);
        let others: Vec<_> = (1..MAX_CONNECTIONS).map(|_| open.enter()).collect();
        // An early one says something; it is still unanswered.
        others[0].1.last_read.store(open.tick(), Ordering::Relaxed);
        open.enter();
        assert!(others[1].1.is_closed.load(Ordering::Relaxed), "the longest silent is let go");
        for _ in 0..10 * MAX_CONNECTIONS {
            open.enter();
        }
        assert_eq!(lock(&open.all).len(), MAX_CONNECTIONS);
        assert!(lock(&open.all).contains_key(&page), "who has been answered stays");
        assert!(others.iter().all(|(_, connection)| connection.is_closed.load(Ordering::Relaxed)));
    }
}
