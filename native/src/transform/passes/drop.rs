//! `--drop=console`: calls of a global, and of anything reached through it, become `undefined`.
//!
//! Their arguments are not evaluated. Local variables with the same name, and uses other than calls, stay.
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_semantic::Scoping;

use super::quote;

pub struct DropCalls<'o, 'a> {
    dropped: &'o [Vec<String>],
    scoping: &'o Scoping,
    allocator: &'a Allocator,
    pub changed: bool,
}

impl<'o, 'a> DropCalls<'o, 'a> {
    pub fn new(dropped: &'o [Vec<String>], scoping: &'o Scoping, allocator: &'a Allocator) -> Self {
        Self { dropped, scoping, allocator, changed: false }
    }

    fn is_dropped(&self, callee: &Expression<'a>) -> bool {
        let mut path = Vec::new();
        self.global_path(callee, &mut path)
            && self.dropped.iter().any(|names| names.len() <= path.len() && names.iter().eq(&path[..names.len()]))
    }

    /// For `a.b["c"]` of a global `a`, its names in order.
    fn global_path(&self, expression: &Expression<'a>, path: &mut Vec<String>) -> bool {
        let (object, name) = match expression.get_inner_expression() {
            Expression::Identifier(id) => {
                path.push(id.name.to_string());
                let reference = self.scoping.get_reference(id.reference_id());
                return reference.symbol_id().is_none_or(|symbol| self.scoping.symbol_flags(symbol).is_ambient());
            }
            Expression::StaticMemberExpression(member) => (&member.object, member.property.name.to_string()),
            Expression::ComputedMemberExpression(member) => match &member.expression {
                Expression::StringLiteral(name) => (&member.object, name.value.to_string()),
                _ => return false,
            },
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::StaticMemberExpression(member) => (&member.object, member.property.name.to_string()),
                _ => return false,
            },
            _ => return false,
        };
        let is_global = self.global_path(object, path);
        path.push(name);
        is_global
    }
}

impl<'a> VisitMut<'a> for DropCalls<'_, 'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        let callee = match &*it {
            Expression::CallExpression(call) => Some(&call.callee),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => Some(&call.callee),
                _ => None,
            },
            _ => None,
        };
        if callee.is_some_and(|callee| self.is_dropped(callee)) {
            *it = quote::expression(self.allocator, "void 0", Vec::new());
            self.changed = true;
        } else {
            walk_mut::walk_expression(self, it);
        }
    }
}
