//! The rules of Gomoku: boards, shapes, forbidden points, openings and records.
