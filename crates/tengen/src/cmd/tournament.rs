//! `tengen tournament`: several players against each other.

use anyhow::Result;
use arena::Schedule;

use crate::runs::{self, RunArgs};

#[derive(Debug, clap::Args)]
#[group(id = "kind", multiple = false)]
pub(crate) struct Args {
    /// The players, two or more (presets, specs, preset files, or cmd:./program)
    #[arg(required_unless_present = "resume", num_args = 2..)]
    players: Vec<String>,
    /// Everyone against everyone (the default)
    #[arg(long, conflicts_with_all = ["gauntlet", "ladder"])]
    round_robin: bool,
    /// The first against each of the others
    #[arg(long, conflicts_with = "ladder")]
    gauntlet: bool,
    /// Each enters at the foot of a ladder and climbs while it wins
    #[arg(long)]
    ladder: bool,
    /// Games for each pairing
    #[arg(long, default_value_t = 20, value_name = "N")]
    games: u64,
    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let pairs = args.games.div_ceil(2);
    let schedule = if args.gauntlet {
        Schedule::Gauntlet { pairs }
    } else if args.ladder {
        Schedule::Ladder { pairs }
    } else {
        Schedule::RoundRobin { pairs }
    };
    runs::run(&args.run, "tournament", &args.players, schedule)
}
