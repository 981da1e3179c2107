//! JSX for development without source positions: `jsxDEV(type, props, key, isStatic)` and no `__source`.
//!
//! oxc always adds the file's name and the position of every element. Current runtimes no longer read them, and they
//! would be visible in the arguments of `createElement`.
use oxc_allocator::{Allocator, ArenaVec};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_span::SPAN;

pub struct DropJsxPositions<'a>(AstBuilder<'a>);

impl<'a> DropJsxPositions<'a> {
    pub fn new(allocator: &'a Allocator) -> Self {
        Self(AstBuilder::new(allocator))
    }
}

const FILE_NAME: &str = "_jsxFileName";

impl<'a> VisitMut<'a> for DropJsxPositions<'a> {
    fn visit_program(&mut self, it: &mut Program<'a>) {
        it.body.retain(|statement| !declares_file_name(statement));
        walk_mut::walk_program(self, it);
    }

    fn visit_call_expression(&mut self, it: &mut CallExpression<'a>) {
        let is_dev = match &it.callee {
            Expression::Identifier(callee) => callee.name.starts_with("_jsxDEV"),
            Expression::StaticMemberExpression(callee) => callee.property.name == "jsxDEV",
            Expression::SequenceExpression(callee) => {
                matches!(callee.expressions.last(), Some(Expression::StaticMemberExpression(m)) if m.property.name == "jsxDEV")
            }
            _ => false,
        };
        if is_dev && it.arguments.get(4).is_some_and(is_position) {
            it.arguments.truncate(4);
        } else if let Some(properties) = it.arguments.get_mut(1)
            && is_nothing_but_positions(properties)
        {
            // `createElement` gets null if there are no attributes.
            *properties = Argument::from(Expression::new_null_literal(SPAN, &self.0));
        }
        walk_mut::walk_call_expression(self, it);
    }

    fn visit_object_expression(&mut self, it: &mut ObjectExpression<'a>) {
        walk_mut::walk_object_expression(self, it);
        strip(&mut it.properties);
    }
}

fn declares_file_name(statement: &Statement) -> bool {
    let Statement::VariableDeclaration(declaration) = statement else { return false };
    declaration.span.is_unspanned()
        && declaration.declarations.len() == 1
        && matches!(&declaration.declarations[0].id, BindingPattern::BindingIdentifier(id) if id.name.starts_with(FILE_NAME))
}

fn is_position(argument: &Argument) -> bool {
    matches!(argument, Argument::ObjectExpression(object) if object.properties.first().is_some_and(names_file))
}

fn names_file(property: &ObjectPropertyKind) -> bool {
    matches!(property, ObjectPropertyKind::ObjectProperty(property)
        if matches!(&property.value, Expression::Identifier(value) if value.name.starts_with(FILE_NAME)))
}

fn strip<'a>(properties: &mut ArenaVec<'a, ObjectPropertyKind<'a>>) {
    properties.retain(|property| !is_position_property(property));
}

fn is_nothing_but_positions(argument: &Argument) -> bool {
    matches!(argument, Argument::ObjectExpression(object)
        if !object.properties.is_empty() && object.properties.iter().all(is_position_property))
}

/// `__self` and `__source` as oxc adds them; those of the program have a position in the source.
fn is_position_property(property: &ObjectPropertyKind) -> bool {
    let ObjectPropertyKind::ObjectProperty(property) = property else { return false };
    property.span.is_unspanned()
        && matches!(&property.key, PropertyKey::StaticIdentifier(key)
            if matches!(key.name.as_str(), "__self" | "__source"))
}
