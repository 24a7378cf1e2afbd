//! `tengen analyze`: what a player thinks of a position.

mod parts;

use std::{path::Path, sync::Mutex, time::Duration};

use anyhow::{Context, Result, bail};
use gomoku::{Color, Point, Position, Rule, renju};
use player::{Choice, Limits, Player, Progress, Stopwatch, Task, Watch};
use serde_json::{Value, json};

use crate::show::outln;
use crate::{
    args::{GameArgs, LimitArgs},
    players, show,
    view::{self, View, ViewArg},
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Moves (h8i9g9), stones and the side to move ("b:h8,g9 w:i9 b"), or a record file
    position: String,
    #[command(flatten)]
    game: GameArgs,
    /// The game of a record file, counted from 1
    #[arg(long = "game", default_value_t = 1, value_name = "K",
          value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// Analyze the position after this many moves (default: the last that is not decided)
    #[arg(long = "move", value_name = "N")]
    after: Option<usize>,
    /// Analyze every position of the game, and show each move beside the best one
    #[arg(long, conflicts_with = "after")]
    all: bool,
    /// Player that analyzes
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    /// How many of the best moves to show
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=484))]
    multipv: u16,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    view: ViewArg,
    /// Print JSON, where scores are for the side to move
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let last = last_position(args)?;
    if args.all {
        return analyze_all(args, &last);
    }
    let position = match args.after {
        Some(n) => after(&last, n)?,
        None => open(&last)?,
    };
    if let Some(outcome) = position.outcome() {
        let who = outcome.winner().map_or("a draw".into(), |color| format!("{color} has won"));
        bail!("The game is over: {who}.");
    }
    let left = last.moves().len() - position.moves().len();
    if args.after.is_none() && left > 0 {
        eprintln!("The game is over; this is the position before its last move.");
    }
    if !args.json {
        outln!("{}\n", show::board(&position));
    }
    let mut player = players::build(&args.player)?;
    let choice = ask(args, &mut *player, &position, args.json);
    let explanation = player.explain(&position);
    if args.json {
        let mut value = to_json(&choice, &position);
        value["explain"] = parts::json(&players::resolve(&args.player)?, &explanation)?;
        outln!("{}", serde_json::to_string_pretty(&value)?);
    } else {
        let forbidden = forbidden(&position);
        if !forbidden.is_empty() {
            outln!("forbidden  {}", show::line(&forbidden));
        }
        print_choice(&choice, position.to_move(), args.view.view);
        parts::print(&explanation, position.to_move(), args.view.view);
    }
    Ok(())
}

/// The end of what was given: moves, stones, or a game of a record file.
fn last_position(args: &Args) -> Result<Position> {
    let path = Path::new(&args.position);
    if !path.is_file() {
        if args.number > 1 {
            bail!("Only a record file has a game number {}.", args.number);
        }
        return args.game.position(&args.position);
    }
    let games = args.game.games_in(path)?;
    let (count, number) = (games.len(), args.number as usize);
    let game = games.into_iter().nth(number - 1);
    let missing = || match count {
        1 => format!("There is one game in {}.", path.display()),
        _ => format!("There are {count} games in {}.", path.display()),
    };
    Ok(game.with_context(missing)?.position)
}

/// The position after the first moves of those that led here.
fn after(last: &Position, n: usize) -> Result<Position> {
    let mut position = last.clone();
    if n > position.moves().len() {
        bail!("The game has {} moves, not {n}.", position.moves().len());
    }
    while position.moves().len() > n {
        position.undo();
    }
    Ok(position)
}

/// The last position in which something is left to decide.
fn open(last: &Position) -> Result<Position> {
    match (last.outcome(), last.moves().len()) {
        (Some(_), moves @ 1..) => after(last, moves - 1),
        _ => Ok(last.clone()),
    }
}

