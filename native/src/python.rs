//! The border: Python's values in, Python's values and exceptions out.

pub mod border;
pub mod files;
