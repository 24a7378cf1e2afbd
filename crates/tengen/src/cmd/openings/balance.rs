//! `tengen openings balance`: plays openings out and says what Black scored.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use anyhow::{Context, Result, bail};
use book::OpeningSet;
use gomoku::{Color, Position};
use player::{Limits, Player, Task, Unwatched};
use serde_json::json;

use crate::{args::LimitArgs, players, runs::ProgressLine, show::outln};

#[derive(Debug, clap::Args)]
pub(super) struct Balance {
    /// A built-in set (or half of one), or a file as written by 'tengen openings export'
    set: String,
    /// How many openings, spread evenly over the set (default: all)
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Who plays both sides
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    /// Play color-swapped pairs against this player; without it one game stands for both of a pair,
    /// because the same player does the same in the same position
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Games played at the same time
    #[arg(long, default_value_t = 1, value_name = "J")]
    jobs: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Black's half points (0, 1, 2) in the first game of an opening and, if there is one, in the game
/// with colors swapped.
#[derive(Clone, Copy, Debug)]
struct Played {
    stones: usize,
    first: usize,
    swapped: Option<usize>,
}

pub(super) fn run(args: &Balance) -> Result<()> {
    let set = find(&args.set)?;
    let total = set.openings.len();
    let games = args.games.unwrap_or(total).min(total);
    if games == 0 {
        bail!("{} has no openings.", set.name);
    }
    let played = play_all(args, &set, games)?;
    report(args, &set, &played)
}

fn find(name: &str) -> Result<OpeningSet> {
    if let Some(set) = book::shipped_named(name) {
        return Ok(set);
    }
    let text = std::fs::read_to_string(name)
        .with_context(|| format!("'{name}' is neither a built-in set nor a readable file"))?;
    OpeningSet::parse(&text).with_context(|| format!("Cannot read {name}"))
}

fn play_all(args: &Balance, set: &OpeningSet, games: usize) -> Result<Vec<Played>> {
    let limits = args.limits.or(Limits::nodes(20_000));
    let next = AtomicUsize::new(0);
    let played = Mutex::new(vec![None; games]);
    let progress = Mutex::new((0, ProgressLine::new(args.json)));
    let work = || -> Result<()> {
        let mut one = players::build(&args.player)?;
        let mut other = players::build(args.against.as_ref().unwrap_or(&args.player))?;
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                return Ok(());
            }
            let start = set.position(game * set.openings.len() / games);
            let first = play(&start, &mut *one, &mut *other, limits)?;
            let swapped = match args.against {
                Some(_) => Some(play(&start, &mut *other, &mut *one, limits)?),
                None => None,
            };
            let result = Played { stones: start.moves().len(), first, swapped };
            played.lock().expect("no thread panics while it holds this")[game] = Some(result);
            let (done, line) = &mut *progress.lock().expect("no thread panics while it holds this");
            *done += 1;
            line.bar("openings", *done, games as u64);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a player panicked"))
    })?;
    progress.into_inner().expect("all threads have ended").1.clear();
    let played = played.into_inner().expect("all threads have ended");
    Ok(played.into_iter().flatten().collect())
}

/// Black's half points in one game.
fn play(
    start: &Position,
    black: &mut dyn Player,
    white: &mut dyn Player,
    limits: Limits,
) -> Result<usize> {
    black.new_game(0);
    white.new_game(0);
    let mut position = start.clone();
    loop {
        if let Some(outcome) = position.outcome() {
            return Ok(match outcome.winner() {
                Some(Color::Black) => 2,
                Some(Color::White) => 0,
                None => 1,
            });
        }
        let task = Task::new(position.clone(), limits);
        let choice = match position.to_move() {
            Color::Black => black.choose(&task, &Unwatched),
            Color::White => white.choose(&task, &Unwatched),
        };
        let point = choice.point().context("The player resigned, so the opening has no result")?;
        position.play(point).with_context(|| format!("The player chose {point}"))?;
    }
}

fn report(args: &Balance, set: &OpeningSet, played: &[Played]) -> Result<()> {
    let mut results = [0_u64; 3];
    let mut by_stones = std::collections::BTreeMap::<usize, [u64; 3]>::new();
    let mut pairs = [0_u64; 5];
    for game in played {
        for half_points in [Some(game.first), game.swapped].into_iter().flatten() {
            results[half_points] += 1;
            by_stones.entry(game.stones).or_default()[half_points] += 1;
        }
        pairs[game.first + game.swapped.unwrap_or(game.first)] += 1;
    }
    let share = black_share(results);
    let error = black_error(played);
    if args.json {
        let document = json!({
            "set": set.name, "openings": played.len(), "games": results.iter().sum::<u64>(),
            "white": results[0], "draws": results[1], "black": results[2],
            "black_percent": share, "error_95": error, "black_half_points_a_pair": pairs, "by_stones": by_stones,
        });
        outln!("{}", serde_json::to_string_pretty(&document)?);
        return Ok(());
    }
    let [white, draws, black] = results;
    outln!(
        "{}: Black {black}, White {white}, draws {draws}; Black {share:.1} ± {error:.1} % (95 %)",
        set.name
    );
    outln!("Pairs in which Black took 0, ½, 1, 1½ and 2 points: {pairs:?}");
    for (stones, results) in by_stones {
        let [white, draws, black] = results;
        let share = black_share(results);
        outln!("{stones:>3} stones: Black {black}, White {white}, draws {draws}; {share:.1} %");
    }
    Ok(())
}

/// Half the width of the 95 % interval of Black's share. Openings are drawn by chance, the games of
/// one are not independent.
fn black_error(played: &[Played]) -> f64 {
    let points: Vec<f64> = played
        .iter()
        .map(|game| (game.first + game.swapped.unwrap_or(game.first)) as f64 / 4.0)
        .collect();
    let n = points.len() as f64;
    let mean = points.iter().sum::<f64>() / n;
    let variance = points.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    100.0 * stats::Z95 * (variance / n).sqrt()
}

fn black_share([white, draws, black]: [u64; 3]) -> f64 {
    100.0 * (2 * black + draws) as f64 / (2 * (white + draws + black)) as f64
}
