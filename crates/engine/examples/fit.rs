//! Fits the evaluation's tables to games of `selfplay`:
//! `fit [--epochs N] [--rate R] [--decay D] [--result-share S] OUT FILE...`.

use std::io::Write;

use engine::fit::{FitGame, Samples, Settings, Tables};
use gomoku::{Position, Rule};

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut option = |name: &str, usual: f32| {
        let Some(at) = args.iter().position(|arg| arg == name) else { return usual };
        let value = args.drain(at..at + 2).nth(1).expect("a value");
        value.parse().expect("a number")
    };
    let usual = Settings::default();
    let settings = Settings {
        epochs: option("--epochs", usual.epochs as f32) as usize,
        rate: option("--rate", usual.rate),
        decay: option("--decay", usual.decay),
        result_share: option("--result-share", usual.result_share),
    };
    // A fifth of the games supports only small steps away from what all rules have in common.
    let by_rule = Settings { epochs: 4, rate: 0.002, decay: 2e-5, ..settings };
    let mut games = Vec::new();
    for file in &args[1..] {
        let text = std::fs::read_to_string(file).expect("a file of games");
        games.extend(text.lines().filter_map(read));
    }
    println!("{} games", games.len());
    let mut all = Samples::default();
    let is_held_out = |i: usize| i.is_multiple_of(10);
    for (_, game) in games.iter().enumerate().filter(|(i, _)| !is_held_out(i / Rule::ALL.len())) {
        all.add(game, settings.result_share);
    }
    println!("all: {all:?}");
    let hand = Tables::by_hand(Rule::Freestyle);
    println!("by hand: {:?}", hand.loss(&all));
    let pooled = hand.fit(&all, &settings, true);
    println!("pooled: {:?}", pooled.loss(&all));
    let mut out = std::fs::File::create(&args[0]).expect("a file to write");
    for rule in Rule::ALL {
        let (mut train, mut held_out) = (Samples::default(), Samples::default());
        for (i, game) in games.iter().enumerate().filter(|(_, game)| game.rule == rule) {
            let is_held_out = is_held_out(i / Rule::ALL.len());
            let samples = if is_held_out { &mut held_out } else { &mut train };
            samples.add(game, settings.result_share);
        }
        let fitted = pooled.fit(&train, &by_rule, rule != Rule::Renju);
        println!("{rule}: trained {:?}", fitted.loss(&train));
        println!("{rule}: held out by hand {:?}", Tables::by_hand(rule).loss(&held_out));
        println!("{rule}: held out pooled {:?}", pooled.loss(&held_out));
        println!("{rule}: held out fitted {:?}", fitted.loss(&held_out));
        out.write_all(&fitted.to_bytes(rule != Rule::Renju)).expect("the file can be written");
    }
}

fn read(line: &str) -> Option<FitGame> {
    let mut words = line.split(' ');
    let rule: Rule = words.next()?.parse().ok()?;
    let size = words.next()?.parse().ok()?;
    let position = Position::parse(words.next()?, rule, size).ok()?;
    let scores = words.next()?.split(',').map(|score| score.parse().ok()).collect();
    let result = words.next()?.parse().ok()?;
    Some(FitGame { rule, size, moves: position.moves().to_vec(), scores, result })
}
