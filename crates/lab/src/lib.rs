//! The algorithms of five papers as points in one design space.
