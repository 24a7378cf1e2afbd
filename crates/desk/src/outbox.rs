//! What waits to be sent to a page: a bounded queue, and slots where the latest value wins.
//!
//! A slow reader never holds up a player and never makes the server grow: progress overwrites
//! itself in its slot, and a socket whose queue overflows is closed; the page then asks anew.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde::Serialize;

use crate::lock;

const MAX_QUEUE: usize = 1024;
/// Room for some of the largest games at once; a page that is further behind asks anew.
const MAX_BYTES: usize = 16 << 20;
/// Slots are emptied at most this often: 20 updates a second.
pub const SLOT_INTERVAL: Duration = Duration::from_millis(50);

/// Called when there is something to send.
pub(crate) type Wake = Box<dyn Fn() + Send + Sync>;
type Make = Box<dyn FnOnce() -> Option<String> + Send>;

/// Messages for one page.
pub struct Outbox {
    inner: Mutex<Inner>,
    wake: Wake,
}

#[derive(Default)]
struct Inner {
    queue: VecDeque<String>,
    /// Bytes of all messages in the queue.
    bytes: usize,
    slots: BTreeMap<String, Make>,
    is_closed: bool,
}

impl Outbox {
    fn new(wake: Wake) -> Outbox {
        Outbox { inner: Mutex::default(), wake }
    }

    /// Queues a message that must arrive.
    pub(crate) fn send(&self, message: &impl Serialize) {
        if let Ok(text) = serde_json::to_string(message) {
            self.send_text(text);
        }
    }

    pub(crate) fn send_text(&self, text: String) {
        let mut inner = lock(&self.inner);
        if inner.queue.len() >= MAX_QUEUE || inner.bytes + text.len() > MAX_BYTES {
            *inner = Inner { is_closed: true, ..Inner::default() };
        }
        if !inner.is_closed {
            inner.bytes += text.len();
            inner.queue.push_back(text);
        }
        drop(inner);
        (self.wake)();
    }

    /// Leaves news in a slot; what was there and not yet sent is forgotten. The text is made when
    /// it is sent.
    pub(crate) fn put(&self, slot: String, make: impl FnOnce() -> Option<String> + Send + 'static) {
        let mut inner = lock(&self.inner);
        if !inner.is_closed {
            inner.slots.insert(slot, Box::new(make));
        }
        drop(inner);
        (self.wake)();
    }

    /// Forgets what is in a slot.
    pub(crate) fn clear(&self, slot: &str) {
        lock(&self.inner).slots.remove(slot);
    }

    /// Takes no more; the page is gone, or is to go.
    pub fn close(&self) {
        lock(&self.inner).is_closed = true;
        (self.wake)();
    }

    /// Whether it takes no more.
    pub fn is_closed(&self) -> bool {
        lock(&self.inner).is_closed
    }

    /// The next message that must arrive.
    pub fn next(&self) -> Option<String> {
        let mut inner = lock(&self.inner);
        let text = inner.queue.pop_front()?;
        inner.bytes -= text.len();
        Some(text)
    }

    /// Whether there is news.
    pub fn has_slots(&self) -> bool {
        !lock(&self.inner).slots.is_empty()
    }

    /// The latest news of each kind, to be sent at most every [`SLOT_INTERVAL`].
    pub fn take_slots(&self) -> Vec<String> {
        let slots = std::mem::take(&mut lock(&self.inner).slots);
        slots.into_values().filter_map(|make| make()).collect()
    }
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbox").finish_non_exhaustive()
    }
}

/// All pages that are connected.
#[derive(Debug, Default)]
pub(crate) struct Clients {
    next: AtomicU64,
    open: Mutex<BTreeMap<u64, Arc<Outbox>>>,
}

impl Clients {
    /// More pages than this are refused.
    pub(crate) const MAX: usize = 64;

    /// Adds a page, unless there are too many.
    pub(crate) fn join(&self, wake: Wake) -> Option<(u64, Arc<Outbox>)> {
        let mut open = lock(&self.open);
        if open.len() >= Clients::MAX {
            return None;
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let outbox = Arc::new(Outbox::new(wake));
        open.insert(id, Arc::clone(&outbox));
        Some((id, outbox))
    }

    pub(crate) fn leave(&self, id: u64) {
        lock(&self.open).remove(&id);
    }

    /// Sends to every page but one.
    pub(crate) fn send_others(&self, but: u64, message: &impl Serialize) {
        let Ok(text) = serde_json::to_string(message) else { return };
        for (_, outbox) in lock(&self.open).iter().filter(|(id, _)| **id != but) {
            outbox.send_text(text.clone());
        }
    }

    /// Leaves news for every page; only the latest of a slot is sent.
    pub(crate) fn put_all(&self, slot: &str, message: &impl Serialize) {
        let Ok(text) = serde_json::to_string(message) else { return };
        for outbox in lock(&self.open).values() {
            let text = text.clone();
            outbox.put(slot.to_owned(), move || Some(text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_news_wins_and_a_full_queue_closes() {
        let outbox = Outbox::new(Box::new(|| {}));
        for i in 0..10 {
            outbox.put("a".to_owned(), move || Some(i.to_string()));
        }
        assert_eq!(outbox.take_slots(), ["9"]);
        for _ in 0..=MAX_QUEUE {
            outbox.send_text("x".to_owned());
        }
        assert!(outbox.is_closed());
        assert_eq!(outbox.next(), None);
    }

    #[test]
    fn what_waits_is_bounded_in_bytes() {
        let outbox = Outbox::new(Box::new(|| {}));
        let large = "x".repeat(MAX_BYTES / 2);
        for _ in 0..10 {
            outbox.send_text(large.clone());
            outbox.send_text(large.clone());
            assert!(outbox.next().is_some() && outbox.next().is_some());
        }
        assert!(!outbox.is_closed(), "a page that reads may have as much as it likes");
        outbox.send_text(large.clone());
        outbox.send_text(large.clone());
        outbox.send_text("x".to_owned());
        assert!(outbox.is_closed());
        assert_eq!(outbox.next(), None);
    }

    #[test]
    fn pages_are_bounded() {
        let clients = Clients::default();
        let pages: Vec<_> =
            (0..Clients::MAX).filter_map(|_| clients.join(Box::new(|| {}))).collect();
        assert_eq!(pages.len(), Clients::MAX);
        assert!(clients.join(Box::new(|| {})).is_none());
        clients.leave(pages[0].0);
        assert!(clients.join(Box::new(|| {})).is_some());
    }
}
