//! One walk over the tree that collects everything a [`Module`] says.
#![forbid(unsafe_code)]

use super::chain::{chain, last_name, tail, target_chain, value_chain};
use super::exports::Exports;
use super::records::{Binding, Call, Import, Kind, Module, Scope, Symbol};
use super::signature;
use super::source::{Source, unify_line_ends};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{
    Decorator, Expr, ModModule, Operator, Parameters, Stmt, StmtClassDef, StmtFunctionDef, StmtIf,
    TypeParams,
};
use ruff_python_parser::parse_expression;
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;

/// Collect from `tree`, all but marks and problems.
pub fn collect(source: &Source<'_>, tree: &ModModule) -> Module {
    let mut collector = Collector {
        source,
        module: Module {
            docstring: docstring(source, tree.body.first()),
            ..Module::default()
        },
        inside: Inside {
            scope: -1,
            kind: Kind::Class,
            receiver: None,
        },
        is_typing: false,
        is_conditional: false,
        pinned: None,
        calls: Vec::new(),
        bindings: Vec::new(),
        attributes: HashSet::new(),
        exports: Exports::Absent,
    };
    collector.visit_body(&tree.body);
    collector.finish()
}

/// Where the walk is: a scope, and in an `__init__` the name of `self`.
#[derive(Clone, Copy)]
struct Inside<'a> {
    scope: Scope,
    kind: Kind,
    receiver: Option<(&'a str, Scope)>,
}

struct Collector<'a> {
    source: &'a Source<'a>,
    module: Module,
    inside: Inside<'a>,
    is_typing: bool,
    is_conditional: bool,
    /// Inside an f-string, where it begins: older interpreters know no better position.
    pinned: Option<u32>,
    calls: Vec<(u32, Call)>,
    bindings: Vec<(u32, Binding)>,
    attributes: HashSet<(Scope, &'a str)>,
    exports: Exports,
}

