//! A printed table of games played under several readings of its text: who played is told differently
//! by each, and where the games began, and when a game was called drawn.
//!
//! Unlike the games of a match these keep their colors: a row of such a table is one player with Black
//! against one with White. A row that two readings see alike is played once.

use std::path::Path;

use arena::OpeningList;
use gomoku::{Color, Game, Position};
use player::Limits;
use serde::{Deserialize, Serialize};

use crate::{
    claim::{Claim, Quantity},
    experiment::{PaperReading, Readings, Start},
    measure::{Measure, difference},
    run::{PapersError, RunContext, Tools},
    scale::Scale,
    starts,
    walk::{JOURNAL, Numbered, Seats, game_seed, units},
};

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Number of the unit of work.
    pub(crate) index: u64,
    /// Which two players and which start: their number among the meetings.
    pub(crate) meeting: usize,
    /// The whole game.
    pub(crate) moves: String,
    /// Stones at the end.
    pub(crate) stones: usize,
    /// Who won: B, W or D.
    pub(crate) result: char,
}

impl Numbered for Row {
    fn index(&self) -> u64 {
        self.index
    }
}

/// Two players, Black first, and where their games begin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Meeting {
    specs: [String; 2],
    start: Start,
}

/// A number of a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TableCell {
    /// The row.
    pub(crate) row: usize,
    /// Won by Black, won by White, or drawn.
    pub(crate) outcome: usize,
}

impl Readings {
    fn spec<'a>(&'a self, reading: &'a PaperReading, name: &str) -> Option<&'a String> {
        reading.players.get(name).or_else(|| self.players.get(name))
    }

    fn meeting(&self, reading: &PaperReading, row: usize) -> Option<Meeting> {
        let row = &self.rows[row];
        let spec = |name| self.spec(reading, name).cloned();
        Some(Meeting { specs: [spec(&row.black)?, spec(&row.white)?], start: reading.start })
    }

    /// All that is played, each once, in the order of the readings.
    pub(crate) fn meetings(&self) -> Vec<Meeting> {
        let mut meetings = Vec::new();
        for reading in &self.readings {
            for meeting in (0..self.rows.len()).filter_map(|row| self.meeting(reading, row)) {
                if !meetings.contains(&meeting) {
                    meetings.push(meeting);
                }
            }
        }
        meetings
    }

    /// All numbers of the table.
    pub(crate) fn cells(&self) -> Vec<TableCell> {
        let row = |row| (0..3).map(move |outcome| TableCell { row, outcome });
        (0..self.rows.len()).flat_map(row).collect()
    }

    /// The number of the table that a claim is about.
    pub(crate) fn cell_of(&self, claim: &Claim) -> Option<TableCell> {
        let (of, per) = (claim.of.as_deref()?, claim.per.as_deref());
        let place = |black: &str, white: &str, outcome: usize| {
            let row = self.rows.iter().position(|row| row.black == black && row.white == white)?;
            Some(TableCell { row, outcome })
        };
        match claim.what.get_ref() {
            Quantity::BlackWins => place(of, of, 0),
            Quantity::WhiteWins => place(of, of, 1),
            Quantity::Draws => place(of, of, 2),
            Quantity::WinsAsBlack => place(of, per?, 0),
            Quantity::LossesAsBlack => place(of, per?, 1),
            Quantity::WinsAsWhite => place(per?, of, 1),
            _ => None,
        }
    }
}

/// Plays the games, or goes on with them.
pub(crate) fn run(
    part: &Readings,
    place: &str,
    folder: &Path,
    scale: Scale,
    context: &RunContext<'_>,
) -> Result<(), PapersError> {
    let games = scale.games(&part.amount);
    let meetings = part.meetings();
    let n = meetings.len() as u64;
    let setting = serde_json::json!({"games": games, "meetings": meetings});
    let books: Vec<OpeningList> =
        meetings.iter().map(|meeting| starts::book(&meeting.start, place, games)).collect();
    let tools = context.tools();
    units(&folder.join(JOURNAL), &setting, games * n, place, context, |index| {
        // Game by game, so that a part of the run shows something of every reading.
        let (game, number) = (index / n, (index % n) as usize);
        let meeting = &meetings[number];
        let start = books[number].get(game).cloned();
        let start = start.unwrap_or_else(|| meeting.start.empty_board());
        let Some((game, winner)) = play(&meeting.specs, start, game_seed(place, game), tools)?
        else {
            return Ok(None);
        };
        let result = match winner {
            Some(Color::Black) => 'B',
            Some(Color::White) => 'W',
            None => 'D',
        };
        let (moves, stones) = (game.position.to_text(), game.position.board().len());
        Ok(Some(Row { index, meeting: number, moves, stones, result }))
    })
}

