//! TypeScript namespaces as functions over an object, with exported variables as its properties.
//!
//! Blocks with the same name merge: each sees the exports of the others by their bare names. Every reference inside a
//! namespace is therefore resolved as in TypeScript, from the inside out: a local name ends the search, and an exported
//! name of the namespace, from any block, becomes a property of its object.
mod names;

use std::collections::HashSet;

use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_diagnostics::OxcDiagnostic;
use oxc_semantic::Scoping;
use oxc_span::SPAN;
use oxc_syntax::scope::ScopeId;

use super::quote;
use crate::transform::survey::collect_names;
use names::{DEEPEST, Exports, collect_exports, declared_values, exported_variables, has_value, qualify};

/// A namespace block being lowered; the list has the outermost first.
struct Block {
    key: String,
    scope: ScopeId,
    /// The function parameter for the namespace's object.
    object: String,
    /// Names of this block that exist only as properties: exported variables and aliases.
    variables: HashSet<String>,
}

pub struct LowerNamespaces<'s, 'a> {
    allocator: &'a Allocator,
    builder: AstBuilder<'a>,
    scoping: &'s Scoping,
    exports: Exports,
    blocks: Vec<Block>,
    counter: usize,
    pub failure: Option<OxcDiagnostic>,
}

impl<'s, 'a> LowerNamespaces<'s, 'a> {
    pub fn new(program: &Program<'a>, scoping: &'s Scoping, allocator: &'a Allocator) -> Self {
        let mut exports = Exports::new();
        collect_exports(&program.body, "", &mut exports);
        let builder = AstBuilder::new(allocator);
        Self { allocator, builder, scoping, exports, blocks: Vec::new(), counter: 0, failure: None }
    }

    /// The object that holds `name` for a reference, if the name is not local.
    fn holder_of(&self, reference: &IdentifierReference) -> Option<String> {
        let name = reference.name.as_str();
        let symbol = self.scoping.get_reference(reference.reference_id.get()?).symbol_id();
        let home = symbol.map(|symbol| self.scoping.symbol_scope_id(symbol));
        for block in self.blocks.iter().rev() {
            if let Some(home) = home {
                if home == block.scope && block.variables.contains(name) {
                    return Some(block.object.clone());
                }
                if home == block.scope || self.scoping.scope_is_descendant_of(home, block.scope) {
                    return None;
                }
            }
            if self.exports.get(&block.key).is_some_and(|names| names.contains(name)) {
                return Some(block.object.clone());
            }
        }
        None
    }

