//! The outside of the studio: connections, who may use them, routes, the socket, and the page's files.

mod api;
mod assets;
mod connections;
mod guard;
mod routes;
mod socket;

use std::sync::Arc;

use axum::Router;

pub(crate) use self::{
    assets::Assets,
    connections::ConnectionLimiter,
    guard::{Guard, MAX_REQUESTS},
};
use crate::Studio;

/// All routes behind the guard, with the page or only those for other programs.
pub(crate) fn router(studio: Arc<Studio>, with_page: bool) -> Router {
    match with_page {
        true => routes::router(studio),
        false => api::router(studio),
    }
}
