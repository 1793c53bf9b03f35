//! The steps of the model, row by row: a row is what is known of one token.
#![forbid(unsafe_code)]
// Only what is inlined is compiled for the level of its caller; sums become 32-bit numbers; the
// compiler finds vectors in loops over lanes by number, and loses them in iterators.
#![allow(
    clippy::inline_always,
    clippy::cast_precision_loss,
    clippy::needless_range_loop
)]

use super::arithmetic::{LANES, exp, folded, gelu, least, most, sum};
use super::layout::{Linear, Norm};
use crate::level::{GROUP, Level, ROWS, Sums, TILE, Work};

/// Rows of 8-bit codes: an entry is `low + scale * code` of its row.
#[derive(Default)]
pub struct Codes {
    pub width: usize,
    pub entries: Vec<u8>,
    pub scales: Vec<f32>,
    pub lows: Vec<f32>,
}

/// Numbers that begin at a multiple of 64 bytes: a store of 64 bytes then meets one line of the
/// cache, not two.
pub struct Rows {
    numbers: Vec<f32>,
    start: usize,
    count: usize,
}

impl Rows {
    /// Zeros.
    pub fn new(count: usize) -> Self {
        let numbers = vec![0.0; count + TILE];
        let start = numbers.as_ptr().align_offset(64).min(TILE);
        Self {
            numbers,
            start,
            count,
        }
    }

    /// The numbers.
    pub fn all(&mut self) -> &mut [f32] {
        &mut self.numbers[self.start..self.start + self.count]
    }
}

/// How many tiles are multiplied at once.
const TILES: usize = 4;

macro_rules! compiled_for_each_level {
    ($(#[$doc:meta])* $name:ident<'a>($($given:ident: $kind:ty),*) $body:block) => {
        $(#[$doc])*
        pub fn $name<'a>(level: Level, $($given: $kind),*) {
            struct Call<'a> { $($given: $kind),* }
            impl Work for Call<'_> {
                type Output = ();

                #[inline(always)]
                fn run(self) {
                    let Self { $($given),* } = self;
                    $body
                }
            }
            level.run(Call { $($given),* });
        }
    };
}

impl Codes {
    /// Makes these the codes of rows.
    pub fn fill(&mut self, level: Level, rows: &[f32], width: usize) {
        self.width = width;
        self.entries.resize(rows.len(), 0);
        self.scales.resize(rows.len() / width, 0.0);
        self.lows.resize(rows.len() / width, 0.0);
        quantise(level, rows, self);
    }
}

compiled_for_each_level! {
    quantise<'a>(rows: &'a [f32], into: &'a mut Codes) {
        let each = into.entries.chunks_exact_mut(into.width);
        let each = each.zip(&mut into.scales).zip(&mut into.lows);
        for (row, ((codes, scale), low)) in rows.chunks_exact(into.width).zip(each) {
            let least = least(row);
            let range = most(row) - least;
            *scale = range / 255.0;
            *low = least;
            let factor = if range > 0.0 { 255.0 / range } else { 0.0 };
            for (code, number) in codes.iter_mut().zip(row) {
                // Adding 2^23 rounds to an integer, halves to even, and leaves it in the low bits.
                let rounded = (number - least) * factor + 8_388_608.0;
                *code = (rounded.to_bits() & 0xFF) as u8;
            }
        }
    }
}

compiled_for_each_level! {
    /// Makes each number its GELU.
    activate<'a>(rows: &'a mut [f32]) {
        for number in rows {
            *number = gelu(*number);
        }
    }
}

compiled_for_each_level! {
    /// Adds other rows to rows, and makes each of them one of mean 0 and variance 1 before gain
    /// and shift.
    add_and_normalise<'a>(rows: &'a mut [f32], added: &'a [f32], norm: &'a Norm, epsilon: f32) {
        let width = norm.gains.len();
        let size = width as f32;
        for (row, added) in rows.chunks_exact_mut(width).zip(added.chunks_exact(width)) {
            for (number, other) in row.iter_mut().zip(added) {
                *number += other;
            }
            let mean = sum(row) / size;
            for number in row.iter_mut() {
                *number -= mean;
            }
            let mut squares = [0.0; LANES];
            for chunk in row.as_chunks::<LANES>().0 {
                for (square, number) in squares.iter_mut().zip(chunk) {
                    *square += number * number;
                }
            }
            let deviation = (folded(squares) / size + epsilon).sqrt();
            let factor = if deviation > 0.0 { 1.0 / deviation } else { 0.0 };
            for ((number, gain), shift) in row.iter_mut().zip(&norm.gains).zip(&norm.shifts) {
                *number = *number * factor * gain + shift;
            }
        }
    }
}

