//! What the names in types stand for in a file: aliases, enums, interfaces, type parameters, classes, imports, and the
//! members of namespaces.
use std::collections::HashMap;

use oxc_allocator::{Allocator, CloneIn};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::{Scoping, SymbolId};
use oxc_str::Ident;
use oxc_syntax::constant_value::ConstantValue;

/// An imported name.
pub struct Imported {
    /// Where its import declaration starts.
    pub start: u32,
    /// The name in the other module; None for its namespace.
    pub name: Option<String>,
    pub is_type: bool,
    /// The import has attributes.
    pub has_attributes: bool,
}

/// What the members of an enum are.
#[derive(Clone, Copy, Default)]
pub struct EnumKinds {
    pub has_texts: bool,
    pub has_numbers: bool,
}

#[derive(Default)]
pub struct Declared<'a> {
    pub aliases: HashMap<SymbolId, &'a TSType<'a>>,
    pub enums: HashMap<SymbolId, EnumKinds>,
    /// Which members of an enum are strings.
    pub members: HashMap<(SymbolId, String), bool>,
    /// Whether an interface can be called.
    pub interfaces: HashMap<SymbolId, bool>,
    /// The constraints of type parameters.
    pub parameters: HashMap<SymbolId, Option<&'a TSType<'a>>>,
    /// Whether a class is only declared to exist.
    pub classes: HashMap<SymbolId, bool>,
    pub imports: HashMap<SymbolId, Imported>,
    /// The exported declarations of namespaces.
    pub inside: HashMap<(SymbolId, String), SymbolId>,
    /// The initial values of constants, as texts of literals.
    pub constants: HashMap<SymbolId, &'a Expression<'a>>,
}

impl<'a> Declared<'a> {
    pub fn of(program: &Program<'a>, scoping: &Scoping, allocator: &'a Allocator) -> Self {
        let mut collect = Collect { allocator, scoping, namespaces: Vec::new(), declared: Self::default() };
        collect.visit_program(program);
        collect.declared
    }
}

struct Collect<'a, 's> {
    allocator: &'a Allocator,
    scoping: &'s Scoping,
    /// The namespaces around the current place, innermost last.
    namespaces: Vec<SymbolId>,
    declared: Declared<'a>,
}

impl<'a> Collect<'a, '_> {
    fn keep(&self, annotation: &TSType<'a>) -> &'a TSType<'a> {
        self.allocator.alloc(annotation.clone_in_with_semantic_ids(self.allocator))
    }

    /// The value of a member of an enum, if it is constant.
    fn value_of(&self, symbol: SymbolId, member: &str) -> Option<&ConstantValue> {
        let scopes = self.scoping.get_enum_body_scopes(symbol)?;
        let found = scopes.iter().find_map(|scope| self.scoping.get_binding(*scope, Ident::from(member)))?;
        self.scoping.get_enum_member_value(found)
    }
}

/// Whether an initial value that is not constant is a string, by its form.
fn is_text(value: &Expression<'_>) -> bool {
    match value {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => true,
        Expression::BinaryExpression(sum) => {
            sum.operator == BinaryOperator::Addition && (is_text(&sum.left) || is_text(&sum.right))
        }
        Expression::ParenthesizedExpression(inner) => is_text(&inner.expression),
        _ => false,
    }
}

fn declared_id<'d, 'a>(declaration: &'d Declaration<'a>) -> Option<&'d BindingIdentifier<'a>> {
    match declaration {
        Declaration::ClassDeclaration(it) => it.id.as_ref(),
        Declaration::TSEnumDeclaration(it) => Some(&it.id),
        Declaration::TSInterfaceDeclaration(it) => Some(&it.id),
        Declaration::TSTypeAliasDeclaration(it) => Some(&it.id),
        Declaration::TSNamespaceDeclaration(it) => Some(&it.id),
        _ => None,
    }
}

