//! A coordinate in six bits: its sign, and which of 32 levels it is nearest to.
#![forbid(unsafe_code)]
// What is inlined into the search is compiled for the processor that is there.
#![allow(clippy::inline_always)]

/// How many levels there are on either side of zero.
const LEVELS: usize = 32;
/// The largest level.
pub const LARGEST: i32 = 1080;
/// Levels for one standard deviation.
pub const UNIT: f64 = 302.0;

/// The level of a number, in 16-bit arithmetic that a processor does for many at once.
///
/// The levels of Lloyd and Max for the normal distribution, within what costs 6 % of the squared
/// error (.000684 instead of .000644).
#[inline(always)]
pub fn level(number: i16) -> i16 {
    let quarter = ((number * number) >> 2).cast_unsigned();
    20 * number + 10 + (quarter.wrapping_mul(quarter) >> 7).cast_signed()
}

/// Where one level ends and the next begins, in doubled units.
pub fn bounds() -> [f64; LEVELS - 1] {
    let mut number = -1;
    [0.0; LEVELS - 1].map(|_| {
        number += 1;
        f64::from(level(number) + level(number + 1))
    })
}

/// The number of the level that a coordinate's magnitude is nearest to.
pub fn nearest(coordinate: f64, bounds: &[f64; LEVELS - 1]) -> u8 {
    let doubled = 2.0 * UNIT * coordinate.abs();
    bounds.iter().map(|bound| u8::from(doubled >= *bound)).sum()
}
