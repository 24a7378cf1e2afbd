//! The command line: the one place that names players and brings all crates together.
//!
//! Each command is a file in `cmd`: its arguments as a struct, and a `run`. What is typed is checked
//! here, once; the libraries below get validated values. A command that fails prints one sentence
//! and exits with 1; wrong usage exits with 2.

#![forbid(unsafe_code)]

mod args;
mod book;
mod cmd;
mod data;
mod players;
mod positions;
mod runs;
mod show;
mod view;

use std::{path::Path, process::ExitCode};

use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand};

/// Version and commit.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("TENGEN_COMMIT"), ")");

/// What journals say made them.
const BUILD: &str = concat!("tengen ", env!("CARGO_PKG_VERSION"), " (", env!("TENGEN_COMMIT"), ")");

#[derive(Debug, Parser)]
#[command(
    name = "tengen",
    version = VERSION,
    about = "Play, analyze, compare, tune and solve Gomoku",
    long_about = "Tengen is a Gomoku studio, lab, engine, arena and solver in one program.\n\
                  Without a command it starts the studio in your browser.",
    propagate_version = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Folder for games, runs and books (default: the platform's data folder)
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<std::path::PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the studio in the browser (the default command)
    Studio(cmd::studio::Args),
    /// Serve players over HTTP to programs in other languages (see /openapi.json)
    Serve(cmd::serve::Args),
    /// Play in the terminal: two people, a person against a player, or two players
    Play(cmd::play::Args),
    /// List the players, or show one with its parameters and tables
    Players(cmd::players::Args),
    /// Analyze a position with a player
    Analyze(cmd::analyze::Args),
    /// Convert records from one format or character set to another
    Convert(cmd::convert::Args),
    /// Play a match between two players, colors swapped, and measure the difference in strength
    Match(cmd::matches::Args),
    /// Play a tournament between several players
    Tournament(cmd::tournament::Args),
    /// Tune a player's parameters by playing games
    Tune(cmd::tune::Args),
    /// Play games of a player against itself, to learn from
    Selfplay(cmd::selfplay::Args),
    /// Learn a network for the engine from such games
    Train(cmd::train::Args),
    /// Play games of matches that were started elsewhere with --dispatch
    Worker(cmd::worker::Args),
    /// Repeat the experiments of the papers and compare the results
    Papers(cmd::papers::Args),
    /// Show ratings from all recorded games
    Ratings(cmd::ratings::Args),
    /// List, export or make sets of balanced openings
    Openings(cmd::openings::Args),
    /// Build a book of searched positions, look into it, exchange and merge books
    Book(cmd::book::Args),
    /// Calculate Elo, likelihood of superiority and SPRT from results
    Stats(cmd::stats::Args),
    /// Search for a forced win and write its proof
    Prove(cmd::prove::Args),
    /// Show which games are solved, and play against the proof
    Solved(cmd::solved::Args),
    /// Check a proof file, or all that is solved: every reply at every turn
    Verify(cmd::verify::Args),
    /// Speak the Gomocup protocol (Piskvork, Yixin-Board, c-gomoku-cli)
    Gomocup(cmd::gomocup::Args),
    /// Speak GTP, for front ends such as Sabaki and GoGui
    Gtp(cmd::gtp::Args),
    /// Play on Botzone
    Botzone(cmd::botzone::Args),
    /// Measure the speed of the board and the search
    Bench(cmd::bench::Args),
    /// Print a shell completion script
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages, one for each command
    Man {
        /// Folder for the pages
        folder: std::path::PathBuf,
    },
}

/// Runs the command line and returns the exit code.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    data::name(cli.data);
    let done = match cli.command {
        None => cmd::studio::run(&cmd::studio::Args::default()),
        Some(Command::Studio(args)) => cmd::studio::run(&args),
        Some(Command::Serve(args)) => cmd::serve::run(&args),
        Some(Command::Play(args)) => cmd::play::run(&args),
        Some(Command::Players(args)) => cmd::players::run(&args),
        Some(Command::Analyze(args)) => cmd::analyze::run(&args),
        Some(Command::Convert(args)) => cmd::convert::run(&args),
        Some(Command::Match(args)) => cmd::matches::run(&args),
        Some(Command::Tournament(args)) => cmd::tournament::run(&args),
        Some(Command::Tune(args)) => cmd::tune::run(&args),
        Some(Command::Selfplay(args)) => cmd::selfplay::run(&args),
        Some(Command::Train(args)) => cmd::train::run(&args),
        Some(Command::Worker(args)) => cmd::worker::run(&args),
        Some(Command::Papers(args)) => cmd::papers::run(&args),
        Some(Command::Ratings(args)) => cmd::ratings::run(&args),
        Some(Command::Openings(args)) => cmd::openings::run(&args),
        Some(Command::Book(args)) => cmd::book::run(&args),
        Some(Command::Stats(args)) => cmd::stats::run(&args),
        Some(Command::Prove(args)) => cmd::prove::run(&args),
        Some(Command::Solved(args)) => cmd::solved::run(&args),
        Some(Command::Verify(args)) => cmd::verify::run(&args),
        Some(Command::Gomocup(args)) => cmd::gomocup::run(&args),
        Some(Command::Gtp(args)) => cmd::gtp::run(&args),
        Some(Command::Botzone(args)) => cmd::botzone::run(&args),
        Some(Command::Bench(args)) => cmd::bench::run(&args),
        Some(Command::Completions { shell }) => {
            clap_complete::generate(shell, &mut Cli::command(), "tengen", &mut std::io::stdout());
            Ok(())
        }
        Some(Command::Man { folder }) => write_pages(&folder),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tengen: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a manual page for each command, and one for `pbrain-tengen`.
fn write_pages(folder: &Path) -> anyhow::Result<()> {
    let brain = clap::Command::new("pbrain-tengen")
        .version(VERSION)
        .about("Play Gomoku for a manager that speaks the Gomocup protocol")
        .long_about(PBRAIN_HELP);
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .and_then(|()| clap_mangen::generate_to(brain, folder))
        .with_context(|| format!("{} cannot be written", folder.display()))
}

/// What `pbrain-tengen --help` prints.
const PBRAIN_HELP: &str = "\
pbrain-tengen speaks the Gomocup protocol on standard input and output.

Let a manager start it: Piskvork, c-gomoku-cli (-engine cmd=pbrain-tengen), or Yixin-Board by way of
'tengen gomocup --coordinates yixin-board'. To try it by hand, type:

  START 15
  BEGIN
  END

'tengen gomocup --help' shows what can be chosen.
";

/// Runs the Gomocup protocol on standard input and output.
pub fn pbrain() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("--help" | "-h") => show::write(format_args!("{PBRAIN_HELP}")),
        Some("--version" | "-V") => show::outln!("pbrain-tengen {VERSION}"),
        _ => {
            if cmd::gomocup::run(&cmd::gomocup::Args::default()).is_err() {
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
