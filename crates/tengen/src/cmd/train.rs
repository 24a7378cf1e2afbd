//! `tengen train`: a network out of games of the engine against itself.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result, bail};
use gomoku::{Color, Rule};
use net::Network;
use train::{Loss, Model, Samples, SelfplayGame, Settings, Trainer, export, import, integer_loss};

use crate::show::outln;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Games, as `tengen selfplay` writes them, all of one rule
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Where the network goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A network to begin with, instead of chance
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Passes over the games
    #[arg(long, default_value_t = 3, value_name = "N")]
    passes: u32,
    /// Positions between two steps
    #[arg(long, default_value_t = 512, value_name = "N")]
    batch: usize,
    /// Length of the first steps
    #[arg(long, default_value_t = 0.002, value_name = "X")]
    rate: f32,
    /// How much the results count for values; the rest is what searches said
    #[arg(long, default_value_t = 0.25, value_name = "SHARE")]
    result_share: f32,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the network does not depend on them
    #[arg(long, default_value_t = 2, value_name = "N")]
    threads: usize,
    /// Keep the state in FILE.state and continue from it
    #[arg(long)]
    resume: bool,
}

/// Held-out positions that are looked at.
const JUDGED: usize = 40_000;

pub(crate) fn run(args: &Args) -> Result<()> {
    if !(0.0..=1.0).contains(&args.result_share) {
        bail!("--result-share is from 0 to 1, not {}.", args.result_share);
    }
    let games = read_games(&args.games)?;
    let rule = games[0].rule;
    let colors: &[Option<Color>] = match rule {
        Rule::Renju => &[Some(Color::Black), Some(Color::White)],
        _ => &[None],
    };
    let mut sets = Vec::new();
    for &color in colors {
        let mut samples = Samples::new(args.result_share);
        games.iter().for_each(|game| samples.add(game.clone(), color));
        let step = (samples.held_out.len() / JUDGED).max(1);
        samples.held_out = samples.held_out.into_iter().step_by(step).collect();
        sets.push(samples);
    }
    let first = match &args.from {
        Some(path) => read_models(path, rule)?,
        None => vec![Model::new(args.seed); colors.len()],
    };
    let each = colors.iter().zip(&sets).zip(first);
    let models = each.map(|((color, samples), model)| learn(args, *color, samples, model));
    let models = models.collect::<Result<Vec<Model>>>()?;
    let network = export(rule, &models);
    if !network.sides().iter().all(net::Side::is_in_range) {
        bail!("The numbers have grown too large for the engine: try a smaller --rate.");
    }
    for samples in &sets {
        let loss = integer_loss(&network, samples, &samples.held_out);
        outln!("in integers, held out: {}", show(&loss));
    }
    let bytes = network.to_bytes();
    replace(&args.out, &bytes)?;
    outln!("{}: {} bytes", args.out.display(), bytes.len());
    Ok(())
}

fn learn(args: &Args, color: Option<Color>, samples: &Samples, model: Model) -> Result<Model> {
    if samples.training.is_empty() || samples.held_out.is_empty() {
        bail!(
            "There are too few games: none to learn from, or none of another opening to judge by."
        );
    }
    let settings = Settings {
        passes: args.passes,
        batch: args.batch,
        rate: args.rate,
        seed: args.seed,
        threads: args.threads,
    };
    let side = color.map_or(String::new(), |color| format!("{color} to move: "));
    outln!("{side}{} positions, {} held out", samples.training.len(), samples.held_out.len());
    let name = color.map_or("state".to_owned(), |color| format!("{color}.state"));
    let state = args.out.with_extension(name);
    let mut trainer = Trainer::new(model, settings);
    if args.resume && state.exists() {
        let bytes =
            std::fs::read(&state).with_context(|| format!("Cannot read {}", state.display()))?;
        trainer.restore(&bytes).with_context(|| format!("{} does not fit", state.display()))?;
    }
    let begun = Instant::now();
    let mut failed = None;
    trainer.run(samples, |trainer, progress| {
        let seconds = begun.elapsed().as_secs_f64();
        let held_out = trainer.loss(samples, &samples.held_out);
        outln!(
            "{:>10} of {}  learned {}  held out {}  {seconds:.0} s",
            progress.seen,
            progress.total,
            show(&progress.training),
            show(&held_out)
        );
        if args.resume {
            failed = failed.take().or(replace(&state, &trainer.save()).err());
        }
    });
    failed.map_or(Ok(trainer.model), Err)
}

fn show(loss: &Loss) -> String {
    let (value, moves, first) = loss.means();
    format!("value {value:.5}, moves {moves:.4}, first move {:.2} %", 100.0 * first)
}

fn read_models(path: &Path, rule: Rule) -> Result<Vec<Model>> {
    let shown = path.display();
    let bytes = std::fs::read(path).with_context(|| format!("Cannot read {shown}"))?;
    let network = Network::from_bytes(&bytes).with_context(|| format!("{shown} is no network"))?;
    if network.rule() != rule {
        bail!("{shown} is a network for {}, and the games are of {rule}.", network.rule());
    }
    Ok(import(&network))
}

fn read_games(files: &[PathBuf]) -> Result<Vec<SelfplayGame>> {
    let mut games: Vec<SelfplayGame> = Vec::new();
    for path in files {
        let shown = path.display();
        let file = std::fs::File::open(path).with_context(|| format!("Cannot read {shown}"))?;
        for (i, line) in BufReader::new(file).lines().enumerate() {
            let line = line.with_context(|| format!("Cannot read {shown}"))?;
            let game: SelfplayGame =
                line.parse().with_context(|| format!("Line {} of {shown}", i + 1))?;
            if games.first().is_some_and(|first| first.rule != game.rule) {
                bail!(
                    "Line {} of {shown} is a game of {}: one network, one rule.",
                    i + 1,
                    game.rule
                );
            }
            games.push(game);
        }
    }
    if games.is_empty() {
        bail!("There is no game to learn from.");
    }
    Ok(games)
}

/// Writes a file whole or not at all.
fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let new = path.with_extension("new");
    std::fs::write(&new, bytes)
        .and_then(|()| std::fs::rename(&new, path))
        .with_context(|| format!("{} cannot be written", path.display()))
}
