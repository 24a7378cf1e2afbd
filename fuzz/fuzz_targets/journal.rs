//! Journals: whatever is read can be counted again, without a panic and the same twice.
#![no_main]

use arena::{JournalContent, digest, replay};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let path = std::env::temp_dir().join(format!("tengen-fuzz-{}.jsonl", std::process::id()));
    if std::fs::write(&path, data).is_err() {
        return;
    }
    let Ok(content) = JournalContent::read(&path) else { return };
    let count = || replay(&content.plan, content.pairs.clone()).ok().map(|end| digest(&end.pairs));
    assert_eq!(count(), count());
});
