//! `__all__`, as far as literals decide it.
#![forbid(unsafe_code)]

use super::chain::{UNKNOWN, chain};
use ruff_python_ast::{Expr, ExprCall, Operator};

/// More names are no list that somebody wrote, and `__all__ += __all__` doubles.
const NAME_LIMIT: usize = 10_000;

/// What is known of `__all__` so far; nothing as long as it has not been assigned.
#[derive(Debug, Default)]
pub struct Exports(Option<Names>);

/// Literal names, and the chains of other lists that are taken in, one of them `<expression>`
/// where something is taken in that is no list's name.
#[derive(Debug, Default)]
pub struct Names {
    /// The literals.
    pub listed: Vec<String>,
    /// Chains such as `q.__all__`.
    pub lists: Vec<String>,
}

impl Names {
    fn extend(&mut self, listed: Vec<String>, lists: Vec<String>) {
        if self.listed.len() + self.lists.len() + listed.len() + lists.len() > NAME_LIMIT {
            self.give_up();
        } else {
            let is_known = lists.iter().all(|list| list != UNKNOWN);
            self.listed.extend(listed);
            self.lists
                .extend(lists.into_iter().filter(|list| list != UNKNOWN));
            if !is_known {
                self.give_up();
            }
        }
    }

    fn give_up(&mut self) {
        if !self.lists.iter().any(|list| list == UNKNOWN) {
            self.lists.push(UNKNOWN.to_owned());
        }
    }
}

impl Exports {
    /// `__all__ = value`; under a condition the names are added, since either branch may run.
    pub fn assign(&mut self, value: &Expr, is_conditional: bool) {
        let names = self.names(value);
        match &mut self.0 {
            Some(known) if is_conditional => {
                let is_new = |name: &String| !known.listed.contains(name);
                let listed = names.listed.into_iter().filter(is_new).collect();
                known.extend(listed, names.lists);
            }
            _ => self.0 = Some(names),
        }
    }

    /// `__all__ += value` and `__all__.extend(value)`.
    pub fn extend(&mut self, value: &Expr) {
        let names = self.names(value);
        self.known().extend(names.listed, names.lists);
    }

    /// `__all__.method(…)`.
    pub fn call(&mut self, method: &str, call: &ExprCall, is_conditional: bool) {
        let argument = match &*call.arguments.args {
            [argument] if call.arguments.keywords.is_empty() => Some(argument),
            _ => None,
        };
        match (method, argument) {
            ("sort" | "reverse" | "copy" | "count" | "index", _) => {}
            ("extend", Some(value)) => self.extend(value),
            ("append", Some(Expr::StringLiteral(name))) => {
                let name = name.value.to_str().to_owned();
                self.known().extend(vec![name], Vec::new());
            }
            ("remove", Some(Expr::StringLiteral(name))) => {
                let known = self.known();
                let name = name.value.to_str();
                let position = known.listed.iter().position(|known| known == name);
                if let (Some(position), false) = (position, is_conditional) {
                    known.listed.remove(position);
                }
            }
            _ => self.give_up(),
        }
    }

    /// Something happens to it that literals do not decide.
    pub fn give_up(&mut self) {
        self.known().give_up();
    }

    /// The names, where there are some.
    pub fn into_names(self) -> Option<Names> {
        self.0
    }

    /// What is known; of a list that came from elsewhere, such as a star import, nothing.
    fn known(&mut self) -> &mut Names {
        self.0.get_or_insert_with(|| Names {
            listed: Vec::new(),
            lists: vec![UNKNOWN.to_owned()],
        })
    }

    fn names(&self, value: &Expr) -> Names {
        let mut names = Names::default();
        let mut parts = vec![(value, false)];
        while let Some((part, is_element)) = parts.pop() {
            match part {
                Expr::StringLiteral(name) if is_element => {
                    names.extend(vec![name.value.to_str().to_owned()], Vec::new());
                }
                Expr::Starred(starred) if is_element => parts.push((&starred.value, false)),
                _ if is_element => names.give_up(),
                Expr::BinOp(sum) if sum.op == Operator::Add => {
                    parts.extend([(&*sum.right, false), (&*sum.left, false)]);
                }
                Expr::List(list) => parts.extend(list.elts.iter().rev().map(|it| (it, true))),
                Expr::Tuple(tuple) => parts.extend(tuple.elts.iter().rev().map(|it| (it, true))),
                Expr::Name(name) if name.id == "__all__" => match &self.0 {
                    Some(known) => names.extend(known.listed.clone(), known.lists.clone()),
                    None => names.give_up(),
                },
                Expr::Call(call) => match copied(call) {
                    Some(argument) => parts.push((argument, false)),
                    None => names.give_up(),
                },
                Expr::Name(name) => names.extend(Vec::new(), vec![name.id.to_string()]),
                Expr::Attribute(list) if list.attr.id == "__all__" => match chain(part) {
                    Some(chain) if !chain.contains(['(', '[', '<']) => {
                        names.extend(Vec::new(), vec![chain]);
                    }
                    _ => names.give_up(),
                },
                _ => names.give_up(),
            }
        }
        names
    }
}

/// What `list(…)`, `sorted(…)` and `tuple(…)` copy.
fn copied(call: &ExprCall) -> Option<&Expr> {
    let Expr::Name(copier) = &*call.func else {
        return None;
    };
    match &*call.arguments.args {
        [argument]
            if call.arguments.keywords.is_empty()
                && matches!(copier.id.as_str(), "list" | "sorted" | "tuple") =>
        {
            Some(argument)
        }
        _ => None,
    }
}
