//! Named openings, opening sets, the position book and the proved book.
