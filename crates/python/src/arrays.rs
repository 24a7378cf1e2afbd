//! Arrays: numpy makes them, from bytes that we hand over.

use pyo3::{
    exceptions::PyImportError,
    prelude::*,
    types::{PyByteArray, PyTuple},
};

/// A writable array with these bytes.
pub(crate) fn array<'py>(
    py: Python<'py>,
    bytes: &[u8],
    kind: &str,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy").map_err(|_| {
        PyImportError::new_err("Arrays need numpy, which is not installed: pip install numpy.")
    })?;
    let flat = numpy.call_method1("frombuffer", (PyByteArray::new(py, bytes), kind))?;
    flat.call_method1("reshape", (PyTuple::new(py, shape)?,))
}
