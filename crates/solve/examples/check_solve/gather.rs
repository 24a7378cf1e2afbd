//! Makes a suite: problems from games and from scattered stones, answered by the plain search.
//!
//! The solver has no part in this. A candidate that the plain search cannot settle is left out, and
//! counted.

use std::io::Write;

use gomoku::{Board, Color, Point, Position, Rule};
use solve::Kind;

use crate::{
    common::Random,
    plain::{self, Verdict},
    problem::Problem,
};

/// Turns for each question, by kind: some seconds.
const FOURS: u64 = 20_000;
const THREATS: u64 = 6_000;
/// Problems of each sort for each rule, by fours and by threats.
const LIMITS: [usize; 2] = [24, 40];
/// A win of so many plies counts as long.
const LONG: u32 = 15;

/// Where problems go, and how many there are of each sort.
#[derive(Default)]
struct Gatherer {
    open: u32,
    counts: std::collections::BTreeMap<&'static str, usize>,
}

impl Gatherer {
    /// Whether there are fewer of a sort than wanted.
    fn wants(&self, sort: &'static str) -> bool {
        let limit = LIMITS[usize::from(sort.starts_with("vct"))];
        self.counts.get(sort).is_none_or(|&count| count < limit)
    }

    fn take(&mut self, sort: &'static str, problem: &Problem) {
        if self.wants(sort) {
            *self.counts.entry(sort).or_default() += 1;
            println!("{}", problem.to_text());
            std::io::stdout().flush().ok(); // whoever reads is gone if this fails
        }
    }

    /// The plain search's answer; `None` and counted if it has none.
    fn ask(&mut self, position: &Position, kind: Kind, hints: &[Point]) -> Option<Option<u32>> {
        let most = if kind == Kind::Vcf { FOURS } else { THREATS };
        match plain::search(position, kind == Kind::Vct, most, hints) {
            Verdict::Win(plies) => Some(Some(plies)),
            Verdict::None => Some(None),
            Verdict::Unknown => {
                self.open += 1;
                None
            }
        }
    }
}

/// Prints problems of scattered stones for each word that is a rule, and problems from games for
/// each word RULE=FILE, where the file has one game a line as in a report's `games.log`.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    for word in words {
        let (rule, path) = word.split_once('=').map_or((*word, None), |(r, path)| (r, Some(path)));
        let rule: Rule = rule.parse().map_err(|error: gomoku::ParseRuleError| error.to_string())?;
        let mut gatherer = Gatherer::default();
        match path {
            None => scattered(rule, &mut gatherer),
            Some(path) => {
                let text = std::fs::read_to_string(path);
                let text = text.map_err(|error| format!("{path}: {error}"))?;
                from_games(rule, &text, &mut gatherer);
            }
        }
        eprintln!("{word}: {:?}, not settled {}", gatherer.counts, gatherer.open);
    }
    Ok(())
}

fn from_games(rule: Rule, text: &str, gatherer: &mut Gatherer) {
    let mut seen = std::collections::BTreeSet::new();
    for line in text.lines() {
        // Pair, game, players, opening, moves, result, ending.
        let fields: Vec<&str> = line.split(' ').collect();
        let [pair, _, _, _, opening, moves, _, "five"] = fields[..] else { continue };
        let game = format!("{opening}{moves}");
        if seen.insert(game.clone())
            && let Ok(end) = Position::parse(&game, rule, 15)
        {
            from_game(&end, pair, gatherer);
        }
    }
}

/// Goes back through a won game, turn by turn of the winner: the last positions that fours alone
/// win, the first that they do not, and the same for threats.
fn from_game(end: &Position, pair: &str, gatherer: &mut Gatherer) {
    let moves = end.moves();
    let mut kind = Kind::Vcf;
    let mut last_win: Option<Problem> = None;
    let sort = |kind, plies: Option<u32>| match (kind, plies) {
        (Kind::Vcf, None) => "vcf none",
        (Kind::Vcf, Some(plies)) if plies >= LONG => "vcf long",
        (Kind::Vcf, Some(_)) => "vcf",
        (Kind::Vct, None) => "vct none",
        (Kind::Vct, Some(plies)) if plies >= LONG => "vct long",
        (Kind::Vct, Some(_)) => "vct",
    };
    let mut back = 3;
    while back + 8 <= moves.len() && back <= 41 {
        let Ok(position) =
            Position::from_moves(end.rule(), end.size(), &moves[..moves.len() - back])
        else {
            return;
        };
        let hints: Vec<Point> = moves[moves.len() - back..].iter().copied().step_by(2).collect();
        let Some(answer) = gatherer.ask(&position, kind, &hints) else { break };
        let source = format!("game {pair}, {back} plies before its end");
        let problem = Problem { kind, answer, position, source };
        if answer.is_some() {
            last_win = Some(problem);
            back += 2;
            continue;
        }
        if let Some(win) = last_win.take() {
            gatherer.take(sort(kind, win.answer), &win);
        }
        if kind == Kind::Vct || plain::count_fours(&problem.position) > 0 {
            gatherer.take(sort(kind, None), &problem);
        }
        // The same position again, with threats.
        match kind {
            Kind::Vcf => kind = Kind::Vct,
            Kind::Vct => return,
        }
    }
    if let Some(win) = last_win {
        gatherer.take(sort(kind, win.answer), &win);
    }
}

/// Stones scattered over the middle of the board, with eight fours or more, and then a stone of the
/// defender on the first move of every short win: what is left is a long win, or none.
fn scattered(rule: Rule, gatherer: &mut Gatherer) {
    for seed in 0..150_000 {
        if !gatherer.wants("vcf long") && !gatherer.wants("vcf none, many fours") {
            break;
        }
        let mut position = scatter(rule, seed);
        while plain::count_fours(&position) >= 8 {
            let (found, first) = plain::search_with_move(&position, false, FOURS, &[]);
            let (sort, answer) = match (found, first) {
                (Verdict::Unknown, _) => {
                    gatherer.open += 1;
                    break;
                }
                (Verdict::Win(plies), Some(first)) if plies < LONG => {
                    position = defended(&position, first);
                    continue;
                }
                (Verdict::Win(plies), _) => ("vcf long", Some(plies)),
                (Verdict::None, _) => ("vcf none, many fours", None),
            };
            let source = format!("scattered {seed}");
            gatherer.take(sort, &Problem { kind: Kind::Vcf, answer, position, source });
            break;
        }
    }
}

/// The position with a stone more of the side that is not to move.
fn defended(position: &Position, point: Point) -> Position {
    let mut board = *position.board();
    board.place(point, !position.to_move());
    Position::from_board(position.rule(), board, position.to_move())
}

fn scatter(rule: Rule, seed: u64) -> Position {
    let mut random = Random::new(seed);
    let mut board = Board::new(15);
    let stones = 26 + random.below(26);
    for i in 0..stones {
        let mut coordinate = || 1 + random.below(13) as u8;
        let point = Point::new(coordinate(), coordinate());
        let color = Color::of_turn(i);
        if board.is_empty_at(point) && !board.is_five(rule, point, color) {
            board.place(point, color);
        }
    }
    Position::from_board(rule, board, Color::of_turn(random.below(2)))
}
