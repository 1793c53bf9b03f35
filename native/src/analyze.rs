//! The one analysis of text: documents when postings are written, queries when they are searched.
//!
//! Text is normalised (NFKC), cut into words, lowered, and each word is given whole and in its
//! parts: `HTTPServer_v2` is `httpserver_v2`, `http`, `server`, `v2`. Plain words are stemmed.
//! Scripts written without blanks are given as pairs of characters. Punctuation is never syntax
//! and never a token. `docs/format-postings.md` has the rules; the Python twin follows them too.
#![forbid(unsafe_code)]

mod character;
mod identifier;
mod stem;

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use character::{Class, class};
pub use identifier::word;

/// What `’` and `'` may join to a word, besides the possessive `s`.
const CONTRACTIONS: [&str; 6] = ["t", "d", "m", "re", "ve", "ll"];

/// A piece of a text that gives the same tokens wherever it stands.
pub enum Piece<'t> {
    /// A token.
    Token(&'t str),
    /// A run of word characters, of which `word` makes tokens.
    Word(&'t str),
}

/// Calls `emit` with each token of `text`, in order.
pub fn analyze(text: &str, emit: &mut impl FnMut(&str)) {
    let mut scratch = String::new();
    cut(text, &mut |piece| match piece {
        Piece::Token(token) => emit(token),
        Piece::Word(run) => word(run, &mut scratch, emit),
    });
}

/// Which of some terms a text has: bit `k` for term `k`, of at most 64.
pub fn terms_in(text: &str, terms: &[&str]) -> u64 {
    let mut found = 0;
    analyze(text, &mut |token| {
        for (place, term) in terms.iter().enumerate() {
            found |= u64::from(*term == token) << place;
        }
    });
    found
}

/// Calls `each` with the pieces of `text`, in order.
pub fn cut(text: &str, each: &mut impl FnMut(Piece<'_>)) {
    let text = normalised(text);
    let mut rest = text.as_ref();
    let mut scratch = String::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii() && !is_word(c));
        let Some(first) = rest.chars().next() else {
            return;
        };
        let class = class(first);
        let length = match class {
            Class::Separator | Class::Symbol => first.len_utf8(),
            Class::Word | Class::Gram => run_length(rest, class),
        };
        let (run, after) = rest.split_at(length);
        rest = after;
        match class {
            Class::Separator => {}
            Class::Symbol => each(Piece::Token(run)),
            Class::Gram => pairs(run, each),
            Class::Word => match contraction(run, after) {
                Some((suffix, end)) => {
                    rest = &after[end..];
                    contracted(run, suffix, &mut scratch, each);
                }
                None => each(Piece::Word(run)),
            },
        }
    }
}

/// What `class` says of a character of ASCII, which nearly all are.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn normalised(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// Bytes of the longest beginning of `text` whose characters are all of one class.
fn run_length(text: &str, wanted: Class) -> usize {
    text.char_indices()
        .find(|&(_, c)| {
            let is_wanted = if c.is_ascii() {
                is_word(c) && wanted == Class::Word
            } else {
                class(c) == wanted
            };
            !is_wanted
        })
        .map_or(text.len(), |(index, _)| index)
}

fn pairs(run: &str, each: &mut impl FnMut(Piece<'_>)) {
    let starts = run.char_indices().map(|(index, _)| index);
    let ends = run
        .char_indices()
        .map(|(index, c)| index + c.len_utf8())
        .skip(1);
    let mut is_alone = true;
    for (start, end) in starts.zip(ends) {
        each(Piece::Token(&run[start..end]));
        is_alone = false;
    }
    if is_alone {
        each(Piece::Token(run));
    }
}

/// The suffix of `don't` or `user's` after the word `run`, and where it ends in `after`.
///
/// One letter before a quote is a string prefix (`b's'`), not a word.
fn contraction<'t>(run: &str, after: &'t str) -> Option<(&'t str, usize)> {
    if run.len() < 2 || !run.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let rest = after.strip_prefix(['\'', '\u{2019}'])?;
    let suffix = &rest[..run_length(rest, Class::Word)];
    let is_known = suffix.eq_ignore_ascii_case("s")
        || CONTRACTIONS
            .iter()
            .any(|known| suffix.eq_ignore_ascii_case(known));
    is_known.then_some((suffix, after.len() - rest.len() + suffix.len()))
}

fn contracted(run: &str, suffix: &str, scratch: &mut String, each: &mut impl FnMut(Piece<'_>)) {
    if suffix.eq_ignore_ascii_case("s") {
        each(Piece::Word(run));
    } else {
        scratch.clear();
        scratch.push_str(run);
        scratch.push_str(suffix);
        scratch.make_ascii_lowercase();
        each(Piece::Token(identifier::capped(scratch)));
    }
}

#[cfg(test)]
mod tests {
    use super::analyze;

    fn tokens(text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        analyze(text, &mut |token| tokens.push(token.to_owned()));
        tokens
    }

    #[test]
    fn identifiers_are_whole_and_in_parts() {
        assert_eq!(
            tokens("HTTPServer_v2"),
            ["httpserver_v2", "http", "server", "v2"]
        );
        assert_eq!(
            tokens("httpx.AsyncClient"),
            ["httpx", "asyncclient", "async", "client"]
        );
        assert_eq!(tokens("__init__"), ["__init__", "init"]);
        assert_eq!(tokens("parseURLs"), ["parseurls", "pars", "url"]);
        assert_eq!(tokens("sha256"), ["sha256", "sha"]);
    }

    #[test]
    fn prose_is_stemmed_and_contractions_are_words() {
        assert_eq!(tokens("Caching caches cached"), ["cach", "cach", "cach"]);
        assert_eq!(
            tokens("don't user\u{2019}s b's'"),
            ["dont", "user", "b", "s"]
        );
    }

    #[test]
    fn scripts_without_blanks_become_pairs() {
        assert_eq!(tokens("重跑gen-itgc后"), ["重跑", "gen", "itgc", "后"]);
        assert_eq!(tokens("テスト"), ["テス", "スト"]);
        assert_eq!(tokens("cafe\u{301}"), tokens("café"));
    }

    #[test]
    fn punctuation_is_no_token() {
        assert!(tokens("\"'*^-()[]{}<>?!\0 \t\u{3000}").is_empty());
        assert_eq!(tokens("🚀_"), ["🚀", "_"]);
    }
}
