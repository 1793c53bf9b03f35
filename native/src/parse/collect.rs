//! One walk over the tree that collects everything a [`Module`] says.
//!
//! Here is the walk; [`definitions`] makes symbols of what it meets, [`uses`] the rest.
#![forbid(unsafe_code)]

mod definitions;
mod uses;

use self::definitions::docstring;
use super::chain::tail;
use super::exports::Exports;
use super::records::{Binding, Call, Kind, Module, Scope};
use super::source::Source;
use ruff_python_ast::visitor::{Visitor, walk_except_handler, walk_expr, walk_pattern, walk_stmt};
use ruff_python_ast::{
    ExceptHandler, Expr, ModModule, Operator, Pattern, Stmt, StmtGlobal, StmtIf, StmtNonlocal,
};
use ruff_text_size::Ranged;
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
        exports: Exports::default(),
        locals: HashSet::new(),
        globals: HashSet::new(),
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
    /// Names that functions bind in any way, and those that they declare to be of others.
    locals: HashSet<(Scope, &'a str)>,
    globals: HashSet<(Scope, &'a str)>,
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
            Expr::Name(name) if name.ctx.is_store() => self.add_local(name.id.as_str()),
            Expr::Lambda(lambda) => {
                for parameter in lambda.parameters.iter().flat_map(|them| them.iter()) {
                    self.add_local(parameter.name().as_str());
                }
            }
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

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(caught) = handler;
        if let Some(name) = &caught.name {
            self.add_local(name.as_str());
        }
        walk_except_handler(self, handler);
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        let name = match pattern {
            Pattern::MatchAs(capture) => capture.name.as_ref(),
            Pattern::MatchStar(capture) => capture.name.as_ref(),
            Pattern::MatchMapping(mapping) => mapping.rest.as_ref(),
            _ => None,
        };
        if let Some(name) = name {
            self.add_local(name.as_str());
        }
        walk_pattern(self, pattern);
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
        if let Some(names) = self.exports.into_names() {
            if names.lists.is_empty() {
                self.module.exports = Some(names.listed);
            } else {
                self.module.listed = names.listed;
                self.module.lists = names.lists;
            }
        }
        let mut locals: Vec<_> = self.locals.difference(&self.globals).copied().collect();
        locals.sort_unstable();
        let heads = heads(&self.module);
        let named = locals.into_iter().filter(|(_, name)| heads.contains(name));
        let locals = named
            .map(|(scope, name)| (scope, name.to_owned()))
            .collect();
        drop(heads);
        self.module.locals = locals;
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
                    self.exports.give_up();
                }
            }
            Stmt::Global(StmtGlobal { names, .. }) | Stmt::Nonlocal(StmtNonlocal { names, .. }) => {
                let scope = self.inside.scope;
                self.globals
                    .extend(names.iter().map(|name| (scope, name.as_str())));
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

    fn add_local(&mut self, name: &'a str) {
        if self.inside.kind == Kind::Function {
            self.locals.insert((self.inside.scope, name));
        }
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

    fn suite(&mut self, inside: Inside<'a>, body: &'a [Stmt]) {
        let outer = std::mem::replace(&mut self.inside, inside);
        self.visit_body(body);
        self.inside = outer;
    }

    fn is_exports(&self, target: &Expr) -> bool {
        self.inside.scope < 0
            && target
                .as_name_expr()
                .is_some_and(|name| name.id == "__all__")
    }
}

/// The names that chains begin with; of a local that is none of them nobody asks.
fn heads(module: &Module) -> HashSet<&str> {
    let calls = module.calls.iter().map(|call| &call.callee);
    let values = module.bindings.iter().map(|binding| &binding.value);
    calls
        .chain(values)
        .map(|chain| chain.split(['.', '(', '[']).next().unwrap_or_default())
        .collect()
}
