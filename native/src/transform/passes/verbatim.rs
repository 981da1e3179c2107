//! `verbatimModuleSyntax`: an import or export of nothing but types, each marked by itself, still runs its module.
use oxc_ast::ast::*;

/// Drop the specifiers that are types from statements that keep no other one, so that the statements stay.
pub fn empty_type_specifiers(program: &mut Program<'_>) {
    for statement in &mut program.body {
        match statement {
            Statement::ExportFromDeclaration(export) if export.export_kind.is_value() => {
                export.specifiers.retain(|specifier| specifier.export_kind.is_value());
            }
            Statement::ExportNamedDeclaration(export) if export.export_kind.is_value() => {
                export.specifiers.retain(|specifier| specifier.export_kind.is_value());
            }
            Statement::ImportDeclaration(import) if import.import_kind.is_value() => {
                let is_type = |specifier: &ImportDeclarationSpecifier<'_>| match specifier {
                    ImportDeclarationSpecifier::ImportSpecifier(specifier) => specifier.import_kind.is_type(),
                    _ => false,
                };
                if let Some(specifiers) = &mut import.specifiers
                    && specifiers.iter().all(is_type)
                {
                    specifiers.clear();
                }
            }
            _ => {}
        }
    }
}
