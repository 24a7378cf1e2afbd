//! `tengen.read` and `tengen.write`: records in every format that we know.

use std::{ffi::OsStr, fs, path::PathBuf};

use gomoku::{
    Color, Position, Rule,
    record::{self, Encoding, Format, Hint, NodeId, Tree},
};
use pyo3::{
    exceptions::{PyOSError, PyTypeError},
    prelude::*,
    types::{PyBytes, PyString, PyTuple},
};

use crate::{
    arguments::{self, refuse},
    game::PyGame,
    moves::names,
    position::PyPosition,
};

/// A record: a game with variations and comments, as files keep it. Made of a game or a position, or
/// read from a file.
///
/// >>> data = b"(;GM[4]SZ[15]PB[Ann];B[hh];W[hg](;B[ii])(;B[gi]C[or this]))"
/// >>> record = tengen.read_bytes(data)[0]
/// >>> record.game().moves, [line.text for line in record.lines()]
/// (['h8', 'h9', 'i7'], ['h8h9i7', 'h8h9g7'])
/// >>> record.comments()
/// [(['h8', 'h9', 'g7'], 'or this')]
#[pyclass(name = "Record", module = "tengen", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyRecord {
    pub(crate) tree: Tree,
    /// The rule of a record that does not name one.
    rule: Rule,
}

#[pymethods]
impl PyRecord {
    #[new]
    fn new(game: &Bound<'_, PyAny>) -> PyResult<PyRecord> {
        tree_of(game).map(|tree| PyRecord { rule: tree.rule().unwrap_or(Rule::Freestyle), tree })
    }

    /// Points per side.
    #[getter]
    fn size(&self) -> u8 {
        self.tree.size()
    }

    /// The rule that the record names; else the one it was read under.
    #[getter]
    fn rule(&self) -> &'static str {
        self.tree.rule().unwrap_or(self.rule).name()
    }

    /// Who plays Black, or "".
    #[getter]
    fn black(&self) -> String {
        self.tree.name(Color::Black).unwrap_or_default()
    }

    /// Who plays White, or "".
    #[getter]
    fn white(&self) -> String {
        self.tree.name(Color::White).unwrap_or_default()
    }

    /// The character set of the file that the record was read from.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.tree.encoding().name()
    }

    /// The game of the main line.
    fn game(&self) -> PyResult<PyGame> {
        self.tree.game(self.rule).map(PyGame).map_err(refuse)
    }

    /// The position at the end of each line, the main line first.
    fn lines(&self) -> PyResult<Vec<PyPosition>> {
        self.tree.leaves().map(|leaf| self.at(leaf).map(PyPosition)).collect()
    }

    /// Every comment, with the moves that lead to it.
    fn comments(&self, py: Python<'_>) -> Vec<(Vec<Py<PyString>>, String)> {
        let told = self.tree.nodes().filter(|&node| !self.tree.comment(node).is_empty());
        told.map(|node| {
            let path = self.tree.path_to(node);
            let points = path.iter().filter_map(|&node| self.tree.played(node)?.point);
            (names(py, points), self.tree.comment(node).to_owned())
        })
        .collect()
    }

    /// Number of nodes: of moves and of what stands before the first.
    fn __len__(&self) -> usize {
        self.tree.nodes().count()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let (nodes, lines) = (self.__len__(), self.tree.leaves().count());
        format!("<Record {0} {1}x{1}: {nodes} nodes, {lines} lines>", self.rule(), self.size())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.get_type::<PyRecord>().getattr("_restore")?;
        let bytes = record::write(std::slice::from_ref(&self.tree), Format::Sgf).map_err(refuse)?;
        Ok((restore, (PyBytes::new(py, &bytes), self.rule.name()).into_pyobject(py)?))
    }

    #[staticmethod]
    fn _restore(bytes: &[u8], rule: &str) -> PyResult<PyRecord> {
        let hint = Hint { format: Some(Format::Sgf), ..Hint::default() };
        let tree = record::read(bytes, &hint).map_err(refuse)?.into_iter().next();
        let tree = tree.ok_or_else(|| refuse("There is no game."))?;
        Ok(PyRecord { tree, rule: arguments::rule(rule)? })
    }
}

impl PyRecord {
    pub(crate) fn of(tree: Tree) -> PyRecord {
        PyRecord { rule: tree.rule().unwrap_or(Rule::Freestyle), tree }
    }

    fn at(&self, node: NodeId) -> PyResult<Position> {
        self.tree.position_at(node, self.rule).map_err(refuse)
    }
}

/// Reads the games of a file: SGF, Piskvork psq, Gomotur rec, RenLib lib, Yixin pos and sav, move
/// strings, opening offsets, gomocalc addresses. Format and character set are found out unless they
/// are named. `rule` and `size` hold for files that do not say.
#[pyfunction]
#[pyo3(signature = (path, *, format = None, encoding = None, rule = "freestyle", size = None))]
pub(crate) fn read(
    path: PathBuf,
    format: Option<&str>,
    encoding: Option<&str>,
    rule: &str,
    size: Option<i64>,
) -> PyResult<Vec<PyRecord>> {
    let bytes = fs::read(&path).map_err(|why| cannot("read", &path, &why))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    read_bytes(&bytes, &name, format, encoding, rule, size)
}

