//! `tengen tune`: search for better parameters of a player, by games.

use std::path::Path;

use anyhow::{Context, Result, bail};
use arena::{Budget, Contender, RunControl, short_spec};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use stats::Sprt;
use tune::{Algorithm, Log, Options, Report, Setup, Space, TuningContext};

use crate::{
    data,
    players::{registry, resolve},
    runs::{self, ProgressLine, RunArgs, RunName},
    show::outln,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How to search
    #[arg(required_unless_present = "resume", value_parser = algorithms())]
    method: Option<Algorithm>,
    /// Player to tune: a preset, a spec or a preset file
    #[arg(long, value_name = "P", required_unless_present = "resume")]
    player: Option<String>,
    /// Parameter to tune, with a range if the declared one does not suit: NAME or NAME=LOW..HIGH
    /// [default: for static-table, the eighteen that Xie evolved]
    #[arg(long = "param", value_name = "NAME[=LOW..HIGH]", value_parser = parse_param)]
    params: Vec<Chosen>,
    /// Generations, or iterations of SPSA [default: 600 for de-published, else 50]
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Games per duel; with regression, games to learn from
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Generations between snapshots [default: a sixth of them]
    #[arg(long, value_name = "N")]
    every: Option<u64>,
    /// Games of each snapshot against the starting values; 0 for no snapshots
    #[arg(long, value_name = "N", default_value_t = 100)]
    snapshot_games: u32,
    /// Final test of the result against the starting values: elo0,elo1 [default: 0,20]
    #[arg(long, value_name = "ELO0,ELO1", value_parser = super::matches::parse_sprt,
          allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Maximum games in the final test; 0 for no test [default: 4000]
    #[arg(long, value_name = "N")]
    test_games: Option<u64>,
    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let data = data::folder()?;
    let runs = data.join("runs");
    let control = RunControl::default();
    runs::interrupt_on_ctrl_c(&control)?;
    let (folder, mut log, mut dispatcher) = match &args.run.resume {
        Some(name) => {
            let direct = Path::new(name);
            let folder = if direct.is_dir() { direct.to_owned() } else { runs.join(name) };
            let path = folder.join("tune.jsonl");
            let log = Log::resume(&path)?;
            let dispatcher = args.run.dispatcher(&log.setup().game, &path, &control)?;
            (folder, log, dispatcher)
        }
        None => {
            let about = format!("tune {}", short_spec(args.player.as_deref().unwrap_or_default()));
            let name = args.run.new_name(&runs, &about)?;
            let setup = setup(args, &name)?;
            let folder = runs.join(&setup.game.run);
            let path = folder.join("tune.jsonl");
            let dispatcher = args.run.dispatcher(&setup.game, &path, &control)?;
            (folder, Log::create(&path, &setup)?, dispatcher)
        }
    };
    let mut context = TuningContext { dispatcher: &mut *dispatcher, control: &control };
    let mut progress = ProgressLine::new(args.run.json);
    let outcome = tune::tune(&mut log, &folder, registry(), &mut context, &mut |news| {
        progress.bar(&format!("{}: pairs", news.phase), news.done, news.total);
    });
    progress.clear();
    let outcome = outcome.with_context(|| format!("Run {}", folder.display()))?;
    let report = Report::new(&log, &outcome);
    let beside = folder.join("report");
    for folder in [Some(&beside), args.run.report.as_ref()].into_iter().flatten() {
        report
            .write(folder)
            .with_context(|| format!("The report cannot be written to {}", folder.display()))?;
    }
    if args.run.json {
        outln!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        outln!("{}", report.markdown());
        outln!("Preset  {}", folder.join("best.toml").display());
        outln!("Report  {}", beside.join("report.html").display());
    }
    Ok(())
}

fn setup(args: &Args, name: &RunName) -> Result<Setup> {
    let (Some(algorithm), Some(player)) = (args.method, &args.player) else {
        bail!("Name a method and a player.");
    };
    let spec = resolve(player)?;
    let space = Space::new(registry(), &spec, &chosen(args, &spec)?)?;
    let budget = Budget::from(args.run.limits.limits());
    let start = Contender { name: "start".to_owned(), spec, budget };
    let test = tune::final_test(args.sprt, args.test_games);
    let options = Options {
        generations: args.generations,
        games: args.games,
        every: args.every,
        snapshot_games: args.snapshot_games,
        ..Options::new(algorithm)
    };
    Ok(Setup::new(args.run.plan(name, vec![start], test)?, space, &options)?)
}

/// A parameter and the range to search, if not the declared one.
type Chosen = (String, Option<(f64, f64)>);

/// What Xie 2022 evolved: table 3.
const EVOLVED: [&str; 18] = [
    "own0",
    "own1",
    "own2",
    "own3",
    "opp0",
    "opp1",
    "opp2",
    "opp3",
    "sleep-two",
    "live-two",
    "sleep-three",
    "live-three",
    "double-live-three",
    "opp-sleep-two",
    "opp-live-two",
    "opp-sleep-three",
    "opp-live-three",
    "opp-double-live-three",
];

/// The parameters named, or Xie's if his player is tuned.
fn chosen(args: &Args, spec: &str) -> Result<Vec<Chosen>> {
    if !args.params.is_empty() {
        return Ok(args.params.clone());
    }
    let owner = registry().params(spec)?.to_spec().name;
    if owner.starts_with("static-table") {
        return Ok(EVOLVED.map(|name| (name.to_owned(), None)).to_vec());
    }
    let names: Vec<&str> = registry().declared(spec)?.iter().map(|param| param.name).collect();
    bail!("Name the parameters to tune with --param; {owner} has {}.", names.join(", "));
}

/// Reads the name of a method.
fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    let value = |one: Algorithm| PossibleValue::new(one.name()).help(one.about());
    PossibleValuesParser::new(Algorithm::ALL.map(value)).try_map(|name| name.parse::<Algorithm>())
}

/// Reads `NAME` or `NAME=LOW..HIGH`.
fn parse_param(text: &str) -> Result<Chosen> {
    let Some((name, range)) = text.split_once('=') else { return Ok((text.to_owned(), None)) };
    let bounds: Option<(f64, f64)> = range
        .split_once("..")
        .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    match bounds {
        Some(bounds) => Ok((name.trim().to_owned(), Some(bounds))),
        None => bail!("expected a range such as width=5..40"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_with_and_without_a_range() {
        assert_eq!(parse_param("width").unwrap(), ("width".to_owned(), None));
        let (name, range) = parse_param("width=5..40").unwrap();
        assert_eq!((name.as_str(), range), ("width", Some((5.0, 40.0))));
        assert_eq!(parse_param("x=-1.5..2").unwrap().1, Some((-1.5, 2.0)));
        for bad in ["x=", "x=5", "x=a..b", "x=1.."] {
            assert!(parse_param(bad).is_err(), "{bad}");
        }
    }
}
