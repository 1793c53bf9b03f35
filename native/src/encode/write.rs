//! Writing an encoder section from the tensors of a model in 32-bit floating point.
#![forbid(unsafe_code)]
// Sums and sizes become 32-bit numbers.
#![allow(clippy::cast_precision_loss)]

use std::ops::Range;

use crate::level::{GROUP, TILE};

use super::layout::{EMPTY, Header, Layout, LinearPlaces, Malformed, NormPlaces, PROBES, Places};
use super::tokenize::{HASH_START, first_slot, hash};

/// Gives the numbers of a tensor by its name.
pub trait Tensors {
    /// The little-endian 32-bit numbers of a tensor, if there is one of this name.
    fn get(&self, name: &str) -> Option<&[u8]>;
}

/// The section of a model whose tensors have the names that BERT gives them.
///
/// The sizes of the header that follow from the pieces are filled in here.
pub fn write(
    tensors: &impl Tensors,
    pieces: &[&str],
    header: Header,
) -> Result<Vec<u8>, Malformed> {
    let mut header = header;
    header.vocabulary = pieces.len();
    header.piece_bytes = pieces.iter().map(|piece| piece.len()).sum();
    header.slots = (2 * pieces.len()).next_power_of_two();
    header.check()?;
    let places = Places::of(&header);
    let mut section = vec![0; places.end];
    for (bytes, number) in section.as_chunks_mut().0.iter_mut().zip(header.numbers()) {
        *bytes = number.to_le_bytes();
    }
    write_pieces(&mut section, &header, &places, pieces)?;
    let mut writer = Writer {
        tensors,
        section: &mut section,
    };
    writer.embeddings(&header, &places)?;
    for (index, layer) in places.layers.iter().enumerate() {
        let name = |part: &str| format!("encoder.layer.{index}.{part}");
        let parts = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        // Scores are divided by the root of a head's size: the queries are, once and for all.
        let root = 1.0 / ((header.hidden / header.heads) as f32).sqrt();
        let factors = [root, 1.0, 1.0];
        writer.linear(&layer.attention, &parts, &factors)?;
        writer.linear(&layer.output, &[name("attention.output.dense")], &[1.0])?;
        writer.norm(&layer.middle_norm, &name("attention.output.LayerNorm"))?;
        writer.linear(&layer.up, &[name("intermediate.dense")], &[1.0])?;
        writer.linear(&layer.down, &[name("output.dense")], &[1.0])?;
        writer.norm(&layer.norm, &name("output.LayerNorm"))?;
    }
    Layout::of(&section)?;
    Ok(section)
}

fn write_pieces(
    section: &mut [u8],
    header: &Header,
    places: &Places,
    pieces: &[&str],
) -> Result<(), Malformed> {
    section[places.slots.clone()].fill(0xFF);
    let mut end = 0;
    for (token, piece) in pieces.iter().enumerate() {
        let start = places.pieces.start + end;
        section[start..start + piece.len()].copy_from_slice(piece.as_bytes());
        end += piece.len();
        let number = u32::try_from(end).unwrap_or(u32::MAX);
        section[places.ends.clone()].as_chunks_mut().0[token] = number.to_le_bytes();
        let slots = section[places.slots.clone()].as_chunks_mut::<2>().0;
        let mut slot = first_slot(hash(HASH_START, piece.as_bytes()), header.slots);
        let mut probes = 1;
        while u16::from_le_bytes(slots[slot]) != EMPTY {
            slot = (slot + 1) & (header.slots - 1);
            probes += 1;
        }
        if probes > PROBES {
            return Err(Malformed("has too many pieces of one hash".to_owned()));
        }
        slots[slot] = u16::try_from(token).unwrap_or(EMPTY).to_le_bytes();
    }
    Ok(())
}

struct Writer<'w, T> {
    tensors: &'w T,
    section: &'w mut [u8],
}