/// One line for each position: the move that was played, and the best one.
fn analyze_all(args: &Args, last: &Position) -> Result<()> {
    let mut player = players::build(&args.player)?;
    let mut found = Vec::new();
    if !args.json {
        let title = args.view.view.title();
        outln!("{:>4}  {:<6} {:<6} {title:<27} line", "move", "played", "best");
    }
    for n in 0..=last.moves().len() {
        let position = after(last, n)?;
        if position.outcome().is_some() {
            break;
        }
        let played = last.moves().get(n).map(Point::to_string);
        let choice = ask(args, &mut *player, &position, true);
        if args.json {
            let mut value = to_json(&choice, &position);
            value["played"] = json!(played);
            found.push(value);
            continue;
        }
        let best = choice.point().map_or_else(String::new, |point| point.to_string());
        let (view, is_proved) = (args.view.view, choice.proof.is_some());
        let worth = choice.score.map(|score| view.worth(score, position.to_move(), is_proved));
        outln!(
            "{:>4}  {:<6} {best:<6} {:<27} {}",
            n + 1,
            played.unwrap_or_default(),
            worth.unwrap_or_default(),
            show::line(choice.line())
        );
    }
    if args.json {
        outln!("{}", serde_json::to_string_pretty(&found)?);
    }
    Ok(())
}

/// Asks a player that begins anew.
fn ask(args: &Args, player: &mut dyn Player, position: &Position, quiet: bool) -> Choice {
    player.new_game(0);
    let limits = args.limits.or(Limits::turn(Duration::from_secs(5)));
    let mut task = Task::new(position.clone(), limits);
    task.multi_pv = usize::from(args.multipv);
    let (to_move, view) = (position.to_move(), args.view.view);
    let watch = Printer { watch: Stopwatch::start(), quiet, to_move, view, held: Mutex::default() };
    player.choose(&task, &watch)
}

fn forbidden(position: &Position) -> Vec<Point> {
    match position.rule() {
        Rule::Renju => renju::forbidden_points(position.board()).iter().collect(),
        _ => Vec::new(),
    }
}

fn to_json(choice: &Choice, position: &Position) -> Value {
    let mut value = show::choice_json(choice, position.to_move());
    value["position"] = json!(position.to_text());
    value["rule"] = json!(position.rule().name());
    value["size"] = json!(position.size());
    value["to_move"] = json!(position.to_move().to_string());
    if position.rule() == Rule::Renju {
        let points = forbidden(position);
        value["forbidden"] = json!(points.iter().map(Point::to_string).collect::<Vec<_>>());
    }
    value
}

fn print_choice(choice: &Choice, to_move: Color, view: View) {
    outln!("{}, {} to move", view.title(), view::name(to_move));
    for (rank, candidate) in choice.candidates.iter().enumerate().take(12) {
        let is_proved = choice.proof.is_some() && choice.point() == Some(candidate.point);
        let worth = |score| view.worth(score, to_move, is_proved);
        let score = candidate.score.map_or_else(|| "-".to_owned(), worth);
        let share =
            candidate.probability.map_or_else(String::new, |p| format!("{:>4.0}% ", p * 100.0));
        outln!(
            "{:>2}. {:<4} {share}{score:<12} {}",
            rank + 1,
            candidate.point.to_string(),
            show::line(&candidate.line)
        );
    }
    let move_text = choice.point().map_or_else(|| format!("{:?}", choice.reply), |p| p.to_string());
    outln!(
        "\nbest {move_text} ({}), depth {}, {} nodes, {} evaluations, {:.2} s",
        choice.reason,
        choice.depth,
        show::count(choice.counters.nodes),
        show::count(choice.counters.evaluations),
        choice.counters.time.as_secs_f64(),
    );
}

/// Prints each finished depth. A line that claims a win waits for the next one: the last is left to the
/// result, which knows whether the win was proved.
struct Printer {
    watch: Stopwatch,
    quiet: bool,
    to_move: Color,
    view: View,
    held: Mutex<Option<String>>,
}

impl Watch for Printer {
    fn stopped(&self) -> bool {
        self.watch.stopped()
    }

    fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    fn progress(&self, progress: &Progress) {
        let (false, Some(done)) = (self.quiet, &progress.finished) else { return };
        let line = progress.candidates.first().map_or_else(String::new, |c| show::line(&c.line));
        let line = format!(
            "depth {:>2}  {:<12} {:>8} nodes  {line}",
            done.depth,
            self.view.worth(done.score, self.to_move, false),
            show::count(done.counters.nodes),
        );
        let mut held = self.held.lock().expect("nothing fails while it is held");
        if let Some(before) = held.take() {
            outln!("{before}");
        }
        if done.score.is_decisive() {
            *held = Some(line);
        } else {
            outln!("{line}");
        }
    }
}
