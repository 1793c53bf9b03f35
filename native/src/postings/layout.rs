//! Where the parts of a section lie.
#![forbid(unsafe_code)]

use super::Malformed;
use super::codec::PAYLOAD;
use super::dictionary::{BLOCK_ENTRY, TERMS_PER_BLOCK};

/// The version of the layout this code reads and writes.
pub const VERSION: u32 = 1;
/// Bytes before the document records.
pub const HEADER: usize = 32;
/// Bytes of one document's record: u16 length, kind, flags.
pub const RECORD: usize = 4;

/// The sizes of a section's parts, checked against its length.
#[derive(Clone, Debug)]
pub struct Layout {
    documents: u32,
    tokens: u64,
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
        if word(0) != VERSION {
            return Err(Malformed("is not of version 1"));
        }
        let layout = Self {
            documents: word(4),
            tokens: u64::from(word(8)) | u64::from(word(12)) << 32,
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
            records: cut(part(layout.records_length())).as_chunks().0,
            blocks: cut(part(layout.blocks_length())).as_chunks().0,
            payloads: cut(part(layout.payloads_length())).as_chunks().0,
            text: cut(part(u64::from(layout.text_length))),
            postings: cut(part(u64::from(layout.postings_length))),
        }
    }
}

/// Makes one document's record.
pub fn record(length: u16, kind: u8, flags: u8) -> [u8; RECORD] {
    let [low, high] = length.to_le_bytes();
    [low, high, kind, flags]
}

/// The tokens of a document, over all fields.
#[inline]
pub fn length(record: [u8; RECORD]) -> u16 {
    u16::from_le_bytes([record[0], record[1]])
}

/// The number of a document's kind.
pub fn kind(record: [u8; RECORD]) -> u8 {
    record[RECORD - 2]
}

/// The bits of a document's flags.
pub fn flags(record: [u8; RECORD]) -> u8 {
    record[RECORD - 1]
}
