//! `tengen selfplay`: games of a player against itself, one a line, for `tengen train`.
//!
//! A game depends on its number and the seed alone. So a file that was cut short is continued with
//! the next number, and the games are the same whatever the number of jobs.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use linelog::LineLog;
use player::Watch;
use train::{Selfplay, SelfplayGame};

use crate::{args::GameArgs, players, show::outln};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file; games are added to what it holds
    #[arg(value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    game: GameArgs,
    /// How many games the file shall have
    #[arg(long, default_value = "1000", value_name = "N", value_parser = crate::args::parse_count)]
    games: u64,
    /// Nodes a move, on average
    #[arg(long, default_value = "1000", value_name = "N", value_parser = crate::args::parse_count)]
    nodes: u64,
    /// Who plays
    #[arg(long, default_value = "engine(hash=4)", value_name = "PLAYER")]
    player: String,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at the same time; the file does not depend on it
    #[arg(long, default_value_t = 1, value_name = "J")]
    jobs: usize,
}

struct StopFlag<'a>(&'a AtomicBool);

impl Watch for StopFlag<'_> {
    fn stopped(&self) -> bool {
        self.0.load(Relaxed)
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (rule, size) = (args.game.rule, args.game.size);
    let set = book::shipped_for(rule, size).map(|set| set.half(book::Half::Tuning));
    let openings = set.map_or(Vec::new(), |set| set.openings);
    let play = Selfplay { rule, size, nodes: args.nodes, openings, seed: args.seed };
    let (mut log, held) = LineLog::open_text(&args.out)?;
    for (i, line) in held.iter().enumerate() {
        let game: SelfplayGame = line
            .parse()
            .with_context(|| format!("Line {} of {} is damaged", i + 1, args.out.display()))?;
        if (game.rule, game.size) != (rule, size) {
            bail!("{} holds games of {} {}.", args.out.display(), game.rule, game.size);
        }
    }
    let first = held.len() as u64;
    let (next, stop) = (AtomicU64::new(first), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let players = (0..args.jobs.max(1)).map(|_| players::build(&args.player));
    let players = players.collect::<Result<Vec<_>>>()?;
    let failed: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for mut player in players {
            let (sender, play, next, stop) = (sender.clone(), &play, &next, &stop);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= args.games || stop.load(Relaxed) {
                        return;
                    }
                    let game = play.game(number, &mut *player, &StopFlag(stop));
                    if sender.send((number, game)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let written = write(&mut log, receiver, (first, args.games));
        stop.store(true, Relaxed);
        *failed.lock().expect("nobody panics") = written.err();
    });
    failed.into_inner().expect("nobody panics").map_or(Ok(()), Err)
}

/// Writes the games in the order of their numbers.
fn write(
    log: &mut LineLog,
    games: mpsc::Receiver<(u64, Option<SelfplayGame>)>,
    (first, last): (u64, u64),
) -> Result<()> {
    let begun = Instant::now();
    let mut told = begun;
    let mut waiting = BTreeMap::new();
    let mut next = first;
    for (number, game) in games {
        waiting.insert(number, game.context("A game could not be played to its end.")?);
        while let Some(game) = waiting.remove(&next) {
            log.append_text(&game.to_string())?;
            next += 1;
        }
        if told.elapsed() > Duration::from_secs(10) || next == last {
            told = Instant::now();
            log.sync()?;
            let rate = (next - first) as f64 / begun.elapsed().as_secs_f64();
            outln!("{next} of {last} games, {:.0} an hour", 3600.0 * rate);
        }
    }
    Ok(())
}
