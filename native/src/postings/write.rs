//! A section from the texts of its documents.
//!
//! Texts are analysed in parallel, some documents to a share; each share counts its own terms,
//! and the shares are joined in the order of documents, so the bytes do not depend on threads.
#![forbid(unsafe_code)]

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::codec::{PAYLOAD, Payloads, Posting};
use super::dictionary::Dictionary;
use super::layout::{HEADER, MEASURED, VERSION, record};
use super::{FIELDS, Malformed};
use crate::analyze::{Piece, cut, word};
use crate::parallel;

/// Bytes of text that make it worth another share.
const SHARE: usize = 1 << 19;

/// A term in one field of one document.
#[derive(Clone, Copy, Default)]
struct Occurrence {
    term: u32,
    document: u32,
    field: u8,
    count: u16,
}

/// The terms of some documents: `starts[t]..starts[t + 1]` are the occurrences of term `t`.
struct Share {
    terms: Vec<Box<str>>,
    starts: Vec<usize>,
    occurrences: Vec<Occurrence>,
    lengths: Vec<Lengths>,
}

/// The tokens of a document, over all fields and in each measured one.
type Lengths = (u16, [u16; MEASURED.len()]);

/// Writes the section of `texts`; document `i` has `kinds[i]` and `flags[i]`.
pub fn write<T: AsRef<str> + Sync>(
    texts: &[[T; FIELDS]],
    kinds: &[u8],
    flags: &[u8],
) -> Result<Vec<u8>, Malformed> {
    if kinds.len() != texts.len() || flags.len() != texts.len() {
        return Err(Malformed("texts, kinds and flags are not of one length"));
    }
    // A posting's distance has 29 bits.
    if texts.len() >= 1 << 29 {
        return Err(TOO_LARGE);
    }
    let shares = parallel::map(&shares_of(texts), |documents| {
        share(texts, documents.clone())
    });
    let lists = Lists::of(&shares);
    let payloads = Payloads::of(&lists.postings);
    let mut dictionary = Dictionary::new(&payloads);
    for (term, list) in &lists.terms {
        dictionary
            .add(term.as_bytes(), &lists.postings[list.clone()])
            .ok_or(TOO_LARGE)?;
    }
    let lengths = || shares.iter().flat_map(|share| &share.lengths);
    let tokens: u64 = lengths().map(|&(length, _)| u64::from(length)).sum();
    let mut field_tokens = [0_u64; MEASURED.len()];
    for (_, fields) in lengths() {
        for (sum, &length) in field_tokens.iter_mut().zip(fields) {
            *sum += u64::from(length);
        }
    }

    let mut section = Vec::with_capacity(HEADER);
    section.extend(VERSION.to_le_bytes());
    section.extend(size(texts.len())?);
    section.extend(tokens.to_le_bytes());
    section.extend(size(dictionary.terms)?);
    section.extend(size(dictionary.text.len())?);
    section.extend(size(dictionary.postings.len())?);
    section.extend(size(payloads.rows.len() / PAYLOAD)?);
    section.extend(field_tokens.map(u64::to_le_bytes).as_flattened());
    for ((&(length, fields), &kind), &flags) in lengths().zip(kinds).zip(flags) {
        section.extend(record(length, fields, kind, flags));
    }
    section.extend(dictionary.blocks);
    section.extend(&payloads.rows);
    section.extend(dictionary.text);
    section.extend(dictionary.postings);
    Ok(section)
}

const TOO_LARGE: Malformed = Malformed("too much text for one section");

fn size(length: usize) -> Result<[u8; 4], Malformed> {
    u32::try_from(length)
        .map(u32::to_le_bytes)
        .map_err(|_| TOO_LARGE)
}

/// Cuts the documents into runs of about equal text.
fn shares_of<T: AsRef<str>>(texts: &[[T; FIELDS]]) -> Vec<Range<usize>> {
    let mut shares = Vec::new();
    let mut start = 0;
    let mut bytes = 0;
    for (document, fields) in texts.iter().enumerate() {
        bytes += fields.iter().map(|text| text.as_ref().len()).sum::<usize>();
        if bytes >= SHARE {
            shares.push(start..document + 1);
            start = document + 1;
            bytes = 0;
        }
    }
    shares.push(start..texts.len());
    shares
}

