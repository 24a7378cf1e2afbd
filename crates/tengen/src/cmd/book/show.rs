//! `tengen book show`: everything that is known of a position and of the moves from it.

use std::path::Path;

use anyhow::{Result, bail};
use arena::JournalContent;
use book::{Beside, BookGame, BookMove, Key, Look, Results};
use gomoku::{Color, Position, Rule};
use serde_json::{Value, json};

use super::BookArg;
use crate::{args::GameArgs, data, show::outln};

#[derive(Debug, clap::Args)]
pub(super) struct Show {
    /// The position
    #[arg(default_value = "")]
    position: String,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    book: BookArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Show) -> Result<()> {
    let position = args.game.position(&args.position)?;
    let (rule, size) = (position.rule(), position.size());
    let games = games(&data::folder()?, rule, size)?;
    let beside = Beside { games, won: proved(rule, size) };
    let Some(look) = args.book.load()?.look_beside(&position, &beside) else {
        bail!("Nothing is known about this position.");
    };
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&document(&look))?);
    } else {
        print(&position, &look);
    }
    Ok(())
}

/// The games of the arena and of the library that begin on the empty board.
fn games(data: &Path, rule: Rule, size: u8) -> Result<Vec<BookGame>> {
    let mut games = Vec::new();
    arena::read_runs(&data.join("runs"), |_, JournalContent { plan, pairs, .. }| {
        let pairs = pairs.iter().filter(|_| (plan.rule, plan.size) == (rule, size));
        games.extend(pairs.flat_map(|pair| {
            pair.games.iter().map(|game| BookGame {
                game: (rule.name().to_owned(), size),
                result: ['w', 'd', 'b'][game.half_points(Color::Black)],
                // An opening of stones without an order is no text of moves: it is not counted.
                moves: format!("{}{}", pair.opening, game.moves),
            })
        }));
    })?;
    let of_library = studio::library_games(data).into_iter().map(|(game, winner)| BookGame {
        game: (game.rule().name().to_owned(), game.size()),
        result: match winner {
            Some(Color::Black) => 'b',
            Some(Color::White) => 'w',
            None => 'd',
        },
        moves: game.to_text(),
    });
    games.extend(of_library);
    Ok(games)
}

/// The positions of the proved openings, before and after the winning move.
fn proved(rule: Rule, size: u8) -> std::collections::BTreeMap<Key, Color> {
    let proved = solve::ProvedBook::of(rule, size);
    let openings = proved.iter().flat_map(|book| book.openings.iter().map(move |one| (book, one)));
    openings
        .flat_map(|(book, opening)| {
            let before = opening.start(book);
            let winner = before.to_move();
            let mut after = before.clone();
            let is_played = after.play(opening.point).is_ok();
            let known = [Some(before), is_played.then_some(after)];
            known.into_iter().flatten().map(move |position| (Key::of(&position).0, winner))
        })
        .collect()
}

fn document(look: &Look) -> Value {
    let results = |r: &Results| json!({"games": r.games(), "black": r.black, "draws": r.draws, "white": r.white});
    let moves = look.moves.iter().map(|m| {
        json!({"move": m.point.to_string(),
               "same": m.same.iter().map(ToString::to_string).collect::<Vec<_>>(),
               "value": m.value.map(|v| v.value()),
               "shown": m.value.map(|v| v.to_string()), "results": results(&m.results),
               "depth": m.entry.as_ref().map(|e| e.depth),
               "nodes": m.entry.as_ref().map(|e| e.nodes),
               "decided": m.entry.as_ref().map(|e| e.decided.name()),
               "proved": m.is_proved(), "winner": m.winner.map(color_name), "name": m.name})
    });
    json!({"name": look.name, "value": look.value.map(|v| v.value()),
           "winner": look.winner.map(color_name),
           "results": results(&look.results), "moves": moves.collect::<Vec<_>>(),
           "depth": look.entry.as_ref().map(|e| e.depth),
           "nodes": look.entry.as_ref().map(|e| e.nodes),
           "by": look.entry.as_ref().map(|e| &e.by),
           "decided": look.entry.as_ref().map(|e| e.decided.name())})
}

fn print(position: &Position, look: &Look) {
    let side = color_name(position.to_move());
    let name = look.name.unwrap_or("no name");
    let value = look.value.map_or("not searched".to_owned(), |value| value.to_string());
    outln!("{name}, {side} to move: {value}; {} games", look.results.games());
    if let Some(winner) = look.winner {
        outln!("Proved: {} wins.", color_name(winner));
    }
    if let Some(entry) = &look.entry {
        let book::Entry { decided, depth, nodes, by, .. } = entry;
        outln!("{decided} at depth {depth}, {nodes} nodes, by {by}");
    }
    outln!("move  same   value  depth  decided   games  black  draws  white  name");
    for m in &look.moves {
        let value = m.value.map_or("-".to_owned(), |value| value.to_string());
        let depth = m.entry.as_ref().map_or("-".to_owned(), |entry| entry.depth.to_string());
        let (r, name) = (&m.results, m.name.unwrap_or_default());
        outln!(
            "{:<5} {:>4} {value:>7}  {depth:>5}  {:<8} {:>6} {:>6} {:>6} {:>6}  {name}",
            m.point.to_string(),
            m.same.len(),
            decided(m, position.to_move()),
            r.games(),
            r.black,
            r.draws,
            r.white
        );
    }
}

/// How a move's value was found; a proof from elsewhere has no value, so the word says who wins.
fn decided(found: &BookMove, mover: Color) -> &'static str {
    match (&found.entry, found.winner) {
        (_, Some(winner)) if found.value.is_none() && winner == mover => "won",
        (_, Some(_)) if found.value.is_none() => "lost",
        (_, Some(_)) => "proved",
        (Some(entry), None) => entry.decided.name(),
        (None, None) => "-",
    }
}

fn color_name(color: Color) -> &'static str {
    if color == Color::Black { "Black" } else { "White" }
}
