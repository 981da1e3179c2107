//! Standard (TC39) decorators and auto-accessors, as code that the engine runs.
//!
//! A decorated class becomes a function that is called at once: decorators and computed keys are evaluated
//! first, in the order of the source; a static block at the head of the class applies them in the order of
//! the standard (static methods, methods, static fields, fields, the class); initializers run from fields
//! that stand where the standard wants them. `helpers.js` holds what all classes share. This file
//! finds the classes; `class` lowers one, `elements` its members, `application` writes the calls.
mod application;
mod class;
mod elements;
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
    /// Keys of accessors in classes that stay where they are, to be declared in front of the program.
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
            temporaries: Vec::new(),
            needs_helpers: false,
            changed: false,
            failures: Vec::new(),
        }
    }

    /// A class with accessors only stays where it is.
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
        walk_mut::walk_formal_parameter(self, it);
    }

    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        walk_mut::walk_expression(self, it);
        if let Expression::ClassExpression(class) = it
            && has_decorators(class)
        {
            let class = std::mem::replace(it, self.expression("0", Vec::new()));
            if let Expression::ClassExpression(class) = class {
                *it = self.lower_class(class.unbox(), None);
            }
        }
    }

    fn visit_variable_declarator(&mut self, it: &mut VariableDeclarator<'a>) {
        if let (BindingPattern::BindingIdentifier(name), Some(Expression::ClassExpression(class))) =
            (&it.id, &mut it.init)
            && has_decorators(class)
        {
            let name = name.name.to_string();
            self.visit_class(class);
            if let Some(Expression::ClassExpression(class)) = it.init.take() {
                it.init = Some(self.lower_class(class.unbox(), Some(&name)));
            }
        } else {
            walk_mut::walk_variable_declarator(self, it);
        }
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
