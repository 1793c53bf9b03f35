//! The terms of a section, sorted by their bytes, 32 to a block.
//!
//! A block's entry in the table holds the first eight bytes of its first term as a number, so
//! that the search for a block touches only the table; inside a block each term is written as
//! what differs from the one before. A term that stands in one document only, as two thirds of
//! them do, has no posting list: its document stands here.
#![forbid(unsafe_code)]

use super::Malformed;
use super::codec::{Cursor, Payload, Payloads, Posting, put_list, put_number, put_payload};
use super::layout::Section;

/// Terms in each block but the last.
pub const TERMS_PER_BLOCK: usize = 32;
/// Bytes of a block's entry: key, place of its text, place of its postings.
pub const BLOCK_ENTRY: usize = 16;
/// A nibble that says the number goes on in bytes of its own.
const MORE: usize = 15;

/// Where a term stands.
#[derive(Clone, Copy)]
pub struct List {
    /// In how many documents.
    pub frequency: u32,
    /// Which those are.
    pub documents: Documents,
}

/// The documents of a list.
#[derive(Clone, Copy)]
pub enum Documents {
    /// One, and what it has of the term.
    One(u32, Payload),
    /// More: where their postings begin, and how many bytes they are.
    More(usize, usize),
}

/// Collects terms in their order.
pub struct Dictionary<'p> {
    /// The table of blocks.
    pub blocks: Vec<u8>,
    /// The terms.
    pub text: Vec<u8>,
    /// The posting lists.
    pub postings: Vec<u8>,
    /// How many terms there are.
    pub terms: usize,
    payloads: &'p Payloads,
    last: Vec<u8>,
    /// The document of the last term of this block that has only one.
    single: Option<Posting>,
}

impl<'p> Dictionary<'p> {
    /// Begins without terms.
    pub fn new(payloads: &'p Payloads) -> Self {
        Self {
            blocks: Vec::new(),
            text: Vec::new(),
            postings: Vec::new(),
            terms: 0,
            payloads,
            last: Vec::new(),
            single: None,
        }
    }

    /// Adds a term that stands in these documents.
    ///
    /// Gives None where the section outgrows its 32-bit places.
    pub fn add(&mut self, term: &[u8], list: &[Posting]) -> Option<()> {
        if self.terms.is_multiple_of(TERMS_PER_BLOCK) {
            self.last.clear();
            self.single = None;
            self.blocks.extend(key(term).to_le_bytes());
            for place in [self.text.len(), self.postings.len()] {
                self.blocks.extend(u32::try_from(place).ok()?.to_le_bytes());
            }
        }
        let same = common(&self.last, term);
        let rest = &term[same..];
        self.text
            .push(u8::try_from(same.min(MORE) << 4 | rest.len().min(MORE)).ok()?);
        for number in [same, rest.len()] {
            if let Some(more) = number.checked_sub(MORE) {
                put_number(&mut self.text, u32::try_from(more).ok()?);
            }
        }
        self.text.extend_from_slice(rest);
        if let [single] = list {
            self.put_single(*single);
        } else {
            let start = self.postings.len();
            put_list(&mut self.postings, list, self.payloads);
            let length = u32::try_from(self.postings.len() - start).ok()?;
            if length >= 1 << 31 {
                return None;
            }
            put_number(&mut self.text, length << 1 | 1);
            put_number(
                &mut self.text,
                u32::try_from(list.len()).ok()?.checked_sub(2)?,
            );
        }
        self.terms += 1;
        self.last.clear();
        self.last.extend_from_slice(term);
        Some(())
    }

    fn put_single(&mut self, single: Posting) {
        let Posting { document, counts } = single;
        let is_like_last = |last: Posting| last.document == document && last.counts == counts;
        if self.single.is_some_and(is_like_last) {
            self.text.push(0);
            return;
        }
        self.single = Some(single);
        let rank = self.payloads.rank(&counts);
        let is_other = rank != Some(0);
        put_number(
            &mut self.text,
            ((document << 1 | u32::from(is_other)) + 1) << 1,
        );
        if is_other {
            put_payload(&mut self.text, rank, &counts);
        }
    }
}

/// Finds the posting list of `term`, if the section has it.
pub fn find(section: &Section<'_>, term: &[u8]) -> Result<Option<List>, Malformed> {
    let Some(block) = block_of(section, term)? else {
        return Ok(None);
    };
    let entry = &section.blocks[block];
    let mut cursor = Cursor::new(from(section.text, place(entry, 8))?);
    let mut start = place(entry, 12);
    let mut postings = Cursor::new(from(section.postings, start)?);
    let terms = (section.terms as usize - block * TERMS_PER_BLOCK).min(TERMS_PER_BLOCK);
    // How much of `term` the terms so far have matched: what differs only behind that point, or
    // already before it, needs no comparison.
    let mut matched = 0;
    let mut single = None;
    for _ in 0..terms {
        let (same, rest) = differing(&mut cursor)?;
        let list = list(&mut cursor, start, &mut single)?;
        if let Documents::More(_, length) = list.documents {
            postings.take(length)?;
            start += length;
        }
        if same < matched {
            return Ok(None);
        }
        if same == matched {
            let wanted = &term[matched..];
            let more = common(wanted, rest);
            matched += more;
            if more == rest.len() && matched == term.len() {
                return Ok(Some(list));
            }
            if rest.get(more) > wanted.get(more) {
                return Ok(None);
            }
        }
    }
    Ok(None)
}

/// Reads where a term stands, its postings beginning at `start` if it has some; `single` is the
/// last of the block's documents that stand here.
fn list(
    cursor: &mut Cursor<'_>,
    start: usize,
    single: &mut Option<(u32, Payload)>,
) -> Result<List, Malformed> {
    let number = cursor.number()?;
    if number & 1 == 1 {
        return Ok(List {
            frequency: cursor.number()?.saturating_add(2),
            documents: Documents::More(start, (number >> 1) as usize),
        });
    }
    if let Some(coded) = (number >> 1).checked_sub(1) {
        let payload = match coded & 1 {
            0 => Payload::Row(0),
            _ => Payload::read(cursor, 0)?,
        };
        *single = Some((coded >> 1, payload));
    }
    let (document, payload) = single.ok_or(Malformed(
        "a block's first document is that of the term before",
    ))?;
    Ok(List {
        frequency: 1,
        documents: Documents::One(document, payload),
    })
}

/// The last block whose first term is not after `term`.
fn block_of(section: &Section<'_>, term: &[u8]) -> Result<Option<usize>, Malformed> {
    let wanted = key(term);
    let blocks = section.blocks;
    let mut low = blocks.partition_point(|entry| key_of(entry) < wanted);
    let mut high = low;
    if blocks.get(low).is_some_and(|entry| key_of(entry) == wanted) {
        high += blocks[low..].partition_point(|entry| key_of(entry) == wanted);
    }
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
