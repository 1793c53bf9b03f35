//! `parse`, `parse_all`: the parser's records as the named tuples of `pydocs_native.records`.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use pyo3::BoundObject;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyTuple, PyType};

use super::border::without_gil;
use crate::parse as parser;
use crate::parse::records::{
    Binding, Call, Import, Kind, Mark, Module, Problem, Scope, Symbol, Use,
};

/// Gives what one module's text says; broken text gives what it can, and problems.
#[pyfunction]
pub fn parse(py: Python<'_>, text: PyBackedBytes) -> PyResult<Bound<'_, PyAny>> {
    parse_all(py, vec![text])?.get_item(0)
}

/// Parses every text in parallel, with the GIL released.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // PyO3 extracts by value.
pub fn parse_all(py: Python<'_>, texts: Vec<PyBackedBytes>) -> PyResult<Bound<'_, PyList>> {
    let modules = without_gil(py, || parser::parse_all(&texts))?
        .map_err(|error| PyOSError::new_err(format!("no threads to parse on: {error}.")))?;
    let records = RECORDS.get_or_try_init(py, || Records::import(py))?;
    // None of what is made here is garbage; to have it looked at again and again costs a quarter.
    let collector = py.import("gc")?;
    let was_enabled = collector.call_method0("isenabled")?.is_truthy()?;
    collector.call_method0("disable")?;
    let list = listed(py, records, &modules);
    if was_enabled {
        collector.call_method0("enable")?;
    }
    list
}

fn listed<'py>(
    py: Python<'py>,
    records: &Records,
    modules: &[Module],
) -> PyResult<Bound<'py, PyList>> {
    let mut border = Border {
        py,
        records,
        texts: HashMap::new(),
    };
    let list = PyList::empty(py);
    for module in modules {
        list.append(border.module(module)?)?;
    }
    Ok(list)
}

static RECORDS: PyOnceLock<Records> = PyOnceLock::new();

/// The named tuples, and `tuple.__new__`, which makes one without running Python code.
struct Records {
    module: Py<PyType>,
    symbol: Py<PyType>,
    import: Py<PyType>,
    call: Py<PyType>,
    used: Py<PyType>,
    binding: Py<PyType>,
    mark: Py<PyType>,
    problem: Py<PyType>,
    local: Py<PyType>,
    new: Py<PyAny>,
}

impl Records {
    fn import(py: Python<'_>) -> PyResult<Self> {
        let records = py.import("pydocs_native.records")?;
        let class = |name| -> PyResult<Py<PyType>> {
            Ok(records.getattr(name)?.cast_into::<PyType>()?.unbind())
        };
        Ok(Self {
            module: class("ParsedModule")?,
            symbol: class("ParsedSymbol")?,
            import: class("Import")?,
            call: class("Call")?,
            used: class("Use")?,
            binding: class("Binding")?,
            mark: class("Mark")?,
            problem: class("Problem")?,
            local: class("Local")?,
            new: py.get_type::<PyTuple>().getattr("__new__")?.unbind(),
        })
    }
}

/// Carries modules over; a text that comes again is the same string.
struct Border<'a, 'py> {
    py: Python<'py>,
    records: &'a Records,
    texts: HashMap<&'a str, Bound<'py, PyString>>,
}

