//! Needles: short texts one of which lies in every match, so that most lines need no look at the
//! pattern.
#![forbid(unsafe_code)]

use std::cmp::Reverse;

use regex_automata::MatchKind;
use regex_automata::util::prefilter::Prefilter;
use regex_syntax::hir::literal::{ExtractKind, Extractor, Seq};
use regex_syntax::hir::{Hir, HirKind};

/// A single byte is found in nearly every line.
const SHORTEST: usize = 2;
/// As many as are searched for at once without a slow automaton.
const MOST: usize = 64;
/// How deep in groups, and from how many places of a sequence, needles are looked for.
const DEPTH: usize = 6;
const STARTS: usize = 12;

type Needles = Vec<Vec<u8>>;

/// What to look for before the pattern; nothing where a match need not hold any certain text.
pub fn needles(pattern: &Hir) -> Option<Prefilter> {
    Prefilter::new(MatchKind::LeftmostFirst, &required(pattern, DEPTH)?)
}

fn required(pattern: &Hir, depth: usize) -> Option<Needles> {
    let inner = depth.checked_sub(1).and_then(|depth| match pattern.kind() {
        HirKind::Capture(capture) => required(&capture.sub, depth),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub, depth),
        HirKind::Concat(parts) => parts
            .iter()
            .take(STARTS)
            .filter_map(|part| required(part, depth))
            .chain(
                (1..parts.len().min(STARTS))
                    .filter_map(|start| first(&Hir::concat(parts[start..].to_vec()))),
            )
            .max_by_key(worth),
        HirKind::Alternation(parts) => parts
            .iter()
            .map(|part| required(part, depth))
            .collect::<Option<Vec<_>>>()
            .map(|needles| needles.concat())
            .filter(|needles| needles.len() <= MOST),
        _ => None,
    });
    [first(pattern), last(pattern), inner]
        .into_iter()
        .flatten()
        .max_by_key(worth)
}

/// The texts that the matches begin with.
fn first(pattern: &Hir) -> Option<Needles> {
    let mut found = Extractor::new().extract(pattern);
    found.optimize_for_prefix_by_preference();
    usable(&found)
}

/// The texts that the matches end in.
fn last(pattern: &Hir) -> Option<Needles> {
    let mut found = Extractor::new().kind(ExtractKind::Suffix).extract(pattern);
    found.optimize_for_suffix_by_preference();
    usable(&found)
}

fn usable(found: &Seq) -> Option<Needles> {
    let literals = found.literals()?;
    let is_usable = (1..=MOST).contains(&literals.len())
        && literals.iter().all(|literal| literal.len() >= SHORTEST);
    is_usable.then(|| {
        literals
            .iter()
            .map(|literal| literal.as_bytes().to_vec())
            .collect()
    })
}

/// Long needles are rare, and few are found fast.
fn worth(needles: &Needles) -> (usize, Reverse<usize>) {
    let shortest = needles.iter().map(Vec::len).min().unwrap_or_default();
    (shortest, Reverse(needles.len()))
}

#[cfg(test)]
mod tests {
    use regex_syntax::ParserBuilder;

    use super::{DEPTH, required};

    fn found(pattern: &str, ignore_case: bool) -> Option<Vec<String>> {
        let hir = ParserBuilder::new()
            .case_insensitive(ignore_case)
            .build()
            .parse(pattern)
            .expect("a pattern");
        required(&hir, DEPTH).map(|needles| {
            needles
                .iter()
                .map(|needle| String::from_utf8_lossy(needle).into_owned())
                .collect()
        })
    }

    #[test]
    fn every_match_holds_a_needle() {
        for (pattern, needles) in [
            ("AsyncClient", vec!["AsyncClient"]),
            (r"[A-Z]\w+Error\b", vec!["Error"]),
            (r"\bdef\s+(\w+)_handler\(", vec!["_handler("]),
            ("(?:get|new)_loop", vec!["get_loop", "new_loop"]),
            (r"\w+(?:Client|Server)\d?", vec!["Client", "Server"]),
            (r"(?:\d*self\.x)+", vec!["self.x"]),
        ] {
            assert_eq!(
                found(pattern, false),
                Some(needles.into_iter().map(str::to_owned).collect()),
                "{pattern}"
            );
        }
        let needles = found("asyncclient", true).expect("some");
        assert!(needles.len() > 1);
        let parts = |needle: &String| "asyncclient".contains(&needle.to_lowercase());
        assert!(needles.iter().any(parts), "{needles:?}");
    }

    #[test]
    fn where_none_is_certain_there_is_none() {
        for pattern in [
            "", "a", r"\w+", "(?:abc)?", "(?:abc)*", "abc|d", r"\d{4}", "^$",
        ] {
            assert_eq!(found(pattern, false), None, "{pattern}");
        }
    }
}
