//! The nearest vectors of a union of sections: signs first, then the levels of the nearest.
#![forbid(unsafe_code)]

use std::cmp::Reverse;

use super::MOST_DIMENSIONS;
use super::code::LARGEST;
use super::kernels::{self, Distances, Signs};
use super::layout::{Layout, ROWS_PER_BLOCK, Section, flags, kind, place, record, scale};
use super::rotate::{Rotation, WORD};
use super::write::SCALE;
use crate::level::Level;

/// How many vectors have their levels read at least, and for each result that is asked for.
const SHORTLIST: usize = 1024;
const SHORTLIST_PER_RESULT: usize = 16;
/// Bytes that memory gives at once.
const LINE: usize = 64;
/// How many rows of the shortlist are fetched at once.
const FETCHED: usize = 16;
/// How many rows are compared before the shortlist is looked at.
const BATCH_BLOCKS: usize = 32;
/// From which coordinate on a query's sign weighs three times as much: where a quantiser of two
/// bits for the normal distribution has its bound (Max, 1960), its levels being about 1 and 3.
const LARGE: f64 = 0.98;
/// The largest coordinate of a query: its products with levels stay exact in 16 and 32 bits.
const LARGEST_COORDINATE: i32 = 2047;

/// A section with its layout, None for a bundle without vectors.
pub type Mounted<'s> = Option<(&'s Layout, Section<'s>)>;

/// Which vectors may be found.
pub struct Filter<'f> {
    /// Section numbers, all if none are given.
    pub sections: Option<&'f [usize]>,
    /// Bit `k` for kind `k`.
    pub kinds: u64,
    /// The flags that no record may have.
    pub flags_excluded: u8,
}

impl Filter<'_> {
    /// Whether a section's marks need not be looked at.
    fn admits_all(&self, layout: &Layout) -> bool {
        self.kinds == u64::MAX && self.flags_excluded == 0 && layout.has_known_kinds
    }

    fn admits(&self, row: [u8; 8]) -> bool {
        self.kinds.checked_shr(u32::from(kind(row))).unwrap_or(0) & 1 == 1
            && flags(row) & self.flags_excluded == 0
    }

    fn has(&self, section: usize) -> bool {
        self.sections
            .is_none_or(|sections| sections.contains(&section))
    }
}

/// A query's vector, rotated and rounded.
pub struct Query {
    /// In the order of `place`.
    coordinates: Vec<i16>,
    signs: Vec<Signs>,
    unit: f64,
}

impl Query {
    /// From 32-bit floats; None if it has no direction.
    pub fn new(vector: &[[u8; 4]]) -> Option<Self> {
        let numbers = vector
            .iter()
            .map(|bytes| f64::from(f32::from_le_bytes(*bytes)));
        let rotated = Rotation::new(vector.len()).of(numbers)?;
        let size = i32::try_from(rotated.len()).ok()?;
        let most = f64::from(LARGEST_COORDINATE.min(i32::MAX / (LARGEST * size)));
        let largest = rotated
            .iter()
            .fold(0.0, |most: f64, number| most.max(number.abs()));
        let factor = most / largest;
        let mut coordinates = vec![0; rotated.len()];
        for (at, number) in rotated.iter().enumerate() {
            #[allow(clippy::cast_possible_truncation)] // within 2047
            let whole = (number * factor + 0.5).floor() as i16;
            coordinates[place(at, rotated.len())] = whole;
        }
        let signs = rotated.chunks_exact(WORD).map(|chunk| Signs {
            signs: word(chunk, |number| number < 0.0),
            large: word(chunk, |number| number.abs() >= LARGE),
        });
        Some(Self {
            coordinates,
            signs: signs.collect(),
            unit: 1.0 / (SCALE * factor * f64::from(size)),
        })
    }

    #[allow(clippy::cast_precision_loss)] // 48 bits
    fn cosine(&self, score: i64) -> f64 {
        score as f64 * self.unit
    }
}

/// A bit for each of 64 numbers.
fn word(numbers: &[f64], is_one: impl Fn(f64) -> bool) -> u64 {
    let bits = numbers.iter().enumerate();
    bits.fold(0, |word, (bit, number)| {
        word | u64::from(is_one(*number)) << bit
    })
}

/// A vector that was found: the cosine of its angle to the query, about; its section; its record.
pub type Hit = (f64, usize, u32);

