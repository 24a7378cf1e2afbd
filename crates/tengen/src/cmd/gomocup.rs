//! `tengen gomocup`: any player for Piskvork, Gomocup's judge, Yixin-Board and c-gomoku-cli.

use std::time::Duration;

use ::book::Notebook;
use anyhow::Result;
use player::{Arg, Spec};
use protocol::{
    Coordinates,
    serve::{AtEnd, Resources, Settings, serve},
};

use crate::players::{registry, resolve};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who plays
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    /// The order of coordinates: Piskvork's column,row or Yixin-Board's row,column
    #[arg(long, value_enum, default_value_t = Order::Piskvork)]
    coordinates: Order,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Order {
    /// Column, then row from the top
    Piskvork,
    /// Row from the top, then column
    YixinBoard,
}

impl Default for Args {
    fn default() -> Args {
        Args { player: "engine".to_owned(), coordinates: Order::Piskvork }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let spec: Spec = resolve(&args.player)?.parse()?;
    registry().params(&spec.to_string())?;
    // Piskvork reads standard error as protocol text.
    std::panic::set_hook(Box::new(|_| {}));
    crate::positions::QUIET.store(true, std::sync::atomic::Ordering::Relaxed);
    let settings = Settings {
        coordinates: match args.coordinates {
            Order::Piskvork => Coordinates::ColumnRow,
            Order::YixinBoard => Coordinates::RowColumn,
        },
        seed: u64::from(std::process::id()),
        max_threads: std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
        at_end: leave,
        ..Settings::default()
    };
    let mut make = |granted: &Resources| {
        registry().build(&within(&spec, granted).to_string()).map_err(|error| error.to_string())
    };
    let notes = Box::new(Notebook::new(&spec.to_string()));
    serve(std::io::stdin(), std::io::stdout(), &mut make, Some(notes), &settings)?;
    Ok(())
}

/// The process is gone at or soon after END, whatever the search is doing.
fn leave(at_end: AtEnd) {
    if at_end == AtEnd::Leave {
        std::process::exit(0);
    }
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_millis(150));
        std::process::exit(0);
    });
}

/// The player with a table and threads that fit what the manager grants, where it has such
/// parameters and they were not typed.
fn within(spec: &Spec, granted: &Resources) -> Spec {
    let mut spec = spec.clone();
    let declared = registry().info(&spec.name).map(|info| info.params.as_slice()).unwrap_or(&[]);
    let mut set = |name: &str, value: Option<u64>| {
        let is_open = declared.iter().any(|param| param.name == name)
            && !spec.args.iter().any(|arg| arg.key.as_deref() == Some(name));
        if let (true, Some(value)) = (is_open, value) {
            let key = Some(name.to_owned());
            spec.args.push(Arg { key, value: vec![Spec::word(&value.to_string())] });
        }
    };
    // Half of the memory for the table leaves room for everything else.
    let from_memory = granted.memory.filter(|&bytes| bytes > 0).map(|bytes| bytes >> 21);
    let from_hash = granted.hash.map(|kilobytes| kilobytes >> 10);
    let megabytes = match (from_hash, from_memory) {
        (Some(hash), Some(memory)) => Some(hash.min(memory)),
        (hash, memory) => hash.or(memory.map(|memory| memory.min(128))),
    };
    set("hash", megabytes.map(|megabytes| megabytes.clamp(1, 4096)));
    set("threads", granted.threads.map(|threads| u64::from(threads.clamp(1, 64))));
    spec
}
