//! The Python extension `pydocs_native._core`: only bindings live here.

use pyo3::prelude::*;

/// Fast paths of pydocs; every function has a pure-Python twin in `pydocs_native._twins`.
#[pymodule(gil_used = false)]
mod _core {}
