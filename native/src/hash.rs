//! The 64-bit hash that tells whether a file changed; never a proof of identity.
#![forbid(unsafe_code)]

use std::path::PathBuf;

use crate::parallel;
use crate::read::read_file;

/// XXH64 with seed zero.
pub fn xxh64(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh64::xxh64(bytes, 0)
}

/// Hashes many files at once, in the order of `paths`; `None` where one cannot be read.
pub fn hash_files(paths: &[PathBuf]) -> Vec<Option<u64>> {
    parallel::map(paths, |path| {
        read_file(path, u64::MAX).ok().map(|bytes| xxh64(&bytes))
    })
}
