//! One walk over a syntax tree that collects what the loader needs and whether anything must change.
//!
//! It goes by names, not by scopes: a local variable called `require` counts as a use of `require`. The harmless result
//! is an unused helper, and plain JavaScript is spared a semantic analysis.
mod bindings;
mod commonjs;
mod names;

use std::collections::HashMap;

use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

use super::passes::defer::is_deferred;
use super::passes::modernize::asks_for_main;
use super::passes::pure::is_pure;
pub use bindings::collect_names;
pub use names::Names;

/// How a module requests another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestKind {
    Import,
    ExportFrom,
    Dynamic,
    Require,
    RequireResolve,
}

#[derive(Clone, Debug)]
pub struct FoundRequest {
    pub specifier: String,
    pub kind: RequestKind,
    pub attributes: Vec<(String, String)>,
    pub start: u32,
    pub end: u32,
}

/// An export of a module that is an export of another one, or its namespace.
#[derive(Clone, Copy)]
pub struct Reexport<'a> {
    pub exported: &'a str,
    pub specifier: &'a str,
    /// The name in the other module; None for its namespace.
    pub imported: Option<&'a str>,
}

#[derive(Default)]
pub struct Survey {
    pub requests: Vec<FoundRequest>,
    pub names: Names,
    pub import_meta: bool,
    pub top_level_await: bool,
    pub jsx: bool,
    pub decorators: bool,
    pub accessors: bool,
    pub namespaces: bool,
    pub macros: bool,
    pub imports: bool,
    pub exports: bool,
    pub export_assignment: bool,
    pub exported: Vec<String>,
    /// Exported names that are only types; `*` stands for all names of another module.
    pub types: Vec<String>,
    /// Specifier, imported name and local name of each import; an import that is only re-exported may be a type.
    imported: Vec<(String, String, String)>,
    /// Exported name, specifier and imported name of `export … from`; without an imported name, it is the namespace.
    from_others: Vec<(String, String, Option<String>)>,
    /// Specifier and local name of each namespace import.
    whole: Vec<(String, String)>,
    /// Local name -> the names that it is exported as.
    exported_locals: HashMap<String, Vec<String>>,
    pub star_exports: Vec<String>,
    pub cjs_exports: Vec<String>,
    /// Those of `cjs_exports` that Node's lexer finds.
    pub lexed_exports: Vec<String>,
    pub cjs_reexports: Vec<String>,
    /// Local name and specifier of each variable that `require` initializes.
    required: Vec<(String, String)>,
    /// Contains syntax that is invalid in strict code.
    pub is_sloppy: bool,
    /// Has a `return` outside functions.
    pub returns: bool,
    /// Has a deferred import or `import.defer()`.
    pub is_deferred: bool,
    pub asks_source: bool, // `passes::source_phase`
    /// Has `"use strict"`, which a module does not need.
    pub is_declared_strict: bool,
    /// Contains code that an ES module must express differently (`passes::modernize`).
    pub is_dated: bool,
    /// Has an unused call marked pure.
    pub unused_pure: bool,
    depth: u32,
    this_depth: u32,
}

impl Survey {
    pub fn of(program: &Program<'_>) -> Self {
        let is_declared_strict = program.directives.iter().any(|each| each.directive == "use strict");
        let mut survey = Self { is_declared_strict, ..Self::default() };
        survey.visit_program(program);
        survey
    }

    /// Adopt the findings about the same program before its types were removed.
    pub fn follow(&mut self, before: Survey) {
        let removed = before.exported.into_iter().filter(|name| !self.exported.contains(name));
        self.types = before.types.into_iter().chain(removed).collect();
    }

    /// Re-exported imports, by specifier and name, which may turn out to be types.
    pub fn passed_on(&self) -> Vec<(String, String)> {
        let imports = self.imported.iter().filter(|(_, _, local)| self.exported_locals.contains_key(local));
        let imports = imports.map(|(source, name, _)| (source.clone(), name.clone()));
        imports.chain(self.names_from_others()).collect()
    }

