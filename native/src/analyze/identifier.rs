//! A word, whole and in its parts: `snake_case`, `camelCase`, `__dunder__`, `sha256`.
#![forbid(unsafe_code)]

use super::stem::stem;

/// Characters of the longest token; the rest of a longer one is cut off.
const MAX_TOKEN: usize = 64;

/// Characters of the longest word that has parts; what is longer is encoded data.
const MAX_WORD: usize = 256;

/// Emits the tokens of one run of word characters.
pub fn word(run: &str, scratch: &mut String, emit: &mut impl FnMut(&str)) {
    let is_plain = !run.contains('_') && (!run.is_ascii() || pieces(run).nth(1).is_none());
    let is_encoded = run.len() > MAX_WORD && run.chars().count() > MAX_WORD;
    if !is_plain || is_encoded {
        lowered(run, scratch);
        emit(capped(scratch));
    }
    if is_encoded {
        return;
    }
    for segment in run.split('_').filter(|segment| !segment.is_empty()) {
        if segment.is_ascii() {
            for piece in pieces(segment) {
                part(piece, scratch, emit);
            }
        } else {
            lowered(segment, scratch);
            emit(capped(scratch));
        }
    }
}

/// The beginning of `token` that is indexed.
pub fn capped(token: &str) -> &str {
    if token.len() <= MAX_TOKEN {
        return token;
    }
    match token.char_indices().nth(MAX_TOKEN) {
        Some((end, _)) => &token[..end],
        None => token,
    }
}

/// Cuts ASCII letters and digits where a capital begins a word.
fn pieces(segment: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    std::iter::from_fn(move || {
        if start == segment.len() {
            return None;
        }
        let letters = segment.as_bytes();
        let end = (start + 1..letters.len())
            .find(|&index| begins_word(letters, index))
            .unwrap_or(letters.len());
        let piece = &segment[start..end];
        start = end;
        Some(piece)
    })
}

fn begins_word(letters: &[u8], index: usize) -> bool {
    if !letters[index].is_ascii_uppercase() {
        return false;
    }
    if !letters[index - 1].is_ascii_uppercase() {
        return true;
    }
    // `HTTPServer`: the last capital belongs to what follows; but `URLs` is a plural.
    match letters[index + 1..] {
        [] | [b's'] => false,
        [next, ..] => next.is_ascii_lowercase(),
    }
}

/// Emits one part; a name with a number (`sha256`) also without it.
fn part(piece: &str, scratch: &mut String, emit: &mut impl FnMut(&str)) {
    scratch.clear();
    match piece.strip_suffix('s') {
        Some(acronym) if acronym.len() > 1 && acronym.bytes().all(|b| b.is_ascii_uppercase()) => {
            scratch.push_str(acronym);
            scratch.make_ascii_lowercase();
        }
        _ => {
            scratch.push_str(piece);
            scratch.make_ascii_lowercase();
            stem(scratch);
        }
    }
    emit(capped(scratch));
    let name = piece.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_numbered = name.len() < piece.len() && name.len() > 1;
    if is_numbered && name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        scratch.clear();
        scratch.push_str(name);
        scratch.make_ascii_lowercase();
        stem(scratch);
        emit(capped(scratch));
    }
}

/// Lowers each character by itself, so that no rule about a word's end applies.
fn lowered(text: &str, out: &mut String) {
    out.clear();
    if text.is_ascii() {
        out.push_str(text);
        out.make_ascii_lowercase();
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
        if out.contains('ς') {
            *out = out.replace('ς', "σ");
        }
    }
}
