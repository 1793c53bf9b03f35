//! The two sums a search is made of, compiled for the instructions that the processor has.
//!
//! Sums of integers: the same for any of them.
#![forbid(unsafe_code)]
// Only what is inlined into `with_simd` is compiled for the processor that is there.
#![allow(clippy::inline_always)]

use pulp::{Arch, Simd, WithSimd};

use super::code::level;
use super::layout::{ROWS_PER_BLOCK, Words};

/// How many coordinates are multiplied at once.
const WIDTH: usize = 32;

/// For each row of some blocks, how many of its signs are not the query's.
pub fn distances(
    arch: Arch,
    blocks: &[Words],
    signs: &[u64],
    into: &mut [[u32; ROWS_PER_BLOCK]],
) {
    struct Distances<'a> {
        blocks: &'a [Words],
        signs: &'a [u64],
        into: &'a mut [[u32; ROWS_PER_BLOCK]],
    }
    impl WithSimd for Distances<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) {
            let blocks = self.blocks.chunks_exact(self.signs.len());
            for (block, distances) in blocks.zip(self.into) {
                let mut sums = [0_u64; ROWS_PER_BLOCK];
                for (words, sign) in block.iter().zip(self.signs) {
                    for lane in 0..ROWS_PER_BLOCK {
                        let word = u64::from_le_bytes(words[lane]);
                        sums[lane] += u64::from((word ^ sign).count_ones());
                    }
                }
                *distances = sums.map(|sum| u32::try_from(sum).unwrap_or(u32::MAX));
            }
        }
    }
    arch.dispatch(Distances {
        blocks,
        signs,
        into,
    });
}

/// The sum of products of a query's coordinates and a row's levels.
///
/// `codes` hold two magnitudes a byte, those of the low halves being of the first coordinates;
/// `signs` are as many bits as there are coordinates.
pub fn product(arch: Arch, query: &[i16], codes: &[u8], signs: &[u8]) -> i32 {
    struct Product<'a> {
        query: &'a [i16],
        codes: &'a [u8],
        signs: &'a [u8],
    }
    impl WithSimd for Product<'_> {
        type Output = i32;

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> i32 {
            let (first, second) = self.query.split_at(self.codes.len());
            let (low, high) = self.signs.split_at(self.signs.len() / 2);
            let mut sums = [0_i32; WIDTH / 2];
            let codes = self.codes.as_chunks::<WIDTH>().0.iter();
            let first = first
                .as_chunks::<WIDTH>()
                .0
                .iter()
                .zip(low.as_chunks::<4>().0);
            let second = second
                .as_chunks::<WIDTH>()
                .0
                .iter()
                .zip(high.as_chunks::<4>().0);
            for (codes, ((first, low), (second, high))) in codes.zip(first.zip(second)) {
                add(
                    &mut sums,
                    codes.map(|code| i16::from(code & 15)),
                    *low,
                    first,
                );
                add(
                    &mut sums,
                    codes.map(|code| i16::from(code >> 4)),
                    *high,
                    second,
                );
            }
            sums.iter().sum()
        }
    }
    arch.dispatch(Product {
        query,
        codes,
        signs,
    })
}

/// Adds the products of some coordinates and levels.
#[inline(always)]
fn add(
    sums: &mut [i32; WIDTH / 2],
    magnitudes: [i16; WIDTH],
    signs: [u8; 4],
    query: &[i16; WIDTH],
) {
    let signs = u32::from_le_bytes(signs);
    let mut levels = [0_i16; WIDTH];
    for lane in 0..WIDTH {
        let level = level(magnitudes[lane]);
        levels[lane] = if signs & (1 << lane) == 0 {
            level
        } else {
            -level
        };
    }
    for lane in 0..WIDTH / 2 {
        sums[lane] += i32::from(levels[2 * lane]) * i32::from(query[2 * lane])
            + i32::from(levels[2 * lane + 1]) * i32::from(query[2 * lane + 1]);
    }
}
