//! The papers' experiments as data, and their report.
