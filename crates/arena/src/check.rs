//! Whether a record is what its job asked for: the same pair, played under the rules to an end that the
//! moves allow.
//!
//! Records come from other machines and from files, so nothing in them is believed. What cannot be seen
//! from the moves (that a side gave up, crashed or ran out of time) can only be checked by playing the
//! pair again.

use std::time::Duration;

use gomoku::{ByColor, Color, Ending, Point, Position};
use player::{PlayerReply, Score};

use crate::{
    game::GameInProgress,
    pair::PairJob,
    record::{GameRecord, PairRecord},
};

impl PairJob {
    /// Whether this may be the record of this job.
    ///
    /// # Errors
    /// A sentence that says what does not fit.
    pub fn check(&self, pair: &PairRecord) -> Result<(), String> {
        let spec = &self.spec;
        let is_ours = pair.index == self.index
            && pair.players == self.players
            && pair.opening == spec.opening
            && pair.seed == spec.seed;
        if !is_ours {
            return Err("it belongs to another pair".to_owned());
        }
        if !(1..=spec.timeouts.start_attempts.max(1)).contains(&pair.attempts) {
            return Err(format!("{} starts are not possible", pair.attempts));
        }
        let start = Position::parse(&spec.opening, spec.rule, spec.size)
            .map_err(|error| error.to_string())?;
        for (number, game) in pair.games.iter().enumerate() {
            let fault = |error| format!("game {} {error}", number + 1);
            self.check_game(number, &start, game).map_err(fault)?;
        }
        Ok(())
    }

    /// Plays a recorded game again, move by move and with the times that were noted.
    fn check_game(&self, number: usize, start: &Position, game: &GameRecord) -> Result<(), String> {
        let moves = read_moves(&game.moves)?;
        let count = moves.len();
        let lists =
            [game.nodes.len(), game.evaluations.len(), game.depths.len(), game.scores.len()];
        if game.times.len() != count || lists.iter().any(|len| ![0, count].contains(len)) {
            return Err("has costs for more or fewer moves than it has".to_owned());
        }
        let budget_of = |color: Color| {
            let place = usize::from(PairRecord::first_player_color(number) != color);
            self.spec.contenders[place].budget
        };
        let budgets = ByColor::new_with(budget_of);
        let tolerance = Duration::from_millis(self.spec.timeouts.tolerance_ms);
        let mut running =
            GameInProgress::new(start.clone(), budgets, self.spec.adjudication, tolerance);
        for (ply, point) in moves.into_iter().enumerate() {
            let score = game.scores.get(ply).copied().flatten().map(Score::from_value);
            running.answer(
                &PlayerReply::Move(point),
                score,
                Duration::from_micros(game.times[ply]),
            );
            if running.game().moves().len() != ply + 1 {
                return Err(format!("goes on with {point}, which is not possible"));
            }
        }
        let claimed = game.game_result();
        let fits = match running.result() {
            Some(result) => result == claimed,
            None => {
                let loser = running.to_move();
                let is_timed = budget_of(loser).limits().is_timed();
                claimed.winner == Some(!loser) && is_off_board(claimed.ending, is_timed)
            }
        };
        if !fits {
            let winner = game.result.letter();
            return Err(format!("did not end as {winner} by {}", claimed.ending.name()));
        }
        Ok(())
    }
}

impl PairRecord {
    /// Whether a game ended in a way that its moves do not show.
    pub fn ends_off_board(&self) -> bool {
        self.games.iter().any(|game| is_off_board(game.ending, true))
    }
}

fn is_off_board(ending: Ending, is_timed: bool) -> bool {
    match ending {
        Ending::Resign | Ending::Illegal | Ending::Crash | Ending::Stall => true,
        Ending::Time => is_timed,
        Ending::Five | Ending::Draw | Ending::Forbidden | Ending::Adjudicated | Ending::StartUp => {
            false
        }
    }
}

/// The points of a text such as `h8i9`.
fn read_moves(text: &str) -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut after = rest.char_indices().skip(1);
        let end = after.find(|(_, c)| !c.is_ascii_digit()).map_or(rest.len(), |(end, _)| end);
        let (point, next) = rest.split_at(end);
        let read = point.parse::<Point>().ok().filter(|read| read.to_string() == point);
        points.push(read.ok_or_else(|| format!("has a move '{point}' that is none"))?);
        rest = next;
    }
    Ok(points)
}
