//! Classes, functions and attributes.
#![forbid(unsafe_code)]

use super::{Collector, Inside};
use crate::parse::records::{Kind, Module, Scope, Symbol};
use crate::parse::signature;
use crate::parse::source::{Source, unify_line_ends};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Decorator, Expr, Stmt, StmtClassDef, StmtFunctionDef, TypeParams};
use ruff_python_parser::parse_expression;
use ruff_text_size::{Ranged, TextRange};

impl<'a> Collector<'a> {
    /// A function with its header and its suite.
    pub(super) fn function(&mut self, function: &'a StmtFunctionDef) {
        let source = self.source;
        let parameters = &*function.parameters;
        let returns = function.returns.as_deref();
        let scope = self.add_symbol(Symbol {
            signature: signature::of_function(source, function),
            returns: returns.map_or_else(String::new, |returns| source.part(returns.range())),
            is_async: function.is_async,
            ..self.definition(
                Kind::Function,
                &function.name,
                function.range,
                &function.decorator_list,
                &function.body,
            )
        });
        self.visit_decorators(&function.decorator_list, scope);
        if let Some(params) = &function.type_params {
            self.visit_type_params(params);
        }
        self.visit_parameters(parameters);
        if let Some(returns) = returns {
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
        self.suite(Inside::new(scope, Kind::Function, receiver), &function.body);
    }

    /// A class with its header and its suite.
    pub(super) fn class(&mut self, class: &'a StmtClassDef) {
        let source = self.source;
        let bases = class
            .arguments
            .as_deref()
            .map_or(&[][..], |arguments| &arguments.args);
        let scope = self.add_symbol(Symbol {
            signature: signature::of_class(source, class),
            bases: bases.iter().map(|base| source.part(base.range())).collect(),
            ..self.definition(
                Kind::Class,
                &class.name,
                class.range,
                &class.decorator_list,
                &class.body,
            )
        });
        self.visit_decorators(&class.decorator_list, scope);
        if let Some(params) = &class.type_params {
            self.visit_type_params(params);
        }
        if let Some(arguments) = &class.arguments {
            for base in &arguments.args {
                self.quietly(|quiet| quiet.visit_expr(base));
            }
            for keyword in &arguments.keywords {
                self.visit_keyword(keyword);
            }
        }
        self.suite(Inside::new(scope, Kind::Class, None), &class.body);
    }

    /// What a class and a function have in common.
    fn definition(
        &self,
        kind: Kind,
        name: &str,
        range: TextRange,
        decorators: &[Decorator],
        body: &[Stmt],
    ) -> Symbol {
        let source = self.source;
        let (start, end) = (range.start().to_u32(), end_offset(source, range));
        Symbol {
            kind,
            name: name.to_owned(),
            qualname: self.module.qualname(self.inside.scope, name),
            parent: self.inside.scope,
            start,
            end,
            start_line: source.line(start),
            end_line: source.line(end),
            line: source.line(keyword_offset(source, start, decorators)),
            body: body.first().map_or(end, |first| first.start().to_u32()),
            signature: String::new(),
            docstring: docstring(source, body.first()),
            bases: Vec::new(),
            decorators: decorators
                .iter()
                .map(|decorator| source.part(decorator.expression.range()))
                .collect(),
            returns: String::new(),
            is_async: false,
        }
    }

    fn add_symbol(&mut self, symbol: Symbol) -> Scope {
        self.module.symbols.push(symbol);
        Scope::try_from(self.module.symbols.len() - 1).unwrap_or(-1)
    }

    /// The names that `statement` assigns to `target`, each once for its scope.
    pub(super) fn add_attributes(
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
pub fn docstring(source: &Source<'_>, statement: Option<&Stmt>) -> Option<String> {
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
