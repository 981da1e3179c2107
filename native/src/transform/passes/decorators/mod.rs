//! Standard (TC39) decorators and auto-accessors, as code that the engine runs.
//!
//! A decorated class becomes a function that is called at once. Decorators and computed keys are evaluated first, in
//! source order; a static block at the beginning of the class applies the decorators in the standard's order (static
//! methods, methods, static fields, fields, the class); initializers run from fields at the places that the standard
//! requires. `helpers.js` has the code shared by all classes. This file finds the classes; `class` lowers one,
//! `elements` its members, `application` creates the calls.
mod application;
mod class;
mod elements;
mod suspension;
mod this;

use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_diagnostics::OxcDiagnostic;

use super::{accessors, quote};

/// Defines `__rt_decorate`, `__rt_run`, `__rt_metadata` and `__rt_key`.
pub const HELPERS: &str = include_str!("helpers.js");

pub struct LowerDecorators<'a> {
    allocator: &'a Allocator,
    builder: AstBuilder<'a>,
    counter: usize,
    /// The name for the next class, if it is anonymous.
    name: Option<String>,
    /// Keys of accessors in classes that stay in place, to be declared before the program.
    pub temporaries: Vec<String>,
    pub needs_helpers: bool,
    pub changed: bool,
    pub failures: Vec<OxcDiagnostic>,
}

impl<'a> LowerDecorators<'a> {
    pub fn new(allocator: &'a Allocator) -> Self {
        Self {
            allocator,
            builder: AstBuilder::new(allocator),
            counter: 0,
            name: None,
            temporaries: Vec::new(),
            needs_helpers: false,
            changed: false,
            failures: Vec::new(),
        }
    }

