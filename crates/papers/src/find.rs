//! Looks through games for positions in which a deep search sees a win, and a shallow one takes an
//! open three that gives the win away.

use std::path::Path;

use gomoku::{Game, Point, Position};
use player::{Limits, Player};
use serde::{Deserialize, Serialize};

use crate::{
    experiment::Find,
    journal,
    run::{Hall, PapersError, Tools},
    scale::Scale,
    starts,
    walk::{Numbered, Seats, game_seed, units},
};

const JOURNAL: &str = "rows.jsonl";
/// Liao's word for an open three without a gap.
const OPEN_THREE: &str = "live three";

/// Examples in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Number of the game.
    pub(crate) index: u64,
    /// Positions looked at.
    pub(crate) positions: u64,
    /// What was found.
    pub(crate) examples: Vec<Example>,
}

/// A position in which depth decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Example {
    /// The moves so far.
    pub(crate) moves: String,
    /// What the shallow player takes.
    pub(crate) shallow: String,
    /// What the deep player takes, and how it goes on.
    pub(crate) line: Vec<String>,
    /// Plies to the win.
    pub(crate) plies: i64,
}

impl Numbered for Row {
    fn index(&self) -> u64 {
        self.index
    }
}

/// Searches the games, or goes on with it.
pub(crate) fn run(
    part: &Find,
    place: &str,
    folder: &Path,
    scale: Scale,
    hall: &Hall<'_>,
) -> Result<(), PapersError> {
    let games = scale.games(&part.amount);
    let book = starts::book(&part.start, place, games);
    let setting = serde_json::json!({"games": games, "part": part});
    let tools = hall.tools();
    units(&folder.join(JOURNAL), &setting, games, place, hall, |index| {
        let start = book.get(index).cloned();
        search(part, place, index, start, tools)
    })
}

/// Reads what has been found.
pub(crate) fn read(folder: &Path) -> Result<Vec<Row>, PapersError> {
    let mut rows: Vec<Row> = journal::read(&folder.join(JOURNAL))?;
    rows.sort_by_key(|row| row.index);
    Ok(rows)
}

fn search(
    part: &Find,
    place: &str,
    index: u64,
    start: Option<Position>,
    tools: Tools<'_>,
) -> Result<Option<Row>, PapersError> {
    let seed = game_seed(place, index);
    let mut guide = Seats::new(tools, &part.guide, seed)?;
    let mut shallow = Seats::new(tools, &part.shallow.spec, seed)?;
    let mut judge = tools.registry.build(&part.deep.spec)?;
    let start = start.unwrap_or_else(|| part.start.empty_board());
    let mut game = Game::new(start);
    let mut row = Row { index, positions: 0, examples: Vec::new() };
    while game.result.is_none() {
        let position = game.position.clone();
        row.positions += 1;
        let limits = part.shallow.budget().limits();
        let taken = shallow.ask(&position, limits, tools.control).0.point();
        if let Some(taken) = taken.filter(|point| makes_open_three(&mut *judge, &position, *point))
            && let Some(example) = example(part, &position, taken, seed, tools)?
        {
            row.examples.push(example);
            // One from each game: the next positions of the same game would show the same.
            break;
        }
        if tools.control.is_stopped() {
            return Ok(None);
        }
        let Some(point) = guide.ask(&position, Limits::default(), tools.control).0.point() else {
            break;
        };
        if game.play(point).is_err() {
            break;
        }
    }
    Ok(Some(row))
}

/// The position as an example: the deep player sees a win that the shallow move gives away.
fn example(
    part: &Find,
    position: &Position,
    taken: Point,
    seed: u64,
    tools: Tools<'_>,
) -> Result<Option<Example>, PapersError> {
    let limits = part.deep.budget().limits();
    let mut deep = Seats::new(tools, &part.deep.spec, seed)?;
    let choice = deep.ask(position, limits, tools.control).0;
    let plies = choice.score.and_then(|score| score.decisive_in()).filter(|plies| *plies > 3);
    let (Some(plies), Some(best)) = (plies, choice.point()) else { return Ok(None) };
    let mut after = position.clone();
    if best == taken || after.play(taken) != Ok(None) {
        return Ok(None);
    }
    let answer = deep.ask(&after, limits, tools.control).0;
    let still_wins = answer.score.and_then(|score| score.decisive_in()).is_some_and(|p| p < 0);
    if still_wins {
        return Ok(None);
    }
    let mut line: Vec<String> = choice.line().iter().map(Point::to_string).collect();
    if line.is_empty() {
        line.push(best.to_string());
    }
    Ok(Some(Example { moves: position.to_text(), shallow: taken.to_string(), line, plies }))
}

/// Whether a stone makes three in a row with room to become an open four, in the words of the
/// evaluation of a player.
fn makes_open_three(judge: &mut dyn Player, position: &Position, point: Point) -> bool {
    let mut after = position.clone();
    if after.play(point) != Ok(None) {
        return false;
    }
    judge.explain(&after).terms.iter().any(|term| {
        term.color == position.to_move()
            && term.name.starts_with(OPEN_THREE)
            && term.lines.iter().any(|stones| stones.contains(&point))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gomoku::Rule;

    #[test]
    fn open_threes_have_room_on_both_sides() {
        let mut registry = player::Registry::default();
        lab::register(&mut registry);
        let mut judge = registry.build("new-heuristic").unwrap();
        let mut makes = |stones: &str, point: &str| {
            let position = Position::parse(stones, Rule::Freestyle, 15).unwrap();
            makes_open_three(&mut *judge, &position, point.parse().unwrap())
        };
        assert!(makes("h8a1i8a3", "j8"));
        assert!(makes("h8a1j8a3", "i8"));
        assert!(makes("h8a1i9a3", "j10"));
        assert!(!makes("h8g8i8a3", "j8"), "blocked on one side");
        assert!(!makes("h8a1i8a3", "k8"), "not in a row");
        assert!(!makes("a1h8a2h9", "a3"), "no room at the edge");
        assert!(!makes("h8a1i8a3l8a5", "j8"), "a four with a gap");
    }
}