impl<'a> Visitor<'a> for Collector<'a> {
    fn visit_body(&mut self, body: &'a [Stmt]) {
        for (index, statement) in body.iter().enumerate() {
            self.statement(statement, body.get(index + 1));
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) => self.add_call(&call.func, self.inside.scope, false),
            Expr::Named(named) => self.bind(&named.target, Some(&named.value), None),
            Expr::FString(_) | Expr::TString(_) if self.pinned.is_none() => {
                self.pinned = Some(expr.start().to_u32());
                walk_expr(self, expr);
                self.pinned = None;
                return;
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

impl<'a> Collector<'a> {
    fn finish(mut self) -> Module {
        self.calls
            .sort_by(|(a, x), (b, y)| (a, &x.callee).cmp(&(b, &y.callee)));
        self.bindings
            .sort_by(|(a, x), (b, y)| (a, &x.target, &x.value).cmp(&(b, &y.target, &y.value)));
        self.module.calls = self.calls.into_iter().map(|(_, call)| call).collect();
        self.module.bindings = self
            .bindings
            .into_iter()
            .map(|(_, binding)| binding)
            .collect();
        self.module.exports = self.exports.into_names();
        self.module
    }

    fn statement(&mut self, statement: &'a Stmt, next: Option<&'a Stmt>) {
        match statement {
            // Only broken text has definitions without names.
            Stmt::FunctionDef(function) if !function.name.is_empty() => {
                return self.function(function);
            }
            Stmt::ClassDef(class) if !class.name.is_empty() => return self.class(class),
            Stmt::If(branches) => return self.branches(branches),
            Stmt::For(_) | Stmt::While(_) | Stmt::Try(_) | Stmt::Match(_) => {
                return self.conditional(statement);
            }
            Stmt::With(with) => {
                for item in &with.items {
                    if let Some(target) = &item.optional_vars {
                        self.bind(target, Some(&item.context_expr), None);
                    }
                }
                return self.conditional(statement);
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.add_import(alias, 0, alias.name.as_str(), "");
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map_or("", |module| module.as_str());
                for alias in &import.names {
                    self.add_import(alias, import.level, module, alias.name.as_str());
                }
            }
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.add_attributes(target, statement, next, None, None, Some(&assign.value));
                    self.bind(target, Some(&assign.value), None);
                    if self.is_exports(target) {
                        self.exports.assign(&assign.value, self.is_conditional);
                    }
                }
            }
            Stmt::AnnAssign(assign) => {
                let (annotation, value) = (Some(&*assign.annotation), assign.value.as_deref());
                self.add_attributes(&assign.target, statement, next, None, annotation, value);
                self.bind(&assign.target, value, annotation);
                if let Some(value) = value
                    && self.is_exports(&assign.target)
                {
                    self.exports.assign(value, self.is_conditional);
                }
            }
            Stmt::AugAssign(assign) if self.is_exports(&assign.target) => {
                if assign.op == Operator::Add {
                    self.exports.extend(&assign.value);
                } else {
                    self.exports = Exports::Unknown;
                }
            }
            Stmt::TypeAlias(alias) => {
                let (params, value) = (alias.type_params.as_deref(), Some(&*alias.value));
                self.add_attributes(&alias.name, statement, next, params, None, value);
            }
            Stmt::Expr(expression) => {
                if let Expr::Call(call) = &*expression.value
                    && let Expr::Attribute(method) = &*call.func
                    && self.is_exports(&method.value)
                {
                    self.exports
                        .call(method.attr.as_str(), call, self.is_conditional);
                }
            }
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn conditional(&mut self, statement: &'a Stmt) {
        let was_conditional = std::mem::replace(&mut self.is_conditional, true);
        walk_stmt(self, statement);
        self.is_conditional = was_conditional;
    }

    fn branches(&mut self, branches: &'a StmtIf) {
        let was_conditional = std::mem::replace(&mut self.is_conditional, true);
        self.branch(Some(&branches.test), &branches.body);
        for clause in &branches.elif_else_clauses {
            self.branch(clause.test.as_ref(), &clause.body);
        }
        self.is_conditional = was_conditional;
    }

    fn branch(&mut self, test: Option<&'a Expr>, body: &'a [Stmt]) {
        let was_typing = self.is_typing;
        if let Some(test) = test {
            self.visit_expr(test);
            self.is_typing |= tail(test) == Some("TYPE_CHECKING");
        }
        self.visit_body(body);
        self.is_typing = was_typing;
    }

    fn function(&mut self, function: &'a StmtFunctionDef) {
        let source = self.source;
        let parameters = &*function.parameters;
        let (start, end) = (
            function.start().to_u32(),
            end_offset(source, function.range),
        );
        let scope = self.add_symbol(Symbol {
            kind: Kind::Function,
            name: function.name.to_string(),
            qualname: self.qualname(function.name.as_str()),
            parent: self.inside.scope,
            start,
            end,
            start_line: source.line(start),
            end_line: source.line(end),
            line: source.line(keyword_offset(source, start, &function.decorator_list)),
            body: function
                .body
                .first()
                .map_or(end, |first| first.start().to_u32()),
            signature: signature::of_function(source, function),
            docstring: docstring(source, function.body.first()),
            bases: Vec::new(),
            decorators: decorators(source, &function.decorator_list),
            returns: function
                .returns
                .as_ref()
                .map(|returns| source.part(returns.range()))
                .unwrap_or_default(),
            is_async: function.is_async,
        });
        self.visit_decorators(&function.decorator_list, scope);
        if let Some(params) = &function.type_params {
            self.visit_type_params(params);
        }
        self.visit_parameters(parameters);
        if let Some(returns) = &function.returns {
            self.visit_annotation(returns);
        }
        self.bind_parameters(parameters, scope);
        let first = parameters.posonlyargs.first().or(parameters.args.first());
        let receiver = match (self.inside.kind, first) {
            (Kind::Class, Some(first))
                if self.inside.scope >= 0 && function.name.id == "__init__" =>
            {
                Some((first.parameter.name.as_str(), self.inside.scope))
            }
            _ => None,
        };
        self.suite(
            Inside {
                scope,
                kind: Kind::Function,
                receiver,
            },
            &function.body,
        );
    }

    fn class(&mut self, class: &'a StmtClassDef) {
        let source = self.source;
        let (start, end) = (class.start().to_u32(), end_offset(source, class.range));
        let bases = class
            .arguments
            .as_deref()
            .map_or(&[][..], |arguments| &arguments.args);
        let scope = self.add_symbol(Symbol {
            kind: Kind::Class,
            name: class.name.to_string(),
            qualname: self.qualname(class.name.as_str()),
            parent: self.inside.scope,
            start,
            end,
            start_line: source.line(start),
            end_line: source.line(end),
            line: source.line(keyword_offset(source, start, &class.decorator_list)),
            body: class
                .body
                .first()
                .map_or(end, |first| first.start().to_u32()),
            signature: signature::of_class(source, class),
            docstring: docstring(source, class.body.first()),
            bases: bases.iter().map(|base| source.part(base.range())).collect(),
            decorators: decorators(source, &class.decorator_list),
            returns: String::new(),
            is_async: false,
        });
        self.visit_decorators(&class.decorator_list, scope);
        if let Some(params) = &class.type_params {
            self.visit_type_params(params);
        }
        if let Some(arguments) = &class.arguments {
            self.visit_arguments(arguments);
        }
        self.suite(
            Inside {
                scope,
                kind: Kind::Class,
                receiver: None,
            },
            &class.body,
        );
    }

    fn suite(&mut self, inside: Inside<'a>, body: &'a [Stmt]) {
        let outer = std::mem::replace(&mut self.inside, inside);
        self.visit_body(body);
        self.inside = outer;
    }

    fn qualname(&self, name: &str) -> String {
        self.module.qualname(self.inside.scope, name)
    }

    fn add_symbol(&mut self, symbol: Symbol) -> Scope {
        self.module.symbols.push(symbol);
        Scope::try_from(self.module.symbols.len() - 1).unwrap_or(-1)
    }

    /// The names that `statement` assigns to `target`, each once for its scope.
    fn add_attributes(
        &mut self,
        target: &'a Expr,
        statement: &'a Stmt,
        next: Option<&'a Stmt>,
        type_params: Option<&TypeParams>,
        annotation: Option<&Expr>,
        value: Option<&Expr>,
    ) {
        if self.inside.kind == Kind::Function && self.inside.receiver.is_none() {
            return;
        }
        let is_whole = !target.is_tuple_expr() && !target.is_list_expr();
        let mut targets = vec![target];
        while let Some(target) = targets.pop() {
            let (parent, name, offset) = match target {
                Expr::Tuple(tuple) => {
                    targets.extend(tuple.elts.iter().rev());
                    continue;
                }
                Expr::List(list) => {
                    targets.extend(list.elts.iter().rev());
                    continue;
                }
                Expr::Starred(starred) => {
                    targets.push(&starred.value);
                    continue;
                }
                Expr::Name(name) if self.inside.kind == Kind::Class => {
                    (self.inside.scope, name.id.as_str(), name.start())
                }
                Expr::Attribute(attribute) => match (self.inside.receiver, &*attribute.value) {
                    (Some((receiver, class)), Expr::Name(name)) if name.id == *receiver => {
                        (class, attribute.attr.as_str(), attribute.attr.start())
                    }
                    _ => continue,
                },
                _ => continue,
            };
            if name.is_empty() || !self.attributes.insert((parent, name)) {
                continue;
            }
            let (start, end) = (statement.start().to_u32(), statement.end().to_u32());
            let signature = if is_whole {
                signature::of_attribute(self.source, type_params, annotation, value)
            } else {
                String::new()
            };
            self.add_symbol(Symbol {
                kind: Kind::Attribute,
                name: name.to_owned(),
                qualname: self.module.qualname(parent, name),
                parent,
                start,
                end,
                start_line: self.source.line(start),
                end_line: self.source.line(end),
                line: self.source.line(offset.to_u32()),
                body: end,
                signature,
                docstring: docstring(self.source, next),
                bases: Vec::new(),
                decorators: Vec::new(),
                returns: String::new(),
                is_async: false,
            });
        }
    }

    fn add_import(&mut self, alias: &ruff_python_ast::Alias, level: u32, module: &str, name: &str) {
        let (line, column) = self.source.position(alias.start().to_u32());
        if alias.name.is_empty() {
            return;
        }
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

    fn visit_decorators(&mut self, decorators: &'a [Decorator], scope: Scope) {
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

    fn add_call(&mut self, callee: &Expr, scope: Scope, is_decorator: bool) {
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

    fn bind(&mut self, target: &'a Expr, value: Option<&'a Expr>, annotation: Option<&Expr>) {
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

    fn bind_parameters(&mut self, parameters: &Parameters, scope: Scope) {
        for parameter in parameters {
            let parameter = parameter.as_parameter();
            let Some(annotation) = parameter.annotation() else {
                continue;
            };
            let text = self.source.part(annotation.range());
            let is = |variadic: &Option<Box<ruff_python_ast::Parameter>>| {
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

    fn is_exports(&self, target: &Expr) -> bool {
        self.inside.scope < 0
            && target
                .as_name_expr()
                .is_some_and(|name| name.id == "__all__")
    }
}

impl Module {
    fn qualname(&self, scope: Scope, name: &str) -> String {
        let outer = usize::try_from(scope)
            .ok()
            .and_then(|index| self.symbols.get(index));
        match outer {
            Some(outer) if outer.kind == Kind::Function => {
                format!("{}.<locals>.{name}", outer.qualname)
            }
            Some(outer) => format!("{}.{name}", outer.qualname),
            None => name.to_owned(),
        }
    }
}

fn elements(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Tuple(tuple) => Some(&tuple.elts),
        Expr::List(list) => Some(&list.elts),
        _ => None,
    }
}

fn decorators(source: &Source<'_>, decorators: &[Decorator]) -> Vec<String> {
    decorators
        .iter()
        .map(|decorator| source.part(decorator.expression.range()))
        .collect()
}

/// The end of a definition as `CPython` has it: with the semicolon after its last statement.
fn end_offset(source: &Source<'_>, range: TextRange) -> u32 {
    let tokens: &[_] = source.tokens;
    let next = tokens.partition_point(|token| token.start() < range.end());
    match tokens.get(next) {
        Some(token) if token.kind() == TokenKind::Semi => token.end().to_u32(),
        _ => range.end().to_u32(),
    }
}

/// Where `def`, `class` or `async` stands: the first token after the decorators.
fn keyword_offset(source: &Source<'_>, start: u32, decorators: &[Decorator]) -> u32 {
    let Some(last) = decorators.last() else {
        return start;
    };
    let tokens: &[_] = source.tokens;
    let first = tokens.partition_point(|token| token.start() < last.end());
    tokens[first..]
        .iter()
        .find(|token| !token.kind().is_trivia() && !token.kind().is_any_newline())
        .map_or(start, |token| token.start().to_u32())
}

/// The value of `statement`, if it is a string.
fn docstring(source: &Source<'_>, statement: Option<&Stmt>) -> Option<String> {
    let string = statement?.as_expr_stmt()?.value.as_string_literal_expr()?;
    let text = source.slice(string.range);
    if text.contains('\r') {
        // Python reads every line end as `\n`, but an escaped one stays what it is.
        let unified = format!("({})", unify_line_ends(text));
        let parsed = parse_expression(&unified).ok()?;
        return Some(
            parsed
                .expr()
                .as_string_literal_expr()?
                .value
                .to_str()
                .to_owned(),
        );
    }
    Some(string.value.to_str().to_owned())
}
