//! From vectors to the bytes of a section.
#![forbid(unsafe_code)]

use super::code::{self, bounds, nearest};
use super::layout::{HEADER, IDENTITY, ROWS_PER_BLOCK, VERSION, place, row, row_codes};
use super::rotate::{Rotation, WORD, padded};
use super::{MOST_DIMENSIONS, Malformed};

/// The fixed point of a row's scale: 2 to the power of 20 is 1.
pub const SCALE: f64 = 1_048_576.0;

/// The section of `vectors`, 32-bit floats, row after row.
///
/// `marks` are the kind and the flags of each record.
pub fn write(
    vectors: &[[u8; 4]],
    dimensions: usize,
    records: &[[u8; 4]],
    marks: &[[u8; 2]],
    encoder: [u8; IDENTITY],
) -> Result<Vec<u8>, Malformed> {
    if !(1..=MOST_DIMENSIONS).contains(&dimensions) {
        return Err(Malformed("vectors have 1 to 4096 dimensions"));
    }
    if vectors.len() != records.len() * dimensions || marks.len() != records.len() {
        return Err(Malformed(
            "the vectors, the records and their marks are not equally many",
        ));
    }
    if !records.is_sorted_by(|one, next| u32::from_le_bytes(*one) < u32::from_le_bytes(*next)) {
        return Err(Malformed("the records are not in ascending order"));
    }
    let count =
        u32::try_from(records.len()).map_err(|_| Malformed("there are too many vectors"))?;
    let (size, words) = (padded(dimensions), padded(dimensions) / WORD);
    let (rotation, bounds) = (Rotation::new(dimensions), bounds());
    let mut section = Vec::with_capacity(HEADER + records.len() * size);
    for number in [VERSION, u32::try_from(dimensions).unwrap_or(0), count, 0] {
        section.extend(number.to_le_bytes());
    }
    section.extend(encoder);
    section.resize(HEADER, 0);
    let mut signs = vec![0_u64; records.len().div_ceil(ROWS_PER_BLOCK) * words * ROWS_PER_BLOCK];
    let mut codes = vec![0_u8; records.len() * row_codes(size)];
    for (at, vector) in vectors.chunks_exact(dimensions).enumerate() {
        let numbers = vector
            .iter()
            .map(|bytes| f64::from(f32::from_le_bytes(*bytes)));
        let rotated = rotation.of(numbers);
        let (block, lane) = (at / ROWS_PER_BLOCK, at % ROWS_PER_BLOCK);
        let mut along = 0.0;
        for (number, coordinate) in rotated.iter().flatten().enumerate() {
            let magnitude = nearest(*coordinate, &bounds);
            along += coordinate.abs() * f64::from(code::level(i16::from(magnitude)));
            let codes = &mut codes[at * row_codes(size)..];
            let place = place(number, size);
            codes[place % (size / 2)] |= (magnitude & 15) << (4 * (place / (size / 2)));
            codes[size / 2 + number / 8] |= magnitude >> 4 << (number % 8);
            if *coordinate < 0.0 {
                let word = (block * words + number / WORD) * ROWS_PER_BLOCK + lane;
                signs[word] |= 1 << (number % WORD);
            }
        }
        let [kind, flags] = marks[at];
        let record = u32::from_le_bytes(records[at]);
        section.extend(row(record, scale(along, size), kind, flags));
    }
    section.extend(signs.iter().flat_map(|word| word.to_le_bytes()));
    section.extend(codes);
    Ok(section)
}

/// What makes a sum over a vector's levels that over its coordinates; 0 without a direction.
///
/// `along` is the product of the coordinates and their levels: dividing by it makes a vector as
/// near to itself as it is, which plain levels, all a little too short, do not.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // that of a float saturates
#[allow(clippy::cast_precision_loss)] // a size is at most 4096
fn scale(along: f64, size: usize) -> u16 {
    if along > 0.0 {
        (size as f64 / along * SCALE + 0.5) as u16
    } else {
        0
    }
}
