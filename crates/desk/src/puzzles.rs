//! Puzzles: positions to be won or held, with their right moves; and what a move of one comes to.
//!
//! They are mined from games (`examples/puzzles`). Whatever one of them says of itself can be
//! [verified](Puzzle::verify): every win has a proof, and so has every loss.

use std::fmt;

use gomoku::{Color, Field, Point, Position, Rule, Threat, renju, with_rule, zobrist::split_mix};
use player::{Limits, Unwatched};
use serde_json::{Value, json};
use solve::{Finding, Kind, Solver, Win};

use crate::wire::WirePosition;

/// One a line, as [`Puzzle`] writes itself.
#[cfg(not(target_family = "wasm"))]
fn text() -> &'static str {
    include_str!("../data/puzzles.txt")
}

/// In a browser they are a file of its own, and not there until it is supplied.
#[cfg(target_family = "wasm")]
static SUPPLIED: std::sync::OnceLock<&'static str> = std::sync::OnceLock::new();

#[cfg(target_family = "wasm")]
fn text() -> &'static str {
    SUPPLIED.get().copied().unwrap_or_default()
}

/// Supplies the puzzles that come with the program, once; says whether there are any in the text.
#[cfg(target_family = "wasm")]
pub fn supply(text: String) -> bool {
    let has_some = text.lines().any(|line| Puzzle::parse(line).is_some());
    if has_some {
        SUPPLIED.get_or_init(|| text.leak());
    }
    has_some
}

/// The lines of the puzzles.
fn lines() -> impl Iterator<Item = &'static str> + Clone {
    text().lines().filter(|line| !line.starts_with('#'))
}

/// Nodes for judging a move of a puzzle: far more than any of them takes.
const TRY_NODES: u64 = 400_000;
/// Nodes for the shortest win.
const SHORTEST_NODES: u64 = 100_000;
/// Memory of the solver that measures the work, in megabytes; the measure depends on it.
const MEGABYTES: usize = 4;
/// The work from which a puzzle is of the next level, from the second level on.
const LEVELS: [u64; 9] = [6, 15, 40, 150, 450, 1_200, 3_000, 7_500, 20_000];

/// What a puzzle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theme {
    /// Five, an open four, or the answer to one: for whoever has just learned the rules.
    First,
    /// A win by a four and an open three at once.
    FourThree,
    /// A win by fours alone.
    Vcf,
    /// A win by threats, where fours alone do not win.
    Vct,
    /// The only moves that do not lose.
    Defense,
    /// A win by what Black may not play, or one in spite of it.
    Trap,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PuzzleGoal {
    /// The side to move wins by force.
    Win,
    /// The side to move must not lose by force.
    Hold,
}

/// A position with a task, and its right moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// What it is about.
    pub theme: Theme,
    /// What is to be done.
    pub goal: PuzzleGoal,
    /// Plies of the shortest win known: of the side to move, or of the threat that is to be met.
    pub plies: u32,
    /// Nodes that a solver takes to see it, which is how difficult it is.
    pub work: u64,
    /// The right first moves.
    pub keys: Vec<Point>,
    /// The stones, and who is to move.
    pub position: Position,
}

impl Theme {
    /// All, the easiest first.
    pub const ALL: [Theme; 6] =
        [Theme::First, Theme::FourThree, Theme::Vcf, Theme::Vct, Theme::Defense, Theme::Trap];

    /// Its name in the list of puzzles and on the page.
    pub fn name(self) -> &'static str {
        match self {
            Theme::First => "first",
            Theme::FourThree => "four-three",
            Theme::Vcf => "vcf",
            Theme::Vct => "vct",
            Theme::Defense => "defense",
            Theme::Trap => "trap",
        }
    }
}

impl PuzzleGoal {
    /// Its name in the list of puzzles and on the page.
    pub fn name(self) -> &'static str {
        match self {
            PuzzleGoal::Win => "win",
            PuzzleGoal::Hold => "hold",
        }
    }

    /// The goal of this name.
    pub fn from_name(name: &str) -> Option<PuzzleGoal> {
        [PuzzleGoal::Win, PuzzleGoal::Hold].into_iter().find(|goal| goal.name() == name)
    }
}

