//! `tengen book build` and `verify`: searching positions, and searching them again.

use anyhow::{Result, bail};
use book::{BookBuild as Plan, BookFile, Key, PositionBook, build_book};
use gomoku::{Point, Position, Rule, opening::NamedOpening};
use player::{Limits, Player, Proof, Stopwatch};

use super::{BookArg, print_digest};
use crate::{
    args::{GameArgs, LimitArgs},
    players,
    runs::ProgressLine,
    show::outln,
};

#[derive(Debug, clap::Args)]
pub(super) struct Build {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    book: BookArg,
    /// Where to start: positions, or "named" for the 26 named openings (default: the empty board
    /// and a stone in its center)
    #[arg(long, value_name = "POSITION")]
    from: Vec<String>,
    /// Positions in total, including those of earlier builds
    #[arg(long, default_value_t = 2_000, value_name = "N")]
    entries: usize,
    /// Moves searched in each position
    #[arg(long, default_value_t = 4, value_name = "N")]
    width: usize,
    /// Do not follow moves that lose more than this
    #[arg(long, default_value_t = 120, value_name = "POINTS")]
    margin: i64,
    /// Cost of each move besides its loss; a small number makes the book narrow and deep
    #[arg(long, default_value_t = 40, value_name = "POINTS")]
    step: i64,
    /// Do not go beyond positions with this many stones
    #[arg(long, default_value_t = 20, value_name = "N")]
    stones: usize,
    /// Player that searches
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct Verify {
    #[command(flatten)]
    book: BookArg,
    /// Only entries of this rule (default: all)
    #[arg(long, value_name = "RULE")]
    rule: Option<Rule>,
    /// How many entries, spread evenly over the book (default: all)
    #[arg(long, value_name = "N")]
    entries: Option<usize>,
}

pub(super) fn build(args: &Build) -> Result<()> {
    let limits = args.limits.or(Limits::nodes(20_000));
    if limits.is_timed() {
        bail!(
            "A book is built with a number of nodes or a depth: with a clock it would differ each time."
        );
    }
    let (store, known) = BookFile::open_and_read(&args.book.path()?)?;
    let plan = Plan {
        roots: roots(args)?,
        entries: args.entries,
        width: args.width.max(1),
        margin: args.margin,
        step: args.step,
        stones: args.stones,
        limits,
        by: describe(&args.player, limits, args.width.max(1)),
    };
    let mut player = players::build(&args.player)?;
    let watch = Stopwatch::start();
    let flag = watch.clone();
    ctrlc::set_handler(move || flag.stop())?;
    let mut new = 0;
    let mut progress = ProgressLine::new(args.json);
    let reached = build_book(&plan, &known, &mut *player, &is_proof, &watch, &mut |key, entry| {
        new += 1;
        progress.bar("positions", new as u64, plan.entries as u64);
        store.put(key, entry)
    })?;
    progress.clear();
    if !args.json {
        outln!("{reached} positions, {new} of them new.");
    }
    print_digest(&store.book()?, args.json)
}

fn roots(args: &Build) -> Result<Vec<Position>> {
    let (rule, size) = (args.game.rule, args.game.size);
    let mut roots = Vec::new();
    for text in &args.from {
        match text.as_str() {
            "named" => roots.extend(NamedOpening::ALL.iter().map(|o| o.position(rule, size))),
            text => roots.push(args.game.position(text)?),
        }
    }
    if let Some(over) = roots.iter().find(|position| position.outcome().is_some()) {
        bail!("The game is over in {}.", over.to_text());
    }
    if roots.is_empty() {
        // A player that answers on the empty board without a search gives no value there.
        roots.push(Position::new(rule, size));
        roots.push(Position::from_moves(rule, size, &[Point::center(size)])?);
    }
    Ok(roots)
}

/// `engine width=4 nodes=20000`: everything that decides an entry, and what `verify` needs.
fn describe(player: &str, limits: Limits, width: usize) -> String {
    let mut text = format!("{player} width={width}");
    let numbers = [
        ("depth", limits.depth.map(u64::from)),
        ("nodes", limits.nodes),
        ("evals", limits.evaluations),
    ];
    for (name, number) in numbers {
        if let Some(number) = number {
            text += &format!(" {name}={number}");
        }
    }
    text
}

/// The player, width and limits out of the words of an entry.
fn read_description(by: &str) -> Option<(String, Limits, usize)> {
    let (player, rest) = by.rsplit_once(" width=")?;
    let mut words = rest.split(' ');
    let width = words.next()?.parse().ok()?;
    let mut limits = Limits::default();
    for word in words {
        let (name, number) = word.split_once('=')?;
        match name {
            "depth" => limits.depth = Some(number.parse().ok()?),
            "nodes" => limits.nodes = Some(number.parse().ok()?),
            "evals" => limits.evaluations = Some(number.parse().ok()?),
            _ => return None,
        }
    }
    Some((player.to_owned(), limits, width))
}

/// Whether an independent checker accepts a proof.
fn is_proof(_: Rule, proof: &Proof) -> bool {
    verify::check(&proof.bytes).is_ok()
}

pub(super) fn verify(args: &Verify) -> Result<()> {
    let book = args.book.load()?;
    let is_meant = |key: &Key| args.rule.is_none_or(|rule| key.position().rule() == rule);
    let all: Vec<_> = book.entries().filter(|(key, _)| is_meant(key)).collect();
    let count = args.entries.unwrap_or(all.len()).min(all.len());
    for number in 0..count {
        let (key, entry) = all[number * all.len() / count];
        let Some((name, limits, width)) = read_description(&entry.by) else {
            bail!("'{}' cannot be searched again: it is by {}.", key.as_str(), entry.by);
        };
        let mut player = players::build(&name)?;
        let again = search_again(key, &entry.by, &mut *player, limits, width)?;
        if again.entry(key) != Some(entry) {
            bail!("'{}' has a different result when searched again.", key.as_str());
        }
    }
    outln!("{count} entries searched again: all the same.");
    print_digest(&book, false)
}

fn search_again(
    key: &Key,
    by: &str,
    player: &mut dyn Player,
    limits: Limits,
    width: usize,
) -> Result<PositionBook> {
    let plan = Plan {
        roots: vec![key.position()],
        entries: 1,
        width,
        margin: 0,
        step: 0,
        stones: 0,
        limits,
        by: by.to_owned(),
    };
    let mut found = PositionBook::default();
    let nothing = PositionBook::default();
    build_book::<std::convert::Infallible>(
        &plan,
        &nothing,
        player,
        &is_proof,
        &Stopwatch::start(),
        &mut |key, entry| {
            found.extend([(key.clone(), entry.clone())], []);
            Ok(())
        },
    )?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_entry_says_of_itself_can_be_read_back() {
        let limits = Limits { depth: Some(9), ..Limits::nodes(20_000) };
        let by = describe("engine(level=5, a=b)", limits, 4);
        assert_eq!(by, "engine(level=5, a=b) width=4 depth=9 nodes=20000");
        assert_eq!(read_description(&by), Some(("engine(level=5, a=b)".to_owned(), limits, 4)));
        assert_eq!(read_description("somebody"), None);
    }
}
