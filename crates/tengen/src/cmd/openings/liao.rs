//! `tengen openings liao` and the lists of named openings.

use anyhow::{Result, bail};
use book::{Key, LIAO_COUNT, Language, PositionBook, local_name};
use gomoku::{Point, Rule, opening::NamedOpening};
use player::{Limits, Score};
use serde_json::json;

use crate::{
    args::LimitArgs,
    players,
    show::{self, outln},
    view::View,
};

#[derive(Debug, clap::Args)]
pub(super) struct Derive {
    /// Player that chooses
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    /// Replies considered in each opening
    #[arg(long, default_value_t = 3, value_name = "N")]
    width: usize,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Prints the data file of the 57, chosen anew.
pub(super) fn derive(args: &Derive) -> Result<()> {
    let mut player = players::build(&args.player)?;
    let limits = args.limits.or(Limits::nodes(200_000));
    let openings = book::derive_liao(&mut *player, limits, args.width);
    if openings.len() < LIAO_COUNT {
        bail!("Only {} openings were found; widen --width.", openings.len());
    }
    outln!("{}", book::liao_text(&openings).trim_end());
    Ok(())
}

/// Lists the 57.
pub(super) fn list(as_json: bool) -> Result<()> {
    let openings = book::liao();
    if as_json {
        let openings: Vec<_> = openings
            .iter()
            .map(|opening| {
                json!({"id": opening.named.id, "name": opening.name(),
                       "moves": opening.position().to_text()})
            })
            .collect();
        outln!("{}", serde_json::to_string_pretty(&json!({ "openings": openings }))?);
        return Ok(());
    }
    for (number, opening) in openings.iter().enumerate() {
        let (id, moves) = (opening.named.id, opening.position().to_text());
        outln!("{:>2}. {id:<4} {:<14} {moves}", number + 1, opening.name());
    }
    Ok(())
}

/// Lists the 26 with their names, and what a book says of them.
pub(super) fn list_named(rule: Rule, book: &PositionBook, as_json: bool) -> Result<()> {
    let names = |opening: &NamedOpening| {
        Language::ALL.map(|language| (language.code(), local_name(opening, language)))
    };
    if as_json {
        let openings: Vec<_> = NamedOpening::ALL
            .iter()
            .map(|opening| {
                let names: serde_json::Map<_, _> = names(opening)
                    .into_iter()
                    .map(|(code, name)| (code.to_owned(), name.into()))
                    .collect();
                let position = opening.position(rule, 15);
                let value = book.value(&Key::of(&position).0);
                let line: Vec<_> = book.line(&position).iter().map(Point::to_string).collect();
                json!({"id": opening.id, "moves": position.to_text(), "names": names,
                       "value": value.map(Score::value), "line": line})
            })
            .collect();
        outln!("{}", serde_json::to_string_pretty(&json!({ "openings": openings }))?);
        return Ok(());
    }
    outln!("{rule}, {}", View::default().title());
    for opening in &NamedOpening::ALL {
        let names = names(opening).map(|(code, name)| format!("{code} {name}"));
        let position = opening.position(rule, 15);
        outln!("{:<4} {:<8} {}", opening.id, position.to_text(), names.join(", "));
        if let Some(value) = book.value(&Key::of(&position).0) {
            let worth = View::default().worth(value, position.to_move(), false);
            outln!("     {worth:<8} {}", show::line(&book.line(&position)));
        }
    }
    Ok(())
}
