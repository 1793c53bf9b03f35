//! Patterns over many texts: linear time where the pattern allows it, a deadline everywhere.
//!
//! Patterns are written as for Python's `re`. A match lies within one line unless `multiline` is
//! asked for; LF, CR and CRLF all end lines, and `$` stands before each of them.
#![forbid(unsafe_code)]

mod engine;
mod lines;
mod needles;
mod pattern;
mod tally;

use std::ops::Range;
use std::time::{Duration, Instant};

use engine::Engine;
use lines::{is_line_end, line_around, lines};
use regex_automata::Span;
use regex_automata::util::prefilter::Prefilter;
use tally::Tally;

/// How a pattern is read.
#[derive(Clone, Copy)]
pub struct Options {
    /// Letters match whatever their case.
    pub ignore_case: bool,
    /// Matches may span lines, and a dot matches line ends too.
    pub multiline: bool,
}

/// A compiled pattern.
pub struct Grep {
    engine: Engine,
    multiline: bool,
}

/// A match: the text it is in, and the bytes it spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The text's place among those searched.
    pub text: usize,
    /// Where the match begins.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
}

/// The matched lines of one text; none where `count` is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// How many lines a match touches.
    pub count: usize,
    /// The numbers of the first of them, from 1.
    pub first: Vec<usize>,
}

/// Why a search was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenUp {
    /// The deadline has passed.
    Deadline,
    /// One place of the text took more steps back than any sensible pattern needs.
    Backtracking,
}

impl Grep {
    /// Compiles `pattern`; a clause says what is wrong with it.
    pub fn new(pattern: &str, options: Options) -> Result<Self, String> {
        let engine = Engine::new(&pattern::translated(pattern), options)?;
        Ok(Self {
            engine,
            multiline: options.multiline,
        })
    }

    /// Finds the first `limit` matches, in order.
    ///
    /// An empty match counts where it is the first of its line, so that each line counts once.
    pub fn search(
        &self,
        texts: &[&[u8]],
        limit: usize,
        allowed: Duration,
    ) -> Result<Vec<Match>, GivenUp> {
        let deadline = Instant::now() + allowed;
        let mut matches = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let mut base = 0;
            // Bytes that are no text end whatever stands before them.
            for chunk in text.utf8_chunks() {
                let mut search = Search {
                    text: chunk.valid(),
                    passed: 0,
                    is_new_line: true,
                    found: |start, end| {
                        matches.push(Match {
                            text: index,
                            start: base + start,
                            end: base + end,
                        });
                        (matches.len() < limit).then_some(end)
                    },
                };
                if limit == 0 || !search.run(&self.engine, deadline)? {
                    return Ok(matches);
                }
                base += chunk.valid().len() + chunk.invalid().len();
            }
        }
        Ok(matches)
    }

    /// Finds the lines of one text that a match touches, and numbers the first `most` of them.
    pub fn lines(&self, text: &[u8], most: usize, allowed: Duration) -> Result<Lines, GivenUp> {
        let deadline = Instant::now() + allowed;
        let needles = self.engine.needles();
        // Most texts hold no needle, and need not even be looked at as characters.
        if needles.is_some_and(|needles| needles.find(text, Span::from(0..text.len())).is_none()) {
            return Ok(Lines::default());
        }
        let mut tally = Tally::new(text, most);
        let mut base = 0;
        for chunk in text.utf8_chunks() {
            if let Some(needles) = needles.filter(|_| !self.multiline) {
                self.lines_with(needles, chunk.valid(), deadline, |start| {
                    tally.line(base + start);
                })?;
            } else {
                let mut search = Search {
                    text: chunk.valid(),
                    passed: 0,
                    is_new_line: true,
                    found: |start, end| {
                        if self.multiline {
                            tally.lines(base + start..base + end);
                            return Some(end);
                        }
                        // A match lies within its line: one is enough.
                        Some(tally.line(base + start) - base)
                    },
                };
                search.run(&self.engine, deadline)?;
            }
            base += chunk.valid().len() + chunk.invalid().len();
        }
        Ok(Lines {
            count: tally.count,
            first: tally.first,
        })
    }

    /// Looks at the lines that hold a needle, and at no others; no needle holds a line end.
    fn lines_with(
        &self,
        needles: &Prefilter,
        text: &str,
        deadline: Instant,
        mut matched: impl FnMut(usize),
    ) -> Result<(), GivenUp> {
        let mut from = 0;
        while let Some(needle) = needles.find(text.as_bytes(), Span::from(from..text.len())) {
            if Instant::now() >= deadline {
                return Err(GivenUp::Deadline);
            }
            let line = line_around(text, from, needle.start);
            from = line.end;
            if let Some(start) = self.engine.find_in_line(text, line) {
                matched(start);
            }
        }
        Ok(())
    }
}

/// The search of one text.
struct Search<'t, F> {
    text: &'t str,
    /// Up to here it is known whether a new line has begun since the last match.
    passed: usize,
    is_new_line: bool,
    /// Takes a match, and tells from where to go on, if more are wanted.
    found: F,
}

