//! `import defer * as ns from "x"` and `import.defer("x")`: a namespace that is evaluated at its first use.
//!
//! V8 parses the declaration but cannot link it, and refuses the call. The phase becomes an import attribute with a name that no
//! program uses; the host then imports a module whose default export is the namespace (`program::deferred`).
use oxc_allocator::{Allocator, TakeIn};
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};

use super::quote;

/// The attribute for the phase.
pub const PHASE: &str = "rt:phase";

/// The options of an `import()` that has some. The host reads them as those of any import, so an error in them rejects the
/// promise.
const OPTIONS: &str = r#"((options) => {
    const isObject = (value) => typeof value === "object" ? value !== null : typeof value === "function";
    if (options !== undefined && !isObject(options)) return options;
    return {
        get with() {
            const attributes = options?.with;
            if (attributes !== undefined && !isObject(attributes)) return attributes;
            return { __proto__: null, ...attributes, PHASE };
        },
    };
})($0)"#;

pub fn is_deferred(import: &ImportDeclaration) -> bool {
    import.phase == Some(ImportPhase::Defer)
}

pub struct LowerDefer<'a>(pub &'a Allocator);

fn entry() -> String {
    format!("\"{PHASE}\": \"defer\"")
}

impl<'a> VisitMut<'a> for LowerDefer<'a> {
    fn visit_import_declaration(&mut self, it: &mut ImportDeclaration<'a>) {
        let Some([ImportDeclarationSpecifier::ImportNamespaceSpecifier(all)]) =
            it.specifiers.as_mut().map(|all| &mut all[..])
        else {
            return;
        };
        if it.phase.take_if(|phase| *phase == ImportPhase::Defer).is_none() {
            return;
        }
        let template = format!("import x from \"x\" with {{ {} }};", entry());
        let Some(Statement::ImportDeclaration(made)) = quote::statements(self.0, &template, Vec::new()).pop() else {
            return;
        };
        let ImportDeclaration { specifiers, with_clause, .. } = made.unbox();
        let mut specifiers = specifiers;
        if let Some([ImportDeclarationSpecifier::ImportDefaultSpecifier(made)]) =
            specifiers.as_mut().map(|all| &mut all[..])
        {
            std::mem::swap(&mut made.local, &mut all.local);
        }
        it.specifiers = specifiers;
        match (&mut it.with_clause, with_clause) {
            (Some(given), Some(mut made)) => given.with_entries.append(&mut made.with_entries),
            (given, made) => *given = made,
        }
    }

    fn visit_import_expression(&mut self, it: &mut ImportExpression<'a>) {
        walk_mut::walk_import_expression(self, it);
        if it.phase.take_if(|phase| *phase == ImportPhase::Defer).is_none() {
            return;
        }
        it.options = Some(match it.options.as_mut().map(|options| options.take_in(&self.0)) {
            Some(options) => quote::expression(self.0, &OPTIONS.replace("PHASE", &entry()), vec![options]),
            None => quote::expression(self.0, &format!("{{ with: {{ {} }} }}", entry()), Vec::new()),
        });
    }
}
