//! `analyze`.
#![forbid(unsafe_code)]

use pyo3::prelude::*;
use pyo3::types::PyString;

use super::border::without_gil;
use crate::analyze as analysis;

/// Gives the tokens of `text`, in order.
#[pyfunction]
pub fn analyze(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Vec<String>> {
    // Lone surrogates become U+FFFD, which separates words as they do.
    let text = text.to_string_lossy();
    without_gil(py, || {
        let mut tokens = Vec::new();
        analysis::analyze(&text, &mut |token| tokens.push(token.to_owned()));
        tokens
    })
}
