//! What is proved about whole games: every second move, and Black's answer to whatever White plays.

use gomoku::{Color, Point, Position, Symmetry};
use player::{Limits, Task, Unwatched};
use serde_json::{Value, json};
use solve::{BookWinner, Lookup, ProvedBook};

use crate::wire::WirePosition;

/// Every game that something is proved about.
pub(crate) fn list() -> Value {
    json!(ProvedBook::shipped().iter().map(game).collect::<Vec<_>>())
}

fn game(book: &ProvedBook) -> Value {
    let seconds = book.second_moves().into_iter().map(|(second, opening)| {
        let mut same: Vec<String> =
            Symmetry::all().map(|s| s.apply(second, book.size).to_string()).collect();
        same.sort();
        same.dedup();
        json!({
            "m": second.to_string(), "same": same,
            "answer": opening.map(|one| one.point.to_string()),
            "plies": opening.map(|one| one.plies),
        })
    });
    json!({
        "rule": book.rule.name(), "size": book.size,
        "first": Point::center(book.size).to_string(),
        "seconds": seconds.collect::<Vec<_>>(),
        "digest": book.digest(),
    })
}

/// Black's winning move and the plies that are left at most, that move included. Nothing is kept
/// between questions: the game is followed from its beginning.
pub(crate) fn answer(wanted: &WirePosition) -> Result<Value, String> {
    let position = wanted.read().map_err(|bad| bad.text)?;
    if position.outcome().is_some() || position.to_move() != Color::Black {
        return Err("Black is not to move here.".to_owned());
    }
    let mut winner = BookWinner::default();
    let mut now = Position::new(position.rule(), position.size());
    for &point in position.moves() {
        if now.to_move() == Color::Black {
            ask(&mut winner, &now);
        }
        now.play(point).map_err(|error| error.to_string())?;
    }
    let is_whole = now.board() == position.board();
    let known = ask(&mut winner, &now).filter(|_| is_whole);
    let (point, plies) = known.ok_or("Nothing is proved about this position.")?;
    Ok(json!({ "m": point.to_string(), "plies": plies }))
}

/// The winning move, and the plies that it takes at most.
fn ask(winner: &mut BookWinner, position: &Position) -> Option<(Point, u32)> {
    let by_book = Lookup::shipped(position).and_then(|lookup| lookup.get(position));
    let task = Task::new(position.clone(), Limits::default());
    let choice = winner.choose(&task, &Unwatched)?;
    let plies = choice.proof.as_ref().map(|proof| proof.plies);
    Some((choice.point()?, plies.or(by_book.map(|known| known.plies))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask_at(moves: &[String]) -> Result<Value, String> {
        let moves = moves.to_vec();
        answer(&WirePosition { rule: "freestyle".to_owned(), size: 15, setup: None, moves })
    }

    #[test]
    fn every_second_move_is_shown_once_and_the_open_ones_are_marked() {
        let games = list();
        let seconds = games[0]["seconds"].as_array().unwrap();
        assert_eq!(seconds.len(), 35);
        let points: usize = seconds.iter().map(|one| one["same"].as_array().unwrap().len()).sum();
        assert_eq!(points, 224);
        let open: Vec<_> = seconds.iter().filter(|one| one["plies"].is_null()).collect();
        assert_eq!(open.iter().map(|one| &one["m"]).collect::<Vec<_>>(), ["i9"]);
    }

    #[test]
    fn the_proof_is_played_to_its_end_without_being_remembered() {
        let mut moves: Vec<String> = ["h8", "b13"].map(str::to_owned).to_vec();
        let mut left = u64::MAX;
        loop {
            let found = ask_at(&moves).unwrap();
            let plies = found["plies"].as_u64().unwrap();
            assert!(plies < left && plies > 0, "{plies} after {left}: {moves:?}");
            left = plies;
            moves.push(found["m"].as_str().unwrap().to_owned());
            let now = Position::parse(&moves.concat(), gomoku::Rule::Freestyle, 15).unwrap();
            if now.outcome().is_some() {
                assert_eq!(now.outcome().and_then(|end| end.winner()), Some(Color::Black));
                return;
            }
            // White takes the point that Black would win on, or else some point.
            let first = now.board().empty().first().unwrap();
            let five = now
                .board()
                .empty()
                .iter()
                .find(|&point| now.board().is_five(now.rule(), point, Color::Black));
            moves.push(five.unwrap_or(first).to_string());
        }
    }

    #[test]
    fn nothing_is_said_where_nothing_is_proved() {
        let at = |text: &[&str]| ask_at(&text.iter().map(|m| (*m).to_owned()).collect::<Vec<_>>());
        assert!(at(&["h8", "i9"]).unwrap_err().contains("Nothing is proved"));
        assert!(at(&["h8", "o15", "a1", "a2"]).is_err(), "Black left the book");
        assert!(at(&["h8"]).unwrap_err().contains("Black is not to move"));
        assert!(at(&["h8", "h8"]).is_err());
    }
}
