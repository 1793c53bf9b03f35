//! The `PXI` section: which terms stand in which documents, how often, in which field.
//!
//! `layout` finds the parts of a section, `dictionary` its terms, `codec` its postings; `write`
//! makes a section from texts; `search` ranks the union of many by `score`. Bytes are hostile: every
//! read is checked, nothing is allocated by a number that the section's length does not bear out.
#![forbid(unsafe_code)]

mod codec;
mod dictionary;
mod layout;
mod lookups;
mod score;
mod search;
mod write;

pub use layout::{Layout, MEASURED, Section};
pub use lookups::Lookups;
pub use score::Numbers;
pub use search::{Query, frequencies, search, section_frequencies};
pub use write::write;

/// The fields of a document: name, qualified name, signature, docstring, body, path, heading.
pub const FIELDS: usize = 7;

/// What is wrong with a section, as a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);
