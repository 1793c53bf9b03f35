//! Refuses nesting that would use up the stack, before anything recurses over it.
//!
//! The parser grows its own stack, but a tree is walked and dropped by recursion. How deep it can
//! get is bounded here from the tokens alone: inside each open bracket no expression is deeper
//! than the tokens since the last comma.
#![forbid(unsafe_code)]

use super::records::Problem;
use super::source::{line_of, line_starts};
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};
use std::borrow::Cow;

/// Deepest tree that is built; an expression of 5,000 `x * 1 +` has a bound of 20,000.
///
/// It also is the size in bytes below which no text can be too deep.
const DEPTH_LIMIT: usize = 32 * 1024;
/// Most blocks inside each other; `CPython` stops at 100.
const BLOCK_LIMIT: usize = 1_000;

/// `text` with each top-level block that nests too deeply replaced by blanks, and the problems.
///
/// So is a block with an open bracket, in which all that follows would be nested. None where that
/// is not enough.
pub fn without_deep_blocks(text: &str) -> Option<(Cow<'_, str>, Vec<Problem>)> {
    if text.len() < DEPTH_LIMIT || shape(text) != Shape::TooDeep {
        return Some((Cow::Borrowed(text), Vec::new()));
    }
    let lines = line_starts(text);
    let mut blocks: Vec<u32> = lines
        .iter()
        .copied()
        .filter(|&start| begins_block(&text.as_bytes()[start as usize..]))
        .collect();
    blocks.push(u32::try_from(text.len()).ok()?);
    let mut kept = text.to_owned().into_bytes();
    let mut problems = Vec::new();
    for block in blocks.windows(2) {
        let range = block[0] as usize..block[1] as usize;
        let message = match shape(&text[range.clone()]) {
            Shape::Closed => continue,
            Shape::Open => "a bracket is never closed".to_owned(),
            Shape::TooDeep => too_deep(),
        };
        for byte in &mut kept[range] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        problems.push(Problem {
            line: line_of(&lines, block[0]),
            message,
        });
    }
    let kept = String::from_utf8(kept).ok()?;
    (shape(&kept) != Shape::TooDeep).then_some((Cow::Owned(kept), problems))
}

/// The sentence for what is refused.
pub fn too_deep() -> String {
    "nested too deeply to be parsed".to_owned()
}

/// Whether a line can be the first of a top-level statement.
fn begins_block(line: &[u8]) -> bool {
    line.first()
        .is_some_and(|byte| !b" \t\x0c\r\n#)]}'\"".contains(byte))
}

#[derive(Debug, PartialEq, Eq)]
enum Shape {
    /// All brackets are closed.
    Closed,
    /// A bracket is open at the end.
    Open,
    /// It may nest beyond what is walked.
    TooDeep,
}

struct Level {
    closing: TokenKind,
    tokens: usize,
    lambdas: usize,
}

impl Level {
    fn new(closing: TokenKind) -> Self {
        Self {
            closing,
            tokens: 0,
            lambdas: 0,
        }
    }
}

fn shape(text: &str) -> Shape {
    let mut lexer = lexer::lex(text, Mode::Module);
    let mut levels = vec![Level::new(TokenKind::EndOfFile)];
    // Tokens of all levels together.
    let mut depth = 0_usize;
    // Colons of this line outside brackets.
    let mut colons = 0_usize;
    let mut blocks = 0_usize;
    loop {
        let kind = lexer.next_token();
        let count = levels.len();
        let Some(level) = levels.last_mut() else {
            return Shape::TooDeep;
        };
        match kind {
            // The lexer ends every text with a newline, in brackets or not.
            TokenKind::Newline if count > 1 => return Shape::Open,
            TokenKind::EndOfFile => return Shape::Closed,
            TokenKind::Comment | TokenKind::NonLogicalNewline | TokenKind::String => continue,
            TokenKind::Indent => blocks += 1,
            TokenKind::Dedent => blocks = blocks.saturating_sub(1),
            TokenKind::Newline => {
                levels.clear();
                levels.push(Level::new(TokenKind::EndOfFile));
                depth = 0;
                colons = 0;
                continue;
            }
            // The commas between a lambda's parameters do not end the lambda.
            TokenKind::Lambda => level.lambdas += 1,
            TokenKind::Colon if level.lambdas > 0 => level.lambdas -= 1,
            // What follows a colon may be inside of what stands before it, semicolons or not.
            TokenKind::Colon if count == 1 => colons += 1,
            TokenKind::Semi if count == 1 => {
                *level = Level::new(TokenKind::EndOfFile);
                level.tokens = colons;
                depth = colons;
                continue;
            }
            TokenKind::Comma if level.lambdas == 0 => {
                depth -= level.tokens;
                level.tokens = 0;
                continue;
            }
            _ if kind == level.closing && count > 1 => {
                depth -= level.tokens;
                levels.pop();
                continue;
            }
            _ => {}
        }
        level.tokens += 1;
        depth += 1;
        if let Some(closing) = closing(kind) {
            levels.push(Level::new(closing));
        }
        if depth > DEPTH_LIMIT || blocks > BLOCK_LIMIT {
            return Shape::TooDeep;
        }
    }
}

fn closing(kind: TokenKind) -> Option<TokenKind> {
    match kind {
        TokenKind::Lpar => Some(TokenKind::Rpar),
        TokenKind::Lsqb => Some(TokenKind::Rsqb),
        TokenKind::Lbrace => Some(TokenKind::Rbrace),
        TokenKind::FStringStart => Some(TokenKind::FStringEnd),
        TokenKind::TStringStart => Some(TokenKind::TStringEnd),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_too_deep(text: &str) -> bool {
        shape(text) == Shape::TooDeep
    }

    #[test]
    fn wide_is_not_deep() {
        assert!(!is_too_deep(&format!(
            "x = [{}]\n",
            "(1, 2), ".repeat(100_000)
        )));
        assert!(!is_too_deep(&format!(
            "x = 0{}\n",
            " + a * 1".repeat(5_000)
        )));
        assert!(!is_too_deep(&"a = f(1); ".repeat(100_000)));
        assert!(!is_too_deep(&"def f(a, b): return a\n".repeat(10_000)));
    }

    #[test]
    fn deep_is_deep_whatever_makes_it() {
        for text in [
            "(".repeat(100_000),
            "-".repeat(100_000),
            "a.".repeat(100_000),
            "lambda a, b: ".repeat(100_000),
            "f'{".repeat(100_000),
            "1 if 1 else ".repeat(100_000),
            "class A: b; ".repeat(100_000),
        ] {
            assert!(is_too_deep(&text), "{}", &text[..10]);
        }
    }

    #[test]
    fn an_open_bracket_does_not_swallow_a_large_text() {
        let text = format!("x = (\n{}", "def f(a): return a\n".repeat(10_000));
        let (kept, problems) = without_deep_blocks(&text).expect("one block is open");
        assert!(kept.starts_with("     \ndef f(a)"));
        assert_eq!(problems.len(), 1);
    }

    #[test]
    fn only_the_deep_block_is_blanked() {
        let text = format!("a = 1\nb = {}1\ndef after(): pass\n", "-".repeat(100_000));
        let (kept, problems) = without_deep_blocks(&text).expect("one block is deep");
        assert_eq!(kept.len(), text.len());
        assert!(kept.ends_with("def after(): pass\n"));
        assert_eq!(problems[0].line, 2);
    }
}