/// All puzzles, in the order of their themes, the easiest first.
pub fn puzzles() -> impl Iterator<Item = Puzzle> {
    lines().filter_map(Puzzle::parse)
}

/// All puzzles for the page.
pub(crate) fn list() -> Vec<Value> {
    puzzles()
        .map(|one| {
            let keys: Vec<_> = one.keys.iter().map(Point::to_string).collect();
            let (board, side) = (*one.position.board(), one.position.to_move());
            let stones = Position::from_board(one.position.rule(), board, side);
            json!({
                "id": one.id(), "theme": one.theme.name(), "goal": one.goal.name(),
                "level": one.level(), "plies": one.plies, "rule": one.position.rule().name(),
                "size": one.position.size(), "keys": keys, "setup": stones.to_text(),
            })
        })
        .collect()
}

impl Puzzle {
    /// Reads what [`Display`](fmt::Display) writes.
    pub fn parse(line: &str) -> Option<Puzzle> {
        let mut words = line.splitn(8, ' ');
        let theme = words.next()?;
        let theme = Theme::ALL.into_iter().find(|one| one.name() == theme)?;
        let goal = PuzzleGoal::from_name(words.next()?)?;
        let (plies, work) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let keys: Option<_> = words.next()?.split(',').map(|key| key.parse().ok()).collect();
        let (rule, size) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let position = Position::parse(words.next()?, rule, size).ok()?;
        Some(Puzzle { theme, goal, plies, work, keys: keys?, position })
    }

    /// A name that stays when other puzzles come and go.
    pub fn id(&self) -> String {
        let rule = Rule::ALL.iter().position(|&rule| rule == self.position.rule());
        let mixed = split_mix(self.position.key() ^ rule.unwrap_or_default() as u64);
        format!("{:08x}", mixed >> 32)
    }

    /// How difficult it is, from 1 to 10.
    pub fn level(&self) -> usize {
        1 + LEVELS.iter().filter(|&&least| self.work >= least).count()
    }

    /// The nodes that a new solver takes to see the win; or the threat, and why the most stubborn of
    /// the wrong moves does not meet it.
    pub fn measure(&self) -> u64 {
        let limits = Limits::nodes(TRY_NODES);
        let side = self.position.to_move();
        if self.goal == PuzzleGoal::Win {
            return Solver::new(MEGABYTES).any(&self.position, side, &limits, &Unwatched).nodes;
        }
        let threat = passed(&self.position);
        let seen = Solver::new(MEGABYTES).any(&threat, !side, &limits, &Unwatched).nodes;
        let mut solver = Solver::new(MEGABYTES);
        let open = self.wrong_moves().filter(|after| after.outcome().is_none());
        let refuted = open.map(|after| solver.any(&after, !side, &limits, &Unwatched).nodes);
        seen + refuted.max().unwrap_or_default()
    }

    /// The positions after every move but the right ones.
    fn wrong_moves(&self) -> impl Iterator<Item = Position> {
        let wrong = self.position.legal_points().iter().filter(|point| !self.keys.contains(point));
        wrong.filter_map(|point| {
            let mut after = self.position.clone();
            after.play(point).ok().map(|_| after)
        })
    }

    /// Whether all is as it says: each right move wins, or holds; where one is to hold, every other
    /// move loses; theme, plies and work are what is found again. Every win is verified.
    ///
    /// # Errors
    /// A sentence that says what is not so.
    pub fn verify(&self) -> Result<(), String> {
        let (limits, side) = (Limits::nodes(TRY_NODES), self.position.to_move());
        let mut solver = Solver::new(MEGABYTES);
        let mut win = |position: &Position, attacker| {
            let answer = solver.any(position, attacker, &limits, &Unwatched);
            answer.win().map(verified).transpose()
        };
        for &key in &self.keys {
            let mut after = self.position.clone();
            let outcome = after.play(key).map_err(|error| error.to_string())?;
            let is_right = match (self.goal, outcome) {
                (PuzzleGoal::Win, Some(outcome)) => outcome.winner() == Some(side),
                (PuzzleGoal::Win, None) => win(&after, side)?.is_some(),
                (PuzzleGoal::Hold, outcome) => outcome.is_none() && win(&after, !side)?.is_none(),
            };
            if !is_right {
                return Err(format!("{key} is not right: {self}"));
            }
        }
        if self.goal == PuzzleGoal::Hold {
            win(&passed(&self.position), !side)?.ok_or_else(|| format!("No threat: {self}"))?;
            for after in self.wrong_moves() {
                if after.outcome().is_some() || win(&after, !side)?.is_none() {
                    return Err(format!("{:?} does not lose: {self}", after.last_move()));
                }
            }
        }
        let found = (Puzzle::theme_of(&self.position, self.goal), self.measure());
        if found == (Some((self.theme, self.plies)), self.work) {
            Ok(())
        } else {
            Err(format!("It is {found:?}: {self}"))
        }
    }

