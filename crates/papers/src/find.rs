//! Looks through games for positions in which a deep search sees a win, and a shallow one takes an
//! open three that gives the win away.

use std::path::Path;

use gomoku::{Game, Point, Position};
use player::Limits;
use serde::{Deserialize, Serialize};

use crate::{
    experiment::Find,
    run::{PapersError, RunContext, Tools},
    scale::Scale,
    starts,
    walk::{JOURNAL, Numbered, Seats, game_seed, units},
};

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

/// Searches the games, or resumes it.
pub(crate) fn run(
    part: &Find,
    place: &str,
    folder: &Path,
    scale: Scale,
    context: &RunContext<'_>,
) -> Result<(), PapersError> {
    let games = scale.games(&part.amount);
    let book = starts::book(&part.start, place, games);
    let setting = serde_json::json!({"games": games, "part": part});
    let tools = context.tools();
    units(&folder.join(JOURNAL), &setting, games, place, context, |index| {
        let start = book.get(index).cloned();
        search(part, place, index, start, tools)
    })
}

fn search(
    part: &Find,
    place: &str,
    index: u64,
    start: Option<Position>,
    tools: Tools<'_>,
) -> Result<Option<Row>, PapersError> {
    let seed = game_seed(place, index);
    let mut guide = Seats::new(tools, [&part.guide; 2], seed)?;
    let mut shallow = Seats::new(tools, [&part.shallow.spec; 2], seed)?;
    let start = start.unwrap_or_else(|| part.start.empty_board());
    let mut game = Game::new(start);
    let mut row = Row { index, positions: 0, examples: Vec::new() };
    while game.result.is_none() {
        let position = game.position.clone();
        row.positions += 1;
        let limits = part.shallow.budget().limits();
        let taken = shallow.ask(&position, limits, tools.control).0.point();
        if let Some(taken) = taken.filter(|point| (tools.makes_open_three)(&position, *point))
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
    let mut deep = Seats::new(tools, [&part.deep.spec; 2], seed)?;
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
