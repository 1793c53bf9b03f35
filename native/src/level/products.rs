//! Exact sums of 8-bit products, for each level.
//!
//! The tests hold all levels to the same bits; `dpbusd` gives eight times the texts that plain Rust
//! does.

use super::{Level, Width};

/// How many inputs of a channel stand together in a tile: a dot product adds so many at once.
pub const GROUP: usize = 4;
/// How many channels a tile of a matrix holds.
pub const TILE: usize = 16;

/// Sums of products for some rows: a tile of channels each.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Sums(pub [[i32; TILE]; ROWS]);

/// How many rows are multiplied at once.
pub const ROWS: usize = 6;

impl Level {
    /// The products of up to `ROWS` rows of codes with the channels of up to four tiles.
    ///
    /// Each row has as many groups as each tile; rows beyond the given ones are left alone.
    pub fn products(
        self,
        rows: &[&[[u8; GROUP]]],
        tiles: &[&[[u8; TILE * GROUP]]],
        sums: &mut [Sums],
    ) {
        match self.0 {
            // SAFETY: `all` gives a level only if the processor has its features.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 | Width::Avx512Bits => unsafe { x86::products_vnni(rows, tiles, sums) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { x86::products_avx2(rows, tiles, sums) },
            Width::Any => products(rows, tiles, sums),
        }
    }
}

/// The products in plain Rust.
fn products(rows: &[&[[u8; GROUP]]], tiles: &[&[[u8; TILE * GROUP]]], sums: &mut [Sums]) {
    let mut inputs = Vec::new();
    for (tile, sums) in tiles.iter().zip(sums) {
        // Input by input, the channels beside each other: so the compiler finds vectors.
        inputs.clear();
        inputs.extend(tile.iter().flat_map(|weights| {
            std::array::from_fn::<_, GROUP, _>(|input| {
                std::array::from_fn::<_, TILE, _>(|channel| {
                    i16::from(weights[channel * GROUP + input].cast_signed())
                })
            })
        }));
        for (row, sums) in rows.iter().zip(&mut sums.0) {
            let mut added = [0_i32; TILE];
            for (code, weights) in row.as_flattened().iter().zip(&inputs) {
                let code = i16::from(*code);
                for channel in 0..TILE {
                    added[channel] += i32::from(code) * i32::from(weights[channel]);
                }
            }
            *sums = added;
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm_loadu_si128, _mm_set1_epi32, _mm256_add_epi32, _mm256_cvtepi8_epi16,
        _mm256_cvtepu8_epi16, _mm256_madd_epi16, _mm256_setzero_si256, _mm256_storeu_si256,
        _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512,
        _mm512_storeu_si512,
    };

    use super::{GROUP, ROWS, Sums, TILE};

    type Group = [u8; GROUP];
    type TileGroup = [u8; TILE * GROUP];

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
    pub fn products_vnni(rows: &[&[Group]], tiles: &[&[TileGroup]], sums: &mut [Sums]) {
        match (rows.len(), tiles.len()) {
            (6, 4) => block_vnni::<6, 4>(rows, tiles, sums),
            (5, 4) => block_vnni::<5, 4>(rows, tiles, sums),
            (4, 4) => block_vnni::<4, 4>(rows, tiles, sums),
            (3, 4) => block_vnni::<3, 4>(rows, tiles, sums),
            (2, 4) => block_vnni::<2, 4>(rows, tiles, sums),
            (1, 4) => block_vnni::<1, 4>(rows, tiles, sums),
            _ => {
                for (at, row) in rows.iter().enumerate() {
                    for (tile, sums) in tiles.iter().zip(&mut *sums) {
                        let mut one = [Sums([[0; TILE]; ROWS])];
                        block_vnni::<1, 1>(&[*row], &[*tile], &mut one);
                        sums.0[at] = one[0].0[0];
                    }
                }
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
    fn block_vnni<const R: usize, const T: usize>(
        rows: &[&[Group]],
        tiles: &[&[TileGroup]],
        sums: &mut [Sums],
    ) {
        let groups = rows[0].len();
        let rows: [&[Group]; R] = std::array::from_fn(|at| &rows[at][..groups]);
        let tiles: [&[TileGroup]; T] = std::array::from_fn(|at| &tiles[at][..groups]);
        let mut added = [[_mm512_setzero_si512(); T]; R];
        for group in 0..groups {
            let mut weights = [_mm512_setzero_si512(); T];
            for (weight, tile) in weights.iter_mut().zip(tiles) {
                *weight = load_512(&tile[group]);
            }
            for (added, row) in added.iter_mut().zip(rows) {
                let codes = _mm512_set1_epi32(i32::from_le_bytes(row[group]));
                for (added, weight) in added.iter_mut().zip(weights) {
                    *added = _mm512_dpbusd_epi32(*added, codes, weight);
                }
            }
        }
        for (row, added) in added.into_iter().enumerate() {
            for (tile, added) in added.into_iter().enumerate() {
                // SAFETY: the array has 64 bytes.
                unsafe { _mm512_storeu_si512(sums[tile].0[row].as_mut_ptr().cast(), added) };
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    fn load_512(bytes: &TileGroup) -> __m512i {
        // SAFETY: the array has 64 bytes.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    pub fn products_avx2(rows: &[&[Group]], tiles: &[&[TileGroup]], sums: &mut [Sums]) {
        for (tile, sums) in tiles.iter().zip(sums) {
            let mut at = 0;
            while at < rows.len() {
                match rows.len() - at {
                    1 => block_avx2::<1>(&rows[at..], tile, &mut sums.0[at..]),
                    2 => block_avx2::<2>(&rows[at..], tile, &mut sums.0[at..]),
                    _ => block_avx2::<3>(&rows[at..], tile, &mut sums.0[at..]),
                }
                at += 3;
            }
        }
    }

    #[target_feature(enable = "avx2")]
    fn block_avx2<const R: usize>(rows: &[&[Group]], tile: &[TileGroup], sums: &mut [[i32; TILE]]) {
        let groups = tile.len();
        let rows: [&[Group]; R] = std::array::from_fn(|at| &rows[at][..groups]);
        // Each sum is in two halves, which stand beside each other.
        let mut added = [[_mm256_setzero_si256(); 4]; R];
        for group in 0..groups {
            let mut codes = [_mm256_setzero_si256(); R];
            for (codes, row) in codes.iter_mut().zip(rows) {
                let four = _mm_set1_epi32(i32::from_le_bytes(row[group]));
                *codes = _mm256_cvtepu8_epi16(four);
            }
            for (part, bytes) in tile[group].as_chunks::<16>().0.iter().enumerate() {
                let weight = load_16(bytes);
                for (added, codes) in added.iter_mut().zip(codes) {
                    added[part] = _mm256_add_epi32(added[part], _mm256_madd_epi16(codes, weight));
                }
            }
        }
        for (sums, added) in sums.iter_mut().zip(added) {
            for (sums, added) in sums.as_chunks_mut::<4>().0.iter_mut().zip(added) {
                let mut halves = [0_i32; 8];
                // SAFETY: the array has 32 bytes.
                unsafe { _mm256_storeu_si256(halves.as_mut_ptr().cast(), added) };
                for (sum, [one, other]) in sums.iter_mut().zip(halves.as_chunks().0) {
                    *sum = one + other;
                }
            }
        }
    }

    /// Sixteen signed bytes as 16-bit numbers.
    #[target_feature(enable = "avx2")]
    fn load_16(bytes: &[u8; 16]) -> __m256i {
        // SAFETY: the array has 16 bytes.
        _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }
}
