//! Numbers, payloads and posting lists as bytes.
//!
//! A payload is how often a term stands in each field of one document. A section has thousands of
//! different ones, and a few make up nearly all of its postings: those stand once in a table, the
//! most frequent first, and a posting says which row it means.
#![forbid(unsafe_code)]

use rustc_hash::FxHashMap;

use super::layout::MEASURED;
use super::{FIELDS, Malformed};

/// Bytes of a row of the table of payloads: a count for each field.
pub const PAYLOAD: usize = FIELDS;
/// Rows that a posting names in its code.
const CODED: u32 = 6;
/// The code of a posting that stands for documents next to each other, all like the one before.
const RUN: u32 = 6;
/// The code of a posting that is followed by its payload.
const OTHER: u32 = 7;
/// Rows beyond the coded ones are named in one byte.
pub const MOST_PAYLOADS: usize = CODED as usize + 0x7F;
/// A payload that is rarer costs less where it stands than in the table.
const LEAST_USES: usize = 4;
/// In the mask of fields: each of them has the term once.
const ALL_ONCE: u8 = 0x80;

/// How often a term stands in each field of one document.
pub type Counts = [u16; FIELDS];

/// A document that has a term.
#[derive(Clone, Copy)]
pub struct Posting {
    /// Its number.
    pub document: u32,
    /// How often it has the term.
    pub counts: Counts,
}

/// The table of payloads as it is written.
pub struct Payloads {
    /// Its rows.
    pub rows: Vec<u8>,
    ranks: FxHashMap<Counts, u32>,
}

impl Payloads {
    /// Makes the table of a section that has these postings.
    pub fn of(postings: &[Posting]) -> Self {
        let mut uses: FxHashMap<Counts, usize> = FxHashMap::default();
        for posting in postings {
            *uses.entry(posting.counts).or_default() += 1;
        }
        let mut frequent: Vec<(usize, Counts)> = uses
            .into_iter()
            .filter(|&(counts, uses)| uses >= LEAST_USES && counts.iter().all(|&n| n <= 0xFF))
            .map(|(counts, uses)| (uses, counts))
            .collect();
        frequent.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        frequent.truncate(MOST_PAYLOADS);
        Self {
            rows: frequent
                .iter()
                .flat_map(|(_, counts)| counts.map(|count| count.to_le_bytes()[0]))
                .collect(),
            ranks: (0..)
                .zip(frequent)
                .map(|(rank, (_, counts))| (counts, rank))
                .collect(),
        }
    }

    /// The row of a payload.
    pub fn rank(&self, counts: &Counts) -> Option<u32> {
        self.ranks.get(counts).copied()
    }
}

