//! The outside of the studio: connections, who may use them, routes, the socket, and the page's files.

mod assets;
mod connections;
mod guard;
mod routes;
mod socket;
mod turns;

pub(crate) use self::{
    assets::Assets,
    connections::{ConnectionLimiter, Peer},
    guard::Guard,
    routes::{page_router, program_router},
    turns::Turns,
};
