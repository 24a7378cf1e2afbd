//! What a player answers: scores, candidates and choices.

use player::{Candidate, Choice, Iteration, PlayerReply, Score};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyString, PyTuple},
};

use crate::moves::{name, names};

/// What a player believes a position to be worth for the side to move: a number in its own units, or
/// a win or loss in a number of plies. A claim, not a proof.
///
/// >>> score = tengen.player("engine").choose(tengen.Position("h8 a1 i8 c1 j8 e1"), nodes=1000).score
/// >>> str(score), score.win_in, score.value
/// ('win in 3', 3, None)
#[pyclass(name = "Score", module = "tengen", frozen, eq, ord, hash)]
#[derive(Clone, Copy, PartialEq, PartialOrd, Hash)]
pub(crate) struct PyScore(Score);

#[pymethods]
impl PyScore {
    /// The number behind the score: wins are greater than every evaluation, and the sooner the
    /// greater.
    #[new]
    fn new(raw: i64) -> PyScore {
        PyScore(Score::from_value(raw))
    }

    /// The evaluation, or None if the score claims a win or a loss.
    #[getter]
    fn value(&self) -> Option<i64> {
        (!self.0.is_decisive()).then(|| self.0.value())
    }

    /// Plies to the claimed win, or None.
    #[getter]
    fn win_in(&self) -> Option<i64> {
        self.0.decisive_in().filter(|plies| *plies >= 0)
    }

    /// Plies to the claimed loss, or None.
    #[getter]
    fn loss_in(&self) -> Option<i64> {
        self.0.decisive_in().filter(|plies| *plies < 0).map(|plies| -plies)
    }

    /// The chance to win, 0 to 1. `scale` is the evaluation at which it is 73 %: 200 for the engine.
    ///
    /// >>> tengen.Score(0).chance(), round(tengen.Score(200).chance(), 2)
    /// (0.5, 0.73)
    #[pyo3(signature = (scale = 200.0))]
    fn chance(&self, scale: f64) -> f64 {
        self.0.win_rate(scale)
    }

    fn __neg__(&self) -> PyScore {
        PyScore(-self.0)
    }

    fn __int__(&self) -> i64 {
        self.0.value()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Score {}>", self.0)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<PyScore>().into_any(), (self.0.value(),).into_pyobject(py)?))
    }
}

/// A move that a player considered.
#[pyclass(name = "Candidate", module = "tengen", frozen, get_all)]
pub(crate) struct PyCandidate {
    /// The move.
    r#move: Py<PyString>,
    /// Its worth for the side to move, if the player says.
    score: Option<Py<PyScore>>,
    /// The player's belief in it before searching, 0 to 1, if it has one.
    probability: Option<f64>,
    /// Plies searched below it.
    depth: u32,
    /// Nodes spent on it.
    nodes: u64,
    /// The expected line, beginning with the move.
    line: Vec<Py<PyString>>,
}

#[pymethods]
impl PyCandidate {
    fn __repr__(&self) -> String {
        format!("<Candidate {} {}>", self.r#move, words(self.score.as_ref()))
    }
}

/// How an answer stood after a completed depth.
#[pyclass(name = "Iteration", module = "tengen", frozen, get_all)]
pub(crate) struct PyIteration {
    /// Plies.
    depth: u32,
    /// The best move by then.
    r#move: Py<PyString>,
    /// Its worth.
    score: Py<PyScore>,
    /// Nodes so far.
    nodes: u64,
    /// Seconds so far.
    seconds: f64,
}

#[pymethods]
impl PyIteration {
    fn __repr__(&self) -> String {
        let (point, score) = (&self.r#move, self.score.get());
        format!("<Iteration {}: {point} {}>", self.depth, score.0)
    }
}

/// The answer of a player.
///
/// >>> choice = tengen.player("engine(level=5)").choose(tengen.Position("h8"), nodes=2000)
/// >>> choice.move in tengen.Position("h8").legal_moves(), choice.nodes <= 2500
/// (True, True)
#[pyclass(name = "Choice", module = "tengen", frozen, get_all)]
pub(crate) struct PyChoice {
    /// The move, or None if the player resigns.
    r#move: Option<Py<PyString>>,
    /// What the player believes it to be worth for the side to move, if it says.
    score: Option<Py<PyScore>>,
    /// Why, in a few words.
    reason: String,
    /// The moves considered, best first.
    candidates: Vec<Py<PyCandidate>>,
    /// The expected line, beginning with the move.
    line: Vec<Py<PyString>>,
    /// Plies searched completely.
    depth: u32,
    /// Stones placed in search.
    nodes: u64,
    /// Static evaluations.
    evaluations: u64,
    /// Seconds spent.
    seconds: f64,
    /// How the answer changed with depth.
    iterations: Vec<Py<PyIteration>>,
    /// A proof of the win for `verify`, if the player has one.
    proof: Option<Py<PyBytes>>,
    /// Whether the player gives up.
    resigns: bool,
}

#[pymethods]
impl PyChoice {
    fn __repr__(&self) -> String {
        let point = self.r#move.as_ref().map_or("resigns".to_owned(), |point| point.to_string());
        format!("<Choice {point} {} ({})>", words(self.score.as_ref()), self.reason)
    }
}

impl PyChoice {
    /// The answer as Python sees it; `most` candidates at most.
    pub(crate) fn of(py: Python<'_>, choice: &Choice, most: usize) -> PyResult<PyChoice> {
        let considered = choice.considered();
        let candidates = considered.iter().take(most).map(|one| candidate(py, one));
        let iterations = choice.iterations.iter().map(|one| iteration(py, one));
        Ok(PyChoice {
            r#move: choice.point().map(|point| name(py, point)),
            score: score(py, choice.score)?,
            reason: choice.reason.to_string(),
            candidates: candidates.collect::<PyResult<_>>()?,
            line: names(py, considered.first().map_or(&[][..], |best| &best.line).iter().copied()),
            depth: choice.depth,
            nodes: choice.counters.nodes,
            evaluations: choice.counters.evaluations,
            seconds: choice.counters.time.as_secs_f64(),
            iterations: iterations.collect::<PyResult<_>>()?,
            proof: choice.proof.as_ref().map(|proof| PyBytes::new(py, &proof.bytes).unbind()),
            resigns: choice.reply == PlayerReply::Resign,
        })
    }
}

fn candidate(py: Python<'_>, candidate: &Candidate) -> PyResult<Py<PyCandidate>> {
    let told = PyCandidate {
        r#move: name(py, candidate.point),
        score: score(py, candidate.score)?,
        probability: candidate.probability,
        depth: candidate.depth,
        nodes: candidate.nodes,
        line: names(py, candidate.line.iter().copied()),
    };
    Py::new(py, told)
}

fn iteration(py: Python<'_>, iteration: &Iteration) -> PyResult<Py<PyIteration>> {
    let told = PyIteration {
        depth: iteration.depth,
        r#move: name(py, iteration.best),
        score: Py::new(py, PyScore(iteration.score))?,
        nodes: iteration.counters.nodes,
        seconds: iteration.counters.time.as_secs_f64(),
    };
    Py::new(py, told)
}

fn score(py: Python<'_>, score: Option<Score>) -> PyResult<Option<Py<PyScore>>> {
    score.map(|score| Py::new(py, PyScore(score))).transpose()
}

fn words(score: Option<&Py<PyScore>>) -> String {
    score.map_or_else(|| "without a score".to_owned(), |score| score.get().0.to_string())
}
