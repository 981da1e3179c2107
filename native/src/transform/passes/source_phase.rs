//! `import source module from "x"`: a compiled module that has not run.
//!
//! The phase becomes an import attribute with a value that no program uses; the host sees the same attribute for
//! `import.source("x")`. The result is the default export of a module that the host creates.
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::VisitMut;

use super::quote;

/// The `type` attribute for the phase.
const SOURCE: &str = "rt:source";

pub struct LowerSourcePhase<'a>(pub &'a Allocator);

impl<'a> VisitMut<'a> for LowerSourcePhase<'a> {
    fn visit_import_declaration(&mut self, it: &mut ImportDeclaration<'a>) {
        if it.phase != Some(ImportPhase::Source) {
            return;
        }
        it.phase = None;
        let template = format!("import \"x\" with {{ type: \"{SOURCE}\" }};");
        if let Some(Statement::ImportDeclaration(made)) = quote::statements(self.0, &template, Vec::new()).pop() {
            it.with_clause = made.unbox().with_clause;
        }
    }
}
