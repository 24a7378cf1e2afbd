//! Finds puzzles in games: the earliest positions of a won game that threats decide, and turns of
//! either side where few moves hold.
//!
//! The puzzles in use come from the engine's games against itself: the first 4,386 of freestyle-15 with
//! 1,000 nodes a move, and of `tengen selfplay --nodes 600 --seed 7` with `--rule renju` the first 1,600
//! and with `--rule standard` the first 249.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use desk::puzzles::{Puzzle, PuzzleGoal, Theme, passed};
use gomoku::{Color, Field, Point, Position, Rule, Symmetry, Threat, with_rule};
use player::{Limits, Unwatched};
use solve::{Kind, Solver};

/// Nodes for each question; what is not settled by then makes no puzzle.
const NODES: u64 = 30_000;
/// Stones of a puzzle, at most; the first rung is emptier.
const STONES: usize = 30;
const FIRST_STONES: usize = 17;
/// So many moves may hold.
const HOLDING: usize = 2;
const FIRST_HOLDING: usize = 5;
/// A game is looked through from here on.
const FIRST_PLY: usize = 7;

/// How many puzzles are wanted of a theme under a rule; a share of each for any range of work.
fn wanted(rule: Rule, theme: Theme) -> usize {
    match (rule, theme) {
        (Rule::Freestyle, Theme::First) => 60,
        (_, Theme::First) => 0,
        (Rule::Freestyle, Theme::FourThree) => 50,
        (Rule::Freestyle, _) => 70,
        (Rule::Renju, Theme::Trap) => 60,
        (Rule::Renju, _) => 40,
        (Rule::Standard, Theme::FourThree) => 8,
        (Rule::Standard, _) => 16,
        _ => 0,
    }
}