pub fn can_be_called(members: &[TSSignature<'_>]) -> bool {
    members.iter().any(|member| matches!(member, TSSignature::TSCallSignatureDeclaration(_)))
}

impl<'a> Visit<'a> for Collect<'a, '_> {
    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        for specifier in it.specifiers.iter().flatten() {
            let (local, name, kind) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => {
                    (&it.local, Some(it.imported.name().to_string()), it.import_kind)
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
                    (&it.local, Some("default".to_string()), ImportOrExportKind::Value)
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                    (&it.local, None, ImportOrExportKind::Value)
                }
            };
            let Some(symbol) = local.symbol_id.get() else { continue };
            let is_type = it.import_kind.is_type() || kind.is_type();
            let has_attributes = it.with_clause.is_some() || it.phase.is_some();
            self.declared.imports.insert(symbol, Imported { start: it.span.start, name, is_type, has_attributes });
        }
    }

    fn visit_ts_type_alias_declaration(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        if let Some(symbol) = it.id.symbol_id.get() {
            let stands_for = self.keep(&it.type_annotation);
            self.declared.aliases.insert(symbol, stands_for);
        }
        walk::walk_ts_type_alias_declaration(self, it);
    }

    fn visit_ts_interface_declaration(&mut self, it: &TSInterfaceDeclaration<'a>) {
        if let Some(symbol) = it.id.symbol_id.get() {
            *self.declared.interfaces.entry(symbol).or_default() |= can_be_called(&it.body.body);
        }
        walk::walk_ts_interface_declaration(self, it);
    }

    fn visit_ts_type_parameter(&mut self, it: &TSTypeParameter<'a>) {
        if let Some(symbol) = it.name.symbol_id.get() {
            let constraint = it.constraint.as_ref().map(|constraint| self.keep(constraint));
            self.declared.parameters.insert(symbol, constraint);
        }
        walk::walk_ts_type_parameter(self, it);
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        let Some(symbol) = it.id.symbol_id.get() else { return };
        let mut kinds = self.declared.enums.get(&symbol).copied().unwrap_or_default();
        for member in &it.body.members {
            let name = member.id.static_name().to_string();
            let is_text = match self.value_of(symbol, &name) {
                Some(value) => matches!(value, ConstantValue::String(_)),
                None => member.initializer.as_ref().is_some_and(is_text),
            };
            kinds.has_texts |= is_text;
            kinds.has_numbers |= !is_text;
            self.declared.members.insert((symbol, name), is_text);
        }
        self.declared.enums.insert(symbol, kinds);
        walk::walk_ts_enum_declaration(self, it);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        let Some(symbol) = it.id.symbol_id.get() else { return };
        self.namespaces.push(symbol);
        if let TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) = &it.body
            && let Some(inside) = inner.id.symbol_id.get()
        {
            self.declared.inside.insert((symbol, inner.id.name.to_string()), inside);
        }
        walk::walk_ts_namespace_declaration(self, it);
        self.namespaces.pop();
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        if let (Some(namespace), Some(id)) = (self.namespaces.last(), declared_id(&it.declaration))
            && let Some(symbol) = id.symbol_id.get()
        {
            self.declared.inside.insert((*namespace, id.name.to_string()), symbol);
        }
        walk::walk_export_declaration(self, it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        if let Some(symbol) = it.id.as_ref().and_then(|id| id.symbol_id.get()) {
            self.declared.classes.insert(symbol, it.declare);
        }
        // Namespaces do not reach into classes.
        let namespaces = std::mem::take(&mut self.namespaces);
        walk::walk_class(self, it);
        self.namespaces = namespaces;
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let (BindingPattern::BindingIdentifier(id), Some(init)) = (&it.id, &it.init)
            && let Some(symbol) = id.symbol_id.get()
            && self.scoping.symbol_flags(symbol).is_const_variable()
            && matches!(init.get_inner_expression(), Expression::ArrayExpression(_) | Expression::ObjectExpression(_))
        {
            let copy = self.allocator.alloc(init.get_inner_expression().clone_in(self.allocator));
            self.declared.constants.insert(symbol, copy);
        }
        walk::walk_variable_declarator(self, it);
    }
}