/// Rows of codes through a matrix, into rows of its channels.
pub fn multiply(level: Level, linear: &Linear, section: &[u8], codes: &Codes, into: &mut [f32]) {
    let groups = linear.inputs / GROUP;
    let rows: Vec<&[[u8; GROUP]]> = codes
        .entries
        .chunks_exact(linear.inputs)
        .map(|row| row.as_chunks().0)
        .collect();
    let tiles: Vec<&[[u8; TILE * GROUP]]> = section[linear.tiles.clone()]
        .as_chunks()
        .0
        .chunks_exact(groups)
        .collect();
    let mut sums = [Sums([[0; TILE]; ROWS]); TILES];
    // As many tiles as stay in the nearest cache while all rows pass.
    for (place, tiles) in tiles.chunks(TILES).enumerate() {
        for (block, rows) in rows.chunks(ROWS).enumerate() {
            level.products(rows, tiles, &mut sums[..tiles.len()]);
            let call = Scaled {
                linear,
                codes,
                sums: &sums[..tiles.len()],
                first_row: block * ROWS,
                rows: rows.len(),
                first_channel: place * TILES * TILE,
                into: &mut *into,
            };
            level.run(call);
        }
    }
}

/// Sums of codes as what they are worth.
struct Scaled<'a> {
    linear: &'a Linear,
    codes: &'a Codes,
    sums: &'a [Sums],
    first_row: usize,
    rows: usize,
    first_channel: usize,
    into: &'a mut [f32],
}

impl Work for Scaled<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let linear = self.linear;
        for row in 0..self.rows {
            let (low, scale) = (
                self.codes.lows[self.first_row + row],
                self.codes.scales[self.first_row + row],
            );
            let start = (self.first_row + row) * linear.outputs + self.first_channel;
            let into = &mut self.into[start..start + self.sums.len() * TILE];
            let first_tile = self.first_channel / TILE;
            let parts = linear.scales.as_chunks::<TILE>().0[first_tile..]
                .iter()
                .zip(&linear.offsets.as_chunks::<TILE>().0[first_tile..])
                .zip(&linear.biases.as_chunks::<TILE>().0[first_tile..]);
            let into = into.as_chunks_mut::<TILE>().0.iter_mut();
            for ((into, sums), ((scales, offsets), biases)) in into.zip(self.sums).zip(parts) {
                let sums = &sums.0[row];
                let mut values = [0.0; TILE];
                for lane in 0..TILE {
                    let sum = sums[lane] as f32;
                    values[lane] =
                        sum * (scale * scales[lane]) + (low * offsets[lane] + biases[lane]);
                }
                *into = values;
            }
        }
    }
}

/// How many tokens ask at once.
const ASKING: usize = 4;