    /// What a task is about, and the plies of the shortest win that a search of some length finds.
    /// `None` if there is no task.
    pub fn theme_of(position: &Position, goal: PuzzleGoal) -> Option<(Theme, u32)> {
        let position = if goal == PuzzleGoal::Win { position.clone() } else { passed(position) };
        let (kind, win) = shortest(&position)?;
        let theme = match (goal, kind) {
            _ if win.plies <= 3 => Theme::First,
            (PuzzleGoal::Hold, _) => Theme::Defense,
            (PuzzleGoal::Win, _) if is_trap(&position) => Theme::Trap,
            (PuzzleGoal::Win, Kind::Vct) => Theme::Vct,
            (PuzzleGoal::Win, Kind::Vcf) if is_four_three(&position, &win) => Theme::FourThree,
            (PuzzleGoal::Win, Kind::Vcf) => Theme::Vcf,
        };
        Some((theme, win.plies))
    }
}

/// The shortest win of the side to move, by fours alone if they are enough.
fn shortest(position: &Position) -> Option<(Kind, Box<Win>)> {
    let limits = Limits::nodes(SHORTEST_NODES);
    [Kind::Vcf, Kind::Vct].into_iter().find_map(|kind| {
        let mut solver = Solver::new(MEGABYTES);
        let best = solver.shortest(position, position.to_move(), kind, &limits, &Unwatched);
        match best.answer.finding {
            Finding::Win(win) => Some((kind, win)),
            _ => None,
        }
    })
}

/// Whether a short win ends with a four and an open three at once.
fn is_four_three(position: &Position, win: &Win) -> bool {
    let line = win.line();
    let Some(before) = line.len().checked_sub(5).filter(|&before| before <= 4) else {
        return false;
    };
    let mut at = position.clone();
    let is_played = line[..before].iter().all(|&point| at.play(point) == Ok(None));
    let threat = |at: &Position| with_rule!(at.rule(), R => Field::<R>::from_position(at).threat(at.to_move(), line[before]));
    is_played && threat(&at) == Threat::FourThree
}

/// Whether what Black may not play decides: White wins because of it alone, or Black would win by it.
fn is_trap(position: &Position) -> bool {
    if position.rule() != Rule::Renju {
        return false;
    }
    let (side, limits) = (position.to_move(), Limits::nodes(SHORTEST_NODES));
    let free = Position::from_board(Rule::Freestyle, *position.board(), side);
    let mut solver = Solver::new(MEGABYTES);
    if side == Color::White {
        return solver.any(&free, side, &limits, &Unwatched).is_no_win();
    }
    renju::forbidden_points(position.board()).iter().any(|point| {
        let mut after = free.clone();
        after.play(point) == Ok(None)
            && solver.any(&after, side, &limits, &Unwatched).win().is_some()
    })
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Puzzle { theme, goal, plies, work, keys, position } = self;
        let keys: Vec<_> = keys.iter().map(Point::to_string).collect();
        let (theme, goal, keys) = (theme.name(), goal.name(), keys.join(","));
        let (rule, size) = (position.rule(), position.size());
        write!(f, "{theme} {goal} {plies} {work} {keys} {rule} {size} {}", position.to_text())
    }
}

/// The position with the other side to move.
pub fn passed(position: &Position) -> Position {
    Position::from_board(position.rule(), *position.board(), !position.to_move())
}

fn verified(win: &Win) -> Result<u32, String> {
    verify::check(&win.proof().bytes).map_err(|fault| fault.to_string())?;
    Ok(win.plies)
}

