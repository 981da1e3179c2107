//! Input of the REPL: whether it is complete, and the script that V8 evaluates in its REPL mode.
//!
//! V8's REPL mode allows top-level `await`, and declarations that repeat an earlier one. It evaluates scripts, so import
//! and export declarations are rewritten here, after types and JSX have been removed. Lines keep their numbers.
use std::borrow::Cow;

use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_parser::{Parser, ParserReturn};
use oxc_span::{GetSpan, SourceType};

use super::about_types;
use super::deep;

/// How declarations are rewritten. V8 refuses `let a` after `var a` and after `const a`, and the reverse; a constant is
/// therefore always declared with `let`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Declarations {
    /// As they are, except for `const`.
    Written,
    /// `let` and classes become `var`.
    Var,
    /// `var` and functions become `let`.
    Let,
}

const ARROW: &str = "=>";
/// An input has no more arrow functions around its end.
const MOST_ARROWS: usize = 20;

/// Returns whether more input could complete `source`: the parser stops at its end.
pub fn is_incomplete(source: &str) -> bool {
    deep::run({
        let source = source.to_owned();
        move || examine(&source)
    })
    .unwrap_or(false)
}

fn examine(source: &str) -> bool {
    let module = SourceType::tsx().with_module(true);
    let goals = [module, SourceType::tsx().with_script(true), SourceType::ts().with_module(true)];
    let mut stops = false;
    for goal in goals {
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, source, goal).parse();
        if is_parsed(&parsed) {
            return ends_with_signature(&parsed.program);
        }
        stops |= stops_at_end(&parsed, source) || stops_in_arrow(source, goal);
    }
    stops
}

/// Returns whether the text ends within the body of an arrow function. The parser tries such functions and reports only that an
/// arrow is unexpected; a comma, which may stand in most of these places, shows where it stops beyond the arrow.
fn stops_in_arrow(source: &str, goal: SourceType) -> bool {
    let mut text = source.to_owned();
    for _ in 0..MOST_ARROWS {
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, &text, goal).parse();
        let places = parsed.diagnostics.iter().flat_map(|problem| problem.labels.iter());
        let Some(place) = places.map(|label| label.offset() as usize).find(|at| text[*at..].starts_with(ARROW)) else {
            return text != source && stops_at_end(&parsed, &text);
        };
        drop(parsed);
        text.replace_range(place..place + ARROW.len(), " ,");
    }
    false
}

fn is_parsed(parsed: &ParserReturn) -> bool {
    parsed.diagnostics.is_empty() || !parsed.panicked && parsed.diagnostics.iter().all(about_types::is_only)
}

/// Returns whether the body of the last function is still missing.
fn ends_with_signature(program: &Program) -> bool {
    matches!(program.body.last(), Some(Statement::FunctionDeclaration(it)) if it.body.is_none() && !it.declare)
}

fn stops_at_end(parsed: &ParserReturn, source: &str) -> bool {
    let end = source.trim_end().len();
    parsed.diagnostics.iter().any(|problem| {
        let message = problem.message.as_ref();
        if message.starts_with("Missing catch or finally") || message.starts_with("Unterminated multi") {
            return true;
        }
        problem.labels.iter().any(|label| {
            let (start, stop) = (label.offset() as usize, (label.offset() + label.len()) as usize);
            let is_template = message.starts_with("Unterminated") && is_in_template(&source[start.min(source.len())..]);
            start >= end || is_template && stop >= end
        })
    })
}

/// Returns whether an unterminated text is a template, or a string that a backslash continues on the next line.
fn is_in_template(rest: &str) -> bool {
    rest.starts_with(['`', '}']) || rest.ends_with("\\\n") || rest.ends_with('\\')
}

/// The source to transform: an object literal at the start of a line is an expression, as in Node's REPL and Bun's.
pub fn source_of(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    if !trimmed.starts_with('{') || trimmed.ends_with(';') {
        return Cow::Borrowed(text);
    }
    let wrapped = format!("({trimmed})");
    let allocator = Allocator::default();
    let is_object = is_parsed(&Parser::new(&allocator, &wrapped, SourceType::tsx().with_module(true)).parse());
    if is_object { Cow::Owned(wrapped) } else { Cow::Borrowed(text) }
}

/// A script for V8.
pub struct Script {
    pub code: String,
    /// Whether it consists of expressions without `await`, which can be evaluated for a preview.
    pub is_expression: bool,
    /// Whether it consists of import declarations, which have no result.
    pub is_import: bool,
}

/// Rewrites JavaScript to a script. `code` has neither types nor JSX; text that the parser refuses is returned as it is,
/// and V8 reports what is wrong with it.
pub fn script(code: &str, declarations: Declarations) -> Script {
    let allocator = Allocator::default();
    let parsed = [SourceType::mjs(), SourceType::cjs()]
        .into_iter()
        .map(|goal| Parser::new(&allocator, code, goal).parse())
        .find(|parsed| parsed.diagnostics.is_empty());
    let Some(parsed) = parsed else { return Script { code: code.to_owned(), is_expression: false, is_import: false } };
    let mut edits = Edits { code, edits: Vec::new() };
    for statement in &parsed.program.body {
        edits.rewrite(statement, declarations);
    }
    let body = &parsed.program.body;
    let is_all = |test: fn(&Statement) -> bool| !body.is_empty() && body.iter().all(test);
    let is_expression = is_all(|it| matches!(it, Statement::ExpressionStatement(_))) && !code.contains("await");
    let is_import = is_all(|it| matches!(it, Statement::ImportDeclaration(_)));
    Script { code: edits.apply(), is_expression, is_import }
}

