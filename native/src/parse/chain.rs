//! Expressions as dotted chains: `self.pool().get`, `handlers['a'].run`, `<str>.join`, `[f,g][0]`.
#![forbid(unsafe_code)]

use ruff_python_ast::{Arguments, Comprehension, Expr, Number, Operator, UnaryOp};
use ruff_text_size::Ranged;

/// Longer chains begin with `<expression>`; without a limit a chain of calls costs its square.
const LINK_LIMIT: usize = 32;
/// How deep displays, conditions and arguments are told within one another.
const DEPTH: u32 = 3;
/// What has more elements, or more text, is only told by its type.
const ELEMENT_LIMIT: usize = 64;
const LENGTH_LIMIT: usize = 1_000;
const KEY_LIMIT: usize = 40;

pub const UNKNOWN: &str = "<expression>";

/// Calls whose result is their arguments in another form; only theirs are told inside chains.
const CARRIERS: [&str; 34] = [
    "__import__",
    "cast",
    "chain",
    "classmethod",
    "copy",
    "cycle",
    "deepcopy",
    "dict",
    "enumerate",
    "filter",
    "frozenset",
    "get",
    "getattr",
    "import_module",
    "iter",
    "list",
    "map",
    "max",
    "min",
    "next",
    "partial",
    "partialmethod",
    "pop",
    "property",
    "reversed",
    "set",
    "setdefault",
    "sorted",
    "staticmethod",
    "super",
    "tuple",
    "type",
    "wraps",
    "zip",
];

/// Makes chains; it owns the names that lambdas and comprehensions bind where the walk is.
#[derive(Default)]
pub struct Chains<'a> {
    /// Inside an f-string, where it begins: older interpreters know no better position.
    pub pinned: Option<u32>,
    bound: Vec<(&'a str, u32)>,
}

impl<'a> Chains<'a> {
    /// The chain of `expr`. `await` and `:=` are looked through. None where a name is missing,
    /// which only broken code has.
    pub fn chain(&mut self, expr: &'a Expr) -> Option<String> {
        self.nested(expr, DEPTH)
    }

    /// The chain of a value; empty where it begins with nothing known.
    pub fn value(&mut self, expr: &'a Expr) -> String {
        self.chain(expr)
            .filter(|chain| !chain.starts_with(UNKNOWN))
            .unwrap_or_default()
    }

    /// The chain of a target: names and dots, and at most one subscript, at its end.
    pub fn target(&mut self, expr: &'a Expr) -> Option<String> {
        let dotted = expr
            .as_subscript_expr()
            .map_or(expr, |subscript| &*subscript.value);
        if !is_dotted(dotted) {
            return None;
        }
        self.chain(expr).filter(|chain| !chain.starts_with(UNKNOWN))
    }

    /// The arguments of a call; empty where none is more than a literal.
    pub fn arguments(&mut self, arguments: &'a Arguments) -> String {
        let (text, tells) = self.all_arguments(arguments, DEPTH);
        if tells { text } else { String::new() }
    }

    /// One argument; empty where it is no more than a literal.
    pub fn argument(&mut self, expr: &'a Expr) -> String {
        let text = self.operand(expr, DEPTH);
        if is_more(&text) { text } else { String::new() }
    }

    /// Where a lambda or a comprehension is, as the names that it binds are marked with it.
    pub fn place(&self, start: u32) -> u32 {
        self.pinned.unwrap_or(start)
    }

    /// Bind a name from here on.
    pub fn push(&mut self, name: &'a str, place: u32) {
        self.bound.push((name, place));
    }

    /// Bind what a target of a comprehension binds.
    pub fn push_target(&mut self, target: &'a Expr, place: u32) {
        match target {
            Expr::Name(name) => self.push(name.id.as_str(), place),
            Expr::Starred(starred) => self.push_target(&starred.value, place),
            Expr::Tuple(tuple) => {
                for element in &tuple.elts {
                    self.push_target(element, place);
                }
            }
            Expr::List(list) => {
                for element in &list.elts {
                    self.push_target(element, place);
                }
            }
            _ => {}
        }
    }

    /// How many names are bound, to come back to with [`Self::pop_to`].
    pub fn depth(&self) -> usize {
        self.bound.len()
    }

    /// Forget what was bound since.
    pub fn pop_to(&mut self, depth: usize) {
        self.bound.truncate(depth);
    }

    /// Whether a name is that of a lambda or a comprehension.
    pub fn is_bound(&self, name: &str) -> bool {
        self.bound.iter().any(|(bound, _)| *bound == name)
    }

    fn name(&self, name: &str) -> String {
        let found = self.bound.iter().rev().find(|(bound, _)| *bound == name);
        found.map_or_else(|| name.to_owned(), |(_, place)| format!("{name}@{place}"))
    }

