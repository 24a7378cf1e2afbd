//! Proof files: a proof is accepted or refused, and never brings the checker down.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = verify::check(data);
});