compiled_for_each_level! {
    /// What each token of one text takes from the others, head by head.
    ///
    /// A row of `asked` has the queries (scaled already), keys and values of all heads.
    attend<'a>(asked: &'a [f32], hidden: usize, heads: usize, into: &'a mut [f32]) {
        let size = hidden / heads;
        let tokens = asked.len() / (3 * hidden);
        let padded = tokens.next_multiple_of(LANES);
        let (blocks, parts) = (padded / LANES, size / LANES);
        // Part by part, all tokens beside each other; and token by token.
        let mut keys = vec![[0.0; LANES]; size * blocks];
        let mut values = vec![[0.0; LANES]; tokens * parts];
        let mut weights = vec![0.0; ASKING * padded];
        for head in 0..heads {
            let rows = asked.chunks_exact(3 * hidden);
            for ((token, row), values) in rows.enumerate().zip(values.chunks_exact_mut(parts)) {
                let key = &row[hidden + head * size..][..size];
                let (block, lane) = (token / LANES, token % LANES);
                for (keys, number) in keys.chunks_exact_mut(blocks).zip(key) {
                    keys[block][lane] = *number;
                }
                let value = &row[2 * hidden + head * size..][..size];
                values.copy_from_slice(value.as_chunks().0);
            }
            for first in (0..tokens).step_by(ASKING) {
                let count = ASKING.min(tokens - first);
                // Where fewer ask than fit, the last one asks again and is not heard.
                let queries: [&[f32]; ASKING] = std::array::from_fn(|at| {
                    let token = first + at.min(count - 1);
                    &asked[token * 3 * hidden + head * size..][..size]
                });
                score(queries, &keys, blocks, &mut weights);
                let mut factors = [0.0; ASKING];
                for (weights, factor) in weights.chunks_exact_mut(padded).zip(&mut factors) {
                    *factor = 1.0 / soften(weights, tokens);
                }
                for part in 0..parts {
                    let taken = gather(&weights, padded, &values[part..], parts, tokens);
                    for (at, (taken, factor)) in taken.iter().zip(factors).enumerate().take(count) {
                        let start = (first + at) * hidden + head * size + part * LANES;
                        for (number, lane) in into[start..start + LANES].iter_mut().zip(taken) {
                            *number = lane * factor;
                        }
                    }
                }
            }
        }
    }
}

/// The scores of all tokens for some that ask.
#[inline(always)]
fn score(queries: [&[f32]; ASKING], keys: &[[f32; LANES]], blocks: usize, scores: &mut [f32]) {
    let padded = blocks * LANES;
    for block in 0..blocks {
        let mut sums = [[0.0; LANES]; ASKING];
        for part in 0..queries[0].len() {
            let keys = keys[part * blocks + block];
            for at in 0..ASKING {
                let asked = queries[at][part];
                for lane in 0..LANES {
                    sums[at][lane] += asked * keys[lane];
                }
            }
        }
        for (at, sums) in sums.iter().enumerate() {
            scores[at * padded + block * LANES..][..LANES].copy_from_slice(sums);
        }
    }
}

/// Makes scores weights, and gives their sum.
#[inline(always)]
fn soften(scores: &mut [f32], tokens: usize) -> f32 {
    // Padding has the score of the last token while the largest is looked for.
    let last = scores[tokens - 1];
    scores[tokens..].fill(last);
    let most = most(scores);
    for score in scores.iter_mut() {
        *score = exp(*score - most);
    }
    scores[tokens..].fill(0.0);
    sum(scores)
}

/// The weighted sums of one part of the values, which begin with it.
#[inline(always)]
fn gather(
    weights: &[f32],
    padded: usize,
    values: &[[f32; LANES]],
    parts: usize,
    tokens: usize,
) -> [[f32; LANES]; ASKING] {
    let weights: [&[f32]; ASKING] = std::array::from_fn(|at| &weights[at * padded..][..tokens]);
    let mut sums = [[0.0; LANES]; ASKING];
    for token in 0..tokens {
        let values = values[token * parts];
        for at in 0..ASKING {
            let weight = weights[at][token];
            for lane in 0..LANES {
                sums[at][lane] += weight * values[lane];
            }
        }
    }
    sums
}

compiled_for_each_level! {
    /// The mean of rows, at unit length.
    pool<'a>(rows: &'a [f32], into: &'a mut [f32]) {
        let width = into.len();
        for row in rows.chunks_exact(width) {
            for (number, other) in into.iter_mut().zip(row) {
                *number += other;
            }
        }
        let mut squares = [0.0; LANES];
        for chunk in into.as_chunks::<LANES>().0 {
            for (square, number) in squares.iter_mut().zip(chunk) {
                *square += number * number;
            }
        }
        // The mean differs from the sum by a factor that the unit length takes away.
        let length = folded(squares).sqrt();
        let factor = if length > 0.0 { 1.0 / length } else { 0.0 };
        for number in into {
            *number *= factor;
        }
    }
}
