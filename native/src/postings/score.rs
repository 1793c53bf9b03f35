//! The score of a document: BM25 as `SQLite`'s FTS5 has it, over weighted fields.
#![forbid(unsafe_code)]

use super::codec::Weights;
use super::dictionary::{Documents, List};
use super::layout::{Section, length};
use super::{FIELDS, Malformed};

const K1: f64 = 1.2;
const B: f64 = 0.75;
/// What a term that stands in more than half of all documents is worth.
const LEAST_IDF: f64 = 1e-6;
/// Room for the rounding of bounds, which are summed in another order than scores.
pub const SLACK: f64 = 1.0 + 1e-9;

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

/// The most that a term of this idf can add to a score.
pub fn greatest(idf: f64) -> f64 {
    idf * (K1 + 1.0)
}

/// Scores one section after another in the same memory.
pub struct Scorer {
    weights: [f64; FIELDS],
    average: f64,
    sums: Vec<f64>,
    /// The documents that may be hits; only their sums are made.
    candidates: Vec<usize>,
}

/// The sum of a document that is no candidate.
const NONE: f64 = -1.0;

impl Scorer {
    /// For a union of so many documents and tokens.
    pub fn new(weights: [f64; FIELDS], documents: u64, tokens: u64) -> Self {
        Self {
            weights,
            average: float(tokens) / float(documents),
            sums: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// The documents of the section scored last that may be hits.
    pub fn scores(&self) -> impl Iterator<Item = (usize, f64)> {
        self.candidates
            .iter()
            .map(|&document| (document, self.sums[document]))
    }

    /// Sums the scores of all documents that can reach `threshold`.
    pub fn score(
        &mut self,
        section: &Section<'_>,
        lists: &[Found<'_>],
        idf: &[f64],
        threshold: f64,
    ) -> Result<(), Malformed> {
        self.sums.clear();
        self.sums.resize(section.records.len(), NONE);
        self.candidates.clear();
        let (needed, rest) = least_needed(lists, idf, threshold);
        let weights = Weights::new(self.weights, section.payloads);
        let is_needed = |found: &&Found<'_>| idf[found.term] >= needed;
        for found in lists.iter().filter(is_needed) {
            self.postings(&weights, found.list, |scorer, document, count| {
                if scorer.sums[document] < 0.0 {
                    scorer.sums[document] = 0.0;
                    scorer.candidates.push(document);
                }
                scorer.add(section, document, idf[found.term], count);
            })?;
        }
        if lists.iter().all(|found| is_needed(&found)) {
            return Ok(());
        }
        // What other terms could add is not enough for most: they need not be looked at.
        let Self {
            sums, candidates, ..
        } = self;
        candidates.retain(|&document| (sums[document] + rest) * SLACK >= threshold);
        if candidates.is_empty() {
            return Ok(());
        }
        sums.fill(NONE);
        for &document in candidates.iter() {
            sums[document] = 0.0;
        }
        // All lists in the query's order: sums have the same bits whatever the threshold was.
        for found in lists {
            self.postings(&weights, found.list, |scorer, document, count| {
                if scorer.sums[document] >= 0.0 {
                    scorer.add(section, document, idf[found.term], count);
                }
            })?;
        }
        Ok(())
    }

    /// Adds what a term that stands `count` times in a document is worth.
    #[inline]
    fn add(&mut self, section: &Section<'_>, document: usize, idf: f64, count: f64) {
        let length = f64::from(length(section.records[document]));
        let norm = K1 * (1.0 - B + B * length / self.average);
        self.sums[document] += idf * ((count * (K1 + 1.0)) / (count + norm));
    }

    /// Calls `each` with the documents of a list, all of them in the section, and the counts.
    #[inline]
    fn postings(
        &mut self,
        weights: &Weights<'_>,
        list: List<'_>,
        mut each: impl FnMut(&mut Self, usize, f64),
    ) -> Result<(), Malformed> {
        let mut checked = |document: usize, count: f64| {
            if document >= self.sums.len() {
                return Err(Malformed("a posting names a document that is not there"));
            }
            each(self, document, count);
            Ok(())
        };
        match list.documents {
            Documents::One(document, payload) => checked(document as usize, weights.of(payload)?),
            Documents::More(postings) => weights.list(postings, list.frequency, checked),
        }
    }
}

/// The idf of which a document must have a term, and the most that all terms below it are worth:
/// without such a term no document reaches the threshold.
fn least_needed(lists: &[Found<'_>], idf: &[f64], threshold: f64) -> (f64, f64) {
    let mut idf: Vec<f64> = lists.iter().map(|found| idf[found.term]).collect();
    idf.sort_by(f64::total_cmp);
    let mut rest = 0.0;
    for idf in idf {
        let bound = rest + greatest(idf);
        if bound * SLACK >= threshold {
            return (idf, rest);
        }
        rest = bound;
    }
    (0.0, 0.0)
}
