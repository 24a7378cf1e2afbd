//! `tengen book show`: everything that is known of a position and of the moves from it.

use std::path::Path;

use anyhow::{Result, bail};
use arena::JournalContent;
use book::{Beside, BookGame, BookMove, Decided, Key, Look, Results};
use gomoku::{Color, Point, Position, Rule};
use serde_json::{Value, json};

use super::BookArg;
use crate::{
    args::GameArgs,
    data,
    show::{self, outln},
    view::{self, View, ViewArg},
};

#[derive(Debug, clap::Args)]
pub(super) struct Show {
    /// The position
    #[arg(default_value = "")]
    position: String,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    book: BookArg,
    #[command(flatten)]
    view: ViewArg,
    /// Print JSON, where values are for the side to move
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Show) -> Result<()> {
    let position = args.game.position(&args.position)?;
    let (rule, size) = (position.rule(), position.size());
    let games = games(&data::folder()?, rule, size)?;
    let beside = Beside { games, won: proved(rule, size) };
    let book = args.book.load()?;
    let Some(look) = book.look_beside(&position, &beside) else {
        bail!("Nothing is known about this position.");
    };
    if args.json {
        let mut document = document(&look);
        let line = book.line(&position);
        document["line"] = json!(line.iter().map(Point::to_string).collect::<Vec<_>>());
        outln!("{}", serde_json::to_string_pretty(&document)?);
    } else {
        print(&position, &look, &book.line(&position), args.view.view);
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
               "proved": m.is_proved(), "winner": m.winner.map(view::name), "name": m.name})
    });
    json!({"name": look.name, "value": look.value.map(|v| v.value()),
           "winner": look.winner.map(view::name),
           "results": results(&look.results), "moves": moves.collect::<Vec<_>>(),
           "depth": look.entry.as_ref().map(|e| e.depth),
           "nodes": look.entry.as_ref().map(|e| e.nodes),
           "by": look.entry.as_ref().map(|e| &e.by),
           "decided": look.entry.as_ref().map(|e| e.decided.name())})
}

fn print(position: &Position, look: &Look, line: &[Point], view: View) {
    let worth = |value, is_proved| view.worth(value, position.to_move(), is_proved);
    let side = view::name(position.to_move());
    let name = look.name.unwrap_or("no name");
    let is_proved = look.entry.as_ref().is_some_and(|entry| entry.decided == Decided::Proved);
    let value = look.value.map_or("not searched".to_owned(), |value| worth(value, is_proved));
    outln!("{name}, {side} to move: {value}; {} games; {}", look.results.games(), view.title());
    if let Some(winner) = look.winner {
        outln!("Proved: {} wins.", view::name(winner));
    }
    if !line.is_empty() {
        outln!("main line {}", show::line(line));
    }
    if let Some(entry) = &look.entry {
        let book::Entry { decided, depth, nodes, by, .. } = entry;
        outln!("{decided} at depth {depth}, {nodes} nodes, by {by}");
    }
    let values = look.moves.iter().map(|m| m.value.map(|value| worth(value, m.is_proved())));
    let values: Vec<_> = values.map(|value| value.unwrap_or("-".to_owned())).collect();
    let wide = values.iter().map(String::len).max().unwrap_or(0).max(7);
    let value = "value";
    outln!("move  same {value:>wide$}  depth  decided   games  black  draws  white  name");
    for (m, value) in look.moves.iter().zip(values) {
        let depth = m.entry.as_ref().map_or("-".to_owned(), |entry| entry.depth.to_string());
        let (r, name) = (&m.results, m.name.unwrap_or_default());
        outln!(
            "{:<5} {:>4} {value:>wide$}  {depth:>5}  {:<8} {:>6} {:>6} {:>6} {:>6}  {name}",
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