impl<'a, 'py> Border<'a, 'py> {
    fn module(&mut self, module: &'a Module) -> PyResult<Bound<'py, PyAny>> {
        let exports = match &module.exports {
            Some(names) => Some(self.texts(names)?),
            None => None,
        };
        let fields = (
            module.docstring.as_deref(),
            exports,
            self.tuple(&module.symbols, Self::symbol)?,
            self.tuple(&module.imports, Self::import)?,
            self.tuple(&module.calls, Self::call)?,
            self.tuple(&module.bindings, Self::binding)?,
            self.tuple(&module.marks, Self::mark)?,
            self.tuple(&module.problems, Self::problem)?,
            self.texts(&module.listed)?,
            self.texts(&module.lists)?,
            self.tuple(&module.locals, Self::local)?,
            self.tuple(&module.uses, Self::used)?,
        );
        self.record(&self.records.module, fields)
    }

    fn symbol(&mut self, symbol: &'a Symbol) -> PyResult<Bound<'py, PyAny>> {
        let kind = match symbol.kind {
            Kind::Class => "class",
            Kind::Function => "function",
            Kind::Attribute => "attribute",
        };
        let elements = [
            self.text(kind).into_any(),
            self.text(&symbol.name).into_any(),
            PyString::new(self.py, &symbol.qualname).into_any(),
            self.number(symbol.parent)?,
            self.number(symbol.start)?,
            self.number(symbol.end)?,
            self.number(symbol.start_line)?,
            self.number(symbol.end_line)?,
            self.number(symbol.line)?,
            self.number(symbol.body)?,
            self.text(&symbol.signature).into_any(),
            symbol.docstring.as_deref().into_pyobject(self.py)?,
            self.texts(&symbol.bases)?.into_any(),
            self.texts(&symbol.decorators)?.into_any(),
            self.text(&symbol.returns).into_any(),
            symbol
                .is_async
                .into_pyobject(self.py)?
                .to_owned()
                .into_any(),
        ];
        self.record(&self.records.symbol, PyTuple::new(self.py, elements)?)
    }

    fn import(&mut self, import: &'a Import) -> PyResult<Bound<'py, PyAny>> {
        let fields = (
            import.scope,
            import.level,
            self.text(&import.module),
            self.text(&import.name),
            self.text(&import.alias),
            import.line,
            import.column,
            import.is_typing,
        );
        self.record(&self.records.import, fields)
    }

    fn call(&mut self, call: &'a Call) -> PyResult<Bound<'py, PyAny>> {
        let fields = (
            call.scope,
            self.text(&call.callee),
            call.line,
            call.column,
            call.is_decorator,
            self.text(&call.arguments),
            call.at,
        );
        self.record(&self.records.call, fields)
    }

    fn used(&mut self, used: &'a Use) -> PyResult<Bound<'py, PyAny>> {
        let fields = (
            used.scope,
            self.text(used.form),
            self.text(&used.chain),
            self.text(&used.arguments),
            used.line,
            used.column,
        );
        self.record(&self.records.used, fields)
    }

    fn binding(&mut self, binding: &'a Binding) -> PyResult<Bound<'py, PyAny>> {
        let fields = (
            binding.scope,
            self.text(&binding.target),
            self.text(&binding.value),
            self.text(&binding.annotation),
            binding.line,
            binding.at,
            binding.is_straight,
            binding.again,
        );
        self.record(&self.records.binding, fields)
    }

    fn mark(&mut self, mark: &'a Mark) -> PyResult<Bound<'py, PyAny>> {
        let word = self.text(mark.word);
        let fields = (
            mark.scope,
            word,
            mark.start,
            mark.end,
            mark.line,
            mark.end_line,
        );
        self.record(&self.records.mark, fields)
    }

    fn local(&mut self, local: &'a (Scope, String)) -> PyResult<Bound<'py, PyAny>> {
        let fields = (local.0, self.text(&local.1));
        self.record(&self.records.local, fields)
    }

    fn problem(&mut self, problem: &'a Problem) -> PyResult<Bound<'py, PyAny>> {
        self.record(&self.records.problem, (problem.line, &problem.message))
    }

    fn tuple<T>(
        &mut self,
        items: &'a [T],
        convert: impl Fn(&mut Self, &'a T) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let items = items
            .iter()
            .map(|item| convert(self, item))
            .collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(self.py, items)
    }

    fn texts(&mut self, texts: &'a [String]) -> PyResult<Bound<'py, PyTuple>> {
        let texts: Vec<_> = texts.iter().map(|text| self.text(text)).collect();
        PyTuple::new(self.py, texts)
    }

    fn text(&mut self, text: &'a str) -> Bound<'py, PyString> {
        let new = || PyString::new(self.py, text);
        self.texts.entry(text).or_insert_with(new).clone()
    }

    fn number(&self, number: impl Into<i64>) -> PyResult<Bound<'py, PyAny>> {
        Ok(number.into().into_pyobject(self.py)?.into_any())
    }

    fn record(
        &self,
        class: &Py<PyType>,
        fields: impl IntoPyObject<'py, Target = PyTuple, Error: Into<PyErr>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let fields = fields.into_pyobject(self.py).map_err(Into::into)?;
        self.records
            .new
            .bind(self.py)
            .call1((class, fields.into_bound()))
    }
}
