//! Lines: LF, CR and CRLF end one.
#![forbid(unsafe_code)]

use std::ops::Range;

/// Whether the byte ends a line.
pub fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The lines of `text` without their ends; none behind the last line end.
pub fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let length = rest
            .iter()
            .position(|&byte| is_line_end(byte))
            .unwrap_or(rest.len());
        let line = start..start + length;
        let is_crlf = rest[length..].starts_with(b"\r\n");
        start += length + if is_crlf { 2 } else { 1 };
        Some(line)
    })
}

/// The line of `place`, which is behind or at `from`, where a line ends or the text begins.
pub fn line_around(text: &str, from: usize, place: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let before = bytes[from..place].iter().rposition(|&b| is_line_end(b));
    let after = bytes[place..].iter().position(|&b| is_line_end(b));
    before.map_or(from, |at| from + at + 1)..after.map_or(bytes.len(), |length| place + length)
}
