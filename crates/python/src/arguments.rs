//! Arguments that several functions take, checked with a sentence for what is wrong.

use std::{fmt::Display, thread, time::Duration};

use gomoku::{MAX_SIZE, MIN_SIZE, Position, Rule};
use player::Limits;
use pyo3::{exceptions::PyValueError, prelude::*};

/// A `ValueError` with this sentence.
pub(crate) fn refuse(reason: impl Display) -> PyErr {
    PyValueError::new_err(reason.to_string())
}

/// The rule with this name.
pub(crate) fn rule(name: &str) -> PyResult<Rule> {
    name.parse().map_err(refuse)
}

/// A board size, 5 to 22.
pub(crate) fn size(size: i64) -> PyResult<u8> {
    let fits = u8::try_from(size).ok().filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
    fits.ok_or_else(|| {
        refuse(format!("A board of {size}x{size} is not possible: the board size is 5 to 22."))
    })
}

/// What a player may spend on a move.
pub(crate) fn limits(
    nodes: Option<u64>,
    depth: Option<u32>,
    evaluations: Option<u64>,
    seconds: Option<f64>,
) -> PyResult<Limits> {
    let is_none = nodes == Some(0) || depth == Some(0) || evaluations == Some(0);
    if is_none || seconds.is_some_and(|seconds| seconds <= 0.0) {
        return Err(refuse("A limit is more than nothing."));
    }
    let turn = seconds.map(Duration::try_from_secs_f64).transpose().map_err(refuse)?;
    Ok(Limits { nodes, depth, evaluations, turn, ..Limits::default() })
}

/// How many threads to use: as many as there are cores, unless the caller knows better.
pub(crate) fn threads(threads: Option<usize>) -> PyResult<usize> {
    match threads {
        Some(0) => Err(refuse("There is at least one thread.")),
        Some(threads) => Ok(threads),
        None => Ok(thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Refuses a position in which nobody can move any more.
pub(crate) fn check_open(position: &Position) -> PyResult<()> {
    match position.outcome() {
        None => Ok(()),
        Some(outcome) => Err(refuse(match outcome.winner() {
            Some(color) => format!("The game is over: {color} has won."),
            None => "The game is over: a draw.".to_owned(),
        })),
    }
}
