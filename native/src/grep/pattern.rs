//! Python's spelling of patterns as Rust's.
#![forbid(unsafe_code)]

/// A pattern for the Rust engines.
pub struct Pattern {
    /// The pattern, in the common spelling of `regex-syntax` and `fancy-regex`.
    pub text: String,
    /// It looks around, refers back or gives nothing back: only backtracking can tell.
    pub needs_backtracking: bool,
}

/// Rewrites what the two languages spell differently; errors are left for the parser to find.
pub fn translated(pattern: &str) -> Pattern {
    let mut translation = Translation {
        rest: pattern,
        text: String::with_capacity(pattern.len() + 8),
        needs_backtracking: false,
    };
    while let Some(c) = translation.next() {
        match c {
            '\\' => translation.escape(),
            '[' => translation.class(),
            '(' => translation.group(),
            '{' => translation.braces(),
            '*' | '+' | '?' => translation.quantifier(c),
            _ => translation.text.push(c),
        }
    }
    Pattern {
        text: translation.text,
        needs_backtracking: translation.needs_backtracking,
    }
}

struct Translation<'p> {
    rest: &'p str,
    text: String,
    needs_backtracking: bool,
}

impl Translation<'_> {
    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next();
        self.rest = characters.as_str();
        next
    }

    fn skip(&mut self, prefix: &str) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn escape(&mut self) {
        match self.next() {
            Some('Z') => self.text.push_str(r"\z"),
            // Rust's word edges; in Python these are letters like any other.
            Some(c @ ('<' | '>')) => self.text.push(c),
            Some('0') => self.text.push_str(r"\x00"),
            Some(c) => {
                self.needs_backtracking |= c.is_ascii_digit();
                self.text.extend(['\\', c]);
                self.escape_braces();
            }
            None => self.text.push('\\'),
        }
    }

    /// Copies what an escape has in braces: `\p{L}`, `\x{1F}`.
    fn escape_braces(&mut self) {
        if self.text.ends_with(['p', 'P', 'x', 'u', 'U'])
            && let Some((name, rest)) = self.rest.split_once('}')
            && name.starts_with('{')
        {
            self.text.extend([name, "}"]);
            self.rest = rest;
        }
    }

    /// Inside `[…]` Rust has nested classes and set operations, Python plain characters.
    fn class(&mut self) {
        self.text.push('[');
        if self.skip("^") {
            self.text.push('^');
        }
        if self.skip("]") {
            self.text.push_str(r"\]");
        }
        while let Some(c) = self.next() {
            match c {
                ']' => {
                    self.text.push(']');
                    return;
                }
                '[' if self.rest.starts_with(':') => match self.rest.split_once(":]") {
                    Some((name, rest)) => {
                        self.text.extend(["[", name, ":]"]);
                        self.rest = rest;
                    }
                    None => self.text.push_str(r"\["),
                },
                '[' | '&' | '~' => self.text.extend(['\\', c]),
                '-' if self.rest.starts_with('-') => self.text.push_str(r"\-"),
                '\\' => match self.next() {
                    Some('b') => self.text.push_str(r"\x08"),
                    Some('0') => self.text.push_str(r"\x00"),
                    Some(c @ ('<' | '>')) => self.text.push(c),
                    Some(c) => {
                        self.text.extend(['\\', c]);
                        self.escape_braces();
                    }
                    None => self.text.push('\\'),
                },
                _ => self.text.push(c),
            }
        }
    }

    fn group(&mut self) {
        if self.skip("?#") {
            self.rest = self.rest.split_once(')').map_or("", |(_, rest)| rest);
            return;
        }
        let looks = [
            "?=", "?!", "?<=", "?<!", "?>", "?(", "?P=", "?P>", "?&", "?R",
        ];
        self.needs_backtracking |= looks.iter().any(|look| self.rest.starts_with(look));
        self.text.push('(');
        if self.rest.starts_with("?P") || !self.skip("?") {
            return;
        }
        self.text.push('?');
        // `a`, `u` and `L` choose what letters are; here text is Unicode always.
        let is_flag = |c: char| c.is_ascii_alphabetic() || c == '-';
        let end = self.rest.find(|c| !is_flag(c)).unwrap_or(self.rest.len());
        if !self.rest[end..].starts_with([':', ')']) {
            return;
        }
        let flags = self.rest[..end].replace(['a', 'u', 'L'], "");
        self.rest = &self.rest[end..];
        if flags.is_empty() && self.rest.starts_with(')') {
            self.text.push(':');
        }
        self.text.push_str(&flags);
    }

    /// Braces that count nothing stand for themselves.
    fn braces(&mut self) {
        let count = self.rest.split_once('}').filter(|(count, _)| {
            let (least, most) = count.split_once(',').unwrap_or((count, "0"));
            let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            !count.is_empty() && is_number(least) && is_number(most)
        });
        let Some((count, rest)) = count else {
            self.text.push_str(r"\{");
            return;
        };
        let least = if count.starts_with(',') { "0" } else { "" };
        self.text.extend(["{", least, count, "}"]);
        self.rest = rest;
        self.after_quantifier();
    }

    fn quantifier(&mut self, c: char) {
        self.text.push(c);
        self.after_quantifier();
    }

    /// A lazy or possessive sign; to Rust's linear engine `a++` would be `(?:a+)+`.
    fn after_quantifier(&mut self) {
        if self.skip("?") {
            self.text.push('?');
        } else if self.skip("+") {
            self.text.push('+');
            self.needs_backtracking = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn spellings_that_differ_are_rewritten() {
        for (python, rust) in [
            (r"a\Z", r"a\z"),
            (r"\<b\>", "<b>"),
            ("[[a&&b]", r"[\[a\&\&b]"),
            ("[]a]", r"[\]a]"),
            ("{x}", r"\{x}"),
            ("a{,3}", "a{0,3}"),
            ("(?#why)a", "a"),
            ("(?ai)a", "(?i)a"),
            ("(?a)a", "(?:)a"),
            (r"\p{L}[\p{L}]{1}", r"\p{L}[\p{L}]{1}"),
            ("[[:alpha:]]", "[[:alpha:]]"),
        ] {
            assert_eq!(translated(python).text, rust);
        }
    }

    #[test]
    fn only_what_must_backtrack_does() {
        for pattern in [
            r"(a)\1",
            "(?=a)",
            "(?<!a)b",
            "a++",
            "(?>a)",
            "(?P<n>a)(?P=n)",
        ] {
            assert!(translated(pattern).needs_backtracking, "{pattern}");
        }
        for pattern in ["(?P<n>a)", "(?:a)+?", r"\d+", "(?i:a)", "a{2}?", "[+]+"] {
            assert!(!translated(pattern).needs_backtracking, "{pattern}");
        }
    }
}
