//! Comments that say why: `# WHY: …`.
#![forbid(unsafe_code)]

use super::records::{Kind, Mark, Symbol};
use super::source::Source;
use ruff_python_ast::token::TokenKind;
use ruff_text_size::Ranged;

const WORDS: [&str; 6] = ["WHY", "DECISION", "RATIONALE", "TRADEOFF", "HACK", "NOTE"];

/// The marks of `source`; `symbols` in source order give each its scope.
pub fn marks(source: &Source<'_>, symbols: &[Symbol]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    // The column and the line of the comment that the next one may continue.
    let mut open: Option<(u32, u32)> = None;
    for token in source.tokens {
        if token.kind() != TokenKind::Comment {
            continue;
        }
        let (start, end) = (token.start().to_u32(), token.end().to_u32());
        let (line, column) = source.position(start);
        if let Some(word) = word(source.slice(token.range())) {
            marks.push(Mark {
                scope: -1,
                word,
                start,
                end,
                line,
                end_line: line,
            });
            open = Some((column, line));
        } else if open == Some((column, line - 1)) && stands_alone(source, start, column) {
            if let Some(mark) = marks.last_mut() {
                (mark.end, mark.end_line) = (end, line);
            }
            open = Some((column, line));
        } else {
            open = None;
        }
    }
    set_scopes(&mut marks, symbols);
    marks
}

fn word(comment: &str) -> Option<&'static str> {
    let text = comment
        .trim_start_matches('#')
        .trim_start_matches([' ', '\t']);
    let (head, _) = text.split_once(':')?;
    WORDS.into_iter().find(|&word| word == head)
}

fn stands_alone(source: &Source<'_>, start: u32, column: u32) -> bool {
    let before = &source.text[(start - column) as usize..start as usize];
    before.trim_matches([' ', '\t', '\x0c']).is_empty()
}

fn set_scopes(marks: &mut [Mark], symbols: &[Symbol]) {
    let mut next = 0;
    let mut around: Vec<usize> = Vec::new();
    for mark in marks {
        while next < symbols.len() && symbols[next].start <= mark.start {
            if symbols[next].kind != Kind::Attribute {
                while around
                    .last()
                    .is_some_and(|&outer| symbols[outer].end <= symbols[next].start)
                {
                    around.pop();
                }
                around.push(next);
            }
            next += 1;
        }
        while around
            .last()
            .is_some_and(|&outer| symbols[outer].end <= mark.start)
        {
            around.pop();
        }
        mark.scope = around
            .last()
            .and_then(|&outer| i32::try_from(outer).ok())
            .unwrap_or(-1);
    }
}
