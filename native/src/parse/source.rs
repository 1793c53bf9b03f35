//! The text with its tokens: lines of offsets, and expressions as one-line text.
#![forbid(unsafe_code)]

use ruff_python_ast::token::{Token, TokenKind, Tokens};
use ruff_text_size::{Ranged, TextRange};

/// How many characters of a part are kept.
const PART_LIMIT: usize = 200;

/// One module's text, where its lines begin, and its tokens.
pub struct Source<'a> {
    /// The text itself.
    pub text: &'a str,
    /// All tokens, comments included.
    pub tokens: &'a Tokens,
    line_starts: Vec<u32>,
}

impl<'a> Source<'a> {
    /// Index the lines of `text`, which must be shorter than 4 GiB.
    pub fn new(text: &'a str, tokens: &'a Tokens) -> Self {
        Self {
            text,
            tokens,
            line_starts: line_starts(text),
        }
    }

    /// The line of `offset`, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        line_of(&self.line_starts, offset)
    }

    /// Line (from 1) and byte column (from 0) of `offset`.
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let line = self.line(offset);
        let start = self.line_starts[line as usize - 1];
        (line, offset.saturating_sub(start))
    }

    /// The text in `range`, empty where the range is none.
    pub fn slice(&self, range: TextRange) -> &'a str {
        self.text
            .get(range.start().to_usize()..range.end().to_usize())
            .unwrap_or_default()
    }

    /// The tokens that lie wholly in `range`.
    pub fn tokens_in(&self, range: TextRange) -> &'a [Token] {
        let tokens: &'a [Token] = self.tokens;
        let first = tokens.partition_point(|token| token.start() < range.start());
        let count = tokens[first..].partition_point(|token| token.end() <= range.end());
        &tokens[first..first + count]
    }

    /// The text in `range` on one line: one space for a run of blanks outside strings, none just
    /// inside brackets, no comments, cut at 200 characters.
    pub fn part(&self, range: TextRange) -> String {
        let text = self.slice(range);
        // A character has at most four bytes, so what lies behind cannot be shown.
        let seen = &text.as_bytes()[..text.len().min(4 * PART_LIMIT + 4)];
        if is_one_line(seen) {
            return cut(text);
        }
        let mut part = String::new();
        let mut before: Option<(TokenKind, u32)> = None;
        let mut string_start = None;
        let mut depth = 0_u32;
        for token in self.tokens_in(range) {
            let kind = token.kind();
            let mut start = token.start();
            match kind {
                TokenKind::Comment | TokenKind::NonLogicalNewline => continue,
                TokenKind::FStringStart | TokenKind::TStringStart => {
                    depth += 1;
                    string_start.get_or_insert(start);
                    continue;
                }
                TokenKind::FStringEnd | TokenKind::TStringEnd => {
                    depth = depth.saturating_sub(1);
                    if depth > 0 {
                        continue;
                    }
                    start = string_start.take().unwrap_or(start);
                }
                _ if depth > 0 => continue,
                _ => {}
            }
            if let Some((before, end)) = before
                && end < start.to_u32()
                && !is_opening(before)
                && !is_closing(kind)
            {
                part.push(' ');
            }
            before = Some((kind, token.end().to_u32()));
            part.push_str(self.slice(TextRange::new(start, token.end())));
            if part.len() > 4 * PART_LIMIT + 8 {
                break;
            }
        }
        if part.contains('\r') {
            part = unify_line_ends(&part);
        }
        cut(&part)
    }
}

/// Where each line begins; `\n`, `\r` and `\r\n` end one, a form feed does not.
pub fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = Vec::with_capacity(bytes.len() / 30 + 1);
    starts.push(0);
    let mut start = 0;
    for &byte in bytes {
        start += 1;
        let ends_line = match byte {
            b'\n' => true,
            b'\r' => bytes.get(start as usize) != Some(&b'\n'),
            _ => false,
        };
        if ends_line {
            starts.push(start);
        }
    }
    starts
}

/// The line of `offset`, from 1.
pub fn line_of(line_starts: &[u32], offset: u32) -> u32 {
    let lines = line_starts.partition_point(|&start| start <= offset);
    u32::try_from(lines).unwrap_or(u32::MAX).max(1)
}

/// `\r\n` and `\r` as `\n`, as Python reads them.
pub fn unify_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Whether `text` has nothing that a part would drop, in strings or not.
fn is_one_line(text: &[u8]) -> bool {
    let is_plain = text
        .iter()
        .all(|byte| !matches!(byte, b'\n' | b'\r' | b'\t' | b'\x0c' | b'\\' | b'#'));
    is_plain
        && text.windows(2).all(|pair| match *pair {
            [b' ', next] => !matches!(next, b' ' | b')' | b']' | b'}'),
            [previous, b' '] => !matches!(previous, b'(' | b'[' | b'{'),
            _ => true,
        })
}

fn is_opening(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace)
}

fn is_closing(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(PART_LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carriage_returns_end_lines_and_form_feeds_do_not() {
        assert_eq!(line_starts("a\r\nb\rc\nd\x0ce"), [0, 3, 5, 7]);
        assert_eq!(line_of(&[0, 3, 5, 7], 4), 2);
    }

    #[test]
    fn cut_counts_characters() {
        assert_eq!(cut(&"é".repeat(201)).chars().count(), 201);
        assert_eq!(cut(&"é".repeat(200)), "é".repeat(200));
    }
}