/// A game to its end and who won it; `None` if it was broken off. Who has no legal move to say loses,
/// as in a match.
fn play(
    specs: &[String; 2],
    start: Position,
    seed: u64,
    tools: Tools<'_>,
) -> Result<Option<(Game, Option<Color>)>, PapersError> {
    let [black, white] = specs;
    let mut seats = Seats::new(tools, [black, white], seed)?;
    let mut game = Game::new(start);
    while game.result.is_none() {
        let choice = seats.ask(&game.position.clone(), Limits::default(), tools.control).0;
        if tools.control.is_stopped() {
            return Ok(None);
        }
        let has_played = choice.point().is_some_and(|point| game.play(point).is_ok());
        if !has_played {
            let winner = !game.position.to_move();
            return Ok(Some((game, Some(winner))));
        }
    }
    let winner = game.result.and_then(|result| result.winner);
    Ok(Some((game, winner)))
}

/// What a reading makes of a row: games won by Black, won by White, and drawn.
pub(crate) fn tally(part: &Readings, rows: &[Row], reading: &PaperReading, row: usize) -> [u64; 3] {
    let mut tally = [0; 3];
    let meeting = part.meeting(reading, row);
    let number = part.meetings().iter().position(|known| Some(known) == meeting.as_ref());
    for game in rows.iter().filter(|game| Some(game.meeting) == number) {
        let is_cut = reading.cap.is_some_and(|cap| game.stones > cap);
        tally[match game.result {
            'B' if !is_cut => 0,
            'W' if !is_cut => 1,
            _ => 2,
        }] += 1;
    }
    tally
}

/// How a reading compares with the whole table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fit {
    /// Row by row, what came out: won by Black, won by White, drawn.
    pub(crate) tallies: Vec<[u64; 3]>,
    /// Numbers of the table that it gives.
    pub(crate) met: usize,
    /// Mean difference from the printed shares.
    pub(crate) distance: f64,
}

/// Whether games played bear out a printed number: the difference may be none, and there are enough
/// of them to tell.
pub(crate) fn meets(part: &Readings, cell: TableCell, tally: [u64; 3]) -> bool {
    let printed = part.rows[cell.row].printed;
    let ours = (tally[cell.outcome], tally.iter().sum());
    let (low, high) = difference(ours, (printed[cell.outcome], printed.iter().sum()));
    let is_narrow = Measure::share(ours.0, ours.1).is_some_and(|measure| measure.is_narrow());
    is_narrow && low <= 0.0 && high >= 0.0
}

/// Compares every reading with the table; a reading without games has no fit.
pub(crate) fn fits(part: &Readings, rows: &[Row]) -> Vec<Option<Fit>> {
    let fit = |reading: &PaperReading| {
        let tallies: Vec<[u64; 3]> =
            (0..part.rows.len()).map(|row| tally(part, rows, reading, row)).collect();
        if tallies.iter().any(|tally| tally.iter().sum::<u64>() == 0) {
            return None;
        }
        let cells = part.cells();
        let met = cells.iter().filter(|cell| meets(part, **cell, tallies[cell.row])).count();
        let gap = |cell: &TableCell| {
            (share(tallies[cell.row], cell.outcome)
                - share(part.rows[cell.row].printed, cell.outcome))
            .abs()
        };
        let distance = cells.iter().map(gap).sum::<f64>() / cells.len() as f64;
        Some(Fit { tallies, met, distance })
    };
    part.readings.iter().map(fit).collect()
}

/// One of the three numbers of a row as a share.
pub(crate) fn share(tally: [u64; 3], outcome: usize) -> f64 {
    tally[outcome] as f64 / tally.iter().sum::<u64>().max(1) as f64
}
