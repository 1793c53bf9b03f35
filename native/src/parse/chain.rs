//! Expressions as dotted chains: `self.pool().get`, `handlers[].run`, `<str>.join`.
#![forbid(unsafe_code)]

use ruff_python_ast::{Expr, Number};
use ruff_text_size::Ranged;

/// Longer chains begin with `<expression>`; without a limit a chain of calls costs its square.
const LINK_LIMIT: usize = 32;

pub const UNKNOWN: &str = "<expression>";

/// The chain of `expr`. `await` and `:=` are looked through. None where a name is missing, which
/// only broken code has.
pub fn chain(expr: &Expr) -> Option<String> {
    let mut links = Vec::new();
    let mut current = expr;
    let mut root = UNKNOWN;
    for _ in 0..=LINK_LIMIT {
        match current {
            Expr::Name(name) => {
                root = name.id.as_str();
                break;
            }
            Expr::Attribute(attribute) => {
                links.push(attribute.attr.id.as_str());
                current = &attribute.value;
            }
            Expr::Call(call) => {
                links.push("()");
                current = &call.func;
            }
            Expr::Subscript(subscript) => {
                links.push("[]");
                current = &subscript.value;
            }
            Expr::Await(inner) => current = &inner.value,
            Expr::Named(named) => current = &named.value,
            other => {
                root = literal(other);
                break;
            }
        }
    }
    if root.is_empty() || links.iter().any(|link| link.is_empty()) {
        return None;
    }
    let mut text = String::from(root);
    for link in links.into_iter().rev() {
        if !link.starts_with(['(', '[']) {
            text.push('.');
        }
        text.push_str(link);
    }
    Some(text)
}

/// The chain of a value that may tell a type; empty where it begins with no name or literal.
pub fn value_chain(expr: &Expr) -> String {
    chain(expr)
        .filter(|chain| !chain.starts_with(UNKNOWN))
        .unwrap_or_default()
}

/// The chain of a target: names and dots only.
pub fn target_chain(expr: &Expr) -> Option<String> {
    let chain = chain(expr).filter(|chain| !chain.contains(['(', '[', '<']))?;
    is_dotted(expr).then_some(chain)
}

/// Where the last name of a callee begins; where it ends with no name, the callee itself.
pub fn last_name(expr: &Expr) -> u32 {
    match expr {
        Expr::Attribute(attribute) => attribute.attr.start().to_u32(),
        other => other.start().to_u32(),
    }
}

/// The last name of `expr`, if it is one or ends with one.
pub fn tail(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.id.as_str()),
        _ => None,
    }
}

fn is_dotted(mut expr: &Expr) -> bool {
    while let Expr::Attribute(attribute) = expr {
        expr = &attribute.value;
    }
    expr.is_name_expr()
}

fn literal(expr: &Expr) -> &'static str {
    match expr {
        Expr::StringLiteral(_) | Expr::FString(_) => "<str>",
        Expr::TString(_) => "<Template>",
        Expr::BytesLiteral(_) => "<bytes>",
        Expr::NumberLiteral(number) => match number.value {
            Number::Int(_) => "<int>",
            Number::Float(_) => "<float>",
            Number::Complex { .. } => "<complex>",
        },
        Expr::BooleanLiteral(_) => "<bool>",
        Expr::NoneLiteral(_) => "<NoneType>",
        Expr::EllipsisLiteral(_) => "<ellipsis>",
        Expr::List(_) | Expr::ListComp(_) => "<list>",
        Expr::Tuple(_) => "<tuple>",
        Expr::Dict(_) | Expr::DictComp(_) => "<dict>",
        Expr::Set(_) | Expr::SetComp(_) => "<set>",
        Expr::Generator(_) => "<generator>",
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruff_python_parser::parse_expression;

    fn of(text: &str) -> Option<String> {
        chain(parse_expression(text).expect("valid").expr())
    }

    #[test]
    fn links_are_names_calls_and_subscripts() {
        assert_eq!(of("self.pool().get").as_deref(), Some("self.pool().get"));
        assert_eq!(of("handlers[0].run").as_deref(), Some("handlers[].run"));
        assert_eq!(of("(await get()).json").as_deref(), Some("get().json"));
        assert_eq!(of("'-'.join").as_deref(), Some("<str>.join"));
        assert_eq!(of("(a or b).c").as_deref(), Some("<expression>.c"));
    }

    #[test]
    fn a_long_chain_keeps_its_end() {
        let text = of(&"a.".repeat(50).trim_end_matches('.').replace("..", ".")).expect("a chain");
        assert!(text.starts_with("<expression>.a"));
        assert_eq!(text.matches(".a").count(), LINK_LIMIT + 1);
    }
}
