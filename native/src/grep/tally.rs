//! Which lines of a text are matched.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::lines::is_line_end;

/// The matched lines of one text: how many, and the numbers of the first, from 1.
pub struct Tally<'t> {
    text: &'t [u8],
    most: usize,
    /// How many lines are matched.
    pub count: usize,
    /// The numbers of the first of them.
    pub first: Vec<usize>,
    /// The line of `at` has this number.
    number: usize,
    at: usize,
    /// The last line that is counted, and where the one behind it begins.
    last: usize,
    next: usize,
}

impl<'t> Tally<'t> {
    /// No lines yet; the numbers of the first `most` will be kept.
    pub fn new(text: &'t [u8], most: usize) -> Self {
        Self {
            text,
            most,
            count: 0,
            first: Vec::new(),
            number: 1,
            at: 0,
            last: 0,
            next: 0,
        }
    }

    /// Counts the line of `place` unless it is the one before; gives where the next line begins.
    pub fn line(&mut self, place: usize) -> usize {
        if place >= self.next {
            self.count += 1;
            if self.first.len() < self.most {
                let number = self.number_of(place);
                self.first.push(number);
            }
            self.next = next_line(self.text, place);
        }
        self.next
    }

    /// Counts the lines that `span` touches and that are not counted yet.
    pub fn lines(&mut self, span: Range<usize>) {
        let from = self.number_of(span.start).max(self.last + 1);
        let last = self.number_of(span.start.max(span.end.saturating_sub(1)));
        let numbers = from..last + 1;
        self.count += numbers.len();
        let room = self.most.saturating_sub(self.first.len());
        self.first.extend(numbers.take(room));
        self.last = self.last.max(last);
    }

    fn number_of(&mut self, place: usize) -> usize {
        self.number += line_ends(self.text, self.at..place);
        self.at = self.at.max(place);
        self.number
    }
}

/// How many lines end at a byte of `range`; the first half of a CRLF ends none.
fn line_ends(text: &[u8], range: Range<usize>) -> usize {
    let part = text.get(range.clone()).unwrap_or_default();
    if !part.contains(&b'\r') {
        return part.iter().map(|&byte| usize::from(byte == b'\n')).sum();
    }
    range
        .filter(|&at| match text[at] {
            b'\n' => true,
            b'\r' => text.get(at + 1) != Some(&b'\n'),
            _ => false,
        })
        .count()
}

/// Where the line behind that of `place` begins; behind the text, where there is none.
fn next_line(text: &[u8], place: usize) -> usize {
    let rest = text.get(place..).unwrap_or_default();
    match rest.iter().position(|&byte| is_line_end(byte)) {
        Some(length) if rest[length..].starts_with(b"\r\n") => place + length + 2,
        Some(length) => place + length + 1,
        None => text.len() + 1,
    }
}