fn share<T: AsRef<str>>(texts: &[[T; FIELDS]], documents: Range<usize>) -> Share {
    let mut count = Count::default();
    let mut lengths = Vec::with_capacity(documents.len());
    for document in documents {
        let mut tokens = [0_usize; FIELDS];
        for (field, text) in texts[document].iter().enumerate() {
            // `write` has checked that documents fit; there are seven fields.
            let (document, field) = (u32::try_from(document).unwrap_or(0), field.to_le_bytes()[0]);
            tokens[usize::from(field)] = count.text(text.as_ref(), document, field);
        }
        let capped = |tokens: usize| u16::try_from(tokens).unwrap_or(u16::MAX);
        let fields = MEASURED.map(|field| capped(tokens[field]));
        lengths.push((capped(tokens.iter().sum()), fields));
    }
    let mut terms = vec![Box::default(); count.numbers.len()];
    for (term, number) in count.numbers {
        terms[number as usize] = term;
    }
    let mut starts = vec![0];
    let mut start = 0;
    for frequency in count.frequencies {
        start += frequency;
        starts.push(start);
    }
    // Each term's occurrences stay in the order of documents and fields.
    let mut occurrences = vec![Occurrence::default(); count.occurrences.len()];
    let mut places = starts.clone();
    for occurrence in count.occurrences {
        let place = &mut places[occurrence.term as usize];
        occurrences[*place] = occurrence;
        *place += 1;
    }
    Share {
        terms,
        starts,
        occurrences,
        lengths,
    }
}

/// The terms of a share while they are counted.
///
/// What texts can be made to collide costs no more than a share of them does: the maps are small.
#[derive(Default)]
struct Count {
    numbers: FxHashMap<Box<str>, u32>,
    /// The terms that each word gives, as a range of `given`: words repeat, and to look one up
    /// costs a tenth of taking it apart.
    words: FxHashMap<Box<str>, Range<usize>>,
    given: Vec<u32>,
    /// For each term the occurrence that was counted last, and how many it has.
    latest: Vec<usize>,
    frequencies: Vec<usize>,
    occurrences: Vec<Occurrence>,
    scratch: String,
}

impl Count {
    /// Counts the terms of one field of a document, and gives how many tokens it has.
    fn text(&mut self, text: &str, document: u32, field: u8) -> usize {
        let mut tokens = 0;
        cut(text, &mut |piece| match piece {
            Piece::Token(token) => {
                let term = self.number(token);
                self.add(term, document, field);
                tokens += 1;
            }
            Piece::Word(run) => {
                let given = self.terms_of(run);
                tokens += given.len();
                for index in given {
                    self.add(self.given[index], document, field);
                }
            }
        });
        tokens
    }

    fn terms_of(&mut self, run: &str) -> Range<usize> {
        if let Some(given) = self.words.get(run) {
            return given.clone();
        }
        let start = self.given.len();
        let mut scratch = std::mem::take(&mut self.scratch);
        word(run, &mut scratch, &mut |token| {
            let term = self.number(token);
            self.given.push(term);
        });
        self.scratch = scratch;
        self.words.insert(run.into(), start..self.given.len());
        start..self.given.len()
    }

    fn number(&mut self, token: &str) -> u32 {
        if let Some(&term) = self.numbers.get(token) {
            return term;
        }
        let term = u32::try_from(self.latest.len()).unwrap_or(u32::MAX);
        self.numbers.insert(token.into(), term);
        self.latest.push(usize::MAX);
        self.frequencies.push(0);
        term
    }

    fn add(&mut self, term: u32, document: u32, field: u8) {
        match self.occurrences.get_mut(self.latest[term as usize]) {
            Some(last) if last.document == document && last.field == field => {
                last.count = last.count.saturating_add(1);
            }
            _ => {
                self.latest[term as usize] = self.occurrences.len();
                self.frequencies[term as usize] += 1;
                self.occurrences.push(Occurrence {
                    term,
                    document,
                    field,
                    count: 1,
                });
            }
        }
    }
}

/// All terms in order, and the documents of each, one list after another.
struct Lists<'s> {
    terms: Vec<(&'s str, Range<usize>)>,
    postings: Vec<Posting>,
}

impl<'s> Lists<'s> {
    /// Joins the shares.
    fn of(shares: &'s [Share]) -> Self {
        let mut all: Vec<(&str, &[Occurrence])> = shares
            .iter()
            .flat_map(|share| {
                let lists = share
                    .starts
                    .windows(2)
                    .map(|pair| &share.occurrences[pair[0]..pair[1]]);
                share.terms.iter().map(AsRef::as_ref).zip(lists)
            })
            .collect();
        all.sort_by_key(|&(term, _)| term);
        let mut terms = Vec::new();
        let mut postings = Vec::new();
        for same in all.chunk_by(|a, b| a.0 == b.0) {
            let start = postings.len();
            for list in same.iter().map(|&(_, list)| list) {
                for occurrences in list.chunk_by(|a, b| a.document == b.document) {
                    let mut counts = [0; FIELDS];
                    for occurrence in occurrences {
                        counts[usize::from(occurrence.field)] = occurrence.count;
                    }
                    postings.push(Posting {
                        document: occurrences[0].document,
                        counts,
                    });
                }
            }
            terms.push((same[0].0, start..postings.len()));
        }
        Self { terms, postings }
    }
}
