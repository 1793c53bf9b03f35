//! The terms of a section, sorted by their bytes, sixteen to a block.
//!
//! A block's entry in the table holds the first eight bytes of its first term as a number, so
//! that the search for a block touches only the table; inside a block each term is written as
//! what differs from the one before.
#![forbid(unsafe_code)]

use super::Malformed;
use super::codec::{Cursor, put_number};
use super::layout::Section;

/// Terms in each block but the last.
pub const TERMS_PER_BLOCK: usize = 16;
/// Bytes of a block's entry: key, place of its text, place of its postings.
pub const BLOCK_ENTRY: usize = 16;
/// A nibble that says the number goes on in bytes of its own.
const MORE: usize = 15;

/// A term's posting list.
pub struct List<'s> {
    /// In how many documents the term stands.
    pub frequency: u32,
    /// The postings of those.
    pub postings: &'s [u8],
}

/// Collects terms in their order.
#[derive(Default)]
pub struct Dictionary {
    /// The table of blocks.
    pub blocks: Vec<u8>,
    /// The terms.
    pub text: Vec<u8>,
    /// How many there are.
    pub terms: usize,
    last: Vec<u8>,
}

impl Dictionary {
    /// Adds a term whose postings are the `length` bytes from `start`.
    ///
    /// Gives None where the section outgrows its 32-bit places.
    pub fn add(&mut self, term: &[u8], frequency: u32, start: usize, length: usize) -> Option<()> {
        let is_first = self.terms.is_multiple_of(TERMS_PER_BLOCK);
        if is_first {
            self.blocks.extend(key(term).to_le_bytes());
            self.blocks
                .extend(u32::try_from(self.text.len()).ok()?.to_le_bytes());
            self.blocks.extend(u32::try_from(start).ok()?.to_le_bytes());
        }
        let same = if is_first {
            0
        } else {
            common(&self.last, term)
        };
        let rest = &term[same..];
        self.text
            .push(u8::try_from(same.min(MORE) << 4 | rest.len().min(MORE)).ok()?);
        for number in [same, rest.len()] {
            if let Some(more) = number.checked_sub(MORE) {
                put_number(&mut self.text, u32::try_from(more).ok()?);
            }
        }
        self.text.extend_from_slice(rest);
        let length = u32::try_from(length)
            .ok()
            .filter(|&length| length < 1 << 31)?;
        put_number(&mut self.text, length << 1 | u32::from(frequency > 1));
        if frequency > 1 {
            put_number(&mut self.text, frequency - 2);
        }
        self.terms += 1;
        self.last.clear();
        self.last.extend_from_slice(term);
        Some(())
    }
}

/// Finds the posting list of `term`, if the section has it.
pub fn find<'s>(section: &Section<'s>, term: &[u8]) -> Result<Option<List<'s>>, Malformed> {
    let Some(block) = block_of(section, term)? else {
        return Ok(None);
    };
    let entry = &section.blocks[block];
    let mut cursor = Cursor::new(from(section.text, place(entry, 8))?);
    let mut postings = Cursor::new(from(section.postings, place(entry, 12))?);
    let terms = (section.terms as usize - block * TERMS_PER_BLOCK).min(TERMS_PER_BLOCK);
    // How much of `term` the terms so far have matched: what differs only behind that point, or
    // already before it, needs no comparison.
    let mut matched = 0;
    for _ in 0..terms {
        let (same, rest) = differing(&mut cursor)?;
        let number = cursor.number()?;
        let frequency = if number & 1 == 1 {
            cursor.number()?.saturating_add(2)
        } else {
            1
        };
        let list = postings.take((number >> 1) as usize)?;
        if same < matched {
            return Ok(None);
        }
        if same == matched {
            let wanted = &term[matched..];
            let more = common(wanted, rest);
            matched += more;
            if more == rest.len() && matched == term.len() {
                return Ok(Some(List {
                    frequency,
                    postings: list,
                }));
            }
            if rest.get(more) > wanted.get(more) {
                return Ok(None);
            }
        }
    }
    Ok(None)
}

/// The last block whose first term is not after `term`.
fn block_of(section: &Section<'_>, term: &[u8]) -> Result<Option<usize>, Malformed> {
    let wanted = key(term);
    let blocks = section.blocks;
    let mut low = blocks.partition_point(|entry| key_of(entry) < wanted);
    let mut high = low + blocks[low..].partition_point(|entry| key_of(entry) == wanted);
    // Terms that share their first eight bytes: compare the rest.
    while low < high {
        let middle = low.midpoint(high);
        let mut cursor = Cursor::new(from(section.text, place(&blocks[middle], 8))?);
        if differing(&mut cursor)?.1 <= term {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low.checked_sub(1))
}

/// Reads how much a term shares with the one before, and the rest of it.
fn differing<'s>(cursor: &mut Cursor<'s>) -> Result<(usize, &'s [u8]), Malformed> {
    let nibbles = cursor.byte()?;
    let mut numbers = [usize::from(nibbles >> 4), usize::from(nibbles & 15)];
    for number in &mut numbers {
        if *number == MORE {
            *number += cursor.number()? as usize;
        }
    }
    let [same, rest] = numbers;
    Ok((same, cursor.take(rest)?))
}

fn from(bytes: &[u8], start: usize) -> Result<&[u8], Malformed> {
    bytes
        .get(start..)
        .ok_or(Malformed("a block of terms lies outside"))
}

fn key(term: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    for (byte, &letter) in bytes.iter_mut().zip(term) {
        *byte = letter;
    }
    u64::from_be_bytes(bytes)
}

fn key_of(entry: &[u8; BLOCK_ENTRY]) -> u64 {
    let (first, _) = entry.as_chunks::<8>();
    u64::from_le_bytes(first[0])
}

fn place(entry: &[u8; BLOCK_ENTRY], at: usize) -> usize {
    u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]) as usize
}

fn common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