    fn property(&self, object: &str, name: &str) -> Expression<'a> {
        quote::expression(self.allocator, &format!("{object}.{name}"), Vec::new())
    }

    /// Lowers the namespaces among the statements of a list; `parent` is the key of the enclosing block.
    fn lower_list(&mut self, body: &mut ArenaVec<'a, Statement<'a>>, parent: &str) {
        let mut declared = declared_values(body);
        let mut lowered = ArenaVec::with_capacity_in(body.len(), &self.builder);
        for statement in body.take_in(&self.allocator) {
            match statement {
                Statement::TSNamespaceDeclaration(namespace) => {
                    // An inner namespace that is not exported is a name of this block only.
                    let scope = self.blocks.last().map(|block| block.scope.index());
                    let key = match scope {
                        Some(scope) => format!("{parent}#{scope}.{}", namespace.id.name),
                        None => namespace.id.name.to_string(),
                    };
                    self.lower_one(namespace.unbox(), &key, false, &mut declared, &mut lowered);
                }
                Statement::ExportDeclaration(export) => match export.unbox() {
                    ExportDeclaration { declaration: Declaration::TSNamespaceDeclaration(namespace), .. } => {
                        let key = qualify(parent, &namespace.id.name);
                        self.lower_one(namespace.unbox(), &key, true, &mut declared, &mut lowered);
                    }
                    export if self.blocks.is_empty() => {
                        let ExportDeclaration { span, declaration, .. } = export;
                        let export = ExportDeclaration::boxed(span, declaration, &self.builder);
                        lowered.push(Statement::ExportDeclaration(export));
                    }
                    export => self.lower_export(export.declaration, &mut lowered),
                },
                statement => lowered.push(statement),
            }
        }
        *body = lowered;
    }

    fn lower_one(
        &mut self,
        namespace: TSNamespaceDeclaration<'a>,
        key: &str,
        is_exported: bool,
        declared: &mut HashSet<String>,
        lowered: &mut ArenaVec<'a, Statement<'a>>,
    ) {
        let Some(scope) = namespace.scope_id.get() else { return };
        if namespace.declare || self.failure.is_some() || !has_value(&namespace) {
            return;
        }
        if self.blocks.len() >= DEEPEST {
            let failure = OxcDiagnostic::error("Namespaces are nested too deeply").with_label(namespace.id.span);
            self.failure = Some(failure);
            return;
        }
        let name = namespace.id.name.to_string();
        let mut body = match namespace.body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) => block.unbox().body,
            // `namespace A.B {}` is `namespace A { export namespace B {} }`.
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                let inner = Declaration::TSNamespaceDeclaration(inner);
                let export = ExportDeclaration::boxed(SPAN, inner, &self.builder);
                ArenaVec::from_value_in(Statement::ExportDeclaration(export), &self.builder)
            }
        };
        let holder = self.blocks.last().map(|block| block.object.clone()).filter(|_| is_exported);
        if declared.insert(name.clone()) {
            let is_module_export = is_exported && self.blocks.is_empty();
            let declaration = format!("{}var {name};", if is_module_export { "export " } else { "" });
            lowered.extend(quote::statements(self.allocator, &declaration, Vec::new()));
        }
        self.counter += 1;
        let object = format!("_{name}_{}", self.counter);
        let variables = exported_variables(&body);
        self.blocks.push(Block { key: key.to_string(), scope, object: object.clone(), variables });
        self.visit_statements_of_block(&mut body, key);
        self.blocks.pop();
        let argument = match holder {
            Some(holder) => format!("{name} = {holder}.{name} || ({holder}.{name} = {{}})"),
            None => format!("{name} || ({name} = {{}})"),
        };
        let template = format!("(function ({object}) {{}})({argument});");
        let mut call = quote::statements(self.allocator, &template, Vec::new());
        if let Some(Statement::ExpressionStatement(statement)) = call.first_mut()
            && let Expression::CallExpression(call) = &mut statement.expression
            && let Expression::FunctionExpression(function) = &mut call.callee
            && let Some(function_body) = &mut function.body
        {
            function_body.statements = body;
        }
        lowered.extend(call);
    }

    fn visit_statements_of_block(&mut self, body: &mut ArenaVec<'a, Statement<'a>>, key: &str) {
        // References first, while the declarations are still where the scopes were analysed.
        for statement in body.iter_mut() {
            let is_namespace = match statement {
                Statement::TSNamespaceDeclaration(_) => true,
                Statement::ExportDeclaration(export) => {
                    matches!(export.declaration, Declaration::TSNamespaceDeclaration(_))
                }
                _ => false,
            };
            if !is_namespace {
                walk_mut::walk_statement(self, statement);
            }
        }
        self.lower_list(body, key);
    }

    /// An exported declaration of a block becomes a property of its object.
    fn lower_export(&self, declaration: Declaration<'a>, lowered: &mut ArenaVec<'a, Statement<'a>>) {
        let object = self.blocks.last().map(|block| block.object.clone()).unwrap_or_default();
        let named = match &declaration {
            Declaration::FunctionDeclaration(it) if it.body.is_some() && !it.declare => it.id.as_ref(),
            Declaration::ClassDeclaration(it) if !it.declare => it.id.as_ref(),
            Declaration::TSEnumDeclaration(it) if !it.declare => Some(&it.id),
            _ => None,
        };
        if let Some(name) = named.map(|id| id.name.to_string()) {
            lowered.push(Statement::from(declaration));
            lowered.extend(quote::statements(self.allocator, &format!("{object}.{name} = {name};"), Vec::new()));
            return;
        }
        match declaration {
            Declaration::VariableDeclaration(variables) if !variables.declare => {
                self.lower_variables(variables.unbox(), &object, lowered);
            }
            Declaration::TSImportEqualsDeclaration(import) if import.import_kind.is_value() => {
                let import = import.unbox();
                let value = match import.module_reference {
                    TSModuleReference::ExternalModuleReference(_) => return,
                    TSModuleReference::IdentifierReference(id) => Expression::Identifier(id),
                    TSModuleReference::QualifiedName(name) => self.qualified_value(name.unbox()),
                };
                let template = format!("{object}.{} = $0;", import.id.name);
                lowered.extend(quote::statements(self.allocator, &template, vec![value]));
            }
            // Types and ambient declarations contain no code.
            _ => {}
        }
    }

    fn lower_variables(
        &self,
        declaration: VariableDeclaration<'a>,
        object: &str,
        lowered: &mut ArenaVec<'a, Statement<'a>>,
    ) {
        for declarator in declaration.declarations {
            let VariableDeclarator { id, init, .. } = declarator;
            let Some(init) = init else { continue };
            if let BindingPattern::BindingIdentifier(name) = &id {
                let template = format!("{object}.{} = $0;", name.name);
                lowered.extend(quote::statements(self.allocator, &template, vec![init]));
                continue;
            }
            let mut names = Vec::new();
            collect_names(&id, &mut names);
            let declarator = VariableDeclarator::new(SPAN, id, None, Some(init), false, &self.builder);
            let kind = VariableDeclarationKind::Const;
            lowered.push(Statement::new_variable_declaration(SPAN, kind, [declarator], false, &self.builder));
            for name in names {
                lowered.extend(quote::statements(self.allocator, &format!("{object}.{name} = {name};"), Vec::new()));
            }
        }
    }

    fn qualified_value(&self, name: TSQualifiedName<'a>) -> Expression<'a> {
        let left = match name.left {
            TSTypeName::IdentifierReference(id) => match self.holder_of(&id) {
                Some(object) => self.property(&object, &id.name),
                None => Expression::Identifier(id),
            },
            TSTypeName::QualifiedName(inner) => self.qualified_value(inner.unbox()),
            TSTypeName::ThisExpression(this) => Expression::ThisExpression(this),
        };
        quote::expression(self.allocator, &format!("$0.{}", name.right.name), vec![left])
    }
}

