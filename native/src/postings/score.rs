//! The score of a document: BM25 over weighted fields, each measured by its own length.
#![forbid(unsafe_code)]

use super::codec::{COUNTS, MOST_PAYLOADS, Payload, Reader, Stretch, Worth};
use super::dictionary::{Documents, List};
use super::layout::{MEASURED, RECORD, Section, code_place, coded_length, field_codes, length};
use super::{FIELDS, Malformed};

/// What a term that stands in more than half of all documents is worth.
const LEAST_IDF: f64 = 1e-6;
/// Room for the rounding of bounds, which are summed in another order than scores.
pub const SLACK: f64 = 1.0 + 1e-9;
/// Of how many documents a list names one, at least, before it pays to look who can still win.
const SPARSE: usize = 16;

/// The numbers of the formula.
#[derive(Clone, Copy)]
pub struct Numbers {
    /// The weight of each field.
    pub weights: [f64; FIELDS],
    /// How fast repeated terms stop counting.
    pub k1: f64,
    /// How much the length of the whole document counts, 0 to 1.
    pub b: f64,
    /// How much the length of each measured field counts, 0 to 1.
    pub field_b: [f64; MEASURED.len()],
}

/// The posting list of one of the query's terms.
pub struct Found {
    /// The term's place in the query.
    pub term: usize,
    /// Where it stands.
    pub list: List,
}

/// What a term is worth that stands in `frequency` of `documents`.
pub fn inverse_frequency(documents: u64, frequency: u64) -> f64 {
    let (documents, frequency) = (float(documents), float(frequency));
    let idf = ((documents - frequency + 0.5) / (frequency + 0.5)).ln();
    if idf > 0.0 { idf } else { LEAST_IDF }
}

/// Counts stay far below 2^53, above which this would round.
#[allow(clippy::cast_precision_loss)]
fn float(count: u64) -> f64 {
    count as f64
}

/// What a count adds to a score, for each code of a field's length.
type ByCode = [f64; 256];

/// Scores one section after another in the same memory.
pub struct Scorer {
    formula: Formula,
    sums: Vec<f64>,
    /// How the rows of the section's table of payloads gain, as far as they were asked for.
    rows: Vec<Option<Gain>>,
    gains: Gains,
}

/// The numbers of the formula and what they make of a union's averages.
struct Formula {
    numbers: Numbers,
    /// The average length of a document, at least one token.
    average: f64,
    /// By what a count in each measured field is multiplied, for each code of its length.
    shares: Box<[ByCode; MEASURED.len()]>,
}

/// How documents with one payload gain, before that is multiplied by the idf.
#[derive(Clone, Copy)]
enum Gain {
    /// By the code of one field's length: where the code stands in a record, and which gains.
    ByCode(usize, usize),
    /// As the whole formula says.
    Other(Worth),
}

/// What a count in one field alone adds, for the counts that were met: most postings are such.
struct Gains {
    tables: Vec<ByCode>,
    /// For each field and count the number of its table, counted from 1.
    known: Vec<u16>,
}

/// The sum of a document that cannot win any more.
const LOST: f64 = f64::NEG_INFINITY;

impl Scorer {
    /// For a union of so many documents, with these tokens in all fields and in each measured one.
    pub fn new(
        numbers: Numbers,
        documents: u64,
        tokens: u64,
        field_tokens: [u64; MEASURED.len()],
    ) -> Self {
        let average = |tokens: u64| float(tokens.max(1)) / float(documents);
        let mut shares = Box::new([[0.0; 256]; MEASURED.len()]);
        for (place, shares) in shares.iter_mut().enumerate() {
            let (b, average) = (numbers.field_b[place], average(field_tokens[place]));
            for (code, share) in (0..=u8::MAX).zip(shares) {
                *share = 1.0 / (1.0 - b + b * f64::from(coded_length(code)) / average);
            }
        }
        Self {
            formula: Formula {
                numbers,
                average: average(tokens),
                shares,
            },
            sums: Vec::new(),
            rows: Vec::new(),
            gains: Gains {
                tables: Vec::new(),
                known: vec![0; FIELDS << 8],
            },
        }
    }

    /// The most that a term of this idf can add to a score.
    pub fn greatest(&self, idf: f64) -> f64 {
        idf * (self.formula.numbers.k1 + 1.0)
    }

    /// The documents of the section scored last that may be hits, and their scores.
    pub fn scores(&self) -> impl Iterator<Item = (usize, f64)> {
        self.sums.iter().copied().enumerate()
    }

    /// Sums the scores of all documents that can reach `threshold`.
    ///
    /// Lists come in the order in which the scores are summed, the rarest term first; a document
    /// that cannot win with what is left gets no more, and where none can, the rest is not read.
    pub fn score(
        &mut self,
        section: &Section<'_>,
        lists: &[Found],
        idf: &[f64],
        threshold: f64,
    ) -> Result<(), Malformed> {
        self.sums.clear();
        self.sums.resize(section.records.len(), 0.0);
        self.rows.clear();
        self.rows
            .resize(section.payloads.len().min(MOST_PAYLOADS), None);
        let mut are_few = false;
        for (found, rest) in lists.iter().zip(self.rests(lists, idf)) {
            let is_long = found.list.frequency as usize > self.sums.len() / SPARSE;
            if is_long && rest * SLACK < threshold {
                let able = self.drop_lost(rest, threshold);
                if able == 0 {
                    self.sums.clear();
                    return Ok(());
                }
                are_few = able < self.sums.len() / SPARSE;
            }
            self.list(section, found.list, idf[found.term], are_few)?;
        }
        Ok(())
    }

