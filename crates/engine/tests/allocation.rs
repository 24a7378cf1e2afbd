//! The search does not allocate: an iteration costs the lines it tells of, however large its tree.
#![allow(unsafe_code, reason = "an allocator that counts is the only way to see every allocation")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use engine::{Engine, Options};
use gomoku::{Position, Rule};
use player::{Limits, Player, Progress, Task, Watch};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator unchanged; it is only counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Nodes and allocations so far at the end of each iteration.
struct Ledger(Mutex<Vec<(u64, u64)>>);

impl Watch for Ledger {
    fn stopped(&self) -> bool {
        false
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn progress(&self, progress: &Progress) {
        if progress.finished.is_some() {
            let now = (progress.counters.nodes, ALLOCATIONS.load(Relaxed));
            self.0.lock().unwrap().push(now);
        }
    }
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn an_iteration_allocates_no_more_than_its_report() {
    for rule in Rule::ALL {
        let position = Position::parse("h8i10k7f9", rule, 15).unwrap();
        let ledger = Ledger(Mutex::new(Vec::with_capacity(64)));
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        engine.choose(&Task::new(position, Limits::nodes(150_000)), &ledger);
        let ends = ledger.0.into_inner().unwrap();
        let most_nodes = ends.windows(2).map(|pair| pair[1].0 - pair[0].0).max();
        let most_allocations = ends.windows(2).map(|pair| pair[1].1 - pair[0].1).max();
        println!("{rule}: {most_nodes:?} nodes, {most_allocations:?} allocations");
        assert!(most_nodes > Some(20_000), "{rule}: too small a search to say anything");
        assert!(most_allocations < Some(40), "{rule}: {most_allocations:?} allocations");
    }
}
