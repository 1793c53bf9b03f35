//! Two engines: one in time linear in the text, and one that backtracks, within bounds.
#![forbid(unsafe_code)]

use std::ops::Range;
use std::time::Instant;

use fancy_regex::{RegexInput, RegexOptionsBuilder};
use regex_automata::Input;
use regex_automata::meta::Regex;
use regex_automata::util::prefilter::Prefilter;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange};
use regex_syntax::hir::{Hir, HirKind, Look};

use super::needles::needles;
use super::pattern::Pattern;
use super::{GivenUp, Options};

/// Bytes that a compiled pattern may take.
const MAX_COMPILED: usize = 10 << 20;
/// Steps back from one place of the text, far above what patterns in use need.
const MAX_STEPS_BACK: usize = 50_000;
/// Places that are tried between two looks at the clock.
const TRIES: usize = 64;

/// A compiled pattern.
pub enum Engine {
    /// Time linear in the text.
    Linear {
        /// The pattern.
        regex: Box<Regex>,
        /// What lies in every match, where that is known.
        needles: Option<Prefilter>,
    },
    /// Look-around, back references, possessive repetition.
    Backtracking {
        /// The pattern, to be tried at one place after another.
        regex: Box<fancy_regex::Regex>,
        /// The bytes a match can begin with, where that is known.
        first: Option<Box<[bool; 256]>>,
        /// Each line is a text by itself.
        by_line: bool,
    },
}

impl Engine {
    /// Compiles a pattern; a clause says what is wrong with it.
    pub fn new(pattern: &Pattern, options: Options) -> Result<Self, String> {
        if pattern.needs_backtracking {
            backtracking(&pattern.text, options)
        } else {
            linear(&pattern.text, options)
        }
    }

    /// Lines are to be searched one by one; else the engine itself stays within them.
    pub fn is_by_line(&self) -> bool {
        matches!(self, Self::Backtracking { by_line: true, .. })
    }

    /// What lies in every match, where that is known.
    pub fn needles(&self) -> Option<&Prefilter> {
        match self {
            Self::Linear { needles, .. } => needles.as_ref(),
            Self::Backtracking { .. } => None,
        }
    }

    /// The first match of a linear engine within a line of the text.
    pub fn find_in_line(&self, text: &str, line: Range<usize>) -> Option<usize> {
        match self {
            Self::Linear { regex, .. } => regex
                .find(Input::new(text).range(line))
                .map(|found| found.start()),
            Self::Backtracking { .. } => None,
        }
    }

    /// The first match that begins at `from` or later.
    pub fn find(
        &self,
        text: &str,
        from: usize,
        deadline: Instant,
    ) -> Result<Option<(usize, usize)>, GivenUp> {
        if Instant::now() >= deadline {
            return Err(GivenUp::Deadline);
        }
        match self {
            Self::Linear { regex, .. } => {
                let found = regex.find(Input::new(text).range(from..));
                Ok(found.map(|found| (found.start(), found.end())))
            }
            Self::Backtracking { regex, first, .. } => {
                tried(regex, first.as_deref(), text, from, deadline)
            }
        }
    }
}

fn linear(pattern: &str, options: Options) -> Result<Engine, String> {
    let parsed = ParserBuilder::new()
        .case_insensitive(options.ignore_case)
        .multi_line(true)
        .dot_matches_new_line(options.multiline)
        .crlf(true)
        .build()
        .parse(pattern)
        .map_err(|error| match error {
            regex_syntax::Error::Parse(error) => error.kind().to_string(),
            regex_syntax::Error::Translate(error) => error.kind().to_string(),
            other => other.to_string(),
        })?;
    let hir = if options.multiline {
        parsed
    } else {
        within_line(parsed)
    };
    Regex::builder()
        .configure(Regex::config().nfa_size_limit(Some(MAX_COMPILED)))
        .build_from_hir(&hir)
        .map(|regex| Engine::Linear {
            regex: Box::new(regex),
            needles: needles(&hir),
        })
        .map_err(|error| match error.size_limit() {
            Some(_) => "it is too large when compiled".to_owned(),
            None => error.to_string(),
        })
}