    /// For each list the most that it and those behind it can add.
    fn rests(&self, lists: &[Found], idf: &[f64]) -> Vec<f64> {
        let mut rest = 0.0;
        let from_last = lists.iter().rev().map(|found| {
            rest += self.greatest(idf[found.term]);
            rest
        });
        let mut rests: Vec<f64> = from_last.collect();
        rests.reverse();
        rests
    }

    /// Marks what cannot reach `threshold` with `rest` more, and gives how many documents can.
    fn drop_lost(&mut self, rest: f64, threshold: f64) -> usize {
        let mut able = 0;
        for sum in &mut self.sums {
            let is_able = (*sum + rest) * SLACK >= threshold;
            able += usize::from(is_able);
            *sum = if is_able { *sum } else { LOST };
        }
        able
    }

    /// Adds what a term of this idf is worth in each document of its list.
    fn list(
        &mut self,
        section: &Section<'_>,
        list: List,
        idf: f64,
        are_few: bool,
    ) -> Result<(), Malformed> {
        let (postings, frequency) = match list.documents {
            Documents::More(start, length) => {
                let postings = section
                    .postings
                    .get(start..)
                    .and_then(|all| all.get(..length));
                (postings.ok_or(OUTSIDE)?, list.frequency)
            }
            Documents::One(document, payload) => {
                let start = document as usize;
                let gain = match payload {
                    Payload::Row(row) => self.row(section, row)?,
                    Payload::Counts(counts) => self.written(&counts),
                };
                return self.add(section, start, start + 1, idf, gain);
            }
        };
        let mut reader = Reader::new(postings, frequency);
        while let Some(Stretch { start, end, row }) = reader.stretch()? {
            // Where few can still win, most postings are of documents that cannot.
            if are_few && end == start + 1 && self.sums.get(start) == Some(&LOST) {
                continue;
            }
            let gain = match self.rows.get(row as usize) {
                Some(&Some(gain)) => gain,
                _ if row == COUNTS => self.written(reader.counts()),
                _ => self.row(section, row)?,
            };
            self.add(section, start, end, idf, gain)?;
        }
        Ok(())
    }

    #[inline]
    fn add(
        &mut self,
        section: &Section<'_>,
        start: usize,
        end: usize,
        idf: f64,
        gain: Gain,
    ) -> Result<(), Malformed> {
        if let (Gain::ByCode(place, table), true) = (gain, end == start + 1) {
            let sum = self.sums.get_mut(start).ok_or(OUTSIDE)?;
            let record = section.records.get(start).ok_or(OUTSIDE)?;
            *sum += idf * self.gains.tables[table][usize::from(record[place])];
            return Ok(());
        }
        let sums = self.sums.get_mut(start..end).ok_or(OUTSIDE)?;
        let records = section.records.get(start..end).ok_or(OUTSIDE)?;
        match gain {
            Gain::ByCode(place, table) => {
                let table = &self.gains.tables[table];
                for (sum, record) in sums.iter_mut().zip(records) {
                    *sum += idf * table[usize::from(record[place])];
                }
            }
            Gain::Other(worth) => {
                for (sum, record) in sums.iter_mut().zip(records) {
                    let gain = self.formula.gain(*record, &worth);
                    *sum += idf * gain;
                }
            }
        }
        Ok(())
    }

    /// How a row of the section's table gains, from now on known.
    #[cold]
    fn row(&mut self, section: &Section<'_>, row: u32) -> Result<Gain, Malformed> {
        let row = row as usize;
        let counts = section
            .payloads
            .get(row)
            .ok_or(Malformed("a posting has a payload that is not there"))?;
        let gain = self.gain(&counts.map(u32::from));
        if let Some(known) = self.rows.get_mut(row) {
            *known = Some(gain);
        }
        Ok(gain)
    }

    fn written(&self, counts: &[u32; FIELDS]) -> Gain {
        Gain::Other(Worth::of(counts, &self.formula.numbers.weights))
    }

    fn gain(&mut self, counts: &[u32; FIELDS]) -> Gain {
        let worth = Worth::of(counts, &self.formula.numbers.weights);
        let mut fields = (0..FIELDS).filter(|&field| counts[field] > 0);
        let (Some(field), None) = (fields.next(), fields.next()) else {
            return Gain::Other(worth);
        };
        let known = field << 8 | counts[field] as usize;
        if self.formula.numbers.b > 0.0 || known >= self.gains.known.len() {
            return Gain::Other(worth);
        }
        // Fields without a length gain the same whatever the code is.
        let place = code_place(field);
        if self.gains.known[known] == 0 {
            let mut table = [0.0; 256];
            for (code, gain) in (0..=u8::MAX).zip(table.iter_mut()) {
                let mut record = [0; RECORD];
                record[place] = code;
                *gain = self.formula.gain(record, &worth);
            }
            self.gains.tables.push(table);
            // There are fewer than 7 · 256.
            self.gains.known[known] = u16::try_from(self.gains.tables.len()).unwrap_or(0);
        }
        Gain::ByCode(place, usize::from(self.gains.known[known]) - 1)
    }
}

const OUTSIDE: Malformed = Malformed("a posting names a document that is not there");

impl Formula {
    /// What a term adds to the score of a document, but for the idf.
    #[inline]
    fn gain(&self, record: [u8; RECORD], worth: &Worth) -> f64 {
        let codes = field_codes(record);
        let mut count = worth.plain;
        for ((worth, shares), code) in worth.measured.iter().zip(self.shares.iter()).zip(codes) {
            count += worth * shares[usize::from(code)];
        }
        let Numbers { k1, b, .. } = self.numbers;
        let norm = if b == 0.0 {
            k1
        } else {
            k1 * (1.0 - b + b * f64::from(length(record).max(1)) / self.average)
        };
        (count * (k1 + 1.0)) / (count + norm)
    }
}
