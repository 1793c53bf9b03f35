//! What a character is to the analysis.
//!
//! The ranges are fixed here rather than asked of a Unicode database, so that every version of
//! Rust and of Python cuts text in the same places, characters of the future included.
#![forbid(unsafe_code)]

/// How a character takes part in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Ends a word and is dropped.
    Separator,
    /// A letter, digit, underscore or combining mark.
    Word,
    /// A letter of a script that is written without blanks.
    Gram,
    /// A token by itself: an arrow, an emoji, a currency.
    Symbol,
}

use Class::{Gram, Separator, Symbol, Word};

/// Sorted, without overlap; what lies between is `Word`.
const RANGES: [(u32, u32, Class); 69] = [
    (0x80, 0xA9, Separator),
    (0xAB, 0xB4, Separator),
    (0xB6, 0xB9, Separator),
    (0xBB, 0xBF, Separator),
    (0xD7, 0xD7, Separator),
    (0xF7, 0xF7, Separator),
    (0x37E, 0x37E, Separator),
    (0x387, 0x387, Separator),
    (0x55A, 0x55F, Separator),
    (0x589, 0x58A, Separator),
    (0x5BE, 0x5BE, Separator),
    (0x5C0, 0x5C0, Separator),
    (0x5C3, 0x5C3, Separator),
    (0x5C6, 0x5C6, Separator),
    (0x5F3, 0x5F4, Separator),
    (0x600, 0x60F, Separator),
    (0x61B, 0x61F, Separator),
    (0x66A, 0x66D, Separator),
    (0x6D4, 0x6D4, Separator),
    (0x6DD, 0x6DD, Separator),
    (0x700, 0x70F, Separator),
    (0x964, 0x965, Separator),
    (0x970, 0x970, Separator),
    (0xDF4, 0xDF4, Separator),
    (0xE00, 0xEFF, Gram),
    (0x1000, 0x109F, Gram),
    (0x10FB, 0x10FB, Separator),
    (0x1100, 0x11FF, Gram),
    (0x1360, 0x1368, Separator),
    (0x1400, 0x1400, Separator),
    (0x166D, 0x166E, Separator),
    (0x1680, 0x1680, Separator),
    (0x169B, 0x169C, Separator),
    (0x16EB, 0x16ED, Separator),
    (0x1735, 0x1736, Separator),
    (0x1780, 0x17FF, Gram),
    (0x1800, 0x180F, Separator),
    (0x2000, 0x206F, Separator),
    (0x20A0, 0x20CF, Symbol),
    (0x20D0, 0x20FF, Separator),
    (0x2190, 0x23FF, Symbol),
    (0x2400, 0x259F, Separator),
    (0x25A0, 0x27FF, Symbol),
    (0x2800, 0x28FF, Separator),
    (0x2900, 0x2BFF, Symbol),
    (0x2E00, 0x2E7F, Separator),
    (0x2E80, 0x2FDF, Gram),
    (0x2FF0, 0x3004, Separator),
    (0x3005, 0x3007, Gram),
    (0x3008, 0x3020, Separator),
    (0x3021, 0x302F, Gram),
    (0x3030, 0x3030, Separator),
    (0x3031, 0x303C, Gram),
    (0x303D, 0x3040, Separator),
    (0x3041, 0x31FF, Gram),
    (0x3400, 0x9FFF, Gram),
    (0xA960, 0xA97F, Gram),
    (0xAC00, 0xD7FF, Gram),
    (0xD800, 0xF8FF, Separator),
    (0xF900, 0xFAFF, Gram),
    (0xFD3E, 0xFD3F, Separator),
    (0xFE00, 0xFE1F, Separator),
    (0xFE30, 0xFE6F, Separator),
    (0xFEFF, 0xFEFF, Separator),
    (0xFFE0, 0xFFFF, Separator),
    (0x1B000, 0x1B16F, Gram),
    (0x1F000, 0x1FAFF, Symbol),
    (0x20000, 0x3FFFF, Gram),
    (0xE0000, 0x0010_FFFF, Separator),
];

/// Tells how `c` takes part in tokens.
pub fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() || c == '_' {
            Word
        } else {
            Separator
        };
    }
    let code = u32::from(c);
    let after = RANGES.partition_point(|&(first, _, _)| first <= code);
    match after.checked_sub(1).map(|index| RANGES[index]) {
        Some((_, last, class)) if code <= last => class,
        _ => Word,
    }
}

#[cfg(test)]
mod tests {
    use super::RANGES;

    #[test]
    fn ranges_are_sorted_and_apart() {
        assert!(RANGES.iter().all(|range| range.0 <= range.1));
        assert!(RANGES.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }
}
