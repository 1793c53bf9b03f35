//! A text as tokens: words in lower case without accents, each as the longest pieces that are known.
#![forbid(unsafe_code)]

use unicode_normalization::UnicodeNormalization;

use super::characters::{is_ideograph, is_mark, is_punctuation, is_removed};
use super::layout::{EMPTY, Layout, PROBES};

const PADDING: usize = 0;
const UNKNOWN: usize = 1;
const START: usize = 2;
const END: usize = 3;
const CONTINUED: &[u8] = b"##";

/// The tokens of a text, start and end included, cut at what the model takes.
pub fn tokenize(section: &[u8], layout: &Layout, text: &str) -> Vec<u16> {
    let pieces = Pieces::new(section, layout);
    let special = layout.header.special;
    let limit = layout.header.positions - 1;
    let mut tokens = vec![token(special[START])];
    let mut rest = text;
    while tokens.len() < limit {
        let (before, found) = next_special(rest, &pieces, &special);
        add_words(before, &pieces, layout, limit, &mut tokens);
        let Some((id, after)) = found else { break };
        if tokens.len() < limit {
            tokens.push(token(id));
        }
        rest = after;
    }
    tokens.push(token(special[END]));
    tokens
}

/// A token's number; the header has been checked, so that it fits.
fn token(id: usize) -> u16 {
    u16::try_from(id).unwrap_or(EMPTY)
}

/// What stands before the first special token of a text, that token, and what follows it.
fn next_special<'t>(
    text: &'t str,
    pieces: &Pieces<'_>,
    special: &[usize; 5],
) -> (&'t str, Option<(usize, &'t str)>) {
    let first = special[PADDING..].iter().filter_map(|&id| {
        let piece = pieces.text(id);
        if piece.is_empty() {
            return None;
        }
        text.find(piece).map(|at| (at, piece.len(), id))
    });
    match first.min_by_key(|&(at, length, _)| (at, usize::MAX - length)) {
        Some((at, length, id)) => (&text[..at], Some((id, &text[at + length..]))),
        None => (text, None),
    }
}

/// Adds the tokens of a text without special ones.
fn add_words(
    text: &str,
    pieces: &Pieces<'_>,
    layout: &Layout,
    limit: usize,
    tokens: &mut Vec<u16>,
) {
    let mut words = Words {
        pieces,
        layout,
        limit,
        tokens,
        word: String::new(),
    };
    if text.is_ascii() {
        for byte in text.bytes() {
            let character = char::from(byte);
            if !is_removed(character) && !words.take(character.to_ascii_lowercase()) {
                return;
            }
        }
    } else {
        let spaced = text
            .chars()
            .filter(|&one| !is_removed(one))
            .flat_map(|one| {
                let around = is_ideograph(one).then_some(' ');
                around.into_iter().chain([one]).chain(around)
            });
        for character in spaced.nfd().filter(|&one| !is_mark(one)) {
            for lower in character.to_lowercase() {
                if !words.take(lower) {
                    return;
                }
            }
        }
    }
    words.finish();
}

/// Takes characters, makes words of them, and tokens of the words.
struct Words<'w> {
    pieces: &'w Pieces<'w>,
    layout: &'w Layout,
    limit: usize,
    tokens: &'w mut Vec<u16>,
    word: String,
}

impl Words<'_> {
    /// Takes one more character; false if there is no room for more tokens.
    fn take(&mut self, character: char) -> bool {
        if character.is_whitespace() {
            self.finish();
        } else if is_punctuation(character) {
            self.finish();
            self.word.push(character);
            self.finish();
        } else {
            self.word.push(character);
        }
        self.tokens.len() < self.limit
    }

    /// Ends the word that is being made, if any.
    fn finish(&mut self) {
        if !self.word.is_empty() {
            let header = &self.layout.header;
            let before = self.tokens.len();
            if !self
                .pieces
                .add(&self.word, header.word_characters, self.tokens)
            {
                self.tokens.truncate(before);
                self.tokens.push(token(header.special[UNKNOWN]));
            }
            self.tokens.truncate(self.limit);
            self.word.clear();
        }
    }
}

/// FNV-1a, which can be continued.
pub fn hash(mut state: u32, bytes: &[u8]) -> u32 {
    for byte in bytes {
        state = (state ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    }
    state
}

/// Where FNV-1a begins.
pub const HASH_START: u32 = 0x811C_9DC5;

/// The slot where looking for a hash begins.
pub fn first_slot(hash: u32, slots: usize) -> usize {
    // The high bits of a product depend on all bits of the hash.
    (hash ^ (hash >> 15)) as usize & (slots - 1)
}

/// The pieces of words, found by a table of slots.
struct Pieces<'s> {
    slots: &'s [[u8; 2]],
    ends: &'s [[u8; 4]],
    bytes: &'s [u8],
}

impl<'s> Pieces<'s> {
    fn new(section: &'s [u8], layout: &Layout) -> Self {
        let places = &layout.places;
        Self {
            slots: section[places.slots.clone()].as_chunks().0,
            ends: section[places.ends.clone()].as_chunks().0,
            bytes: &section[places.pieces.clone()],
        }
    }

    fn piece(&self, token: usize) -> &'s [u8] {
        let end = |at: usize| u32::from_le_bytes(self.ends[at]) as usize;
        let start = if token == 0 { 0 } else { end(token - 1) };
        // A file that was changed under our hands must not make this panic.
        self.bytes.get(start..end(token)).unwrap_or_default()
    }

    fn text(&self, token: usize) -> &'s str {
        std::str::from_utf8(self.piece(token)).unwrap_or_default()
    }

    /// The token of a piece in two parts, whose hash is known.
    fn find(&self, hash: u32, start: &[u8], rest: &[u8]) -> Option<u16> {
        let mut slot = first_slot(hash, self.slots.len());
        for _ in 0..PROBES {
            let token = u16::from_le_bytes(self.slots[slot]);
            if usize::from(token) >= self.ends.len() {
                return None;
            }
            if self.piece(usize::from(token)).strip_prefix(start) == Some(rest) {
                return Some(token);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        None
    }

    /// Adds the tokens of a word; false if it is too long or has a part that is no piece.
    fn add(&self, word: &str, most: usize, tokens: &mut Vec<u16>) -> bool {
        if word.chars().count() > most {
            return false;
        }
        let bytes = word.as_bytes();
        let mut start = 0;
        let mut ends: Vec<(usize, u32)> = Vec::with_capacity(bytes.len());
        while start < bytes.len() {
            let before: &[u8] = if start == 0 { b"" } else { CONTINUED };
            let mut state = hash(HASH_START, before);
            ends.clear();
            for (at, character) in word[start..].char_indices() {
                let end = start + at + character.len_utf8();
                state = hash(state, &bytes[start + at..end]);
                ends.push((end, state));
            }
            let longest = ends.iter().rev().find_map(|&(end, state)| {
                let found = self.find(state, before, &bytes[start..end]);
                found.map(|token| (end, token))
            });
            let Some((end, token)) = longest else {
                return false;
            };
            tokens.push(token);
            start = end;
        }
        true
    }
}
