//! As much JSON as records are made of: arrays, texts and whole numbers.
#![forbid(unsafe_code)]

use std::borrow::Cow;

/// No number of a record is this large; sums of numbers below it stay exact.
const TOO_LARGE: i64 = 1 << 40;

/// A text within its quotes, and whether it has escapes.
#[derive(Clone, Copy)]
pub struct Text {
    start: usize,
    end: usize,
    is_escaped: bool,
}

impl Text {
    /// The text as it was meant, from the JSON that it was found in.
    pub fn of<'j>(&self, json: &'j str) -> Cow<'j, str> {
        let written = json.get(self.start..self.end).unwrap_or_default();
        if self.is_escaped {
            Cow::Owned(unescaped(written))
        } else {
            Cow::Borrowed(written)
        }
    }
}

/// Reads one value after another; None where something else is written.
pub struct Cursor<'j> {
    bytes: &'j [u8],
    at: usize,
}

impl<'j> Cursor<'j> {
    /// From the beginning.
    pub fn new(json: &'j str) -> Self {
        Self {
            bytes: json.as_bytes(),
            at: 0,
        }
    }

    /// Whether nothing is left.
    pub fn is_done(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.bytes.len()
    }

    /// Reads each item of an array, and gives how many there are.
    pub fn array(&mut self, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<usize> {
        self.expect(b'[')?;
        let mut count = 0;
        if self.next_is(b']') {
            return Some(count);
        }
        loop {
            item(self)?;
            count += 1;
            if self.next_is(b']') {
                return Some(count);
            }
            self.expect(b',')?;
        }
    }

    /// Reads a whole number below 2^40 on either side of zero.
    pub fn number(&mut self) -> Option<i64> {
        self.skip_blanks();
        let is_negative = self.bytes.get(self.at) == Some(&b'-');
        let start = self.at + usize::from(is_negative);
        let mut number = 0;
        self.at = start;
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(self.at) {
            number = number * 10 + i64::from(digit - b'0');
            if number >= TOO_LARGE {
                return None;
            }
            self.at += 1;
        }
        let length = self.at - start;
        let is_led_by_zero = length > 1 && self.bytes[start] == b'0';
        if length == 0 || is_led_by_zero {
            return None;
        }
        Some(if is_negative { -number } else { number })
    }

    /// Reads a text.
    pub fn text(&mut self) -> Option<Text> {
        self.expect(b'"')?;
        let start = self.at;
        let mut is_escaped = false;
        loop {
            match *self.bytes.get(self.at)? {
                b'"' => break,
                b'\\' => {
                    is_escaped = true;
                    self.escape()?;
                }
                0..0x20 => return None,
                _ => self.at += 1,
            }
        }
        let end = self.at;
        self.at += 1;
        Some(Text {
            start,
            end,
            is_escaped,
        })
    }

    /// Skips an escape; half of a character is none.
    fn escape(&mut self) -> Option<()> {
        let (length, _) = escaped(&self.bytes[self.at..])?;
        self.at += length;
        Some(())
    }

    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn next_is(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let is_next = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.next_is(byte).then_some(())
    }
}

/// The length of the escape that begins `written`, and what it means.
fn escaped(written: &[u8]) -> Option<(usize, char)> {
    let simple = match *written.get(1)? {
        b'u' => return in_hexadecimal(written),
        same @ (b'"' | b'\\' | b'/') => char::from(same),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        _ => return None,
    };
    Some((2, simple))
}

/// The same of `\u` and four digits, or of two such for a character that needs them.
fn in_hexadecimal(written: &[u8]) -> Option<(usize, char)> {
    let high = unit(written)?;
    if let Some(whole) = char::from_u32(high) {
        return Some((6, whole));
    }
    let low = unit(written.get(6..)?)?;
    if !(0xd800..0xdc00).contains(&high) || !(0xdc00..0xe000).contains(&low) {
        return None;
    }
    let joined = char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))?;
    Some((12, joined))
}

/// The number of a `\u` escape.
fn unit(written: &[u8]) -> Option<u32> {
    let digits = written.get(..6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |number, digit| {
        Some(number << 4 | char::from(*digit).to_digit(16)?)
    })
}

/// A text whose escapes were found to be sound.
fn unescaped(written: &str) -> String {
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let Some((length, meant)) = escaped(&rest.as_bytes()[at..]) else {
            return text;
        };
        text.push(meant);
        rest = &rest[at + length..];
    }
    text.push_str(rest);
    text
}