/// Judges a move of the side to move: whether it is right, and the reply that holds out longest with
/// the answer to it; of a move that loses, how.
pub(crate) fn try_move(
    wanted: &WirePosition,
    point: &str,
    goal: PuzzleGoal,
) -> Result<Value, String> {
    let position = wanted.read().map_err(|bad| bad.text)?;
    let point: Point = point.parse().map_err(|error| format!("{error}"))?;
    let side = position.to_move();
    let mut after = position;
    after.play(point).map_err(|error| error.to_string())?;
    if let Some(outcome) = after.outcome() {
        let is_right = match goal {
            PuzzleGoal::Win => outcome.winner() == Some(side),
            PuzzleGoal::Hold => outcome.winner() != Some(!side),
        };
        return Ok(json!({ "right": is_right, "over": true, "settled": true }));
    }
    let attacker: Color = if goal == PuzzleGoal::Win { side } else { !side };
    let limits = Limits::nodes(TRY_NODES);
    let answer = Solver::new(16).any(&after, attacker, &limits, &Unwatched);
    let line = |win: &Win| win.line().iter().map(Point::to_string).collect::<Vec<_>>();
    Ok(match (goal, &answer.finding) {
        (PuzzleGoal::Win, Finding::Win(win)) => json!({
            "right": true, "over": false, "settled": true, "plies": win.plies,
            "reply": line(win).first(), "next": line(win).get(1),
        }),
        (PuzzleGoal::Hold, Finding::Win(win)) => json!({
            "right": false, "over": false, "settled": true, "line": line(win),
        }),
        (PuzzleGoal::Hold, Finding::NoWin) => {
            json!({ "right": true, "over": true, "settled": true })
        }
        (PuzzleGoal::Win, Finding::NoWin) => {
            json!({ "right": false, "over": false, "settled": true })
        }
        (_, Finding::Unknown) => json!({ "right": false, "over": false, "settled": false }),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// All of them are verified by `cargo xtask check puzzles`.
    #[test]
    fn puzzles_are_what_they_say() {
        let all: Vec<_> = puzzles().collect();
        assert_eq!(all.len(), lines().count(), "every line is a puzzle");
        assert!(all.iter().zip(lines()).all(|(one, line)| one.to_string() == line));
        assert!(all.len() >= 500, "{}", all.len());
        let ids: BTreeSet<_> = all.iter().map(Puzzle::id).collect();
        assert_eq!(ids.len(), all.len(), "no two have the same name");
        for theme in Theme::ALL {
            let of: Vec<_> = all.iter().filter(|one| one.theme == theme).collect();
            assert!(of.len() >= 40, "{}: {}", theme.name(), of.len());
            assert!(of.is_sorted_by_key(|one| one.work), "{}", theme.name());
            for one in of.iter().step_by(of.len() / 5) {
                one.verify().unwrap();
            }
        }
        assert!(all.iter().all(|one| one.theme != Theme::First || one.level() == 1));
    }

    #[test]
    fn what_is_wrong_with_a_puzzle_is_said() {
        let line = "first win 3 1 g8,l8 freestyle 15 b:h8,i8,j8 w:h9,i9 b";
        let puzzle = Puzzle::parse(line).unwrap();
        let puzzle = Puzzle { work: puzzle.measure(), ..puzzle };
        assert!(puzzle.verify().unwrap_err().contains("l8 is not right"));
        let right = Puzzle { keys: vec!["g8".parse().unwrap()], ..puzzle };
        right.verify().unwrap();
        assert!(Puzzle { work: 9_999, ..right.clone() }.verify().unwrap_err().starts_with("It is"));
        let hold = Puzzle { goal: PuzzleGoal::Hold, ..right };
        assert!(hold.verify().unwrap_err().starts_with("No threat"));
        let four = "first hold 1 0 a1 freestyle 15 b:h8,i8,j8,k8 w:h9,i9,l8,a2 w";
        assert!(Puzzle::parse(four).unwrap().verify().unwrap_err().contains("a1 is not right"));
        let both = "first hold 1 0 g8,a1 freestyle 15 b:h8,i8,j8,k8 w:h9,i9,l8,a2 w";
        assert!(Puzzle::parse(both).unwrap().verify().unwrap_err().contains("a1 is not right"));
        assert!(Puzzle::parse("first hold 1 0 h99 freestyle 15 b:h8 w:h9 w").is_none());
    }
}
