//! Floating-point functions that give the same bits on every machine: additions, multiplications,
//! divisions and roots, each rounded once, in one order.
#![forbid(unsafe_code)]
// Only what is inlined is compiled for the level of its caller.
#![allow(clippy::inline_always)]

/// How many sums run beside each other when many numbers are added.
pub const LANES: usize = 16;

/// The sum of lanes, halves onto halves.
#[inline(always)]
pub fn folded(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}

/// The sum of numbers, the n-th in lane n modulo 16.
#[inline(always)]
pub fn sum(numbers: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for chunk in numbers.as_chunks::<LANES>().0 {
        for (lane, number) in lanes.iter_mut().zip(chunk) {
            *lane += number;
        }
    }
    folded(lanes)
}

/// The smallest number.
#[inline(always)]
pub fn least(numbers: &[f32]) -> f32 {
    extreme(numbers, smaller)
}

/// The largest number.
#[inline(always)]
pub fn most(numbers: &[f32]) -> f32 {
    extreme(numbers, larger)
}

#[inline(always)]
fn extreme(numbers: &[f32], choose: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [numbers.first().copied().unwrap_or(0.0); LANES];
    for chunk in numbers.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            lanes[lane] = choose(chunk[lane], lanes[lane]);
        }
    }
    let mut found = lanes[0];
    for lane in &lanes[1..] {
        found = choose(*lane, found);
    }
    found
}

// One instruction each, unlike `f32::min` and `f32::max` with their rules for what is no number.
#[inline(always)]
fn smaller(one: f32, other: f32) -> f32 {
    if one < other { one } else { other }
}

#[inline(always)]
fn larger(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

// Adding and taking away 1.5 * 2^23 rounds to an integer, halves to even.
const ROUNDING: f32 = 12_582_912.0;
const LEAST_EXPONENT: f32 = -87.0;
// ln 2 in two parts, the first short enough for its multiples to be exact.
const LN2_HIGH: f32 = 0.693_359_4;
const LN2_LOW: f32 = -2.121_944_4e-4;
// e^r for |r| <= ln 2 / 2, by the series up to r^6 / 6!.
const EXP: [f32; 7] = [
    1.0,
    1.0,
    0.5,
    0.166_666_67,
    0.041_666_668,
    0.008_333_334,
    0.001_388_888_9,
];

/// e to the power of a number that is not above zero; below -87 as at -87.
#[inline(always)]
pub fn exp(number: f32) -> f32 {
    let number = larger(number, LEAST_EXPONENT);
    let shifted = number * std::f32::consts::LOG2_E + ROUNDING;
    let whole = shifted - ROUNDING;
    let rest = (number - whole * LN2_HIGH) - whole * LN2_LOW;
    let mut power = EXP[6];
    for term in EXP[..6].iter().rev() {
        power = power * rest + term;
    }
    // The integer stands in the low bits of `shifted`; it becomes the exponent of a power of two.
    let exponent = shifted.to_bits().wrapping_sub(ROUNDING.to_bits());
    power * f32::from_bits(exponent.wrapping_add(127) << 23)
}

// The normal distribution is 1/2 + x P(x^2) up to 4.5 on either side; P is a polynomial in
// 2 x^2 / 4.5^2 - 1, fitted so that x times the distribution is right to 3.4e-5.
const GELU_REACH: f32 = 4.5;
const GELU_SCALE: f32 = 2.0 / (4.5 * 4.5);
const GELU: [f32; 9] = [
    0.156_902_12,
    -0.077_171_96,
    0.054_818_574,
    -0.040_555_75,
    0.027_629_36,
    -0.016_744_09,
    0.012_208_612,
    -0.009_328_505,
    0.003_353_636,
];

/// A number times the normal distribution up to it.
#[inline(always)]
pub fn gelu(number: f32) -> f32 {
    let near = smaller(larger(number, -GELU_REACH), GELU_REACH);
    let place = near * near * GELU_SCALE - 1.0;
    let mut slope = GELU[8];
    for term in GELU[..8].iter().rev() {
        slope = slope * place + term;
    }
    number * (0.5 + near * slope)
}
