//! What every binding needs: work without the GIL, and errors and panics as exceptions.
#![forbid(unsafe_code)]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Runs `work` with the GIL released; a panic inside becomes a `RuntimeError`.
///
/// Without this a panic would be a `PanicException`, which no `except Exception` catches.
pub fn without_gil<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work)))
        .map_err(|panic| internal_error(panic.as_ref()))
}

fn internal_error(panic: &(dyn Any + Send)) -> PyErr {
    let reason = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".to_owned());
    PyRuntimeError::new_err(format!(
        "pydocs_native failed on this input ({reason}); please report it with the input."
    ))
}
