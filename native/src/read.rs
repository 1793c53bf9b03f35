//! Reading files whole, one or many, with a bound on their size.
#![forbid(unsafe_code)]

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::parallel;

/// Why a file could not be read.
#[derive(Debug)]
pub enum Failure {
    /// The system's error.
    System(io::Error),
    /// Not a regular file: a folder, a pipe, a device.
    Irregular,
    /// More bytes than the bound.
    TooLarge,
}

/// Gives the bytes of the regular file at `path`, at most `max_bytes` of them.
pub fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Failure> {
    // Opening a pipe would wait for a writer, so the kind is asked for first.
    let metadata = std::fs::metadata(path).map_err(Failure::System)?;
    if !metadata.is_file() {
        return Err(Failure::Irregular);
    }
    if metadata.len() > max_bytes {
        return Err(Failure::TooLarge);
    }
    let file = File::open(path).map_err(Failure::System)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    // The file may grow between the two calls; the bound holds all the same.
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(Failure::System)?;
    if bytes.len() as u64 > max_bytes {
        return Err(Failure::TooLarge);
    }
    Ok(bytes)
}

/// Reads many files at once, in the order of `paths`.
pub fn read_files(paths: &[PathBuf], max_bytes: u64) -> Vec<Result<Vec<u8>, Failure>> {
    parallel::map(paths, |path| read_file(path, max_bytes))
}
