//! The desk in a browser: the second adapter beside `studio`'s server, compiled to WebAssembly.
//!
//! An instance has one thread. The page talks to one that keeps everything and thinks of nothing for
//! long (`web/hub.js`); what takes long is done by others, each in a worker of its own (`web/hand.js`).
//! All are this module. What goes in is left in a buffer, what comes out is handed to functions of the
//! browser: texts of the page, documents of its routes, files to keep, errands.
//!
//! On other machines this crate is empty.

#![cfg(target_family = "wasm")]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod browser;
mod exports;
mod machine;
mod players;
mod routes;
mod store;
