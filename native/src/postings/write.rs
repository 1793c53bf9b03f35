//! A section from the texts of its documents.
//!
//! Texts are analysed in parallel, some documents to a share; each share counts its own terms,
//! and the shares are joined in the order of documents, so the bytes do not depend on threads.
#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::codec::{Counts, put_posting};
use super::dictionary::Dictionary;
use super::layout::{HEADER, VERSION, record};
use super::{FIELDS, Malformed};
use crate::analyze::analyze;

/// Bytes of text that make it worth another share.
const SHARE: usize = 1 << 19;

/// A term in one field of one document.
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
    lengths: Vec<[u16; FIELDS]>,
}

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
    let shares: Vec<Share> = shares_of(texts)
        .into_par_iter()
        .map(|documents| share(texts, documents))
        .collect();
    let (dictionary, postings) = joined(&shares).ok_or(TOO_LARGE)?;
    let lengths = || shares.iter().flat_map(|share| &share.lengths);
    let tokens: u64 = lengths().flatten().map(|&length| u64::from(length)).sum();

    let mut section = Vec::with_capacity(HEADER);
    section.extend(VERSION.to_le_bytes());
    section.extend(size(texts.len())?);
    section.extend(tokens.to_le_bytes());
    section.extend(size(dictionary.terms)?);
    section.extend(size(dictionary.text.len())?);
    section.extend(size(postings.len())?);
    section.extend([0; 4]);
    for ((lengths, &kind), &flags) in lengths().zip(kinds).zip(flags) {
        section.extend(record(lengths, kind, flags));
    }
    section.extend(dictionary.blocks);
    section.extend(dictionary.text);
    section.extend(postings);
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
    let mut numbers: HashMap<Box<str>, u32> = HashMap::new();
    // For each term the occurrence that was counted last, and how many it has.
    let mut latest: Vec<usize> = Vec::new();
    let mut frequencies: Vec<usize> = Vec::new();
    let mut occurrences: Vec<Occurrence> = Vec::new();
    let mut lengths = Vec::with_capacity(documents.len());
    for document in documents {
        let mut length = [0_u16; FIELDS];
        for (field, text) in texts[document].iter().enumerate() {
            // `write` has checked that documents fit; there are seven fields.
            let (document, field) = (u32::try_from(document).unwrap_or(0), field.to_le_bytes()[0]);
            analyze(text.as_ref(), &mut |token| {
                let index = usize::from(field);
                length[index] = length[index].saturating_add(1);
                let term = if let Some(&term) = numbers.get(token) {
                    term
                } else {
                    let term = u32::try_from(latest.len()).unwrap_or(u32::MAX);
                    numbers.insert(token.into(), term);
                    latest.push(usize::MAX);
                    frequencies.push(0);
                    term
                };
                match occurrences.get_mut(latest[term as usize]) {
                    Some(last) if last.document == document && last.field == field => {
                        last.count = last.count.saturating_add(1);
                    }
                    _ => {
                        latest[term as usize] = occurrences.len();
                        frequencies[term as usize] += 1;
                        occurrences.push(Occurrence {
                            term,
                            document,
                            field,
                            count: 1,
                        });
                    }
                }
            });
        }
        lengths.push(length);
    }
    let mut terms = vec![Box::default(); numbers.len()];
    for (term, number) in numbers {
        terms[number as usize] = term;
    }
    let mut starts = vec![0];
    let mut start = 0;
    for frequency in frequencies {
        start += frequency;
        starts.push(start);
    }
    // Stable, so each term's occurrences stay in the order of documents and fields.
    occurrences.sort_by_key(|occurrence| occurrence.term);
    Share {
        terms,
        starts,
        occurrences,
        lengths,
    }
}

/// Joins the shares: all terms in order, and their postings one after another.
fn joined(shares: &[Share]) -> Option<(Dictionary, Vec<u8>)> {
    let mut terms: Vec<(&str, &[Occurrence])> = shares
        .iter()
        .flat_map(|share| {
            let lists = share
                .starts
                .windows(2)
                .map(|pair| &share.occurrences[pair[0]..pair[1]]);
            share.terms.iter().map(AsRef::as_ref).zip(lists)
        })
        .collect();
    terms.par_sort_by_key(|&(term, _)| term);
    let mut dictionary = Dictionary::default();
    let mut postings = Vec::new();
    for same in terms.chunk_by(|a, b| a.0 == b.0) {
        let start = postings.len();
        let mut frequency = 0;
        let mut next = 0;
        for list in same.iter().map(|&(_, list)| list) {
            for posting in list.chunk_by(|a, b| a.document == b.document) {
                let mut counts: Counts = [0; FIELDS];
                for occurrence in posting {
                    counts[usize::from(occurrence.field)] = u32::from(occurrence.count);
                }
                let document = posting[0].document;
                put_posting(&mut postings, document - next, &counts);
                next = document + 1;
                frequency += 1;
            }
        }
        dictionary.add(
            same[0].0.as_bytes(),
            frequency,
            start,
            postings.len() - start,
        )?;
    }
    Some((dictionary, postings))
}
