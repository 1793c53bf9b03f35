//! Python source to symbols, imports, calls, bindings and marks; knows no Python at run time.
//!
//! Broken text gives what can be read of it, and problems that say what cannot.
#![forbid(unsafe_code)]

mod chain;
mod collect;
mod depth;
mod exports;
mod marks;
/// What the parser returns.
pub mod records;
mod signature;
mod source;

use self::records::{Module, Problem};
use self::source::Source;
use rayon::prelude::*;
use ruff_python_ast::PySourceType;
use ruff_python_parser::{ParseOptions, parse_unchecked};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The deepest tree that [`depth`] lets through needs less than a quarter of this to be walked.
const STACK_SIZE: usize = 256 * 1024 * 1024;
/// More problems than this say nothing new about a file.
const PROBLEM_LIMIT: usize = 20;

/// Parse every text, in parallel, in order.
///
/// # Errors
///
/// Where no threads can be had.
pub fn parse_all<T: AsRef<[u8]> + Sync>(texts: &[T]) -> io::Result<Vec<Module>> {
    if let [text] = texts {
        let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
        return std::thread::scope(|scope| {
            let parsing = thread.spawn_scoped(scope, || parse(text.as_ref()))?;
            Ok(vec![parsing.join().unwrap_or_else(|_| failed())])
        });
    }
    // A pool for each call costs microseconds, and leaves none behind for a fork to break.
    rayon::ThreadPoolBuilder::new()
        .stack_size(STACK_SIZE)
        .build()
        .map_err(io::Error::other)
        .map(|pool| {
            pool.install(|| {
                let parse = |text: &T| parse(text.as_ref());
                texts.par_iter().with_max_len(1).map(parse).collect()
            })
        })
}

/// Parse one text on this thread, whose stack must be large.
fn parse(text: &[u8]) -> Module {
    catch_unwind(AssertUnwindSafe(|| parse_text(text))).unwrap_or_else(|_| failed())
}

fn parse_text(text: &[u8]) -> Module {
    if u32::try_from(text.len()).is_err() {
        return only_problem(1, "larger than 4 GiB".to_owned());
    }
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let before = String::from_utf8_lossy(&text[..error.valid_up_to()]);
            let line = source::line_starts(&before).len();
            return only_problem(u32::try_from(line).unwrap_or(1), "not UTF-8".to_owned());
        }
    };
    let Some((text, too_deep)) = depth::without_deep_blocks(text) else {
        return only_problem(1, depth::too_deep());
    };
    let options = ParseOptions::from(PySourceType::Python);
    let parsed = parse_unchecked(&text, options).try_into_module();
    let Some(parsed) = parsed else {
        return failed();
    };
    let source = Source::new(&text, parsed.tokens());
    let mut module = collect::collect(&source, parsed.syntax());
    module.marks = marks::marks(&source, &module.symbols);
    module.problems = too_deep;
    module.problems.extend(
        parsed
            .errors()
            .iter()
            .take(PROBLEM_LIMIT)
            .map(|error| Problem {
                line: source.line(error.location.start().to_u32()),
                message: error.error.to_string(),
            }),
    );
    module.problems.truncate(PROBLEM_LIMIT);
    module
}

fn failed() -> Module {
    only_problem(1, "the parser failed on this text".to_owned())
}

fn only_problem(line: u32, message: String) -> Module {
    Module {
        problems: vec![Problem { line, message }],
        ..Module::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Module {
        parse_all(&[text]).expect("threads").remove(0)
    }

    #[test]
    fn nothing_that_nests_uses_up_the_stack() {
        for unit in [
            "(",
            "[",
            "{",
            "-",
            "not ",
            "a.",
            "a(",
            "a[",
            "lambda: ",
            "lambda a, b: ",
            "f'{",
            "1 if 1 else ",
            "1 + ",
            "1 ** ",
            "await ",
            "yield ",
            "async ",
            "*",
            "@",
            "class A: ",
            "if 1: ",
            "x = ",
            "match ",
        ] {
            for count in [3_000, 30_000, 300_000] {
                let text = format!("def before(): pass\n{}\n", unit.repeat(count));
                let module = one(&text);
                let first = module.symbols.first().map(|symbol| symbol.name.as_str());
                assert_eq!(first, Some("before"), "{count} {unit}");
            }
        }
    }

    #[test]
    fn deep_blocks_are_walked() {
        let mut text = String::new();
        for depth in 0..900 {
            text.push_str(&" ".repeat(depth));
            text.push_str("if x:\n");
        }
        text.push_str(&" ".repeat(900));
        text.push_str("def inner(): f()\n");
        let module = one(&text);
        assert_eq!(module.symbols[0].name, "inner");
        assert_eq!(module.calls[0].callee, "f");
    }

    #[test]
    fn bytes_that_are_no_text_are_a_problem() {
        let module = parse_all(&[b"a\n\xff".as_slice()])
            .expect("threads")
            .remove(0);
        assert_eq!(
            (module.problems[0].line, module.problems[0].message.as_str()),
            (2, "not UTF-8")
        );
    }

    #[test]
    fn texts_keep_their_order() {
        let texts: Vec<String> = (0..100)
            .map(|index| format!("def f{index}(): pass\n"))
            .collect();
        let modules = parse_all(&texts).expect("threads");
        for (index, module) in modules.iter().enumerate() {
            assert_eq!(module.symbols[0].name, format!("f{index}"));
        }
    }
}
