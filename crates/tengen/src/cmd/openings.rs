//! `tengen openings`: fair starts for matches.

mod balance;
mod generate;
mod liao;

use anyhow::{Context, Result};
use clap::Subcommand;
use gomoku::Rule;
use serde_json::json;

use super::book::BookArg;
use crate::show::outln;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Make a set of distinct, balanced openings
    Generate(generate::Generate),
    /// Play out a set of openings and report how fair it is
    Balance(balance::Balance),
    /// Choose four-stone continuations of the 26 named openings: the book of Liao's player
    Liao(liao::Derive),
    /// Make Swap2 offers as the Gomocup protocol does, judge them, and play from them
    Swap2(super::swap2::Args),
    /// List the built-in sets
    List {
        /// List the 57 openings of Liao's player instead
        #[arg(long)]
        liao: bool,
        /// List the 26 named openings instead: names in other languages, and value and main line
        /// from a book
        #[arg(long, conflicts_with = "liao")]
        named: bool,
        /// The rule that the named openings are played under
        #[arg(long, default_value = "renju", value_name = "RULE", requires = "named")]
        rule: Rule,
        #[command(flatten)]
        book: BookArg,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a built-in set, or half of one (such as freestyle-15-tuning)
    Export {
        /// Its name
        set: String,
    },
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.what {
        What::Generate(args) => generate::run(args),
        What::Balance(args) => balance::run(args),
        What::Liao(args) => liao::derive(args),
        What::List { liao: true, json, .. } => liao::list(*json),
        What::List { named: true, rule, book, json, .. } => {
            liao::list_named(*rule, &*book.load()?, *json)
        }
        What::List { json, .. } => list(*json),
        What::Swap2(args) => super::swap2::run(args),
        What::Export { set } => {
            let found = book::shipped_named(set).with_context(|| {
                format!(
                    "There is no set '{set}'; the built-in sets are {}",
                    book::shipped_names().join(", ")
                )
            })?;
            outln!("{}", found.to_text().trim_end());
            Ok(())
        }
    }
}

fn list(as_json: bool) -> Result<()> {
    let sets = book::shipped();
    if as_json {
        let sets: Vec<_> = sets
            .iter()
            .map(|set| {
                json!({"name": set.name, "rule": set.rule.name(), "size": set.size,
                       "count": set.openings.len()})
            })
            .collect();
        outln!("{}", serde_json::to_string_pretty(&json!({ "sets": sets }))?);
        return Ok(());
    }
    for set in sets {
        outln!(
            "{:<16} {:>6} openings, {} {}x{}",
            set.name,
            set.openings.len(),
            set.rule,
            set.size,
            set.size
        );
    }
    outln!("\nEach has two halves that never mix: NAME-tuning and NAME-validation.");
    Ok(())
}
