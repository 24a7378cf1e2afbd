//! `tengen.Position`: stones, the side to move and the rule.

use std::hash::{Hash, Hasher};

use gomoku::{
    Board, Color, Field, Forbidden, Outcome, Point, Position, Rules, Symmetry, Threat, with_rule,
};
use player::SplitMix64;
use pyo3::{
    prelude::*,
    types::{PyDict, PyString, PyTuple, PyType},
};

use crate::{
    arguments::{self, refuse},
    arrays::array,
    moves::{index_of, name, names, point, points, symmetry},
    planes,
};

/// Stones on a board, the side to move and the rule.
///
/// Positions never change: `play` and `undo` return another position. So they can be put into sets
/// and dictionaries and handed to threads. Two positions are equal if the same stones stand under
/// the same rule with the same side to move, whatever the order of the moves.
///
/// `moves` is a text such as "h8 i9", a list of moves, or stones and the side to move such as
/// "b:h8,g9 w:i9 b". A move is written as "h8", as (x, y) counted from the bottom left from 0, or
/// as the index y * size + x. Rules are freestyle, standard, renju, caro and caro-exact.
///
/// >>> position = tengen.Position("h8 i9", rule="renju").play("g9")
/// >>> position
/// Position('h8i9g9', rule='renju', size=15)
/// >>> position.to_move, position.moves, len(position)
/// ('white', ['h8', 'i9', 'g9'], 3)
#[pyclass(name = "Position", module = "tengen", frozen, eq, hash, weakref, from_py_object)]
#[derive(Clone)]
pub(crate) struct PyPosition(pub(crate) Position);

impl PartialEq for PyPosition {
    fn eq(&self, other: &PyPosition) -> bool {
        let facts = |p: &Position| (p.rule(), *p.board(), p.to_move(), p.outcome());
        facts(&self.0) == facts(&other.0)
    }
}

