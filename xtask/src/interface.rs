//! The interface over HTTP: requests that schemathesis makes of its description, right ones and wrong
//! ones, and the answers held against it.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use anyhow::{Context, Result};

use crate::{
    python::{environment, pip},
    run::{step, target},
};

/// The version that makes the same requests of the same seed.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_schema_conformance";

/// A server that ends with the test, however that ends.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        // It may be gone already, which the requests will have found out.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asks a server without optimization some 1,500 questions, the same each time.
pub(crate) fn test() -> Result<()> {
    step("", "cargo", &["build", "--locked", "-p", "tengen"])?;
    let folder = target()?.join("interface");
    let python = environment(&folder.join("environment"))?;
    pip(&python, &[SCHEMATHESIS])?;
    let data = folder.join("data");
    if data.is_dir() {
        fs::remove_dir_all(&data)?;
    }
    let (_served, address) = serve(&target()?.join("debug/tengen"), &data)?;
    let description = format!("{address}openapi.json");
    let (phases, kept) = ("examples,coverage,fuzzing", ["-n", "15", "--seed", "1", "--no-shrink"]);
    let run = ["-m", "schemathesis.cli", "run", &description, "--checks", CHECKS];
    let how = ["--phases", phases, "--request-timeout", "60", "--warnings", "off"];
    step(&folder, &python, &[&run[..], &how, &kept].concat())
}

/// Starts the program on a free port, and says where it is.
fn serve(program: &Path, data: &Path) -> Result<(Served, String)> {
    let mut command = Command::new(program);
    command.args(["serve", "--port", "0", "--data"]).arg(data).stdout(Stdio::piped());
    let mut served = Served(command.spawn().context("the program cannot be started")?);
    let output = served.0.stdout.take().context("the program says nothing")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    let address = line.trim().strip_prefix("Tengen is at ");
    Ok((served, address.with_context(|| format!("the program says '{line}'"))?.to_owned()))
}
