//! `tengen.player`: anything that can choose a move, by the text that names it.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use arena::{COMMAND_PREFIX, External, Timeouts};
use gomoku::Position;
use player::{Limits, ParamKind, Player, PlayerInfo, Registry, Task};
use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};
use roster::Outside;

use crate::{
    arguments::{check_open, limits, refuse, threads},
    batch,
    choice::PyChoice,
    moves::{name, points},
    position::{PyPosition, color_name},
    signals::Signals,
};

static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(|| {
    let read_file = |file: &str| std::fs::read(file).map_err(|why| why.to_string());
    Arc::new(roster::players(Outside { read_file, ..Outside::default() }))
});

/// Every player of this package.
pub(crate) fn registry() -> &'static Arc<Registry> {
    &REGISTRY
}

/// Makes the player of a text: one of ours, or an external program after `cmd:`.
pub(crate) fn build(spec: &str) -> Result<Box<dyn Player>, String> {
    match spec.strip_prefix(COMMAND_PREFIX) {
        Some(command) => {
            Ok(Box::new(External::new(command, Limits::default(), Timeouts::default())))
        }
        None => registry().build(spec).map_err(|error| error.to_string()),
    }
}

/// The names of the players that `player` knows.
///
/// >>> "engine" in tengen.players(), "alpha-beta" in tengen.players()
/// (True, True)
#[pyfunction]
pub(crate) fn players() -> Vec<&'static str> {
    registry().players().map(|info| info.name).collect()
}

/// What is to be known about a player: a dictionary with summary, source and parameters.
///
/// >>> info = tengen.player_info("engine")
/// >>> info["params"]["level"]["default"], info["params"]["level"]["help"]
/// (10, 'strength, from beginner to everything')
#[pyfunction]
pub(crate) fn player_info<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
    registry().params(name).map_err(refuse)?;
    let name = name.split('(').next().unwrap_or(name).trim();
    let info =
        registry().info(name).ok_or_else(|| refuse(format!("There is no player {name}.")))?;
    info_of(py, info)
}

fn info_of<'py>(py: Python<'py>, info: &PlayerInfo) -> PyResult<Bound<'py, PyDict>> {
    let params = PyDict::new(py);
    for param in &info.params {
        let about = PyDict::new(py);
        match &param.kind {
            ParamKind::Integer { default, min, max, .. } => {
                about.set_item("default", default)?;
                about.set_item("range", (min, max))?;
            }
            ParamKind::Real { default, min, max, .. } => {
                about.set_item("default", default)?;
                about.set_item("range", (min, max))?;
            }
            ParamKind::Switch { default } => about.set_item("default", default)?,
            ParamKind::Choice { default, options } | ParamKind::File { default, options } => {
                about.set_item("default", default)?;
                about.set_item("options", options.clone())?;
            }
            ParamKind::Component { default, options, .. } => {
                about.set_item("default", default)?;
                about.set_item("options", options.clone())?;
            }
        }
        about.set_item("help", param.help)?;
        params.set_item(param.name, about)?;
    }
    let about = PyDict::new(py);
    about.set_item("name", info.name)?;
    about.set_item("summary", info.summary)?;
    about.set_item("source", info.source)?;
    about.set_item("params", params)?;
    Ok(about)
}

/// The player that a text names, such as "engine(level=5)" or "alpha-beta(depth=4)". A text that
/// begins with "cmd:" starts a Gomocup engine: "cmd:./pbrain-other".
///
/// >>> tengen.player("greedy")
/// Player('greedy')
/// >>> tengen.player("engin")
/// Traceback (most recent call last):
///     ...
/// ValueError: There is no player 'engin': did you mean 'engine'?; known are ...
#[pyfunction(name = "player")]
#[pyo3(signature = (spec, seed = 0))]
pub(crate) fn make_player(spec: &str, seed: u64) -> PyResult<PyPlayer> {
    PyPlayer::new(spec, seed)
}

/// Anything that can choose a move. It remembers what it has learned until `new_game`; two threads
/// that ask the same player wait for each other.
#[pyclass(name = "Player", module = "tengen", frozen)]
pub(crate) struct PyPlayer {
    spec: String,
    seed: u64,
    inner: Mutex<Box<dyn Player>>,
}

#[pymethods]
impl PyPlayer {
    #[new]
    #[pyo3(signature = (spec, seed = 0))]
    fn new(spec: &str, seed: u64) -> PyResult<PyPlayer> {
        let mut player = build(spec).map_err(refuse)?;
        player.new_game(seed);
        Ok(PyPlayer { spec: spec.to_owned(), seed, inner: Mutex::new(player) })
    }

    /// The text that names the player.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// Makes the player forget what it has learned, and begin with this seed. The same seed, positions
    /// and limits (but for seconds) then give the same choices on every machine.
    #[pyo3(signature = (seed = 0))]
    fn new_game(&self, py: Python<'_>, seed: u64) {
        py.detach(|| self.inner.lock().unwrap_or_else(PoisonError::into_inner).new_game(seed));
    }

