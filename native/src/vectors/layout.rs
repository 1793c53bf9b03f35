//! Where the parts of a section lie.
#![forbid(unsafe_code)]

use super::rotate::{WORD, padded};
use super::{MOST_DIMENSIONS, Malformed};

/// The version of the layout this code reads and writes.
pub const VERSION: u32 = 1;
/// Bytes before the rows.
pub const HEADER: usize = 64;
/// Bytes of a row: u32 record, u16 scale, kind, flags.
pub const ROW: usize = 8;
/// Bytes of an encoder's identity.
pub const IDENTITY: usize = 32;
/// How many rows have their signs side by side.
pub const ROWS_PER_BLOCK: usize = 8;
/// Eight words, one of each row of a block.
pub type Words = [[u8; 8]; ROWS_PER_BLOCK];

/// The sizes of a section's parts, checked against its length.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Of the vectors as they were.
    pub dimensions: usize,
    /// How many vectors there are.
    pub rows: usize,
    /// SHA-256 of what made them.
    pub encoder: [u8; IDENTITY],
    /// Whether all kinds are below 64, so that a filter can name them.
    pub has_known_kinds: bool,
}

impl Layout {
    /// Reads the header and the records' numbers.
    pub fn of(section: &[u8]) -> Result<Self, Malformed> {
        let (header, rest) = section
            .split_first_chunk::<HEADER>()
            .ok_or(Malformed("is shorter than its header"))?;
        let number = |at: usize| {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(&header[at..at + 4]);
            u32::from_le_bytes(bytes)
        };
        if number(0) != VERSION {
            return Err(Malformed("is not of version 1"));
        }
        let dimensions = usize::try_from(number(4)).unwrap_or(usize::MAX);
        if !(1..=MOST_DIMENSIONS).contains(&dimensions) {
            return Err(Malformed(
                "has vectors of no dimension, or of more than 4096",
            ));
        }
        let rows = usize::try_from(number(8)).unwrap_or(usize::MAX);
        let mut encoder = [0; IDENTITY];
        encoder.copy_from_slice(&header[16..16 + IDENTITY]);
        if number(12) != 0 || header[16 + IDENTITY..].iter().any(|byte| *byte != 0) {
            return Err(Malformed("has something where zeros belong"));
        }
        let mut layout = Self {
            dimensions,
            rows,
            encoder,
            has_known_kinds: true,
        };
        let wanted = u64::from(number(8)) * (ROW + layout.row_codes()) as u64
            + u64::from(number(8)).div_ceil(ROWS_PER_BLOCK as u64) * layout.block_signs() as u64;
        if wanted != rest.len() as u64 {
            return Err(Malformed("has parts that do not add up to its length"));
        }
        let parts = Section::new(&layout, section);
        if !parts
            .rows
            .is_sorted_by(|one, next| record(*one) < record(*next))
        {
            return Err(Malformed("has records that are not in ascending order"));
        }
        layout.has_known_kinds = parts
            .rows
            .iter()
            .all(|row| u32::from(kind(*row)) < u64::BITS);
        Ok(layout)
    }

    /// How many words the signs of one vector take.
    pub fn words(&self) -> usize {
        padded(self.dimensions) / WORD
    }

    /// Bytes of the magnitudes of one vector.
    pub fn row_codes(&self) -> usize {
        row_codes(padded(self.dimensions))
    }

    fn block_signs(&self) -> usize {
        self.words() * size_of::<Words>()
    }
}

/// A section's parts.
#[derive(Clone, Copy)]
pub struct Section<'s> {
    /// One a vector.
    pub rows: &'s [[u8; ROW]],
    /// For each block of eight rows its words, and for each word those of the rows.
    pub signs: &'s [Words],
    /// The magnitudes, row by row: their low four bits in the order of [`place`], two a byte, the
    /// low half of a byte being of the first half, then their fifth bits in their own order.
    pub codes: &'s [u8],
}

impl<'s> Section<'s> {
    /// Cuts the bytes that `layout` was read from; bytes of another length give an empty section.
    pub fn new(layout: &Layout, bytes: &'s [u8]) -> Self {
        let mut rest = bytes.get(HEADER..).unwrap_or_default();
        let mut cut = |length: usize| {
            let (part, after) = rest.split_at_checked(length).unwrap_or_default();
            rest = after;
            part
        };
        let rows = cut(layout.rows * ROW);
        let signs = cut(layout.rows.div_ceil(ROWS_PER_BLOCK) * layout.block_signs());
        Self {
            rows: rows.as_chunks().0,
            signs: signs.as_chunks().0.as_chunks().0,
            codes: cut(layout.rows * layout.row_codes()),
        }
    }

    /// Each vector's record, with the number of its kind and the bits of its flags.
    pub fn marks(&self) -> impl Iterator<Item = (u32, u8, u8)> {
        self.rows
            .iter()
            .map(|row| (record(*row), kind(*row), flags(*row)))
    }

    /// The row of a record's vector.
    pub fn find(&self, wanted: u32) -> Option<usize> {
        self.rows
            .binary_search_by_key(&wanted, |row| record(*row))
            .ok()
    }
}

/// Where a coordinate of so many stands among low bits, and in a query that is multiplied.
pub fn place(coordinate: usize, size: usize) -> usize {
    coordinate % 8 * (size / 8) + coordinate / 8
}

/// Bytes of five bits for each of so many coordinates.
pub fn row_codes(size: usize) -> usize {
    size / 2 + size / 8
}

/// Makes a row.
pub fn row(record: u32, scale: u16, kind: u8, flags: u8) -> [u8; ROW] {
    let [a, b, c, d] = record.to_le_bytes();
    let [low, high] = scale.to_le_bytes();
    [a, b, c, d, low, high, kind, flags]
}

/// The record that a row's vector is of.
pub fn record(row: [u8; ROW]) -> u32 {
    u32::from_le_bytes([row[0], row[1], row[2], row[3]])
}

/// What a row's sums are multiplied by.
pub fn scale(row: [u8; ROW]) -> u16 {
    u16::from_le_bytes([row[4], row[5]])
}

/// The number of the record's kind.
pub fn kind(row: [u8; ROW]) -> u8 {
    row[6]
}

/// The bits of the record's flags.
pub fn flags(row: [u8; ROW]) -> u8 {
    row[7]
}
