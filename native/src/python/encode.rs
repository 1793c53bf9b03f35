//! `write_encoder` and `Encoder`.
#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::collections::HashMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::border::without_gil;
use super::view::View;
use crate::encode::{self, Header, Layout, Malformed, Tensors};

impl Tensors for HashMap<String, View> {
    fn get(&self, name: &str) -> Option<&[u8]> {
        HashMap::get(self, name).map(View::bytes)
    }
}

/// Writes the encoder section of a BERT model.
#[pyfunction]
#[pyo3(signature = (tensors, pieces, *, layers, heads, positions, special, word_characters = 100, epsilon = 1e-12, is_first = false))]
#[allow(clippy::too_many_arguments)]
pub fn write_encoder(
    py: Python<'_>,
    tensors: HashMap<String, Bound<'_, PyAny>>,
    pieces: Vec<String>,
    layers: usize,
    heads: usize,
    positions: usize,
    special: [usize; 5],
    word_characters: usize,
    epsilon: f32,
    is_first: bool,
) -> PyResult<Cow<'static, [u8]>> {
    let views: HashMap<String, View> = tensors
        .into_iter()
        .map(|(name, tensor)| Ok((name, View::new(&tensor)?)))
        .collect::<PyResult<_>>()?;
    let size = |name: &str| views.get(name).map_or(0, |view| view.bytes().len() / 4);
    let header = Header {
        hidden: size("embeddings.LayerNorm.weight"),
        layers,
        heads,
        intermediate: size("encoder.layer.0.intermediate.dense.bias"),
        positions,
        vocabulary: 0,
        piece_bytes: 0,
        slots: 0,
        special,
        word_characters,
        epsilon,
        is_first,
    };
    let pieces: Vec<&str> = pieces.iter().map(AsRef::as_ref).collect();
    without_gil(py, || encode::write(&views, &pieces, header))?
        .map(Cow::Owned)
        .map_err(value_error)
}

/// A model that turns texts into vectors, read where it lies.
#[pyclass(frozen, module = "pydocs_native._core")]
pub struct Encoder {
    layout: Layout,
    view: View,
}

#[pymethods]
impl Encoder {
    #[new]
    fn new(model: &Bound<'_, PyAny>) -> PyResult<Self> {
        let view = View::new(model)?;
        let layout = Layout::of(view.bytes()).map_err(value_error)?;
        Ok(Self { layout, view })
    }

    /// How many numbers a vector has.
    #[getter]
    fn dimensions(&self) -> usize {
        self.layout.header.hidden
    }

    /// Gives the tokens of a text, start and end included.
    fn tokenize(&self, py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Vec<u16>> {
        let text = text.to_string_lossy();
        without_gil(py, || {
            encode::tokenize(self.view.bytes(), &self.layout, &text)
        })
    }

    /// Gives the vectors of texts as little-endian 32-bit floating point, one behind the other.
    fn encode<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<Bound<'py, PyString>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let texts: Vec<Cow<'_, str>> = texts.iter().map(|text| text.to_string_lossy()).collect();
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        let bytes: Vec<u8> = without_gil(py, || {
            encode::encode(self.view.bytes(), &self.layout, &texts)
                .into_iter()
                .flat_map(f32::to_le_bytes)
                .collect()
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}

fn value_error(problem: Malformed) -> PyErr {
    PyValueError::new_err(format!("the encoder section {}", problem.0))
}