    /// Chooses a move. The first limit that is reached ends the search; without any, the player's own
    /// parameters decide. `lines` is how many best moves to work out; `only` and `exclude` restrict
    /// the first move. Ctrl-C stops the search, and other threads run meanwhile.
    ///
    /// >>> position = tengen.Position("h8 a1 i8 c1 j8 e1")
    /// >>> tengen.player("engine").choose(position, nodes=10_000).move in {"g8", "k8"}
    /// True
    #[pyo3(signature = (
        position, *, nodes = None, depth = None, evaluations = None, seconds = None, lines = 1,
        only = None, exclude = None
    ))]
    fn choose(
        &self,
        py: Python<'_>,
        position: &PyPosition,
        nodes: Option<u64>,
        depth: Option<u32>,
        evaluations: Option<u64>,
        seconds: Option<f64>,
        lines: usize,
        only: Option<&Bound<'_, PyAny>>,
        exclude: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyChoice> {
        let limits = limits(nodes, depth, evaluations, seconds)?;
        let size = position.0.size();
        let points = |moves: Option<&Bound<'_, PyAny>>| {
            moves.map_or(Ok(Vec::new()), |moves| points(moves, size))
        };
        let (only, exclude) = (points(only)?, points(exclude)?);
        let task = Task { only, exclude, ..task(&position.0, limits, lines)? };
        let has_move = task.position.legal_points().iter().any(|point| task.allows(point));
        if !has_move {
            return Err(refuse("There is no move to choose from."));
        }
        let choice = self.ask(py, |player, signals| player.choose(&task, signals))?;
        PyChoice::of(py, &choice, usize::MAX)
    }

    /// Chooses a move and tells the best lines; otherwise like `choose`.
    ///
    /// >>> choice = tengen.player("engine").analyze(tengen.Position("h8 i9"), lines=3, nodes=5000)
    /// >>> len(choice.candidates), choice.candidates[0].move == choice.move
    /// (3, True)
    #[pyo3(signature = (
        position, lines = 5, *, nodes = None, depth = None, evaluations = None, seconds = None
    ))]
    fn analyze(
        &self,
        py: Python<'_>,
        position: &PyPosition,
        lines: usize,
        nodes: Option<u64>,
        depth: Option<u32>,
        evaluations: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<PyChoice> {
        let task = task(&position.0, limits(nodes, depth, evaluations, seconds)?, lines)?;
        let choice = self.ask(py, |player, signals| player.choose(&task, signals))?;
        PyChoice::of(py, &choice, lines)
    }

    /// Chooses a move in each of many positions, on all cores. Each thread has a player of its own
    /// that begins anew with each position, so the choices do not depend on the number of threads.
    ///
    /// >>> positions = [tengen.Position("h8"), tengen.Position("h8 i9 g9")]
    /// >>> choices = tengen.player("engine(hash=4)").choose_many(positions, nodes=1000)
    /// >>> [choice.move in position.legal_moves() for choice, position in zip(choices, positions)]
    /// [True, True]
    #[pyo3(signature = (
        positions, *, nodes = None, depth = None, evaluations = None, seconds = None, lines = 1,
        threads = None
    ))]
    fn choose_many(
        &self,
        py: Python<'_>,
        positions: Vec<PyRef<'_, PyPosition>>,
        nodes: Option<u64>,
        depth: Option<u32>,
        evaluations: Option<u64>,
        seconds: Option<f64>,
        lines: usize,
        threads: Option<usize>,
    ) -> PyResult<Vec<PyChoice>> {
        let limits = limits(nodes, depth, evaluations, seconds)?;
        let tasks: Vec<Task> = positions
            .iter()
            .map(|position| task(&position.0, limits, lines))
            .collect::<PyResult<_>>()?;
        let n_threads = self::threads(threads)?;
        let choices = batch::choose_all(py, &self.spec, self.seed, &tasks, n_threads)?;
        choices.iter().map(|choice| PyChoice::of(py, choice, usize::MAX)).collect()
    }

    /// The static evaluation of a position, taken apart: a dictionary with the value for the side to
    /// move, the terms that add up to it, what each point is worth, and candidates with their
    /// probabilities. Not every player has all of them.
    ///
    /// >>> told = tengen.player("engine").explain(tengen.Position("h8 i9"))
    /// >>> sorted(told)
    /// ['candidates', 'points', 'terms', 'value']
    fn explain<'py>(&self, py: Python<'py>, position: &PyPosition) -> PyResult<Bound<'py, PyDict>> {
        let told = self.ask(py, |player, _| player.explain(&position.0))?;
        let candidates = PyDict::new(py);
        for one in &told.candidates {
            candidates.set_item(name(py, one.point), one.probability)?;
        }
        let points = PyDict::new(py);
        for worth in &told.points {
            points.set_item(name(py, worth.point), (worth.black, worth.white))?;
        }
        let terms: Vec<_> = told
            .terms
            .iter()
            .map(|term| (&term.name, color_name(term.color), term.count, term.points))
            .collect();
        let about = PyDict::new(py);
        about.set_item("value", told.value.map(player::Score::value))?;
        about.set_item("terms", terms)?;
        about.set_item("points", points)?;
        about.set_item("candidates", candidates)?;
        Ok(about)
    }

    fn __repr__(&self) -> String {
        format!("Player('{}')", self.spec)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<PyPlayer>().into_any();
        Ok((class, (self.spec.as_str(), self.seed).into_pyobject(py)?))
    }
}

impl PyPlayer {
    /// Asks the player, without the interpreter's lock.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut dyn Player, &Signals) -> T + Send,
    ) -> PyResult<T> {
        let signals = Signals::start();
        let answer = py.detach(|| {
            let mut player = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            question(&mut **player, &signals)
        });
        signals.end(answer)
    }
}

/// The question for the best moves in a position that is open.
fn task(position: &Position, limits: Limits, lines: usize) -> PyResult<Task> {
    check_open(position)?;
    if lines == 0 {
        return Err(refuse("At least one line is worked out."));
    }
    Ok(Task { multi_pv: lines, ..Task::new(position.clone(), limits) })
}
