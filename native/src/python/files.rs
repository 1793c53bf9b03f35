//! `walk`, `xxh64`, `hash_files`, `read_file`, `read_files`.
#![forbid(unsafe_code)]

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use super::border::without_gil;
use crate::read::Failure;
use crate::{hash, read, walk as walking};

/// Lists the regular files below `root` and what could not be looked at.
#[pyfunction]
#[pyo3(signature = (root, excluded = Vec::new()), text_signature = "(root, excluded=())")]
pub fn walk(
    py: Python<'_>,
    root: PathBuf,
    excluded: Vec<OsString>,
) -> PyResult<(Bound<'_, PyList>, Bound<'_, PyList>)> {
    let (files, problems) = without_gil(py, || {
        let excluded: HashSet<&OsStr> = excluded.iter().map(OsString::as_os_str).collect();
        walking::walk(&root, &excluded)
    })?;
    let class = py.import("pydocs_native.records")?.getattr("WalkedFile")?;
    let listed = PyList::empty(py);
    for file in files {
        listed.append(class.call1((path_text(py, &file.path)?, file.size))?)?;
    }
    let unread = PyList::empty(py);
    for problem in problems {
        unread.append((path_text(py, &problem.path)?, reason(py, &problem.error)?))?;
    }
    Ok((listed, unread))
}

/// Gives XXH64 (seed 0) of `data`.
#[pyfunction]
pub fn xxh64(py: Python<'_>, data: &[u8]) -> PyResult<u64> {
    without_gil(py, || hash::xxh64(data))
}

/// Hashes files in parallel; None where one cannot be read.
#[pyfunction]
pub fn hash_files(
    py: Python<'_>,
    root: PathBuf,
    paths: Vec<PathBuf>,
) -> PyResult<Vec<Option<u64>>> {
    without_gil(py, || hash::hash_files(&joined(&root, &paths)))
}

/// Gives a file's bytes; raises `OSError` as `open` would, `ValueError` over the bound.
#[pyfunction]
pub fn read_file(py: Python<'_>, path: PathBuf, max_bytes: u64) -> PyResult<Bound<'_, PyBytes>> {
    match without_gil(py, || read::read_file(&path, max_bytes))? {
        Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
        Err(Failure::System(error)) => Err(with_path(py, &error, &path)?),
        Err(failure) => Err(PyValueError::new_err(format!(
            "{}: {}.",
            path.display(),
            clause(py, failure, max_bytes)?
        ))),
    }
}

/// Reads files in parallel; a clause that says why where one cannot be read.
#[pyfunction]
pub fn read_files(
    py: Python<'_>,
    root: PathBuf,
    paths: Vec<PathBuf>,
    max_bytes: u64,
) -> PyResult<Bound<'_, PyList>> {
    let read = without_gil(py, || read::read_files(&joined(&root, &paths), max_bytes))?;
    let list = PyList::empty(py);
    for result in read {
        match result {
            Ok(bytes) => list.append(PyBytes::new(py, &bytes))?,
            Err(failure) => list.append(clause(py, failure, max_bytes)?)?,
        }
    }
    Ok(list)
}

fn joined(root: &Path, paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().map(|path| root.join(path)).collect()
}

/// A path's bytes as `os.fsdecode` gives them.
fn path_text<'py>(py: Python<'py>, path: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    match std::str::from_utf8(path) {
        Ok(text) => Ok(PyString::new(py, text).into_any()),
        Err(_) => py
            .import("os")?
            .call_method1("fsdecode", (PyBytes::new(py, path),)),
    }
}

fn clause(py: Python<'_>, failure: Failure, max_bytes: u64) -> PyResult<String> {
    Ok(match failure {
        Failure::System(error) => reason(py, &error)?,
        Failure::Irregular => "not a regular file".to_owned(),
        Failure::TooLarge => format!("larger than {max_bytes} bytes"),
    })
}

/// The system's reason in Python's words ("Permission denied"), without the path.
fn reason(py: Python<'_>, error: &io::Error) -> PyResult<String> {
    match error.raw_os_error() {
        Some(number) => py
            .import("os")?
            .call_method1("strerror", (number,))?
            .extract(),
        None => Ok(error.to_string()),
    }
}

/// The `OSError` (of the subclass its number asks for) that names the file.
fn with_path(py: Python<'_>, error: &io::Error, path: &Path) -> PyResult<PyErr> {
    Ok(PyOSError::new_err((
        error.raw_os_error(),
        reason(py, error)?,
        path.as_os_str().to_owned(),
    )))
}