/// Appends `value`, seven bits a byte, lowest first.
pub fn put_number(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Appends a posting list.
pub fn put_list(out: &mut Vec<u8>, list: &[Posting], payloads: &Payloads) {
    let mut next = 0;
    let are_alike = |a: &Posting, b: &Posting| a.document + 1 == b.document && a.counts == b.counts;
    for run in list.chunk_by(are_alike) {
        let Posting { document, counts } = run[0];
        let distance = document - next;
        match payloads.rank(&counts) {
            Some(rank) if rank < CODED => put_number(out, distance << 3 | rank),
            rank => {
                put_number(out, distance << 3 | OTHER);
                put_payload(out, rank.map(|rank| rank - CODED), &counts);
            }
        }
        // There are fewer documents than 2^29.
        let more = u32::try_from(run.len() - 1).unwrap_or(0);
        if more > 0 {
            put_number(out, (more - 1) << 3 | RUN);
        }
        next = document + more + 1;
    }
}

/// Appends a payload: the number of its row, or else its counts.
pub fn put_payload(out: &mut Vec<u8>, row: Option<u32>, counts: &Counts) {
    if let Some(row) = row {
        put_number(out, row + 1);
        return;
    }
    out.push(0);
    let mask = (0..FIELDS)
        .filter(|&field| counts[field] > 0)
        .fold(0, |mask, field| mask | 1_u8 << field);
    if counts.iter().all(|&count| count <= 1) {
        out.push(mask | ALL_ONCE);
        return;
    }
    out.push(mask);
    for &count in counts.iter().filter(|&&count| count > 0) {
        put_number(out, u32::from(count) - 1);
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

/// What a posting says of its document.
#[derive(Clone, Copy)]
pub enum Payload {
    /// A row of the section's table.
    Row(u32),
    /// The counts themselves.
    Counts([u32; FIELDS]),
}

impl Payload {
    /// Reads what `put_payload` wrote; rows count from `first`.
    pub fn read(cursor: &mut Cursor<'_>, first: u32) -> Result<Self, Malformed> {
        let number = cursor.number()?;
        if let Some(row) = number.checked_sub(1) {
            return Ok(Self::Row(first.saturating_add(row)));
        }
        let mask = cursor.byte()?;
        let mut counts = [0; FIELDS];
        for (field, count) in counts.iter_mut().enumerate() {
            if mask >> field & 1 == 1 {
                let extra = if mask & ALL_ONCE == 0 {
                    cursor.number()?
                } else {
                    0
                };
                *count = extra.saturating_add(1);
            }
        }
        Ok(Self::Counts(counts))
    }
}

/// What a payload is worth: the weighted counts of the fields without a length, added up, then
/// those of the measured fields.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Worth {
    /// Name, qualified name, path, heading.
    pub plain: f64,
    /// Signature, docstring, body.
    pub measured: [f64; MEASURED.len()],
}

impl Worth {
    /// Weighs counts. Sums run in the order of the fields: the same bits on every machine.
    pub fn of(counts: &[u32; FIELDS], weights: &[f64; FIELDS]) -> Self {
        let [name, qualified, signature, docstring, body, path, heading] =
            [0, 1, 2, 3, 4, 5, 6].map(|field: usize| weights[field] * f64::from(counts[field]));
        Self {
            plain: name + qualified + path + heading,
            measured: [signature, docstring, body],
        }
    }
}

/// A posting list that is read from front to back.
pub struct Reader<'b> {
    cursor: Cursor<'b>,
    next: usize,
    left: usize,
    row: u32,
    counts: [u32; FIELDS],
}

/// Documents that follow each other and have the same payload.
pub struct Stretch {
    /// The first document.
    pub start: usize,
    /// The one behind the last.
    pub end: usize,
    /// The row of the payload, or [`COUNTS`] for the one that [`Reader::counts`] gives.
    pub row: u32,
}

/// Not the number of a row, but counts that are written where they stand.
pub const COUNTS: u32 = u32::MAX;
/// Not the number of a row: a list that has not begun.
const NO_ROW: u32 = u32::MAX - 1;

impl<'b> Reader<'b> {
    /// Begins a list of so many documents.
    pub fn new(postings: &'b [u8], frequency: u32) -> Self {
        Self {
            cursor: Cursor::new(postings),
            next: 0,
            left: frequency as usize,
            row: NO_ROW,
            counts: [0; FIELDS],
        }
    }

    /// The counts of the last stretch that has [`COUNTS`].
    pub fn counts(&self) -> &[u32; FIELDS] {
        &self.counts
    }

    /// The next documents, None behind the last.
    #[inline]
    pub fn stretch(&mut self) -> Result<Option<Stretch>, Malformed> {
        if self.left == 0 {
            return self.end();
        }
        let number = self.cursor.number()?;
        let (distance, code) = ((number >> 3) as usize, number & 7);
        if code == RUN {
            return self.run(distance + 1).map(Some);
        }
        self.row = if code == OTHER { self.other()? } else { code };
        self.left -= 1;
        let start = self.next + distance;
        self.next = start + 1;
        Ok(Some(Stretch {
            start,
            end: self.next,
            row: self.row,
        }))
    }

    fn run(&mut self, length: usize) -> Result<Stretch, Malformed> {
        if self.row == NO_ROW {
            return Err(Malformed("a posting list begins with a run"));
        }
        self.left = self
            .left
            .checked_sub(length)
            .ok_or(Malformed("a run is longer than its list"))?;
        let start = self.next;
        self.next += length;
        Ok(Stretch {
            start,
            end: self.next,
            row: self.row,
        })
    }

    #[inline]
    fn other(&mut self) -> Result<u32, Malformed> {
        match Payload::read(&mut self.cursor, CODED)? {
            Payload::Row(row) => Ok(row.min(NO_ROW)),
            Payload::Counts(counts) => {
                self.counts = counts;
                Ok(COUNTS)
            }
        }
    }

    fn end(&self) -> Result<Option<Stretch>, Malformed> {
        if self.cursor.is_at_end() {
            Ok(None)
        } else {
            Err(Malformed("a posting list goes on behind its last document"))
        }
    }
}