impl<'a> VisitMut<'a> for LowerNamespaces<'_, 'a> {
    fn visit_program(&mut self, it: &mut Program<'a>) {
        self.lower_list(&mut it.body, "");
    }

    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        match it {
            Expression::Identifier(id) => {
                if let Some(object) = self.holder_of(id) {
                    *it = self.property(&object, &id.name);
                }
            }
            _ => walk_mut::walk_expression(self, it),
        }
    }

    fn visit_object_property(&mut self, it: &mut ObjectProperty<'a>) {
        walk_mut::walk_object_property(self, it);
        if it.shorthand && !matches!(it.value, Expression::Identifier(_)) {
            it.shorthand = false;
        }
    }

    fn visit_simple_assignment_target(&mut self, it: &mut SimpleAssignmentTarget<'a>) {
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(id) = it {
            if let Some(object) = self.holder_of(id)
                && let Expression::StaticMemberExpression(member) = self.property(&object, &id.name)
            {
                *it = SimpleAssignmentTarget::StaticMemberExpression(member);
            }
        } else {
            walk_mut::walk_simple_assignment_target(self, it);
        }
    }

    fn visit_assignment_target_property(&mut self, it: &mut AssignmentTargetProperty<'a>) {
        if let AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) = it
            && let Some(object) = self.holder_of(&property.binding)
            && let Expression::StaticMemberExpression(member) = self.property(&object, &property.binding.name)
        {
            let name = IdentifierName::new(property.binding.span, property.binding.name, &self.builder);
            let key = PropertyKey::StaticIdentifier(oxc_allocator::ArenaBox::new_in(name, &self.builder));
            let target = AssignmentTarget::StaticMemberExpression(member);
            let binding = match property.init.take() {
                Some(mut init) => {
                    self.visit_expression(&mut init);
                    AssignmentTargetMaybeDefault::new_assignment_target_with_default(SPAN, target, init, &self.builder)
                }
                None => AssignmentTargetMaybeDefault::from(target),
            };
            *it = AssignmentTargetProperty::new_assignment_target_property_property(
                property.span,
                key,
                binding,
                false,
                &self.builder,
            );
        } else {
            walk_mut::walk_assignment_target_property(self, it);
        }
    }

    fn visit_jsx_element_name(&mut self, it: &mut JSXElementName<'a>) {
        if let JSXElementName::IdentifierReference(id) = it
            && let Some(object) = self.holder_of(id)
        {
            let object = JSXMemberExpressionObject::new_identifier_reference(
                SPAN,
                oxc_str::Ident::from_str_in(&object, &self.builder),
                &self.builder,
            );
            let property = JSXIdentifier::new(id.span, id.name, &self.builder);
            *it = JSXElementName::new_member_expression(id.span, object, property, &self.builder);
        }
    }

    // Types contain no values.
    fn visit_ts_type(&mut self, _: &mut TSType<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &mut TSInterfaceDeclaration<'a>) {}
    fn visit_ts_type_alias_declaration(&mut self, _: &mut TSTypeAliasDeclaration<'a>) {}
}
