//! The only unsafe code of the bindings: a Python buffer's bytes, readable while the GIL is released.

#![allow(unsafe_code)]

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Read-only bytes that a Python object lends for as long as this lives.
pub struct View {
    buffer: PyBuffer<u8>,
}

impl View {
    /// Borrows from `object`: bytes, or a memoryview of them or of a map opened for reading.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let buffer = PyBuffer::get(object)?;
        if !buffer.readonly() {
            return Err(PyTypeError::new_err(
                "memory that can be written to cannot be searched",
            ));
        }
        if !buffer.is_c_contiguous() {
            return Err(PyValueError::new_err(
                "memory that is not in one piece cannot be searched",
            ));
        }
        Ok(Self { buffer })
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        let length = self.buffer.len_bytes();
        if length == 0 {
            return &[];
        }
        // SAFETY: the exporter keeps these bytes in place until the buffer is released, which
        // needs `self` to be dropped; `new` has checked that they are in one piece and that the
        // exporter calls them read-only. Should another process shorten or change a mapped file
        // all the same, that is what the hashes and the reader's checks of every place are for.
        unsafe { std::slice::from_raw_parts(self.buffer.buf_ptr().cast::<u8>(), length) }
    }
}