/// Reads the games of a file's content; `name` is what the file is called, whose ending helps.
///
/// >>> tengen.read_bytes(b"h8i9g9")[0].game().moves
/// ['h8', 'i9', 'g9']
#[pyfunction]
#[pyo3(signature = (
    data, name = "", *, format = None, encoding = None, rule = "freestyle", size = None
))]
pub(crate) fn read_bytes(
    data: &[u8],
    name: &str,
    format: Option<&str>,
    encoding: Option<&str>,
    rule: &str,
    size: Option<i64>,
) -> PyResult<Vec<PyRecord>> {
    let rule = arguments::rule(rule)?;
    let hint = Hint {
        format: format.map(self::format).transpose()?,
        name,
        size: size.map(arguments::size).transpose()?,
        rule: None,
        encoding: encoding.map(self::encoding).transpose()?,
    };
    let trees = record::read(data, &hint).map_err(refuse)?;
    Ok(trees.into_iter().map(|tree| PyRecord { tree, rule }).collect())
}

/// Writes records, games or positions to a file, in the format of its ending or the one named: "sgf",
/// "psq", "rec", "pos", "pos-from-top", "offsets", "lib", "pos-bytes", "sav" or "gomocalc".
#[pyfunction]
#[pyo3(signature = (path, records, *, format = None, encoding = None))]
pub(crate) fn write(
    path: PathBuf,
    records: &Bound<'_, PyAny>,
    format: Option<&str>,
    encoding: Option<&str>,
) -> PyResult<()> {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let by_ending = Format::ALL.into_iter().find(|format| format.extension() == ending);
    let format = match (format, by_ending) {
        (Some(name), _) => self::format(name)?,
        (None, Some(format)) => format,
        (None, None) => {
            let text = format!("The ending of {} names no format.", path.display());
            return Err(refuse(text));
        }
    };
    let bytes = bytes_of(records, format, encoding)?;
    fs::write(&path, bytes).map_err(|why| cannot("write", &path, &why))
}

/// What `write` would put into a file.
///
/// >>> tengen.write_bytes(tengen.Position("h8 i9 g9"), "pos")
/// b'h8i9g9\n'
#[pyfunction]
#[pyo3(signature = (records, format = "sgf", *, encoding = None))]
pub(crate) fn write_bytes<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyAny>,
    format: &str,
    encoding: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &bytes_of(records, self::format(format)?, encoding)?))
}

fn bytes_of(
    records: &Bound<'_, PyAny>,
    format: Format,
    encoding: Option<&str>,
) -> PyResult<Vec<u8>> {
    let trees = match tree_of(records) {
        Ok(tree) => vec![tree],
        Err(_) => records
            .try_iter()
            .map_err(|_| no_record(records))?
            .map(|one| tree_of(&one?))
            .collect::<PyResult<_>>()?,
    };
    match encoding {
        Some(name) => record::write_in(&trees, format, self::encoding(name)?),
        None => record::write(&trees, format),
    }
    .map_err(refuse)
}

fn tree_of(value: &Bound<'_, PyAny>) -> PyResult<Tree> {
    if let Ok(record) = value.cast::<PyRecord>() {
        return Ok(record.get().tree.clone());
    }
    if let Ok(game) = value.cast::<PyGame>() {
        return Ok(Tree::from_game(&game.borrow().0));
    }
    match value.cast::<PyPosition>() {
        Ok(position) => Ok(Tree::from_position(&position.get().0)),
        Err(_) => Err(no_record(value)),
    }
}

fn no_record(value: &Bound<'_, PyAny>) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("Expected a Record, a Game or a Position, found {kind}."))
}

fn format(name: &str) -> PyResult<Format> {
    let known = || Format::ALL.map(Format::name).join(", ");
    let unknown = || refuse(format!("There is no format '{name}': known are {}.", known()));
    Format::from_name(name).ok_or_else(unknown)
}

fn encoding(name: &str) -> PyResult<Encoding> {
    let unknown = || refuse(format!("There is no character set '{name}'."));
    Encoding::from_name(name).ok_or_else(unknown)
}

/// The exception that Python itself would raise for a file.
fn cannot(verb: &str, path: &std::path::Path, why: &std::io::Error) -> PyErr {
    match why.raw_os_error() {
        // `OSError` with a number becomes `FileNotFoundError` and the like.
        Some(number) => {
            let text = format!("cannot {verb}: {why}");
            PyOSError::new_err((number, text, path.display().to_string()))
        }
        None => PyOSError::new_err(format!("Cannot {verb} {}: {why}", path.display())),
    }
}
