//! BM25 over the union of sections, equal to one index that holds them all.
//!
//! Statistics are summed over everything mounted, then each section is scored by itself, term
//! after term, rare ones first, into sums that fit the processor's cache. A section whose best
//! thinkable score is below the worst of the hits so far is not decoded.
#![forbid(unsafe_code)]

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use super::Malformed;
use super::layout::{RECORD, Section, flags, kind};
use super::lookups::Lookups;
use super::score::{Found, Numbers, SLACK, Scorer, inverse_frequency};

/// What to look for.
pub struct Query<'q> {
    /// Different terms; of equally frequent ones the first is summed first.
    pub terms: &'q [&'q str],
    /// The numbers of the score.
    pub numbers: Numbers,
    /// How many hits at most.
    pub limit: usize,
    /// Sections that hits may come from, or all.
    pub sections: Option<&'q [usize]>,
    /// Kinds that hits may have: bit `k` for kind `k`.
    pub kinds: u64,
    /// Flags that hits may not have.
    pub flags_excluded: u8,
}

impl Query<'_> {
    fn admits(&self, record: [u8; RECORD]) -> bool {
        let kinds = self.kinds.checked_shr(u32::from(kind(record)));
        kinds.is_some_and(|kinds| kinds & 1 == 1) && flags(record) & self.flags_excluded == 0
    }
}

/// A document and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Higher is better, never zero.
    pub score: f64,
    /// The section's place in the union.
    pub section: usize,
    /// The document's place in the section.
    pub document: usize,
}

impl Eq for Hit {}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Hit {
    /// Better hits are less: higher scores, then earlier sections, then earlier documents.
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .score
            .total_cmp(&self.score)
            .then(self.section.cmp(&other.section))
            .then(self.document.cmp(&other.document))
    }
}

/// In how many documents of the union each term stands.
pub fn frequencies(
    union: &[Section<'_>],
    terms: &[&str],
    lookups: &Lookups,
) -> Result<Vec<u64>, Malformed> {
    let sum = |term: &&str| {
        let lists = lookups.of(union, term)?;
        Ok(lists
            .iter()
            .map(|(_, list)| u64::from(list.frequency))
            .sum())
    };
    terms.iter().map(sum).collect()
}

/// In how many documents of each section each term stands: a row for each term.
pub fn section_frequencies(
    union: &[Section<'_>],
    terms: &[&str],
    lookups: &Lookups,
) -> Result<Vec<Vec<u32>>, Malformed> {
    let row = |term: &&str| {
        let mut row = vec![0; union.len()];
        for (section, list) in lookups.of(union, term)?.iter() {
            row[*section] = list.frequency;
        }
        Ok(row)
    };
    terms.iter().map(row).collect()
}

/// Gives the best hits, best first.
pub fn search(
    union: &[Section<'_>],
    query: &Query<'_>,
    lookups: &Lookups,
) -> Result<Vec<Hit>, Malformed> {
    let sum = |part: fn(&Section<'_>) -> u64| union.iter().map(part).fold(0, u64::saturating_add);
    let documents = sum(|section| section.records.len() as u64);
    let tokens = sum(|section| section.tokens);
    if documents == 0 || tokens == 0 || query.limit == 0 {
        return Ok(Vec::new());
    }
    let field_tokens = [
        sum(|section| section.field_tokens[0]),
        sum(|section| section.field_tokens[1]),
        sum(|section| section.field_tokens[2]),
    ];
    let mut found = lists(union, query.terms, lookups)?;
    let mut frequencies = vec![0_u64; query.terms.len()];
    for list in found.iter().flatten() {
        frequencies[list.term] += u64::from(list.list.frequency);
    }
    for lists in &mut found {
        lists.sort_by_key(|list| frequencies[list.term]);
    }
    let idf: Vec<f64> = frequencies
        .iter()
        .map(|&frequency| inverse_frequency(documents, frequency))
        .collect();
    let mut scorer = Scorer::new(query.numbers, documents, tokens, field_tokens);
    let mut best = Best {
        limit: query.limit,
        heap: BinaryHeap::new(),
    };
    let mut bounds = bounds(&found, |list| scorer.greatest(idf[list.term]));
    if let Some(sections) = query.sections {
        let wanted: HashSet<&usize> = sections.iter().collect();
        bounds.retain(|(section, _)| wanted.contains(section));
    }
    for (section, bound) in bounds {
        if bound * SLACK < best.threshold() {
            break;
        }
        scorer.score(&union[section], &found[section], &idf, best.threshold())?;
        for (document, score) in scorer.scores() {
            if score > 0.0
                && score >= best.threshold()
                && query.admits(union[section].records[document])
            {
                best.offer(Hit {
                    score,
                    section,
                    document,
                });
            }
        }
    }
    Ok(best.heap.into_sorted_vec())
}

/// For each section, the lists of the terms it has, in the query's order.
fn lists(
    union: &[Section<'_>],
    terms: &[&str],
    lookups: &Lookups,
) -> Result<Vec<Vec<Found>>, Malformed> {
    let mut found: Vec<Vec<Found>> = union.iter().map(|_| Vec::new()).collect();
    for (term, text) in terms.iter().enumerate() {
        for (section, list) in lookups.of(union, text)?.iter() {
            found[*section].push(Found { term, list: *list });
        }
    }
    Ok(found)
}

/// The sections that have a term, with the most a document of each can score, best first.
fn bounds(found: &[Vec<Found>], greatest: impl Fn(&Found) -> f64) -> Vec<(usize, f64)> {
    let mut bounds: Vec<(usize, f64)> = found
        .iter()
        .enumerate()
        .filter(|(_, lists)| !lists.is_empty())
        .map(|(section, lists)| (section, lists.iter().map(&greatest).sum()))
        .collect();
    bounds.sort_by(|a, b| b.1.total_cmp(&a.1));
    bounds
}

/// The best hits so far; the worst of them on top.
struct Best {
    limit: usize,
    heap: BinaryHeap<Hit>,
}

impl Best {
    /// The score below which nothing is wanted any more.
    fn threshold(&self) -> f64 {
        let worst = self.heap.peek().filter(|_| self.heap.len() == self.limit);
        worst.map_or(0.0, |hit| hit.score)
    }

    fn offer(&mut self, hit: Hit) {
        self.heap.push(hit);
        if self.heap.len() > self.limit {
            self.heap.pop();
        }
    }
}
