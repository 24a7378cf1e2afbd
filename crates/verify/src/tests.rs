//! What the crate's tests share; the tests themselves are below, by subject.

mod builder;
mod bytes;
mod forbidden;
mod mutations;
mod proofs;
mod reference;
mod small_boards;

use crate::{CheckedProof, Fault, Manner, check, check_stream};
use builder::Proof;
use std::ops::ControlFlow;

/// Checks a proof quickly, literally and byte by byte from a stream, and insists that all agree.
fn check_all_ways(proof: &Proof) -> Result<CheckedProof, Fault> {
    let bytes = proof.encode();
    let quick = check(&bytes);
    let literal =
        check_stream(OneByteAtATime(&bytes), Manner::Literal, &mut |_| ControlFlow::Continue(()));
    match (&quick, literal) {
        (Ok(quick), Ok(mut literal)) => {
            literal.counts.nodes = quick.counts.nodes;
            assert_eq!(*quick, literal);
        }
        // Among several flaws the two may meet different ones first.
        (Err(_), Err(_)) => {}
        (quick, literal) => panic!("quick says {quick:?}, literal says {literal:?}"),
    }
    quick
}

struct OneByteAtATime<'a>(&'a [u8]);

impl std::io::Read for OneByteAtATime<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(1);
        std::io::Read::read(&mut self.0, &mut buffer[..length])
    }
}

/// A small generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}
