//! Play, analyse, compare, tune and solve Gomoku from one binary.

fn main() {}
