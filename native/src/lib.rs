//! The Python extension `pydocs_native._core`: only bindings live here.
//!
//! The cores (`walk`, `hash`, …) know no Python; `python` turns their values and errors into
//! Python's, once, at the border.

mod analyze;
mod encode;
mod grep;
mod hash;
mod level;
mod parallel;
mod parse;
mod postings;
mod python;
mod read;
mod records;
mod vectors;
mod walk;

/// Fast paths of pydocs; every function has a pure-Python twin in `pydocs_native._twins`.
#[pyo3::pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::python::encode::{Encoder, write_encoder};
    #[pymodule_export]
    use crate::python::files::{hash_files, read_file, read_files, walk, xxh64};
    #[pymodule_export]
    use crate::python::grep::Grep;
    #[pymodule_export]
    use crate::python::parse::{parse, parse_all};
    #[pymodule_export]
    use crate::python::postings::{Postings, write_postings};
    #[pymodule_export]
    use crate::python::records::RecordFrame;
    #[pymodule_export]
    use crate::python::text::{analyze, terms_in};
    #[pymodule_export]
    use crate::python::vectors::{Vectors, write_vectors};
}
