//! One page: its requests, its searches, and the order in which it is answered.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::value::RawValue;

use crate::{
    Desk,
    documents::{Put, PutError},
    lock, look,
    outbox::Outbox,
    review, think,
    wire::{DocPut, LookRequest, Message, PROTO, Request},
};

/// Searches of one page at the same time.
const MAX_SEARCHES: usize = 4;
/// Characters of an error's text.
const MAX_DETAIL: usize = 400;

/// A page that is there to stay. Its searches end with it.
pub struct Session(Arc<Page>);

struct Page {
    desk: Arc<Desk>,
    client: u64,
    outbox: Arc<Outbox>,
    searches: Mutex<BTreeMap<u64, Arc<AtomicBool>>>,
    looks: Mutex<Looks>,
}

/// The positions that a page looks at, one after another.
#[derive(Default)]
struct Looks {
    /// The latest; what waited before it is dropped.
    waiting: Option<LookRequest>,
    is_looking: bool,
}

impl Desk {
    /// Takes a page in, unless there are too many; `wake` is called when there is something for it.
    pub fn connect(self: &Arc<Self>, wake: impl Fn() + Send + Sync + 'static) -> Option<Session> {
        let (client, outbox) = self.clients.join(Box::new(wake))?;
        let (searches, looks) = (Mutex::default(), Mutex::default());
        Some(Session(Arc::new(Page { desk: Arc::clone(self), client, outbox, searches, looks })))
    }
}

impl Session {
    /// What waits to be sent to the page.
    pub fn outbox(&self) -> &Arc<Outbox> {
        &self.0.outbox
    }

    /// Takes a message of the page. What takes long is done elsewhere, files are written here: the
    /// order of changes must be kept.
    pub fn handle(&self, text: &str) {
        self.0.handle(text);
    }

    /// Tells the page that its message is none.
    pub fn refuse(&self, detail: &str) {
        self.0.error(None, "malformed", detail);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.0.stop(None);
        self.0.outbox.close();
        self.0.desk.clients.leave(self.0.client);
    }
}

impl Page {
    fn handle(self: &Arc<Self>, text: &str) {
        match serde_json::from_str(text) {
            Ok(Request::Hello { proto }) => self.hello(proto),
            Ok(Request::Look(request)) => self.look(request),
            Ok(Request::Think(request)) => {
                self.search(request.id, || think::start(&self.desk, &self.outbox, *request));
            }
            Ok(Request::Review(request)) => {
                self.search(request.id, || review::start(&self.desk, &self.outbox, request));
            }
            Ok(Request::Stop { id }) => self.stop(id),
            Ok(Request::DocPut) => match serde_json::from_str(text) {
                Ok(DocPut { doc, base }) => self.put(doc, base),
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
        let current = self.desk.documents.current();
        self.outbox.send(&Message::Hello {
            proto: PROTO,
            version: env!("CARGO_PKG_VERSION"),
            client: self.client,
            cores: self.desk.host.cores(),
            doc: current.as_ref().map(|current| &*current.text),
        });
        if let Some(warning) = self.desk.documents.take_warning() {
            self.error(None, "damaged", &warning);
        }
    }

    /// Looks at the latest position that waits, until none does.
    fn look(self: &Arc<Self>, request: LookRequest) {
        {
            let mut looks = lock(&self.looks);
            looks.waiting = Some(request);
            if std::mem::replace(&mut looks.is_looking, true) {
                return;
            }
        }
        let page = Arc::clone(self);
        let spawned = self.desk.host.spawn(
            "look",
            Box::new(move || {
                while let Some(request) = page.next_look() {
                    page.outbox.send(&look::look(&page.desk, &request));
                }
            }),
        );
        if let Err(detail) = spawned {
            lock(&self.looks).is_looking = false;
            self.error(None, "busy", &detail);
        }
    }

    fn next_look(&self) -> Option<LookRequest> {
        let mut looks = lock(&self.looks);
        let next = looks.waiting.take();
        looks.is_looking = next.is_some();
        next
    }

    fn search(&self, id: u64, start: impl FnOnce() -> Option<Arc<AtomicBool>>) {
        let mut searches = lock(&self.searches);
        // A search that has ended holds no flag but ours.
        searches.retain(|_, flag| Arc::strong_count(flag) > 1);
        if searches.len() >= MAX_SEARCHES {
            return self.error(Some(id), "busy", "This page has too many searches running.");
        }
        if let Some(flag) = start() {
            searches.insert(id, flag);
        }
    }

    fn stop(&self, id: Option<u64>) {
        let searches = lock(&self.searches);
        for (_, flag) in searches.iter().filter(|(key, _)| id.is_none_or(|id| **key == id)) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn put(&self, doc: Box<RawValue>, base: Option<u64>) {
        match self.desk.documents.put(doc, base) {
            Ok(Put::Saved(head)) => {
                self.outbox.send(&Message::Saved { game: &head.id, seq: head.seq });
                if let Some(current) = self.desk.documents.current() {
                    self.desk.clients.send_others(self.client, &Message::doc(&current.text));
                }
            }
            Ok(Put::Merged(both)) => {
                self.answer(&both.text);
                self.desk.clients.send_others(self.client, &Message::doc(&both.text));
                let detail = "Another page had changed this game; both versions are in it now.";
                self.error(None, "merged", detail);
            }
            Ok(Put::Stale(later)) => self.answer(&later.text),
            Ok(Put::Copied { stays, copy }) => {
                self.answer(&stays.text);
                let detail = format!(
                    "Another page had made a different game of this one. Yours is in the library as \
                     {copy}."
                );
                self.error(None, "copied", &detail);
            }
            Err(PutError::Malformed(detail)) => self.error(None, "malformed", &detail),
            Err(PutError::Disk(detail)) => self.error(None, "disk", &detail),
        }
    }

    fn open(&self, game: &str) {
        match self.desk.documents.open_game(game) {
            Ok(current) => {
                self.answer(&current.text);
                self.desk.clients.send_others(self.client, &Message::doc(&current.text));
            }
            Err(detail) => self.error(None, "missing", &detail),
        }
    }

    /// Sends the game that answers what the page sent.
    fn answer(&self, doc: &RawValue) {
        self.outbox.send(&Message::Doc { doc, answer: true });
    }

    fn error(&self, id: Option<u64>, code: &'static str, detail: &str) {
        // A detail may quote the request, which may be long.
        let detail = detail.chars().take(MAX_DETAIL).collect();
        self.outbox.send(&Message::Error { id, code, detail });
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("client", &self.0.client).finish_non_exhaustive()
    }
}
