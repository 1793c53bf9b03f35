//! A fixed rotation: signs, Hadamard transforms of blocks and a permutation, three times.
//!
//! Additions and multiplications in one order, so that the Python twin gives the same bits.
#![forbid(unsafe_code)]

/// What dimensions are padded to a multiple of.
pub const WORD: usize = 64;

const ROUNDS: u64 = 3;
const SEED: u64 = 0x7079_646f_6373_7471;
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// How many coordinates a rotated vector has.
pub fn padded(dimensions: usize) -> usize {
    dimensions.next_multiple_of(WORD)
}

/// The signs of a rotation, worked out once for many vectors.
pub struct Rotation {
    size: usize,
    block: usize,
    signs: Vec<f64>,
}

impl Rotation {
    /// The rotation of vectors of so many dimensions.
    pub fn new(dimensions: usize) -> Self {
        let size = padded(dimensions);
        let words = size.div_ceil(WORD);
        let mut signs = Vec::new();
        let mut counter = 0;
        for _ in 0..ROUNDS {
            for _ in 0..words {
                counter += 1;
                let word = mixed(SEED.wrapping_add(STEP.wrapping_mul(counter)));
                signs.extend((0..WORD).map(|bit| if word >> bit & 1 == 1 { -1.0 } else { 1.0 }));
            }
        }
        // The largest power of two that divides the size.
        let block = 1 << size.trailing_zeros();
        Self { size, block, signs }
    }

    /// The rotated vector, its squares adding up to as many as it has coordinates.
    ///
    /// None for a vector without a direction: nothing but zeros, or a number that is none.
    pub fn of(&self, vector: impl Iterator<Item = f64>) -> Option<Vec<f64>> {
        let mut turned: Vec<f64> = vector.collect();
        turned.resize(self.size, 0.0);
        let mut moved = vec![0.0; self.size];
        for signs in self.signs.chunks_exact(self.size) {
            for (number, sign) in turned.iter_mut().zip(signs) {
                *number *= sign;
            }
            for block in turned.chunks_exact_mut(self.block) {
                hadamard(block);
            }
            // Rows become columns: each new block has something of every old one.
            let blocks = self.size / self.block;
            for (row, block) in turned.chunks_exact(self.block).enumerate() {
                for (column, number) in block.iter().enumerate() {
                    moved[column * blocks + row] = *number;
                }
            }
            std::mem::swap(&mut turned, &mut moved);
        }
        let squares = turned.iter().fold(0.0, |sum, number| sum + number * number);
        if !squares.is_finite() || squares <= 0.0 {
            return None;
        }
        #[allow(clippy::cast_precision_loss)] // at most 4096
        let scale = (self.size as f64 / squares).sqrt();
        for number in &mut turned {
            *number *= scale;
        }
        Some(turned)
    }
}

/// Sums and differences of numbers 1, 2, 4 … apart; the length is a power of two.
fn hadamard(numbers: &mut [f64]) {
    let mut apart = 1;
    while apart < numbers.len() {
        for pair in numbers.chunks_exact_mut(2 * apart) {
            let (left, right) = pair.split_at_mut(apart);
            for (left, right) in left.iter_mut().zip(right) {
                (*left, *right) = (*left + *right, *left - *right);
            }
        }
        apart *= 2;
    }
}

/// The finaliser of splitmix64 (Steele, Lea, Flood, 2014).
fn mixed(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
