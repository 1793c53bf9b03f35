//! `Grep`.
#![forbid(unsafe_code)]

use std::time::Duration;

use pyo3::exceptions::{PyTimeoutError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyString;

use super::border::without_gil;
use crate::grep::{self, GivenUp, Options};

/// Characters of the longest pattern.
const MAX_PATTERN: usize = 10_000;

/// A compiled pattern, to be searched for in many texts.
#[pyclass(frozen, module = "pydocs_native._core")]
pub struct Grep {
    grep: grep::Grep,
    deadline_ms: u64,
}

#[pymethods]
impl Grep {
    #[new]
    #[pyo3(signature = (pattern, *, ignore_case = false, multiline = false, deadline_ms = 2000))]
    fn new(
        py: Python<'_>,
        pattern: &Bound<'_, PyString>,
        ignore_case: bool,
        multiline: bool,
        deadline_ms: u64,
    ) -> PyResult<Self> {
        let pattern = pattern.to_string_lossy();
        if pattern.chars().nth(MAX_PATTERN).is_some() {
            return Err(bad_pattern(&format!(
                "it is longer than {MAX_PATTERN} characters"
            )));
        }
        let options = Options {
            ignore_case,
            multiline,
        };
        without_gil(py, || grep::Grep::new(&pattern, options))?
            .map(|grep| Self { grep, deadline_ms })
            .map_err(|problem| bad_pattern(&problem))
    }

    /// Gives `(text, start, end)` of the first `limit` matches, in bytes.
    fn search(
        &self,
        py: Python<'_>,
        texts: Vec<PyBackedBytes>,
        limit: usize,
    ) -> PyResult<Vec<(usize, usize, usize)>> {
        let allowed = Duration::from_millis(self.deadline_ms);
        let found = without_gil(py, || {
            let texts: Vec<&[u8]> = texts.iter().map(AsRef::as_ref).collect();
            self.grep.search(&texts, limit, allowed)
        })?;
        match found {
            Ok(matches) => Ok(matches
                .iter()
                .map(|at| (at.text, at.start, at.end))
                .collect()),
            Err(GivenUp::Deadline) => Err(PyTimeoutError::new_err(format!(
                "The search was stopped after {} ms; use a simpler pattern or fewer files.",
                self.deadline_ms
            ))),
            Err(GivenUp::Backtracking) => Err(PyTimeoutError::new_err(
                "The search was stopped because the pattern backtracks without end; \
                 use one without nested repetition.",
            )),
        }
    }
}

fn bad_pattern(problem: &str) -> PyErr {
    PyValueError::new_err(format!("The pattern is no regular expression: {problem}."))
}
