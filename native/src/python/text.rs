//! `analyze` and `terms_in`.
#![forbid(unsafe_code)]

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::border::without_gil;
use crate::analyze as analysis;

/// How many terms can be looked for at once.
const MOST_TERMS: usize = 64;

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

/// Gives for each text which of the terms it has: bit `k` for term `k`.
#[pyfunction]
pub fn terms_in(
    py: Python<'_>,
    texts: Vec<Bound<'_, PyString>>,
    terms: Vec<Bound<'_, PyString>>,
) -> PyResult<Vec<u64>> {
    if terms.len() > MOST_TERMS {
        return Err(PyValueError::new_err(
            "there are more than 64 terms to look for",
        ));
    }
    let [texts, terms] = [&texts, &terms].map(|all| {
        let all = all.iter().map(|text| text.to_string_lossy());
        all.collect::<Vec<Cow<'_, str>>>()
    });
    let terms: Vec<&str> = terms.iter().map(AsRef::as_ref).collect();
    without_gil(py, || {
        let texts = texts.iter();
        texts.map(|text| analysis::terms_in(text, &terms)).collect()
    })
}
