//! `write_vectors` and `Vectors`.
#![forbid(unsafe_code)]

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::border::without_gil;
use super::view::View;
use crate::vectors::{self, Filter, Layout, Malformed, Query, Section};

/// Writes the TQ section of records' vectors.
#[pyfunction]
#[pyo3(signature = (vectors, dimensions, records, marks, encoder))]
pub fn write_vectors<'py>(
    py: Python<'py>,
    vectors: &Bound<'py, PyAny>,
    dimensions: usize,
    records: &[u8],
    marks: &[u8],
    encoder: &[u8],
) -> PyResult<Cow<'static, [u8]>> {
    let view = View::new(vectors)?;
    let (numbers, rest) = view.bytes().as_chunks();
    let (records, records_rest) = records.as_chunks();
    let (marks, marks_rest) = marks.as_chunks();
    if !(rest.is_empty() && records_rest.is_empty() && marks_rest.is_empty()) {
        return Err(PyValueError::new_err(
            "the vectors, the records or their marks end within a number",
        ));
    }
    let encoder = encoder
        .try_into()
        .map_err(|_| PyValueError::new_err("an encoder's identity has 32 bytes"))?;
    without_gil(py, || {
        vectors::write(numbers, dimensions, records, marks, encoder)
    })?
    .map(Cow::Owned)
    .map_err(value_error)
}

/// The union of mounted TQ sections.
#[pyclass(frozen, module = "pydocs_native._core")]
pub struct Vectors {
    sections: Vec<Option<(Layout, View)>>,
}

#[pymethods]
impl Vectors {
    #[new]
    fn new(sections: Vec<Option<Bound<'_, PyAny>>>) -> PyResult<Self> {
        let mut read = Vec::with_capacity(sections.len());
        let mut encoder = None;
        for (index, object) in sections.iter().enumerate() {
            let Some(object) = object else {
                read.push(None);
                continue;
            };
            let view = View::new(object)?;
            let layout = Layout::of(view.bytes()).map_err(|problem| {
                PyValueError::new_err(format!("vectors section {index} {}", problem.0))
            })?;
            let made_by = (layout.dimensions, layout.encoder);
            if *encoder.get_or_insert(made_by) != made_by {
                return Err(PyValueError::new_err(format!(
                    "vectors section {index} is of another encoder than those before it"
                )));
            }
            read.push(Some((layout, view)));
        }
        Ok(Self { sections: read })
    }

    /// Gives how many vectors each section has.
    fn row_counts(&self) -> Vec<usize> {
        let layouts = self.sections.iter();
        layouts
            .map(|section| section.as_ref().map_or(0, |(layout, _)| layout.rows))
            .collect()
    }

    /// Gives `(record, kind, flags)` of a section's vectors.
    fn rows(&self, section: usize) -> PyResult<Vec<(u32, u8, u8)>> {
        self.check(&[section])?;
        let parts = self.sections[section].as_ref();
        let parts = parts.map(|(layout, view)| Section::new(layout, view.bytes()));
        Ok(parts
            .map(|parts| parts.marks().collect())
            .unwrap_or_default())
    }

    /// Gives `(score, section, record)` of the nearest vectors, best first.
    #[pyo3(signature = (query, limit, *, sections = None, kinds = u64::MAX, flags_excluded = 0))]
    fn search(
        &self,
        py: Python<'_>,
        query: &[u8],
        limit: usize,
        sections: Option<Vec<usize>>,
        kinds: u64,
        flags_excluded: u8,
    ) -> PyResult<Vec<(f64, usize, u32)>> {
        self.check(sections.as_deref().unwrap_or_default())?;
        let Some(query) = self.query(query)? else {
            return Ok(Vec::new());
        };
        let filter = Filter {
            sections: sections.as_deref(),
            kinds,
            flags_excluded,
        };
        without_gil(py, || {
            vectors::search(&self.union(), &query, limit, &filter)
        })
    }

    /// Gives the scores of some records' vectors, None where one has none.
    fn scores(
        &self,
        py: Python<'_>,
        query: &[u8],
        rows: Vec<(usize, u32)>,
    ) -> PyResult<Vec<Option<f64>>> {
        let sections: Vec<usize> = rows.iter().map(|(section, _)| *section).collect();
        self.check(&sections)?;
        let query = self.query(query)?;
        without_gil(py, || vectors::scores(&self.union(), query.as_ref(), &rows))
    }
}

impl Vectors {
    fn union(&self) -> Vec<vectors::Mounted<'_>> {
        let sections = self.sections.iter();
        sections
            .map(|section| {
                let (layout, view) = section.as_ref()?;
                Some((layout, Section::new(layout, view.bytes())))
            })
            .collect()
    }

    fn check(&self, sections: &[usize]) -> PyResult<()> {
        let mounted = self.sections.len();
        sections
            .iter()
            .find(|&&at| at >= mounted)
            .map_or(Ok(()), |section| {
                Err(PyValueError::new_err(format!(
                    "section {section} is not among the {mounted} mounted"
                )))
            })
    }

    /// The query, if it has a direction; where nothing has vectors, no query has one.
    fn query(&self, query: &[u8]) -> PyResult<Option<Query>> {
        let Some((layout, _)) = self.sections.iter().flatten().next() else {
            return Ok(None);
        };
        let (numbers, rest) = query.as_chunks();
        if !rest.is_empty() || numbers.len() != layout.dimensions {
            return Err(PyValueError::new_err(format!(
                "the query has {} bytes, and vectors of {} dimensions take {}",
                query.len(),
                layout.dimensions,
                layout.dimensions * 4
            )));
        }
        Ok(Query::new(numbers))
    }
}

fn value_error(problem: Malformed) -> PyErr {
    PyValueError::new_err(problem.0)
}
