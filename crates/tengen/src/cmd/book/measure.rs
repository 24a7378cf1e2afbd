//! `tengen book time`: what a book saves. Play a match with and without one, then ask here.

use std::path::PathBuf;

use anyhow::{Result, bail};
use arena::{JournalContent, PairRecord};
use gomoku::Color;
use serde_json::json;

use crate::{data, show::outln};

#[derive(Debug, clap::Args)]
pub(super) struct Time {
    /// The run: its name, or its journal
    run: String,
    /// How many of a player's first moves in each game to count
    #[arg(long, default_value_t = 6, value_name = "N")]
    moves: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Microseconds over all games, and how many moves they were spent on.
#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    micros: u64,
    moves: u64,
    /// Moves that took less than a millisecond: played at once, as from a book.
    at_once: u64,
}

pub(super) fn run(args: &Time) -> Result<()> {
    let path = match PathBuf::from(&args.run) {
        file if file.is_file() => file,
        _ => data::folder()?.join("runs").join(&args.run).join("journal.jsonl"),
    };
    let recorded = JournalContent::read(&path)?;
    let mut spent = vec![Spent::default(); recorded.plan.players.len()];
    let mut score = vec![0_u64; spent.len()];
    let mut pairs = recorded.pairs;
    pairs.sort_by_key(|pair| pair.index);
    pairs.dedup_by_key(|pair| pair.index);
    for pair in &pairs {
        count(pair, args.moves, &mut spent, &mut score);
    }
    if pairs.is_empty() {
        bail!("No game of {} is finished.", args.run);
    }
    let mean = |s: &Spent| s.micros as f64 / s.moves.max(1) as f64 / 1000.0;
    let lines = recorded.plan.players.iter().zip(&spent).zip(&score);
    if args.json {
        let players: Vec<_> = lines
            .map(|((player, s), points)| {
                json!({"player": player.name, "milliseconds_a_move": mean(s), "moves": s.moves,
                       "at_once": s.at_once, "points": *points as f64 / 2.0})
            })
            .collect();
        let document = json!({"games": 2 * pairs.len(), "first_moves": args.moves,
            "players": players, "saved_percent": saved(&spent)});
        outln!("{}", serde_json::to_string_pretty(&document)?);
        return Ok(());
    }
    outln!("{} games, the first {} moves of each player", 2 * pairs.len(), args.moves);
    for ((player, s), points) in lines {
        outln!(
            "{:<40} {:>8.2} ms per move, {} of {} at once, {} points",
            player.name,
            mean(s),
            s.at_once,
            s.moves,
            *points as f64 / 2.0
        );
    }
    if let Some(saved) = saved(&spent) {
        outln!("The first thinks {saved:.1} % less than the second.");
    }
    Ok(())
}

/// How much less the first of two players thinks, in percent.
fn saved(spent: &[Spent]) -> Option<f64> {
    let [first, second] = spent else { return None };
    let mean = |s: &Spent| s.micros as f64 / s.moves.max(1) as f64;
    (second.micros > 0).then(|| 100.0 * (1.0 - mean(first) / mean(second)))
}

fn count(pair: &PairRecord, moves: usize, spent: &mut [Spent], score: &mut [u64]) {
    // The side to move after the opening makes the first move of the record.
    for (number, game) in pair.games.iter().enumerate() {
        let opening_stones = pair.opening.chars().filter(char::is_ascii_alphabetic).count();
        for (ply, &micros) in game.times.iter().enumerate().take(2 * moves) {
            let color = Color::of_turn(opening_stones + ply);
            let spent = &mut spent[pair.player(number, color)];
            spent.micros += micros;
            spent.moves += 1;
            spent.at_once += u64::from(micros < 1000);
        }
        for color in Color::ALL {
            score[pair.player(number, color)] += game.half_points(color) as u64;
        }
    }
}