    /// All re-exports, also those of imports: `import * as n from "x"; export { n }`.
    pub fn reexports(&self) -> impl Iterator<Item = Reexport<'_>> {
        let names = self.imported.iter().map(|(specifier, name, local)| (specifier, Some(name.as_str()), local));
        let whole = self.whole.iter().map(|(specifier, local)| (specifier, None, local));
        let imports = names.chain(whole).flat_map(|(specifier, imported, local)| {
            let exported = self.exported_locals.get(local).into_iter().flatten();
            exported.map(move |exported| Reexport { exported, specifier, imported })
        });
        let from_others = self.from_others.iter();
        imports.chain(from_others.map(|(exported, specifier, imported)| Reexport {
            exported,
            specifier,
            imported: imported.as_deref(),
        }))
    }

    /// The names of `export { … } from`, by specifier.
    fn names_from_others(&self) -> impl Iterator<Item = (String, String)> {
        self.from_others.iter().filter_map(|(_, specifier, name)| Some((specifier.clone(), name.clone()?)))
    }

    /// Imports and re-exports, by specifier and name; `*` stands for all names.
    pub fn requested_exports(&self) -> Vec<(String, String)> {
        let imports = self.imported.iter().map(|(source, name, _)| (source.clone(), name.clone()));
        let whole = self.whole.iter().map(|(source, _)| source).chain(&self.star_exports);
        let whole = whole.map(|source| (source.clone(), "*".to_string()));
        imports.chain(self.names_from_others()).chain(whole).collect()
    }

    fn request(&mut self, literal: &StringLiteral, kind: RequestKind, with: Option<&WithClause>) {
        let attributes: Vec<_> = with
            .map(|clause| {
                let entries = clause.with_entries.iter();
                entries.map(|entry| (entry.key.as_arena_str().to_string(), entry.value.value.to_string())).collect()
            })
            .unwrap_or_default();
        if attributes.iter().any(|(key, value)| key == "type" && value == "macro") {
            self.macros = true;
        }
        let Span { start, end, .. } = literal.span;
        self.requests.push(FoundRequest { specifier: literal.value.to_string(), kind, attributes, start, end });
    }

    fn inside(&mut self, walk: impl FnOnce(&mut Self)) {
        self.depth += 1;
        walk(self);
        self.depth -= 1;
    }

    fn export_local(&mut self, local: String, exported: String) {
        self.exported_locals.entry(local).or_default().push(exported);
    }

    fn export_name(&mut self, name: &ModuleExportName) {
        self.exported.push(name.name().to_string());
    }
}

