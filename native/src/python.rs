//! The border: Python's values in, Python's values and exceptions out.

// PyO3 hands arguments over by value.
#![allow(clippy::needless_pass_by_value)]

pub mod border;
pub mod encode;
pub mod files;
pub mod grep;
pub mod parse;
pub mod postings;
pub mod records;
pub mod text;
pub mod vectors;
mod view;
