//! `Grep`.
#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyTimeoutError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyString;

use super::border::without_gil;
use crate::grep::{self, GivenUp, Options};

/// Characters of the longest pattern.
const MAX_PATTERN: usize = 10_000;

type FoundLines = (Vec<(usize, usize, Vec<usize>)>, usize, bool);

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

    /// Gives `(text, lines, numbers of the first of them)` of the texts with matches, how many
    /// texts were searched, and whether the one behind those was given up.
    fn lines(
        &self,
        py: Python<'_>,
        pieces: Vec<PyBackedBytes>,
        spans: Vec<(usize, usize)>,
        most: usize,
        allowed_ms: u64,
    ) -> PyResult<FoundLines> {
        let allowed = Duration::from_millis(allowed_ms);
        let each = Duration::from_millis(self.deadline_ms);
        without_gil(py, || {
            let joined = Joined::new(pieces.iter().map(AsRef::as_ref).collect());
            let texts: Option<Vec<_>> = spans
                .iter()
                .map(|&(start, end)| joined.slice(start, end))
                .collect();
            let stop_at = Instant::now() + allowed;
            let mut found = Vec::new();
            for (index, text) in texts?.iter().enumerate() {
                if Instant::now() >= stop_at {
                    return Some((found, index, false));
                }
                match self.grep.lines(text, most, each) {
                    Ok(lines) if lines.count == 0 => {}
                    Ok(lines) => found.push((index, lines.count, lines.first)),
                    Err(_) => return Some((found, index, true)),
                }
            }
            Some((found, spans.len(), false))
        })?
        .ok_or_else(|| PyValueError::new_err("a span lies outside the pieces"))
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

/// Pieces of one text, joined only where a slice crosses their borders.
struct Joined<'p> {
    pieces: Vec<&'p [u8]>,
    ends: Vec<usize>,
}

impl<'p> Joined<'p> {
    fn new(pieces: Vec<&'p [u8]>) -> Self {
        let mut end = 0;
        let ends = pieces
            .iter()
            .map(|piece| {
                end += piece.len();
                end
            })
            .collect();
        Self { pieces, ends }
    }

    fn slice(&self, start: usize, end: usize) -> Option<Cow<'p, [u8]>> {
        let length = self.ends.last().copied().unwrap_or_default();
        if start > end || end > length {
            return None;
        }
        let first = self.ends.partition_point(|&piece_end| piece_end <= start);
        let mut parts = Vec::new();
        for (piece, piece_end) in self.pieces.iter().zip(&self.ends).skip(first) {
            let origin = piece_end - piece.len();
            if origin >= end {
                break;
            }
            parts.push(&piece[start.saturating_sub(origin)..piece.len().min(end - origin)]);
        }
        Some(match parts.as_slice() {
            [part] => Cow::Borrowed(*part),
            parts => Cow::Owned(parts.concat()),
        })
    }
}
