//! Play, analyze, compare, tune and solve Gomoku from one binary.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tengen_cli::main()
}
