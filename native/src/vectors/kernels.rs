//! The two sums a search is made of, compiled for the instructions that the processor has.
//!
//! Sums of integers: the same for any of them.
#![forbid(unsafe_code)]
// Only what is inlined into `run` is compiled for the processor that is there.
#![allow(clippy::inline_always)]

use super::MOST_DIMENSIONS;
use super::code;
use super::layout::{ROWS_PER_BLOCK, Words};
use crate::level::{Level, Work};

/// A query's signs, 64 a word, and which of its coordinates are large.
#[derive(Clone, Copy)]
pub struct Signs {
    /// A bit is 1 below zero.
    pub signs: u64,
    /// A bit is 1 where a sign that is not the query's weighs three times as much.
    pub large: u64,
}

/// For each row of some blocks, what its signs that are not the query's weigh.
pub fn distances(
    level: Level,
    blocks: &[Words],
    query: &[Signs],
    into: &mut [[u32; ROWS_PER_BLOCK]],
) {
    struct Distances<'a> {
        blocks: &'a [Words],
        query: &'a [Signs],
        into: &'a mut [[u32; ROWS_PER_BLOCK]],
    }
    impl Work for Distances<'_> {
        type Output = ();

        #[inline(always)]
        fn run(self) {
            let blocks = self.blocks.chunks_exact(self.query.len());
            for (block, distances) in blocks.zip(self.into) {
                let mut sums = [0_u64; ROWS_PER_BLOCK];
                for (words, query) in block.iter().zip(self.query) {
                    for lane in 0..ROWS_PER_BLOCK {
                        let other = u64::from_le_bytes(words[lane]) ^ query.signs;
                        sums[lane] += u64::from(other.count_ones())
                            + 2 * u64::from((other & query.large).count_ones());
                    }
                }
                *distances = sums.map(|sum| u32::try_from(sum).unwrap_or(u32::MAX));
            }
        }
    }
    level.run(Distances {
        blocks,
        query,
        into,
    });
}

/// The sum of products of a query's coordinates and a row's levels.
///
/// `codes` hold two magnitudes a byte, those of the low halves being of the first coordinates;
/// `signs` are as many bits as there are coordinates.
pub fn product(level: Level, query: &[i16], codes: &[u8], signs: &[u8]) -> i32 {
    struct Product<'a> {
        query: &'a [i16],
        codes: &'a [u8],
        signs: &'a [u8],
    }
    impl Work for Product<'_> {
        type Output = i32;

        #[inline(always)]
        fn run(self) -> i32 {
            let half = self.codes.len();
            let mut levels = [0_i16; MOST_DIMENSIONS];
            let levels = &mut levels[..2 * half];
            let (low, high) = levels.split_at_mut(half);
            for ((low, high), byte) in low.iter_mut().zip(high).zip(self.codes) {
                *low = code::level(i16::from(byte & 15));
                *high = code::level(i16::from(byte >> 4));
            }
            for (levels, signs) in levels.as_chunks_mut::<8>().0.iter_mut().zip(self.signs) {
                for (lane, level) in levels.iter_mut().enumerate() {
                    let sign = -(i16::from(*signs) >> lane & 1);
                    *level = (*level ^ sign) - sign;
                }
            }
            let products = levels.iter().zip(self.query);
            products
                .map(|(level, number)| i32::from(*level) * i32::from(*number))
                .sum()
        }
    }
    level.run(Product {
        query,
        codes,
        signs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::rotate::WORD;

    #[test]
    fn every_level_gives_the_same_sums() {
        let size = 6 * WORD;
        let mut state = 1_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let blocks: Vec<Words> = (0..12)
            .map(|_| [0; ROWS_PER_BLOCK].map(|_: u8| next().to_le_bytes()))
            .collect();
        let query: Vec<Signs> = (0..6)
            .map(|_| Signs {
                signs: next(),
                large: next(),
            })
            .collect();
        let numbers: Vec<i16> = (0..size)
            .map(|_| i16::try_from(next() % 4095).unwrap() - 2047)
            .collect();
        let codes: Vec<u8> = (0..size / 2).map(|_| next().to_le_bytes()[0]).collect();
        let signs: Vec<u8> = (0..size / 8).map(|_| next().to_le_bytes()[0]).collect();
        let sums = |level: Level| {
            let mut weights = [[0; ROWS_PER_BLOCK]; 2];
            distances(level, &blocks, &query, &mut weights);
            (weights, product(level, &numbers, &codes, &signs))
        };
        let expected = sums(Level::best());
        assert!(
            Level::all()
                .into_iter()
                .all(|level| sums(level) == expected)
        );
    }
}
