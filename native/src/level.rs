//! What the processor can do, and functions compiled for it.
//!
//! The only unsafe code but for the bytes of a Python buffer: calls of functions compiled for instructions that the processor
//! has been asked about, and loads and stores of whole arrays. All levels give the same bits. The
//! best one gives the encoder eight times the texts, and counts bits three times as fast.
#![allow(unsafe_code)]

mod products;

pub use products::{GROUP, ROWS, Sums, TILE};

/// A set of instructions that this processor has; only `all` and `best` make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Width);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Any,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// With the dot product of 8-bit numbers.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// With the count of bits in words, too, which came a generation later.
    #[cfg(target_arch = "x86_64")]
    Avx512Bits,
}

/// Something to do whose code is compiled for each level; `run` has to be `#[inline(always)]`.
pub trait Work {
    /// What it gives.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

impl Level {
    /// Every level that this processor has, the best one first.
    pub fn all() -> Vec<Self> {
        let mut levels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni")
            {
                if is_x86_feature_detected!("avx512vpopcntdq") {
                    levels.push(Self(Width::Avx512Bits));
                }
                levels.push(Self(Width::Avx512));
            }
            if is_x86_feature_detected!("avx2") {
                levels.push(Self(Width::Avx2));
            }
        }
        levels.push(Self(Width::Any));
        levels
    }

    /// The best level of this processor.
    pub fn best() -> Self {
        Self::all()[0]
    }

    /// Does `work` with the instructions of this level.
    pub fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            // SAFETY: `all` gives a level only if the processor has its features.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512Bits => unsafe { run_avx512_bits(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { run_avx512(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { run_avx2(work) },
            Width::Any => work.run(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512vpopcntdq")]
fn run_avx512_bits<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
fn run_avx512<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<W: Work>(work: W) -> W::Output {
    work.run()
}
