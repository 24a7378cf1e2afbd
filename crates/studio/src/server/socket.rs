//! One page's connection: its requests, its searches, and the order in which it is answered.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    body::Bytes,
    extract::{
        State, WebSocketUpgrade,
        ws::{CloseFrame, Message as Frame, WebSocket, close_code},
    },
    http::StatusCode,
    response::{IntoResponse, Response},
};
use futures_util::{SinkExt, StreamExt, stream::SplitSink};
use serde_json::value::RawValue;
use tokio::time::{Instant, sleep_until, timeout};

use crate::{
    Studio, lock, look,
    outbox::{Outbox, SLOT_INTERVAL},
    store::{MAX_DOC, PutError},
    think,
    wire::{DocPut, LookRequest, Message, PROTO, Request},
};

/// Searches of one page at the same time.
const MAX_SEARCHES: usize = 4;
/// A page that takes longer than this to read a message is gone.
const SEND_TIME: Duration = Duration::from_secs(20);
/// Silence for this long is answered with a ping, to find pages that have vanished.
const PING_TIME: Duration = Duration::from_secs(30);

/// Characters of an error's text.
const MAX_DETAIL: usize = 400;

/// Opens a socket.
pub(crate) async fn upgrade(
    State(studio): State<Arc<Studio>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some((client, outbox)) = studio.clients.join() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open.\n").into_response();
    };
    let leave = Leave { studio: Arc::clone(&studio), client };
    upgrade.max_message_size(MAX_DOC + 4096).max_frame_size(MAX_DOC + 4096).on_upgrade(
        move |socket| async move {
            let session = Arc::new(Session::new(studio, client, outbox));
            session.run(socket).await;
            drop(leave);
        },
    )
}

/// Takes the page off the list however its connection ends.
struct Leave {
    studio: Arc<Studio>,
    client: u64,
}

impl Drop for Leave {
    fn drop(&mut self) {
        self.studio.clients.leave(self.client);
    }
}

struct Session {
    studio: Arc<Studio>,
    client: u64,
    outbox: Arc<Outbox>,
    searches: Mutex<BTreeMap<u64, Arc<AtomicBool>>>,
    /// The position looked at last; older looks still waiting are dropped.
    look: Arc<Mutex<Option<LookRequest>>>,
}

impl Session {
    fn new(studio: Arc<Studio>, client: u64, outbox: Arc<Outbox>) -> Session {
        Session { studio, client, outbox, searches: Mutex::default(), look: Arc::default() }
    }

    async fn run(self: Arc<Self>, socket: WebSocket) {
        let (sink, mut stream) = socket.split();
        let writer = tokio::spawn(write(sink, Arc::clone(&self.outbox)));
        while let Some(Ok(frame)) = stream.next().await {
            match frame {
                Frame::Text(text) => self.handle(&text),
                Frame::Close(_) => break,
                Frame::Binary(_) => self.error(None, "malformed", "Only text is understood."),
                Frame::Ping(_) | Frame::Pong(_) => {}
            }
            if self.outbox.is_closed() {
                break;
            }
        }
        self.stop(None);
        self.outbox.close();
        // The writer ends when it sees the closed box; if it has failed, so has the socket.
        let _ = writer.await;
    }

    fn handle(self: &Arc<Self>, text: &str) {
        match serde_json::from_str(text) {
            Ok(Request::Hello { proto }) => self.hello(proto),
            Ok(Request::Look(request)) => self.look(request),
            Ok(Request::Think(request)) => self.think(*request),
            Ok(Request::Stop { id }) => self.stop(id),
            Ok(Request::DocPut) => match serde_json::from_str(text) {
                Ok(DocPut { doc }) => self.put(doc),
                Err(error) => self.error(None, "malformed", &error.to_string()),
            },
            Ok(Request::DocOpen { game }) => self.open(&game),
            Err(error) => self.error(None, "malformed", &error.to_string()),
        }
    }

    fn hello(&self, proto: u32) {
        if proto != PROTO {
            self.error(None, "version", "The page and the server differ; reload the page.");
        }
        let current = self.studio.store.current();
        self.outbox.send(&Message::Hello {
            proto: PROTO,
            version: env!("CARGO_PKG_VERSION"),
            client: self.client,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            doc: current.as_ref().map(|current| &*current.text),
        });
    }

