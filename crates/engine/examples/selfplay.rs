//! Plays games of the engine against itself and prints them for `fit`, one a line:
//! `selfplay [--rule R|all] [--size N] [--nodes N] [--games N] [--seed S]`.

use engine::{Engine, Options};
use gomoku::{Color, Outcome, Point, Position, Rule, zobrist::split_mix};
use player::{Limits, Player, Task, Unwatched};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1)).cloned()
    };
    let number = |name: &str, default: u64| {
        value(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let rules = match value("--rule").as_deref() {
        None | Some("all") => Rule::ALL.to_vec(),
        Some(text) => vec![text.parse().expect("a rule")],
    };
    let (nodes, seed) = (number("--nodes", 1_000), number("--seed", 1));
    let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
    for game in 0..number("--games", 100) {
        let rule = rules[game as usize % rules.len()];
        let random = Random(split_mix(seed << 32 ^ game));
        // Most games on the usual board, some on others.
        let size = match number("--size", 0) {
            0 => [15, 15, 15, 20][game as usize / rules.len() % 4],
            size => size as u8,
        };
        println!("{}", play(&mut engine, rule, size, nodes, random));
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = split_mix(self.0);
        self.0 % n
    }
}

/// No game is played longer; it counts as a draw then.
const LONGEST: usize = 120;

fn play(engine: &mut Engine, rule: Rule, size: u8, nodes: u64, mut random: Random) -> String {
    engine.new_game(0);
    let mut position = opening(rule, size, &mut random);
    let mut scores = vec!["-".to_owned(); position.moves().len()];
    let mut result = 0.5;
    while position.outcome().is_none() && position.moves().len() < LONGEST {
        let budget = nodes / 2 + random.below(nodes);
        let task = Task::new(position.clone(), Limits::nodes(budget));
        let choice = engine.choose(&task, &Unwatched);
        let score = choice.score.unwrap_or_default();
        if let Some(plies) = score.decisive_in() {
            let black_wins = (position.to_move() == Color::Black) == (plies > 0);
            result = if black_wins { 1.0 } else { 0.0 };
            break;
        }
        let mut point = choice.point().expect("the engine plays a move");
        scores.push(score.value().to_string());
        // Now and then something else, so that bad positions are seen too.
        if position.moves().len() < 24 && random.below(12) == 0 {
            let near = position.board().occupied().grow(size) - position.board().occupied();
            let points: Vec<Point> = near.iter().filter(|&p| position.is_legal(p)).collect();
            if !points.is_empty() {
                point = points[random.below(points.len() as u64) as usize];
                *scores.last_mut().expect("just pushed") = "-".to_owned();
            }
        }
        position.play(point).expect("the move is legal");
    }
    if let Some(outcome) = position.outcome() {
        result = match outcome {
            Outcome::Draw => 0.5,
            other => f32::from(u8::from(other.winner() == Some(Color::Black))),
        };
    }
    format!("{rule} {size} {} {} {result}", position.to_text(), scores.join(","))
}

fn opening(rule: Rule, size: u8, random: &mut Random) -> Position {
    loop {
        let mut position = Position::new(rule, size);
        let (n_stones, reach) = (1 + random.below(8), 2 + random.below(4));
        let middle = i64::from(size / 2);
        while (position.moves().len() as u64) < n_stones && position.outcome().is_none() {
            let mut coordinate =
                || (middle + random.below(2 * reach + 1) as i64 - reach as i64) as u8;
            let point = Point::try_new(coordinate(), coordinate());
            if let Some(point) = point.filter(|&p| p.is_on(size) && position.is_legal(p)) {
                position.play(point).expect("the move is legal");
            }
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}
