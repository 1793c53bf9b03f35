//! A coordinate in five bits: its sign, and which of sixteen levels it is nearest to.
#![forbid(unsafe_code)]
// What is inlined into the search is compiled for the processor that is there.
#![allow(clippy::inline_always)]

/// How many levels there are on either side of zero.
const LEVELS: i16 = 16;
/// The largest level.
pub const LARGEST: i32 = 1093;
/// Levels for one standard deviation.
pub const UNIT: f64 = 342.6;

/// The level of a number, in 16-bit arithmetic that a processor does for many at once.
///
/// The levels of Lloyd and Max for the normal distribution, within what costs 2.5 % of the squared
/// error (.00257 instead of .00250).
#[inline(always)]
pub fn level(number: i16) -> i16 {
    let square = (number * number).cast_unsigned();
    45 * number + 23 + (square.wrapping_mul(square) >> 7).cast_signed()
}

/// Where one level ends and the next begins, in doubled units.
pub fn bounds() -> [f64; 15] {
    std::array::from_fn(|number| {
        let number = i16::try_from(number).unwrap_or(LEVELS);
        f64::from(level(number) + level(number + 1))
    })
}

/// The number of the level that a coordinate's magnitude is nearest to.
pub fn nearest(coordinate: f64, bounds: &[f64; 15]) -> u8 {
    let doubled = 2.0 * UNIT * coordinate.abs();
    bounds.iter().map(|bound| u8::from(doubled >= *bound)).sum()
}
