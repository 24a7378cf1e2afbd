//! Proof files: a proof is accepted or refused, and never brings the checker down.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verify::{Sha256, check};

fuzz_target!(|data: &[u8]| {
    // With the right checksum it is read.
    if let (Err(_), Some((body, _))) = (check(data), data.split_last_chunk::<32>()) {
        let _ = check(&[body, &Sha256::of(body)].concat());
    }
});
