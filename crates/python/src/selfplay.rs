//! `tengen.selfplay`: games of a player against itself, as data to learn from.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use book::Half;
use gomoku::{Color, Position};
use player::Watch;
use pyo3::{
    prelude::*,
    types::{PyString, PyTuple},
};
use train::{Selfplay, SelfplayGame};

use crate::{
    arguments::{self, refuse, threads},
    arrays::array,
    moves::{index_of, names},
    planes, players,
    position::PyPosition,
    signals::LOOK_EVERY,
};

/// A game of a player against itself. Its text is a line of the files of `tengen selfplay`.
///
/// >>> game = tengen.SelfplayGame("freestyle 15 h8i9g9 -,-,25 1")
/// >>> game.moves, game.scores, game.result
/// (['h8', 'i9', 'g9'], [None, None, 25], 1.0)
#[pyclass(name = "SelfplayGame", module = "tengen", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PySelfplayGame(SelfplayGame);

#[pymethods]
impl PySelfplayGame {
    #[new]
    fn new(text: &str) -> PyResult<PySelfplayGame> {
        text.parse().map(PySelfplayGame).map_err(refuse)
    }

    /// The name of the rule.
    #[getter]
    fn rule(&self) -> &'static str {
        self.0.rule.name()
    }

    /// Points per side.
    #[getter]
    fn size(&self) -> u8 {
        self.0.size
    }

    /// All moves from the empty board.
    #[getter]
    fn moves(&self, py: Python<'_>) -> Vec<Py<PyString>> {
        names(py, self.0.moves.iter().copied())
    }

    /// For each move what the search that chose it said, for the side that plays it; None for moves
    /// of the opening and moves left to chance.
    #[getter]
    fn scores(&self) -> Vec<Option<i16>> {
        self.0.scores.clone()
    }

    /// The result for Black: 1, 0.5 or 0.
    #[getter]
    fn result(&self) -> f64 {
        f64::from(self.0.result) / 2.0
    }

    /// The game as a line of text.
    #[getter]
    fn text(&self) -> String {
        self.0.to_string()
    }

    /// The positions in which a search chose the move.
    fn positions(&self) -> Vec<PyPosition> {
        self.searched().into_iter().map(|(_, position)| PyPosition(position)).collect()
    }

    /// What there is to learn: the planes of those positions, the index of the move played in each,
    /// and the result for the side to move (1, 0.5 or 0), as three arrays.
    ///
    /// >>> game = tengen.SelfplayGame("freestyle 15 h8i9g9 -,-,25 1")
    /// >>> planes, moves, values = game.samples()
    /// >>> planes.shape[0], moves.tolist(), values.tolist()
    /// (1, [126], [1.0])
    fn samples<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let searched = self.searched();
        let positions: Vec<&Position> = searched.iter().map(|(_, position)| position).collect();
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        for (ply, position) in &searched {
            let index = index_of(self.0.moves[*ply], self.0.size) as i64;
            moves.extend(index.to_le_bytes());
            let is_black = position.to_move() == Color::Black;
            let halves = if is_black { self.0.result } else { 2 - self.0.result };
            values.extend((f32::from(halves) / 2.0).to_le_bytes());
        }
        let n = searched.len();
        Ok((
            planes::of_sized(py, &positions, self.0.size)?,
            array(py, &moves, "<i8", &[n])?,
            array(py, &values, "<f4", &[n])?,
        ))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let (moves, result) = (self.0.moves.len(), self.result());
        format!(
            "<SelfplayGame {0} {1}x{1}: {moves} moves, result {result}>",
            self.rule(),
            self.size()
        )
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<PySelfplayGame>().into_any();
        Ok((class, (self.text(),).into_pyobject(py)?))
    }
}

