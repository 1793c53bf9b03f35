//! `write_postings` and `Postings`.
#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::collections::HashSet;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::border::without_gil;
use super::view::View;
use crate::postings::{
    self, FIELDS, Layout, Lookups, MEASURED, Malformed, Numbers, Query, Section,
};

/// The largest weight: far above any use, far below where sums would overflow.
const MAX_WEIGHT: f64 = 1e6;
/// How much the lengths of signature, docstring and body count unless told otherwise.
const FIELD_B: [f64; MEASURED.len()] = [0.5, 0.5, 0.75];

/// Writes the PXI section of the documents' seven texts.
#[pyfunction]
pub fn write_postings<'py>(
    py: Python<'py>,
    texts: Vec<[Bound<'py, PyString>; FIELDS]>,
    kinds: &[u8],
    flags: &[u8],
) -> PyResult<Cow<'static, [u8]>> {
    let texts: Vec<[Cow<'_, str>; FIELDS]> = texts
        .iter()
        .map(|fields| fields.each_ref().map(|text| text.to_string_lossy()))
        .collect();
    without_gil(py, || postings::write(&texts, kinds, flags))?
        .map(Cow::Owned)
        .map_err(|problem| PyValueError::new_err(problem.0))
}

/// The union of mounted PXI sections.
#[pyclass(frozen, module = "pydocs_native._core")]
pub struct Postings {
    sections: Vec<(Layout, View)>,
    lookups: Lookups,
}

#[pymethods]
impl Postings {
    #[new]
    fn new(sections: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let sections = sections.iter().enumerate().map(|(index, object)| {
            let view = View::new(object)?;
            let layout = Layout::of(view.bytes()).map_err(|problem| {
                PyValueError::new_err(format!("postings section {index} {}", problem.0))
            })?;
            Ok((layout, view))
        });
        Ok(Self {
            sections: sections.collect::<PyResult<_>>()?,
            lookups: Lookups::default(),
        })
    }

    /// Gives how many documents each section has.
    fn document_counts(&self) -> Vec<u32> {
        self.sections
            .iter()
            .map(|(layout, _)| layout.documents())
            .collect()
    }

    /// Gives in how many documents of the union each term stands.
    fn frequencies(&self, py: Python<'_>, terms: Vec<Bound<'_, PyString>>) -> PyResult<Vec<u64>> {
        let terms: Vec<Cow<'_, str>> = terms.iter().map(|term| term.to_string_lossy()).collect();
        let terms: Vec<&str> = terms.iter().map(AsRef::as_ref).collect();
        without_gil(py, || {
            postings::frequencies(&self.union(), &terms, &self.lookups)
        })?
        .map_err(value_error)
    }

    /// Gives in how many documents of each section each term stands: a list for each term.
    fn section_frequencies(
        &self,
        py: Python<'_>,
        terms: Vec<Bound<'_, PyString>>,
    ) -> PyResult<Vec<Vec<u32>>> {
        let terms: Vec<Cow<'_, str>> = terms.iter().map(|term| term.to_string_lossy()).collect();
        let terms: Vec<&str> = terms.iter().map(AsRef::as_ref).collect();
        without_gil(py, || {
            postings::section_frequencies(&self.union(), &terms, &self.lookups)
        })?
        .map_err(value_error)
    }

    /// Gives `(score, section, document)` of the best documents, best first.
    #[pyo3(signature = (terms, weights, limit, *, sections = None, kinds = u64::MAX, flags_excluded = 0, k1 = 1.2, b = 0.0, field_b = FIELD_B))]
    #[allow(clippy::too_many_arguments)]
    fn search(
        &self,
        py: Python<'_>,
        terms: Vec<Bound<'_, PyString>>,
        weights: [f64; FIELDS],
        limit: usize,
        sections: Option<Vec<usize>>,
        kinds: u64,
        flags_excluded: u8,
        k1: f64,
        b: f64,
        field_b: [f64; MEASURED.len()],
    ) -> PyResult<Vec<(f64, usize, usize)>> {
        if !weights
            .iter()
            .all(|weight| (0.0..=MAX_WEIGHT).contains(weight))
        {
            return Err(PyValueError::new_err(
                "a weight is not between 0 and 1000000",
            ));
        }
        if !(0.01..=100.0).contains(&k1) {
            return Err(PyValueError::new_err("k1 is not between 0.01 and 100"));
        }
        if !(0.0..=1.0).contains(&b) || !field_b.iter().all(|b| (0.0..=1.0).contains(b)) {
            return Err(PyValueError::new_err("a b is not between 0 and 1"));
        }
        if let Some(section) = sections
            .iter()
            .flatten()
            .find(|&&at| at >= self.sections.len())
        {
            let mounted = self.sections.len();
            return Err(PyValueError::new_err(format!(
                "section {section} is not among the {mounted} mounted"
            )));
        }
        let texts: Vec<Cow<'_, str>> = terms.iter().map(|term| term.to_string_lossy()).collect();
        let mut seen = HashSet::new();
        let terms = texts.iter().map(AsRef::as_ref);
        let terms: Vec<&str> = terms.filter(|&term: &&str| seen.insert(term)).collect();
        let query = Query {
            terms: &terms,
            numbers: Numbers {
                weights,
                k1,
                b,
                field_b,
            },
            limit,
            sections: sections.as_deref(),
            kinds,
            flags_excluded,
        };
        let hits = without_gil(py, || {
            postings::search(&self.union(), &query, &self.lookups)
        })?
        .map_err(value_error)?;
        Ok(hits
            .into_iter()
            .map(|hit| (hit.score, hit.section, hit.document))
            .collect())
    }
}

impl Postings {
    fn union(&self) -> Vec<Section<'_>> {
        self.sections
            .iter()
            .map(|(layout, view)| Section::new(layout, view.bytes()))
            .collect()
    }
}

fn value_error(problem: Malformed) -> PyErr {
    PyValueError::new_err(format!("a postings section is damaged: {}", problem.0))
}
