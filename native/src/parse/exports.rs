//! `__all__`, as far as literals decide it.
#![forbid(unsafe_code)]

use ruff_python_ast::{Expr, ExprCall, Operator};

/// More names are no list that somebody wrote, and `__all__ += __all__` doubles.
const NAME_LIMIT: usize = 10_000;

/// What is known of `__all__` so far.
#[derive(Debug, Default)]
pub enum Exports {
    /// It has not been assigned.
    #[default]
    Absent,
    /// It holds these names.
    Known(Vec<String>),
    /// It holds more than literals say.
    Unknown,
}

impl Exports {
    /// `__all__ = value`; under a condition the names are added, since either branch may run.
    pub fn assign(&mut self, value: &Expr, is_conditional: bool) {
        let Some(names) = self.names(value) else {
            *self = Self::Unknown;
            return;
        };
        match self {
            Self::Known(known) if is_conditional => {
                for name in names {
                    if !known.contains(&name) {
                        known.push(name);
                    }
                }
                if known.len() > NAME_LIMIT {
                    *self = Self::Unknown;
                }
            }
            Self::Unknown if is_conditional => {}
            _ => *self = Self::Known(names),
        }
    }

    /// `__all__ += value` and `__all__.extend(value)`.
    pub fn extend(&mut self, value: &Expr) {
        match (self.names(value), &mut *self) {
            (Some(names), Self::Known(known)) if known.len() + names.len() <= NAME_LIMIT => {
                known.extend(names);
            }
            _ => *self = Self::Unknown,
        }
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
            ("append", Some(Expr::StringLiteral(name))) => match self {
                Self::Known(known) if known.len() < NAME_LIMIT => {
                    known.push(name.value.to_str().to_owned());
                }
                _ => *self = Self::Unknown,
            },
            ("remove", Some(Expr::StringLiteral(name))) => match self {
                Self::Known(known) if !is_conditional => {
                    let name = name.value.to_str();
                    if let Some(position) = known.iter().position(|known| known == name) {
                        known.remove(position);
                    }
                }
                Self::Known(_) => {}
                _ => *self = Self::Unknown,
            },
            _ => *self = Self::Unknown,
        }
    }

    /// The names, where they are decided.
    pub fn into_names(self) -> Option<Vec<String>> {
        match self {
            Self::Known(names) => Some(names),
            Self::Absent | Self::Unknown => None,
        }
    }

    fn names(&self, value: &Expr) -> Option<Vec<String>> {
        let mut names = Vec::new();
        let mut operands = vec![value];
        while let Some(operand) = operands.pop() {
            match operand {
                Expr::BinOp(sum) if sum.op == Operator::Add => {
                    operands.extend([&*sum.right, &*sum.left]);
                }
                Expr::List(list) => add_literals(&list.elts, &mut names)?,
                Expr::Tuple(tuple) => add_literals(&tuple.elts, &mut names)?,
                Expr::Name(name) if name.id == "__all__" => match self {
                    Self::Known(known) => names.extend_from_slice(known),
                    _ => return None,
                },
                _ => return None,
            }
            if names.len() > NAME_LIMIT {
                return None;
            }
        }
        Some(names)
    }
}

fn add_literals(elements: &[Expr], names: &mut Vec<String>) -> Option<()> {
    for element in elements {
        names.push(element.as_string_literal_expr()?.value.to_str().to_owned());
    }
    Some(())
}