/// The same pattern without the matches that hold a line end; its edges are those of lines.
///
/// So a whole text is searched at once, which is much faster than line by line.
fn within_line(hir: Hir) -> Hir {
    match hir.into_kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Literal(literal) if literal.0.iter().any(|byte| b"\r\n".contains(byte)) => {
            Hir::fail()
        }
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(Class::Unicode(mut class)) => {
            let end = |c| ClassUnicodeRange::new(c, c);
            class.difference(&ClassUnicode::new([end('\n'), end('\r')]));
            Hir::class(Class::Unicode(class))
        }
        HirKind::Class(Class::Bytes(mut class)) => {
            let end = |byte| ClassBytesRange::new(byte, byte);
            class.difference(&ClassBytes::new([end(b'\n'), end(b'\r')]));
            Hir::class(Class::Bytes(class))
        }
        HirKind::Look(Look::Start | Look::StartLF) => Hir::look(Look::StartCRLF),
        HirKind::Look(Look::End | Look::EndLF) => Hir::look(Look::EndCRLF),
        HirKind::Look(look) => Hir::look(look),
        HirKind::Repetition(repetition) => {
            let sub = Box::new(within_line(*repetition.sub));
            Hir::repetition(regex_syntax::hir::Repetition { sub, ..repetition })
        }
        HirKind::Capture(capture) => within_line(*capture.sub),
        HirKind::Concat(parts) => Hir::concat(parts.into_iter().map(within_line).collect()),
        HirKind::Alternation(parts) => {
            Hir::alternation(parts.into_iter().map(within_line).collect())
        }
    }
}

fn backtracking(pattern: &str, options: Options) -> Result<Engine, String> {
    let mut builder = RegexOptionsBuilder::new();
    builder
        .case_insensitive(options.ignore_case)
        .multi_line(true)
        .dot_matches_new_line(options.multiline)
        .crlf(true)
        .backtrack_limit(MAX_STEPS_BACK)
        .delegate_size_limit(MAX_COMPILED)
        .max_prog_size(MAX_COMPILED / 100);
    let regex = builder
        .build(pattern.to_owned())
        .map_err(|error| one_line(&error.to_string()))?;
    let first = builder.start_bytes(pattern).ok().flatten().map(|set| {
        let mut bytes = Box::new([false; 256]);
        for byte in 0..=u8::MAX {
            bytes[usize::from(byte)] = set.contains(byte);
        }
        bytes
    });
    Ok(Engine::Backtracking {
        regex: Box::new(regex),
        first,
        by_line: !options.multiline,
    })
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tries the pattern at one place after another, so that the clock is looked at in between.
fn tried(
    regex: &fancy_regex::Regex,
    first: Option<&[bool; 256]>,
    text: &str,
    from: usize,
    deadline: Instant,
) -> Result<Option<(usize, usize)>, GivenUp> {
    let bytes = text.as_bytes();
    let mut tries = 0;
    for at in (from..=text.len()).filter(|&at| text.is_char_boundary(at)) {
        let is_hopeless =
            first.is_some_and(|first| bytes.get(at).is_none_or(|&byte| !first[usize::from(byte)]));
        if is_hopeless {
            continue;
        }
        tries += 1;
        if tries % TRIES == 0 && Instant::now() >= deadline {
            return Err(GivenUp::Deadline);
        }
        let input = RegexInput::new(text).from_pos(at).anchored(true);
        match regex.find_input(input) {
            Ok(None) => {}
            Ok(Some(found)) => return Ok(Some((found.start().max(from), found.end().max(from)))),
            Err(_) => return Err(GivenUp::Backtracking),
        }
    }
    Ok(None)
}
