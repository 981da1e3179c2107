//! Strips types from TypeScript and keeps everything else in place: types become white space, so positions stay the
//! same and no source map is needed. Syntax with a run-time meaning (enums, namespaces with values, parameter
//! properties) is refused. A semicolon is inserted where white space would join two statements that a type separated.
use oxc_allocator::{Allocator, ArenaVec};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_diagnostics::OxcDiagnostic;
use oxc_span::{GetSpan, Span};

use super::errors;
use super::options::Loader;
use super::pipeline::parse;
use text::Text;

mod classes;
mod text;

/// Why a text cannot be stripped.
pub enum Refusal {
    /// It is not valid TypeScript.
    Invalid(String),
    /// It contains something that is not a type.
    Unsupported(&'static str),
}

const PATH: &str = "/input.ts";

pub fn strip(source: &str) -> Result<String, Refusal> {
    let allocator = Allocator::default();
    let program = parse(&allocator, source, Loader::Ts.source_type(PATH), PATH)
        .map_err(|failure| Refusal::Invalid(first_sentence(&failure, source)))?;
    let mut stripper = Stripper { text: Text::new(source, &program), refused: None };
    stripper.visit_program(&program);
    match stripper.refused {
        Some(message) => Err(Refusal::Unsupported(message)),
        None => Ok(stripper.text.finish()),
    }
}

fn first_sentence(failure: &[OxcDiagnostic], source: &str) -> String {
    let problem = errors::describe(failure, source, PATH).into_iter().next();
    problem.map_or_else(String::new, |problem| {
        format!("{} ({}:{})", problem.message, problem.place.line, problem.place.column)
    })
}

pub struct Stripper<'s> {
    text: Text<'s>,
    refused: Option<&'static str>,
}

/// Characters that may begin a statement but also continue the previous one.
fn may_continue(character: char) -> bool {
    matches!(character, '(' | '[' | '`' | '+' | '-' | '/' | '*' | '<' | ',' | '.')
}

const ENUM: &str = "TypeScript enum is not supported in strip-only mode";
const NAMESPACE: &str = "TypeScript namespace declaration is not supported in strip-only mode";
const MODULE: &str = "`module` keyword is not supported. Use `namespace` instead.";
const PROPERTY: &str = "TypeScript parameter property is not supported in strip-only mode";
const IMPORT_EQUALS: &str = "TypeScript import equals declaration is not supported in strip-only mode";
const EXPORT_EQUALS: &str = "TypeScript export assignment is not supported in strip-only mode";
const ASSERTION: &str = "The angle-bracket syntax for type assertions, `<T>expr`, is not supported in type strip mode. \
                         Instead, use the 'as' syntax: `expr as T`.";

impl Stripper<'_> {
    fn blank(&mut self, span: Span) {
        self.text.blank(span.start, span.end);
    }

    fn refuse(&mut self, message: &'static str) {
        self.refused.get_or_insert(message);
    }

    /// Blanks out a mark (`?`, `!`) that follows `place`, possibly after the bracket of a computed name.
    fn blank_mark(&mut self, place: u32, mark: char) {
        let mut next = self.text.next(place);
        if let Some((bracket, ']')) = next {
            next = self.text.next(bracket + 1);
        }
        if let Some((found, character)) = next
            && character == mark
        {
            self.text.blank(found, found + 1);
        }
    }

    /// Blanks out an item of a list with the comma after it.
    fn blank_item(&mut self, span: Span) {
        let end = match self.text.next(span.end) {
            Some((comma, ',')) => comma + 1,
            _ => span.end,
        };
        self.text.blank(span.start, end);
    }

    /// Blanks out a whole statement; a semicolon separates its neighbours.
    fn remove(&mut self, span: Span) {
        self.remove_between(span, may_continue);
    }

    /// Blanks out a whole statement or member; `may_continue` detects what would continue the previous one.
    fn remove_between(&mut self, span: Span, may_continue: fn(char) -> bool) {
        let joins = self.text.next(span.end).is_some_and(|(_, character)| may_continue(character))
            && self.text.previous(span.start).is_some_and(|(_, character)| character != ';');
        self.blank(span);
        if joins {
            self.text.write(span.start, ';');
        }
    }

    /// Ends a statement or a class member whose last token was a type, whatever follows.
    fn end_with_type(&mut self, span: Span, may_continue: fn(char) -> bool) {
        if let Some(blank) = self.text.last_blank_of(span)
            && self.text.next(span.end).is_some_and(|(_, character)| may_continue(character))
        {
            let place = self.text.next(blank.start).map_or(blank.start, |(place, _)| place.min(blank.end - 1));
            self.text.write(place, ';');
        }
    }

    fn check_declaration(&mut self, declaration: &Declaration<'_>) {
        match declaration {
            Declaration::TSEnumDeclaration(each) if !each.declare => self.refuse(ENUM),
            Declaration::TSImportEqualsDeclaration(each) if !each.import_kind.is_type() => {
                self.refuse(IMPORT_EQUALS);
            }
            Declaration::TSNamespaceDeclaration(each) if each.kind == TSNamespaceDeclarationKind::Module => {
                self.refuse(MODULE);
            }
            Declaration::TSNamespaceDeclaration(each) if !each.declare && has_values(each) => {
                self.refuse(NAMESPACE);
            }
            _ => {}
        }
    }
}

fn is_type_only(declaration: &Declaration<'_>) -> bool {
    match declaration {
        Declaration::FunctionDeclaration(function) => function.declare || function.body.is_none(),
        Declaration::TSImportEqualsDeclaration(each) => each.import_kind.is_type(),
        Declaration::TSExternalModuleDeclaration(_) | Declaration::TSGlobalDeclaration(_) => true,
        Declaration::TSNamespaceDeclaration(each) => each.declare || !has_values(each),
        other => other.is_type() || other.declare(),
    }
}

