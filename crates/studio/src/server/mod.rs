//! The outside of the studio: connections, who may use them, routes, the socket, and the page's files.

mod assets;
mod connections;
mod guard;
mod routes;
mod socket;

pub(crate) use self::{
    assets::Assets,
    connections::ConnectionLimiter,
    guard::{Guard, MAX_REQUESTS},
    routes::{page_router, program_router},
};
