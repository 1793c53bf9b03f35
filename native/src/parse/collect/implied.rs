//! What statements and operators do without a call being written, and what is read and written.
#![forbid(unsafe_code)]

use super::Collector;
use crate::parse::chain::{last_name, operator};
use crate::parse::records::{Kind, Use};
use ruff_python_ast::{CmpOp, Expr, ExprContext, Operator, UnaryOp};

impl<'a> Collector<'a> {
    /// What an expression does by itself, without its parts.
    pub(super) fn add_uses(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => match name.ctx {
                ExprContext::Load if !self.chains.is_bound(name.id.as_str()) => {
                    self.add_access(expr, "read");
                }
                ExprContext::Store | ExprContext::Del if self.is_global(name.id.as_str()) => {
                    self.add_access(expr, "write");
                }
                _ => {}
            },
            Expr::Attribute(attribute) => match attribute.ctx {
                ExprContext::Load => self.add_access(expr, "read"),
                _ => self.add_access(expr, "write"),
            },
            Expr::Subscript(subscript) if !self.is_quiet => {
                let method = match subscript.ctx {
                    ExprContext::Store => "__setitem__",
                    ExprContext::Del => "__delitem__",
                    _ => "__getitem__",
                };
                self.add_run(&subscript.value, method, None);
            }
            Expr::BinOp(it) if !self.is_quiet => {
                self.add_operator(&it.left, it.op, "", Some(&it.right));
                if !is_told(&it.left) {
                    self.add_operator(&it.right, it.op, "r", None);
                }
            }
            Expr::UnaryOp(it) => match it.op {
                UnaryOp::Not => self.add_truth(&it.operand),
                UnaryOp::USub => self.add_run(&it.operand, "__neg__", None),
                UnaryOp::UAdd => self.add_run(&it.operand, "__pos__", None),
                UnaryOp::Invert => self.add_run(&it.operand, "__invert__", None),
            },
            Expr::BoolOp(it) => {
                for value in it.values.split_last().map_or(&[][..], |(_, rest)| rest) {
                    self.add_truth(value);
                }
            }
            Expr::If(it) => self.add_truth(&it.test),
            Expr::Compare(it) => {
                let lefts = std::iter::once(&*it.left).chain(&it.comparators);
                for ((left, op), right) in lefts.zip(&it.ops).zip(&it.comparators) {
                    self.add_comparison(left, *op, right);
                }
            }
            _ => {}
        }
    }

    /// `if value`, `not value`.
    pub(super) fn add_truth(&mut self, test: &'a Expr) {
        match test {
            Expr::BoolOp(it) => {
                if let Some(last) = it.values.last() {
                    self.add_truth(last);
                }
            }
            other => self.add_run(other, "__bool__", None),
        }
    }

    /// `for … in value`.
    pub(super) fn add_iteration(&mut self, value: &'a Expr, is_async: bool) {
        let method = if is_async { "__aiter__" } else { "__iter__" };
        self.add_run(value, method, None);
    }

    /// `with value`.
    pub(super) fn add_context(&mut self, value: &'a Expr, is_async: bool) {
        let methods = if is_async {
            ["__aenter__", "__aexit__"]
        } else {
            ["__enter__", "__exit__"]
        };
        for method in methods {
            self.add_run(value, method, None);
        }
    }

    /// `raise value`, where it is no call.
    pub(super) fn add_raise(&mut self, value: &'a Expr) {
        if matches!(value, Expr::Name(_) | Expr::Attribute(_)) {
            self.add_access(value, "raise");
        }
    }

    /// `left + right`, `left += right`.
    pub(super) fn add_operator(
        &mut self,
        operand: &'a Expr,
        op: Operator,
        prefix: &str,
        other: Option<&'a Expr>,
    ) {
        let name = operator(op);
        self.add_run(operand, &format!("__{prefix}{name}__"), other);
    }

    /// Whether a name is declared to be of another scope.
    fn is_global(&self, name: &'a str) -> bool {
        self.globals.contains(&(self.inside.scope, name))
    }

    fn add_comparison(&mut self, left: &'a Expr, op: CmpOp, right: &'a Expr) {
        match op {
            CmpOp::Eq => self.add_run(left, "__eq__", Some(right)),
            CmpOp::NotEq => self.add_run(left, "__ne__", Some(right)),
            CmpOp::Lt => self.add_run(left, "__lt__", Some(right)),
            CmpOp::LtE => self.add_run(left, "__le__", Some(right)),
            CmpOp::Gt => self.add_run(left, "__gt__", Some(right)),
            CmpOp::GtE => self.add_run(left, "__ge__", Some(right)),
            CmpOp::In | CmpOp::NotIn => self.add_run(right, "__contains__", Some(left)),
            CmpOp::Is | CmpOp::IsNot => {}
        }
    }

    fn add_run(&mut self, operand: &'a Expr, method: &str, other: Option<&'a Expr>) {
        if !is_told(operand) {
            return;
        }
        let chain = self.chains.value(operand);
        if chain.is_empty() || chain.starts_with('<') {
            return;
        }
        let arguments = other.map(|other| self.chains.argument(other));
        let chain = format!("{chain}.{method}");
        self.add_use("run", chain, arguments.unwrap_or_default(), operand);
    }

    fn add_access(&mut self, expr: &'a Expr, form: &'static str) {
        if self.is_quiet {
            return;
        }
        let chain = self.chains.value(expr);
        if !chain.is_empty() && !chain.starts_with(['<', '?', '[', '(', '{', '\\']) {
            self.add_use(form, chain, String::new(), expr);
        }
    }

    fn add_use(&mut self, form: &'static str, chain: String, arguments: String, place: &Expr) {
        let at = self.chains.pinned.unwrap_or_else(|| last_name(place));
        let (line, column) = self.source.position(at);
        let used = Use {
            scope: self.inside.scope,
            form,
            chain,
            arguments,
            line,
            column,
        };
        self.uses.push((at, used));
    }

    /// Add a name that a function binds.
    pub(super) fn add_local(&mut self, name: &'a str) {
        if self.inside.kind == Kind::Function && !self.chains.is_bound(name) {
            self.locals.insert((self.inside.scope, name));
        }
    }
}

/// Whether an expression may be an object whose class is known.
fn is_told(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Name(_) | Expr::Attribute(_) | Expr::Call(_) | Expr::Subscript(_)
    )
}
