//! `tengen play`: a game in the terminal.

use std::{
    io::{BufRead, Write},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use gomoku::{ByColor, Color, Game, Point, Position, Rule};
use player::{Choice, Limits, Player, PlayerReply, Stopwatch, Task};

use crate::show::outln;
use crate::{
    args::{GameArgs, LimitArgs},
    players, show,
    view::{View, ViewArg},
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who plays Black: "human" or a player
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    black: String,
    /// Who plays White: "human" or a player
    #[arg(long, default_value = "engine(level=3)", value_name = "PLAYER")]
    white: String,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    view: ViewArg,
    /// Start from these moves
    #[arg(long, default_value = "", value_name = "POSITION")]
    from: String,
    /// Random seed of the players
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    /// A person as White against the engine.
    pub(crate) fn against_engine(rule: Rule, size: u8) -> Args {
        Args {
            black: "engine".to_owned(),
            white: "human".to_owned(),
            game: GameArgs { rule, size },
            limits: LimitArgs::default(),
            view: ViewArg::default(),
            from: String::new(),
            seed: 1,
        }
    }
}

enum Typed {
    Move(Point),
    Hint,
    Undo,
    Resign,
    Quit,
}

const HELP: &str = "Type a move such as h8, or: hint, undo, resign, quit, help. '!' marks points \
                    forbidden to Black.";

pub(crate) fn run(args: &Args) -> Result<()> {
    let start = args.game.position(&args.from)?;
    let mut players =
        ByColor { black: seat(&args.black, args.seed)?, white: seat(&args.white, args.seed)? };
    let limits = args.limits.or(Limits::turn(Duration::from_secs(2)));
    let mut game = Game::new(start);
    let mut adviser = players::build("engine")?;
    adviser.new_game(args.seed);
    outln!("{HELP}");
    while game.result.is_none() {
        outln!("\n{}", show::board(&game.position));
        let color = game.position.to_move();
        match &mut players[color] {
            Some(player) => {
                let task = Task::new(game.position.clone(), limits);
                let choice = player.choose(&task, &Stopwatch::start());
                let PlayerReply::Move(point) = choice.reply else {
                    outln!("{color} resigns.");
                    return Ok(());
                };
                outln!("{color} plays {point} ({})", choice.reason);
                game.play(point).with_context(|| format!("{color}'s player made a mistake"))?;
            }
            None => match ask(color)? {
                Typed::Move(point) if game.position.forbidden(point).is_some() => {
                    outln!("{point} is forbidden to Black.");
                }
                Typed::Move(point) => {
                    if let Err(error) = game.play(point) {
                        outln!("{error}");
                    }
                }
                Typed::Hint => {
                    let task = Task::new(game.position.clone(), limits);
                    let choice = adviser.choose(&task, &Stopwatch::start());
                    if let Some(point) = choice.point() {
                        outln!("Try {point}: {}.", worth(&choice, color, args.view.view));
                    }
                }
                Typed::Undo => undo(&mut game.position, &players),
                Typed::Resign => {
                    outln!("{} wins: {color} has resigned.", !color);
                    return Ok(());
                }
                Typed::Quit => return Ok(()),
            },
        }
    }
    outln!("\n{}", show::board(&game.position));
    let result = game.result.expect("the loop ends with a result");
    match result.winner {
        Some(winner) => outln!("{winner} wins ({}).", result.ending),
        None => outln!("Draw."),
    }
    outln!("Moves: {}", game.position.to_text());
    Ok(())
}

/// What a hint is worth, and for whom where that is not clear.
fn worth(choice: &Choice, color: Color, view: View) -> String {
    let Some(score) = choice.score else { return choice.reason.to_string() };
    let worth = view.worth(score, color, choice.proof.is_some());
    if score.is_decisive() { worth } else { format!("{worth}, {}", view.title()) }
}

/// The player in a seat; `None` for a person.
fn seat(text: &str, seed: u64) -> Result<Option<Box<dyn Player>>> {
    if text == "human" {
        return Ok(None);
    }
    let mut player = players::build(text)?;
    player.new_game(seed);
    Ok(Some(player))
}

/// Against a player, takes back its move and the person's; between two people, one move.
fn undo(position: &mut Position, players: &ByColor<Option<Box<dyn Player>>>) {
    let n = if players[!position.to_move()].is_some() { 2 } else { 1 };
    for _ in 0..n {
        position.undo();
    }
}

fn ask(color: Color) -> Result<Typed> {
    loop {
        print!("{color} to move> ");
        std::io::stdout().flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            bail!("The input ended before the game did.");
        }
        match line.trim() {
            "" => {}
            "help" | "h" | "?" => outln!("{HELP}"),
            "hint" => return Ok(Typed::Hint),
            "undo" | "u" => return Ok(Typed::Undo),
            "resign" => return Ok(Typed::Resign),
            "quit" | "q" | "exit" => return Ok(Typed::Quit),
            text => match text.parse() {
                Ok(point) => return Ok(Typed::Move(point)),
                Err(error) => outln!("{error}"),
            },
        }
    }
}
