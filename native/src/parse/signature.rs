//! Signatures, rebuilt from the source text of their parts.
#![forbid(unsafe_code)]

use super::source::Source;
use ruff_python_ast::{
    AnyParameterRef, Arguments, Expr, Parameter, Parameters, StmtClassDef, StmtFunctionDef,
    TypeParam, TypeParams,
};
use ruff_text_size::Ranged;

/// `[T](a: T, *, b=1) -> str`.
pub fn of_function(source: &Source<'_>, function: &StmtFunctionDef) -> String {
    let mut text = String::new();
    add_type_params(source, function.type_params.as_deref(), &mut text);
    add_parameters(source, &function.parameters, &mut text);
    if let Some(returns) = &function.returns {
        text.push_str(" -> ");
        text.push_str(&source.part(returns.range()));
    }
    text
}

/// `[T](Base, metaclass=M)`; empty without either.
pub fn of_class(source: &Source<'_>, class: &StmtClassDef) -> String {
    let mut text = String::new();
    add_type_params(source, class.type_params.as_deref(), &mut text);
    if let Some(arguments) = class.arguments.as_deref() {
        add_arguments(source, arguments, &mut text);
    }
    text
}

/// `: int = 1`, with `[T]` in front for a `type` statement.
pub fn of_attribute(
    source: &Source<'_>,
    type_params: Option<&TypeParams>,
    annotation: Option<&Expr>,
    value: Option<&Expr>,
) -> String {
    let mut text = String::new();
    add_type_params(source, type_params, &mut text);
    if let Some(annotation) = annotation {
        text.push_str(": ");
        text.push_str(&source.part(annotation.range()));
    }
    if let Some(value) = value {
        text.push_str(" = ");
        text.push_str(&source.part(value.range()));
    }
    text
}

fn add_type_params(source: &Source<'_>, params: Option<&TypeParams>, text: &mut String) {
    let Some(params) = params else { return };
    text.push('[');
    for (index, param) in params.iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        let (stars, name, bound) = match param {
            TypeParam::TypeVar(var) => ("", &var.name, var.bound.as_deref()),
            TypeParam::TypeVarTuple(var) => ("*", &var.name, None),
            TypeParam::ParamSpec(var) => ("**", &var.name, None),
        };
        text.push_str(stars);
        text.push_str(name.id.as_str());
        if let Some(bound) = bound {
            text.push_str(": ");
            text.push_str(&source.part(bound.range()));
        }
        if let Some(default) = param.default() {
            text.push_str(" = ");
            text.push_str(&source.part(default.range()));
        }
    }
    text.push(']');
}

fn add_parameters(source: &Source<'_>, parameters: &Parameters, text: &mut String) {
    text.push('(');
    let mut separator = "";
    let positional_only = parameters.posonlyargs.len();
    let first_keyword_only = parameters.kwonlyargs.first().map(Ranged::start);
    for (index, parameter) in parameters.iter().enumerate() {
        text.push_str(separator);
        if parameters.vararg.is_none() && first_keyword_only == Some(parameter.start()) {
            text.push_str("*, ");
        }
        match parameter {
            AnyParameterRef::Variadic(variadic) => {
                let is_positional = parameters
                    .vararg
                    .as_ref()
                    .is_some_and(|vararg| vararg.start() == variadic.start());
                text.push_str(if is_positional { "*" } else { "**" });
                add_parameter(source, variadic, None, text);
            }
            AnyParameterRef::NonVariadic(parameter) => {
                add_parameter(source, &parameter.parameter, parameter.default(), text);
            }
        }
        separator = ", ";
        if index + 1 == positional_only {
            text.push_str(", /");
        }
    }
    text.push(')');
}

fn add_parameter(
    source: &Source<'_>,
    parameter: &Parameter,
    default: Option<&Expr>,
    text: &mut String,
) {
    text.push_str(parameter.name.id.as_str());
    if let Some(annotation) = parameter.annotation() {
        text.push_str(": ");
        text.push_str(&source.part(annotation.range()));
    }
    if let Some(default) = default {
        text.push_str(if parameter.annotation.is_some() {
            " = "
        } else {
            "="
        });
        text.push_str(&source.part(default.range()));
    }
}

fn add_arguments(source: &Source<'_>, arguments: &Arguments, text: &mut String) {
    if arguments.args.is_empty() && arguments.keywords.is_empty() {
        return;
    }
    text.push('(');
    let mut separator = "";
    for argument in arguments.iter_source_order() {
        text.push_str(separator);
        if let Some(keyword) = argument.as_keyword() {
            match &keyword.arg {
                Some(name) => {
                    text.push_str(name.id.as_str());
                    text.push('=');
                }
                None => text.push_str("**"),
            }
        }
        text.push_str(&source.part(argument.value().range()));
        separator = ", ";
    }
    text.push(')');
}
