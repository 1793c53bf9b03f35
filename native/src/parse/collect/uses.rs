//! Imports, calls and bindings.
#![forbid(unsafe_code)]

use super::Collector;
use crate::parse::chain::{chain, last_name, target_chain, value_chain};
use crate::parse::records::{Binding, Call, Import, Scope};
use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Alias, Decorator, Expr, Parameter, Parameters};
use ruff_text_size::Ranged;

impl<'a> Collector<'a> {
    /// One name of an import statement.
    pub(super) fn add_import(&mut self, alias: &Alias, level: u32, module: &str, name: &str) {
        if alias.name.is_empty() {
            return;
        }
        let (line, column) = self.source.position(alias.start().to_u32());
        self.module.imports.push(Import {
            scope: self.inside.scope,
            level,
            module: module.to_owned(),
            name: name.to_owned(),
            alias: alias
                .asname
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            line,
            column,
            is_typing: self.is_typing,
        });
    }

    /// The decorators of `scope`, whose names are those of the scope around it.
    pub(super) fn visit_decorators(&mut self, decorators: &'a [Decorator], scope: Scope) {
        for decorator in decorators {
            // A decorator that is called is one use, not a call and a use.
            if let Expr::Call(call) = &decorator.expression {
                self.add_call(&call.func, scope, true);
                self.visit_expr(&call.func);
                self.visit_arguments(&call.arguments);
            } else {
                self.add_call(&decorator.expression, scope, true);
                self.visit_expr(&decorator.expression);
            }
        }
    }

    /// One call of `callee`, or one use of it as a decorator.
    pub(super) fn add_call(&mut self, callee: &Expr, scope: Scope, is_decorator: bool) {
        let Some(chain) = chain(callee) else { return };
        let offset = self.pinned.unwrap_or_else(|| last_name(callee));
        let (line, column) = self.source.position(offset);
        let call = Call {
            scope,
            callee: chain,
            line,
            column,
            is_decorator,
        };
        self.calls.push((offset, call));
    }

    /// What `target = value` or `target: annotation = value` tells; `a, b = c, d` tells two things.
    pub(super) fn bind(
        &mut self,
        target: &'a Expr,
        value: Option<&'a Expr>,
        annotation: Option<&Expr>,
    ) {
        if let (Some(targets), Some(values)) = (elements(target), value.and_then(elements)) {
            let has_star = targets.iter().chain(values).any(Expr::is_starred_expr);
            if targets.len() == values.len() && !has_star {
                for (target, value) in targets.iter().zip(values) {
                    self.bind(target, Some(value), None);
                }
            }
            return;
        }
        let Some(target_text) = target_chain(target) else {
            return;
        };
        self.add_binding(
            self.inside.scope,
            target_text,
            value.map(value_chain).unwrap_or_default(),
            annotation
                .map(|annotation| self.source.part(annotation.range()))
                .unwrap_or_default(),
            target.start().to_u32(),
        );
    }

    /// What the annotations of parameters tell.
    pub(super) fn bind_parameters(&mut self, parameters: &Parameters, scope: Scope) {
        for parameter in parameters {
            let parameter = parameter.as_parameter();
            let Some(annotation) = parameter.annotation() else {
                continue;
            };
            let text = self.source.part(annotation.range());
            let is = |variadic: &Option<Box<Parameter>>| {
                variadic
                    .as_ref()
                    .is_some_and(|variadic| variadic.start() == parameter.start())
            };
            let annotation = if is(&parameters.vararg) {
                format!("tuple[{text}, ...]")
            } else if is(&parameters.kwarg) {
                format!("dict[str, {text}]")
            } else {
                text
            };
            let offset = parameter.name.start().to_u32();
            self.add_binding(
                scope,
                parameter.name.to_string(),
                String::new(),
                annotation,
                offset,
            );
        }
    }

    fn add_binding(
        &mut self,
        scope: Scope,
        target: String,
        value: String,
        annotation: String,
        offset: u32,
    ) {
        if target.is_empty() || (value.is_empty() && annotation.is_empty()) {
            return;
        }
        let offset = self.pinned.unwrap_or(offset);
        let binding = Binding {
            scope,
            target,
            value,
            annotation,
            line: self.source.line(offset),
        };
        self.bindings.push((offset, binding));
    }
}

fn elements(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Tuple(tuple) => Some(&tuple.elts),
        Expr::List(list) => Some(&list.elts),
        _ => None,
    }
}
