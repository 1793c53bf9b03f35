//! Numbers and postings as bytes.
//!
//! A posting is the distance from the document before it and what the term does there, in one
//! number: `distance << 3 | code`. The codes are the payloads that make up nine tenths of all
//! postings in real packages; code 7 is followed by a mask of fields and their counts.
#![forbid(unsafe_code)]

use super::{FIELDS, Malformed};

/// Codes below this are the term once to four times in the body and nowhere else.
const BODY_CODES: u32 = 4;
const NAME_AND_PATH: u32 = 4;
const DOCSTRING_AND_BODY: u32 = 5;
const BODY_OFTEN: u32 = 6;
const GENERAL: u32 = 7;
/// In the mask of fields: each of them has the term once.
const ALL_ONCE: u8 = 0x80;

const QUALIFIED_NAME: usize = 1;
const DOCSTRING: usize = 3;
const BODY: usize = 4;
const PATH: usize = 5;

/// How often a term stands in each field of one document.
pub type Counts = [u32; FIELDS];

/// Appends `value`, seven bits a byte, lowest first.
pub fn put_number(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Appends the posting of a document `distance` documents after the one that could come next.
pub fn put_posting(out: &mut Vec<u8>, distance: u32, counts: &Counts) {
    let code = code_of(counts);
    put_number(out, distance << 3 | code);
    if code == BODY_OFTEN {
        put_number(out, counts[BODY] - BODY_CODES - 1);
    }
    if code != GENERAL {
        return;
    }
    let mask = (0..FIELDS)
        .filter(|&field| counts[field] > 0)
        .fold(0, |mask, field| mask | 1_u8 << field);
    if counts.iter().all(|&count| count <= 1) {
        out.push(mask | ALL_ONCE);
        return;
    }
    out.push(mask);
    for &count in counts.iter().filter(|&&count| count > 0) {
        put_number(out, count - 1);
    }
}

fn code_of(counts: &Counts) -> u32 {
    match *counts {
        [0, 0, 0, 0, body, 0, 0] if body > BODY_CODES => BODY_OFTEN,
        [0, 0, 0, 0, body, 0, 0] if body > 0 => body - 1,
        [0, 1, 0, 0, 0, 1, 0] => NAME_AND_PATH,
        [0, 0, 0, 1, 1, 0, 0] => DOCSTRING_AND_BODY,
        _ => GENERAL,
    }
}

/// A place in bytes that are read from front to back.
#[derive(Clone)]
pub struct Cursor<'b> {
    bytes: &'b [u8],
}

impl<'b> Cursor<'b> {
    /// Begins at the front of `bytes`.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }

    /// Nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The next byte.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self.bytes.split_first().ok_or(CUT)?;
        self.bytes = rest;
        Ok(first)
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'b [u8], Malformed> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(CUT)?;
        self.bytes = rest;
        Ok(taken)
    }

    /// The next number, as `put_number` wrote it.
    #[inline]
    pub fn number(&mut self) -> Result<u32, Malformed> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u32::from(first));
        }
        let mut value = u64::from(first & 0x7F);
        for shift in [7, 14, 21, 28] {
            let next = self.byte()?;
            value |= u64::from(next & 0x7F) << shift;
            if next < 0x80 {
                return u32::try_from(value).map_err(|_| TOO_LARGE);
            }
        }
        Err(TOO_LARGE)
    }
}

const CUT: Malformed = Malformed("a list ends in the middle of an item");
const TOO_LARGE: Malformed = Malformed("a number does not fit 32 bits");

/// The weights of the fields, and what they make of the payloads that have a code.
pub struct Weights {
    fields: [f64; FIELDS],
    coded: [f64; 6],
}

impl Weights {
    /// Prepares the weights of the seven fields.
    pub fn new(fields: [f64; FIELDS]) -> Self {
        let body = fields[BODY];
        let coded = [
            body,
            body * 2.0,
            body * 3.0,
            body * 4.0,
            fields[QUALIFIED_NAME] + fields[PATH],
            fields[DOCSTRING] + body,
        ];
        Self { fields, coded }
    }

    /// Reads one posting: the distance, and the weighted count of the term.
    ///
    /// Sums run in the order of the fields: the same bits on every machine.
    #[inline]
    pub fn posting(&self, cursor: &mut Cursor<'_>) -> Result<(u32, f64), Malformed> {
        let number = cursor.number()?;
        let distance = number >> 3;
        let code = number & 7;
        if let Some(&count) = self.coded.get(code as usize) {
            return Ok((distance, count));
        }
        if code == BODY_OFTEN {
            let count = f64::from(cursor.number()?) + f64::from(BODY_CODES + 1);
            return Ok((distance, self.fields[BODY] * count));
        }
        let mask = cursor.byte()?;
        let mut sum = 0.0;
        for (field, weight) in self.fields.iter().enumerate() {
            if mask >> field & 1 == 1 {
                let extra = if mask & ALL_ONCE == 0 {
                    cursor.number()?
                } else {
                    0
                };
                sum += weight * (f64::from(extra) + 1.0);
            }
        }
        Ok((distance, sum))
    }
}
