//! `tengen worker`: plays the pairs of matches that run elsewhere.

use std::{sync::Arc, thread};

use anyhow::Result;
use arena::{COMMAND_PREFIX, RunControl};
use fleet::{Listener, Post, Timing, Told};

use crate::{args::NatsArgs, cmd::bench, players::factory, runs::interrupt_on_ctrl_c, show::outln};

/// Plies of the search whose node count tells builds apart.
const SIGNATURE_DEPTH: u32 = 4;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The NATS server, such as nats://host:4222
    #[arg(long, value_name = "URL")]
    nats: String,
    #[command(flatten)]
    login: NatsArgs,
    /// Pairs played at the same time (default: one per core)
    #[arg(long, value_name = "J")]
    jobs: Option<usize>,
    /// Name of this worker in reports (default: the name it logs in with, or host and process)
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Program that matches may start here, exactly as they name it (may be repeated)
    #[arg(long, value_name = "COMMAND")]
    allow: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let post = Post {
        access: args.login.access(&args.nats)?,
        name: args.name.clone().unwrap_or_else(default_name),
        jobs: args.jobs.unwrap_or_else(cores),
        signature: signature(),
        allowed: args.allow.iter().map(|command| without_prefix(command)).collect(),
        timing: Timing::default(),
    };
    let control = RunControl::default();
    interrupt_on_ctrl_c(&control)?;
    eprintln!("Worker {} ({}) at {}", post.name, post.signature, post.access.url);
    let listener: Listener = Arc::new(|told| match told {
        Told::Started { .. } => {}
        Told::Finished { run, index } => eprintln!("{run}: pair {index} played"),
        Told::Note(text) => eprintln!("{text}"),
    });
    let played = fleet::work(&post, &factory(), &control, &listener)?;
    outln!("{played} pairs played.");
    Ok(())
}

/// What a worker and a coordinator must have in common to play the same games: the build, and what
/// its search does on this machine.
pub(crate) fn signature() -> String {
    let nodes = bench::search::run(Some(SIGNATURE_DEPTH)).nodes;
    format!("{}, {nodes} nodes", crate::BUILD)
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// `host/process`, so that two workers on one machine differ.
fn default_name() -> String {
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let host = host.trim();
    format!("{}/{}", if host.is_empty() { "worker" } else { host }, std::process::id())
}

/// Programs may be allowed as matches name them, `cmd:./program`, or without the `cmd:`.
fn without_prefix(command: &str) -> String {
    command.strip_prefix(COMMAND_PREFIX).unwrap_or(command).trim().to_owned()
}
