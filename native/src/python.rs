//! The border: Python's values in, Python's values and exceptions out.

pub mod border;
pub mod files;
pub mod grep;
pub mod parse;
pub mod postings;
pub mod text;
mod view;
