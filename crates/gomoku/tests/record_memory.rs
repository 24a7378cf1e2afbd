//! Reading a file takes no more memory than 64 times its size, and no deep nesting hurts.
#![allow(unsafe_code, reason = "an allocator that counts is the only way to see all memory")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use gomoku::record::{Format, Hint, salvage, write};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; only sizes are counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a reader needs whatever it reads, such as one error message or one board's list of moves.
const CONSTANT: usize = 16 * 1024;

fn check(format: Format, bytes: &[u8]) {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let hint = Hint { format: Some(format), ..Hint::default() };
    let trees = salvage(bytes, &hint).trees;
    let used = PEAK.load(Relaxed) - before;
    let start = bytes[..bytes.len().min(30)].escape_ascii();
    let limit = bytes.len() * 64 + CONSTANT;
    assert!(used <= limit, "{format} '{start}...': {used} bytes for {}", bytes.len());
    if let Some(tree) = trees.first() {
        let _ = write(std::slice::from_ref(tree), Format::Sgf);
    }
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn memory_is_bounded_by_the_input() {
    let repeat = |start: &[u8], piece: &[u8]| {
        let mut bytes = start.to_vec();
        while bytes.len() < 50_000 {
            bytes.extend(piece);
        }
        bytes
    };
    for piece in [
        &b";"[..],
        b"(;",
        b"(;)",
        b";A[]",
        b";A[]B[]",
        b";C[]",
        b";C[x]",
        b";AB[aa]",
        b";AB[aa:oo]",
        b";TR[aa]",
        b";TR[aa:oo]",
        b";LB[aa:1]",
        b";PL[B]",
        b";B[hh]",
        b";B[hh]W[hh]",
        b";N[\xE9]",
        b"(;C[\xE9])",
        b"(;SZ[5]AB[aa])",
    ] {
        check(Format::Sgf, &repeat(b"(;SZ[15]", piece));
        check(Format::Sgf, &repeat(b"", piece));
    }
    for piece in
        [&b"[]"[..], b"[x]", b"TR[aa]LB[aa:1]", b"LB[aa:]", b"AB[aa:oo]", b"A[]", b"(", b"B[]"]
    {
        check(Format::Sgf, &repeat(b"(;A[]", piece));
    }
    let header = b"\xFFRenLib\xFF\x03\x04\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x00\x00";
    for piece in [
        &b"\x78\x00"[..],
        b"\x78\xC0",
        b"\x78\x80",
        b"\x78\x10",
        b"\x78\x08\0\0",
        b"\x78\x08x\0",
        b"\x78\x08\xE9\0",
        b"\x78\xC3\0\x01x\0",
        b"\x78\x02",
        b"\x78\x01\x10\x00",
    ] {
        check(Format::RenLib, &repeat(header, piece));
    }
    check(Format::Pos, &repeat(b"", b"a1\n"));
    check(Format::Pos, &repeat(b"", b"a1b1c1d1e1f1g1h1\n"));
    check(Format::Pos, &repeat(b"", b"1,1 "));
    check(Format::Pos, &repeat(b"", b"{[][a][b]}"));
    check(Format::Pos, &repeat(b"{", b"[]"));
    check(Format::Gomocalc, &repeat(b"", b"\n"));
    check(Format::Offsets, &repeat(b"", b"0,0\n"));
    check(Format::Psq, &repeat(b"Piskvorky 15x15\n8,8\n", b"x\n"));
    check(Format::Psq, &repeat(b"Piskvorky 15x15\n", b"\n"));
    check(Format::Rec, &repeat(b"a\nb\n", b"1,1\n"));
    check(Format::Rec, &repeat(b"a\nb\n", b"\n"));
    check(Format::Sav, &repeat(b"15 15 9999999 ", b"1 1 "));
}
