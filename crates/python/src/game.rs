//! `tengen.Game`: a game as it is played.

use gomoku::{ByColor, Color, Ending, Game, GameResult, Position};
use pyo3::{
    prelude::*,
    types::{PyString, PyTuple},
};

use crate::{
    arguments::{self, refuse},
    moves::{names, point},
    position::{PyPosition, color, color_name},
};

/// A game: where it began, the moves since, who plays, and how it ended. Unlike a position it
/// changes as moves are played and taken back.
///
/// >>> game = tengen.Game(black="Ann", white="Bob", rule="renju")
/// >>> for move in ["h8", "i9", (6, 8)]:
/// ...     game.play(move)
/// >>> game.undo()
/// 'g9'
/// >>> game
/// <Game h8i9: Ann against Bob, renju 15x15>
#[pyclass(name = "Game", module = "tengen", eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyGame(pub(crate) Game);

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (start = None, black = "", white = "", rule = "freestyle", size = 15))]
    fn new(
        start: Option<&PyPosition>,
        black: &str,
        white: &str,
        rule: &str,
        size: i64,
    ) -> PyResult<PyGame> {
        let (rule, size) = (arguments::rule(rule)?, arguments::size(size)?);
        let empty = || Position::new(rule, size);
        let mut game = Game::new(start.map_or_else(empty, |start| start.0.clone()));
        game.names = ByColor { black: black.to_owned(), white: white.to_owned() };
        Ok(PyGame(game))
    }

    /// The position now.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(self.0.position.clone())
    }

    /// The position at the start.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition(self.0.start.clone())
    }

    /// The moves since the start.
    #[getter]
    fn moves(&self, py: Python<'_>) -> Vec<Py<PyString>> {
        names(py, self.0.moves().iter().copied())
    }

    /// Who plays Black.
    #[getter]
    fn black(&self) -> &str {
        &self.0.names.black
    }

    /// Who plays White.
    #[getter]
    fn white(&self) -> &str {
        &self.0.names.white
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.result.is_some()
    }

    /// "black", "white", or None while the game goes on and after a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.0.result.and_then(|result| result.winner).map(color_name)
    }

    /// How the game has ended, such as "five", "forbidden", "draw" or "resign"; None while it goes on.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        self.0.result.map(|result| result.ending.name())
    }

    /// Plays a move.
    fn play(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let point = point(r#move, self.0.position.size())?;
        self.0.play(point).map(drop).map_err(refuse)
    }

    /// Takes the last move back and tells which it was.
    fn undo(&mut self, py: Python<'_>) -> PyResult<Py<PyString>> {
        let nothing = || refuse("No move has been played that could be taken back.");
        if self.0.moves().is_empty() {
            return Err(nothing());
        }
        let point = self.0.position.undo().ok_or_else(nothing)?;
        self.0.result = None;
        Ok(crate::moves::name(py, point))
    }

    /// Ends the game: this color, or the side to move, gives up.
    ///
    /// >>> game = tengen.Game()
    /// >>> game.resign()
    /// >>> game.winner, game.ending
    /// ('white', 'resign')
    #[pyo3(signature = (color = None))]
    fn resign(&mut self, color: Option<&str>) -> PyResult<()> {
        if self.0.result.is_some() {
            return Err(refuse("The game is over."));
        }
        let loser = color.map_or(Ok(self.0.position.to_move()), self::color)?;
        self.0.result = Some(GameResult { winner: Some(!loser), ending: Ending::Resign });
        Ok(())
    }

    /// The positions from the start to the end.
    ///
    /// >>> [len(position) for position in tengen.Game(tengen.Position("h8")).positions()]
    /// [1]
    fn positions(&self) -> Vec<PyPosition> {
        let mut position = self.0.start.clone();
        let mut all = vec![PyPosition(position.clone())];
        for &point in self.0.moves() {
            // They were played once.
            if position.play(point).is_ok() {
                all.push(PyPosition(position.clone()));
            }
        }
        all
    }

    fn __len__(&self) -> usize {
        self.0.moves().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __copy__(&self) -> PyGame {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyGame {
        self.clone()
    }

    fn __str__(&self) -> String {
        self.0.position.to_string()
    }

    fn __repr__(&self) -> String {
        let name = |color: Color| match self.0.names[color].as_str() {
            "" => color_name(color),
            name => name,
        };
        let (black, white, position) = (name(Color::Black), name(Color::White), &self.0.position);
        let (rule, size) = (position.rule(), position.size());
        let end = match self.0.result {
            None => String::new(),
            Some(GameResult { winner: None, .. }) => ", draw".to_owned(),
            Some(GameResult { winner: Some(color), ending }) => {
                format!(", {color} wins ({ending})")
            }
        };
        format!("<Game {}: {black} against {white}, {rule} {size}x{size}{end}>", position.to_text())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.get_type::<PyGame>().getattr("_restore")?;
        let end = self.0.result.map(|result| (result.winner.map(color_name), result.ending.name()));
        let state = (self.start(), self.black(), self.white(), self.moves(py), end);
        Ok((restore, state.into_pyobject(py)?))
    }

    #[staticmethod]
    fn _restore(
        start: &PyPosition,
        black: &str,
        white: &str,
        moves: Vec<Bound<'_, PyAny>>,
        end: Option<(Option<String>, String)>,
    ) -> PyResult<PyGame> {
        let mut game = PyGame::new(Some(start), black, white, "freestyle", 15)?;
        moves.iter().try_for_each(|one| game.play(one))?;
        if let Some((winner, ending)) = end {
            let winner = winner.as_deref().map(color).transpose()?;
            let ending = Ending::from_name(&ending)
                .ok_or_else(|| refuse(format!("'{ending}' is no way to end a game.")))?;
            game.0.result = Some(GameResult { winner, ending });
        }
        Ok(game)
    }
}