impl PySelfplayGame {
    fn searched(&self) -> Vec<(usize, Position)> {
        let mut position = Position::new(self.0.rule, self.0.size);
        let mut found = Vec::new();
        for (ply, (&point, score)) in self.0.moves.iter().zip(&self.0.scores).enumerate() {
            if score.is_some() {
                found.push((ply, position.clone()));
            }
            // The moves were played once, when the game was made or read.
            let _ = position.play(point);
        }
        found
    }
}

/// Plays games of a player against itself, on all cores, and yields them one by one. Openings, stray
/// moves and the number of nodes vary by chance, so that there is something to learn; a game depends
/// on its number and the seed alone. `first` is the number of the first game, to go on later.
///
/// >>> games = list(tengen.selfplay(2, nodes=200, size=10))
/// >>> len(games), games[0].size
/// (2, 10)
#[pyfunction]
#[pyo3(signature = (
    games, *, nodes = 1000, player = "engine(hash=4)", rule = "freestyle", size = 15, seed = 1,
    first = 0, threads = None
))]
pub(crate) fn selfplay(
    games: u64,
    nodes: u64,
    player: &str,
    rule: &str,
    size: i64,
    seed: u64,
    first: u64,
    threads: Option<usize>,
) -> PyResult<PySelfplayGames> {
    let (rule, size) = (arguments::rule(rule)?, arguments::size(size)?);
    arguments::limits(Some(nodes), None, None, None)?;
    let set = book::shipped_for(rule, size).map(|set| set.half(Half::Tuning));
    let openings = set.map_or(Vec::new(), |set| set.openings);
    let play = Arc::new(Selfplay { rule, size, nodes, openings, seed });
    let (stop, next) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(first)));
    let last = first.saturating_add(games);
    // A few games ahead: whoever takes them slowly is waited for.
    let n_threads = self::threads(threads)?;
    let (sender, receiver) = mpsc::sync_channel(4 * n_threads);
    for _ in 0..n_threads {
        let mut player = players::build(player).map_err(refuse)?;
        let (play, stop, next, sender) = (play.clone(), stop.clone(), next.clone(), sender.clone());
        thread::spawn(move || {
            let watch = StopFlag(stop);
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= last || watch.stopped() {
                    return;
                }
                let game = play.game(number, &mut *player, &watch);
                if sender.send((number, game)).is_err() {
                    return;
                }
            }
        });
    }
    let waiting = Waiting { games: BTreeMap::new(), next: first, receiver };
    Ok(PySelfplayGames { waiting: Mutex::new(waiting), last, stop })
}

struct StopFlag(Arc<AtomicBool>);

impl Watch for StopFlag {
    fn stopped(&self) -> bool {
        self.0.load(Relaxed)
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Games as they come, in the order of their numbers.
struct Waiting {
    games: BTreeMap<u64, Option<SelfplayGame>>,
    next: u64,
    receiver: Receiver<(u64, Option<SelfplayGame>)>,
}

/// Yields games of `selfplay`. Dropping it ends the threads that play.
#[pyclass(name = "SelfplayGames", module = "tengen", frozen)]
pub(crate) struct PySelfplayGames {
    waiting: Mutex<Waiting>,
    last: u64,
    stop: Arc<AtomicBool>,
}

#[pymethods]
impl PySelfplayGames {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PySelfplayGame>> {
        py.detach(|| {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            while waiting.next < self.last {
                let next = waiting.next;
                if let Some(game) = waiting.games.remove(&next) {
                    waiting.next += 1;
                    let unfinished = || refuse("The player did not finish a game.");
                    return game.map(|game| Some(PySelfplayGame(game))).ok_or_else(unfinished);
                }
                match waiting.receiver.recv_timeout(Duration::from_millis(LOOK_EVERY)) {
                    Ok((number, game)) => {
                        waiting.games.insert(number, game);
                    }
                    Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(refuse("The threads that play have ended."));
                    }
                }
            }
            Ok(None)
        })
    }
}

impl Drop for PySelfplayGames {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}