impl<F: FnMut(usize, usize) -> Option<usize>> Search<'_, F> {
    /// Searches the text; false when no more matches are wanted.
    fn run(&mut self, engine: &Engine, deadline: Instant) -> Result<bool, GivenUp> {
        if !engine.is_by_line() {
            return self.part(engine, deadline, 0..self.text.len());
        }
        for line in lines(self.text) {
            if !self.part(engine, deadline, line)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn part(
        &mut self,
        engine: &Engine,
        deadline: Instant,
        part: Range<usize>,
    ) -> Result<bool, GivenUp> {
        let text = &self.text[part.clone()];
        let mut from = 0;
        while let Some((start, end)) = engine.find(text, from, deadline)? {
            let is_empty = start == end;
            // Behind an empty match at the end there is no place left.
            let step = text[end..].chars().next().map_or(1, char::len_utf8);
            from = if is_empty { end + step } else { end };
            if !is_empty || self.is_first_of_line(part.start + start) {
                match self.take(part.start + start, part.start + end) {
                    Some(place) => from = from.max(place.saturating_sub(part.start)),
                    None => return Ok(false),
                }
            }
            if from > text.len() {
                break;
            }
        }
        Ok(true)
    }

    fn take(&mut self, start: usize, end: usize) -> Option<usize> {
        self.passed = end;
        self.is_new_line = false;
        (self.found)(start, end)
    }

    /// Whether no match has ended on the line of `at`; no line begins behind the last line end.
    fn is_first_of_line(&mut self, at: usize) -> bool {
        let (before, after) = self.text.as_bytes().split_at(at);
        let last = before.last().copied();
        let is_inside_crlf = last == Some(b'\r') && after.first() == Some(&b'\n');
        let is_behind_all = after.is_empty() && last.is_none_or(is_line_end);
        if is_inside_crlf || is_behind_all {
            return false;
        }
        let between = before.get(self.passed..).unwrap_or_default();
        self.is_new_line |= between.iter().copied().any(is_line_end);
        self.passed = at;
        self.is_new_line
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{GivenUp, Grep, Options};

    fn spans(pattern: &str, text: &str, multiline: bool) -> Vec<(usize, usize)> {
        let options = Options {
            ignore_case: false,
            multiline,
        };
        let grep = Grep::new(pattern, options).expect("a pattern");
        let found = grep.search(&[text.as_bytes()], 100, Duration::from_secs(5));
        found
            .expect("in time")
            .iter()
            .map(|found| (found.start, found.end))
            .collect()
    }

    #[test]
    fn matches_lie_within_lines() {
        assert_eq!(spans(r"a\s*b", "a b\na\nb\na  b", false), [(0, 3), (8, 12)]);
        assert_eq!(spans("[^x]+", "ab\ncd", false), [(0, 2), (3, 5)]);
        assert_eq!(spans("a.b", "a\nb", true), [(0, 3)]);
    }

    #[test]
    fn every_line_end_ends_a_line() {
        for pattern in ["b$", "(?<!x)b$", r"b\Z", r"(?<!x)b\Z"] {
            assert_eq!(spans(pattern, "ab\r\nb\rb\nb", false).len(), 4, "{pattern}");
        }
        assert_eq!(spans(".+", "a\r\nb", false), [(0, 1), (3, 4)]);
    }

    #[test]
    fn an_empty_match_counts_once_a_line() {
        assert_eq!(spans("", "ab\r\n\ncd\n", false), [(0, 0), (4, 4), (5, 5)]);
        assert_eq!(spans("x*", "axx\nb", false), [(0, 0), (1, 3), (4, 4)]);
        assert!(spans("", "", false).is_empty());
    }

    #[test]
    fn lines_are_those_of_the_matches() {
        let text = "ab\r\nb\rabab\n\nxb \u{e9}";
        for (pattern, multiline, count, first) in [
            ("ab", false, 2, vec![1, 3]),
            ("b", false, 4, vec![1, 2]),
            ("", false, 5, vec![1, 2]),
            ("(?<=a)b", false, 2, vec![1, 3]),
            (r"ab\s+b", true, 2, vec![1, 2]),
            (r"b\s+x", true, 3, vec![3, 4]),
            ("abx", false, 0, vec![]),
        ] {
            let options = Options {
                ignore_case: false,
                multiline,
            };
            let grep = Grep::new(pattern, options).expect("a pattern");
            let found = grep
                .lines(text.as_bytes(), 2, Duration::from_secs(5))
                .expect("in time");
            assert_eq!((found.count, found.first), (count, first), "{pattern}");
        }
    }

    #[test]
    fn python_spellings_are_understood() {
        assert_eq!(
            spans(r"(?P<q>['\x22])\w+(?P=q)", "'a\" 'b'", false),
            [(4, 7)]
        );
        assert_eq!(spans(r"a++a|[[]\<", "aaa [<", false), [(4, 6)]);
        assert_eq!(spans("f{x}{2}", "f{x}}", false), [(0, 5)]);
    }

    #[test]
    fn runaway_patterns_are_given_up() {
        let options = Options {
            ignore_case: false,
            multiline: true,
        };
        let text = format!("{}!", "a".repeat(100_000));
        for (pattern, reason) in [
            (r"(a|aa)+\1$b", GivenUp::Backtracking),
            (r"(?:(?=[\s\S]*x)a)*b", GivenUp::Deadline),
        ] {
            let grep = Grep::new(pattern, options).expect("a pattern");
            let result = grep.search(&[text.as_bytes()], 9, Duration::from_millis(100));
            assert_eq!(result, Err(reason));
        }
    }
}
