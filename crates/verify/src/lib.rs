//! Checks proofs of wins with its own board and its own rules, and depends on nothing.
