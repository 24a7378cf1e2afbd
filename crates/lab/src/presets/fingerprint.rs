//! What tells an evaluation with its candidates from others whose values lie in the same database.

use gomoku::{Color, Point, Position, Rule, zobrist::split_mix};
use player::{Spec, SpecError};

use crate::{
    eval::{self, Following, NetworkValue},
    moves::Candidates,
    state::State,
    tree::Play,
};

/// A number made of the specs and of what they say about some positions, so that the values of a
/// version of the program that evaluated otherwise are not taken for its own.
pub(super) fn fingerprint(
    eval: &Spec,
    moves: &[Spec],
    has_end: bool,
    network: Option<NetworkValue>,
) -> Result<u64, SpecError> {
    let moves_text: Vec<_> = moves.iter().map(Spec::to_string).collect();
    let endless = if has_end { "" } else { " endless" };
    let text = format!("{eval} {}{endless}", moves_text.join("|"));
    let mut hash = text.bytes().fold(0, |hash, byte| split_mix(hash ^ u64::from(byte)));
    let mut play = Play {
        state: State::new(&Position::new(Rule::Freestyle, SIZE)),
        eval: eval::build(eval, Following::FAST, network)?,
        candidates: Candidates::build(moves)?,
        me: Color::Black,
        has_end,
    };
    for seed in 0..N_POSITIONS {
        play.start(State::new(&scattered(seed)));
        for me in Color::ALL {
            play.me = me;
            hash = split_mix(hash ^ play.eval.value(&play.state, me) as u64);
            for point in play.list() {
                hash = split_mix(hash ^ point.index() as u64);
            }
        }
    }
    Ok(hash)
}

const SIZE: u8 = 15;
const N_POSITIONS: u64 = 12;

/// Stones thrown on the middle of the board until somebody has five or all are thrown.
fn scattered(seed: u64) -> Position {
    let mut position = Position::new(Rule::Freestyle, SIZE);
    let mut number = split_mix(seed);
    for _ in 0..4 + 2 * seed {
        number = split_mix(number);
        let point = Point::new(4 + (number % 7) as u8, 4 + (number / 7 % 7) as u8);
        if position.outcome().is_none() && position.is_legal(point) {
            position.play(point).expect("a legal point of a game that goes on can be played");
        }
    }
    position
}
