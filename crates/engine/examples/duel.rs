//! Plays colour-swapped pairs between two specs in this process and prints the Elo difference:
//! `duel A B [--rule R] [--size N] [--nodes N] [--pairs N] [--seed S] [--stones N]`. A player given as
//! `tables:FILE` is the engine with other evaluation tables.

use gomoku::{Color, Outcome, Point, Position, Rule, zobrist::split_mix};
use player::{Limits, Player, Registry, Reply, Task, Unwatched};

struct Options {
    rule: Rule,
    size: u8,
    nodes: [u64; 2],
    pairs: u64,
    seed: u64,
    stones: u64,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1)).cloned()
    };
    let number = |name: &str, default: u64| {
        value(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let nodes = number("--nodes", 5_000);
    let options = Options {
        rule: value("--rule").map_or(Rule::Freestyle, |text| text.parse().expect("a rule")),
        size: number("--size", 15) as u8,
        nodes: [number("--nodes-a", nodes), number("--nodes-b", nodes)],
        pairs: number("--pairs", 50),
        seed: number("--seed", 1),
        stones: number("--stones", 0),
    };
    let mut registry = Registry::default();
    engine::register(&mut registry);
    let mut players = [&args[0], &args[1]].map(|spec| build(&registry, spec));
    let mut judge = registry.build("engine(hash=8)").expect("the engine");
    let mut score = Score::default();
    for pair in 0..options.pairs {
        let opening = opening(&options, pair, &mut judge);
        let mut points = 0;
        for first in 0..2 {
            let result = play(&options, &opening, &mut players, first, pair);
            points += result;
            score.games[result as usize] += 1;
        }
        score.pairs[points as usize] += 1;
        if (pair + 1) % 10 == 0 || pair + 1 == options.pairs {
            println!("{:>5} pairs: {score}", pair + 1);
        }
    }
}

fn build(registry: &Registry, spec: &str) -> Box<dyn Player> {
    let Some(file) = spec.strip_prefix("tables:") else {
        return registry.build(spec).expect("a player");
    };
    let mut engine = engine::Engine::new(engine::Options::default());
    engine.use_tables(&std::fs::read(file).expect("a file")).expect("a file of tables");
    Box::new(engine)
}

/// Random stones near the middle such that the judge sees neither side far ahead.
fn opening(options: &Options, pair: u64, judge: &mut Box<dyn Player>) -> Position {
    let mut random = split_mix(options.seed << 32 ^ pair);
    let mut next = |n: u64| {
        random = split_mix(random);
        random % n
    };
    let middle = options.size / 2;
    loop {
        let n_stones = if options.stones > 0 { options.stones } else { 3 + next(6) };
        let mut position = Position::new(options.rule, options.size);
        let reach = 3 + n_stones / 5;
        while (position.moves().len() as u64) < n_stones && position.outcome().is_none() {
            let mut coordinate =
                || (middle as i64 + next(2 * reach + 1) as i64 - reach as i64) as u8;
            let Some(point) = Point::try_new(coordinate(), coordinate()) else { continue };
            if point.is_on(options.size) && position.is_legal(point) {
                position.play(point).expect("a legal move can be played");
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        judge.new_game(0);
        let choice = judge.choose(&Task::new(position.clone(), Limits::nodes(8_000)), &Unwatched);
        if choice.score.is_some_and(|score| score.value().abs() < 120) {
            return position;
        }
    }
}

/// 2 for a win of the first player, 1 for a draw, 0 for a loss.
fn play(
    options: &Options,
    opening: &Position,
    players: &mut [Box<dyn Player>; 2],
    black: usize,
    seed: u64,
) -> u32 {
    let mut position = opening.clone();
    players.iter_mut().for_each(|player| player.new_game(seed));
    while position.outcome().is_none() {
        let mover = if position.to_move() == Color::Black { black } else { 1 - black };
        let limits = Limits::nodes(options.nodes[mover]);
        let choice = players[mover].choose(&Task::new(position.clone(), limits), &Unwatched);
        let Reply::Move(point) = choice.reply else { panic!("{position}: {choice:?}") };
        position.play(point).expect("players play on empty points");
    }
    let winner = position.outcome().and_then(Outcome::winner);
    winner.map_or(1, |color| if (color == Color::Black) == (black == 0) { 2 } else { 0 })
}

#[derive(Default)]
struct Score {
    /// Losses, draws and wins of the first player.
    games: [u32; 3],
    /// Pairs by points, 0 to 4.
    pairs: [u32; 5],
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let n = f64::from(self.pairs.iter().sum::<u32>());
        let each = |i: usize| i as f64 / 4.0;
        let mean = (0..5).map(|i| f64::from(self.pairs[i]) * each(i)).sum::<f64>() / n;
        let square = (0..5).map(|i| f64::from(self.pairs[i]) * (each(i) - mean).powi(2));
        let error = (square.sum::<f64>() / n / n).sqrt() * 1.96;
        let elo = |p: f64| -400.0 * (1.0 / p.clamp(0.001, 0.999) - 1.0).log10();
        let [l, d, w] = self.games;
        write!(
            f,
            "+{w} ={d} -{l}  {:.1} %  Elo {:+.0} ({:+.0} .. {:+.0})  {:?}",
            mean * 100.0,
            elo(mean),
            elo(mean - error),
            elo(mean + error),
            self.pairs
        )
    }
}
