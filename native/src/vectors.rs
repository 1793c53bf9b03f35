//! The `TQ` section: vectors in six bits a coordinate, searched in two steps.
//!
//! A vector is rotated (`rotate`), so that its coordinates look like draws from a normal
//! distribution whatever it was, and each is rounded to the nearest of 64 levels (`code`):
//! `TurboQuant`, arXiv 2504.19874, the quantiser for the mean squared error. A search compares signs
//! first, 48 bytes a vector of 384 dimensions, and reads the rest of the nearest ones alone
//! (`search`). All that decides an order is a sum of integers, so it is the same on every machine.
//! Bytes are hostile: `layout` checks a section's length, and no number in it is followed further.
#![forbid(unsafe_code)]

mod code;
mod kernels;
mod layout;
mod rotate;
mod search;
mod write;

pub use layout::{Layout, Section};
pub use search::{Filter, Mounted, Query, scores, search};
pub use write::write;

/// The most dimensions a vector may have.
pub const MOST_DIMENSIONS: usize = 4096;

/// What is wrong with a section or with vectors, as a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);