impl<'a> Visit<'a> for Survey {
    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.imports = true;
        self.is_deferred |= is_deferred(it);
        self.asks_source |= it.phase == Some(ImportPhase::Source);
        if it.import_kind.is_value() {
            self.request(&it.source, RequestKind::Import, it.with_clause.as_deref());
            for specifier in it.specifiers.iter().flatten() {
                let (name, local) = match specifier {
                    ImportDeclarationSpecifier::ImportSpecifier(it) => (it.imported.name().to_string(), &it.local),
                    ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => ("default".to_string(), &it.local),
                    ImportDeclarationSpecifier::ImportNamespaceSpecifier(all) => {
                        self.whole.push((it.source.value.to_string(), all.local.name.to_string()));
                        continue;
                    }
                };
                self.imported.push((it.source.value.to_string(), name, local.name.to_string()));
            }
        }
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.exports = true;
        if it.export_kind.is_type() {
            self.types.push(it.exported.as_ref().map_or("*".to_string(), |name| name.name().to_string()));
            return;
        }
        match &it.exported {
            Some(name) => {
                self.export_name(name);
                let (exported, specifier) = (name.name().to_string(), it.source.value.to_string());
                self.from_others.push((exported, specifier, None));
            }
            None => self.star_exports.push(it.source.value.to_string()),
        }
        self.request(&it.source, RequestKind::ExportFrom, it.with_clause.as_deref());
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.exports = true;
        let is_type = |specifier: &ExportSpecifier| it.export_kind.is_type() || specifier.export_kind.is_type();
        let (types, values): (Vec<_>, Vec<_>) = it.specifiers.iter().partition(|specifier| is_type(specifier));
        self.types.extend(types.iter().map(|specifier| specifier.exported.name().to_string()));
        if it.export_kind.is_type() {
            return;
        }
        for specifier in values {
            self.export_name(&specifier.exported);
            let [exported, imported] = [&specifier.exported, &specifier.local].map(|name| name.name().to_string());
            self.from_others.push((exported, it.source.value.to_string(), Some(imported)));
        }
        self.request(&it.source, RequestKind::ExportFrom, it.with_clause.as_deref());
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.exports = true;
        for specifier in &it.specifiers {
            if it.export_kind.is_type() || specifier.export_kind.is_type() {
                self.types.push(specifier.exported.name().to_string());
            } else {
                self.export_name(&specifier.exported);
                self.export_local(specifier.local.name().to_string(), specifier.exported.name().to_string());
            }
        }
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.exports = true;
        let mut names = Vec::new();
        match &it.declaration {
            Declaration::VariableDeclaration(declaration) if !declaration.declare => {
                for declarator in &declaration.declarations {
                    collect_names(&declarator.id, &mut names);
                }
            }
            Declaration::FunctionDeclaration(function) if !function.declare => {
                names.extend(function.id.iter().map(|id| id.name.to_string()));
            }
            Declaration::ClassDeclaration(class) if !class.declare => {
                names.extend(class.id.iter().map(|id| id.name.to_string()));
            }
            Declaration::TSEnumDeclaration(item) => names.push(item.id.name.to_string()),
            Declaration::TSNamespaceDeclaration(item) => names.push(item.id.name.to_string()),
            Declaration::TSImportEqualsDeclaration(item) => names.push(item.id.name.to_string()),
            other => self.types.extend(other.id().map(|id| id.name.to_string())),
        }
        self.exported.append(&mut names);
        walk::walk_export_declaration(self, it);
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.exports = true;
        self.exported.push("default".to_string());
        if let ExportDefaultDeclarationKind::Identifier(id) = &it.declaration {
            self.export_local(id.name.to_string(), "default".to_string());
        }
        walk::walk_export_default_declaration(self, it);
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.export_assignment = true;
        walk::walk_ts_export_assignment(self, it);
    }

    fn visit_ts_external_module_reference(&mut self, it: &TSExternalModuleReference<'a>) {
        self.names.require = true;
        self.request(&it.expression, RequestKind::Require, None);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        self.namespaces = true;
        self.inside(|survey| walk::walk_ts_namespace_declaration(survey, it));
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.is_deferred |= it.phase == Some(ImportPhase::Defer);
        match &it.source {
            Expression::StringLiteral(literal) => self.request(literal, RequestKind::Dynamic, None),
            Expression::TemplateLiteral(template) => {
                if let Some(value) = template.single_quasi() {
                    let Span { start, end, .. } = template.span;
                    let kind = RequestKind::Dynamic;
                    let (specifier, attributes) = (value.to_string(), Vec::new());
                    self.requests.push(FoundRequest { specifier, kind, attributes, start, end });
                }
            }
            _ => {}
        }
        walk::walk_import_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.look_at_call(it);
        walk::walk_call_expression(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.look_at_assignment(it);
        walk::walk_assignment_expression(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.names.meet(it.name.as_str());
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.names.awaits |= it.name == "await";
    }

    fn visit_import_meta(&mut self, _: &ImportMeta) {
        self.import_meta = true;
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.top_level_await |= self.depth == 0;
        walk::walk_await_expression(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.top_level_await |= self.depth == 0 && it.r#await;
        walk::walk_for_of_statement(self, it);
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        self.top_level_await |= self.depth == 0 && it.kind == VariableDeclarationKind::AwaitUsing;
        for declarator in &it.declarations {
            self.look_at_declarator(declarator);
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.this_depth += 1;
        self.inside(|survey| walk::walk_function(survey, it, flags));
        self.this_depth -= 1;
    }

    fn visit_class_body(&mut self, it: &ClassBody<'a>) {
        self.this_depth += 1;
        walk::walk_class_body(self, it);
        self.this_depth -= 1;
    }

    fn visit_this_expression(&mut self, _: &ThisExpression) {
        self.names.this |= self.this_depth == 0;
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        self.unused_pure |= is_pure(&it.expression);
        walk::walk_expression_statement(self, it);
    }

    fn visit_with_statement(&mut self, it: &WithStatement<'a>) {
        self.is_sloppy = true;
        walk::walk_with_statement(self, it);
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        self.is_sloppy |= self.depth == 0;
        self.returns |= self.depth == 0;
        walk::walk_return_statement(self, it);
    }

    fn visit_numeric_literal(&mut self, it: &NumericLiteral<'a>) {
        let digits = it.raw.map_or("", |raw| raw.as_str()).as_bytes();
        self.is_sloppy |= digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit();
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.inside(|survey| walk::walk_arrow_function_expression(survey, it));
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        let bodies = [Some(&it.consequent), it.alternate.as_ref()];
        self.is_dated |= bodies.iter().flatten().any(|body| matches!(body, Statement::FunctionDeclaration(_)));
        walk::walk_if_statement(self, it);
    }

    fn visit_labeled_statement(&mut self, it: &LabeledStatement<'a>) {
        self.is_dated |= matches!(it.body, Statement::FunctionDeclaration(_));
        walk::walk_labeled_statement(self, it);
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        self.is_dated |= asks_for_main(&it.left, &it.right);
        walk::walk_binary_expression(self, it);
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        self.inside(|survey| walk::walk_static_block(survey, it));
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.decorators = true;
        walk::walk_decorator(self, it);
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.accessors = true;
        walk::walk_accessor_property(self, it);
    }

    fn visit_jsx_element(&mut self, it: &JSXElement<'a>) {
        self.jsx = true;
        walk::walk_jsx_element(self, it);
    }

    fn visit_jsx_fragment(&mut self, it: &JSXFragment<'a>) {
        self.jsx = true;
        walk::walk_jsx_fragment(self, it);
    }

    // Types contain no code.
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_type_alias_declaration(&mut self, _: &TSTypeAliasDeclaration<'a>) {}
}
