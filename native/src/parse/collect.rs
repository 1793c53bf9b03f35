//! One walk over the tree that collects everything a [`Module`] says.
//!
//! Here is the walk; [`definitions`] makes symbols of what it meets, [`uses`] the rest.
#![forbid(unsafe_code)]

mod definitions;
mod implied;
mod uses;

use self::definitions::docstring;
use super::chain::{Chains, tail};
use super::exports::Exports;
use super::records::{Binding, Call, Kind, Module, Scope, Use};
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
            is_straight: true,
            again: -1,
        },
        is_typing: false,
        is_conditional: false,
        is_quiet: false,
        chains: Chains::default(),
        calls: Vec::new(),
        uses: Vec::new(),
        bindings: Vec::new(),
        attributes: HashSet::new(),
        exports: Exports::default(),
        locals: HashSet::new(),
        parameters: HashSet::new(),
        globals: HashSet::new(),
    };
    collector.visit_body(&tree.body);
    collector.finish()
}

/// Where the walk is: a scope, in an `__init__` the name of `self`, whether that runs once and in
/// any case, and where the outermost loop around it begins.
#[derive(Clone, Copy)]
struct Inside<'a> {
    scope: Scope,
    kind: Kind,
    receiver: Option<(&'a str, Scope)>,
    is_straight: bool,
    again: i64,
}

