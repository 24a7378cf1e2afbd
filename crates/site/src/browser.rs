//! What the browser does for an instance. Texts and bytes are read before the call returns.

use std::time::Duration;

mod js {
    #[link(wasm_import_module = "browser")]
    #[expect(unsafe_code, reason = "a module calls the browser by names and numbers")]
    // SAFETY: each function only reads the bytes it is handed, while it runs.
    unsafe extern "C" {
        pub(super) safe fn clock() -> f64;
        pub(super) safe fn date() -> f64;
        pub(super) safe fn stopping() -> i32;
        pub(super) safe fn message(page: u32, text: *const u8, len: usize);
        pub(super) safe fn answer(
            status: u32,
            name: *const u8,
            name_len: usize,
            body: *const u8,
            body_len: usize,
        );
        pub(super) safe fn keep(name: *const u8, name_len: usize, body: *const u8, len: usize);
        pub(super) safe fn forget(name: *const u8, name_len: usize);
        pub(super) safe fn send_out(number: f64, errand: *const u8, len: usize);
        pub(super) safe fn call_back(number: f64);
        pub(super) safe fn said(news: *const u8, len: usize);
        pub(super) safe fn decode(set: *const u8, set_len: usize, bytes: *const u8, len: usize);
        pub(super) safe fn failed(text: *const u8, len: usize);
    }
}

fn milliseconds(ms: f64) -> Duration {
    Duration::from_secs_f64(ms.max(0.0) / 1e3)
}

/// Time that only goes forward.
pub(crate) fn clock() -> Duration {
    milliseconds(js::clock())
}

/// Time since 1970.
pub(crate) fn date() -> Duration {
    milliseconds(js::date())
}

/// Whether what this instance does is to stop.
pub(crate) fn is_stopping() -> bool {
    js::stopping() != 0
}

/// A message to a page.
pub(crate) fn message(page: u32, text: &str) {
    js::message(page, text.as_ptr(), text.len());
}

/// The answer to what was asked: a status, a kind or name, and the body.
pub(crate) fn answer(status: u32, name: &str, body: &[u8]) {
    js::answer(status, name.as_ptr(), name.len(), body.as_ptr(), body.len());
}

/// Keeps bytes under a name.
pub(crate) fn keep(name: &str, bytes: &[u8]) {
    js::keep(name.as_ptr(), name.len(), bytes.as_ptr(), bytes.len());
}

/// Deletes what is kept under a name.
pub(crate) fn forget(name: &str) {
    js::forget(name.as_ptr(), name.len());
}

/// Has an errand done by another instance.
pub(crate) fn send_out(number: u64, errand: &str) {
    js::send_out(number as f64, errand.as_ptr(), errand.len());
}

/// Breaks an errand off.
pub(crate) fn call_back(number: u64) {
    js::call_back(number as f64);
}

/// Tells whoever sent this instance on an errand.
pub(crate) fn said(news: &[u8]) {
    js::said(news.as_ptr(), news.len());
}

/// Leaves the text of some bytes in the buffer, by the name of their character set.
pub(crate) fn decode(set: &str, bytes: &[u8]) {
    js::decode(set.as_ptr(), set.len(), bytes.as_ptr(), bytes.len());
}

/// Says why this instance is about to end.
pub(crate) fn failed(text: &str) {
    js::failed(text.as_ptr(), text.len());
}
