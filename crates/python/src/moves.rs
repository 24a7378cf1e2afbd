//! Moves: Python may write `"h8"`, `(7, 7)` or `112`, and is answered with names.

use gomoku::{MAX_SIZE, Point, Symmetry};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    sync::PyOnceLock,
    types::{PyList, PyString, PyTuple},
};

use crate::arguments::{self, refuse};

/// The point that a Python value means on a board of this side.
pub(crate) fn point(value: &Bound<'_, PyAny>, size: u8) -> PyResult<Point> {
    if let Ok(name) = value.cast::<PyString>() {
        let point: Point = name.to_str()?.parse().map_err(refuse)?;
        return on_board(point, size);
    }
    if value.cast::<PyTuple>().is_ok() || value.cast::<PyList>().is_ok() {
        let [x, y]: [i64; 2] = value.extract().map_err(|_| no_move(value))?;
        let side = 0..i64::from(size);
        return match side.contains(&x) && side.contains(&y) {
            true => Ok(Point::new(x as u8, y as u8)),
            false => Err(refuse(format!("({x}, {y}) is not on a board of {size}x{size}."))),
        };
    }
    let index: i64 = value.extract().map_err(|_| no_move(value))?;
    let side = i64::from(size);
    match (0..side * side).contains(&index) {
        true => Ok(Point::new((index % side) as u8, (index / side) as u8)),
        false => Err(refuse(format!("{index} is not on a board of {size}x{size}."))),
    }
}

/// The points that a list of moves means, or a text such as `"h8 i9"`.
pub(crate) fn points(value: &Bound<'_, PyAny>, size: u8) -> PyResult<Vec<Point>> {
    if value.cast::<PyString>().is_ok() {
        return Err(PyTypeError::new_err("Expected a list of moves, found a text."));
    }
    value.try_iter()?.map(|one| point(&one?, size)).collect()
}

fn on_board(point: Point, size: u8) -> PyResult<Point> {
    match point.is_on(size) {
        true => Ok(point),
        false => Err(refuse(format!("{point} is not on a board of {size}x{size}."))),
    }
}

fn no_move(value: &Bound<'_, PyAny>) -> PyErr {
    let found = value.repr().map_or_else(|_| "something else".to_owned(), |text| text.to_string());
    PyTypeError::new_err(format!("Expected a move such as 'h8', (7, 7) or 112, found {found}."))
}

/// Place of a point in a mask or policy.
pub(crate) fn index_of(point: Point, size: u8) -> usize {
    usize::from(point.row()) * usize::from(size) + usize::from(point.col())
}

/// The name of a point; every name is made once.
pub(crate) fn name(py: Python<'_>, point: Point) -> Py<PyString> {
    static NAMES: PyOnceLock<Vec<Py<PyString>>> = PyOnceLock::new();
    let names = NAMES.get_or_init(py, || {
        let points = Point::all(MAX_SIZE);
        points.map(|point| PyString::new(py, &point.to_string()).unbind()).collect()
    });
    names[index_of(point, MAX_SIZE)].clone_ref(py)
}

/// The names of some points.
pub(crate) fn names(py: Python<'_>, points: impl IntoIterator<Item = Point>) -> Vec<Py<PyString>> {
    points.into_iter().map(|point| name(py, point)).collect()
}

/// The index of a move, as used by masks, planes and policies: rows from the bottom, a1 is 0.
///
/// >>> tengen.index("h8"), tengen.index((7, 7)), tengen.index("b1", size=10)
/// (112, 112, 1)
#[pyfunction]
#[pyo3(signature = (r#move, size = 15))]
pub(crate) fn index(r#move: &Bound<'_, PyAny>, size: i64) -> PyResult<usize> {
    let size = arguments::size(size)?;
    Ok(index_of(point(r#move, size)?, size))
}

/// The name of a move.
///
/// >>> tengen.move_name(112), tengen.move_name((0, 14))
/// ('h8', 'a15')
#[pyfunction]
#[pyo3(signature = (r#move, size = 15))]
pub(crate) fn move_name(
    py: Python<'_>,
    r#move: &Bound<'_, PyAny>,
    size: i64,
) -> PyResult<Py<PyString>> {
    Ok(name(py, point(r#move, arguments::size(size)?)?))
}

/// Where a symmetry (0 to 7, as in `Position.symmetries`) takes a move.
///
/// >>> [tengen.transform("b1", k, size=15) for k in range(4)]
/// ['b1', 'n1', 'b15', 'n15']
#[pyfunction]
#[pyo3(signature = (r#move, symmetry, size = 15))]
pub(crate) fn transform(
    py: Python<'_>,
    r#move: &Bound<'_, PyAny>,
    symmetry: i64,
    size: i64,
) -> PyResult<Py<PyString>> {
    let size = arguments::size(size)?;
    Ok(name(py, self::symmetry(symmetry)?.apply(point(r#move, size)?, size)))
}

/// The symmetry with this number.
pub(crate) fn symmetry(number: i64) -> PyResult<Symmetry> {
    let known = u8::try_from(number).ok().filter(|number| *number < 8);
    let unknown = || refuse(format!("There is no symmetry {number}: they are 0 to 7."));
    known.map(Symmetry::new).ok_or_else(unknown)
}