impl<'a> Inside<'a> {
    /// At the beginning of a suite of its own.
    fn new(scope: Scope, kind: Kind, receiver: Option<(&'a str, Scope)>) -> Self {
        Self {
            scope,
            kind,
            receiver,
            is_straight: true,
            again: -1,
        }
    }
}

struct Collector<'a> {
    source: &'a Source<'a>,
    module: Module,
    inside: Inside<'a>,
    is_typing: bool,
    is_conditional: bool,
    /// In annotations and bases, whose names are no reads.
    is_quiet: bool,
    chains: Chains<'a>,
    calls: Vec<(u32, Call)>,
    uses: Vec<(u32, Use)>,
    bindings: Vec<(u32, Binding)>,
    attributes: HashSet<(Scope, &'a str)>,
    exports: Exports,
    /// Names that functions bind in any way, and those that they declare to be of others.
    locals: HashSet<(Scope, &'a str)>,
    parameters: HashSet<(Scope, &'a str)>,
    globals: HashSet<(Scope, &'a str)>,
}

impl<'a> Visitor<'a> for Collector<'a> {
    fn visit_body(&mut self, body: &'a [Stmt]) {
        for (index, statement) in body.iter().enumerate() {
            self.statement(statement, body.get(index + 1));
        }
    }

    fn visit_annotation(&mut self, expr: &'a Expr) {
        self.quietly(|quiet| quiet.visit_expr(expr));
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Call(call) => {
                self.add_call(&call.func, Some(&call.arguments), self.inside.scope, false);
                self.visit_callee(&call.func);
                return self.visit_arguments(&call.arguments);
            }
            Expr::Name(name) if name.ctx.is_store() => self.add_local(name.id.as_str()),
            Expr::Lambda(lambda) => return self.lambda(lambda),
            Expr::ListComp(it) => return self.comprehension(&it.generators, &[&it.elt]),
            Expr::SetComp(it) => return self.comprehension(&it.generators, &[&it.elt]),
            Expr::Generator(it) => return self.comprehension(&it.generators, &[&it.elt]),
            Expr::DictComp(it) => {
                let parts: Vec<&Expr> = it.key.iter().chain([&it.value]).map(|it| &**it).collect();
                return self.comprehension(&it.generators, &parts);
            }
            Expr::Named(named) => self.bind(&named.target, Some(&named.value), None),
            Expr::Yield(it) => self.add_yield(it.value.as_deref(), it.start().to_u32(), ""),
            Expr::YieldFrom(it) => {
                self.add_iteration(&it.value, false);
                self.add_yield(Some(&it.value), it.start().to_u32(), "[*]");
            }
            Expr::FString(_) | Expr::TString(_) if self.chains.pinned.is_none() => {
                self.chains.pinned = Some(expr.start().to_u32());
                walk_expr(self, expr);
                self.chains.pinned = None;
                return;
            }
            _ => {}
        }
        self.add_uses(expr);
        walk_expr(self, expr);
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(caught) = handler;
        if let Some(name) = &caught.name {
            self.add_local(name.as_str());
            if let Some(caught) = &caught.type_ {
                self.bind_caught(name, caught);
            }
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
        self.calls.sort_by(|(a, x), (b, y)| {
            (a, &x.callee, &x.arguments).cmp(&(b, &y.callee, &y.arguments))
        });
        self.bindings.sort_by(|(a, x), (b, y)| {
            (a, &x.target, &x.value, &x.annotation).cmp(&(b, &y.target, &y.value, &y.annotation))
        });
        self.uses.sort_by(|(a, x), (b, y)| {
            (a, x.form, &x.chain, &x.arguments).cmp(&(b, y.form, &y.chain, &y.arguments))
        });
        self.module.calls = self.calls.into_iter().map(|(_, call)| call).collect();
        self.module.bindings = self
            .bindings
            .into_iter()
            .map(|(_, binding)| binding)
            .collect();
        let own: HashSet<_> = self
            .locals
            .difference(&self.globals)
            .chain(&self.parameters)
            .copied()
            .collect();
        let mut seen = HashSet::new();
        for (_, used) in self.uses {
            let is_access = matches!(used.form, "read" | "write");
            // Of what a function reads or writes, the first place is enough.
            if is_access
                && (own.contains(&(used.scope, used.chain.as_str()))
                    || !seen.insert((used.scope, used.form, used.chain.clone())))
            {
                continue;
            }
            self.module.uses.push(used);
        }
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
            Stmt::For(_) | Stmt::While(_) | Stmt::With(_) => return self.suites(statement),
            Stmt::Try(_) | Stmt::Match(_) => {
                return self.conditional(None, |it| walk_stmt(it, statement));
            }
            Stmt::Return(it) => {
                if let Some(value) = &it.value {
                    self.add_return(value);
                }
            }
            Stmt::Raise(it) => {
                for raised in it.exc.iter().chain(&it.cause) {
                    self.add_raise(raised);
                }
            }
            Stmt::Assert(it) => self.add_truth(&it.test),
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
            Stmt::AugAssign(assign) => {
                self.add_augmented(assign);
                if !self.is_exports(&assign.target) {
                } else if assign.op == Operator::Add {
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

    /// Loops and `with`, whose heads bind names.
    fn suites(&mut self, statement: &'a Stmt) {
        let start = statement.start().to_u32();
        match statement {
            Stmt::For(turns) => {
                self.add_iteration(&turns.iter, turns.is_async);
                let items = self.chains.value(&turns.iter);
                let at = turns.iter.end().to_u32();
                self.conditional(Some(start), |it| {
                    it.bind_text(&turns.target, &with_suffix(&items, "[*]"), at);
                    walk_stmt(it, statement);
                });
            }
            Stmt::While(turns) => {
                self.add_truth(&turns.test);
                self.conditional(Some(start), |it| walk_stmt(it, statement));
            }
            Stmt::With(with) => {
                for item in &with.items {
                    self.add_context(&item.context_expr, with.is_async);
                    if let Some(target) = &item.optional_vars {
                        let context = self.chains.value(&item.context_expr);
                        let at = item.context_expr.end().to_u32();
                        self.bind_text(target, &with_suffix(&context, "!"), at);
                    }
                }
                let was_conditional = std::mem::replace(&mut self.is_conditional, true);
                walk_stmt(self, statement);
                self.is_conditional = was_conditional;
            }
            _ => walk_stmt(self, statement),
        }
    }

    /// Walk what may not run, or, from a place on, run again.
    fn conditional(&mut self, again: Option<u32>, walk: impl FnOnce(&mut Self)) {
        let was_conditional = std::mem::replace(&mut self.is_conditional, true);
        let outer = self.inside;
        self.inside.is_straight = false;
        if let (Some(start), -1) = (again, outer.again) {
            self.inside.again = i64::from(start);
        }
        walk(self);
        self.inside = outer;
        self.is_conditional = was_conditional;
    }

    fn quietly(&mut self, walk: impl FnOnce(&mut Self)) {
        let was_quiet = std::mem::replace(&mut self.is_quiet, true);
        walk(self);
        self.is_quiet = was_quiet;
    }

    fn branches(&mut self, branches: &'a StmtIf) {
        self.conditional(None, |it| {
            it.branch(Some(&branches.test), &branches.body);
            for clause in &branches.elif_else_clauses {
                it.branch(clause.test.as_ref(), &clause.body);
            }
        });
    }

    fn branch(&mut self, test: Option<&'a Expr>, body: &'a [Stmt]) {
        let was_typing = self.is_typing;
        if let Some(test) = test {
            self.add_truth(test);
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

/// The names in chains; of a local that is none of them nobody asks.
fn heads(module: &Module) -> HashSet<&str> {
    let calls = module
        .calls
        .iter()
        .flat_map(|it| [&it.callee, &it.arguments]);
    let uses = module.uses.iter().flat_map(|it| [&it.chain, &it.arguments]);
    let bindings = module
        .bindings
        .iter()
        .flat_map(|it| [&it.target, &it.value]);
    let texts: HashSet<&str> = calls
        .chain(uses)
        .chain(bindings)
        .map(String::as_str)
        .collect();
    texts
        .into_iter()
        .flat_map(|chain| chain.split(|c: char| ".()[]{}?|,:*=\\@'<>!-".contains(c)))
        .collect()
}

/// A chain with what is done to it; nothing stays nothing.
fn with_suffix(chain: &str, suffix: &str) -> String {
    if chain.is_empty() {
        String::new()
    } else {
        format!("{chain}{suffix}")
    }
}
