//! Tengen as a Python package: a thin layer of classes and functions over the libraries.
//!
//! Each file is one idea as Python sees it. Searches run without the interpreter's lock and look now
//! and then whether the user has pressed Ctrl-C (`signals`); arrays are made by numpy itself, which
//! is imported when the first one is asked for (`arrays`). The doc comments are Python's docstrings,
//! and their examples are run by `tests/test_docs.py`.

#![forbid(unsafe_code)]
#![allow(clippy::doc_lazy_continuation, reason = "`>>>` begins an example, not a quotation")]
#![allow(clippy::too_many_arguments, reason = "Python names its arguments")]

mod arguments;
mod arrays;
mod batch;
mod choice;
mod game;
mod matches;
mod moves;
mod planes;
mod players;
mod position;
mod proofs;
mod records;
mod selfplay;
mod signals;

/// The part of the package that is written in Rust.
#[pyo3::pymodule]
mod _tengen {
    #[pymodule_export]
    use crate::{
        choice::{PyCandidate, PyChoice, PyIteration, PyScore},
        game::PyGame,
        matches::{PyEstimate, PyReport, elo, play_match, tournament},
        moves::{index, move_name, transform},
        planes::planes,
        players::{PyPlayer, make_player, player_info, players},
        position::PyPosition,
        proofs::{PyAnswer, PyCheckedProof, prove, verify_proof},
        records::{PyRecord, read, read_bytes, write, write_bytes},
        selfplay::{PySelfplayGame, PySelfplayGames, selfplay},
    };

    use pyo3::{prelude::*, types::PyTuple};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("PLANES", PyTuple::new(module.py(), crate::planes::NAMES)?)
    }
}
