//! JSON in configuration files: comments, trailing commas, single quotes and JavaScript's numbers are allowed; also
//! JSON5.
//!
//! The JavaScript parser reads it, so errors have a line and the usual wording.
use oxc_allocator::Allocator;
use oxc_ast::ast::{ArrayExpressionElement, Expression, ObjectPropertyKind, PropertyKey, StringLiteral};
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan, SourceType, Span};
use oxc_syntax::operator::UnaryOperator;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::transform::{SyntaxProblem, deep, describe};

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// The accepted syntax.
#[derive(Clone, Copy, PartialEq)]
enum Dialect {
    /// Bun's JSON with comments: quoted keys, and JSON's strings extended by `\x41`.
    Commented,
    Json5,
}

/// A configuration does not nest deeper than this.
const DEEPEST: usize = 100;

impl Json {
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Self::Object(entries) => entries.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn flag(&self) -> Option<bool> {
        match self {
            Self::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    pub fn texts(&self) -> Vec<String> {
        match self {
            Self::Text(text) => vec![text.clone()],
            Self::List(items) => items.iter().filter_map(Json::text).map(str::to_string).collect(),
            _ => Vec::new(),
        }
    }
}

// Describing a problem takes time in proportion to the text, and a text may have a problem at each of its characters.
const MAX_PROBLEMS: usize = 8;

/// Reads the document that a file's text begins with; nothing but blanks and comments is an empty object. What stands behind the
/// document is not looked at, as by the peer.
pub fn read(text: &str, path: &str) -> Result<Json, Vec<SyntaxProblem>> {
    read_whole(text, path, Dialect::Commented).or_else(|problems| match end_of_document(text) {
        Some(end) => read_whole(&text[..end], path, Dialect::Commented),
        None => Err(problems),
    })
}

/// Reads a text that consists of one document.
fn read_whole(text: &str, path: &str, dialect: Dialect) -> Result<Json, Vec<SyntaxProblem>> {
    if nesting(text) > DEEPEST {
        return Err(vec![SyntaxProblem::of_file(path, "This file is nested too deeply".to_string())]);
    }
    deep::catch_panic(|| parse(text, dialect))
        .unwrap_or_else(|message| Err(vec![OxcDiagnostic::error(message)]))
        .map_err(|failure| describe(&failure[..failure.len().min(MAX_PROBLEMS)], text, path))
}

fn parse(text: &str, dialect: Dialect) -> Result<Json, Vec<OxcDiagnostic>> {
    let allocator = Allocator::default();
    let options = ParseOptions { preserve_parens: true, ..ParseOptions::default() };
    let parser = Parser::new(&allocator, text, SourceType::mjs()).with_options(options);
    match parser.parse_expression() {
        Ok(expression) => Reading { text, dialect }.value(&expression).map_err(|error| vec![error]),
        Err(failure) => {
            let program = Parser::new(&allocator, text, SourceType::mjs()).parse();
            let is_blank = program.diagnostics.is_empty() && program.program.body.is_empty();
            if is_blank { Ok(Json::Object(Vec::new())) } else { Err(failure.into_vec()) }
        }
    }
}

/// The end of the object or list at the beginning of `text`, if anything but whitespace follows it.
fn end_of_document(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match bytes[at] {
            b'"' | b'\'' => {
                let quote = bytes[at];
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'/' if rest.starts_with(b"//") => at += rest.iter().position(|byte| *byte == b'\n')?,
            b'/' if rest.starts_with(b"/*") => at += 3 + rest[2..].windows(2).position(|pair| pair == b"*/")?,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                let end = at + 1;
                if depth == 0 {
                    return (!text[end..].trim().is_empty()).then_some(end);
                }
            }
            byte if depth == 0 && !byte.is_ascii_whitespace() => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

struct Reading<'a> {
    text: &'a str,
    dialect: Dialect,
}

impl Reading<'_> {
    fn value(&self, expression: &Expression) -> Result<Json, OxcDiagnostic> {
        let refuse = || Err(unexpected(expression.span()));
        let is_json5 = self.dialect == Dialect::Json5;
        Ok(match expression {
            Expression::NullLiteral(_) => Json::Null,
            Expression::BooleanLiteral(literal) => Json::Bool(literal.value),
            Expression::NumericLiteral(literal) => Json::Number(literal.value),
            Expression::StringLiteral(literal) => Json::Text(self.string(literal)?),
            Expression::Identifier(name) if is_json5 && name.name == "Infinity" => Json::Number(f64::INFINITY),
            Expression::Identifier(name) if is_json5 && name.name == "NaN" => Json::Number(f64::NAN),
            Expression::UnaryExpression(unary) => match (unary.operator, self.value(&unary.argument)?) {
                (UnaryOperator::UnaryNegation, Json::Number(number)) => Json::Number(-number),
                (UnaryOperator::UnaryPlus, Json::Number(number)) if is_json5 => Json::Number(number),
                _ => return refuse(),
            },
            Expression::ArrayExpression(array) => {
                let mut items = Vec::with_capacity(array.elements.len());
                for element in &array.elements {
                    match element {
                        ArrayExpressionElement::SpreadElement(_) | ArrayExpressionElement::Elision(_) => {
                            return refuse();
                        }
                        element => items.push(self.value(element.to_expression())?),
                    }
                }
                Json::List(items)
            }
            Expression::ObjectExpression(object) => {
                let mut entries = Vec::with_capacity(object.properties.len());
                for property in &object.properties {
                    match property {
                        ObjectPropertyKind::ObjectProperty(property) if !property.computed && !property.shorthand => {
                            let key = match &property.key {
                                PropertyKey::StringLiteral(literal) => self.string(literal)?,
                                key if !is_json5 => return Err(unexpected(key.span())),
                                key => key.static_name().ok_or_else(|| unexpected(key.span()))?.to_string(),
                            };
                            entries.push((key, self.value(&property.value)?));
                        }
                        _ => return refuse(),
                    }
                }
                Json::Object(entries)
            }
            _ => return refuse(),
        })
    }

    fn string(&self, literal: &StringLiteral) -> Result<String, OxcDiagnostic> {
        let span = literal.span;
        let raw = &self.text[span.start as usize..span.end as usize];
        let is_foreign = |raw: &str| raw.contains("\\u{") || raw.bytes().any(|byte| byte < b' ');
        if self.dialect != Dialect::Json5 && is_foreign(raw) {
            return Err(unexpected(span));
        }
        Ok(literal.value.to_string())
    }
}

fn unexpected(span: Span) -> OxcDiagnostic {
    OxcDiagnostic::error("Unexpected token").with_label(span)
}

/// An upper bound for the nesting of brackets.
fn nesting(text: &str) -> usize {
    let mut depth = 0usize;
    let mut deepest = 0;
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' | b'(' | b'!' | b'~' | b'?' => depth += 1,
            b'}' | b']' | b')' | b',' => depth = depth.saturating_sub(usize::from(byte != b',')),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

impl Json {
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self {
            Self::Null => crate::v8::value::null(py),
            Self::Bool(flag) => flag.into_pyobject(py)?.to_owned().into_any().unbind(),
            Self::Number(number) => number.into_pyobject(py)?.into_any().unbind(),
            Self::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
            Self::List(items) => {
                let items = items.iter().map(|item| item.to_python(py)).collect::<PyResult<Vec<_>>>()?;
                PyList::new(py, items)?.into_any().unbind()
            }
            Self::Object(entries) => {
                let object = PyDict::new(py);
                for (key, item) in entries {
                    object.set_item(key, item.to_python(py)?)?;
                }
                object.into_any().unbind()
            }
        })
    }
}

/// Parses JSON with comments and Bun's other extensions, or JSON5; fails with a description of the error.
#[pyfunction]
#[pyo3(signature = (text, path, *, is_json5))]
fn read_json(py: Python<'_>, text: &str, path: &str, is_json5: bool) -> PyResult<(Py<PyAny>, Vec<SyntaxProblem>)> {
    match py.detach(|| if is_json5 { read_whole(text, path, Dialect::Json5) } else { read(text, path) }) {
        Ok(json) => Ok((json.to_python(py)?, Vec::new())),
        Err(problems) => Ok((py.None(), problems)),
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_json, module)?)
}