    /// A class with accessors only stays in place.
    fn lower_accessors(&mut self, class: &mut Class<'a>) {
        self.changed = true;
        self.counter += 1;
        let mut body = ArenaVec::new_in(&self.builder);
        for (index, element) in class.body.body.take_in(&self.allocator).into_iter().enumerate() {
            match element {
                ClassElement::AccessorProperty(accessor) if !accessor.r#type.is_abstract() => {
                    let mut accessor = accessor.unbox();
                    let storage = format!("#_a{}_storage_{index}", self.counter);
                    let temporary = format!("_a{}_key_{index}", self.counter);
                    let (mut key, computed) =
                        accessors::read_key(&mut accessor.key, accessor.computed, &temporary, self.allocator);
                    let getter_key = key.clone();
                    let value = accessor.value.take();
                    if let Some(computed) = computed {
                        self.temporaries.push(temporary.clone());
                        self.needs_helpers = true;
                        let template = format!("[{temporary} = __rt_key($0)]() {{}}");
                        let mut evaluated = quote::elements(self.allocator, &template, vec![computed]);
                        let mut lowered =
                            accessors::lower(&getter_key, &storage, value, accessor.r#static, self.allocator);
                        // The getter comes first and evaluates the key.
                        if let (Some(ClassElement::MethodDefinition(from)), Some(ClassElement::MethodDefinition(to))) =
                            (evaluated.first_mut(), lowered.get_mut(1))
                        {
                            to.key = from.key.take_in(&self.allocator);
                        }
                        body.extend(lowered);
                        continue;
                    }
                    key.element = getter_key.element;
                    body.extend(accessors::lower(&key, &storage, value, accessor.r#static, self.allocator));
                }
                element => body.push(element),
            }
        }
        class.body.body = body;
    }

    fn statements(&self, template: &str, holes: Vec<Expression<'a>>) -> ArenaVec<'a, Statement<'a>> {
        quote::statements(self.allocator, template, holes)
    }

    fn expression(&self, template: &str, holes: Vec<Expression<'a>>) -> Expression<'a> {
        quote::expression(self.allocator, template, holes)
    }

    fn variable(&mut self, name: &str, class: Class<'a>) -> Statement<'a> {
        let value = self.lower_class(class, None);
        self.statements(&format!("let {name} = $0;"), vec![value]).pop().expect("one declaration")
    }
}

fn bound_name(pattern: &BindingPattern) -> Option<String> {
    match pattern {
        BindingPattern::BindingIdentifier(name) => Some(name.name.to_string()),
        _ => None,
    }
}

fn key_name(key: &PropertyKey, is_computed: bool) -> Option<String> {
    match key {
        PropertyKey::PrivateIdentifier(name) => Some(format!("#{}", name.name)),
        PropertyKey::StringLiteral(name) => Some(name.value.to_string()),
        key if !is_computed => key.static_name().map(|name| name.to_string()),
        _ => None,
    }
}

fn has_decorators(class: &Class) -> bool {
    !class.decorators.is_empty()
        || class.body.body.iter().any(|element| match element {
            ClassElement::MethodDefinition(it) => !it.decorators.is_empty() && it.value.body.is_some(),
            ClassElement::PropertyDefinition(it) => {
                !it.decorators.is_empty() && !it.declare && !it.r#type.is_abstract()
            }
            ClassElement::AccessorProperty(it) => !it.decorators.is_empty() && !it.r#type.is_abstract(),
            _ => false,
        })
}

fn has_accessors(class: &Class) -> bool {
    class.body.body.iter().any(|element| matches!(element, ClassElement::AccessorProperty(_)))
}

impl<'a> VisitMut<'a> for LowerDecorators<'a> {
    fn visit_class(&mut self, it: &mut Class<'a>) {
        walk_mut::walk_class(self, it);
        if !has_decorators(it) && has_accessors(it) {
            self.lower_accessors(it);
        }
    }

    fn visit_formal_parameter(&mut self, it: &mut FormalParameter<'a>) {
        if let Some(decorator) = it.decorators.first() {
            let message = "Parameter decorators need \"experimentalDecorators\" in tsconfig.json";
            self.failures.push(OxcDiagnostic::error(message).with_label(decorator.span));
        }
        self.visit_binding_pattern(&mut it.pattern);
        if let Some(initializer) = &mut it.initializer {
            self.name = bound_name(&it.pattern);
            self.visit_expression(initializer);
        }
        self.name = None;
    }

    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        let name = self.name.take();
        if matches!(it, Expression::ClassExpression(class) if has_decorators(class)) {
            walk_mut::walk_expression(self, it);
            let class = std::mem::replace(it, self.expression("0", Vec::new()));
            if let Expression::ClassExpression(class) = class {
                *it = self.lower_class(class.unbox(), name.as_deref());
            }
        } else {
            walk_mut::walk_expression(self, it);
        }
    }

    // An anonymous class is named after its first assignment.

    fn visit_variable_declarator(&mut self, it: &mut VariableDeclarator<'a>) {
        self.visit_binding_pattern(&mut it.id);
        if let Some(init) = &mut it.init {
            self.name = bound_name(&it.id);
            self.visit_expression(init);
        }
        self.name = None;
    }

    fn visit_assignment_expression(&mut self, it: &mut AssignmentExpression<'a>) {
        use oxc_syntax::operator::AssignmentOperator as Operator;
        self.visit_assignment_target(&mut it.left);
        let names = matches!(
            it.operator,
            Operator::Assign | Operator::LogicalNullish | Operator::LogicalOr | Operator::LogicalAnd
        );
        self.name = match &it.left {
            AssignmentTarget::AssignmentTargetIdentifier(target) if names => Some(target.name.to_string()),
            _ => None,
        };
        self.visit_expression(&mut it.right);
        self.name = None;
    }

    fn visit_assignment_target_with_default(&mut self, it: &mut AssignmentTargetWithDefault<'a>) {
        self.visit_assignment_target(&mut it.binding);
        self.name = match &it.binding {
            AssignmentTarget::AssignmentTargetIdentifier(target) => Some(target.name.to_string()),
            _ => None,
        };
        self.visit_expression(&mut it.init);
        self.name = None;
    }

    fn visit_assignment_pattern(&mut self, it: &mut AssignmentPattern<'a>) {
        self.visit_binding_pattern(&mut it.left);
        self.name = bound_name(&it.left);
        self.visit_expression(&mut it.right);
        self.name = None;
    }

    fn visit_object_property(&mut self, it: &mut ObjectProperty<'a>) {
        self.visit_property_key(&mut it.key);
        self.name = key_name(&it.key, it.computed);
        self.visit_expression(&mut it.value);
        self.name = None;
    }

    fn visit_property_definition(&mut self, it: &mut PropertyDefinition<'a>) {
        self.visit_decorators(&mut it.decorators);
        self.visit_property_key(&mut it.key);
        if let Some(value) = &mut it.value {
            self.name = key_name(&it.key, it.computed);
            self.visit_expression(value);
        }
        self.name = None;
    }

    fn visit_accessor_property(&mut self, it: &mut AccessorProperty<'a>) {
        self.visit_decorators(&mut it.decorators);
        self.visit_property_key(&mut it.key);
        if let Some(value) = &mut it.value {
            self.name = key_name(&it.key, it.computed);
            self.visit_expression(value);
        }
        self.name = None;
    }

    fn visit_statements(&mut self, it: &mut ArenaVec<'a, Statement<'a>>) {
        walk_mut::walk_statements(self, it);
        let decorated = |statement: &Statement| match statement {
            Statement::ClassDeclaration(class) => has_decorators(class),
            Statement::ExportDeclaration(export) => {
                matches!(&export.declaration, Declaration::ClassDeclaration(class) if has_decorators(class))
            }
            Statement::ExportDefaultDeclaration(export) => {
                matches!(&export.declaration, ExportDefaultDeclarationKind::ClassDeclaration(c) if has_decorators(c))
            }
            _ => false,
        };
        if !it.iter().any(decorated) {
            return;
        }
        let mut statements = ArenaVec::with_capacity_in(it.len(), &self.builder);
        for statement in it.take_in(&self.allocator) {
            match statement {
                Statement::ClassDeclaration(class) if has_decorators(&class) && !class.declare => {
                    let name = class.id.as_ref().map(|id| id.name.to_string()).unwrap_or_default();
                    statements.push(self.variable(&name, class.unbox()));
                }
                Statement::ExportDeclaration(mut export) if decorated_class(&export.declaration) => {
                    if let Declaration::ClassDeclaration(class) = export.declaration.take_in(&self.allocator) {
                        let name = class.id.as_ref().map(|id| id.name.to_string()).unwrap_or_default();
                        if let Statement::VariableDeclaration(variable) = self.variable(&name, class.unbox()) {
                            export.declaration = Declaration::VariableDeclaration(variable);
                        }
                    }
                    statements.push(Statement::ExportDeclaration(export));
                }
                Statement::ExportDefaultDeclaration(mut export) if matches!(&export.declaration, ExportDefaultDeclarationKind::ClassDeclaration(c) if has_decorators(c)) =>
                {
                    let declaration = std::mem::replace(
                        &mut export.declaration,
                        ExportDefaultDeclarationKind::from(self.expression("0", Vec::new())),
                    );
                    let ExportDefaultDeclarationKind::ClassDeclaration(class) = declaration else { continue };
                    match class.id.as_ref().map(|id| id.name.to_string()) {
                        Some(name) => {
                            statements.push(self.variable(&name, class.unbox()));
                            let export = format!("export {{ {name} as default }};");
                            statements.extend(self.statements(&export, Vec::new()));
                        }
                        None => {
                            let value = self.lower_class(class.unbox(), Some("default"));
                            export.declaration = ExportDefaultDeclarationKind::from(value);
                            statements.push(Statement::ExportDefaultDeclaration(export));
                        }
                    }
                }
                statement => statements.push(statement),
            }
        }
        *it = statements;
    }
}

fn decorated_class(declaration: &Declaration) -> bool {
    matches!(declaration, Declaration::ClassDeclaration(class) if has_decorators(class) && !class.declare)
}
