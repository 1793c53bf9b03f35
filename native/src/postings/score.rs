//! The score of a document: BM25 over weighted fields, each measured by its own length.
#![forbid(unsafe_code)]

use super::codec::{CODED, OTHER, Payload, RUN, Reader, Stretch, Worth};
use super::dictionary::{Documents, List};
use super::layout::{MEASURED, Section, coded_length, field_codes, length};
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
pub struct Found<'s> {
    /// The term's place in the query.
    pub term: usize,
    /// Where it stands.
    pub list: List<'s>,
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
    /// What the frequent payloads of all sections add, before it is multiplied by the idf.
    gains: Vec<(Worth, Box<ByCode>)>,
}

/// The numbers of the formula and what they make of a union's averages.
struct Formula {
    numbers: Numbers,
    /// The average length of a document, at least one token.
    average: f64,
    /// By what a count in each measured field is multiplied, for each code of its length.
    shares: Box<[ByCode; MEASURED.len()]>,
}

/// How the documents of a posting gain.
#[derive(Clone, Copy)]
enum Gain {
    /// By the code of one measured field's length: the place of the field and of the gains.
    ByCode(usize, usize),
    /// As the whole formula says.
    Other(Worth),
}

/// The sum of a document that cannot win any more.
const LOST: f64 = -1.0;

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
            gains: Vec::new(),
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
        lists: &[Found<'_>],
        idf: &[f64],
        threshold: f64,
    ) -> Result<(), Malformed> {
        self.sums.clear();
        self.sums.resize(section.records.len(), 0.0);
        let coded = self.coded(section);
        let mut rest: f64 = lists
            .iter()
            .map(|found| self.greatest(idf[found.term]))
            .sum();
        for found in lists {
            let idf = idf[found.term];
            let is_long = found.list.frequency as usize > self.sums.len() / SPARSE;
            if is_long && rest * SLACK < threshold {
                let able = self.drop_lost(rest, threshold);
                if able == 0 {
                    self.sums.clear();
                    return Ok(());
                }
            }
            self.list(section, &coded, found.list, idf)?;
            rest -= self.greatest(idf);
        }
        Ok(())
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

    /// How the payloads that postings name in their codes gain.
    fn coded(&mut self, section: &Section<'_>) -> Vec<Gain> {
        let rows = section.payloads.iter().take(CODED as usize);
        rows.map(|row| self.gain(&row.map(u32::from))).collect()
    }

    fn gain(&mut self, counts: &[u32; FIELDS]) -> Gain {
        let worth = Worth::of(counts, &self.formula.numbers.weights);
        let mut measured = (0..MEASURED.len()).filter(|&place| worth.measured[place] > 0.0);
        let place = measured.next().unwrap_or(0);
        if measured.next().is_some() || self.formula.numbers.b > 0.0 {
            return Gain::Other(worth);
        }
        let known = self.gains.iter().position(|(other, _)| *other == worth);
        let gains = known.unwrap_or_else(|| {
            let mut gains = Box::new([0.0; 256]);
            for (code, gain) in (0..=u8::MAX).zip(gains.iter_mut()) {
                let mut codes = [0; MEASURED.len()];
                codes[place] = code;
                *gain = self.formula.gain(0, codes, &worth);
            }
            self.gains.push((worth, gains));
            self.gains.len() - 1
        });
        Gain::ByCode(place, gains)
    }

    /// Adds what a term of this idf is worth in each document of its list.
    fn list(
        &mut self,
        section: &Section<'_>,
        coded: &[Gain],
        list: List<'_>,
        idf: f64,
    ) -> Result<(), Malformed> {
        let weights = self.formula.numbers.weights;
        let gain_of = |payload| weigh(section, payload, &weights).map(Gain::Other);
        let (postings, frequency) = match list.documents {
            Documents::More(postings) => (postings, list.frequency),
            Documents::One(document, payload) => {
                let document = document as usize;
                return self.add(section, document, document + 1, idf, gain_of(payload)?);
            }
        };
        let mut reader = Reader::new(postings, frequency);
        let mut gain = Gain::Other(Worth::default());
        while let Some(Stretch { start, end, code }) = reader.stretch()? {
            gain = match code {
                RUN => gain,
                OTHER => gain_of(reader.payload()?)?,
                code => *coded.get(code as usize).ok_or(NO_ROW)?,
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
        let sums = self.sums.get_mut(start..end).ok_or(OUTSIDE)?;
        let records = section.records.get(start..end).ok_or(OUTSIDE)?;
        for (sum, record) in sums.iter_mut().zip(records) {
            if *sum >= 0.0 {
                let codes = field_codes(*record);
                *sum += idf
                    * match gain {
                        Gain::ByCode(place, gains) => {
                            self.gains[gains].1[usize::from(codes[place])]
                        }
                        Gain::Other(worth) => self.formula.gain(length(*record), codes, &worth),
                    };
            }
        }
        Ok(())
    }
}

const NO_ROW: Malformed = Malformed("a posting has a payload that is not there");
const OUTSIDE: Malformed = Malformed("a posting names a document that is not there");

/// What a payload is worth.
fn weigh(
    section: &Section<'_>,
    payload: Payload,
    weights: &[f64; FIELDS],
) -> Result<Worth, Malformed> {
    match payload {
        Payload::Counts(counts) => Ok(Worth::of(&counts, weights)),
        Payload::Row(row) => {
            let row = section.payloads.get(row as usize).ok_or(NO_ROW)?;
            Ok(Worth::of(&row.map(u32::from), weights))
        }
    }
}

impl Formula {
    /// What a term adds to the score of a document, but for the idf.
    #[inline]
    fn gain(&self, length: u16, codes: [u8; MEASURED.len()], worth: &Worth) -> f64 {
        let mut count = worth.plain;
        for ((worth, shares), code) in worth.measured.iter().zip(self.shares.iter()).zip(codes) {
            count += worth * shares[usize::from(code)];
        }
        let Numbers { k1, b, .. } = self.numbers;
        let norm = if b == 0.0 {
            k1
        } else {
            k1 * (1.0 - b + b * f64::from(length.max(1)) / self.average)
        };
        (count * (k1 + 1.0)) / (count + norm)
    }
}
