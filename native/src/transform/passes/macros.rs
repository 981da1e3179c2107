//! `import { f } from "./m" with { type: "macro" }`: calls that the host runs while the file is transpiled.
//!
//! The first time through, calls are only told; the host evaluates them and asks again with the results,
//! which take the place of the calls. The imports go away either way.
use std::collections::HashMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::GetSpan;

use super::quote;

/// A call of an imported macro; `arguments` is their source text.
#[derive(Clone, Debug)]
pub struct FoundCall {
    pub specifier: String,
    pub imported: String,
    pub arguments: String,
    /// Whether every argument is a literal, so that it means the same at transpile time.
    pub is_static: bool,
    pub start: u32,
}

struct Macro {
    specifier: String,
    /// "*" for a namespace.
    imported: String,
}

pub struct Macros<'s, 'a> {
    allocator: &'a Allocator,
    source: &'s str,
    scoping: &'s Scoping,
    results: &'s HashMap<usize, String>,
    known: HashMap<SymbolId, Macro>,
    pub calls: Vec<FoundCall>,
}

impl<'s, 'a> Macros<'s, 'a> {
    pub fn new(
        source: &'s str,
        scoping: &'s Scoping,
        results: &'s HashMap<usize, String>,
        allocator: &'a Allocator,
    ) -> Self {
        Self { allocator, source, scoping, results, known: HashMap::new(), calls: Vec::new() }
    }

    fn learn(&mut self, import: &ImportDeclaration<'a>) {
        for specifier in import.specifiers.iter().flatten() {
            let (local, imported) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => (&it.local, it.imported.name().to_string()),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => (&it.local, "default".to_string()),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => (&it.local, "*".to_string()),
            };
            if let Some(symbol) = local.symbol_id.get() {
                self.known.insert(symbol, Macro { specifier: import.source.value.to_string(), imported });
            }
        }
    }

    fn macro_of(&self, id: &IdentifierReference) -> Option<&Macro> {
        let symbol = self.scoping.get_reference(id.reference_id.get()?).symbol_id()?;
        self.known.get(&symbol)
    }

    fn find(&self, call: &CallExpression<'a>) -> Option<FoundCall> {
        let (found, imported) = match call.callee.get_inner_expression() {
            Expression::Identifier(id) => {
                let found = self.macro_of(id)?;
                (found, found.imported.clone())
            }
            Expression::StaticMemberExpression(member) => match &member.object {
                Expression::Identifier(id) => {
                    let found = self.macro_of(id).filter(|found| found.imported == "*")?;
                    (found, member.property.name.to_string())
                }
                _ => return None,
            },
            _ => return None,
        };
        let arguments = match (call.arguments.first(), call.arguments.last()) {
            (Some(first), Some(last)) => &self.source[first.span().start as usize..last.span().end as usize],
            _ => "",
        };
        Some(FoundCall {
            specifier: found.specifier.clone(),
            imported,
            arguments: arguments.to_string(),
            is_static: call.arguments.iter().all(|argument| argument.as_expression().is_some_and(is_static)),
            start: call.span.start,
        })
    }
}

fn is_static(expression: &Expression) -> bool {
    match expression.get_inner_expression() {
        Expression::Identifier(id) => matches!(id.name.as_str(), "undefined" | "NaN" | "Infinity"),
        Expression::TemplateLiteral(template) => template.expressions.iter().all(is_static),
        Expression::UnaryExpression(unary) => is_static(&unary.argument),
        Expression::BinaryExpression(binary) => is_static(&binary.left) && is_static(&binary.right),
        Expression::ArrayExpression(array) => {
            array.elements.iter().all(|element| element.as_expression().is_none_or(is_static) && !element.is_spread())
        }
        Expression::ObjectExpression(object) => object.properties.iter().all(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) => {
                (!property.computed || property.key.as_expression().is_some_and(is_static))
                    && is_static(&property.value)
            }
            ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        other => other.is_literal(),
    }
}

fn is_macro_import(statement: &Statement) -> bool {
    matches!(statement, Statement::ImportDeclaration(import) if import.with_clause.as_ref().is_some_and(|clause| {
        clause.with_entries.iter().any(|entry| entry.key.as_arena_str() == "type" && entry.value.value == "macro")
    }))
}

impl<'a> VisitMut<'a> for Macros<'_, 'a> {
    fn visit_program(&mut self, it: &mut Program<'a>) {
        for statement in &it.body {
            if let Statement::ImportDeclaration(import) = statement
                && is_macro_import(statement)
            {
                self.learn(import);
            }
        }
        it.body.retain(|statement| !is_macro_import(statement));
        walk_mut::walk_program(self, it);
    }

    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if let Expression::CallExpression(call) = &*it
            && let Some(found) = self.find(call)
        {
            let index = self.calls.len();
            self.calls.push(found);
            if let Some(value) = self.results.get(&index).and_then(|text| quote::given(self.allocator, text)) {
                *it = value;
            }
            return;
        }
        walk_mut::walk_expression(self, it);
    }
}
