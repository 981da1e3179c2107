//! The names that namespace blocks declare and export, collected before lowering.
use std::collections::{HashMap, HashSet};

use oxc_ast::ast::*;

use crate::transform::survey::collect_names;

/// The exports of all blocks of a namespace, by its qualified name.
pub type Exports = HashMap<String, HashSet<String>>;

/// The limit for nested namespaces, whose qualified names grow with every level.
pub const DEEPEST: usize = 200;

pub fn qualify(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_string() } else { format!("{parent}.{name}") }
}

/// Names that other statements of a list already declare as values, which exclude another `var`.
pub fn declared_values(body: &[Statement]) -> HashSet<String> {
    let name_of = |declaration: &Declaration| match declaration {
        Declaration::ClassDeclaration(it) => it.id.as_ref().map(|id| id.name.to_string()),
        Declaration::FunctionDeclaration(it) => it.id.as_ref().map(|id| id.name.to_string()),
        Declaration::TSEnumDeclaration(it) => Some(it.id.name.to_string()),
        _ => None,
    };
    body.iter()
        .filter_map(|statement| match statement {
            Statement::ExportDeclaration(export) => name_of(&export.declaration),
            Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                ExportDefaultDeclarationKind::ClassDeclaration(it) => it.id.as_ref().map(|id| id.name.to_string()),
                ExportDefaultDeclarationKind::FunctionDeclaration(it) => it.id.as_ref().map(|id| id.name.to_string()),
                _ => None,
            },
            statement => statement.as_declaration().and_then(name_of),
        })
        .collect()
}

/// Returns whether any statement of a namespace runs.
pub fn has_value(namespace: &TSNamespaceDeclaration) -> bool {
    let declares = |declaration: &Declaration| match declaration {
        Declaration::TSInterfaceDeclaration(_) | Declaration::TSTypeAliasDeclaration(_) => false,
        Declaration::TSNamespaceDeclaration(inner) => !inner.declare && has_value(inner),
        Declaration::TSImportEqualsDeclaration(it) => it.import_kind.is_value(),
        declaration => !declaration.declare(),
    };
    match &namespace.body {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => has_value(inner),
        TSNamespaceDeclarationBody::TSModuleBlock(block) => block.body.iter().any(|statement| match statement {
            Statement::ExportDeclaration(export) => declares(&export.declaration),
            statement => statement.as_declaration().is_none_or(|declaration| {
                declares(declaration) && !matches!(declaration, Declaration::TSImportEqualsDeclaration(_))
            }),
        }),
    }
}

pub fn exported_variables(body: &[Statement]) -> HashSet<String> {
    let mut names = Vec::new();
    for statement in body {
        if let Statement::ExportDeclaration(export) = statement {
            match &export.declaration {
                Declaration::VariableDeclaration(it) if !it.declare => {
                    it.declarations.iter().for_each(|declarator| collect_names(&declarator.id, &mut names));
                }
                Declaration::TSImportEqualsDeclaration(it) => names.push(it.id.name.to_string()),
                _ => {}
            }
        }
    }
    names.into_iter().collect()
}

pub fn collect_exports(body: &[Statement], parent: &str, exports: &mut Exports) {
    for statement in body {
        let namespace = match statement {
            Statement::TSNamespaceDeclaration(namespace) if parent.is_empty() => namespace,
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::TSNamespaceDeclaration(namespace) => namespace,
                _ => continue,
            },
            _ => continue,
        };
        collect_namespace(namespace, &qualify(parent, &namespace.id.name), exports);
    }
}

fn collect_namespace(namespace: &TSNamespaceDeclaration, key: &str, exports: &mut Exports) {
    if key.bytes().filter(|&byte| byte == b'.').count() > DEEPEST {
        return;
    }
    let names = exports.entry(key.to_string()).or_default();
    match &namespace.body {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
            names.insert(inner.id.name.to_string());
            collect_namespace(inner, &qualify(key, &inner.id.name), exports);
        }
        TSNamespaceDeclarationBody::TSModuleBlock(block) => {
            names.extend(exported_variables(&block.body));
            for statement in &block.body {
                let Statement::ExportDeclaration(export) = statement else { continue };
                match &export.declaration {
                    Declaration::FunctionDeclaration(it) => {
                        names.extend(it.id.iter().map(|id| id.name.to_string()));
                    }
                    Declaration::ClassDeclaration(it) => {
                        names.extend(it.id.iter().map(|id| id.name.to_string()));
                    }
                    Declaration::TSEnumDeclaration(it) => {
                        names.insert(it.id.name.to_string());
                    }
                    Declaration::TSNamespaceDeclaration(it) if has_value(it) => {
                        names.insert(it.id.name.to_string());
                    }
                    _ => {}
                }
            }
            collect_exports(&block.body, key, exports);
        }
    }
}