impl Hash for PyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.key(), self.0.rule(), self.0.size()).hash(state);
    }
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (moves = None, rule = "freestyle", size = 15))]
    fn new(moves: Option<&Bound<'_, PyAny>>, rule: &str, size: i64) -> PyResult<PyPosition> {
        let (rule, size) = (arguments::rule(rule)?, arguments::size(size)?);
        let Some(moves) = moves else { return Ok(PyPosition(Position::new(rule, size))) };
        let position = match moves.cast::<PyString>() {
            Ok(text) => Position::parse(text.to_str()?, rule, size).map_err(refuse)?,
            Err(_) => {
                let points = points(moves, size)?;
                Position::from_moves(rule, size, &points).map_err(refuse)?
            }
        };
        Ok(PyPosition(position))
    }

    /// Any stones with either side to move. Moves played before are not known.
    ///
    /// >>> tengen.Position.from_stones(black=["h8", "g9"], white=["i9"], to_move="white")
    /// Position('b:h8,g9 w:i9 w', rule='freestyle', size=15)
    #[classmethod]
    #[pyo3(signature = (black, white, to_move = "black", rule = "freestyle", size = 15))]
    fn from_stones(
        _class: &Bound<'_, PyType>,
        black: &Bound<'_, PyAny>,
        white: &Bound<'_, PyAny>,
        to_move: &str,
        rule: &str,
        size: i64,
    ) -> PyResult<PyPosition> {
        let (rule, size) = (arguments::rule(rule)?, arguments::size(size)?);
        let mut board = Board::new(size);
        for (color, stones) in [(Color::Black, black), (Color::White, white)] {
            for point in points(stones, size)? {
                place(&mut board, point, color)?;
            }
        }
        Ok(PyPosition(Position::from_board(rule, board, color(to_move)?)))
    }

    /// The position of a square array with 1 for black stones, -1 for white ones and 0 elsewhere;
    /// `array[y, x]`, a1 at [0, 0]. Any nested lists of numbers will do.
    ///
    /// >>> position = tengen.Position("h8 i9")
    /// >>> tengen.Position.from_array(position.board(), to_move="black") == position
    /// True
    #[classmethod]
    #[pyo3(signature = (array, to_move = "black", rule = "freestyle"))]
    fn from_array(
        _class: &Bound<'_, PyType>,
        array: Vec<Vec<f64>>,
        to_move: &str,
        rule: &str,
    ) -> PyResult<PyPosition> {
        let size = arguments::size(array.len() as i64)?;
        if array.iter().any(|row| row.len() != array.len()) {
            return Err(refuse("The array of a board is square."));
        }
        let mut board = Board::new(size);
        for at in Point::all(size) {
            match array[usize::from(at.row())][usize::from(at.col())] {
                0.0 => {}
                1.0 => board.place(at, Color::Black),
                -1.0 => board.place(at, Color::White),
                other => {
                    let text =
                        format!("Expected 1, -1 or 0 in the array of a board, found {other}.");
                    return Err(refuse(text));
                }
            }
        }
        Ok(PyPosition(Position::from_board(arguments::rule(rule)?, board, color(to_move)?)))
    }

    /// The name of the rule.
    #[getter]
    fn rule(&self) -> &'static str {
        self.0.rule().name()
    }

    /// Points per side.
    #[getter]
    fn size(&self) -> u8 {
        self.0.size()
    }

    /// "black" or "white".
    #[getter]
    fn to_move(&self) -> &'static str {
        color_name(self.0.to_move())
    }

    /// The moves that led here, as far as they are known.
    #[getter]
    fn moves(&self, py: Python<'_>) -> Vec<Py<PyString>> {
        names(py, self.0.moves().iter().copied())
    }

    /// The last move, or None.
    #[getter]
    fn last_move(&self, py: Python<'_>) -> Option<Py<PyString>> {
        self.0.last_move().map(|point| name(py, point))
    }

    /// The points with a black stone.
    #[getter]
    fn black(&self, py: Python<'_>) -> Vec<Py<PyString>> {
        names(py, self.0.board().stones(Color::Black).iter())
    }

    /// The points with a white stone.
    #[getter]
    fn white(&self, py: Python<'_>) -> Vec<Py<PyString>> {
        names(py, self.0.board().stones(Color::White).iter())
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.outcome().is_some()
    }

    /// "black", "white", or None while the game goes on and after a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.0.outcome().and_then(Outcome::winner).map(color_name)
    }

    /// How the game has ended: "five", "forbidden", "draw", or None while it goes on.
    ///
    /// >>> won = tengen.Position("h8 h9 i8 i9 j8 j9 k8 k9 l8")
    /// >>> won.outcome, won.winner, won.winning_line
    /// ('five', 'black', ['h8', 'i8', 'j8', 'k8', 'l8'])
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        self.0.outcome().map(|outcome| match outcome {
            Outcome::Five(_) => "five",
            Outcome::Forbidden => "forbidden",
            Outcome::Draw => "draw",
        })
    }

    /// The stones of the winning line; empty if there is none.
    #[getter]
    fn winning_line(&self, py: Python<'_>) -> Vec<Py<PyString>> {
        names(py, self.0.winning_line())
    }

    /// A number of 64 bits for stones and side to move, the same on every machine.
    #[getter]
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// The text that `Position` reads back: moves, or stones and the side to move.
    #[getter]
    fn text(&self) -> String {
        self.0.to_text()
    }

    /// The position after a move. A forbidden point may be played, and loses.
    ///
    /// >>> tengen.Position().play("h8").play((8, 8)).play(111).moves
    /// ['h8', 'i9', 'g8']
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        let mut after = self.0.clone();
        after.play(point(r#move, self.0.size())?).map_err(refuse)?;
        Ok(PyPosition(after))
    }

    /// The position before the last moves; a pass goes with the move before it.
    ///
    /// >>> tengen.Position("h8 i9 g9").undo(2).moves
    /// ['h8']
    #[pyo3(signature = (n = 1))]
    fn undo(&self, n: usize) -> PyResult<PyPosition> {
        let mut before = self.0.clone();
        for _ in 0..n {
            before.undo().ok_or_else(|| refuse("No move is known that could be taken back."))?;
        }
        Ok(PyPosition(before))
    }

    /// The same stones with the other side to move.
    ///
    /// >>> tengen.Position("h8").passed().to_move
    /// 'black'
    fn passed(&self) -> PyPosition {
        let mut passed = self.0.clone();
        passed.pass();
        PyPosition(passed)
    }

    /// Whether the side to move may play there: the point is free and not forbidden, and the game is
    /// not over.
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.0.is_legal(point(r#move, self.0.size())?))
    }

    /// The legal moves, from the bottom left row by row.
    ///
    /// >>> moves = tengen.Position("h8").legal_moves()
    /// >>> len(moves), moves[:3]
    /// (224, ['a1', 'b1', 'c1'])
    fn legal_moves(&self, py: Python<'_>) -> Vec<Py<PyString>> {
        names(py, self.0.legal_points().iter())
    }

    /// The legal moves as an array of booleans, one for each index.
    ///
    /// >>> mask = tengen.Position("h8", size=15).legal_mask()
    /// >>> mask.shape, int(mask.sum()), bool(mask[tengen.index("h8")])
    /// ((225,), 224, False)
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let size = self.0.size();
        let mut mask = vec![0; usize::from(size) * usize::from(size)];
        self.0.legal_points().iter().for_each(|point| mask[index_of(point, size)] = 1);
        array(py, &mask, "?", &[mask.len()])
    }

    /// The points where the side to move may not play, with the reason: "overline", "double four" or
    /// "double three". Empty but for Black in renju.
    ///
    /// >>> tengen.Position("b:g8,i8,h7,h9 w:a1,c1,e1,o15 b", rule="renju").forbidden()
    /// {'h8': 'double three'}
    fn forbidden<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        for point in self.0.board().empty() {
            if let Some(reason) = self.0.forbidden(point) {
                found.set_item(name(py, point), reason_name(reason))?;
            }
        }
        Ok(found)
    }

    /// What a stone of a color would do on each point where it does something: "five", "open four"
    /// (two fours at once included), "four", "open three" or "three".
    ///
    /// >>> threats = tengen.Position("h8 a1 i8 c1 j8 e1").threats("black")
    /// >>> sorted(point for point, threat in threats.items() if threat == "open four")
    /// ['g8', 'k8']
    fn threats<'py>(&self, py: Python<'py>, color: &str) -> PyResult<Bound<'py, PyDict>> {
        let color = self::color(color)?;
        let found = PyDict::new(py);
        for (point, threat) in with_rule!(self.0.rule(), R => threats::<R>(&self.0, color)) {
            if let Some(word) = planes::threat_name(threat) {
                found.set_item(name(py, point), word)?;
            }
        }
        Ok(found)
    }

    /// The position with the board turned or mirrored, 0 to 7; 0 changes nothing.
    fn transformed(&self, symmetry: i64) -> PyResult<PyPosition> {
        Ok(PyPosition(self.0.transformed(self::symmetry(symmetry)?)))
    }

    /// The eight images of the position; `tengen.transform` takes moves along.
    ///
    /// >>> [image.text for image in tengen.Position("h8 i10", size=15).symmetries()][:3]
    /// ['h8i10', 'h8g10', 'h8i6']
    fn symmetries(&self) -> Vec<PyPosition> {
        Symmetry::all().map(|symmetry| PyPosition(self.0.transformed(symmetry))).collect()
    }

    /// The one of the eight images that stands for all of them.
    ///
    /// >>> images = tengen.Position("h8 i10").symmetries()
    /// >>> len({image.canonical() for image in images})
    /// 1
    fn canonical(&self) -> PyPosition {
        PyPosition(self.0.transformed(self.0.board().canonical().1))
    }

    /// The stones as an array `board[y, x]`: 1 black, -1 white, 0 empty, a1 at [0, 0].
    ///
    /// >>> int(tengen.Position("h8").board()[7, 7])
    /// 1
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let size = usize::from(self.0.size());
        let stone = |point| match self.0.board().get(point) {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => -1i8 as u8,
        };
        let cells: Vec<u8> = Point::all(self.0.size()).map(stone).collect();
        array(py, &cells, "int8", &[size, size])
    }

    /// What a network may want to see, as an array of ones and zeros (uint8) `planes[plane, y, x]`
    /// from the view of the side to move; `tengen.PLANES` names the planes.
    ///
    /// >>> planes = tengen.Position("h8 i9").planes()
    /// >>> planes.shape == (len(tengen.PLANES), 15, 15)
    /// True
    /// >>> int(planes[tengen.PLANES.index("own"), 7, 7])
    /// 1
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let size = usize::from(self.0.size());
        let mut cells = Vec::new();
        planes::append(&self.0, &mut cells);
        array(py, &cells, "uint8", &[planes::N_PLANES, size, size])
    }

    /// The end of a game of random legal moves from here.
    ///
    /// >>> tengen.Position().playout(seed=1).is_over
    /// True
    #[pyo3(signature = (seed = 0))]
    fn playout(&self, seed: u64) -> PyPosition {
        let (mut position, mut random) = (self.0.clone(), SplitMix64::new(seed));
        let mut free: Vec<Point> = position.board().empty().iter().collect();
        random.shuffle(&mut free);
        while position.outcome().is_none() {
            // In renju a point may be forbidden now and legal later.
            let Some(at) = free.iter().rposition(|&point| position.forbidden(point).is_none())
            else {
                break;
            };
            let point = free.remove(at);
            position.play(point).expect("a free point can be played");
        }
        PyPosition(position)
    }

    /// "black", "white" or None: the stone on a point.
    fn __getitem__(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
        Ok(self.0.board().get(point(r#move, self.0.size())?).map(color_name))
    }

    fn __len__(&self) -> usize {
        self.0.board().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let (rule, size) = (self.0.rule(), self.0.size());
        format!("Position('{}', rule='{rule}', size={size})", self.0.to_text())
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.get_type::<PyPosition>().getattr("_restore")?;
        let (start, moves) = start_and_moves(&self.0);
        let moves: String = moves.iter().map(Point::to_string).collect();
        let (rule, size) = (self.0.rule().name(), self.0.size());
        Ok((restore, (start.to_text(), moves, rule, size).into_pyobject(py)?))
    }

    #[staticmethod]
    fn _restore(start: &str, moves: &str, rule: &str, size: i64) -> PyResult<PyPosition> {
        let (rule, size) = (arguments::rule(rule)?, arguments::size(size)?);
        let mut position = Position::parse(start, rule, size).map_err(refuse)?;
        for point in Position::parse(moves, rule, size).map_err(refuse)?.moves() {
            position.play(*point).map_err(refuse)?;
        }
        Ok(PyPosition(position))
    }
}

/// Where a position began and what was played then. Where sides have passed, that is not told.
fn start_and_moves(position: &Position) -> (Position, Vec<Point>) {
    let mut start = position.clone();
    while start.undo().is_some() {}
    let mut again = start.clone();
    let is_same = position.moves().iter().all(|&point| again.play(point).is_ok());
    match is_same && again == *position {
        true => (start, position.moves().to_vec()),
        false => {
            let (board, to_move) = (*position.board(), position.to_move());
            (Position::from_board(position.rule(), board, to_move), Vec::new())
        }
    }
}

fn threats<R: Rules>(position: &Position, color: Color) -> Vec<(Point, Threat)> {
    let field = Field::<R>::from_position(position);
    position.board().empty().iter().map(|point| (point, field.threat(color, point))).collect()
}

fn place(board: &mut Board, point: Point, color: Color) -> PyResult<()> {
    if board.get(point).is_some() {
        return Err(refuse(format!("{point} is occupied.")));
    }
    board.place(point, color);
    Ok(())
}

/// The color with this name.
pub(crate) fn color(name: &str) -> PyResult<Color> {
    match name.to_ascii_lowercase().as_str() {
        "black" | "b" => Ok(Color::Black),
        "white" | "w" => Ok(Color::White),
        _ => Err(refuse(format!("'{name}' is not a color: expected black or white."))),
    }
}

/// The name of a color.
pub(crate) fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

fn reason_name(reason: Forbidden) -> &'static str {
    match reason {
        Forbidden::Overline => "overline",
        Forbidden::DoubleFour => "double four",
        Forbidden::DoubleThree => "double three",
    }
}