    /// Looks on a thread that may block; only the latest of several waiting looks is done.
    fn look(self: &Arc<Self>, request: LookRequest) {
        let waiting = {
            let mut look = lock(&self.look);
            look.replace(request).is_some()
        };
        if waiting {
            return;
        }
        let session = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let request = {
                let mut look = lock(&session.look);
                look.take()
            };
            if let Some(request) = request {
                session.outbox.send(&look::look(&session.studio, &request));
            }
        });
    }

    fn think(&self, request: crate::wire::ThinkRequest) {
        let id = request.id;
        let mut searches = lock(&self.searches);
        // A search that has ended holds no flag but ours.
        searches.retain(|_, flag| Arc::strong_count(flag) > 1);
        if searches.len() >= MAX_SEARCHES {
            return self.error(Some(id), "busy", "This page has too many searches running.");
        }
        if let Some(flag) = think::start(&self.studio, &self.outbox, request) {
            searches.insert(id, flag);
        }
    }

    fn stop(&self, id: Option<u64>) {
        let searches = lock(&self.searches);
        for (_, flag) in searches.iter().filter(|(key, _)| id.is_none_or(|id| **key == id)) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn put(self: &Arc<Self>, doc: Box<RawValue>) {
        // A file of some kilobytes: quick, and the order of changes must be kept.
        match tokio::task::block_in_place(|| self.studio.store.put(doc)) {
            Ok(head) => {
                self.outbox.send(&Message::Saved { game: &head.id, seq: head.seq });
                if let Some(current) = self.studio.store.current() {
                    let message = Message::Doc { doc: &current.text };
                    self.studio.clients.send_others(self.client, &message);
                }
            }
            Err(PutError::Stale(doc)) => self.outbox.send(&Message::Doc { doc: &doc }),
            Err(PutError::Malformed(detail)) => self.error(None, "malformed", &detail),
            Err(PutError::Disk(detail)) => self.error(None, "disk", &detail),
        }
    }

    fn open(&self, game: &str) {
        match tokio::task::block_in_place(|| self.studio.store.open_game(game)) {
            Some(current) => {
                let message = Message::Doc { doc: &current.text };
                self.outbox.send(&message);
                self.studio.clients.send_others(self.client, &message);
            }
            None => self.error(None, "missing", "There is no such game."),
        }
    }

    fn error(&self, id: Option<u64>, code: &'static str, detail: &str) {
        // A detail may quote the request, which may be long.
        let detail = detail.chars().take(MAX_DETAIL).collect();
        self.outbox.send(&Message::Error { id, code, detail });
    }
}

/// Sends what is in the box: messages at once, slots at their pace.
async fn write(mut sink: SplitSink<WebSocket, Frame>, outbox: Arc<Outbox>) {
    let mut next_slots = Instant::now();
    loop {
        let has_slots = outbox.has_slots();
        let ping_at = Instant::now() + PING_TIME;
        tokio::select! {
            () = outbox.changed() => {}
            () = sleep_until(next_slots), if has_slots => {}
            () = sleep_until(ping_at) => {
                if !send(&mut sink, Frame::Ping(Bytes::new())).await {
                    break;
                }
            }
        }
        while let Some(text) = outbox.next() {
            if !send(&mut sink, Frame::Text(text.into())).await {
                outbox.close();
            }
        }
        if outbox.is_closed() {
            break;
        }
        if Instant::now() >= next_slots {
            for text in outbox.take_slots() {
                if !send(&mut sink, Frame::Text(text.into())).await {
                    outbox.close();
                }
            }
            next_slots = Instant::now() + SLOT_INTERVAL;
        }
    }
    let close = CloseFrame { code: close_code::AWAY, reason: "".into() };
    // The page may be gone already.
    let _ = timeout(Duration::from_secs(1), sink.send(Frame::Close(Some(close)))).await;
}

async fn send(sink: &mut SplitSink<WebSocket, Frame>, frame: Frame) -> bool {
    matches!(timeout(SEND_TIME, sink.send(frame)).await, Ok(Ok(())))
}
