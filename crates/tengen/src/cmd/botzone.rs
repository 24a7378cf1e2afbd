//! `tengen botzone`: any player for Botzone's games.

use std::time::Duration;

use anyhow::Result;
use protocol::botzone::{BotzoneGame, Options, run as serve};

use crate::players;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who plays
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    /// Which of Botzone's games
    #[arg(long, value_enum, default_value_t = Which::Gomoku)]
    game: Which,
    /// Stay alive between turns
    #[arg(long)]
    keep_running: bool,
    /// Time per turn
    #[arg(long, value_name = "T", value_parser = crate::args::parse_duration)]
    time: Option<Duration>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Which {
    /// Freestyle
    Gomoku,
    /// Freestyle with an exchange instead of the fourth stone
    Renju,
    /// Freestyle with an exchange instead of the second stone
    GomokuSwap1,
    /// Renju with forbidden points
    RenjuOfficial,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut player = players::build(&args.player)?;
    player.new_game(u64::from(std::process::id()));
    let usual = Options::default();
    let options = Options {
        game: match args.game {
            Which::Gomoku => BotzoneGame::Gomoku,
            Which::Renju => BotzoneGame::Renju,
            Which::GomokuSwap1 => BotzoneGame::GomokuSwap1,
            Which::RenjuOfficial => BotzoneGame::RenjuOfficial,
        },
        keep_running: args.keep_running,
        turn: args.time.unwrap_or(usual.turn),
        ..usual
    };
    serve(std::io::stdin().lock(), std::io::stdout(), &mut *player, &options)?;
    Ok(())
}
