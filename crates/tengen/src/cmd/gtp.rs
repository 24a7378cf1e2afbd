//! `tengen gtp`: any player for front ends of Go that can play Gomoku too, such as Sabaki and GoGui.

use std::time::Duration;

use anyhow::Result;
use player::{Limits, Spec};
use protocol::gtp::{GtpOptions, run as serve};

use crate::{
    args::{GameArgs, LimitArgs},
    players::{registry, resolve},
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who plays
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let spec: Spec = resolve(&args.player)?.parse()?;
    registry().params(&spec.to_string())?;
    let options = GtpOptions {
        rule: args.game.rule,
        size: args.game.size,
        limits: args.limits.or(Limits::turn(Duration::from_secs(5))),
        seed: u64::from(std::process::id()),
    };
    let mut make = || registry().build(&spec.to_string()).map_err(|error| error.to_string());
    serve(std::io::stdin(), std::io::stdout(), &mut make, &options)?;
    Ok(())
}
