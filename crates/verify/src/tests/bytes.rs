//! Hostile and broken input, and the promises about dependencies and memory.

use std::{io, ops::ControlFlow};

use super::{
    Random,
    builder::{Proof, seal},
    proofs,
};
use crate::{
    Color, Flaw, Manner, Rule, check, check_stream,
    tree::{Source, Stream},
};

/// A header for Black to move and win on an empty 15x15 board, then these bytes, then a checksum.
fn file(tree: &[u8]) -> Vec<u8> {
    let mut bytes = b"TENGENPF\x01".to_vec();
    bytes.extend([0, 15, 0, 0, 100, 0, 0]);
    bytes.extend(tree);
    seal(bytes)
}

fn flaw(bytes: &[u8]) -> Flaw {
    check(bytes).unwrap_err().flaw
}

#[test]
fn the_crate_depends_on_nothing() {
    let manifest = include_str!("../../Cargo.toml");
    let sections: Vec<&str> = manifest.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!(sections, ["[package]", "[lints]", "[dependencies]"]);
    let (_, dependencies) = manifest.split_once("[dependencies]").expect("the table");
    assert_eq!(dependencies.trim(), "");
}

#[test]
fn headers_are_checked() {
    let good = proofs::four_three().encode();
    let with = |at: usize, value: u8| {
        let mut body = good[..good.len() - 32].to_vec();
        body[at] = value;
        flaw(&seal(body))
    };
    assert_eq!(with(0, b'X'), Flaw::NotAProof);
    assert_eq!(with(8, 2), Flaw::Version(2));
    assert_eq!(with(9, 2), Flaw::Header("rule"));
    assert_eq!(with(10, 4), Flaw::Header("board size"));
    assert_eq!(with(10, 23), Flaw::Header("board size"));
    assert_eq!(with(11, 2), Flaw::Header("side to move"));
    assert_eq!(with(12, 2), Flaw::Header("attacker"));
    let doubled = Proof::new(Rule::Freestyle, Color::Black, ["h8 h8", ""], "h9!");
    assert_eq!(flaw(&doubled.encode()), Flaw::Header("list of stones"));
    let both = Proof::new(Rule::Freestyle, Color::Black, ["h8", "h8"], "h9!");
    assert_eq!(flaw(&both.encode()), Flaw::Header("list of stones"));
    let far = Proof { black: vec![225], ..both };
    assert_eq!(flaw(&far.encode()), Flaw::Header("list of stones"));
    assert_eq!(flaw(b""), Flaw::Truncated);
    assert_eq!(flaw(&[b'T'; 40]), Flaw::Damaged);
    assert_eq!(check(b"TENGENPF").unwrap_err().to_string(), "The proof ends too early.");
}

#[test]
fn numbers_have_one_spelling() {
    let bad = Flaw::Malformed("a number is badly written");
    assert_eq!(flaw(&file(&[0x80, 0])), bad);
    assert_eq!(flaw(&file(&[0x80, 0x80, 0x80, 0x80, 0x80, 1])), bad);
    assert_eq!(flaw(&file(&[0xff, 0xff, 0xff, 0xff, 0x1f])), bad);
    // The largest number is read: that many shared trees do not follow.
    assert_eq!(flaw(&file(&[0xff, 0xff, 0xff, 0xff, 0x0f])), Flaw::Malformed("no such node"));
}

#[test]
fn shared_trees_look_back_and_make_moves() {
    let node = Flaw::Malformed("no such node");
    assert_eq!(flaw(&file(&[1, 2, 2])), node, "a tree that names itself");
    assert_eq!(flaw(&file(&[0, 2])), node, "a tree that is not there");
    assert_eq!(flaw(&file(&[0, 7])), node, "not a kind");
    let start = Flaw::Malformed("a shared tree starts without a move");
    assert_eq!(flaw(&file(&[2, 0, 2, 2])), start);
    assert_eq!(flaw(&file(&[1, 3, 2])), start);
}