/// Returns whether a namespace contains code.
fn has_values(namespace: &TSNamespaceDeclaration<'_>) -> bool {
    match &namespace.body {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => has_values(inner),
        TSNamespaceDeclarationBody::TSModuleBlock(block) => block.body.iter().any(is_value),
    }
}

fn is_value(statement: &Statement<'_>) -> bool {
    let of_declaration = |declaration: &Declaration<'_>| match declaration {
        Declaration::TSNamespaceDeclaration(inner) => has_values(inner),
        other => !other.is_type(),
    };
    match statement {
        Statement::ExportDeclaration(each) => of_declaration(&each.declaration),
        Statement::ExportNamedDeclaration(each) => !each.export_kind.is_type(),
        Statement::ExportFromDeclaration(each) => !each.export_kind.is_type(),
        Statement::ImportDeclaration(each) => !each.import_kind.is_type(),
        other => other.as_declaration().is_none_or(of_declaration),
    }
}

impl<'a> Visit<'a> for Stripper<'_> {
    fn visit_statements(&mut self, statements: &ArenaVec<'a, Statement<'a>>) {
        for statement in statements {
            self.visit_statement(statement);
            self.end_with_type(statement.span(), may_continue);
        }
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        if let Some(declaration) = statement.as_declaration() {
            self.check_declaration(declaration);
            if is_type_only(declaration) {
                return self.remove(statement.span());
            }
        }
        match statement {
            Statement::ImportDeclaration(each) if each.import_kind.is_type() => self.remove(each.span),
            Statement::ExportAllDeclaration(each) if each.export_kind.is_type() => self.remove(each.span),
            Statement::TSNamespaceExportDeclaration(each) => self.remove(each.span),
            Statement::TSExportAssignment(_) => self.refuse(EXPORT_EQUALS),
            Statement::ExportNamedDeclaration(each) if each.export_kind.is_type() => self.remove(each.span),
            Statement::ExportFromDeclaration(each) if each.export_kind.is_type() => self.remove(each.span),
            Statement::ExportDeclaration(each) => {
                self.check_declaration(&each.declaration);
                if is_type_only(&each.declaration) {
                    self.remove(each.span);
                } else {
                    walk::walk_statement(self, statement);
                }
            }
            Statement::ExportDefaultDeclaration(each) => match &each.declaration {
                ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => self.remove(each.span),
                ExportDefaultDeclarationKind::FunctionDeclaration(function) if function.body.is_none() => {
                    self.remove(each.span);
                }
                _ => walk::walk_statement(self, statement),
            },
            _ => walk::walk_statement(self, statement),
        }
    }

    fn visit_import_specifier(&mut self, specifier: &ImportSpecifier<'a>) {
        if specifier.import_kind.is_type() {
            self.blank_item(specifier.span);
        }
    }

    fn visit_export_specifier(&mut self, specifier: &ExportSpecifier<'a>) {
        if specifier.export_kind.is_type() {
            self.blank_item(specifier.span);
        }
    }

    fn visit_ts_type_annotation(&mut self, annotation: &TSTypeAnnotation<'a>) {
        self.blank(annotation.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, parameters: &TSTypeParameterDeclaration<'a>) {
        self.blank(parameters.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, arguments: &TSTypeParameterInstantiation<'a>) {
        self.blank(arguments.span);
    }

    fn visit_ts_this_parameter(&mut self, parameter: &TSThisParameter<'a>) {
        self.blank_item(parameter.span);
    }

    fn visit_ts_as_expression(&mut self, each: &TSAsExpression<'a>) {
        self.visit_expression(&each.expression);
        self.text.blank(each.expression.span().end, each.span.end);
    }

    fn visit_ts_satisfies_expression(&mut self, each: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&each.expression);
        self.text.blank(each.expression.span().end, each.span.end);
    }

    fn visit_ts_non_null_expression(&mut self, each: &TSNonNullExpression<'a>) {
        self.visit_expression(&each.expression);
        self.text.blank(each.span.end - 1, each.span.end);
    }

    fn visit_ts_type_assertion(&mut self, _: &TSTypeAssertion<'a>) {
        self.refuse(ASSERTION);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if declarator.definite {
            self.blank_mark(declarator.id.span().end, '!');
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        if parameter.accessibility.is_some() || parameter.readonly || parameter.r#override {
            self.refuse(PROPERTY);
        }
        if parameter.optional {
            self.blank_mark(parameter.pattern.span().end, '?');
        }
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        walk::walk_arrow_function_expression(self, arrow);
        // No line break may precede the parameters (after `async`, `return`) or the arrow.
        if let Some(types) = &arrow.type_parameters
            && self.text.has_line_break(types.span.start, arrow.params.span.start)
        {
            self.text.write(types.span.start, '(');
            self.text.write(arrow.params.span.start, ' ');
        }
        if let Some(returned) = &arrow.return_type
            && self.text.has_line_break(arrow.params.span.end, returned.span.end)
        {
            let last = self.text.slice(returned.span.start, returned.span.end).char_indices().next_back();
            if let Some((offset, _)) = last {
                self.text.write(arrow.params.span.end - 1, ' ');
                self.text.write(returned.span.start + offset as u32, ')');
            }
        }
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        self.strip_class(class);
        walk::walk_class(self, class);
    }

    fn visit_class_body(&mut self, body: &ClassBody<'a>) {
        for element in &body.body {
            self.strip_member(element);
        }
    }
}
