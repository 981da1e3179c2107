//! `this` in static code of a class that its decorators replace.
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_syntax::scope::ScopeFlags;

use super::class::Parts;
use super::{LowerDecorators, quote};

impl<'a> LowerDecorators<'a> {
    pub(super) fn replace_this(&self, parts: &Parts<'a>) -> ReplaceThis<'a> {
        ReplaceThis { allocator: self.allocator, with: format!("{}_this", parts.prefix) }
    }
}

/// Replaces `this` in static code whose class was replaced.
pub struct ReplaceThis<'a> {
    allocator: &'a Allocator,
    with: String,
}

impl<'a> VisitMut<'a> for ReplaceThis<'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if matches!(it, Expression::ThisExpression(_)) {
            *it = quote::expression(self.allocator, &self.with, Vec::new());
        } else {
            walk_mut::walk_expression(self, it);
        }
    }

    fn visit_function(&mut self, _: &mut Function<'a>, _: ScopeFlags) {}
    fn visit_class(&mut self, _: &mut Class<'a>) {}
}