/// Puzzles that were found, and how many of each sort.
#[derive(Default)]
struct Miner {
    found: Vec<Puzzle>,
    counts: BTreeMap<(&'static str, Theme), usize>,
    /// By rule, theme, goal, plies of the first rung, and magnitude of the work.
    sorts: BTreeMap<(&'static str, Theme, PuzzleGoal, u32, u32), usize>,
    /// Stones seen in a file, in all their symmetries.
    seen: BTreeSet<u64>,
}

/// Prints what is found in the games of some files.
pub(crate) fn run(files: &[&str]) -> Result<(), String> {
    let mut miner = Miner::default();
    for path in files {
        let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let mut games = 0;
        miner.seen.clear();
        for line in text.lines() {
            let Some((end, winner)) = game(line) else { continue };
            games += 1;
            if miner.is_full(end.rule()) {
                break;
            }
            miner.look_at(&end, winner);
        }
        eprintln!("{path}: {games} games, {:?}", miner.counts);
    }
    miner.found.sort_by_cached_key(|one| (one.theme, one.work, one.goal, one.to_string()));
    println!(
        "# Theme, goal, plies, nodes to see it, right moves, rule, board, stones. Made by \
         'cargo xtask check puzzles mine'."
    );
    miner.found.iter().for_each(|one| println!("{one}"));
    Ok(())
}

/// The end of a game, and who has won; of a draw, nothing.
fn game(line: &str) -> Option<(Position, Color)> {
    let [rule, size, moves, _, result] = line.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    let winner = match result {
        "1" => Color::Black,
        "0" => Color::White,
        _ => return None,
    };
    let end = Position::parse(moves, rule.parse().ok()?, size.parse().ok()?).ok()?;
    Some((end, winner))
}

impl Miner {
    fn left(&self, rule: Rule, theme: Theme) -> usize {
        let had = self.counts.get(&(rule.name(), theme)).copied().unwrap_or_default();
        wanted(rule, theme).saturating_sub(had)
    }

    fn is_full(&self, rule: Rule) -> bool {
        Theme::ALL.iter().all(|&theme| self.left(rule, theme) == 0)
    }

    fn wants(&self, rule: Rule, themes: &[Theme]) -> bool {
        themes.iter().any(|&theme| self.left(rule, theme) > 0)
    }

    /// Takes at most one puzzle from a game.
    fn look_at(&mut self, end: &Position, winner: Color) {
        let rule = end.rule();
        let before = |ply: usize| Position::from_moves(rule, end.size(), &end.moves()[..ply]);
        if self.wants(rule, &[Theme::First, Theme::Defense]) {
            for ply in FIRST_PLY..end.moves().len() {
                if before(ply).is_ok_and(|position| self.hold(&position)) {
                    return;
                }
            }
        }
        let wins = [Theme::First, Theme::FourThree, Theme::Vcf, Theme::Vct, Theme::Trap];
        if !self.wants(rule, &wins) {
            return;
        }
        let mut latest = None;
        let mut won = Vec::new();
        let mut ply = end.moves().len();
        while ply >= FIRST_PLY {
            let Ok(position) = before(ply) else { return };
            if position.to_move() != winner {
                ply -= 1;
                continue;
            }
            let mut solver = Solver::new(1);
            let limits = Limits::nodes(NODES);
            let answer = solver.any(&position, winner, &limits, &Unwatched);
            let Some(win) = answer.win() else { break };
            latest.get_or_insert_with(|| (position.clone(), win.line()));
            won.push(position);
            ply -= 2;
        }
        // The earliest first: what is won late is seen at once.
        if self.wants(rule, &[Theme::Vct, Theme::Trap])
            && won.iter().rev().any(|position| self.win(position))
        {
            return;
        }
        if let Some((position, line)) = latest {
            self.along(position, &line);
        }
    }

    /// Takes a position of a win that is played to its end: fours come late.
    fn along(&mut self, mut at: Position, line: &[Point]) -> bool {
        for (ply, &point) in line.iter().enumerate() {
            if ply % 2 == 0 && self.win(&at) {
                return true;
            }
            if at.play(point) != Ok(None) {
                return false;
            }
        }
        false
    }

    /// Takes the position if its winner has one way to begin, or few on the first rung.
    fn win(&mut self, position: &Position) -> bool {
        let side = position.to_move();
        let is_forced = with_rule!(position.rule(), R => {
            Field::<R>::from_position(position).has(!side, Threat::Five)
        });
        let (rule, limits) = (position.rule(), Limits::nodes(NODES));
        let mut solver = Solver::new(4);
        let has_fours =
            solver.solve(position, side, Kind::Vcf, &limits, &Unwatched).win().is_some();
        if position.board().len() > STONES
            || !has_fours && !self.wants(rule, &[Theme::Vct, Theme::Trap])
        {
            return false;
        }
        let Some((theme, plies)) = Puzzle::theme_of(position, PuzzleGoal::Win) else {
            return false;
        };
        if is_forced && plies > 1 || self.left(rule, theme) == 0 {
            return false;
        }
        let keys = [Kind::Vcf, Kind::Vct].into_iter().find_map(|kind| {
            let moves = solver.first_moves(position, kind, &limits, &Unwatched);
            let is_settled = |(_, answer): &(Point, solve::SolverAnswer)| {
                answer.win().is_some() || answer.is_no_win()
            };
            let all = moves.iter().all(is_settled);
            let wins = moves.iter().filter(|(_, answer)| answer.win().is_some());
            let mut wins: Vec<_> = wins.collect();
            if plies <= 3 {
                let soonest = |answer: &solve::SolverAnswer| answer.win().map(|win| win.plies);
                wins.retain(|(_, answer)| soonest(answer) <= Some(plies));
            }
            let wins: Vec<Point> = wins.iter().map(|(point, _)| *point).collect();
            (all && !wins.is_empty()).then_some(wins)
        });
        let most = if plies <= 3 { 4 } else { 1 };
        let Some(keys) = keys.filter(|keys| keys.len() <= most) else { return false };
        self.take(Puzzle {
            theme,
            goal: PuzzleGoal::Win,
            plies,
            work: 0,
            keys,
            position: position.clone(),
        })
    }

    /// Takes the position if something is threatened and few moves meet it.
    fn hold(&mut self, position: &Position) -> bool {
        if position.board().len() > STONES {
            return false;
        }
        let (side, limits) = (position.to_move(), Limits::nodes(NODES));
        let is_of = |position: &Position, kind| {
            let mut solver = Solver::new(1);
            let answer = solver.solve(position, position.to_move(), kind, &limits, &Unwatched);
            answer.win().is_some()
        };
        let threat = passed(position);
        if !is_of(&threat, Kind::Vcf) || is_of(position, Kind::Vct) {
            return false;
        }
        let Some((theme, plies)) = Puzzle::theme_of(position, PuzzleGoal::Hold) else {
            return false;
        };
        if self.left(position.rule(), theme) == 0 {
            return false;
        }
        let most = if plies <= 3 { FIRST_HOLDING } else { HOLDING };
        let mut solver = Solver::new(4);
        let mut keys = Vec::new();
        for point in position.legal_points() {
            let mut after = position.clone();
            if after.play(point) != Ok(None) {
                return false;
            }
            let answer = solver.any(&after, !side, &limits, &Unwatched);
            match (answer.win(), answer.is_no_win()) {
                (Some(_), _) => {}
                (None, true) if keys.len() < most => keys.push(point),
                _ => return false,
            }
        }
        let goal = PuzzleGoal::Hold;
        !keys.is_empty()
            && self.take(Puzzle { theme, goal, plies, work: 0, keys, position: position.clone() })
    }

    /// Takes a puzzle if it is new and there are not too many of its sort.
    fn take(&mut self, mut puzzle: Puzzle) -> bool {
        let (position, theme, goal) = (&puzzle.position, puzzle.theme, puzzle.goal);
        let rule = position.rule();
        let most = if theme == Theme::First { FIRST_STONES } else { STONES };
        let stones = position.board().len();
        let is_known = self.seen.contains(&position.key());
        if stones > most || is_known || self.left(rule, theme) == 0 {
            return false;
        }
        puzzle.work = puzzle.measure();
        if theme == Theme::First && puzzle.level() > 1 {
            return false;
        }
        let plies = if theme == Theme::First { puzzle.plies } else { 0 };
        let magnitude = if theme == Theme::First { 0 } else { puzzle.work.max(1).ilog2() / 2 };
        let sort = self.sorts.entry((rule.name(), theme, goal, plies, magnitude)).or_default();
        // Neither goal nor any range of work takes more than a part; fours are all seen soon.
        let parts = if matches!(theme, Theme::FourThree | Theme::Vcf) { 2 } else { 4 };
        if *sort >= wanted(rule, theme).div_ceil(parts) {
            return false;
        }
        // All of it is asked again with other limits and another table.
        if let Err(error) = puzzle.verify() {
            eprintln!("left out: {error}");
            return false;
        }
        *sort += 1;
        *self.counts.entry((rule.name(), theme)).or_default() += 1;
        let images = Symmetry::all().map(|symmetry| puzzle.position.transformed(symmetry).key());
        self.seen.extend(images);
        eprintln!("{puzzle}");
        self.found.push(puzzle);
        true
    }
}