    fn nested(&mut self, expr: &'a Expr, depth: u32) -> Option<String> {
        let mut links: Vec<String> = Vec::new();
        let mut current = expr;
        let mut root = None;
        for _ in 0..=LINK_LIMIT {
            match current {
                Expr::Name(name) => {
                    if name.id.is_empty() {
                        return None;
                    }
                    root = Some(self.name(name.id.as_str()));
                    break;
                }
                Expr::Attribute(attribute) => {
                    if attribute.attr.is_empty() {
                        return None;
                    }
                    links.push(format!(".{}", attribute.attr.id));
                    current = &attribute.value;
                }
                Expr::Call(call) => {
                    let carries = tail(&call.func).is_some_and(|name| CARRIERS.contains(&name));
                    let arguments = if carries && depth > 0 {
                        self.all_arguments(&call.arguments, depth - 1).0
                    } else {
                        String::new()
                    };
                    links.push(format!("({arguments})"));
                    current = &call.func;
                }
                Expr::Subscript(subscript) => {
                    links.push(format!("[{}]", key(&subscript.slice)));
                    current = &subscript.value;
                }
                Expr::BinOp(sum) => {
                    links.push("()".to_owned());
                    links.push(format!(".__{}__", operator(sum.op)));
                    current = &sum.left;
                }
                Expr::Await(inner) => current = &inner.value,
                Expr::Named(named) => current = &named.value,
                other => {
                    root = Some(self.root(other, depth));
                    break;
                }
            }
        }
        let mut text = root.unwrap_or_else(|| UNKNOWN.to_owned());
        for link in links.into_iter().rev() {
            text.push_str(&link);
        }
        Some(text)
    }

    fn root(&mut self, expr: &'a Expr, depth: u32) -> String {
        let told = match expr {
            Expr::Lambda(lambda) => Some(format!("\\{}", self.place(lambda.start().to_u32()))),
            Expr::Yield(_) => Some("yield".to_owned()),
            _ if depth == 0 => None,
            Expr::List(list) => self.display(&list.elts, "[", "]", depth),
            Expr::Tuple(tuple) => self.display(&tuple.elts, "(", ")", depth),
            Expr::Set(set) => self.display(&set.elts, "{", "}", depth),
            Expr::Dict(dict) if dict.items.len() <= ELEMENT_LIMIT => {
                let mut parts = Vec::with_capacity(dict.items.len());
                let mut tells = false;
                for item in &dict.items {
                    let value = self.operand(&item.value, depth - 1);
                    tells |= is_more(&value);
                    parts.push(match &item.key {
                        Some(found) => format!("{}:{value}", key(found)),
                        None => format!("**{value}"),
                    });
                }
                composed(&parts, "{", "}", ",", tells)
            }
            Expr::ListComp(it) => self.element(&it.generators, &it.elt, "[", "]", depth),
            Expr::SetComp(it) => self.element(&it.generators, &it.elt, "{", "}", depth),
            Expr::Generator(it) => self.element(&it.generators, &it.elt, "[", "]", depth),
            Expr::DictComp(it) => self.element(&it.generators, &it.value, "{:", "}", depth),
            Expr::If(it) => self.either(&[&it.body, &it.orelse], depth),
            Expr::BoolOp(it) => self.either(&it.values.iter().collect::<Vec<_>>(), depth),
            _ => None,
        };
        told.unwrap_or_else(|| literal(expr).to_owned())
    }

    fn display(
        &mut self,
        elements: &'a [Expr],
        open: &str,
        close: &str,
        depth: u32,
    ) -> Option<String> {
        if elements.len() > ELEMENT_LIMIT {
            return None;
        }
        let mut parts = Vec::with_capacity(elements.len());
        for element in elements {
            parts.push(match element {
                Expr::Starred(starred) => format!("*{}", self.operand(&starred.value, depth - 1)),
                other => self.operand(other, depth - 1),
            });
        }
        let tells = parts
            .iter()
            .any(|part| is_more(part.trim_start_matches('*')));
        composed(&parts, open, close, ",", tells)
    }

    fn element(
        &mut self,
        generators: &'a [Comprehension],
        element: &'a Expr,
        open: &str,
        close: &str,
        depth: u32,
    ) -> Option<String> {
        let before = self.depth();
        let place = self.place(generators.first()?.target.start().to_u32());
        for generator in generators {
            self.push_target(&generator.target, place);
        }
        let text = self.operand(element, depth - 1);
        self.pop_to(before);
        let tells = is_more(&text);
        composed(&[text], open, close, ",", tells)
    }

    fn either(&mut self, values: &[&'a Expr], depth: u32) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        for value in values.iter().take(ELEMENT_LIMIT) {
            let text = self.nested(value, depth - 1).unwrap_or_default();
            let is_known = !text.is_empty() && !text.starts_with(UNKNOWN) && text != "<NoneType>";
            if is_known && !parts.contains(&text) {
                parts.push(text);
            }
        }
        if let [only] = parts.as_slice() {
            return Some(only.clone());
        }
        let tells = !parts.is_empty();
        composed(&parts, "?(", ")", "|", tells)
    }

