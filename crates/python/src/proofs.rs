//! `tengen.prove` and `tengen.verify`: forced wins, and their check by code of its own.

use std::{ops::ControlFlow, time::Duration};

use gomoku::{Board, Color, Point, Position};
use player::{Limits, Watch};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyString},
};
use solve::{Finding, Kind};
use verify::{CheckedProof, Manner};

use crate::{
    arguments::{self, check_open, refuse},
    moves::{name, names},
    position::{PyPosition, color, color_name},
    records::PyRecord,
    signals::Signals,
};

/// What `prove` found. True where there is a win.
#[pyclass(name = "Answer", module = "tengen", frozen, get_all)]
pub(crate) struct PyAnswer {
    /// "win", "no win" (of the kind asked for: proved), or "unknown".
    result: &'static str,
    /// The winning move.
    r#move: Option<Py<PyString>>,
    /// The win comes within this many plies.
    plies: Option<u32>,
    /// A longest line.
    line: Vec<Py<PyString>>,
    /// The proof file, for `verify`.
    proof: Option<Py<PyBytes>>,
    /// Every move and every answer as a record.
    record: Option<Py<PyRecord>>,
    /// Stones placed in search.
    nodes: u64,
}

#[pymethods]
impl PyAnswer {
    fn __bool__(&self) -> bool {
        self.result == "win"
    }

    fn __repr__(&self) -> String {
        match (&self.r#move, self.plies) {
            (Some(point), Some(plies)) => format!("<Answer win with {point} within {plies} plies>"),
            _ => format!("<Answer {}>", self.result),
        }
    }
}

/// Looks for a forced win of the side to move: by fours alone ("vcf"), by fours and threats ("vct"),
/// or one after the other ("any"). Without a limit it stops after a minute. `memory` is in megabytes.
///
/// >>> answer = tengen.prove(tengen.Position("h8 h9 i8 i9 j8 a1"), nodes=100_000)
/// >>> answer, answer.line
/// (<Answer win with g8 within 3 plies>, ['g8', 'f8', 'k8'])
/// >>> tengen.verify(answer.proof)
/// <CheckedProof black wins within 3 plies, freestyle 15x15>
#[pyfunction]
#[pyo3(signature = (position, kind = "any", *, nodes = None, seconds = None, memory = 256))]
pub(crate) fn prove(
    py: Python<'_>,
    position: &PyPosition,
    kind: &str,
    nodes: Option<u64>,
    seconds: Option<f64>,
    memory: usize,
) -> PyResult<PyAnswer> {
    check_open(&position.0)?;
    let kind = match kind {
        "vcf" => Some(Kind::Vcf),
        "vct" => Some(Kind::Vct),
        "any" => None,
        _ => {
            return Err(refuse(format!("There is no kind '{kind}': expected vcf, vct or any.")));
        }
    };
    if !(1..=65_536).contains(&memory) {
        return Err(refuse("The memory is 1 to 65536 megabytes."));
    }
    let mut limits = arguments::limits(nodes, None, None, seconds)?;
    if limits == Limits::default() {
        limits.turn = Some(Duration::from_secs(60));
    }
    let signals = Signals::start();
    let answer = py.detach(|| solve::solve_position(&position.0, kind, memory, &limits, &signals));
    let answer = signals.end(answer)?;
    let win = answer.win();
    let record = win.map(|win| Py::new(py, PyRecord::of(win.tree.record()))).transpose()?;
    Ok(PyAnswer {
        result: match answer.finding {
            Finding::Win(_) => "win",
            Finding::NoWin => "no win",
            Finding::Unknown => "unknown",
        },
        r#move: win.and_then(|win| win.point()).map(|point| name(py, point)),
        plies: win.map(|win| win.plies),
        line: win.map_or_else(Vec::new, |win| names(py, win.line())),
        proof: win.map(|win| PyBytes::new(py, &win.proof().bytes).unbind()),
        record,
        nodes: answer.nodes,
    })
}

/// What a checked proof has shown. The claim comes from the file: compare it with what you asked for.
#[pyclass(name = "CheckedProof", module = "tengen", frozen, get_all)]
pub(crate) struct PyCheckedProof {
    /// The position that is won.
    position: Py<PyPosition>,
    /// Who wins, "black" or "white".
    attacker: &'static str,
    /// The attacker's first move, if the attacker is to move.
    first: Option<String>,
    /// The longest line, in plies.
    plies: usize,
    /// What the file claims that to be at most.
    claimed_plies: usize,
    /// Moves of the attacker that were tried.
    moves: u64,
    /// Replies that were examined.
    replies: u64,
    /// SHA-256 of the proof.
    digest: String,
}

#[pymethods]
impl PyCheckedProof {
    fn __repr__(&self) -> String {
        let position = &self.position.get().0;
        let (who, plies) = (self.attacker, self.plies);
        let (rule, size) = (position.rule(), position.size());
        format!("<CheckedProof {who} wins within {plies} plies, {rule} {size}x{size}>")
    }
}

/// Checks a proof, every reply at every turn, with a board and rules of its own. A proof that does
/// not hold raises a ValueError that says why.
///
/// >>> tengen.verify(b"no proof")
/// Traceback (most recent call last):
///     ...
/// ValueError: ...
#[pyfunction(name = "verify")]
#[pyo3(signature = (proof, *, literal = false))]
pub(crate) fn verify_proof(
    py: Python<'_>,
    proof: &[u8],
    literal: bool,
) -> PyResult<PyCheckedProof> {
    let manner = if literal { Manner::Literal } else { Manner::Quick };
    let proof = proof.to_vec();
    let signals = Signals::start();
    let checked = py.detach(|| {
        let mut go_on = |_: &verify::Counts| match signals.stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        verify::check_stream(proof.as_slice(), manner, &mut go_on)
    });
    let checked = signals.end(checked)?.map_err(refuse)?;
    Ok(PyCheckedProof {
        position: Py::new(py, PyPosition(position_of(&checked)?))?,
        attacker: color_name(color(&checked.claim.attacker.to_string())?),
        first: checked.first.map(|point| point.to_string()),
        plies: checked.counts.longest,
        claimed_plies: checked.claim.plies,
        moves: checked.counts.nodes,
        replies: checked.counts.replies,
        digest: checked.digest_text(),
    })
}

/// The position of a claim. The checker has types of its own, so words go between.
fn position_of(checked: &CheckedProof) -> PyResult<Position> {
    let claim = &checked.claim;
    let mut board = Board::new(arguments::size(claim.size as i64)?);
    for (color, stones) in [(Color::Black, &claim.black), (Color::White, &claim.white)] {
        for stone in stones {
            board.place(Point::new(stone.col as u8, stone.row as u8), color);
        }
    }
    let rule = arguments::rule(&claim.rule.to_string())?;
    Ok(Position::from_board(rule, board, color(&claim.to_move.to_string())?))
}