impl<T: Tensors> Writer<'_, T> {
    fn tensor(&self, name: &str, size: usize) -> Result<Vec<f32>, Malformed> {
        let bytes = self
            .tensors
            .get(name)
            .ok_or_else(|| Malformed(format!("has no tensor {name}")))?;
        let numbers: Vec<f32> = bytes
            .as_chunks()
            .0
            .iter()
            .map(|number| f32::from_le_bytes(*number))
            .collect();
        if numbers.len() < size || bytes.len() % 4 != 0 {
            return Err(Malformed(format!("has a tensor {name} of another size")));
        }
        if numbers.iter().all(|number| number.is_finite()) {
            Ok(numbers)
        } else {
            Err(Malformed(format!("has a tensor {name} that is not finite")))
        }
    }

    fn floats(&mut self, place: Range<usize>, numbers: &[f32]) {
        for (bytes, number) in self.section[place]
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(numbers)
        {
            *bytes = number.to_le_bytes();
        }
    }

    fn embeddings(&mut self, header: &Header, places: &Places) -> Result<(), Malformed> {
        let (hidden, vocabulary) = (header.hidden, header.vocabulary);
        let words = self.tensor("embeddings.word_embeddings.weight", vocabulary * hidden)?;
        let mut scales = Vec::with_capacity(vocabulary);
        let into = self.section[places.words.clone()].chunks_exact_mut(hidden);
        for (row, into) in words.chunks_exact(hidden).zip(into) {
            scales.push(quantise(row, into));
        }
        self.floats(places.word_scales.clone(), &scales);
        let size = header.positions * hidden;
        let mut positions = self.tensor("embeddings.position_embeddings.weight", size)?;
        positions.truncate(size);
        let types = self.tensor("embeddings.token_type_embeddings.weight", hidden)?;
        for row in positions.chunks_exact_mut(hidden) {
            for (number, kind) in row.iter_mut().zip(&types) {
                *number += kind;
            }
        }
        self.floats(places.positions.clone(), &positions);
        self.norm(&places.norm, "embeddings.LayerNorm")
    }

    fn norm(&mut self, at: &NormPlaces, name: &str) -> Result<(), Malformed> {
        let size = at.gains.len() / 4;
        let gains = self.tensor(&format!("{name}.weight"), size)?;
        let shifts = self.tensor(&format!("{name}.bias"), size)?;
        self.floats(at.gains.clone(), &gains);
        self.floats(at.shifts.clone(), &shifts);
        Ok(())
    }

    /// Writes matrices that take the same rows as one, each times its factor.
    fn linear(
        &mut self,
        at: &LinearPlaces,
        names: &[String],
        factors: &[f32],
    ) -> Result<(), Malformed> {
        let (inputs, each) = (at.inputs, at.outputs / names.len());
        let (mut scales, mut offsets, mut biases) = (Vec::new(), Vec::new(), Vec::new());
        let mut codes = vec![0; inputs];
        for (name, factor) in names.iter().zip(factors) {
            let weights = self.tensor(&format!("{name}.weight"), inputs * each)?;
            for row in weights.chunks_exact(inputs).take(each) {
                let scale = quantise(row, &mut codes) * factor;
                let sum: i32 = codes.iter().map(|code| i32::from(code.cast_signed())).sum();
                let (tile, channel) = (scales.len() / TILE, scales.len() % TILE);
                let start = at.tiles.start + tile * TILE * inputs + channel * GROUP;
                for (group, codes) in codes.as_chunks::<GROUP>().0.iter().enumerate() {
                    let place = start + group * TILE * GROUP;
                    self.section[place..place + GROUP].copy_from_slice(codes);
                }
                scales.push(scale);
                offsets.push(scale * sum as f32);
            }
            let bias = self.tensor(&format!("{name}.bias"), each)?;
            biases.extend(bias.iter().take(each).map(|number| number * factor));
        }
        self.floats(at.scales.clone(), &scales);
        self.floats(at.offsets.clone(), &offsets);
        self.floats(at.biases.clone(), &biases);
        Ok(())
    }
}

/// Writes numbers as codes from -127 to 127, and gives what one of them is worth.
fn quantise(numbers: &[f32], codes: &mut [u8]) -> f32 {
    let most = numbers
        .iter()
        .fold(0.0, |most: f32, number| most.max(number.abs()));
    let scale = most / 127.0;
    for (code, number) in codes.iter_mut().zip(numbers) {
        let rounded = if scale > 0.0 {
            (number / scale).round_ties_even()
        } else {
            0.0
        };
        // From -127 to 127, as no number is larger than the largest.
        #[allow(clippy::cast_possible_truncation)]
        let rounded = rounded as i8;
        *code = rounded.cast_unsigned();
    }
    scale
}