    /// All arguments, and whether one of them is more than a literal.
    fn all_arguments(&mut self, arguments: &'a Arguments, depth: u32) -> (String, bool) {
        if arguments.args.len() + arguments.keywords.len() > ELEMENT_LIMIT {
            return (String::new(), false);
        }
        let mut parts = Vec::with_capacity(arguments.args.len());
        let mut tells = false;
        for argument in &arguments.args {
            let (star, value) = match argument {
                Expr::Starred(starred) => ("*", &*starred.value),
                other => ("", other),
            };
            let text = self.operand(value, depth);
            tells |= is_more(&text);
            parts.push(format!("{star}{text}"));
        }
        for keyword in &arguments.keywords {
            let text = self.operand(&keyword.value, depth);
            tells |= is_more(&text);
            match &keyword.arg {
                Some(name) if !text.is_empty() => parts.push(format!("{name}={text}")),
                None => parts.push(format!("**{text}")),
                Some(_) => {}
            }
        }
        while parts.last().is_some_and(String::is_empty) {
            parts.pop();
        }
        (
            composed(&parts, "", "", ",", true).unwrap_or_default(),
            tells,
        )
    }

    /// An element or an argument: a short string or number, a chain, or nothing.
    fn operand(&mut self, expr: &'a Expr, depth: u32) -> String {
        let text = key(expr);
        if !text.is_empty() {
            return text;
        }
        self.nested(expr, depth)
            .filter(|text| !text.starts_with('<'))
            .unwrap_or_default()
    }
}

fn composed(parts: &[String], open: &str, close: &str, by: &str, tells: bool) -> Option<String> {
    let length: usize = parts.iter().map(|part| part.len() + 1).sum();
    (tells && length <= LENGTH_LIMIT).then(|| format!("{open}{}{close}", parts.join(by)))
}

/// Whether an operand is more than a literal.
fn is_more(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(['\'', '-'])
        && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// A short string or number as it may stand in a subscript; a slice is `:`, anything else nothing.
fn key(expr: &Expr) -> String {
    match expr {
        Expr::StringLiteral(string) => {
            let text = string.value.to_str();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            if !text.is_empty() && text.len() <= KEY_LIMIT && text.chars().all(is_plain) {
                return format!("'{text}'");
            }
            String::new()
        }
        Expr::NumberLiteral(number) => match &number.value {
            Number::Int(value) => match value.as_u16() {
                Some(value) if value < 1_000 => value.to_string(),
                _ => String::new(),
            },
            _ => String::new(),
        },
        Expr::UnaryOp(it) if it.op == UnaryOp::USub && it.operand.is_number_literal_expr() => {
            let text = key(&it.operand);
            if text.is_empty() {
                text
            } else {
                format!("-{text}")
            }
        }
        Expr::Slice(_) => ":".to_owned(),
        _ => String::new(),
    }
}

/// The special method of an operator, without its underscores.
pub fn operator(op: Operator) -> &'static str {
    match op {
        Operator::Add => "add",
        Operator::Sub => "sub",
        Operator::Mult => "mul",
        Operator::MatMult => "matmul",
        Operator::Div => "truediv",
        Operator::Mod => "mod",
        Operator::Pow => "pow",
        Operator::LShift => "lshift",
        Operator::RShift => "rshift",
        Operator::BitOr => "or",
        Operator::BitXor => "xor",
        Operator::BitAnd => "and",
        Operator::FloorDiv => "floordiv",
    }
}

/// The chain of an expression in which no name is bound by a lambda or a comprehension.
pub fn chain(expr: &Expr) -> Option<String> {
    Chains::default().chain(expr)
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
        assert_eq!(of("handlers[0].run").as_deref(), Some("handlers[0].run"));
        assert_eq!(of("handlers[i].run").as_deref(), Some("handlers[].run"));
        assert_eq!(of("(await get()).json").as_deref(), Some("get().json"));
        assert_eq!(of("'-'.join").as_deref(), Some("<str>.join"));
        assert_eq!(of("(a + b).c").as_deref(), Some("a.__add__().c"));
        assert_eq!(of("(not a).c").as_deref(), Some("<expression>.c"));
    }

    #[test]
    fn what_may_be_called_is_told_of_displays_and_conditions() {
        assert_eq!(of("[f, 1, *g]").as_deref(), Some("[f,1,*g]"));
        assert_eq!(of("['a', 2]").as_deref(), Some("<list>"));
        assert_eq!(
            of("{'a': f, b: g}['a']").as_deref(),
            Some("{'a':f,:g}['a']")
        );
        assert_eq!(of("(f if x else g)").as_deref(), Some("?(f|g)"));
        assert_eq!(of("f or None").as_deref(), Some("f"));
        assert_eq!(
            of("partial(f, 1, k=g)").as_deref(),
            Some("partial(f,1,k=g)")
        );
        assert_eq!(of("[f(x) for x in y]").as_deref(), Some("[f()]"));
        assert_eq!(of("[x for x in y]").as_deref(), Some("[x@7]"));
    }

    #[test]
    fn a_long_chain_keeps_its_end() {
        let text = of(&"a.".repeat(50).trim_end_matches('.').replace("..", ".")).expect("a chain");
        assert!(text.starts_with("<expression>.a"));
        assert_eq!(text.matches(".a").count(), LINK_LIMIT + 1);
    }
}
