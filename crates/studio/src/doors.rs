//! How many connections there are at once. When every door is taken and one more knocks, the
//! connection that was never answered, or else has been silent longest, is closed to make room: a
//! crowd of idle sockets keeps nobody out, and costs no more than the limit.

use std::{
    collections::BTreeMap,
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use axum::serve::Listener;
use futures_util::task::AtomicWaker;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// Connections at once, of pages and of other programs.
pub(crate) const MAX_CONNECTIONS: usize = 256;

/// A listener that keeps the number of open connections down.
#[derive(Debug)]
pub(crate) struct Doors {
    listener: TcpListener,
    open: Arc<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// Counts what happens, so that of two connections the one silent longer is known.
    events: AtomicU64,
    all: Mutex<BTreeMap<u64, Arc<Door>>>,
}

/// What is known of one connection.
#[derive(Debug, Default)]
struct Door {
    last_read: AtomicU64,
    is_answered: AtomicBool,
    is_shut: AtomicBool,
    reader: AtomicWaker,
    writer: AtomicWaker,
}

impl Door {
    fn shut(&self) {
        self.is_shut.store(true, Ordering::Release);
        self.reader.wake();
        self.writer.wake();
    }

    /// An error once the door is shut; otherwise the task is woken when it is.
    fn check(&self, waker: &AtomicWaker, context: &Context<'_>) -> io::Result<()> {
        waker.register(context.waker());
        if self.is_shut.load(Ordering::Acquire) {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl Doors {
    pub(crate) fn new(listener: TcpListener) -> Doors {
        Doors { listener, open: Arc::default() }
    }
}

impl Open {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Door>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self) -> u64 {
        self.events.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Lets a connection in, at the cost of another if there are too many.
    fn enter(&self) -> (u64, Arc<Door>) {
        let id = self.tick();
        let door = Arc::new(Door { last_read: AtomicU64::new(id), ..Door::default() });
        let mut all = self.lock();
        if all.len() >= MAX_CONNECTIONS {
            let rank = |door: &Door| {
                let is_answered = door.is_answered.load(Ordering::Relaxed);
                (is_answered, door.last_read.load(Ordering::Relaxed))
            };
            let least = all.iter().min_by_key(|(_, door)| rank(door)).map(|(id, _)| *id);
            if let Some(door) = least.and_then(|id| all.remove(&id)) {
                door.shut();
            }
        }
        all.insert(id, Arc::clone(&door));
        (id, door)
    }
}

impl Listener for Doors {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let (id, door) = self.open.enter();
        (Connection { stream, id, door, open: Arc::clone(&self.open) }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that takes one of the places while it lives.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    id: u64,
    door: Arc<Door>,
    open: Arc<Open>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.open.lock().remove(&self.id);
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.door.check(&self.door.reader, context)?;
        let before = buffer.filled().len();
        let done = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.door.last_read.store(self.open.tick(), Ordering::Relaxed);
        }
        done
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.door.check(&self.door.writer, context)?;
        self.door.is_answered.store(true, Ordering::Relaxed);
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
        let (page, door) = open.enter();
        door.is_answered.store(true, Ordering::Relaxed);
        let others: Vec<_> = (1..MAX_CONNECTIONS).map(|_| open.enter()).collect();
        // An early one says something; it is still unanswered.
        others[0].1.last_read.store(open.tick(), Ordering::Relaxed);
        open.enter();
        assert!(others[1].1.is_shut.load(Ordering::Relaxed), "the longest silent is let go");
        for _ in 0..10 * MAX_CONNECTIONS {
            open.enter();
        }
        assert_eq!(open.lock().len(), MAX_CONNECTIONS);
        assert!(open.lock().contains_key(&page), "who has been answered stays");
        assert!(others.iter().all(|(_, door)| door.is_shut.load(Ordering::Relaxed)));
    }
}