/// Trees that are only read, not played, could be nested without end.
#[test]
fn nesting_is_limited() {
    let nested = |depth: usize| {
        // Shared tree 0: MOVE a1 with default MOVE a1 with default ... WIN a1.
        let mut tree = vec![1];
        for _ in 0..depth {
            tree.extend([1, 0]);
        }
        tree.push(0);
        tree.push(2); // the proof is that tree
        flaw(&file(&tree))
    };
    assert_eq!(nested(200), Flaw::Occupied(crate::Point { col: 0, row: 0 }));
    assert_eq!(nested(257), Flaw::Malformed("it is nested too deeply"));
    assert_eq!(nested(1_000_000), Flaw::Malformed("it is nested too deeply"));
    assert_eq!(flaw(&file(&[0, 1, 2, 0, 3])), Flaw::Malformed("a group of replies has no end"));
}

/// The longest possible line fits on the stack of a test's thread.
#[test]
fn the_largest_board_can_be_walked_to_the_end() {
    let mut bytes = b"TENGENPF\x01".to_vec();
    bytes.extend([0, 22, 0, 0, 0xff, 0x7f, 0, 0, 0]);
    // Each side fills cell after cell, in an order that makes no five.
    let order: Vec<usize> = (0..484).map(|i| (i % 242) * 2 + usize::from(i >= 242)).collect();
    let color = |cell: usize| (cell % 22 + 2 * (cell / 22)) % 4 < 2;
    let (black, white): (Vec<usize>, Vec<usize>) = order.iter().partition(|&&cell| color(cell));
    let mut number = |mut value: usize| {
        while value >= 128 {
            bytes.push(value as u8 | 128);
            value >>= 7;
        }
        bytes.push(value as u8);
    };
    for (black, white) in black.iter().zip(&white) {
        number(4 * black + 1);
        number(1 + 2 * white);
    }
    number(3);
    let fault = check(&seal(bytes)).unwrap_err();
    assert_eq!(fault.line.len(), 484);
    assert_eq!(fault.flaw, Flaw::Unanswered);
}

#[test]
fn random_bytes_never_panic() {
    let mut random = Random(4);
    for _ in 0..20_000 {
        let length = random.below(60);
        let narrow = random.below(2) == 0;
        let tree: Vec<u8> =
            (0..length).map(|_| random.below(if narrow { 12 } else { 256 }) as u8).collect();
        let mut bytes = file(&tree);
        if random.below(2) == 0 {
            bytes[9] = [0, 1, 4, 8, 9][random.below(5)];
            bytes[10] = 5 + random.below(18) as u8;
            bytes[11] = random.below(2) as u8;
            bytes[12] = random.below(2) as u8;
            bytes.truncate(bytes.len() - 32);
            bytes = seal(bytes);
        }
        let mut watch = |_: &_| ControlFlow::Break(());
        assert!(check_stream(&bytes[..], Manner::Quick, &mut watch).is_err());
        assert!(check(&tree).is_err());
    }
}

#[test]
fn the_watcher_can_stop_a_check() {
    // A quiet move with a quiet default: 223 * 221 replies.
    let proof = Proof::new(
        Rule::Freestyle,
        Color::Black,
        ["e8 f8 g8 h9 h10", "d8"],
        "o15 { *: h8 { i8: h11 { h12: h7!; *: h12! }; *: i8! } }",
    );
    let mut looks = 0;
    let mut watch = |counts: &crate::Counts| {
        looks += 1;
        assert!(counts.replies >= 1 << 14);
        ControlFlow::Break(())
    };
    let stopped = check_stream(&proof.encode()[..], Manner::Literal, &mut watch);
    assert_eq!(stopped.unwrap_err().flaw, Flaw::Stopped);
    assert_eq!(looks, 1);
}

#[test]
fn read_errors_are_reported() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is on fire"))
        }
    }
    let fault = check_stream(Broken, Manner::Quick, &mut |_| ControlFlow::Continue(()));
    assert_eq!(fault.unwrap_err().to_string(), "The proof could not be read: the disk is on fire.");
}

#[test]
fn kept_trees_have_a_limit() {
    let tree = [1, 1, 0, 0, 0]; // MOVE a1 { a1: WIN a1; *: WIN a1 }
    assert_eq!(Stream::new(&tree[..], 5).tree(0).expect("room").len(), 5);
    assert_eq!(Stream::new(&tree[..], 4).tree(0).unwrap_err(), Flaw::TooLarge);
    assert_eq!(Stream::new(&tree[..], 5).shared_tree(0).unwrap_err(), Flaw::TooLarge);
}
