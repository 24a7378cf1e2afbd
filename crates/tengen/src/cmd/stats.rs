//! `tengen stats`: the calculator behind the matches.

use crate::show::outln;
use anyhow::{Result, bail};
use clap::Subcommand;
use serde_json::{Value, json};
use stats::{EloModel, Estimate, Outcomes, Pentanomial, Sprt, Trinomial, Verdict, unbiased_elo};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Elo from wins, draws and losses
    Elo {
        /// Games won
        wins: u64,
        /// Games drawn
        draws: u64,
        /// Games lost
        losses: u64,
    },
    /// Elo from color-swapped pairs: lost both, lost and drew, split, won and drew, won both
    Penta {
        /// Pairs by half points, low to high
        #[arg(num_args = 5, required = true, value_names = ["LL", "LD", "DD", "WD", "WW"])]
        pairs: Vec<u64>,
    },
    /// Where a sequential test stands: W D L of games, or LL LD DD WD WW of pairs
    Sprt {
        /// Three or five counts
        #[arg(num_args = 3..=5, required = true, value_name = "COUNT")]
        counts: Vec<u64>,
        /// Difference at which the change is not wanted
        #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
        elo0: f64,
        /// Difference at which it is wanted
        #[arg(long, default_value_t = 5.0, allow_negative_numbers = true)]
        elo1: f64,
        /// Accepted rate of wrongly passed tests
        #[arg(long, default_value_t = 0.05)]
        alpha: f64,
        /// Accepted rate of wrongly failed tests
        #[arg(long, default_value_t = 0.05)]
        beta: f64,
        /// Use logistic instead of normalized Elo
        #[arg(long)]
        logistic: bool,
    },
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.what {
        What::Elo { wins, draws, losses } => {
            report(&Trinomial::new(*wins, *draws, *losses), args.json)
        }
        What::Penta { pairs } => report(&pentanomial(pairs), args.json),
        What::Sprt { counts, elo0, elo1, alpha, beta, logistic } => {
            let model = if *logistic { EloModel::Logistic } else { EloModel::Normalized };
            let test = Sprt { alpha: *alpha, beta: *beta, model, ..Sprt::new(*elo0, *elo1)? };
            let test = test.validated()?;
            match counts.as_slice() {
                &[wins, draws, losses] => {
                    sprt(&test, &Trinomial::new(wins, draws, losses), args.json)
                }
                pairs if pairs.len() == 5 => sprt(&test, &pentanomial(pairs), args.json),
                _ => bail!("A test needs three counts (W D L) or five (LL LD DD WD WW)."),
            }
        }
    }
}

fn pentanomial(pairs: &[u64]) -> Pentanomial {
    let mut counts = [0; 5];
    counts.copy_from_slice(pairs);
    Pentanomial(counts)
}

fn report<O: Outcomes>(outcomes: &O, json: bool) -> Result<()> {
    if outcomes.games() == 0 {
        bail!("There are no games to count.");
    }
    let estimate = Estimate::of(outcomes);
    if json {
        outln!("{}", serde_json::to_string_pretty(&estimate)?);
        return Ok(());
    }
    print_estimate(&estimate);
    Ok(())
}

fn print_estimate(estimate: &Estimate) {
    outln!("games  {}  score {:.2} %", estimate.games, 100.0 * estimate.score);
    match estimate.elo_bound {
        Some(_) => outln!("Elo    {}  (95 %)", estimate.elo_text(2)),
        None => outln!(
            "Elo    {}  [{:+.2}, {:+.2}] (95 %)",
            estimate.elo_text(2),
            estimate.elo_low,
            estimate.elo_high
        ),
    }
    if let (Some(nelo), Some(error)) = (estimate.nelo, estimate.nelo_error) {
        outln!("nElo   {nelo:+.2} ± {error:.2} (95 %)");
    }
    outln!("LOS    {:.2} %", 100.0 * estimate.los);
}

fn sprt<O: Outcomes>(test: &Sprt, outcomes: &O, json: bool) -> Result<()> {
    if outcomes.games() == 0 {
        bail!("There are no games to count.");
    }
    let (lower, upper) = test.bounds();
    let llr = test.llr(outcomes);
    let verdict = test.verdict(outcomes);
    let unbiased = unbiased_elo(outcomes, test);
    if json {
        let mut value: Value = serde_json::to_value(Estimate::of(outcomes))?;
        value["llr"] = json!(llr);
        value["bounds"] = json!([lower, upper]);
        value["verdict"] = serde_json::to_value(verdict)?;
        value["unbiased_elo"] = serde_json::to_value(unbiased)?;
        outln!("{}", serde_json::to_string_pretty(&value)?);
        return Ok(());
    }
    print_estimate(&Estimate::of(outcomes));
    outln!("LLR    {llr:.4}  [{lower:.4}, {upper:.4}] for [{}, {}]", test.elo0, test.elo1);
    outln!("after stopping: {:+.2}  [{:+.2}, {:+.2}]", unbiased.elo, unbiased.low, unbiased.high);
    outln!(
        "{}",
        match verdict {
            Verdict::Undecided => "undecided: go on",
            Verdict::AcceptH0 => "stop: the lower hypothesis holds",
            Verdict::AcceptH1 => "stop: the upper hypothesis holds",
        }
    );
    Ok(())
}
