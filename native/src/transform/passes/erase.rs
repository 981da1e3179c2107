//! Imports that turn out to be types.
//!
//! `import { T } from "./t"; export { T }` does not show that T is a type; only its own file does. A caller that has
//! examined all files names the imports without a target, and this pass removes them, with the exports that pass them
//! on.
use std::collections::HashSet;

use oxc_ast::ast::*;

/// A specifier and the name imported from it.
pub type Import = (String, String);

pub fn erase(program: &mut Program<'_>, imports: &[Import]) {
    let is_erased = |source: &str, name: &str| imports.iter().any(|(from, wanted)| from == source && wanted == name);
    let mut locals = HashSet::new();
    program.body.retain_mut(|statement| match statement {
        Statement::ImportDeclaration(import) => {
            let source = import.source.value;
            let Some(specifiers) = &mut import.specifiers else { return true };
            let before = specifiers.len();
            specifiers.retain(|specifier| {
                let (imported, local) = match specifier {
                    ImportDeclarationSpecifier::ImportSpecifier(it) => (it.imported.name(), &it.local),
                    ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => ("default".into(), &it.local),
                    ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => return true,
                };
                let erased = is_erased(&source, &imported);
                if erased {
                    locals.insert(local.name.to_string());
                }
                !erased
            });
            !specifiers.is_empty() || before == 0
        }
        Statement::ExportFromDeclaration(export) => {
            let source = export.source.value;
            let before = export.specifiers.len();
            export.specifiers.retain(|specifier| !is_erased(&source, &specifier.local.name()));
            !export.specifiers.is_empty() || before == 0
        }
        _ => true,
    });
    for statement in &mut program.body {
        if let Statement::ExportNamedDeclaration(export) = statement {
            export.specifiers.retain(|specifier| !locals.contains(specifier.local.name().as_str()));
        }
    }
    program.body.retain(|statement| match statement {
        Statement::ExportDefaultDeclaration(export) => {
            !matches!(&export.declaration, ExportDefaultDeclarationKind::Identifier(id) if locals.contains(id.name.as_str()))
        }
        _ => true,
    });
}
