//! Where the parts of a section lie.
#![forbid(unsafe_code)]

use super::Malformed;
use super::codec::PAYLOAD;
use super::dictionary::{BLOCK_ENTRY, TERMS_PER_BLOCK};

/// The version of the layout this code reads and writes.
pub const VERSION: u32 = 1;
/// Bytes before the document records.
pub const HEADER: usize = 56;
/// Bytes of one document's record: u16 length, the code of each measured field's, kind, flags.
pub const RECORD: usize = 4 + MEASURED.len();
/// The fields whose lengths are kept: signature, docstring, body.
pub const MEASURED: [usize; 3] = [2, 3, 4];

/// The sizes of a section's parts, checked against its length.
#[derive(Clone, Debug)]
pub struct Layout {
    documents: u32,
    tokens: u64,
    field_tokens: [u64; MEASURED.len()],
    terms: u32,
    text_length: u32,
    postings_length: u32,
    payloads: u32,
}

impl Layout {
    /// Reads the header; this is all that mounting costs, whatever the size.
    pub fn of(section: &[u8]) -> Result<Self, Malformed> {
        let (header, _) = section
            .split_first_chunk::<HEADER>()
            .ok_or(Malformed("is shorter than its header"))?;
        let word = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        if word(0) != VERSION {
            return Err(Malformed("is not of version 1"));
        }
        let layout = Self {
            documents: word(4),
            tokens: long(8),
            field_tokens: [long(32), long(40), long(48)],
            terms: word(16),
            text_length: word(20),
            postings_length: word(24),
            payloads: word(28),
        };
        if layout.length() != section.len() as u64 {
            return Err(Malformed("has parts that do not add up to its length"));
        }
        Ok(layout)
    }

    /// How many documents the section has.
    pub fn documents(&self) -> u32 {
        self.documents
    }

    fn records_length(&self) -> u64 {
        u64::from(self.documents) * RECORD as u64
    }

    fn blocks_length(&self) -> u64 {
        u64::from(self.terms).div_ceil(TERMS_PER_BLOCK as u64) * BLOCK_ENTRY as u64
    }

    fn payloads_length(&self) -> u64 {
        u64::from(self.payloads) * PAYLOAD as u64
    }

    fn length(&self) -> u64 {
        HEADER as u64
            + self.records_length()
            + self.blocks_length()
            + self.payloads_length()
            + u64::from(self.text_length)
            + u64::from(self.postings_length)
    }
}

/// A section's parts.
#[derive(Clone, Copy)]
pub struct Section<'s> {
    /// How many terms it has.
    pub terms: u32,
    /// The sum of all documents' lengths.
    pub tokens: u64,
    /// The sums of the measured fields' lengths.
    pub field_tokens: [u64; MEASURED.len()],
    /// One record a document.
    pub records: &'s [[u8; RECORD]],
    /// One entry a block of terms.
    pub blocks: &'s [[u8; BLOCK_ENTRY]],
    /// How often terms stand in the fields of a document, the most frequent such case first.
    pub payloads: &'s [[u8; PAYLOAD]],
    /// The terms.
    pub text: &'s [u8],
    /// The posting lists.
    pub postings: &'s [u8],
}

impl<'s> Section<'s> {
    /// Cuts the bytes that `layout` was read from; bytes of another length give an empty section.
    pub fn new(layout: &Layout, bytes: &'s [u8]) -> Self {
        let part = |length: u64| usize::try_from(length).unwrap_or(usize::MAX);
        let mut rest = bytes.get(HEADER..).unwrap_or_default();
        let mut cut = |length: usize| {
            let (part, after) = rest.split_at_checked(length).unwrap_or_default();
            rest = after;
            part
        };
        Self {
            terms: layout.terms,
            tokens: layout.tokens,
            field_tokens: layout.field_tokens,
            records: cut(part(layout.records_length())).as_chunks().0,
            blocks: cut(part(layout.blocks_length())).as_chunks().0,
            payloads: cut(part(layout.payloads_length())).as_chunks().0,
            text: cut(part(u64::from(layout.text_length))),
            postings: cut(part(u64::from(layout.postings_length))),
        }
    }
}

/// Makes one document's record.
pub fn record(length: u16, fields: [u16; MEASURED.len()], kind: u8, flags: u8) -> [u8; RECORD] {
    let [low, high] = length.to_le_bytes();
    let [signature, docstring, body] = fields.map(length_code);
    [low, high, signature, docstring, body, kind, flags]
}

/// The tokens of a document, over all fields.
#[inline]
pub fn length(record: [u8; RECORD]) -> u16 {
    u16::from_le_bytes([record[0], record[1]])
}

/// The codes of the measured fields' lengths.
#[inline]
pub fn field_codes(record: [u8; RECORD]) -> [u8; MEASURED.len()] {
    [record[2], record[3], record[4]]
}

/// Where the code of a field's length stands in a record, if it is measured; else any code.
pub fn code_place(field: usize) -> usize {
    2 + MEASURED
        .iter()
        .position(|&measured| measured == field)
        .unwrap_or(0)
}

/// The number of a document's kind.
#[inline]
pub fn kind(record: [u8; RECORD]) -> u8 {
    record[RECORD - 2]
}

/// The bits of a document's flags.
#[inline]
pub fn flags(record: [u8; RECORD]) -> u8 {
    record[RECORD - 1]
}

/// The code of a length in one byte: below 32 itself, above that its five highest bits and where
/// they stand, so that it is at most a sixteenth too low.
fn length_code(length: u16) -> u8 {
    let [low, _] = length.to_le_bytes();
    if length < 32 {
        return low;
    }
    let shift = 11 - length.leading_zeros();
    let [highest, _] = (length >> shift).to_le_bytes();
    // 16 codes for each place; the highest of the five bits is always set.
    let [place, ..] = shift.to_le_bytes();
    place * 16 + highest
}

/// The length that a code stands for, and at least 1.
pub fn coded_length(code: u8) -> u32 {
    match code {
        0 => 1,
        1..32 => u32::from(code),
        _ => (16 + u32::from(code % 16)) << (code / 16 - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{coded_length, length_code};

    #[test]
    fn lengths_are_exact_while_short_and_a_sixteenth_too_low_at_most() {
        let mut last = 0;
        for length in 1..=u16::MAX {
            let code = length_code(length);
            let (coded, length) = (coded_length(code), u32::from(length));
            assert!(code >= last && coded <= length && length - coded <= length / 16);
            assert!(length >= 32 || coded == length);
            last = code;
        }
    }
}
