//! What the position book says, as pages see it.

use book::{BookMove, Decided, Look};
use gomoku::{Color, Position};
use player::Score;
use serde_json::{Value, json};

use crate::wire::WireScore;

/// What the book says of a move: its value for the side that plays it, how deep it was searched, and
/// the games of the book.
pub(crate) fn shown_move(found: &BookMove) -> Value {
    json!({
        "e": found.value.map(WireScore::from),
        "depth": found.entry.as_ref().map(|entry| entry.depth),
        "decided": found.entry.as_ref().map(|entry| entry.decided.name()),
        "by": found.entry.as_ref().map(|entry| &entry.by),
        "results": results(&found.results),
    })
}

/// What the book says of the position itself, for the side to move.
pub(crate) fn shown_here(look: &Look) -> Value {
    json!({
        "e": look.value.map(WireScore::from),
        "depth": look.entry.as_ref().map(|entry| entry.depth),
        "decided": look.entry.as_ref().map(|entry| entry.decided.name()),
        "by": look.entry.as_ref().map(|entry| &entry.by),
        "results": results(&look.results),
    })
}

/// Who wins by a proof that the book has kept, from what a move is worth to its side.
pub(crate) fn winner_of_move(found: &BookMove, mover: Color) -> Option<Color> {
    winner(found.is_proved(), found.value, mover)
}

/// Who wins the position itself by a proof that the book has kept.
pub(crate) fn winner_here(look: &Look, position: &Position) -> Option<Color> {
    let is_proved = look.entry.as_ref().is_some_and(|entry| entry.decided == Decided::Proved);
    winner(is_proved, look.value, position.to_move())
}

fn winner(is_proved: bool, value: Option<Score>, side: Color) -> Option<Color> {
    let plies = value.and_then(Score::decisive_in).filter(|_| is_proved)?;
    Some(if plies >= 0 { side } else { !side })
}

fn results(found: &book::Results) -> [u64; 3] {
    [found.black, found.draws, found.white]
}
