//! What the parser takes from one module, in Rust's own types.
#![forbid(unsafe_code)]

/// A position among [`Module::symbols`], or -1 for the module itself.
pub type Scope = i32;

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A `class` statement.
    Class,
    /// A `def` or `async def` statement.
    Function,
    /// A name assigned at module or class level, or on `self` in `__init__`.
    Attribute,
}

/// A class, function or attribute.
#[derive(Debug)]
pub struct Symbol {
    /// Class, function or attribute.
    pub kind: Kind,
    /// The last part of the qualified name.
    pub name: String,
    /// The name as Python's `__qualname__` has it.
    pub qualname: String,
    /// The scope that holds it.
    pub parent: Scope,
    /// First byte of the statement, decorators included.
    pub start: u32,
    /// The byte after the statement.
    pub end: u32,
    /// Line of `start`.
    pub start_line: u32,
    /// Line of the last byte.
    pub end_line: u32,
    /// Line of `def`, `class` or the name.
    pub line: u32,
    /// Where the suite begins; `end` for attributes.
    pub body: u32,
    /// Parameters, bases, or annotation and value, rebuilt from the source.
    pub signature: String,
    /// The docstring's value.
    pub docstring: Option<String>,
    /// Texts of a class's bases.
    pub bases: Vec<String>,
    /// Texts of the decorators, without `@`.
    pub decorators: Vec<String>,
    /// Text of the return annotation.
    pub returns: String,
    /// Whether it is an `async def`.
    pub is_async: bool,
}

/// One imported name.
#[derive(Debug)]
pub struct Import {
    /// Where it is imported.
    pub scope: Scope,
    /// How many dots stand in front of the module.
    pub level: u32,
    /// The module after the dots.
    pub module: String,
    /// The name taken from it; empty for `import module`.
    pub name: String,
    /// The name after `as`.
    pub alias: String,
    /// Line of the name.
    pub line: u32,
    /// Byte column of the name.
    pub column: u32,
    /// Whether it stands under `if TYPE_CHECKING:`.
    pub is_typing: bool,
}

/// One call, or one use as a decorator.
#[derive(Debug)]
pub struct Call {
    /// Where it is called; for a decorator what it decorates.
    pub scope: Scope,
    /// The callee as a dotted chain.
    pub callee: String,
    /// Line of the callee's last name.
    pub line: u32,
    /// Byte column of the callee's last name.
    pub column: u32,
    /// First byte of it.
    pub at: u32,
    /// Whether it is a use as a decorator.
    pub is_decorator: bool,
    /// What it is given, if that is more than literals.
    pub arguments: String,
}

/// What a statement or an operator does without a call being written.
#[derive(Debug)]
pub struct Use {
    /// Where it is done.
    pub scope: Scope,
    /// `run` of a method, `raise`, `read` or `write`.
    pub form: &'static str,
    /// What is run, raised, read or written.
    pub chain: String,
    /// What it is given, if that is more than literals.
    pub arguments: String,
    /// Line of the last name of what it is done to.
    pub line: u32,
    /// Byte column of it.
    pub column: u32,
}

/// One assignment that may tell a type.
#[derive(Debug)]
pub struct Binding {
    /// Where it is assigned.
    pub scope: Scope,
    /// The target's dotted chain.
    pub target: String,
    /// The value's chain, or nothing.
    pub value: String,
    /// The annotation's text, or nothing.
    pub annotation: String,
    /// Line of the target.
    pub line: u32,
    /// The byte from which on it holds.
    pub at: u32,
    /// Whether it stands directly in its scope, under no condition and in no loop.
    pub is_straight: bool,
    /// First byte of the outermost loop around it in its scope, or -1.
    pub again: i64,
}

/// A comment that says why.
#[derive(Debug)]
pub struct Mark {
    /// The innermost class or function around it.
    pub scope: Scope,
    /// `WHY`, `DECISION`, …
    pub word: &'static str,
    /// First byte of the comment.
    pub start: u32,
    /// The byte after its last line.
    pub end: u32,
    /// First line.
    pub line: u32,
    /// Last line.
    pub end_line: u32,
}

/// Where the text is no Python.
#[derive(Debug)]
pub struct Problem {
    /// The line.
    pub line: u32,
    /// What the parser says.
    pub message: String,
}

/// Everything taken from one module.
#[derive(Debug, Default)]
pub struct Module {
    /// The module's docstring.
    pub docstring: Option<String>,
    /// The strings of `__all__`, where decidable.
    pub exports: Option<Vec<String>>,
    /// The literal names of an `__all__` that takes in other lists.
    pub listed: Vec<String>,
    /// The chains of these lists.
    pub lists: Vec<String>,
    /// Names that functions bind without telling a type, by scope and name.
    pub locals: Vec<(Scope, String)>,
    /// Symbols in source order.
    pub symbols: Vec<Symbol>,
    /// Imports in source order.
    pub imports: Vec<Import>,
    /// Calls by position.
    pub calls: Vec<Call>,
    /// Uses by position.
    pub uses: Vec<Use>,
    /// Bindings by position.
    pub bindings: Vec<Binding>,
    /// Marks by position.
    pub marks: Vec<Mark>,
    /// What could not be parsed.
    pub problems: Vec<Problem>,
}
