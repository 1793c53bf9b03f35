//! The two sums a search is made of, compiled for the instructions that the processor has.
//!
//! Sums of integers: the same for any of them.
#![forbid(unsafe_code)]
// Only what is inlined into `run` is compiled for the processor that is there.
#![allow(clippy::inline_always)]

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

/// How many coordinates are multiplied at once.
const LANES: usize = 16;

/// What the signs of a block's rows weigh that are not the query's.
#[derive(Clone, Copy, Default)]
pub struct Distances {
    /// One number a row.
    pub rows: [u32; ROWS_PER_BLOCK],
    /// The smallest of them.
    pub least: u32,
}

/// Measures the rows of some blocks.
pub fn distances(level: Level, blocks: &[Words], query: &[Signs], into: &mut [Distances]) {
    struct Measuring<'a> {
        blocks: &'a [Words],
        query: &'a [Signs],
        into: &'a mut [Distances],
    }
    impl Work for Measuring<'_> {
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
                let mut least = u32::MAX;
                for (row, sum) in distances.rows.iter_mut().zip(sums) {
                    *row = u32::try_from(sum).unwrap_or(u32::MAX);
                    least = least.min(*row);
                }
                distances.least = least;
            }
        }
    }
    level.run(Measuring {
        blocks,
        query,
        into,
    });
}

/// The sum of products of a query's coordinates and a row's levels.
///
/// The query is in the order of [`super::layout::place`], in which a bit of each byte of signs and
/// of fifth bits, and a half of each byte of low bits, belong to neighbours: one shift for all.
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
            let bytes = self.signs.len();
            let (low_bits, fifth_bits) = self.codes.split_at_checked(4 * bytes).unwrap_or_default();
            let mut sum = 0;
            for (bit, query) in self.query.chunks_exact(bytes).enumerate() {
                let low_bits = low_bits.get(bit % 4 * bytes..).unwrap_or_default();
                let part = Part {
                    bit,
                    query,
                    low_bits,
                    fifth_bits,
                    signs: self.signs,
                };
                let even = bytes / LANES * LANES;
                sum += part.sum::<LANES>(0) + part.sum::<{ LANES / 2 }>(even);
            }
            sum
        }
    }
    level.run(Product {
        query,
        codes,
        signs,
    })
}

/// The coordinates whose signs are one bit of each byte.
#[derive(Clone, Copy)]
struct Part<'a> {
    bit: usize,
    query: &'a [i16],
    low_bits: &'a [u8],
    fifth_bits: &'a [u8],
    signs: &'a [u8],
}

impl Part<'_> {
    /// The sum of the products from a place on, so many at once.
    #[inline(always)]
    fn sum<const AT_ONCE: usize>(self, from: usize) -> i32 {
        let numbers = self.query[from..].as_chunks::<AT_ONCE>().0;
        let mut sum = 0;
        for (((numbers, low_bits), fifth_bits), signs) in numbers
            .iter()
            .zip(behind::<AT_ONCE>(self.low_bits, from))
            .zip(behind::<AT_ONCE>(self.fifth_bits, from))
            .zip(behind::<AT_ONCE>(self.signs, from))
        {
            for lane in 0..AT_ONCE {
                let low_bits = i16::from(low_bits[lane]) >> (self.bit / 4 * 4) & 15;
                let fifth_bit = i16::from(fifth_bits[lane]) >> self.bit & 1;
                let sign = -(i16::from(signs[lane]) >> self.bit & 1);
                let level = (code::level(low_bits | fifth_bit << 4) ^ sign) - sign;
                sum += i32::from(level) * i32::from(numbers[lane]);
            }
        }
        sum
    }
}

/// Bytes from a place on, so many at once.
#[inline(always)]
fn behind<const AT_ONCE: usize>(bytes: &[u8], from: usize) -> &[[u8; AT_ONCE]] {
    bytes.get(from..).unwrap_or_default().as_chunks().0
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
        let codes: Vec<u8> = (0..size / 2 + size / 8)
            .map(|_| next().to_le_bytes()[0])
            .collect();
        let signs: Vec<u8> = (0..size / 8).map(|_| next().to_le_bytes()[0]).collect();
        let sums = |level: Level| {
            let mut weights = [Distances::default(); 2];
            distances(level, &blocks, &query, &mut weights);
            let weights = weights.map(|each| (each.rows, each.least));
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