struct Edits<'c> {
    code: &'c str,
    /// Start, end and replacement, in order.
    edits: Vec<(usize, usize, String)>,
}

impl<'c> Edits<'c> {
    fn text(&self, span: Span) -> &'c str {
        &self.code[span.start as usize..span.end as usize]
    }

    /// Replaces a span; line breaks of the replaced text follow the replacement.
    fn replace(&mut self, start: u32, end: u32, text: String) {
        let (start, end) = (start as usize, end as usize);
        let breaks = self.code[start..end].matches('\n').count().saturating_sub(text.matches('\n').count());
        self.edits.push((start, end, text + &"\n".repeat(breaks)));
    }

    fn apply(self) -> String {
        let mut whole = String::with_capacity(self.code.len());
        let mut at = 0;
        for (start, end, text) in self.edits {
            whole.push_str(&self.code[at..start]);
            whole.push_str(&text);
            at = end;
        }
        whole + &self.code[at..]
    }

    fn rewrite(&mut self, statement: &Statement, declarations: Declarations) {
        match statement {
            Statement::ImportDeclaration(it) => {
                let text = self.import(it, declarations);
                self.replace(it.span.start, it.span.end, text);
            }
            Statement::ExportDefaultDeclaration(it) => self.export_default(it),
            Statement::ExportDeclaration(it) => {
                self.replace(it.span.start, it.declaration.span().start, String::new());
                self.declaration(&it.declaration, declarations);
            }
            Statement::ExportNamedDeclaration(it) => self.replace(it.span.start, it.span.end, "void 0;".to_owned()),
            Statement::ExportFromDeclaration(it) => {
                let call = format!("void await import({});", self.text(it.source.span));
                self.replace(it.span.start, it.span.end, call);
            }
            Statement::ExportAllDeclaration(it) => {
                let call = format!("void await import({});", self.text(it.source.span));
                self.replace(it.span.start, it.span.end, call);
            }
            other => {
                if let Some(declaration) = other.as_declaration() {
                    self.declaration(declaration, declarations);
                }
            }
        }
    }

    fn export_default(&mut self, it: &ExportDefaultDeclaration) {
        let inner = it.declaration.span();
        let is_named = match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.id.is_some(),
            ExportDefaultDeclarationKind::ClassDeclaration(class) => class.id.is_some(),
            _ => false,
        };
        if is_named {
            self.replace(it.span.start, inner.start, String::new());
        } else {
            self.replace(it.span.start, inner.start, "(".to_owned());
            self.replace(inner.end, inner.end, ")".to_owned());
        }
    }

    fn declaration(&mut self, declaration: &Declaration, declarations: Declarations) {
        let span = declaration.span();
        match (declaration, declarations) {
            (Declaration::VariableDeclaration(it), _)
                if matches!(it.kind, VariableDeclarationKind::Let | VariableDeclarationKind::Const) =>
            {
                let word = if declarations == Declarations::Var { "var" } else { "let" };
                self.replace(span.start, span.start + it.kind.as_str().len() as u32, word.to_owned());
            }
            (Declaration::VariableDeclaration(it), Declarations::Let) if it.kind == VariableDeclarationKind::Var => {
                self.replace(span.start, span.start + 3, "let".to_owned());
            }
            (Declaration::ClassDeclaration(it), Declarations::Var) => {
                if let Some(id) = &it.id {
                    self.replace(span.start, span.start, format!("var {} = ", id.name));
                    self.replace(span.end, span.end, ";".to_owned());
                }
            }
            (Declaration::FunctionDeclaration(it), Declarations::Let) => {
                if let Some(id) = &it.id {
                    self.replace(span.start, span.start, format!("let {} = ", id.name));
                    self.replace(span.end, span.end, ";".to_owned());
                }
            }
            _ => {}
        }
    }

    /// The dynamic import that stands for a static one.
    fn import(&self, it: &ImportDeclaration, declarations: Declarations) -> String {
        let word = if declarations == Declarations::Var { "var" } else { "let" };
        let attributes = it.with_clause.as_ref().map_or(String::new(), |with| {
            let text = self.text(with.span);
            text.find('{').map_or(String::new(), |at| format!(", {{ with: {} }}", &text[at..]))
        });
        let call = format!("await import({}{attributes})", self.text(it.source.span));
        let Some(specifiers) = it.specifiers.as_ref().filter(|specifiers| !specifiers.is_empty()) else {
            return format!("void {call};");
        };
        let mut names = Vec::new();
        let mut whole = None;
        for specifier in specifiers {
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => {
                    names.push(format!("{}: {}", self.text(it.imported.span()), it.local.name));
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
                    names.push(format!("default: {}", it.local.name));
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => whole = Some(it.local.name),
            }
        }
        let names = format!("{{ {} }}", names.join(", "));
        match whole {
            Some(whole) if specifiers.len() == 1 => format!("{word} {whole} = {call};"),
            Some(whole) => format!("{word} {whole} = {call}, {names} = {whole};"),
            None => format!("{word} {names} = {call};"),
        }
    }
}
