//! The order in which TypeScript applies experimental decorators: instance members before static ones, and of one member the
//! recorded types first, then the decorators of its parameters, then its own.
//!
//! Lowered classes are followed by one call for each decorated member, in source order. Its decorators are applied from the
//! last to the first.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};

pub struct InstanceFirst<'a>(pub &'a Allocator);

/// What a call decorates: `babelHelpers.decorate(list, target, key, descriptor)`; for the class itself there is no
/// target.
pub fn is_of_instance(statement: &Statement) -> Option<bool> {
    let Statement::ExpressionStatement(statement) = statement else { return None };
    let Expression::CallExpression(call) = &statement.expression else { return None };
    let Expression::StaticMemberExpression(callee) = &call.callee else { return None };
    if !callee.object.is_specific_id("babelHelpers") || callee.property.name != "decorate" {
        return None;
    }
    match call.arguments.get(1)? {
        Argument::StaticMemberExpression(target) => Some(target.property.name == "prototype"),
        _ => Some(false),
    }
}

fn is_helper(expression: &Expression<'_>, name: &str) -> bool {
    let Expression::CallExpression(call) = expression else { return false };
    let Expression::StaticMemberExpression(callee) = &call.callee else { return false };
    callee.object.is_specific_id("babelHelpers") && callee.property.name == name
}

impl<'a> VisitMut<'a> for InstanceFirst<'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        walk_mut::walk_expression(self, it);
        if !is_helper(it, "decorate") {
            return;
        }
        let Expression::CallExpression(call) = it else { return };
        let Some(Argument::ArrayExpression(list)) = call.arguments.first_mut() else { return };
        let records = |each: &ArrayExpressionElement<'a>| {
            each.as_expression().is_some_and(|each| is_helper(each, "decorateMetadata"))
        };
        let (recording, others): (Vec<_>, Vec<_>) = list.elements.take_in(&self.0).into_iter().partition(records);
        list.elements = ArenaVec::from_iter_in(others.into_iter().chain(recording), &self.0);
    }

    fn visit_statements(&mut self, it: &mut ArenaVec<'a, Statement<'a>>) {
        walk_mut::walk_statements(self, it);
        if !it.windows(2).any(|pair| is_of_instance(&pair[0]) == Some(false) && is_of_instance(&pair[1]) == Some(true))
        {
            return;
        }
        let mut ordered = ArenaVec::with_capacity_in(it.len(), &self.0);
        let mut later = Vec::new();
        for statement in it.take_in(&self.0) {
            match is_of_instance(&statement) {
                Some(false) => later.push(statement),
                Some(true) => ordered.push(statement),
                None => {
                    ordered.extend(later.drain(..));
                    ordered.push(statement);
                }
            }
        }
        ordered.extend(later);
        *it = ordered;
    }
}
