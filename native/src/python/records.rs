//! `RecordFrame`.
#![forbid(unsafe_code)]

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::border::without_gil;
use crate::records::{Bounds, Frame, Malformed};

/// The records of one frame of a bundle.
#[pyclass(frozen, module = "pydocs_native._core")]
pub struct RecordFrame(Frame);

#[pymethods]
impl RecordFrame {
    #[new]
    #[pyo3(signature = (raw, count, *, first, entries, files))]
    fn new(
        py: Python<'_>,
        raw: &[u8],
        count: usize,
        first: u32,
        entries: u32,
        files: u32,
    ) -> PyResult<Self> {
        let bounds = Bounds {
            first: first.into(),
            entries: entries.into(),
            files: files.into(),
        };
        without_gil(py, || Frame::new(raw, count, bounds))?
            .map(Self)
            .map_err(value_error)
    }

    /// Gives the fields of the record of a line.
    fn record<'py>(&self, py: Python<'py>, line: usize) -> PyResult<Bound<'py, PyTuple>> {
        let record = self.0.record(line).map_err(value_error)?;
        let mut fields: Vec<Bound<'py, PyAny>> = Vec::with_capacity(20);
        let number = |number: i64| Ok::<_, PyErr>(number.into_pyobject(py)?.into_any());
        let text = |text: &str| text.into_pyobject(py).map(Bound::into_any);
        fields.push(number(record.id)?);
        fields.push(text(record.name)?);
        fields.push(text(&record.public_name)?);
        for mark in record.marks {
            fields.push(number(mark)?);
        }
        for shown in record.shown {
            fields.push(text(shown)?);
        }
        for place in record.place {
            fields.push(number(place)?);
        }
        for names in record.named {
            fields.push(PyTuple::new(py, names)?.into_any());
        }
        fields.push(PyTuple::new(py, record.children)?.into_any());
        for place in record.docstring {
            fields.push(number(place)?);
        }
        fields.push(text(record.docstring_text)?);
        fields.push(number(record.popularity)?);
        PyTuple::new(py, fields)
    }
}

fn value_error(problem: Malformed) -> PyErr {
    PyValueError::new_err(problem.0)
}
