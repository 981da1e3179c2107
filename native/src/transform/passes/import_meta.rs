//! `import.meta` in CommonJS: the variable `__rt_import_meta`, which the host's wrapper binds.
//!
//! The engine supports the syntax in modules only.
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};

use super::quote;

pub struct NameImportMeta<'a>(pub &'a Allocator);

impl<'a> VisitMut<'a> for NameImportMeta<'a> {
    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        if matches!(it, Expression::ImportMeta(_)) {
            *it = quote::expression(self.0, "__rt_import_meta", Vec::new());
        } else {
            walk_mut::walk_expression(self, it);
        }
    }
}
