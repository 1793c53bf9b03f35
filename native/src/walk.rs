//! The regular files below a folder, in one order everywhere.
#![forbid(unsafe_code)]

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::path::Path;

use walkdir::WalkDir;

/// A regular file: its path below the root, in the system's own encoding, and its size.
pub struct Found {
    /// The path's bytes, with `/` between the parts.
    pub path: Vec<u8>,
    /// Bytes in the file.
    pub size: u64,
}

/// A folder or file that could not be looked at, and the system's reason.
pub struct Unreadable {
    /// The path's bytes, with `/` between the parts; empty for the root itself.
    pub path: Vec<u8>,
    /// What the system said.
    pub error: io::Error,
}

/// Lists the regular files below `root`, sorted by the bytes of their paths.
///
/// Symbolic links are neither followed nor listed (the root may be one); folders called one of
/// `excluded` are not entered, wherever they are.
pub fn walk(root: &Path, excluded: &HashSet<&OsStr>) -> (Vec<Found>, Vec<Unreadable>) {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    let entries = WalkDir::new(root).into_iter().filter_entry(|entry| {
        entry.depth() == 0 || !entry.file_type().is_dir() || !excluded.contains(entry.file_name())
    });
    for entry in entries {
        let step = match entry {
            Ok(entry) if entry.depth() > 0 && entry.file_type().is_file() => {
                let path = below(entry.path(), root);
                match entry.metadata() {
                    Ok(metadata) => Ok(Found {
                        path,
                        size: metadata.len(),
                    }),
                    Err(error) => Err(Unreadable {
                        path,
                        error: system_error(error),
                    }),
                }
            }
            Ok(_) => continue,
            Err(error) => Err(Unreadable {
                path: error
                    .path()
                    .map(|path| below(path, root))
                    .unwrap_or_default(),
                error: system_error(error),
            }),
        };
        match step {
            Ok(file) => files.push(file),
            Err(problem) => problems.push(problem),
        }
    }
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    (files, problems)
}

/// The system's own error, without the words and path that `walkdir` wraps around it.
fn system_error(error: walkdir::Error) -> io::Error {
    match error.io_error().and_then(io::Error::raw_os_error) {
        Some(number) => io::Error::from_raw_os_error(number),
        None => error.into(),
    }
}

fn below(path: &Path, root: &Path) -> Vec<u8> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let mut bytes = Vec::with_capacity(relative.as_os_str().len());
    for (index, part) in relative.iter().enumerate() {
        if index > 0 {
            bytes.push(b'/');
        }
        bytes.extend_from_slice(part.as_encoded_bytes());
    }
    bytes
}
