//! `tengen analyze`: what a player thinks of a position.

use std::time::Duration;

use anyhow::{Result, bail};
use gomoku::{Color, Point, Rule, renju};
use player::{Choice, Limits, Progress, Stopwatch, Task, Watch};
use serde_json::json;

use crate::show::outln;
use crate::{
    args::{GameArgs, LimitArgs},
    players, show,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Moves (h8i9g9), stones and the side to move ("b:h8,g9 w:i9 b"), or a record file
    position: String,
    #[command(flatten)]
    game: GameArgs,
    /// Player that analyzes
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    /// How many of the best moves to show
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=484))]
    multipv: u16,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let position = args.game.position(&args.position)?;
    let forbidden: Vec<Point> = if position.rule() == Rule::Renju {
        renju::forbidden_points(position.board()).iter().collect()
    } else {
        Vec::new()
    };
    if !args.json {
        outln!("{}\n", show::board(&position));
    }
    if let Some(outcome) = position.outcome() {
        bail!(
            "The game is over: {}.",
            outcome.winner().map_or("a draw".into(), |c| format!("{c} has won"))
        );
    }
    let mut player = players::build(&args.player)?;
    player.new_game(0);
    let mut task =
        Task::new(position.clone(), args.limits.or(Limits::turn(Duration::from_secs(5))));
    task.multi_pv = usize::from(args.multipv);
    let watch =
        Printer { watch: Stopwatch::start(), quiet: args.json, to_move: position.to_move() };
    let choice = player.choose(&task, &watch);
    if args.json {
        let mut value = show::choice_json(&choice);
        value["position"] = json!(position.to_text());
        value["rule"] = json!(position.rule().name());
        value["size"] = json!(position.size());
        value["to_move"] = json!(position.to_move().to_string());
        if position.rule() == Rule::Renju {
            value["forbidden"] = json!(forbidden.iter().map(Point::to_string).collect::<Vec<_>>());
        }
        outln!("{}", serde_json::to_string_pretty(&value)?);
    } else {
        if !forbidden.is_empty() {
            outln!("forbidden  {}", show::line(&forbidden));
        }
        print_choice(&choice, position.to_move());
    }
    Ok(())
}

fn print_choice(choice: &Choice, to_move: Color) {
    outln!("scores for black, {to_move} to move");
    for (rank, candidate) in choice.candidates.iter().enumerate().take(12) {
        let score =
            candidate.score.map_or_else(|| "-".to_owned(), |score| show::worth(score, to_move));
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
    let proof = choice
        .proof
        .as_ref()
        .map_or_else(String::new, |proof| format!(", proved #{}", proof.plies));
    outln!(
        "\nbest {move_text} ({}{proof}), depth {}, {} nodes, {} evaluations, {:.2} s",
        choice.reason,
        choice.depth,
        show::count(choice.counters.nodes),
        show::count(choice.counters.evaluations),
        choice.counters.time.as_secs_f64(),
    );
}

/// Prints each finished depth.
struct Printer {
    watch: Stopwatch,
    quiet: bool,
    to_move: Color,
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
        outln!(
            "depth {:>2}  {:<12} {:>8} nodes  {}",
            done.depth,
            show::worth(done.score, self.to_move),
            show::count(done.counters.nodes),
            line
        );
    }
}
