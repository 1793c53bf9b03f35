//! Texts to vectors: a small BERT encoder whose sums are the same bits on every machine.
//!
//! Weights are 8-bit, one scale a channel; what goes into a matrix is 8-bit, one scale and one
//! offset a token; sums of their products are exact integers. All else is 32-bit floating point,
//! each operation rounded once, in an order that no width of the processor's registers changes. So
//! a text's vector depends neither on the texts beside it, nor on threads, nor on the machine.
#![forbid(unsafe_code)]

mod arithmetic;
mod characters;
mod kernels;
mod layout;
mod model;
mod tokenize;
mod write;

pub use layout::{Header, Layout, Malformed};
pub use model::encode;
pub use tokenize::tokenize;
pub use write::{Tensors, write};
