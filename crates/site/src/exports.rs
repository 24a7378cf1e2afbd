//! What the browser calls. Whatever goes in lies in the buffer.

#![expect(unsafe_code, reason = "names for the browser: no other crate of this module exports any")]

use std::{
    collections::BTreeMap,
    panic,
    sync::{Arc, Mutex, OnceLock, atomic::Ordering},
    time::Duration,
};

use desk::{Archive, Desk, Route, Session, lock};
use gomoku::record;

use crate::{
    browser,
    machine::{self, Machine},
    players, routes,
    store::Kept,
};

/// This instance.
struct Instance {
    machine: Arc<Machine>,
    desk: Arc<Desk>,
    routes: Vec<Route>,
    pages: Mutex<BTreeMap<u32, Session>>,
}

static INSTANCE: OnceLock<Instance> = OnceLock::new();
static KEPT: OnceLock<Arc<Kept>> = OnceLock::new();
static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Games of matches and other books are not there.
#[derive(Debug)]
struct Nothing;

impl Archive for Nothing {}

fn kept() -> &'static Arc<Kept> {
    KEPT.get_or_init(Arc::default)
}

/// Takes what is in the buffer.
fn taken() -> Vec<u8> {
    std::mem::take(&mut lock(&BUFFER))
}

fn taken_text() -> String {
    String::from_utf8_lossy(&taken()).into_owned()
}

/// Makes room for so many bytes, and says where.
#[unsafe(no_mangle)]
extern "C" fn buffer(len: usize) -> *mut u8 {
    let mut buffer = lock(&BUFFER);
    buffer.clear();
    buffer.resize(len, 0);
    buffer.as_mut_ptr()
}

/// Puts in what the browser has kept: a name, and bytes.
#[unsafe(no_mangle)]
extern "C" fn put(name_len: usize, changed: f64) {
    let mut name = taken();
    let bytes = name.split_off(name_len.min(name.len()));
    let name = String::from_utf8_lossy(&name).into_owned();
    kept().put(name, Duration::from_secs_f64(changed.max(0.0) / 1e3), bytes);
}

/// Supplies a network; says whether it is one.
#[unsafe(no_mangle)]
extern "C" fn network() -> u32 {
    u32::from(engine::supply_network(&taken()).is_ok())
}

/// Supplies the position books and the opening sets, one after the other with zeros between them; says
/// whether they are what they should be.
#[unsafe(no_mangle)]
extern "C" fn openings() -> u32 {
    let texts = taken_text();
    u32::from(book::supply_openings(texts.split('\0').map(str::to_owned).collect()))
}

/// Supplies the puzzles; says whether they are that.
#[unsafe(no_mangle)]
extern "C" fn puzzles() -> u32 {
    u32::from(desk::puzzles::supply(taken_text()))
}

/// Opens the desk on what was put in.
#[unsafe(no_mangle)]
extern "C" fn open(cores: usize, has_hands: u32) {
    panic::set_hook(Box::new(|panic| browser::failed(&panic.to_string())));
    record::supply_decoder(|set, bytes| {
        browser::decode(set, bytes);
        taken_text()
    });
    INSTANCE.get_or_init(|| {
        let machine = Arc::new(Machine::new(cores, has_hands != 0));
        let host = machine::shared(&machine);
        let store = Arc::clone(kept());
        let desk = Desk::new(players::registry(), host, store, Box::new(Nothing));
        let routes = desk.routes().into_iter().chain(desk.page_routes()).collect();
        Instance { machine, desk, routes, pages: Mutex::default() }
    });
}

/// The instance, which has been opened.
fn instance() -> &'static Instance {
    INSTANCE.get().expect("the desk is opened first")
}

/// Takes a page in under a number; says whether there was room.
#[unsafe(no_mangle)]
extern "C" fn connect(page: u32) -> u32 {
    let Instance { machine, desk, pages, .. } = instance();
    let machine = Arc::clone(machine);
    let session = desk.connect(move || machine.has_news.store(true, Ordering::Relaxed));
    let has_room = session.is_some();
    lock(pages).extend(session.map(|session| (page, session)));
    u32::from(has_room)
}

/// A page is gone.
#[unsafe(no_mangle)]
extern "C" fn leave(page: u32) {
    let session = lock(&instance().pages).remove(&page);
    drop(session);
}

/// Takes the message of a page.
#[unsafe(no_mangle)]
extern "C" fn hear(page: u32) {
    let text = taken_text();
    if let Some(session) = lock(&instance().pages).get(&page) {
        session.handle(&text);
    }
}

/// Answers a question: a line of JSON, and the body.
#[unsafe(no_mangle)]
extern "C" fn ask() {
    let mut line = taken();
    let end = line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len());
    let body = line.split_off(end);
    match serde_json::from_slice(&line) {
        Ok(question) => {
            let body = body.get(1..).unwrap_or_default().to_vec();
            routes::ask(&instance().routes, question, body);
        }
        Err(error) => routes::refuse(400, &error.to_string()),
    }
}

/// Does one thing that waits to be done; says whether there was one.
#[unsafe(no_mangle)]
extern "C" fn work() -> u32 {
    u32::from(instance().machine.work())
}

/// Does the errand that another instance has sent out.
#[unsafe(no_mangle)]
extern "C" fn run_errand() {
    let host = machine::shared(&instance().machine);
    if let Err(error) = desk::do_errand(&host, &taken_text(), &browser::said) {
        browser::failed(&error);
    }
}

/// Something was said of an errand; nothing, when it is over.
#[unsafe(no_mangle)]
extern "C" fn heard(number: f64) {
    instance().machine.heard(number as u64, &taken());
}

/// Sends the pages what waits for them.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn send_news() {
    let Instance { machine, pages, .. } = instance();
    machine.has_news.store(false, Ordering::Relaxed);
    for (page, session) in lock(pages).iter() {
        let outbox = session.outbox();
        while let Some(text) = outbox.next() {
            browser::message(*page, &text);
        }
        for text in outbox.take_slots() {
            browser::message(*page, &text);
        }
    }
}

/// Nodes of the engine's signature.
#[unsafe(no_mangle)]
extern "C" fn bench(depth: u32) -> f64 {
    let lines = engine::bench::run(depth, &player::Unwatched);
    lines.iter().map(|line| line.nodes).sum::<u64>() as f64
}
