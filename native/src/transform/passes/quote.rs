//! Syntax trees from templates: `$0`, `$1`, … in the text are replaced by given nodes.
//!
//! Nodes created from a template have no source position, so they never appear in a source map; the inserted nodes keep
//! theirs. Templates are rt's own text: that they parse is an invariant, which every use tests.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{SPAN, SourceType};

struct Fill<'a> {
    holes: Vec<Option<Expression<'a>>>,
}

impl<'a> VisitMut<'a> for Fill<'a> {
    fn visit_span(&mut self, it: &mut Span) {
        *it = SPAN;
    }

    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if let Expression::Identifier(name) = it
            && let Some(index) = name.name.strip_prefix('$').and_then(|digits| digits.parse::<usize>().ok())
            && let Some(node) = self.holes.get_mut(index).and_then(Option::take)
        {
            *it = node;
            return;
        }
        walk_mut::walk_expression(self, it);
    }
}

/// The statements of `template`, with each placeholder used once.
pub fn statements<'a>(
    allocator: &'a Allocator,
    template: &str,
    holes: Vec<Expression<'a>>,
) -> ArenaVec<'a, Statement<'a>> {
    let text = allocator.alloc_str(template);
    let options = ParseOptions { preserve_parens: false, ..ParseOptions::default() };
    let mut parsed = Parser::new(allocator, text, SourceType::mjs()).with_options(options).parse();
    debug_assert!(parsed.diagnostics.is_empty(), "template does not parse: {template}");
    let mut fill = Fill { holes: holes.into_iter().map(Some).collect() };
    fill.visit_statements(&mut parsed.program.body);
    parsed.program.body
}

/// The one expression of `template`.
pub fn expression<'a>(allocator: &'a Allocator, template: &str, holes: Vec<Expression<'a>>) -> Expression<'a> {
    let mut body = statements(allocator, &format!("({template});"), holes);
    match body.pop() {
        Some(Statement::ExpressionStatement(statement)) => statement.unbox().expression,
        _ => unreachable!("a parenthesized template is an expression"),
    }
}

/// The elements of a class body written in `template`.
pub fn elements<'a>(
    allocator: &'a Allocator,
    template: &str,
    holes: Vec<Expression<'a>>,
) -> ArenaVec<'a, ClassElement<'a>> {
    match expression(allocator, &format!("class {{ {template} }}"), holes) {
        Expression::ClassExpression(mut class) => class.body.body.take_in(&allocator),
        _ => unreachable!("a class template is a class"),
    }
}

/// Parses text from the user (a define's value, a macro's result) as an expression; None if it is not one.
pub fn parse_given<'a>(allocator: &'a Allocator, text: &str) -> Option<Expression<'a>> {
    let text = allocator.alloc_str(text);
    let mut expression = Parser::new(allocator, text, SourceType::mjs()).parse_expression().ok()?;
    Fill { holes: Vec::new() }.visit_expression(&mut expression);
    Some(expression)
}

/// The expression for the value of a `--define`: a literal, a name or a dotted name stands for itself, other text is a
/// string. None for an invalid literal.
pub fn definition(text: &str) -> Option<String> {
    let text = text.trim();
    let allocator = Allocator::default();
    match parse_given(&allocator, text) {
        Some(expression) if is_literal(&expression) || is_name(&expression) => Some(text.to_string()),
        _ if text.starts_with(|first: char| first.is_ascii_digit() || "{[\"'-+.".contains(first)) => None,
        _ if text.is_empty() => None,
        _ => Some(string(text)),
    }
}

fn is_name(expression: &Expression) -> bool {
    match expression {
        Expression::Identifier(_) => true,
        Expression::StaticMemberExpression(member) => !member.optional && is_name(&member.object),
        _ => false,
    }
}

fn is_literal(expression: &Expression) -> bool {
    match expression {
        Expression::UnaryExpression(unary) => matches!(unary.argument, Expression::NumericLiteral(_)),
        Expression::ArrayExpression(array) => {
            array.elements.iter().all(|element| element.as_expression().is_some_and(is_literal))
        }
        Expression::ObjectExpression(object) => object.properties.iter().all(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) => !property.computed && is_literal(&property.value),
            ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        Expression::TemplateLiteral(_) => false,
        other => other.is_literal(),
    }
}

/// A JavaScript string literal.
pub fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\u{2028}' => quoted.push_str("\\u2028"),
            '\u{2029}' => quoted.push_str("\\u2029"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
