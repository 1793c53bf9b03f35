//! Imports, calls and bindings.
#![forbid(unsafe_code)]

use super::{Collector, with_suffix};
use crate::parse::chain::{UNKNOWN, last_name};
use crate::parse::records::{Binding, Call, Import, Kind, Scope};
use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{
    Alias, Arguments, Comprehension, Decorator, Expr, ExprLambda, Operator, Parameter, Parameters,
    StmtAugAssign,
};
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
                self.add_call(&call.func, Some(&call.arguments), scope, true);
                self.visit_callee(&call.func);
                self.visit_arguments(&call.arguments);
            } else {
                self.add_call(&decorator.expression, None, scope, true);
                self.visit_callee(&decorator.expression);
            }
        }
    }

    /// What a callee is made of; that it is called is no read of it.
    pub(super) fn visit_callee(&mut self, callee: &'a Expr) {
        match callee {
            Expr::Name(_) => {}
            Expr::Attribute(attribute) => self.visit_expr(&attribute.value),
            other => self.visit_expr(other),
        }
    }

    /// One call of `callee`, or one use of it as a decorator.
    pub(super) fn add_call(
        &mut self,
        callee: &'a Expr,
        arguments: Option<&'a Arguments>,
        scope: Scope,
        is_decorator: bool,
    ) {
        let Some(chain) = self.chains.chain(callee) else {
            return;
        };
        let arguments = arguments.map(|given| self.chains.arguments(given));
        let at = self.chains.pinned.unwrap_or_else(|| last_name(callee));
        let (line, column) = self.source.position(at);
        let call = Call {
            scope,
            callee: chain,
            line,
            column,
            at,
            is_decorator,
            arguments: arguments.unwrap_or_default(),
        };
        self.calls.push((at, call));
    }

    /// A lambda: its parameters with their defaults, and what it gives.
    pub(super) fn lambda(&mut self, lambda: &'a ExprLambda) {
        let place = self.chains.place(lambda.start().to_u32());
        let before = self.chains.depth();
        let mut names = String::from("(");
        if let Some(parameters) = &lambda.parameters {
            for parameter in parameters.iter_non_variadic_params() {
                if let Some(default) = &parameter.default {
                    self.visit_expr(default);
                    let target = format!("{}@{place}=", parameter.parameter.name);
                    let value = self.chains.value(default);
                    let offset = parameter.parameter.name.start().to_u32();
                    self.add_binding(self.inside.scope, target, value, String::new(), offset, 0);
                }
            }
            names.push_str(&listed(parameters));
            for parameter in parameters {
                self.chains.push(parameter.name().as_str(), place);
            }
        }
        names.push(')');
        let value = self.chains.value(&lambda.body);
        let (scope, target) = (self.inside.scope, format!("\\{place}"));
        self.add_binding(scope, target, value, names, lambda.start().to_u32(), 0);
        self.visit_expr(&lambda.body);
        self.chains.pop_to(before);
    }

    /// A comprehension, whose names are its own.
    pub(super) fn comprehension(&mut self, generators: &'a [Comprehension], parts: &[&'a Expr]) {
        let before = self.chains.depth();
        let first = generators
            .first()
            .map_or(0, |first| first.target.start().to_u32());
        let place = self.chains.place(first);
        for generator in generators {
            self.add_iteration(&generator.iter, generator.is_async);
            let items = self.chains.value(&generator.iter);
            self.visit_expr(&generator.iter);
            self.chains.push_target(&generator.target, place);
            self.bind_text(&generator.target, &with_suffix(&items, "[*]"), 0);
            for test in &generator.ifs {
                self.add_truth(test);
                self.visit_expr(test);
            }
        }
        for part in parts {
            self.visit_expr(part);
        }
        self.chains.pop_to(before);
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
                return;
            }
        }
        let text = value
            .map(|value| self.chains.value(value))
            .unwrap_or_default();
        let at = value.map_or(target.end(), Ranged::end).to_u32();
        if let Some(annotation) = annotation {
            let annotation = self.source.part(annotation.range());
            if let Some(target_text) = self.chains.target(target) {
                let offset = target.start().to_u32();
                self.add_binding(self.inside.scope, target_text, text, annotation, offset, at);
            }
            return;
        }
        self.bind_text(target, &text, at);
    }

    /// What `target = value` tells, by the chain of the value; of tuples, what each part is.
    pub(super) fn bind_text(&mut self, target: &'a Expr, value: &str, at: u32) {
        if value.is_empty() {
            return;
        }
        if let Some(targets) = elements(target) {
            if value.len() > 200 {
                return;
            }
            for (number, target) in targets.iter().enumerate() {
                match target {
                    Expr::Starred(starred) => {
                        self.bind_text(&starred.value, &format!("[{value}[*]]"), at);
                    }
                    other => self.bind_text(other, &format!("{value}[{number}]"), at),
                }
            }
            return;
        }
        if let Some(text) = self.chains.target(target) {
            let offset = target.start().to_u32();
            let (scope, value) = (self.inside.scope, value.to_owned());
            self.add_binding(scope, text, value, String::new(), offset, at);
        }
    }

    /// What an exception handler catches.
    pub(super) fn bind_caught(&mut self, name: &str, caught: &'a Expr) {
        let classes = elements(caught).unwrap_or(std::slice::from_ref(caught));
        let chains = classes.iter().map(|class| self.chains.value(class));
        let made: Vec<_> = chains
            .filter(|chain| !chain.is_empty())
            .map(|chain| format!("{chain}()"))
            .collect();
        let value = match made.as_slice() {
            [] => return,
            [only] => only.clone(),
            several => format!("?({})", several.join("|")),
        };
        let (scope, at) = (self.inside.scope, caught.end().to_u32());
        self.add_binding(scope, name.to_owned(), value, String::new(), at, at);
    }

    /// What a function gives back.
    pub(super) fn add_return(&mut self, value: &'a Expr) {
        if self.inside.kind == Kind::Function {
            let text = self.chains.value(value);
            let at = value.start().to_u32();
            let target = String::from("return");
            self.add_binding(self.inside.scope, target, text, String::new(), at, at);
        }
    }

    /// What a generator yields.
    pub(super) fn add_yield(&mut self, value: Option<&'a Expr>, at: u32, suffix: &str) {
        if self.inside.kind == Kind::Function {
            let text = value
                .map(|value| self.chains.value(value))
                .unwrap_or_default();
            let mut text = with_suffix(&text, suffix);
            if text.is_empty() {
                // That it yields makes it a generator.
                UNKNOWN.clone_into(&mut text);
            }
            let target = String::from("yield");
            self.add_binding(self.inside.scope, target, text, String::new(), at, at);
        }
    }

    /// What `target += value` adds, and the method that it runs.
    pub(super) fn add_augmented(&mut self, assign: &'a StmtAugAssign) {
        self.add_operator(&assign.target, assign.op, "i", Some(&assign.value));
        if assign.op != Operator::Add {
            return;
        }
        let value = self.chains.value(&assign.value);
        if let Some(target) = self.chains.target(&assign.target)
            && !value.starts_with('<')
        {
            let (value, at) = (with_suffix(&value, "[*]"), assign.value.end().to_u32());
            let offset = assign.target.start().to_u32();
            self.add_binding(
                self.inside.scope,
                target + "[]",
                value,
                String::new(),
                offset,
                at,
            );
        }
    }

    /// What the annotations and defaults of parameters tell.
    pub(super) fn bind_parameters(&mut self, parameters: &'a Parameters, scope: Scope) {
        for parameter in parameters.iter_non_variadic_params() {
            if let Some(default) = &parameter.default {
                let target = format!("{}=", parameter.parameter.name);
                let value = self.chains.value(default);
                let offset = parameter.parameter.name.start().to_u32();
                self.add_binding(scope, target, value, String::new(), offset, 0);
            }
        }
        for parameter in parameters {
            let parameter = parameter.as_parameter();
            self.parameters.insert((scope, parameter.name.as_str()));
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
            let name = parameter.name.to_string();
            self.add_binding(scope, name, String::new(), annotation, offset, 0);
        }
    }

    fn add_binding(
        &mut self,
        scope: Scope,
        target: String,
        value: String,
        annotation: String,
        offset: u32,
        at: u32,
    ) {
        if target.is_empty() || (value.is_empty() && annotation.is_empty()) {
            return;
        }
        let offset = self.chains.pinned.unwrap_or(offset);
        let binding = Binding {
            scope,
            target,
            value,
            annotation,
            line: self.source.line(offset),
            at: self.chains.pinned.unwrap_or(at),
            is_straight: self.inside.is_straight,
            again: self.inside.again,
        };
        self.bindings.push((offset, binding));
    }
}

/// The names of parameters: `a,*b,c,**d`.
fn listed(parameters: &Parameters) -> String {
    let plain = |one: &ruff_python_ast::ParameterWithDefault| one.parameter.name.to_string();
    let mut names: Vec<String> = parameters.posonlyargs.iter().map(plain).collect();
    names.extend(parameters.args.iter().map(plain));
    match &parameters.vararg {
        Some(variadic) => names.push(format!("*{}", variadic.name)),
        None if !parameters.kwonlyargs.is_empty() => names.push("*".to_owned()),
        None => {}
    }
    names.extend(parameters.kwonlyargs.iter().map(plain));
    names.extend(parameters.kwarg.iter().map(|one| format!("**{}", one.name)));
    names.join(",")
}

fn elements(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Tuple(tuple) => Some(&tuple.elts),
        Expr::List(list) => Some(&list.elts),
        _ => None,
    }
}
