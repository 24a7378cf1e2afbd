//! The Gomocup entry: `tengen gomocup` under the name that managers look for.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    tengen_cli::pbrain()
}
