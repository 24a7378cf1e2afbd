//! `tengen tune`: search for better parameters of a player, by games.

use std::path::Path;

use anyhow::{Context, Result, bail};
use arena::{Contender, Control, Openings, Plan, Schedule};
use clap::ValueEnum;
use player::ParamSpec;
use stats::Sprt;
use tune::{
    CmaEs, Evolution, Hall, Log, Method, Report, Search, Settings, Setup, Space, Spsa, Starts,
};

use crate::{
    data, openings,
    players::{factory, registry, resolve},
    runs::{self, ProgressLine, RunArgs},
    show::outln,
};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Way {
    /// Differential evolution as Xie 2022 published it
    DePublished,
    /// Differential evolution for noise: many individuals, their mean
    De,
    /// Simultaneous perturbation
    Spsa,
    /// Covariance matrix adaptation
    Cma,
    /// Logistic regression of evaluation weights on games
    Regression,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How to search
    #[arg(required_unless_present = "resume")]
    method: Option<Way>,
    /// What is tuned: a preset, a spec or a preset file
    #[arg(long, value_name = "P", required_unless_present = "resume")]
    player: Option<String>,
    /// A parameter to tune, with a range if the declared one does not suit: NAME or NAME=LOW..HIGH
    /// [default: for static-table, the eighteen that Xie evolved]
    #[arg(long = "param", value_name = "NAME[=LOW..HIGH]", value_parser = parse_param)]
    params: Vec<Chosen>,
    /// Generations, or iterations of SPSA [default: 600 for de-published, else 50]
    #[arg(long, value_name = "N")]
    generations: Option<u64>,
    /// Games of a duel; with regression, games to learn from
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Generations between snapshots [default: a sixth]
    #[arg(long, value_name = "N")]
    every: Option<u64>,
    /// Games of a snapshot against the start; 0 for no snapshots
    #[arg(long, value_name = "N", default_value_t = 100)]
    snapshot_games: u32,
    /// The final test of the result against the start: elo0,elo1
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,20",
          value_parser = super::matches::parse_sprt, allow_hyphen_values = true)]
    sprt: Sprt,
    /// Most games of the final test; 0 for none
    #[arg(long, value_name = "N", default_value_t = 4000)]
    test_games: u64,
    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let data = data::folder(args.run.data.as_deref())?;
    let runs = data.join("runs");
    let control = Control::default();
    runs::interrupt_on_ctrl_c(&control)?;
    let (folder, mut log, mut dispatcher) = match &args.run.resume {
        Some(name) => {
            let direct = Path::new(name);
            let folder = if direct.is_dir() { direct.to_owned() } else { runs.join(name) };
            let path = folder.join("tune.jsonl");
            let log = Log::resume(&path)?;
            (folder, log, args.run.dispatcher(&path, &control)?)
        }
        None => {
            let setup = setup(args)?;
            let folder = runs.join(&setup.game.run);
            let path = folder.join("tune.jsonl");
            let dispatcher = args.run.dispatcher(&path, &control)?;
            (folder, Log::create(&path, &setup)?, dispatcher)
        }
    };
    let mut hall = Hall { dispatcher: &mut *dispatcher, control: &control };
    let typed = &log.setup().game.players[0].spec;
    let name = registry().params(typed)?.to_spec().name;
    let declared =
        registry().info(&name).map_or(&[] as &[ParamSpec], |info| info.params.as_slice());
    let mut progress = ProgressLine::new(args.run.json);
    let outcome = tune::tune(&mut log, &folder, declared, &factory(), &mut hall, &mut |news| {
        progress.show(|| format!("{}: {} of {} pairs", news.phase, news.done, news.total));
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

fn setup(args: &Args) -> Result<Setup> {
    let (Some(method), Some(player)) = (args.method, &args.player) else {
        bail!("Name a method and a player.");
    };
    let spec = resolve(player)?;
    let params = registry().params(&spec)?;
    let owner = params.to_spec().name;
    let declared =
        registry().info(&owner).map_or(&[] as &[ParamSpec], |info| info.params.as_slice());
    let space = Space::new(declared, &params, &chosen(args, &owner, declared)?)?;
    let (tuning, validation) = halves(args)?;
    let generations = args.generations.unwrap_or(if method == Way::DePublished { 600 } else { 50 });
    let seed = arena::seed::derive(&[
        arena::seed::Part::Text("tune/v1/method"),
        arena::seed::Part::Text(&args.run.seed),
    ]);
    let budget = runs::budget(&args.run.limits.limits());
    let name = args.run.name.clone().unwrap_or_else(|| format!("tune-{}", runs::timestamp()));
    Ok(Setup {
        game: Plan {
            run: name,
            seed: args.run.seed.clone(),
            rule: args.run.game.rule,
            size: args.run.game.size,
            players: vec![Contender { name: "start".to_owned(), spec, budget }],
            schedule: Schedule::Sprt { test: args.sprt, max_pairs: args.test_games.div_ceil(2) },
            openings: validation,
            adjudication: arena::Adjudication::default(),
            patience: arena::Patience::default(),
            deterministic: true,
            build: format!("tengen {}", crate::VERSION),
        },
        search: search(method, &space, generations, args.games, seed),
        space,
        starts: match method {
            Way::DePublished => Starts::Random,
            _ => Starts::Openings(tuning),
        },
        generations,
        every: args.every.unwrap_or_else(|| generations.div_ceil(6)).max(1),
        snapshot_games: args.snapshot_games,
        tournament_games: (method == Way::DePublished).then_some(20),
    })
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
fn chosen(args: &Args, owner: &str, declared: &[ParamSpec]) -> Result<Vec<Chosen>> {
    if !args.params.is_empty() {
        return Ok(args.params.clone());
    }
    if owner.starts_with("static-table") {
        return Ok(EVOLVED.map(|name| (name.to_owned(), None)).to_vec());
    }
    let names: Vec<&str> = declared.iter().map(|param| param.name).collect();
    bail!("Name the parameters to tune with --param; {owner} has {}.", names.join(", "));
}

fn search(method: Way, space: &Space, generations: u64, games: Option<u32>, seed: u64) -> Search {
    let evolution = |settings: Settings| {
        let games = games.unwrap_or(settings.games);
        Method::De(Evolution::new(space, Settings { games, ..settings }, seed))
    };
    let games_or = |usual| games.unwrap_or(usual);
    Search::Duels(match method {
        Way::Regression => return Search::Regression { games: games_or(2000) },
        Way::DePublished => evolution(Settings::published()),
        Way::De => evolution(Settings::for_noise()),
        Way::Spsa => Method::Spsa(Spsa::new(space, generations, games_or(8), seed)),
        Way::Cma => Method::Cma(CmaEs::new(space, 0.15, None, games_or(16), seed)),
    })
}

/// Openings to tune on and openings to test on; they share none.
fn halves(args: &Args) -> Result<(Openings, Openings)> {
    let game = &args.run.game;
    let all = match args.run.openings.as_deref() {
        Some("none") => bail!("Tuning needs openings: from one start every duel is one game."),
        Some(name) => openings::named(name, game.rule, game.size)?,
        None => openings::default_for(game.rule, game.size),
    };
    if all.positions.len() < 2 {
        bail!("There are no shipped openings for this board; name a file with --openings.");
    }
    let half = |parity: usize, suffix: &str| Openings {
        name: format!("{}-{suffix}", all.name),
        positions: all.positions.iter().skip(parity).step_by(2).cloned().collect(),
        ..all.clone()
    };
    Ok((half(0, "tuning"), half(1, "validation")))
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
