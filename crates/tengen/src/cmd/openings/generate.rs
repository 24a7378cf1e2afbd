//! `tengen openings generate`: random stones, judged by a player, kept if they are even.
//!
//! With `--out FILE` every verdict is appended to `FILE.log` as it is found, so that a run that was
//! cut short, by `kill -9` too, goes on where it was.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use book::{Fairness, Judge, OpeningSet, Recipe};
use gomoku::Position;
use linelog::LineLog;
use player::{Limits, Player, Score, Task, Unwatched};

use crate::{
    args::{GameArgs, LimitArgs},
    players,
    runs::ProgressLine,
    show::outln,
};

#[derive(Debug, clap::Args)]
pub(super) struct Generate {
    #[command(flatten)]
    game: GameArgs,
    /// How many openings
    #[arg(long, default_value_t = 200, value_name = "N")]
    count: usize,
    /// Stones on the board: 5, or 3-7
    #[arg(long, default_value = "3-7", value_name = "N[-M]", value_parser = parse_range)]
    stones: (usize, usize),
    /// The judge's value, for the side to move, at which both sides win equally often; negative if
    /// the side to move does better than the judge thinks
    #[arg(long, default_value_t = 0, value_name = "POINTS", allow_negative_numbers = true)]
    even: i64,
    /// How far from --even the value may be, in the judge's units
    #[arg(long, default_value_t = 40, value_name = "POINTS")]
    balance: i64,
    /// Player that judges
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    #[command(flatten)]
    limits: LimitArgs,
    /// Nodes for a quick check first, which rejects most openings
    #[arg(long, value_name = "N", value_parser = crate::args::parse_count)]
    first_look: Option<u64>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Openings judged at the same time; the set does not depend on it
    #[arg(long, default_value_t = 1, value_name = "J")]
    jobs: usize,
    /// Name of the set (default: rule and size)
    #[arg(long)]
    name: Option<String>,
    /// Write to this file instead of standard output; FILE.log is kept for resuming
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Generate) -> Result<()> {
    let (rule, size) = (args.game.rule, args.game.size);
    if args.stones.1 > usize::from(size) * usize::from(size) / 4 {
        bail!("A board of {size}x{size} is too small for {} stones.", args.stones.1);
    }
    let Generate { stones, even, balance, seed, .. } = *args;
    let recipe = Recipe { rule, size, stones, even, balance, seed };
    let limits = args.limits.or(Limits::nodes(8_000));
    let judge = || -> Result<Judge<'_>> {
        let mut player = players::build(&args.player)?;
        Ok(Box::new(move |position| look(&mut *player, position, args, limits)))
    };
    let judges = (0..args.jobs.max(1)).map(|_| judge()).collect::<Result<Vec<_>>>()?;
    let (mut log, known) = match &args.out {
        Some(out) => {
            let (log, known) = Log::open(&log_path(out), &header(args, &recipe, limits))?;
            (Some(log), known)
        }
        None => (None, BTreeMap::new()),
    };
    let mut progress = ProgressLine::new(false);
    let mut found = known.values().filter(|value| recipe.is_fair(**value)).count();
    let record = &mut |verdict: Fairness| {
        found += usize::from(recipe.is_fair(verdict.value));
        progress.bar("openings", found.min(args.count) as u64, args.count as u64);
        log.as_mut().map_or(Ok(()), |log| log.append(verdict))
    };
    let starts = book::fill(&recipe, args.count, &known, judges, record)?;
    progress.clear();
    if starts.len() < args.count {
        bail!("Only {} such openings were found; widen --stones or --balance.", starts.len());
    }
    let set = OpeningSet {
        name: args.name.clone().unwrap_or_else(|| format!("{rule}-{size}")),
        rule,
        size,
        openings: starts.iter().map(|(position, _)| position.moves().to_vec()).collect(),
    };
    match &args.out {
        Some(path) => std::fs::write(path, set.to_text())
            .with_context(|| format!("Cannot write {}", path.display()))?,
        None => outln!("{}", set.to_text().trim_end()),
    }
    Ok(())
}

/// The value of a position for the side to move: a quick look, then the real one.
fn look(
    judge: &mut dyn Player,
    position: &Position,
    args: &Generate,
    limits: Limits,
) -> Option<Score> {
    let mut value = |limits| {
        // Every position is judged afresh: its value must not depend on what came before.
        judge.new_game(0);
        judge.choose(&Task::new(position.clone(), limits), &Unwatched).score
    };
    if let Some(nodes) = args.first_look {
        let first = value(Limits::nodes(nodes))?;
        if first.is_decisive() || first.value().abs() > 2 * args.balance {
            return None;
        }
    }
    value(limits)
}

fn log_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".log");
    name.into()
}

/// Everything that decides a verdict. What counts as even is decided when verdicts are counted, so a
/// log serves for any.
fn header(args: &Generate, recipe: &Recipe, limits: Limits) -> String {
    let (low, high) = recipe.stones;
    format!(
        "tengen openings 1: {} {} stones {low}-{high} balance {} seed {} player {} {limits:?} first {:?}",
        recipe.rule, recipe.size, recipe.balance, recipe.seed, args.player, args.first_look
    )
}

/// Verdicts on disk, one a line: the candidate's number and its value, or `-` if it was refused.
struct Log {
    file: LineLog,
}

impl Log {
    /// Begins a log, or reads the one that is there.
    fn open(path: &Path, header: &str) -> Result<(Log, BTreeMap<u64, Option<Score>>)> {
        let shown = path.display();
        let (mut file, lines) = LineLog::open_text(path)?;
        match lines.first() {
            None => file.append_text(header)?,
            Some(found) if found == header => {}
            Some(_) => bail!("{shown} is the log of a different recipe; move it away first."),
        }
        let verdicts = lines.iter().skip(1).map(|line| parse_verdict(line));
        let known = verdicts
            .collect::<Option<_>>()
            .with_context(|| format!("{shown} is not a log of openings."))?;
        Ok((Log { file }, known))
    }

    fn append(&mut self, verdict: Fairness) -> Result<()> {
        let value = verdict.value.map_or("-".to_owned(), |score| score.value().to_string());
        Ok(self.file.append_text(&format!("{} {value}", verdict.number))?)
    }
}

fn parse_verdict(line: &str) -> Option<(u64, Option<Score>)> {
    let (number, value) = line.split_once(' ')?;
    let value = match value {
        "-" => None,
        value => Some(book::score_of(value.parse().ok()?)?),
    };
    Some((number.parse().ok()?, value))
}

/// Reads `5` or `3-7`.
fn parse_range(text: &str) -> Result<(usize, usize)> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    match (low.trim().parse(), high.trim().parse()) {
        (Ok(low), Ok(high)) if low <= high => Ok((low, high)),
        _ => bail!("expected a number or a range such as 3-7"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_was_cut_short_goes_on() {
        let folder = std::env::temp_dir().join(format!("tengen-log-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("set.log");
        std::fs::write(&path, "head\n0 -\n1 35\n2 -1").unwrap();
        let (mut log, known) = Log::open(&path, "head").unwrap();
        assert_eq!(known, BTreeMap::from([(0, None), (1, Some(Score::new(35)))]));
        let win = Score::win_in(7);
        log.append(Fairness { number: 2, value: Some(win) }).unwrap();
        drop(log);
        let (_, known) = Log::open(&path, "head").unwrap();
        assert_eq!(known[&2], Some(win));
        assert!(Log::open(&path, "other").is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