/// The vectors nearest to a query, best first, those of one score by section and record.
///
/// Exact among those whose signs are nearest: a shortlist of 1,024, or 16 for each result.
pub fn search(
    mounted: &[Mounted<'_>],
    query: &Query,
    limit: usize,
    filter: &Filter<'_>,
) -> Vec<Hit> {
    let level = Level::best();
    let there: usize = mounted
        .iter()
        .flatten()
        .map(|(layout, _)| layout.rows)
        .sum();
    let most = SHORTLIST.max(limit.saturating_mul(SHORTLIST_PER_RESULT));
    let most = most.min(there).max(1);
    let mut shortlist = shortlist(level, mounted, query, most, filter);
    // In the order in which they lie.
    shortlist.sort_unstable_by_key(|near| (near.section, near.row));
    let mut hits: Vec<(Reverse<i64>, usize, u32)> = Vec::with_capacity(shortlist.len());
    for some in shortlist.chunks(FETCHED) {
        fetch(mounted, some);
        for near in some {
            let Some(Some((layout, section))) = mounted.get(near.section as usize) else {
                continue;
            };
            let row = near.row as usize;
            let score = score(level, layout, section, query, row);
            hits.push((
                Reverse(score),
                near.section as usize,
                record(section.rows[row]),
            ));
        }
    }
    if limit < hits.len() {
        hits.select_nth_unstable(limit);
        hits.truncate(limit);
    }
    hits.sort_unstable();
    hits.into_iter()
        .map(|(Reverse(score), section, record)| (query.cosine(score), section, record))
        .collect()
}

/// The scores of some records' vectors, None where a record has none, 0 where no angle is known.
pub fn scores(
    mounted: &[Mounted<'_>],
    query: Option<&Query>,
    wanted: &[(usize, u32)],
) -> Vec<Option<f64>> {
    let level = Level::best();
    let scored = wanted.iter().map(|(number, record)| {
        let (layout, section) = mounted.get(*number)?.as_ref()?;
        let row = section.find(*record)?;
        Some(query.map_or(0.0, |query| {
            query.cosine(score(level, layout, section, query, row))
        }))
    });
    scored.collect()
}

/// A row whose signs are near those of the query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Near {
    distance: u32,
    section: u32,
    row: u32,
}

/// The rows that have the fewest signs other than the query's, `most` of them.
fn shortlist(
    level: Level,
    mounted: &[Mounted<'_>],
    query: &Query,
    most: usize,
    filter: &Filter<'_>,
) -> Vec<Near> {
    let mut near: Vec<Near> = Vec::with_capacity(2 * most + ROWS_PER_BLOCK);
    // Nothing that comes later and is as far away can still get in.
    let mut limit = u32::MAX;
    for (number, mounted) in (0_u32..).zip(mounted) {
        let Some((layout, section)) = mounted else {
            continue;
        };
        if !filter.has(number as usize) || layout.words() != query.signs.len() {
            continue;
        }
        let admits_all = filter.admits_all(layout);
        let mut distances = [Distances::default(); BATCH_BLOCKS];
        let batches = section.rows.chunks(BATCH_BLOCKS * ROWS_PER_BLOCK);
        let signs = section.signs.chunks(BATCH_BLOCKS * layout.words());
        let mut first = 0;
        for (rows, signs) in batches.zip(signs) {
            kernels::distances(level, signs, &query.signs, &mut distances);
            let blocks = rows.chunks(ROWS_PER_BLOCK).zip(&distances);
            for (rows, distances) in blocks {
                if distances.least < limit {
                    for ((row, distance), at) in rows.iter().zip(&distances.rows).zip(first..) {
                        if *distance < limit && (admits_all || filter.admits(*row)) {
                            near.push(Near {
                                distance: *distance,
                                section: number,
                                row: at,
                            });
                        }
                    }
                    if near.len() > 2 * most {
                        limit = cut(&mut near, most);
                    }
                }
                first += 8; // rows of a block
            }
        }
    }
    if near.len() > most {
        cut(&mut near, most);
    }
    near
}

/// Keeps the nearest, and gives how far away the last of them is.
fn cut(near: &mut Vec<Near>, most: usize) -> u32 {
    let (_, last, _) = near.select_nth_unstable(most - 1);
    let limit = last.distance;
    near.truncate(most);
    limit
}

/// Reads a byte of each line of memory that some rows lie in.
///
/// They lie far apart: what would be waited for one after the other comes at once.
fn fetch(mounted: &[Mounted<'_>], rows: &[Near]) {
    let mut bytes = 0;
    for near in rows {
        let Some(Some((layout, section))) = mounted.get(near.section as usize) else {
            continue;
        };
        let (row, words, codes) = (near.row as usize, layout.words(), layout.row_codes());
        let lines = section.codes[row * codes..][..codes].chunks(LINE);
        bytes |= lines.fold(section.rows[row][0], |bytes, line| bytes | line[0]);
        let signs = &section.signs[row / ROWS_PER_BLOCK * words..][..words];
        bytes |= signs.iter().fold(0, |bytes, words| bytes | words[0][0]);
    }
    std::hint::black_box(bytes);
}

/// The product of a query and a row, in whole numbers.
fn score(level: Level, layout: &Layout, section: &Section<'_>, query: &Query, row: usize) -> i64 {
    let (words, half) = (layout.words(), layout.row_codes());
    let (block, lane) = (row / ROWS_PER_BLOCK, row % ROWS_PER_BLOCK);
    let mut signs = [0; MOST_DIMENSIONS / 8];
    let blocks = &section.signs[block * words..][..words];
    for (into, words) in signs.as_chunks_mut().0.iter_mut().zip(blocks) {
        *into = words[lane];
    }
    let codes = &section.codes[row * half..][..half];
    let sum = kernels::product(
        level,
        &query.coordinates,
        codes,
        &signs[..words * size_of::<u64>()],
    );
    i64::from(sum) * i64::from(scale(section.rows[row]))
}
