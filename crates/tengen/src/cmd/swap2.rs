//! `tengen openings swap2`: offers for Swap2 as the protocol makes them, judged and played.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use gomoku::{
    Color, GameResult, Point, Position,
    opening::{Opening, Protocol},
};
use player::{Limits, OpeningOptions, Player, Task, Unwatched, answer_opening};
use serde_json::json;

use crate::{args::GameArgs, players, show::outln};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// How many offers
    #[arg(long, default_value_t = 20, value_name = "N")]
    count: usize,
    /// Nodes per offer
    #[arg(long, default_value = "200k", value_name = "N", value_parser = crate::args::parse_count)]
    nodes: u64,
    /// Search depth for judging, in plies
    #[arg(long, default_value_t = 12, value_name = "N")]
    depth: u32,
    /// Nodes per move in the games played from each offer, separated by commas
    #[arg(long, default_value = "250,500,1000,2000,4000", value_name = "N,...",
          value_delimiter = ',', value_parser = crate::args::parse_count)]
    games: Vec<u64>,
    /// Who offers, judges and plays
    #[arg(long, default_value = "engine(hash=16)", value_name = "PLAYER")]
    player: String,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let offers = offers(args)?;
    let mut judge = players::build(&args.player)?;
    let mut other = players::build(&args.player)?;
    let mut shown = Vec::new();
    let mut points = vec![0.0; args.games.len()];
    for position in &offers {
        judge.new_game(args.seed);
        let task = Task::new(position.clone(), Limits::depth(args.depth));
        // What is good for White, who moves, is bad for Black.
        let value =
            -judge.choose(&task, &Unwatched).score.context("the player does not judge")?.value();
        for (limit, points) in args.games.iter().zip(&mut points) {
            *points += play(position, [&mut *judge, &mut *other], *limit, args.seed);
        }
        if !args.json {
            outln!("{} {value:+}", text_of(position));
        }
        shown.push(json!({ "moves": text_of(position), "black": value }));
    }
    let n = offers.len() as f64;
    let percent: Vec<f64> = points.iter().map(|points| 100.0 * points / n).collect();
    let together = percent.iter().sum::<f64>() / percent.len().max(1) as f64;
    let distinct = distinct(&offers);
    if args.json {
        let value = json!({
            "offers": shown, "distinct": distinct, "depth": args.depth,
            "nodes": args.games, "black_percent": percent, "black_percent_together": together,
        });
        outln!("{}", serde_json::to_string_pretty(&value)?);
        return Ok(());
    }
    outln!("{distinct} of {} differ, mirror images counted as one", offers.len());
    for (limit, percent) in args.games.iter().zip(&percent) {
        outln!("{limit} nodes per move: {percent:.0} % for Black");
    }
    outln!("together: {together:.1} % for Black");
    Ok(())
}

/// Three stones for each of so many games.
fn offers(args: &Args) -> Result<Vec<Position>> {
    let mut player = players::build(&args.player)?;
    let opening = Opening::new(Protocol::Swap2, args.game.rule, args.game.size)?;
    let ask = opening.ask().context("the opening asks for three stones")?;
    let offers = (1..=args.count as u64).map(|game| {
        let seed = args.seed.wrapping_add(game);
        let limits = Limits::nodes(args.nodes);
        let options = OpeningOptions { limits, seed, ..OpeningOptions::default() };
        player.new_game(seed);
        let mut think = |task| anyhow::Ok(Some(player.choose(&task, &Unwatched)));
        let action = answer_opening(opening.position(), &ask.allowed, options, &mut think)?;
        Ok(Position::from_moves(args.game.rule, args.game.size, &action.stones())?)
    });
    offers.collect()
}

/// Black's points of a game: 1, 0.5 or 0.
fn play(start: &Position, players: [&mut dyn Player; 2], nodes: u64, seed: u64) -> f64 {
    let [black, white] = players;
    black.new_game(seed);
    white.new_game(seed);
    let mut position = start.clone();
    while position.outcome().is_none() {
        let player = if position.to_move() == Color::Black { &mut *black } else { &mut *white };
        let choice = player.choose(&Task::new(position.clone(), Limits::nodes(nodes)), &Unwatched);
        if choice.point().is_none_or(|point| position.play(point).is_err()) {
            break;
        }
    }
    match position.outcome().and_then(|outcome| GameResult::from(outcome).winner) {
        Some(Color::Black) => 1.0,
        Some(Color::White) => 0.0,
        None => 0.5,
    }
}

/// How many offers are left when mirror images count as one.
fn distinct(offers: &[Position]) -> usize {
    let keys = offers.iter().map(|position| position.board().canonical().0.key());
    keys.collect::<BTreeSet<_>>().len()
}

fn text_of(position: &Position) -> String {
    position.moves().iter().map(Point::to_string).collect()
}
